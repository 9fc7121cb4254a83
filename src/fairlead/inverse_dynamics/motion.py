"""The motion that inverse dynamics works on, block by block, and the wrench each body must get from its joints.

Letters: W world, B a body (its mass centre and axes), J a joint's point on the child. Rates have a first dimension of
one (accelerations as recorded) or two (differentiated with nine samples and with seven).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fairlead.inverse_dynamics.rates import COARSE, FINE, Stencil, body_rate, same_sign
from fairlead.inverse_dynamics.read import ACCELERATIONS, Record, read
from fairlead.numeric import rotation_matrix, turn

REACH = 2 * FINE  # rows over the edges of a block that its rates and their noise depend on


@dataclass(frozen=True)
class Motion:
    """Some rows of the record."""

    rows: slice
    r_WB_W: np.ndarray  # [m] (n, B, 3)
    R_WB: np.ndarray  # (n, B, 3, 3)
    r_WJ_W: np.ndarray  # [m] (n, J, 3)
    w_WB_B: np.ndarray  # [rad/s] (k, n, B, 3)
    a_WB_W: np.ndarray  # [m/s2] (k, n, B, 3)
    al_WB_B: np.ndarray  # [rad/s2] (k, n, B, 3)
    a_noise: np.ndarray  # [m/s2] (n, B) what rounding or printing of the samples does to the accelerations
    al_noise: np.ndarray  # [rad/s2] (n, B)
    inertia: np.ndarray  # [kg m2] body axes, (B, 3, 3) or (n, B, 3, 3)
    wheel: np.ndarray  # [kg m2/s] body axes, (B, 3) or (n, B, 3)
    f_W: np.ndarray  # [N] (n, B, 3) recorded loads on each body, at its mass centre
    n_W: np.ndarray  # [N m] (n, B, 3)


def motions(record: Record, block: int) -> Iterator[Motion]:
    """Give the motion in blocks of about `block` rows, lest a long run fills the memory."""
    count = len(record.time)
    for first in range(0, count, block):
        yield _motion(record, slice(first, min(first + block, count)))


def _motion(record: Record, rows: slice) -> Motion:
    inertia, wheel = (_constant(record, name, rows) for name in ("inertia", "wheel_momentum"))
    f_W, n_W = _load_sums(record, rows)
    w, a, al, a_noise, al_noise = _rates(record, rows)
    return Motion(
        rows=rows,
        r_WB_W=read(record, "position", rows),
        R_WB=rotation_matrix(read(record, "orientation", rows)),
        r_WJ_W=read(record, "joint_point", rows),
        w_WB_B=w,
        a_WB_W=a,
        al_WB_B=al,
        a_noise=a_noise,
        al_noise=al_noise,
        inertia=inertia,
        wheel=wheel,
        f_W=f_W,
        n_W=n_W,
    )


def _constant(record: Record, name: str, rows: slice) -> np.ndarray:
    if name not in record.data.variables:
        return np.zeros((len(record.bodies), 3))
    values = record.data[name]
    return np.asarray((values.isel(time=rows) if "time" in values.dims else values).values, dtype=float)


def _load_sums(record: Record, rows: slice) -> tuple[np.ndarray, np.ndarray]:
    count = len(record.time[rows])
    sums = np.zeros((2, count, len(record.bodies), 3))
    for total, name in zip(sums, ("load_force", "load_moment")):
        if len(record.load_rows):
            values = read(record, name, rows)
            for row, body in zip(record.load_rows, record.load_at):
                total[:, body] += values[:, row]
    return sums[0], sums[1]


def _rates(record: Record, rows: slice) -> tuple[np.ndarray, ...]:
    """Return angular velocity, accelerations (each with the leading dimension of routes), and their noise."""
    if not record.differentiate:
        zero = np.zeros((len(record.time[rows]), len(record.bodies)))
        found = (read(record, name, rows)[None] for name in ("angular_velocity", *ACCELERATIONS))
        return (*found, zero, zero)
    # The stencils of a block reach over its edges; more rows than the table has are not there.
    wide = slice(max(rows.start - REACH, 0), min(rows.stop + REACH, len(record.time)))
    inside = slice(rows.start - wide.start, rows.stop - wide.start)
    stencils = [Stencil(record.time[wide], width) for width in (FINE, COARSE)]
    a, a_noise = _linear(record, wide, stencils)
    w, al, al_noise = _angular(record, wide, stencils)
    return w[:, inside], a[:, inside], al[:, inside], a_noise[inside], al_noise[inside]


def _doubt(record: Record, name: str, values: np.ndarray, stencil: Stencil) -> np.ndarray:
    """Return how far samples (rows, B) may be off: by rounding, by the digits a table printed, and as they look."""
    printed = float(record.data[name].attrs.get("resolution", 0.0))
    return np.sqrt(3.0) * (np.finfo(float).eps * np.abs(values).max((0, 2)) + printed) + stencil.roughness(values)


def _linear(record: Record, rows: slice, stencils: list[Stencil]) -> tuple[np.ndarray, np.ndarray]:
    if "acceleration" not in record.differentiate:
        a = read(record, "acceleration", rows)
        return np.stack([a, a]), np.zeros(a.shape[:2])
    order = 1 if "velocity" in record.data.variables else 2
    name = {1: "velocity", 2: "position"}[order]
    values = read(record, name, rows)
    noise = stencils[0].noise(_doubt(record, name, values, stencils[0]), order)
    return np.stack([stencil.rate(values, order) for stencil in stencils]), noise


def _angular(record: Record, rows: slice, stencils: list[Stencil]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if "angular_velocity" in record.data.variables:
        w = read(record, "angular_velocity", rows)
        if "angular_acceleration" not in record.differentiate:
            al, noise = [read(record, "angular_acceleration", rows)] * 2, np.zeros(w.shape[:2])
        else:
            al = [stencil.rate(w) for stencil in stencils]
            noise = stencils[0].noise(_doubt(record, "angular_velocity", w, stencils[0]))
        return np.stack([w, w]), np.stack(al), noise
    q = same_sign(read(record, "orientation", rows))
    pairs = [[body_rate(q, stencil.rate(q, order)) for stencil in stencils] for order in (1, 2)]
    noise = stencils[0].noise(2 * _doubt(record, "orientation", q, stencils[0]), 2)
    return np.stack(pairs[0]), np.stack(pairs[1]), noise


def demand(record: Record, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Return force and moment (k, n, B, 3) at its mass centre that a body's joints must give it, world axes.

    m (a - g) - F and R (I al + w x (I w + h)) - N: the rate of momentum less what is applied (MCM paper Eqs. 24, 25
    for one body).
    """
    I, w = motion.inertia, motion.w_WB_B
    spin_B = turn(I, motion.al_WB_B) + np.cross(w, turn(I, w) + motion.wheel)
    f_W = record.mass[:, None] * (motion.a_WB_W - record.g_W) - motion.f_W
    return f_W, turn(motion.R_WB, spin_B) - motion.n_W


def demand_noise(record: Record, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Return the noise in `demand` (n, B) that noise in the accelerations makes, as sizes."""
    largest = np.linalg.norm(motion.inertia, ord=2, axis=(-2, -1))
    return record.mass * motion.a_noise, largest * motion.al_noise
