"""Momentum, energy and external wrench of a system, summed over its bodies at every recorded instant.

The sums need masses, inertias and the motion of each body and nothing else: no topology, no formulation
(Momentum tests Eqs. 1, 2, 10). Our records are procedure 2 of that document with angular velocity, inertia and wheels
in body axes; procedures 1, 3 and 4 are brought to the same form by `audit_table`.

Wheels. A wheel turns at constant speed relative to its body and stores h = g I theta'; its locked inertia is part of
the body's. The full kinetic energy is 1/2 w.I w + w.h + const. The motor that keeps the speed gives the wheel the
moment I_w g.w' and so does the work I_w theta' g.w' = h.w' per second, which is the rate of w.h for h constant in
body axes. Motor work and w.h cancel, so the balance here is of 1/2 w.I w without either. Where a table has wheels that
change their speed, Euler's equation I w' + w x (I w + h) + h' = n leaves -w.h' per second as what they put in; w.h' is
the same in body and in world axes, since w.(w x h) = 0.
"""

from __future__ import annotations

import numpy as np

from fairlead.auditing.read import Block, System
from fairlead.numeric import rates_of, turn

Series = dict[str, np.ndarray]


def sums(system: System, block: Block) -> Series:
    """Return the series of one block: P, H, R, Rdot, energies, external wrench, and the size of the terms summed."""
    series: Series = {"time": block.time}
    series |= _momentum(system, block)
    series |= _energy(system, block)
    series |= _external(system, block, series["R"])
    if {"acceleration", "angular_acceleration"} <= system.has:
        series |= _rates(system, block, series["R"])
    if block.inertia.ndim == 4:
        series["inertia_change"] = _inertia_change(system, block)
        series["least_inertia"] = np.linalg.norm(block.inertia, axis=(-2, -1)).min(1)
    if block.wheel.ndim == 3:
        series |= _wheel_power(block)
    for name in ("momentum", "angular_momentum", "kinetic_energy", "potential_energy", "external_impulse"):
        if name in block.row:
            series["own_" + name] = block.row[name]
    for name in ("external_angular_impulse", "mass_centre_position", "mass_centre_velocity"):
        if name in block.row:
            series["own_" + name] = block.row[name]
    return series


def _inertia_change(system: System, block: Block) -> np.ndarray:
    """Return how far inertias given per row are from being constant in body axes, relative to their size."""
    known = system.attitude_known
    start = np.asarray(system.data["inertia"].isel(time=0).values, dtype=float)
    change = np.linalg.norm(block.inertia - start, axis=(-2, -1)) / np.linalg.norm(start, axis=(-2, -1))
    return change[:, known].max(1, initial=0.0)


def _wheel_power(block: Block) -> Series:
    """Return the power of wheels of changing speed in 1/2 w.I w, -w.h' [W], and how far its differences may be off.

    h' is the five-point difference of the samples; on every second sample its error is 16 times as large.
    """
    rate, coarse = rates_of(block.time, block.wheel), np.zeros_like(block.wheel)
    for part in (slice(None, None, 2), slice(1, None, 2)):
        coarse[part] = rates_of(block.time[part], block.wheel[part])
    power, other = (-np.einsum("tbx,tbx->t", block.row["angular_velocity"], part) for part in (rate, coarse))
    return {"wheel_power": power, "wheel_power_error": np.abs(power - other) / 15}


def _length(vector: np.ndarray) -> np.ndarray:
    return np.sqrt((vector * vector).sum(-1))


def _momentum(system: System, block: Block) -> Series:
    r_WB_W, v_WB_W = block.row["position"], block.row["velocity"]
    m = system.mass[:, None]
    total = system.mass.sum()
    # R = sum m r / M, Rdot = sum m v / M                                       (Momentum tests, procedure 2)
    r_WS_W = (m * r_WB_W).sum(1) / total
    v_WS_W = (m * v_WB_W).sum(1) / total
    r_SB_W = r_WB_W - r_WS_W[:, None]
    v_SB_W = v_WB_W - v_WS_W[:, None]
    # H = sum (I w + m rho x rho') + sum h                                      (Momentum tests Eq. 10)
    spin_B = turn(block.inertia, block.row["angular_velocity"])
    orbit_W = m * np.cross(r_SB_W, v_SB_W)
    H_S_W = (turn(block.R_WB, spin_B + block.wheel) + orbit_W).sum(1)
    distance, speed = _length(r_SB_W), _length(v_SB_W)
    return {
        "P": total * v_WS_W,
        "H": H_S_W,
        "R": r_WS_W,
        "Rdot": v_WS_W,
        "p": (m * v_SB_W).sum(1),
        "size_P": (system.mass * _length(v_WB_W)).sum(1),
        "size_H": (_length(spin_B) + _length(block.wheel) + system.mass * distance * speed).sum(1),
        "noise_H": (system.mass * (_length(r_WB_W) * speed + distance * _length(v_WB_W))).sum(1),
        "span": (np.trace(block.inertia, axis1=-2, axis2=-1) / 2 + system.mass * distance**2).sum(1),
        "size_u": speed.max(1),
        "size_w": _length(block.w_WB_W).max(1),
        "size_r": _length(r_WB_W).max(1),
        "norm_error": np.abs(_length(block.row["orientation"]) - 1).max(1),
    }


def _energy(system: System, block: Block) -> Series:
    v_WB_W, w_WB_B = block.row["velocity"], block.row["angular_velocity"]
    translation = 0.5 * (system.mass * (v_WB_W * v_WB_W).sum(-1)).sum(1)
    rotation = 0.5 * (w_WB_B * turn(block.inertia, w_WB_B)).sum((1, 2))
    rise = block.row["position"] @ system.g_W
    works = [block.row[name] for name in ("load_work", "driver_work") if name in block.row]
    zero = np.zeros(len(block.time))
    return {
        "kinetic": translation + rotation,
        "potential": -(rise * system.mass).sum(1),
        "work": sum((work.sum(1) for work in works), zero),
        "size_work": sum((np.abs(work).sum(1) for work in works), zero),
    }


def _external(system: System, block: Block, r_WS_W: np.ndarray) -> Series:
    """Return force and moment about the system's mass centre of all that acts from outside, gravity apart."""
    row, n = block.row, len(block.time)
    f_W, n_S_W, size_f, size_n = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(n), np.zeros(n)
    parts = []
    if not system.wrench_known:
        return {}
    if len(system.load_rows):
        arm = row["position"][:, system.load_at] - r_WS_W[:, None]
        parts.append((arm, row["load_force"][:, system.load_rows], row["load_moment"][:, system.load_rows]))
    if len(system.joint_rows):
        at, sign = system.joint_rows, system.joint_sign[:, None]
        arm = row["joint_point"][:, at] - r_WS_W[:, None]
        parts.append((arm, sign * row["joint_force"][:, at], sign * row["joint_moment"][:, at]))
    for arm, force, moment in parts:
        f_W += force.sum(1)
        n_S_W += (moment + np.cross(arm, force)).sum(1)
        size_f += _length(force).sum(1)
        size_n += (_length(moment) + _length(arm) * _length(force)).sum(1)
    return {"F": f_W, "N": n_S_W, "size_F": size_f, "size_N": size_n}


def _rates(system: System, block: Block, r_WS_W: np.ndarray) -> Series:
    """Return dP/dt = sum m a and dH/dt = sum R (I al + w x (I w + h)) + m rho x a, from the recorded accelerations."""
    w_B, al_B, a_W = block.row["angular_velocity"], block.row["angular_acceleration"], block.row["acceleration"]
    spin = turn(block.inertia, al_B)
    gyro = np.cross(w_B, turn(block.inertia, w_B) + block.wheel)
    r_SB_W = block.row["position"] - r_WS_W[:, None]
    m = system.mass[:, None]
    push = m * a_W
    return {
        "Pdot": push.sum(1),
        "Hdot": (turn(block.R_WB, spin + gyro) + np.cross(r_SB_W, push)).sum(1),
        "size_Pdot": _length(push).sum(1),
        "size_Hdot": (_length(spin) + _length(gyro) + _length(r_SB_W) * _length(push)).sum(1),
    }
