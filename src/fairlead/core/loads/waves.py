"""Linear (Airy) waves: elevation, velocity, acceleration and dynamic pressure, exactly or from tables.

Of one component, with phase psi = omega t - k s + phi, s the distance along the waves' direction, depth d:

    eta = a cos psi                                   omega^2 = g k tanh k d
    U   =  a omega  C cos psi    W   = -a omega   S sin psi       C = cosh k(z + d) / sinh k d
    U_t = -a omega^2 C sin psi   W_t = -a omega^2 S cos psi       S = sinh k(z + d) / sinh k d
    P   =  a (omega^2 / k) C cos psi, the dynamic pressure over density

The exact sum costs a sine, a cosine and exponentials per component and point. The tables hold B-spline coefficients in
time (quintic) and along the waves (cubic) at levels of z: where a member passes each level its kinematics are summed
once, and between levels they are interpolated along the member by six-point Lagrange polynomials in sqrt(depth).
"""

from __future__ import annotations

import math

from fairlead.core.arrays import NO_STRETCHING, VERTICAL
from fairlead.core.compiled import kernel

NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0)
STILL = 2  # the level at z = 0
STEEPEST = 0.5  # members with less rise than this per length are summed exactly


@kernel
def exact_elevation(t, s, A):
    """Return the sum of a cos(omega t - k s + phi)."""
    eta = 0.0
    for j in range(A.sea.components.shape[0]):
        c = A.sea.components[j]
        eta += c.amplitude * math.cos(c.omega * t - c.k * s + c.phase)
    return eta


@kernel
def exact_kinematics(t, s, z, A):
    """Return U, U_t, W, W_t and P at a point, summed over the components."""
    U, U_t, W, W_t, P = NOTHING
    depth = A.sea.water[0].depth
    for j in range(A.sea.components.shape[0]):
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
    return U, U_t, W, W_t, P


@kernel
def time_taps(t, dt):
    """Return the first row and the six weights of the quintic B-spline at time t."""
    i = int(t / dt)
    f = t / dt - i
    g = 1.0 - f
    f2, g2 = f * f, g * g
    # 120 times the pieces of the quintic B-spline; the second half mirrors the first.
    w0 = g2 * g2 * g
    w5 = f2 * f2 * f
    w1 = 1.0 + g * (5.0 + g * (10.0 + g * (10.0 + g * (5.0 - 5.0 * g))))
    w4 = 1.0 + f * (5.0 + f * (10.0 + f * (10.0 + f * (5.0 - 5.0 * f))))
    w2 = 26.0 + g * (50.0 + g * (20.0 + g * (-20.0 + g * (-20.0 + 10.0 * g))))
    w3 = 26.0 + f * (50.0 + f * (20.0 + f * (-20.0 + f * (-20.0 + 10.0 * f))))
    s = 1.0 / 120.0
    return i, (s * w0, s * w1, s * w2, s * w3, s * w4, s * w5)


@kernel
def place_taps(s, level):
    """Return the first station and the four weights of the cubic B-spline at s; station -1 outside the level."""
    p = (s - level.s) / level.ds
    if not (1.0 <= p < level.count - 2):
        return -1, 0.0, 0.0, 0.0, 0.0
    j = int(p)
    f = p - j
    g = 1.0 - f
    w0, w3 = g * g * g / 6.0, f * f * f / 6.0
    w1 = (4.0 - 3.0 * f * f * (1.0 + g)) / 6.0
    return level.first + j - 1, w0, w1, 1.0 - w0 - w1 - w3, w3


@kernel
def elevation(t, s, A):
    """Return the elevation at time t and distance s along the waves, from the tables where they reach."""
    water = A.sea.water[0]
    if not (water.tabled and 0.0 <= t <= water.end):
        return exact_elevation(t, s, A)
    q, w0, w1, w2, w3 = place_taps(s, A.sea.levels[STILL])
    if q < 0:
        return exact_elevation(t, s, A)
    i, taps = time_taps(t, water.dt)
    return pressure_at(i, taps, q, w0, w1, w2, w3, A) / water.g


@kernel
def pressure_at(i, taps, q, w0, w1, w2, w3, A):
    last = A.sea.levels[A.sea.levels.shape[0] - 1]
    q += 4 * (last.first + last.count)  # pressures stand behind the velocities and accelerations
    P = 0.0
    for a in range(6):
        row = A.sea.table[i + a]
        P += taps[a] * (w0 * row[q] + w1 * row[q + 1] + w2 * row[q + 2] + w3 * row[q + 3])
    return P


@kernel
def fill_levels(t, s0, s1, z0, z1, low, high, with_pressure, A, W):
    """Fill W.levels where the line s0 + s1 l, z0 + z1 l passes them; False where the tables do not reach.

    low and high are the ends l of the member on that line.
    """
    water, levels = A.sea.water[0], A.sea.levels
    if not (water.tabled and 0.0 <= t <= water.end and z1 > STEEPEST):
        return False
    if z0 + z1 * low < levels[levels.shape[0] - 4].z:
        return False
    i, taps = time_taps(t, water.dt)
    for m in range(levels.shape[0]):
        q, w0, w1, w2, w3 = place_taps(s0 + s1 * (levels[m].z - z0) / z1, levels[m])
        if q < 0:
            return False
        U, U_t, w, w_t = 0.0, 0.0, 0.0, 0.0
        for a in range(6):
            row, p = A.sea.table[i + a], 4 * q
            c0, c1, c2, c3 = taps[a] * w0, taps[a] * w1, taps[a] * w2, taps[a] * w3
            U += c0 * row[p] + c1 * row[p + 4] + c2 * row[p + 8] + c3 * row[p + 12]
            U_t += c0 * row[p + 1] + c1 * row[p + 5] + c2 * row[p + 9] + c3 * row[p + 13]
            w += c0 * row[p + 2] + c1 * row[p + 6] + c2 * row[p + 10] + c3 * row[p + 14]
            w_t += c0 * row[p + 3] + c1 * row[p + 7] + c2 * row[p + 11] + c3 * row[p + 15]
        out = W.levels[m]
        out[0], out[1], out[2], out[3] = U, U_t, w, w_t
        if with_pressure:
            out[4] = pressure_at(i, taps, q, w0, w1, w2, w3, A)
    return True


@kernel
def level_taps(z, water, count):
    """Return the first of six levels around z and the Lagrange weights on them."""
    p = (math.sqrt(1.0 - z / water.scale) - 1.0) / water.dx + STILL
    j = min(max(int(p), 2), count - 4)
    f = p - j
    a, b, c, d, e, g = f + 2.0, f + 1.0, f, f - 1.0, f - 2.0, f - 3.0
    ab, cd, eg = a * b, c * d, e * g
    return j - 2, (
        -b * cd * eg / 120.0,
        a * cd * eg / 24.0,
        -ab * d * eg / 12.0,
        ab * c * eg / 12.0,
        -ab * cd * g / 24.0,
        ab * cd * e / 120.0,
    )


@kernel
def tabled_kinematics(z, A, W):
    """Return U, U_t, W, W_t and P on the line that filled W.levels, at height z."""
    j, w = level_taps(z, A.sea.water[0], A.sea.levels.shape[0])
    U, U_t, w_, w_t, P = NOTHING
    for a in range(6):
        row, c = W.levels[j + a], w[a]
        U += c * row[0]
        U_t += c * row[1]
        w_ += c * row[2]
        w_t += c * row[3]
        P += c * row[4]
    return U, U_t, w_, w_t, P


@kernel
def stretched(z, eta, A):
    """Return the height at which linear kinematics are taken for a point at z under the elevation eta.

    Vertical: those of the still water above it. Wheeler: (z - eta) / (1 + eta / d), so that the crest has them.
    """
    water = A.sea.water[0]
    if water.stretching == NO_STRETCHING:
        return z
    if water.stretching == VERTICAL:
        return min(z, 0.0)
    return min((z - eta) / (1.0 + eta / water.depth), 0.0)


@kernel
def kinematics(t, s, z, eta, tabled, A, W):
    """Return U, U_t, W, W_t and P at a point of a member; without stretching there are none above the still water."""
    if A.sea.components.shape[0] == 0:
        return NOTHING
    z = stretched(z, eta, A)
    if z > 0.0:
        return NOTHING
    if tabled:
        return tabled_kinematics(z, A, W)
    return exact_kinematics(t, s, z, A)


@kernel
def current(z, A):
    """Return the current at z: uniform, or by a power law of the height above the seabed. Above z = 0 as at z = 0."""
    water = A.sea.water[0]
    factor = 1.0
    if water.exponent != 0.0 and z < 0.0:
        factor = max(1.0 + z / water.depth, 0.0) ** water.exponent
    return (factor * water.current[0], factor * water.current[1], 0.0)
