"""Rotations in their four forms. R maps body components to world components: v_W = R_WB v_B."""

from __future__ import annotations

import math

from fairlead.core.jit.kernel import kernel
from fairlead.core.vec import norm, scale


@kernel
def turned(m, e, c, s):
    """Return m times the rotation about the unit vector e by the angle with cosine c and sine s, row by row."""
    k = 1.0 - c
    p = e[0] * m[0] + e[1] * m[1] + e[2] * m[2]
    q = e[0] * m[3] + e[1] * m[4] + e[2] * m[5]
    r = e[0] * m[6] + e[1] * m[7] + e[2] * m[8]
    return (
        c * m[0] + k * p * e[0] + s * (m[1] * e[2] - m[2] * e[1]),
        c * m[1] + k * p * e[1] + s * (m[2] * e[0] - m[0] * e[2]),
        c * m[2] + k * p * e[2] + s * (m[0] * e[1] - m[1] * e[0]),
        c * m[3] + k * q * e[0] + s * (m[4] * e[2] - m[5] * e[1]),
        c * m[4] + k * q * e[1] + s * (m[5] * e[0] - m[3] * e[2]),
        c * m[5] + k * q * e[2] + s * (m[3] * e[1] - m[4] * e[0]),
        c * m[6] + k * r * e[0] + s * (m[7] * e[2] - m[8] * e[1]),
        c * m[7] + k * r * e[1] + s * (m[8] * e[0] - m[6] * e[2]),
        c * m[8] + k * r * e[2] + s * (m[6] * e[1] - m[7] * e[0]),
    )


@kernel
def from_quaternion(w, x, y, z):
    """Return R of a quaternion of any length but zero; dividing by its square keeps R a rotation inside a step."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - s * (y * y + z * z),
        s * (x * y - w * z),
        s * (x * z + w * y),
        s * (x * y + w * z),
        1.0 - s * (x * x + z * z),
        s * (y * z - w * x),
        s * (x * z - w * y),
        s * (y * z + w * x),
        1.0 - s * (x * x + y * y),
    )


@kernel
def quaternion_rate(w, x, y, z, w_B):
    """Return q' = q (0, w_B) / 2 for an angular velocity in body axes."""
    a, b, c = w_B
    return (
        0.5 * (-x * a - y * b - z * c),
        0.5 * (w * a + y * c - z * b),
        0.5 * (w * b + z * a - x * c),
        0.5 * (w * c + x * b - y * a),
    )


@kernel
def to_quaternion(m):
    """Return the unit quaternion of R with the largest component positive (Shepperd)."""
    trace = m[0] + m[4] + m[8]
    if trace >= m[0] and trace >= m[4] and trace >= m[8]:
        q = (1.0 + trace, m[7] - m[5], m[2] - m[6], m[3] - m[1])
    elif m[0] >= m[4] and m[0] >= m[8]:
        q = (m[7] - m[5], 1.0 + m[0] - m[4] - m[8], m[1] + m[3], m[2] + m[6])
    elif m[4] >= m[8]:
        q = (m[2] - m[6], m[1] + m[3], 1.0 + m[4] - m[0] - m[8], m[5] + m[7])
    else:
        q = (m[3] - m[1], m[2] + m[6], m[5] + m[7], 1.0 + m[8] - m[0] - m[4])
    s = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (q[0] * s, q[1] * s, q[2] * s, q[3] * s)


@kernel
def from_euler123(a, b, c):
    """Return R = Rx(a) Ry(b) Rz(c). MCM paper Eq. 3."""
    sa, ca, sb, cb, sc, cc = math.sin(a), math.cos(a), math.sin(b), math.cos(b), math.sin(c), math.cos(c)
    return (
        cb * cc,
        -cb * sc,
        sb,
        ca * sc + cc * sa * sb,
        ca * cc - sa * sb * sc,
        -cb * sa,
        sa * sc - ca * cc * sb,
        cc * sa + ca * sb * sc,
        ca * cb,
    )


@kernel
def to_euler123(m):
    """Return the 1-2-3 angles of R; where cos b = 0 only a + c is defined and c is taken zero."""
    sb = min(1.0, max(-1.0, m[2]))
    if abs(sb) > 1.0 - 1e-14:
        return (math.atan2(m[7], m[4]), math.copysign(math.pi / 2, sb), 0.0)
    return (math.atan2(-m[5], m[8]), math.atan2(sb, math.hypot(m[0], m[1])), math.atan2(-m[1], m[0]))


@kernel
def euler123_rates(b, c, w_B):
    """Return X' from the body rates, inverting MCM paper Eq. 5 (with ERRATA 1); singular where cos b = 0."""
    sb, cb, sc, cc = math.sin(b), math.cos(b), math.sin(c), math.cos(c)
    da = (w_B[0] * cc - w_B[1] * sc) / cb
    return (da, w_B[0] * sc + w_B[1] * cc, w_B[2] - da * sb)


@kernel
def body_rates(b, c, rates):
    """Return the angular velocity in body axes, T_omega X'. MCM paper Eq. 5."""
    sb, cb, sc, cc = math.sin(b), math.cos(b), math.sin(c), math.cos(c)
    return (
        rates[0] * cb * cc + rates[1] * sc,
        -rates[0] * cb * sc + rates[1] * cc,
        rates[0] * sb + rates[2],
    )


@kernel
def euler123_remainder(b, c, rates):
    """Return RE, what the second derivative of the angles does not explain of w'. MCM paper Eq. 22."""
    sb, cb, sc, cc = math.sin(b), math.cos(b), math.sin(c), math.cos(c)
    da, db, dc = rates
    return (
        -da * db * sb * cc - da * dc * cb * sc + db * dc * cc,
        da * db * sb * sc - da * dc * cb * cc - db * dc * sc,
        da * db * cb,
    )


@kernel
def rotation_vector(m):
    """Return the rotation vector of R, its length the angle from 0 to pi."""
    q = to_quaternion(m)
    v = (q[1], q[2], q[3])
    if q[0] < 0.0:
        v = scale(-1.0, v)
    s = norm(v)
    if s < 1e-9:
        return scale(2.0, v)
    return scale(2.0 * math.atan2(s, abs(q[0])) / s, v)
