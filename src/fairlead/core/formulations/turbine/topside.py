"""The chain tower, nacelle, rotor of the Dissertation's turbine models: how the topside moves relative to the tower.

Bodies are numbered along the chain: 0 the tower, 1 the nacelle (or the whole topside), 2 the rotor, if it stands alone.
Vectors are in axes t of the tower (x_t, y_t, z_t of the Dissertation, the axes D of the arrays) and derivatives are
those seen from the tower, (.)_xyz in Eq. 3.1, unless a name says otherwise.
"""

from __future__ import annotations

import math

from fairlead.core.jit.kernel import kernel
from fairlead.core.rotation import turned
from fairlead.core.trees.kinematics import IDENTITY
from fairlead.core.vec import add, add6, cross, dot, matmul, matvec, norm, scale, sub, symvec, v3, v6


@kernel
def nacelle_motion(A, W):
    """Return T, w, dw, r, dr, ddr of the nacelle: attitude, angular velocity, mass centre from G_t, and their rates.

    r = r_J + T r_G/J (Dissertation Eqs. 4.4, 4.8); the yaw axis is fixed in the tower.
    """
    b = A.bodies[1]
    e, o = v3(A.coordinates[b.first].axis_D), W.coordinates[b.first]
    T = turned(IDENTITY, e, o.cos, o.sin)
    w, dw = scale(o.dq, e), scale(o.ddq, e)
    s = matvec(T, v3(b.r_JB_D))
    return T, w, dw, add(v3(b.r_PJ_D), s), cross(w, s), turning(w, dw, s)


@kernel
def rotor_motion(nacelle, A, W):
    """Return the same of the rotor. T_r->s = T_n->s T_r->n (Eq. 4.4, ERRATA 3); without a rotor, of the nacelle."""
    if A.bodies.shape[0] < 3:
        return nacelle
    T_n, w_n, dw_n, r, dr, ddr = nacelle
    b = A.bodies[2]
    e_n, o = v3(A.coordinates[b.first].axis_D), W.coordinates[b.first]
    e = matvec(T_n, e_n)
    T = matmul(T_n, turned(IDENTITY, e_n, o.cos, o.sin))
    spin = scale(o.dq, e)
    w = add(w_n, spin)
    dw = add(dw_n, add(scale(o.ddq, e), cross(w_n, spin)))
    d, s = matvec(T_n, v3(b.r_PJ_D)), matvec(T, v3(b.r_JB_D))
    dr = add(dr, add(cross(w_n, d), cross(w, s)))
    ddr = add(ddr, add(turning(w_n, dw_n, d), turning(w, dw, s)))
    return T, w, dw, add(r, add(d, s)), dr, ddr


@kernel
def turning(w, dw, s):
    """Return the second derivative of an arm that turns with w."""
    return add(cross(dw, s), cross(w, cross(w, s)))


@kernel
def topside_mass(A):
    """Return the mass of the nacelle, of the rotor (zero if there is none) and of the whole system."""
    rotor = A.bodies[2].mass if A.bodies.shape[0] > 2 else 0.0
    return A.bodies[1].mass, rotor, A.bodies[0].mass + A.bodies[1].mass + rotor


@kernel
def spread_inertia(m, r):
    """Return m times the matrix rho-bar of Eq. 4.12, (|r|^2 1 - r r^T), as xx yy zz xy xz yz."""
    a, b, c = r
    return (
        m * (b * b + c * c),
        m * (a * a + c * c),
        m * (a * a + b * b),
        -m * a * b,
        -m * a * c,
        -m * b * c,
    )


@kernel
def topside(A):
    """Return m_R, I_A, I_B, I_C of nacelle and rotor as one body (about its mass centre), its arm, and B, unyawed.

    Axes A, B, C: C along the yaw axis (z_t), B along the spin axis, A = B x C (Dissertation Fig. 12). Without a rotor B
    is along the stored momentum of the wheels, or y_t.
    """
    n = A.bodies[1]
    m_n, m_r, _ = topside_mass(A)
    r_n = add(v3(n.r_PJ_D), v3(n.r_JB_D))
    r_r, B = r_n, (0.0, 1.0, 0.0)
    I = v6(n.I_BB_D)
    if A.bodies.shape[0] > 2:
        b = A.bodies[2]
        r_r = add(r_n, add(v3(b.r_PJ_D), v3(b.r_JB_D)))
        B = v3(A.coordinates[b.first].axis_D)
        I = add6(I, v6(b.I_BB_D))
    elif dot(v3(n.h_D), v3(n.h_D)) > 0.0:
        B = scale(1.0 / norm(v3(n.h_D)), v3(n.h_D))
    m = m_n + m_r
    G = scale(1.0 / m, add(scale(m_n, r_n), scale(m_r, r_r)))
    I = add6(I, add6(spread_inertia(m_n, sub(r_n, G)), spread_inertia(m_r, sub(r_r, G))))
    across = (B[1], -B[0], 0.0)
    return m, (dot(across, symvec(I, across)), dot(B, symvec(I, B)), I[2]), G, B


@kernel
def yaw_of_spin_axis(B, A, W):
    """Return beta, its rate and acceleration: B = (-sin beta, cos beta, 0) in tower axes. Dissertation Eq. 3.9."""
    k = A.bodies[1].first
    o, sign = W.coordinates[k], A.coordinates[k].axis_D[2]
    return math.atan2(-B[0], B[1]) + sign * o.q, sign * o.dq, sign * o.ddq


@kernel
def stored_spin(I_B, A, W):
    """Return the momentum I_B psi' along the spin axis, relative to the nacelle, and its rate. Dissertation Eq. 3.8."""
    if A.bodies.shape[0] < 3:
        return norm(v3(A.bodies[1].h_D)), 0.0
    o = W.coordinates[A.bodies[2].first]
    return I_B * o.dq, I_B * o.ddq
