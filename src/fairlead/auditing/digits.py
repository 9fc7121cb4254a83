"""The error that the printed digits of a foreign table can put into each sum of the audit.

A table with n digits holds every number to half a unit of its last one. First differentials of the sums, all signs
alike and twice the half unit (two rows, three axes), say what that alone explains. It is 0 for our own results and for
tables of full precision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.auditing.read import System
from fairlead.auditing.sums import Series


@dataclass(frozen=True)
class Digits:
    """The error that rounding in print alone explains, in the unit of each quantity."""

    P: float
    H: float
    F: float
    N: float
    E: float
    T: float
    V: float
    path: float
    centre: float  # mass centre at one instant
    quaternion: float
    inertia: float  # relative
    impulse: float  # of printed forces over the run
    angular_impulse: float


def digits(system: System, s: Series) -> Digits:
    """Return the errors that the printed digits explain."""
    fine = {name: 2 * value for name, value in system.printed.items()}
    late = fine["time"]
    r, v, q, w = (fine[name] for name in ("position", "velocity", "orientation", "angular_velocity"))
    tensor, wheel = fine["inertia"], fine["wheel_momentum"]
    M, g, J = float(system.mass.sum()), float(np.linalg.norm(system.g_W)), float(s["span"].max())
    size, duration = np.sqrt(J / M), float(s["time"][-1] - s["time"][0])
    speed, spin, moving = float(s["size_P"].max()) / M, float(s["size_w"].max()), float(s["size_H"].max())
    # T = 1/2 m v.v + 1/2 w.I w; a turned attitude turns I against w. Wheels that change add the integral of w.h'.
    energy = M * speed * v + J * spin * (w + 2 * spin * q) + spin * spin * tensor
    energy += spin * (wheel + 2 * q * moving) if "wheel_power" in s else 0.0
    works = fine["load_work"] + fine["driver_work"]
    push = float(s["size_F"].max()) if "size_F" in s else 0.0
    count = max(len(system.load_rows), 1)
    force, moment = count * fine["load_force"], count * (fine["load_moment"] + size * fine["load_force"])
    moment += push * r
    turning = tensor * spin * spin + 4 * J * spin * (w + spin * q)
    return Digits(
        P=M * (v + g * late) + fine["momentum"],
        H=M * size * v
        + M * float(s["size_u"].max()) * r
        + J * w
        + spin * tensor
        + wheel
        + 2 * moving * q
        + fine["angular_momentum"],
        F=M * fine["acceleration"] + force,
        N=M * size * fine["acceleration"] + J * fine["angular_acceleration"] + turning + moment,
        E=energy + M * g * r + works,
        T=energy + fine["kinetic_energy"],
        V=M * g * r + fine["potential_energy"],
        path=r + v * duration + speed * late,
        centre=r,
        quaternion=2 * q,
        inertia=float(tensor / max(s["least_inertia"].min(), 1e-300)) + 4 * q if "inertia_change" in s else 0.0,
        impulse=force * duration + push * late,
        angular_impulse=moment * duration + size * push * late,
    )
