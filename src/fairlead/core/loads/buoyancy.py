"""Buoyancy of stacks of cylinders and cones at any attitude: rho g times the volume below z = 0, at its centre.

A point of a segment's axis is at l, its drawn z, with radius r(l), and rises by c = e_z per length of axis; discs rise
by sn = sqrt(1 - c^2) per length in the direction g of steepest ascent. On a disc the water stands at u = r x along g,
x = -z(l) / (r sn): dry for x < -1, wet for x > 1. With x = -cos psi the wet part of a disc has

    area A = r^2 (psi - sin psi cos psi)            first moment along g: -(2/3) r^3 sin^3 psi

A cylinder with the whole waterline on its side has closed forms (Dissertation Eqs. 3.14, 3.15 and 4.15). Otherwise, a
taper or an end piercing the surface, these are integrated along the axis by Gauss' rule in psi, where they are smooth.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import V, rows
from fairlead.core.jit.by_symbol import when_needed
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.vec import axpy, cross, matvec, put3, scale, v3, v9

BUOYANCY = rows("row body first last", r_BO_D=V, e_D=V)  # O: where the axis meets drawn z = 0; segments first..last
# Of every stack of cylinders and cones: drawn z, radii; Gauss nodes first..last, which buoyancy does not use
SEGMENT = rows("first last", low=(), high=(), r_low=(), r_high=())
ZERO = (0.0, 0.0, 0.0)
GAUSS = (
    (0.0950125098376374402, 0.189450610455068496),
    (0.281603550779258913, 0.182603415044923589),
    (0.458016777657227386, 0.169156519395002538),
    (0.617876244402643748, 0.149595988816576732),
    (0.755404408355003034, 0.124628971255533872),
    (0.865631202387831744, 0.0951585116824927848),
    (0.944575023073232576, 0.0622535239386478929),
    (0.989400934991649933, 0.0271524594117540949),
)  # sixteen-point rule, Abramowitz and Stegun table 25.4


@inlined
def buoyancy(A, W):
    """Rows of the buoyancy loads."""
    for j in range(A.loads.buoyancy.shape[0]):
        hull_when_needed(j, A, W)


@kernel
def one_hull(j, A, W):
    """Fill the row of hull j: force rho g V up, moment rho g S x z of the first moment S about the mass centre."""
    B = A.loads.buoyancy[j]
    b = W.bodies[B.body]
    R = v9(b.R)
    o, e = matvec(R, v3(B.r_BO_D)), matvec(R, v3(B.e_D))
    V, S_axis, S_disc = 0.0, 0.0, 0.0
    for k in range(B.first, B.last):
        v, along, across = wet_segment(A.sea.segments[k], b.x[2] + o[2], e[2])
        V += v
        S_axis += along
        S_disc += across
    S = axpy(S_disc, steepest(e), axpy(S_axis, e, scale(V, o)))
    weight = A.sea.water[0].rho * A.sea.water[0].g
    put3(W.rows[B.row].f, (0.0, 0.0, weight * V))
    put3(W.rows[B.row].n, scale(weight, cross(S, (0.0, 0.0, 1.0))))


hull_when_needed = when_needed(one_hull)


@kernel
def steepest(e):
    """Return the unit vector across e that rises most; zero for a vertical e."""
    sn = math.hypot(e[0], e[1])
    if sn < 1e-12:
        return ZERO
    return (-e[2] * e[0] / sn, -e[2] * e[1] / sn, sn)


@kernel
def wet_segment(s, z_O, c):
    """Return the wet volume of a segment, and its first moments along the axis (from l = 0) and along g."""
    sn = math.sqrt(max(0.0, 1.0 - c * c))
    z_low, z_high = z_O + c * s.low, z_O + c * s.high
    if min(z_low - sn * s.r_low, z_high - sn * s.r_high) >= 0.0:
        return 0.0, 0.0, 0.0
    if max(z_low + sn * s.r_low, z_high + sn * s.r_high) <= 0.0:
        return frustum(s.low, s.high, s.r_low, s.r_high)
    if s.r_low == s.r_high and waterline_on_side(z_low, z_high, sn * s.r_low):
        return pierced_cylinder(s, z_low, z_high, c, sn)
    return cut_segment(s.low, s.high, s.r_low, s.r_high, z_low, z_high, sn)


@kernel
def waterline_on_side(z_low, z_high, rise):
    """Return whether one end is wholly wet and the other wholly dry."""
    return (z_low + rise <= 0.0 <= z_high - rise) or (z_high + rise <= 0.0 <= z_low - rise)


@kernel
def frustum(low, high, a, b):
    """Return volume and first moment along the axis of a whole frustum of radii a and b."""
    h = high - low
    V = math.pi / 3.0 * h * (a * a + a * b + b * b)
    return V, low * V + math.pi / 12.0 * h * h * (a * a + 2.0 * a * b + 3.0 * b * b), 0.0


@kernel
def pierced_cylinder(s, z_low, z_high, c, sn):
    """Dissertation Eqs. 3.14 and 3.15: wet length h on the axis; the centre moves by r^2 tan / 4 h across it.

    Their x^B = -t31 r^2 / (4 t33 h1), z^B = h_G + h1 / 2 + r^2 (t31^2 + t32^2) / (8 t33^2 h1), times V = pi r^2 h.
    With the upper end in the water (c < 0) the same is measured from there.
    """
    r = s.r_low
    tan = sn / c
    up = z_low < z_high
    h = -z_low / c if up else z_high / c
    V = math.pi * r * r * h
    beyond = V * 0.5 * h + math.pi * r**4 * tan * tan / 8.0
    along = s.low * V + beyond if up else s.high * V - beyond
    return V, along, -math.pi * r**4 * abs(tan) / 4.0


@kernel
def cut_segment(low, high, a, b, z_low, z_high, sn):
    """Integrate over the parts of a segment that are wholly wet and partly wet; a and b are the radii at the ends."""
    h = high - low
    # Where x = -1 and x = 1 on the way from low (0) to high (1): the rim's highest and lowest points meet the water.
    f1 = crossing(z_low + sn * a, z_high + sn * b)
    f2 = crossing(z_low - sn * a, z_high - sn * b)
    f1, f2 = min(f1, f2), max(f1, f2)
    V, along, across = 0.0, 0.0, 0.0
    for part in range(3):
        p = 0.0 if part == 0 else f1 if part == 1 else f2
        q = f1 if part == 0 else f2 if part == 1 else 1.0
        if not q > p:
            continue
        m = 0.5 * (p + q)
        z, r = z_low + m * (z_high - z_low), a + m * (b - a)
        if z - sn * r >= 0.0:
            continue
        r_p, r_q = a + p * (b - a), a + q * (b - a)
        if z + sn * r <= 0.0:
            v, s, t = frustum(low + p * h, low + q * h, r_p, r_q)
        else:
            z_p, z_q = z_low + p * (z_high - z_low), z_low + q * (z_high - z_low)
            v, s, t = partly_wet_pieces(low + p * h, (q - p) * h, r_p, r_q, z_p, z_q, sn)
        V += v
        along += s
        across += t
    return V, along, across


@kernel
def crossing(z0, z1):
    """Return where a line from z0 at 0 to z1 at 1 passes zero, kept within 0 and 1."""
    if z0 == z1:
        return 0.0
    return min(max(z0 / (z0 - z1), 0.0), 1.0)


@kernel
def partly_wet_pieces(start, h, a, b, z_a, z_b, sn):
    """Integrate over a partly wet stretch, in pieces whose radii differ by at most 3/2: see the pole of f below."""
    small, large = min(a, b), max(a, b)
    tip = 1e-3 * large  # the last piece of a cone that ends in a point holds 1e-9 of it
    n = 1 if small == large else max(1, math.ceil(math.log(large / max(small, tip)) / math.log(1.5)))
    V, along, across = 0.0, 0.0, 0.0
    p = 0.0
    for i in range(n):
        g = max(a, tip) * (max(b, tip) / max(a, tip)) ** ((i + 1.0) / n)  # the radius where this piece ends
        q = 1.0 if i == n - 1 else (g - a) / (b - a)
        r_p, r_q = a + p * (b - a), a + q * (b - a)
        v, s, t = partly_wet(start + p * h, (q - p) * h, r_p, r_q, z_a + p * (z_b - z_a), z_a + q * (z_b - z_a), sn)
        V += v
        along += s
        across += t
        p = q
    return V, along, across


@kernel
def partly_wet(start, h, a, b, z_a, z_b, sn):
    """Integrate over a stretch of length h on which every disc is partly wet, from radius a to b.

    The place on the axis is a Moebius function of x = -cos psi: f = a u / (a u + b v), u = x - x_a, v = x_b - x. Its
    pole lies a / (b - a) of the way beyond the end; where it is near, Gauss' rule converges slowly.
    """
    psi_a = math.acos(min(max(z_a / (a * sn), -1.0), 1.0)) if a > 0.0 else -1.0
    psi_b = math.acos(min(max(z_b / (b * sn), -1.0), 1.0)) if b > 0.0 else -1.0
    psi_a, psi_b = (psi_b if psi_a < 0.0 else psi_a), (psi_a if psi_b < 0.0 else psi_b)
    V, along, across = 0.0, 0.0, 0.0
    even = abs(psi_b - psi_a) < 1e-7 or a == 0.0 or b == 0.0
    for i in range(16):
        node, weight = GAUSS[i // 2]
        g = 0.5 * (1.0 + (node if i % 2 == 0 else -node))
        if even:
            f, df = g, 0.5 * weight
            r, z = a + f * (b - a), z_a + f * (z_b - z_a)
            psi = math.acos(min(max(z / (r * sn), -1.0), 1.0))
        else:
            psi = psi_a + g * (psi_b - psi_a)
            u = math.sin(0.5 * (psi + psi_a)) * math.sin(0.5 * (psi - psi_a))
            v = math.sin(0.5 * (psi_b + psi)) * math.sin(0.5 * (psi_b - psi))
            whole = math.sin(0.5 * (psi_b + psi_a)) * math.sin(0.5 * (psi_b - psi_a))
            f = a * u / (a * u + b * v)
            df = a * b * whole / (a * u + b * v) ** 2 * 0.5 * math.sin(psi) * (psi_b - psi_a) * 0.5 * weight
            r = a + f * (b - a)
        sin = math.sin(psi)
        area = r * r * (psi - sin * math.cos(psi)) * df * h
        V += area
        along += area * (start + f * h)
        across -= 2.0 / 3.0 * (r * sin) ** 3 * df * h
    return V, along, across
