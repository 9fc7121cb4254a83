"""Linear (Airy) waves: elevation, velocity, acceleration and dynamic pressure, exactly or from tables.

Of one component, with phase psi = omega t - k s + phi, s the distance along the waves' direction, depth d:

    eta = a cos psi                                   omega^2 = g k tanh k d
    U   =  a omega  C cos psi    W   = -a omega   S sin psi       C = cosh k(z + d) / sinh k d
    U_t = -a omega^2 C sin psi   W_t = -a omega^2 S cos psi       S = sinh k(z + d) / sinh k d
    P   =  a (omega^2 / k) C cos psi, the dynamic pressure over density

The exact sum costs a sine, a cosine and exponentials per component and point. The tables hold B-spline coefficients in
time (quintic) and along the waves (cubic) at levels of z: where a member passes each level its kinematics are summed
once, and between levels they are interpolated along the member by six-point Lagrange polynomials.

Several fields, each with its own direction, superpose. Kernels of one field take its number f and s along its waves.
While a ramp lasts, all five are multiplied by r(t) (see `ramp`), where they come from the sum or from the tables.
"""

from __future__ import annotations

import math

import numpy as np

from fairlead.core.environment.ramp import raised
from fairlead.core.environment.sea import NO_STRETCHING, WHEELER
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.vec import add

NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0)
STILL = 2  # the level at z = 0
SIXTH, P12, P24, P120 = 1.0 / 6.0, 1.0 / 12.0, 1.0 / 24.0, 1.0 / 120.0  # a product costs less than a quotient
STEEPEST = 0.5  # members with less rise than this per length are summed exactly


@kernel
def exact_elevation(t, s, f, A):
    """Return the sum of a cos(omega t - k s + phi) over the components of field f."""
    eta = 0.0
    for j in range(A.sea.fields[f].first, A.sea.fields[f].last):
        c = A.sea.components[j]
        eta += c.amplitude * math.cos(c.omega * t - c.k * s + c.phase)
    ramp = A.sea.water[0].ramp
    return eta * raised(t, ramp) if t < ramp else eta


@kernel
def exact_kinematics(t, s, z, f, A):
    """Return U, U_t, W, W_t and P at a point, summed over the components of field f."""
    U, U_t, W, W_t, P = NOTHING
    depth = A.sea.water[0].depth
    for j in range(A.sea.fields[f].first, A.sea.fields[f].last):
        c = A.sea.components[j]
        psi = c.omega * t - c.k * s + c.phase
        up = math.exp(c.k * z) * c.inverse
        down = math.exp(-c.k * (z + 2.0 * depth)) * c.inverse if c.image > 0.0 else 0.0
        u = c.amplitude * c.omega * (up + down)
        w = c.amplitude * c.omega * (up - down)
        cos, sin = math.cos(psi), math.sin(psi)
        U += u * cos
        U_t -= u * c.omega * sin
        W -= w * sin
        W_t -= w * c.omega * cos
        P += u * c.omega / c.k * cos
    ramp = A.sea.water[0].ramp
    if t < ramp:
        r = raised(t, ramp)
        return r * U, r * U_t, r * W, r * W_t, r * P
    return U, U_t, W, W_t, P


@kernel
def time_taps(t, per_dt):
    """Return the first row and the six weights of the quintic B-spline at time t."""
    i = int(t * per_dt)
    f = t * per_dt - i
    g = 1.0 - f
    f2, g2 = f * f, g * g
    # 120 times the pieces of the quintic B-spline; the second half mirrors the first.
    w0 = g2 * g2 * g
    w5 = f2 * f2 * f
    w1 = 1.0 + g * (5.0 + g * (10.0 + g * (10.0 + g * (5.0 - 5.0 * g))))
    w4 = 1.0 + f * (5.0 + f * (10.0 + f * (10.0 + f * (5.0 - 5.0 * f))))
    w2 = 26.0 + g * (50.0 + g * (20.0 + g * (-20.0 + g * (-20.0 + 10.0 * g))))
    w3 = 26.0 + f * (50.0 + f * (20.0 + f * (-20.0 + f * (-20.0 + 10.0 * f))))
    return i, (P120 * w0, P120 * w1, P120 * w2, P120 * w3, P120 * w4, P120 * w5)


@inlined
def place_taps(s, level):
    """Return the first station and the four weights of the cubic B-spline at s; station -1 outside the level."""
    p = (s - level.s) * level.per_ds
    if not (1.0 <= p < level.count - 2):
        return -1, 0.0, 0.0, 0.0, 0.0
    j = int(p)
    f = p - j
    g = 1.0 - f
    w0, w3 = SIXTH * g * g * g, SIXTH * f * f * f
    w1 = SIXTH * (4.0 - 3.0 * f * f * (1.0 + g))
    return level.first + j - 1, w0, w1, 1.0 - w0 - w1 - w3, w3


@kernel
def field_elevation(t, s, f, A):
    """Return the elevation of field f at time t and distance s along its waves, from the tables where they reach."""
    water = A.sea.water[0]
    if not (water.tabled and 0.0 <= t <= water.end):
        return exact_elevation(t, s, f, A)
    q, w0, w1, w2, w3 = place_taps(s, A.sea.levels[A.sea.fields[f].level + STILL])
    if q < 0:
        return exact_elevation(t, s, f, A)
    i, taps = time_taps(t, water.per_dt)
    eta = station_sum(4, i, taps, q, w0, w1, w2, w3, A) / water.g  # of the pressure there
    return eta * raised(t, water.ramp) if t < water.ramp else eta


@kernel
def elevation(t, l, line, A):
    """Return the elevation of all fields at l of a kinematic line (see `along_waves`)."""
    eta = field_elevation(t, line[0] + line[1] * l, 0, A)
    for f in range(1, A.sea.fields.shape[0]):
        s0, s1 = along_field(f, line, A)
        eta += field_elevation(t, s0 + s1 * l, f, A)
    return eta


@kernel
def elevation_at_origin(t, A):
    """Return the elevation of all fields at the origin."""
    eta = field_elevation(t, 0.0, 0, A)
    for f in range(1, A.sea.fields.shape[0]):
        eta += field_elevation(t, 0.0, f, A)
    return eta


@kernel
def along_waves(x, e, z0, z1, A):
    """Return the kinematic line through x along e: s0, s1, z0, z1, then x, y and the horizontal parts of e.

    A point at l is s0 + s1 l along the waves of field 0 and at the height z0 + z1 l.
    """
    F = A.sea.fields[0]
    return x[0] * F.cos + x[1] * F.sin, e[0] * F.cos + e[1] * F.sin, z0, z1, x[0], x[1], e[0], e[1]


@kernel
def along_field(f, line, A):
    """Return s0, s1 of a kinematic line along the waves of field f."""
    F = A.sea.fields[f]
    return line[4] * F.cos + line[5] * F.sin, line[6] * F.cos + line[7] * F.sin


@kernel
def station_sum(c, i, taps, q, w0, w1, w2, w3, A):
    """Return one of U, U_t, W, W_t, P (c = 0 to 4) from the six times and four stations around a point of a level."""
    total, n = 0.0, 5 * q + c
    for a in range(6):
        row = A.sea.table[i + a]
        total += taps[a] * (w0 * row[n] + w1 * row[n + 5] + w2 * row[n + 10] + w3 * row[n + 15])
    return total


@kernel
def still_kinematics(t, s, f, A):
    """Return U, U_t, W, W_t and P of field f at the still water, from the tables where they reach."""
    q, w0, w1, w2, w3 = place_taps(s, A.sea.levels[A.sea.fields[f].level + STILL])
    if q < 0:
        return exact_kinematics(t, s, 0.0, f, A)
    water = A.sea.water[0]
    i, taps = time_taps(t, water.per_dt)
    if t < water.ramp:
        r = raised(t, water.ramp)
        w0, w1, w2, w3 = r * w0, r * w1, r * w2, r * w3
    return (
        station_sum(0, i, taps, q, w0, w1, w2, w3, A),
        station_sum(1, i, taps, q, w0, w1, w2, w3, A),
        station_sum(2, i, taps, q, w0, w1, w2, w3, A),
        station_sum(3, i, taps, q, w0, w1, w2, w3, A),
        station_sum(4, i, taps, q, w0, w1, w2, w3, A),
    )


@kernel
def fill_levels(t, line, z0, z1, low, A, W):
    """Fill W.levels of all fields where a kinematic line passes them, at z0 + z1 l; False where tables do not reach.

    low is the lowest l at which kinematics will be taken.
    """
    reached = fill_field_levels(t, line[0], line[1], z0, z1, low, 0, A, W)
    for f in range(1, A.sea.fields.shape[0]):
        s0, s1 = along_field(f, line, A)
        reached = reached and fill_field_levels(t, s0, s1, z0, z1, low, f, A, W)
    return reached


@kernel
def fill_field_levels(t, s0, s1, z0, z1, low, f, A, W):
    """Fill W.levels of field f where the line s0 + s1 l, z0 + z1 l passes them; False where tables do not reach."""
    water, levels, table, sums = A.sea.water[0], A.sea.levels, A.sea.table, W.sums
    if not (water.tabled and 0.0 <= t <= water.end and z1 > STEEPEST):
        return False
    last = int(level_of(min(z0 + z1 * low, 0.0), water)) + 4  # three below the lowest
    if last > A.sea.fields[f].levels:
        return False
    at = A.sea.fields[f].level
    i, taps = time_taps(t, water.per_dt)
    t0, t1, t2, t3, t4, t5 = taps
    if t < water.ramp:
        r = raised(t, water.ramp)
        t0, t1, t2, t3, t4, t5 = r * t0, r * t1, r * t2, r * t3, r * t4, r * t5
    r0, r1, r2, r3, r4, r5 = table[i], table[i + 1], table[i + 2], table[i + 3], table[i + 4], table[i + 5]
    out = s1 / z1
    for m in range(at, at + last):
        level = levels[m]
        q, w0, w1, w2, w3 = place_taps(s0 + out * (level.z - z0), level)
        if q < 0:
            return False
        p = np.uint64(5 * q)  # unsigned, so that the loop is free of tests for negative numbers and takes four at once
        for c in range(np.uint64(20)):
            n = p + c
            sums[c] = t0 * r0[n] + t1 * r1[n] + t2 * r2[n] + t3 * r3[n] + t4 * r4[n] + t5 * r5[n]
        here = W.levels[m]
        for c in range(5):
            here[c] = w0 * sums[c] + w1 * sums[5 + c] + w2 * sums[10 + c] + w3 * sums[15 + c]
    return True


@inlined
def level_of(z, water):
    """Return where z is among the levels, a number between them: levels are even in the fourth root of the depth."""
    return (math.sqrt(math.sqrt(1.0 - z * water.per_scale)) - 1.0) * water.per_dx + STILL


@kernel
def fill_places(first, last, z0, z1, A, W):
    """Fill W.places of the nodes at W.along with where their heights are among the levels: a loop of roots alone."""
    water = A.sea.water[0]
    for i in range(first, last):
        W.places[i] = level_of(min(z0 + z1 * W.along[i], 0.0), water)


@inlined
def tabled_kinematics(place, at, A, W):
    """Return U, U_t, W, W_t and P at a place among the levels of a field, which begin at `at`.

    By Lagrange's polynomial on the six around it.
    """
    j = max(int(place), STILL)
    f = place - j
    a, b, c, d, e, g = f + 2.0, f + 1.0, f, f - 1.0, f - 2.0, f - 3.0
    ab, cd, eg = a * b, c * d, e * g
    w0, w1, w2 = -P120 * b * cd * eg, P24 * a * cd * eg, -P12 * ab * d * eg
    w3, w4, w5 = P12 * ab * c * eg, -P24 * ab * cd * g, P120 * ab * cd * e
    j += at
    r0, r1, r2 = W.levels[j - 2], W.levels[j - 1], W.levels[j]
    r3, r4, r5 = W.levels[j + 1], W.levels[j + 2], W.levels[j + 3]
    return (
        w0 * r0[0] + w1 * r1[0] + w2 * r2[0] + w3 * r3[0] + w4 * r4[0] + w5 * r5[0],
        w0 * r0[1] + w1 * r1[1] + w2 * r2[1] + w3 * r3[1] + w4 * r4[1] + w5 * r5[1],
        w0 * r0[2] + w1 * r1[2] + w2 * r2[2] + w3 * r3[2] + w4 * r4[2] + w5 * r5[2],
        w0 * r0[3] + w1 * r1[3] + w2 * r2[3] + w3 * r3[3] + w4 * r4[3] + w5 * r5[3],
        w0 * r0[4] + w1 * r1[4] + w2 * r2[4] + w3 * r3[4] + w4 * r4[4] + w5 * r5[4],
    )


@inlined
def stretched(z0, z1, eta, A):
    """Return the heights z0 + z1 l at which linear kinematics are taken for points of a line under the elevation eta.

    Vertical: their own, and those of the still water above it. Wheeler: (z - eta) / (1 + eta / d), so that the crest
    has those of the still water.
    """
    water = A.sea.water[0]
    if water.stretching != WHEELER:
        return z0, z1
    shrink = 1.0 / (1.0 + eta / water.depth)
    return (z0 - eta) * shrink, z1 * shrink


@inlined
def kinematics(t, s, z, place, tabled, f, at, A, W):
    """Return U, U_t, W, W_t and P of field f at a stretched height; its levels begin at `at`.

    Without stretching there are none above the still water.
    """
    if A.sea.components.shape[0] == 0 or (z > 0.0 and A.sea.water[0].stretching == NO_STRETCHING):
        return NOTHING
    if tabled and z > 0.0:  # levels hold what is on the axis, which meets the still water elsewhere
        return still_kinematics(t, s, f, A)
    if tabled:
        return tabled_kinematics(place, at, A, W)
    return exact_kinematics(t, s, min(z, 0.0), f, A)


@inlined
def water_motion(t, l, z, place, line, cos, sin, tabled, A, W):
    """Return velocity, acceleration and P of the waves at l of a kinematic line, at a stretched height, world axes.

    cos, sin: the direction of field 0, whose arithmetic alone is copied into the caller.
    """
    U, U_t, w, w_t, P = kinematics(t, line[0] + line[1] * l, z, place, tabled, 0, 0, A, W)
    v, a = (U * cos, U * sin, w), (U_t * cos, U_t * sin, w_t)
    if A.sea.fields.shape[0] > 1:
        return with_other_fields(t, l, z, place, line, tabled, v, a, P, A, W)
    return v, a, P


@kernel
def with_other_fields(t, l, z, place, line, tabled, v, a, P, A, W):
    """Return velocity, acceleration and P with those of every field but the first added."""
    for f in range(1, A.sea.fields.shape[0]):
        F = A.sea.fields[f]
        s0, s1 = along_field(f, line, A)
        U, U_t, w, w_t, p = kinematics(t, s0 + s1 * l, z, place, tabled, f, F.level, A, W)
        v, a, P = add((U * F.cos, U * F.sin, w), v), add((U_t * F.cos, U_t * F.sin, w_t), a), P + p
    return v, a, P


@inlined
def current(z, A):
    """Return the current at z: uniform, or by a power law of the height above the seabed. Above z = 0 as at z = 0."""
    water = A.sea.water[0]
    factor = 1.0
    if water.exponent != 0.0 and z < 0.0:
        factor = max(1.0 + z / water.depth, 0.0) ** water.exponent
    return (factor * water.current[0], factor * water.current[1], 0.0)
