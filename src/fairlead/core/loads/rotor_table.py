"""Rotors with coefficients over tip-speed ratio and blade pitch: thrust and torque of the wind along the shaft.

V is the wind relative to the hub along the shaft, lambda = speed * radius / |V|. Thrust 1/2 rho pi R^2 C_T V |V| along
the shaft and torque 1/2 rho pi R^3 C_Q V^2 about it, at the rotor's apex (Burton et al., Wind Energy Handbook, section
3.3). Between nodes: bilinear, or the bicubic spline through all of them, whose values and slopes at the nodes are
kept. Outside of the table its edge holds, which is counted. A wind from behind pushes backwards and turns nothing.
"""

from __future__ import annotations

import math

import numpy as np

from fairlead.core.arrays import V
from fairlead.core.environment.wind import wind_velocity
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.motions import find_interval
from fairlead.core.vec import add, axpy, cross, dot, matvec, put3, scale, sub, v3, v9

# Programs of rotor speed and blade pitch; grids of tip-speed ratio and pitch (rows first..last of knot); where the
# tables of C_T and C_Q start in coef, row by row, each node with value, slopes and twist; 1 if it is bicubic; 1 if what
# it reads is known only after continuous controllers
TABLE_ROTOR = np.dtype(
    [(name, "i8") for name in ("row", "body", "speed", "pitch", "cubic", "late")]
    + [(name, "i8", (2,)) for name in ("first", "last", "table")]
    + [("r_BP_D", "f8", V), ("axis_D", "f8", V), ("radius", "f8")],
    align=True,
)
STILL = 1e-9  # [m/s] below which there is no wind


@kernel
def table_rotors(k, t, A, W):
    """Fill the rows of rotors: of those that controllers may read (k = 0), or of those that come after them (1)."""
    for j in range(A.loads.table_rotors.shape[0]):
        if A.loads.table_rotors[j].late == k:
            table_rotor_row(j, t, A, W)


@kernel
def table_rotor_row(j, t, A, W):
    """Fill the row of one rotor."""
    M, density = A.loads.table_rotors[j], A.wind[0].density
    b, row = W.bodies[M.body], W.rows[M.row]
    s, axis = matvec(v9(b.R), v3(M.r_BP_D)), matvec(v9(b.R), v3(M.axis_D))
    wind = wind_velocity(t, b.x[2] + s[2], A, W)
    V = dot(sub(wind, add(v3(b.u), cross(v3(b.w), s))), axis)
    speed = evaluate(A.programs, M.speed, W.channels, W.stack)
    pitch = evaluate(A.programs, M.pitch, W.channels, W.stack)
    size = STILL if abs(V) < STILL else abs(V)
    ratio = speed * M.radius / size
    ct, cq, beyond = coefficients(M, ratio, pitch, A)
    pressure = 0.5 * density * math.pi * M.radius * M.radius * V * abs(V)
    row.thrust = ct * pressure
    torque = cq * pressure * M.radius if V > 0.0 else 0.0 * V
    row.rotor_torque, row.power = torque, torque * speed
    row.hub_wind, row.relative_wind = math.hypot(wind[0], wind[1]), V
    row.tip_speed_ratio, row.blade_pitch = ratio, pitch
    if beyond or V < 0.0:
        if row.beyond == 0.0:
            row.since = t
        row.beyond += 1.0
    f = scale(row.thrust, axis)
    put3(row.f, f)
    put3(row.n, axpy(torque, axis, cross(s, f)))


@kernel
def coefficients(M, ratio, pitch, A):
    """Return C_T and C_Q at a tip-speed ratio and pitch, and whether they lie outside of the table."""
    x, i, beyond = inside(A.knot, M.first[0], M.last[0], ratio)
    y, j, beyond_too = inside(A.knot, M.first[1], M.last[1], pitch)
    a, b = M.first[0] + i, M.first[1] + j
    wide, high = A.knot[a + 1] - A.knot[a], A.knot[b + 1] - A.knot[b]
    columns = M.last[1] - M.first[1]
    at = i * columns + j
    ct = between(A.coef, M.table[0] + at, columns, x, y, wide, high, M.cubic)
    cq = between(A.coef, M.table[1] + at, columns, x, y, wide, high, M.cubic)
    return ct, cq, beyond or beyond_too


@kernel
def inside(knot, first, last, value):
    """Return the place of a value in its interval (0 to 1), the interval's number, and whether it is outside."""
    if value < knot[first]:
        return 0.0, 0, True
    if value > knot[last - 1]:
        return 1.0, last - first - 2, True
    i = find_interval(knot, first, last, value)
    return (value - knot[i]) / (knot[i + 1] - knot[i]), i - first, False


@inlined
def between(coef, at, columns, x, y, wide, high, cubic):
    """Return a value inside the cell whose lower corner is the row `at`."""
    if cubic == 0:
        below = (1.0 - y) * coef[at, 0] + y * coef[at + 1, 0]
        above = (1.0 - y) * coef[at + columns, 0] + y * coef[at + columns + 1, 0]
        return (1.0 - x) * below + x * above
    value0, slope0 = along(coef[at], coef[at + 1], y, high)
    value1, slope1 = along(coef[at + columns], coef[at + columns + 1], y, high)
    return hermite(value0, slope0, value1, slope1, x, wide)


@kernel
def along(p, q, y, high):
    """Return the value, and the slope across, between two nodes (value, slope across, slope along, twist)."""
    return hermite(p[0], p[2], q[0], q[2], y, high), hermite(p[1], p[3], q[1], q[3], y, high)


@kernel
def hermite(f0, d0, f1, d1, x, h):
    """Return the cubic with values f0, f1 and slopes d0, d1 at the ends of an interval of length h."""
    u = 1.0 - x
    return u * u * ((1.0 + 2.0 * x) * f0 + x * h * d0) + x * x * ((1.0 + 2.0 * u) * f1 - u * h * d1)
