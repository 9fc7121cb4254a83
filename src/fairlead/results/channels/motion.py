"""Motion of a point fixed in the platform, and roll, pitch and yaw with their rates, from the record."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.numeric import unit_rotation_matrix

Array = npt.NDArray[np.float64]


def rotation(data: Any, body: str) -> Array:
    """Return R_WB of a body over time."""
    return unit_rotation_matrix(data["orientation"].sel(body=body).values.astype(float))


def point_in_body(data: Any, body: str, r_WP_W: Array) -> Array:
    """Return a point of the drawing in a body's axes, from its mass centre: r_BP_B = R_WB^T (r_WP_W - r_WB_W).

    A record that has no drawing (of another program) is taken as drawn at its beginning.
    """
    if "drawn_frame" in data.variables:
        r_WB_W, R_WB = (data[name].sel(body=body).values for name in ("drawn_position", "drawn_frame"))
    else:
        r_WB_W, R_WB = data["position"].sel(body=body).values[0], rotation(data, body)[0]
    return np.asarray(R_WB.T @ (r_WP_W - r_WB_W))


def point_motion(data: Any, body: str, r_BP_B: Array) -> dict[str, Array]:
    """Return place, velocity and acceleration of a point fixed in a body, world axes, where the record has them."""
    R_WB = rotation(data, body)

    def of(name: str) -> Array:
        return np.asarray(data[name].sel(body=body).values, dtype=float)

    def turned(name: str) -> Array:
        return np.einsum("tij,tj->ti", R_WB, of(name))

    arm = R_WB @ r_BP_B
    found = {"position": of("position") + arm}
    if "angular_velocity" not in data.variables:
        return found
    w = found["angular_velocity"] = turned("angular_velocity")
    if "velocity" in data.variables:
        found["velocity"] = of("velocity") + np.cross(w, arm)
    if "angular_acceleration" in data.variables:
        al = found["angular_acceleration"] = turned("angular_acceleration")
        if "acceleration" in data.variables:
            found["acceleration"] = of("acceleration") + np.cross(al, arm) + np.cross(w, np.cross(w, arm))
    return found


def roll_pitch_yaw(R: Array) -> Array:
    """Return the angles of R = Rz(yaw) Ry(pitch) Rx(roll) over time, continuous through any attitude.

    Each attitude has two sets, (roll, pitch, yaw) and (roll + pi, pi - pitch, yaw + pi), and turns of 2 pi: the first
    instant takes the smaller set, each later one the set nearest to the instant before, so pitch may pass 90 degrees.
    """
    roll = np.arctan2(R[:, 2, 1], R[:, 2, 2])
    pitch = np.arctan2(-R[:, 2, 0], np.hypot(R[:, 2, 1], R[:, 2, 2]))
    # R Rx(-roll) = Rz Ry, whose second column is (-sin yaw, cos yaw, 0): near pitch 90 degrees roll is uncertain, and
    # this yaw makes up for it, so that the attitude keeps its digits.
    second = R[:, :2, 1] * np.cos(roll)[:, None] - R[:, :2, 2] * np.sin(roll)[:, None]
    yaw = np.arctan2(-second[:, 0], second[:, 1])
    found = np.stack([roll, pitch, yaw], axis=1)
    begin = _plain_until(found)
    last: tuple[float, float, float] = tuple(found[begin - 1].tolist()) if begin else (0.0, 0.0, 0.0)
    for i, (r, p, y) in enumerate(found[begin:].tolist(), start=begin):
        sets = (_near((r, p, y), last), _near((r + math.pi, math.pi - p, y + math.pi), last))
        last = min(sets, key=lambda angles: sum((a - b) ** 2 for a, b in zip(angles, last)))
        found[i] = last
    return found


def _plain_until(angles: Array) -> int:
    """Return up to which instant the angles are continuous as arctan gives them: for a hull, all of them.

    Each is then within half a turn of the one before, and nearer to it than the other set, by the sums of the loop.
    """
    before = np.concatenate([np.zeros((1, 3)), angles[:-1]])
    step = angles - before
    other = np.stack([angles[:, 0] + math.pi, math.pi - angles[:, 1], angles[:, 2] + math.pi], axis=1) - before
    other -= math.tau * np.round(other / math.tau)
    near = (np.abs(step) < 3.0).all(axis=1) & ((step**2).sum(axis=1) < 0.99 * (other**2).sum(axis=1))
    return len(near) if near.all() else int(np.argmin(near))


def _near(angles: tuple[float, float, float], last: tuple[float, float, float]) -> tuple[float, float, float]:
    a, b, c = (angle - math.tau * round((angle - before) / math.tau) for angle, before in zip(angles, last))
    return a, b, c


def angle_rates(angles: Array, w_B: Array, al_B: Array | None) -> tuple[Array, Array | None]:
    """Return first and second rates of roll, pitch, yaw; not a number where pitch is 90 degrees.

    w_B = E (roll', pitch', yaw')^T with E = [[1, 0, -sp], [0, cr, cp sr], [0, -sr, cp cr]], from R = Rz Ry Rx and
    R' = R [w_B]x; the rate of this equation gives the second ones.
    """
    (sr, sp), (cr, cp) = np.sin(angles[:, :2]).T, np.cos(angles[:, :2]).T
    with np.errstate(divide="ignore", invalid="ignore"):

        def solve(v: Array) -> Array:
            yaw = (v[:, 1] * sr + v[:, 2] * cr) / np.where(np.abs(cp) < 1e-12, np.nan, cp)
            return np.stack([v[:, 0] + sp * yaw, v[:, 1] * cr - v[:, 2] * sr, yaw], axis=1)

        rates = solve(w_B)
        if al_B is None:
            return rates, None
        r, p, y = rates.T
        E_rate_rates = np.stack(
            [
                -y * p * cp,
                -p * r * sr - y * p * sp * sr + y * r * cp * cr,
                -p * r * cr - y * p * sp * cr - y * r * cp * sr,
            ],
            axis=1,
        )
        return rates, solve(al_B - E_rate_rates)
