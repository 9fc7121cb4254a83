"""The three-body turbine of Dissertation Chapter 4: tower, nacelle and rotor, six equations for the tower's motion.

Conservation of momentum about the system's mass centre G_s, which now moves relative to the tower as the topside
yaws and spins; in axes s, parallel to the tower's, with derivatives as seen from them. Departures: inertia tensors
need not be diagonal, and the yaw and spin axes may point anywhere (the text has z and y). State and solution of the six
equations: `core/formulations/turbine/motion.py`.
"""

from __future__ import annotations

from fairlead.core.codes import CODE
from fairlead.core.formulations.turbine.motion import (
    drift_six,
    from_centre,
    place_floating,
    solve_floating,
    tower_rates,
)
from fairlead.core.formulations.turbine.topside import nacelle_motion, rotor_motion, spread_inertia, topside_mass
from fairlead.core.jit.kernel import kernel
from fairlead.core.loads.table import load
from fairlead.core.motions import move
from fairlead.core.trees.kinematics import IDENTITY, ZERO
from fairlead.core.vec import add, add6, axpy, congruence, cross, scale, sub, symvec, v6

TOWER = (IDENTITY, ZERO, ZERO, ZERO, ZERO, ZERO)


@kernel
def before(t, y, A, W):
    """Place tower, nacelle and rotor: what loads need to know."""
    W.status[CODE] = 0
    move(t, A, W)
    nacelle = nacelle_motion(A, W)
    rotor = rotor_motion(nacelle, A, W)
    place_floating(y, tower_from_centre(nacelle, rotor, A), nacelle, rotor, A, W)


@kernel
def after(t, y, dy, A, W):
    """Apply the loads and solve the six equations."""
    load(t, y, dy, A, W)
    I_s, known = momentum_and_rate(tower_rates(y), A, W)
    solve_floating(y, dy, I_s, known, A, W)


@kernel
def tower_from_centre(nacelle, rotor, A):
    """Return rho_Gt/Gs = -(m_n rho_Gn/Gt + m_r rho_Gr/Gt) / m and its two derivatives. Eq. 4.8."""
    m_n, m_r, mass = topside_mass(A)
    n, r = -m_n / mass, -m_r / mass
    return (
        axpy(n, nacelle[3], scale(r, rotor[3])),
        axpy(n, nacelle[4], scale(r, rotor[4])),
        axpy(n, nacelle[5], scale(r, rotor[5])),
    )


@kernel
def momentum_and_rate(w, A, W):
    """Return the factor of w' in dH/dt, and the rest of dH/dt = (dH/dt)_s + w x H. Eqs. 4.1, 4.6, 4.9-4.11."""
    nacelle = nacelle_motion(A, W)
    rotor = rotor_motion(nacelle, A, W)
    arm = tower_from_centre(nacelle, rotor, A)
    m_n, m_r, _ = topside_mass(A)
    I_t, H_t, d_t = about_centre(from_centre(TOWER, arm), A.bodies[0].mass, v6(A.bodies[0].I_BB_D), w)
    I_n, H_n, d_n = about_centre(from_centre(nacelle, arm), m_n, v6(A.bodies[1].I_BB_D), w)
    I_r, H_r, d_r = about_centre(from_centre(rotor, arm), m_r, v6(A.bodies[2].I_BB_D), w)
    H = add(H_t, add(H_n, H_r))
    return add6(I_t, add6(I_n, I_r)), add(add(d_t, add(d_n, d_r)), cross(w, H))


@kernel
def about_centre(motion, m, I_B, w):
    """Return of one body: its inertia about G_s, its angular momentum about G_s, and the local rate without w'.

    H = I (w + w_i) + m rho x rho' + m rho-bar w (Eqs. 4.3, 4.6, 4.7, 4.11), I = T I_B T^T, whose local rate is
    w_i x I - I w_i x. (H')_s = I w' + I' (w + w_i) + I w_i' + m [rho x rho'' + rho-bar' w + rho-bar w'], and
    rho-bar' w = rho' x (w x rho) + rho x (w x rho').
    """
    T, w_i, dw_i, rho, drho, ddrho = motion
    I = congruence(T, I_B)
    spread = spread_inertia(m, rho)
    turn = add(w, w_i)
    Iw = symvec(I, turn)
    H = add(add(Iw, symvec(spread, w)), scale(m, cross(rho, drho)))
    dI = sub(cross(w_i, Iw), symvec(I, cross(w_i, turn)))
    dspread = add(cross(drho, cross(w, rho)), cross(rho, cross(w, drho)))
    rate = add(add(dI, symvec(I, dw_i)), scale(m, add(cross(rho, ddrho), dspread)))
    return add6(I, spread), H, rate


drift = drift_six
