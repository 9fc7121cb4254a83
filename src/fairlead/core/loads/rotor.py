"""Rotor thrust from a curve of the relative wind along the shaft."""

from __future__ import annotations

import math

import numpy as np

from fairlead.core.arrays import V
from fairlead.core.environment.wind import wind_velocity
from fairlead.core.jit.by_symbol import when_needed
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.motions import held_table
from fairlead.core.vec import add, axpy, cross, dot, matvec, put3, scale, sub, v3, v9

ROTOR = np.dtype(  # curves of the relative wind speed: rows start..stop of knot and coef, C_T then C_P
    [("row", "i8"), ("body", "i8"), ("start", "i8", (2,)), ("stop", "i8", (2,))]
    + [("r_BP_D", "f8", V), ("axis_D", "f8", V), ("area", "f8"), ("torque", "f8")],
    align=True,
)


@inlined
def rotors(t, A, W):
    """Rows of the rotors."""
    for j in range(A.loads.rotors.shape[0]):
        rotor_when_needed(j, t, A, W)


@kernel
def rotor_row(j, t, A, W):
    """F = 1/2 rho A_b C_T V^2 along the shaft, V the wind relative to the hub along it. Dissertation Eq. 3.19.

    A wind from behind pushes backwards: V |V|. The power is 1/2 rho A_b C_P V^3, none from behind.
    """
    M, density = A.loads.rotors[j], A.wind[0].density
    b, row = W.bodies[M.body], W.rows[M.row]
    s, axis = matvec(v9(b.R), v3(M.r_BP_D)), matvec(v9(b.R), v3(M.axis_D))
    wind = wind_velocity(t, b.x[2] + s[2], A, W)
    V = dot(sub(wind, add(v3(b.u), cross(v3(b.w), s))), axis)
    ct, beyond = held_table(A.knot, A.coef, M.start[0], M.stop[0], abs(V))
    cp, beyond_too = held_table(A.knot, A.coef, M.start[1], M.stop[1], abs(V))
    pressure = 0.5 * density * M.area * V * abs(V)
    row.thrust = ct * pressure
    row.power = cp * pressure * V if V > 0.0 else 0.0
    row.hub_wind = math.hypot(wind[0], wind[1])
    row.relative_wind = V
    if beyond or beyond_too:
        if row.beyond == 0.0:
            row.since = t
        row.beyond += 1.0
    f = scale(row.thrust, axis)
    put3(row.f, f)
    put3(row.n, axpy(M.torque, axis, cross(s, f)))


rotor_when_needed = when_needed(rotor_row)
