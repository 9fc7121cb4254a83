"""Morison's equation on members of varying diameter, with the added mass on the left-hand side.

Per unit length of the member (Dissertation Eqs. 2.51, 3.22), normal components P v = v - e (e.v) of every vector:

    f = Cm rho A a_water - Ca rho A a_body + (1/2) rho Cd D |v_rel| v_rel        v_rel = P (v_water - v_body)

The second term goes to W.added; what is known of a_body (w x (w x s)) stays here. Each segment's wet stretch carries
its own Gauss nodes, so that the loads change smoothly with the waterline.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import V, rows
from fairlead.core.environment.waves import (
    along_waves,
    current,
    elevation,
    fill_levels,
    fill_places,
    level_of,
    stretched,
    water_motion,
)
from fairlead.core.jit.by_symbol import when_needed
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.loads.matrices import half
from fairlead.core.vec import add, axpy, cross, dot, matvec, norm, put3, scale, sub, v3, v9

MORISON = rows(
    "row body first last displaced instantaneous fixed pressure has_A",
    r_BO_D=V,
    e_D=V,
    x_WO_W=V,  # O in the drawing
    ca=(),
    cd=(),
    cm=(),
    end_ca=(),
    end_cd=(),
)
ZERO = (0.0, 0.0, 0.0)
UP = (0.0, 0.0, 1.0)


@inlined
def morison(t, A, W):
    """Rows of the Morison loads, and their added mass about the mass centres."""
    for j in range(A.loads.morison.shape[0]):
        member_when_needed(t, j, A, W)


@kernel
def one_member(t, j, A, W):
    M = A.loads.morison[j]
    b = W.bodies[M.body]
    R, w = v9(b.R), v3(b.w)
    o, e = matvec(R, v3(M.r_BO_D)), matvec(R, v3(M.e_D))  # the axis is at o + l e from the mass centre
    n = UP if M.fixed else e  # normal to what
    # where the kinematics at l are taken: on the displaced axis, or on the drawn one
    line = along_waves(v3(M.x_WO_W), ZERO, 0.0, 1.0, A)
    if M.displaced:
        line = along_waves(add(v3(b.x), o), e, b.x[2] + o[2], e[2], A)
    low, high = A.sea.segments[M.first].low, A.sea.segments[M.last - 1].high
    eta, l_water = waterline(t, M, b.x[2] + o[2], e[2], low, high, line, A)
    upright = e[2] >= 0.0 or not M.instantaneous
    z0, z1 = stretched(line[2], line[3], eta, A)
    lay_nodes(M, l_water, upright, A, W)
    tabled = False
    if A.sea.components.shape[0] > 0:
        tabled = fill_levels(t, line, z0, z1, low, A, W)
        if A.sea.water[0].tabled and not tabled:
            if W.rows[M.row].beyond == 0.0:
                W.rows[M.row].since = t
            W.rows[M.row].beyond += 1.0
        if tabled:
            fill_places(A.sea.segments[M.first].first, A.sea.segments[M.last - 1].last, z0, z1, A, W)
    v_o, v_l = add(v3(b.u), cross(w, o)), cross(w, e)  # velocity of the axis is v_o + l v_l
    F, F_l, m0, m1, m2 = ZERO, ZERO, 0.0, 0.0, 0.0  # sums of f, l f, and of the added mass times 1, l, l^2
    for k in range(M.first, M.last):
        s = A.sea.segments[k]
        lo, hi = wet_stretch(s, l_water, upright)
        if hi > lo:
            f, f_l, a0, a1, a2 = segment_load(t, s, hi - lo, M, n, line, z0, z1, tabled, v_o, v_l, A, W)
            F, F_l = add(F, f), add(F_l, f_l)
            m0, m1, m2 = m0 + a0, m1 + a1, m2 + a2
    f, f_l = end_loads(t, M, n, l_water, upright, line, z0, z1, tabled, v_o, v_l, A, W)
    F, F_l = add(F, f), add(F_l, f_l)
    if M.has_A:
        ends = end_masses(M, low, high, l_water, upright, A)
        known = cross(w, cross(w, o)), cross(w, v_l)
        f, f_l = resisting(known[0], known[1], n, m0, m1, m2, ends)
        F, F_l = sub(F, f), sub(F_l, f_l)
        added_mass(o, e, n, m0, m1, m2, ends, W.morison[j], W.added[M.body])
    put3(W.rows[M.row].f, F)
    put3(W.rows[M.row].n, add(cross(o, F), cross(e, F_l)))


member_when_needed = when_needed(one_member)


@inlined
def wet_stretch(s, l_water, upright):
    """Return where the wet part of a segment begins and ends, in this order if there is one."""
    return s.low if upright else max(s.low, l_water), min(s.high, l_water) if upright else s.high


@inlined
def lay_nodes(M, l_water, upright, A, W):
    """Fill W.along with the nodes of every wet stretch of a member."""
    for k in range(M.first, M.last):
        s = A.sea.segments[k]
        lo, hi = wet_stretch(s, l_water, upright)
        for i in range(s.first, s.last):
            W.along[i] = lo + A.sea.nodes[i, 0] * (hi - lo)


@kernel
def waterline(t, M, z_o, c, low, high, line, A):
    """Return the elevation at the member and the l at which its axis meets the water.

    The elevation is taken where the axis meets the surface, by three steps from where it meets the still water; that
    converges where the surface is less steep than the member, and is exact for an upright one.
    """
    if not M.instantaneous:
        eta = 0.0
        if A.sea.components.shape[0] > 0:
            eta = elevation(t, 0.0, line, A)
        return eta, 0.0
    rise = c if abs(c) > 1e-9 else 1e-9
    l, eta = -z_o / rise, 0.0
    if A.sea.components.shape[0] > 0:
        for _ in range(1 if same_everywhere(line, A) else 3):
            l = min(max(l, low), high)
            eta = elevation(t, l, line, A)
            l = (eta - z_o) / rise
    return eta, l


@inlined
def same_everywhere(line, A):
    """Return whether the elevation does not change along a kinematic line."""
    return line[1] == 0.0 and (A.sea.fields.shape[0] == 1 or (line[6] == 0.0 and line[7] == 0.0))


@kernel
def segment_load(t, s, length, M, n, line, z0, z1, tabled, v_o, v_l, A, W):
    """Return the force on a wet stretch, its first moment along the axis, and the moments of its added mass.

    line: where the kinematics are taken (see `along_waves`); z0, z1: its stretched heights z0 + z1 l.
    """
    rho = A.sea.water[0].rho
    cos, sin = A.sea.fields[0].cos, A.sea.fields[0].sin
    slope = (s.r_high - s.r_low) / (s.high - s.low)
    F, F_l, m0, m1, m2 = ZERO, ZERO, 0.0, 0.0, 0.0
    for i in range(s.first, s.last):
        l, dl = W.along[i], A.sea.nodes[i, 1] * length
        r = s.r_low + slope * (l - s.low)
        u, a, P = water_motion(t, l, z0 + z1 * l, W.places[i], line, cos, sin, tabled, A, W)
        v = sub(add(u, current(line[2] + line[3] * l, A)), axpy(l, v_l, v_o))
        v = axpy(-dot(n, v), n, v)
        a = axpy(-dot(n, a), n, a)
        mass = rho * math.pi * r * r * dl
        f = axpy(rho * M.cd * r * norm(v) * dl, v, scale(M.cm * mass, a))
        if M.pressure:  # on the taper, along the axis: p dA
            f = axpy(rho * P * 2.0 * math.pi * r * slope * dl, n, f)
        F, F_l = add(F, f), axpy(l, f, F_l)
        mass *= M.ca
        m0, m1, m2 = m0 + mass, m1 + mass * l, m2 + mass * l * l
    return F, F_l, m0, m1, m2


@kernel
def is_wet(l, l_water, upright):
    return l < l_water if upright else l > l_water


@kernel
def end_loads(t, M, n, l_water, upright, line, z0, z1, tabled, v_o, v_l, A, W):
    """Return force and first moment on wet faces: dynamic pressure on ends and steps, and the end terms along n.

    A face between radii r_below and r_above feels p pi (r_above^2 - r_below^2) along the axis. End terms: axial drag
    (1/2) rho Cd pi r^2 |v| v, and the wave's part of an added mass Ca rho (2/3) pi r^3, a hemisphere of water.
    """
    F, F_l = ZERO, ZERO
    if not (M.pressure or M.end_ca != 0.0 or M.end_cd != 0.0):
        return F, F_l
    rho, cos, sin = A.sea.water[0].rho, A.sea.fields[0].cos, A.sea.fields[0].sin
    for k in range(M.first, M.last + 1):
        below = A.sea.segments[k - 1].r_high if k > M.first else 0.0
        above = A.sea.segments[k].r_low if k < M.last else 0.0
        l = A.sea.segments[k].low if k < M.last else A.sea.segments[k - 1].high
        if below == above or not is_wet(l, l_water, upright):
            continue
        z = z0 + z1 * l
        place = level_of(min(z, 0.0), A.sea.water[0])
        u, a, P = water_motion(t, l, z, place, line, cos, sin, tabled, A, W)
        f = 0.0
        if M.pressure:
            f += rho * P * math.pi * (above * above - below * below)
        if k == M.first or k == M.last:
            r = below + above
            v = dot(n, sub(add(u, current(line[2] + line[3] * l, A)), axpy(l, v_l, v_o)))
            f += 0.5 * rho * M.end_cd * math.pi * r * r * abs(v) * v
            f += M.end_ca * rho * 2.0 / 3.0 * math.pi * r**3 * dot(n, a)
        F, F_l = axpy(f, n, F), axpy(f * l, n, F_l)
    return F, F_l


@kernel
def end_masses(M, low, high, l_water, upright, A):
    """Return the axial added mass of the wet ends times 1, l, l^2."""
    r0, r1 = A.sea.segments[M.first].r_low, A.sea.segments[M.last - 1].r_high
    c = M.end_ca * A.sea.water[0].rho * 2.0 / 3.0 * math.pi
    a = c * r0**3 if is_wet(low, l_water, upright) else 0.0
    b = c * r1**3 if is_wet(high, l_water, upright) else 0.0
    return a + b, a * low + b * high, a * low * low + b * high * high


@kernel
def resisting(a_o, a_l, n, m0, m1, m2, ends):
    """Return the sum of f and of l f of the added mass when the axis accelerates by a_o + l a_l.

    Normal to n by m0, m1, m2; along n by the end masses.
    """
    along_o, along_l = dot(n, a_o), dot(n, a_l)
    f = axpy(m0, axpy(-along_o, n, a_o), scale(m1, axpy(-along_l, n, a_l)))
    f_l = axpy(m1, axpy(-along_o, n, a_o), scale(m2, axpy(-along_l, n, a_l)))
    f = axpy(ends[0] * along_o + ends[1] * along_l, n, f)
    return f, axpy(ends[1] * along_o + ends[2] * along_l, n, f_l)


@kernel
def added_mass(o, e, n, m0, m1, m2, ends, own, total):
    """Fill `own` with the added mass about the mass centre and add it to `total`, column by column."""
    for c in range(6):
        a = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
        al = (1.0 if c == 3 else 0.0, 1.0 if c == 4 else 0.0, 1.0 if c == 5 else 0.0)
        f, f_l = resisting(add(a, cross(al, o)), cross(al, e), n, m0, m1, m2, ends)
        moment = add(cross(o, f), cross(e, f_l))
        for i in range(3):
            own[i, c], own[3 + i, c] = f[i], moment[i]
            total[i, c] += f[i]
            total[3 + i, c] += moment[i]


@inlined
def settle_morison(A, W):
    """Complete the rows of members with added mass, now that the accelerations are known."""
    for j in range(A.loads.morison.shape[0]):
        M = A.loads.morison[j]
        if M.has_A:
            b, row = W.bodies[M.body], W.rows[M.row]
            a, al = v3(b.a), v3(b.al)
            f, n = half(W.morison[j], 0, a, al), half(W.morison[j], 3, a, al)
            put3(row.f, sub(v3(row.f), f))
            put3(row.n, sub(v3(row.n), n))
            put3(b.f, sub(v3(b.f), f))
            put3(b.n, sub(v3(b.n), n))
