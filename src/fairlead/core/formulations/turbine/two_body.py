"""The two-body turbine of Dissertation Chapter 3: tower and topside, six equations for the tower's motion.

Conservation of linear and angular momentum of the whole system about its mass centre G_s, which stays on the tower's
axis because the topside's does; in axes s, parallel to the tower's. Nacelle and rotor are one body with moments I_A,
I_B, I_C whose spin is stored momentum. State and solution of the six equations: `core/formulations/turbine/motion.py`.
"""

from __future__ import annotations

import math

from fairlead.core.codes import CODE
from fairlead.core.formulations.turbine.motion import drift_six, place_floating, solve_floating, tower_rates
from fairlead.core.formulations.turbine.topside import (
    nacelle_motion,
    rotor_motion,
    stored_spin,
    topside,
    yaw_of_spin_axis,
)
from fairlead.core.jit.kernel import kernel
from fairlead.core.loads.table import load
from fairlead.core.motions import move
from fairlead.core.trees.kinematics import ZERO
from fairlead.core.vec import add, cross, scale, symvec


@kernel
def before(t, y, A, W):
    """Place tower, nacelle and rotor: what loads need to know. G_t from G_s, on the tower's axis, is constant."""
    W.status[CODE] = 0
    move(t, A, W)
    m_R, _, r_R, _ = topside(A)
    arm = scale(-m_R / (A.bodies[0].mass + m_R), r_R)
    nacelle = nacelle_motion(A, W)
    place_floating(y, (arm, ZERO, ZERO), nacelle, rotor_motion(nacelle, A, W), A, W)


@kernel
def after(t, y, dy, A, W):
    """Apply the loads and solve the six equations."""
    load(t, y, dy, A, W)
    I_s, known = momentum_and_rate(tower_rates(y), A, W)
    solve_floating(y, dy, I_s, known, A, W)


@kernel
def momentum_and_rate(w, A, W):
    """Return I_s and the part of dH/dt that does not multiply the tower's angular acceleration. Eqs. 3.1, 3.10, 3.11.

    H = I_s w + H', H' = (-I_B psi' sin beta, I_B psi' cos beta, I_C w_yaw); dH/dt = I_s w' + I_s' w + H'' + w x H.
    """
    m_R, (I_A, I_B, I_C), r_R, B = topside(A)
    beta, yaw, dyaw = yaw_of_spin_axis(B, A, W)
    c, s = math.cos(beta), math.sin(beta)
    I_t, m_t = A.bodies[0].I_BB_D, A.bodies[0].mass
    arms = r_R[2] * r_R[2] * m_R * m_t / (m_R + m_t)  # m_R rho_GR/Gs^2 + m_t rho_Gt/Gs^2
    I_s = (
        I_A * c * c + I_B * s * s + I_t[0] + arms,
        I_A * s * s + I_B * c * c + I_t[1] + arms,
        I_C + I_t[2],
        (I_A - I_B) * c * s,
        0.0,
        0.0,
    )
    d11 = 2.0 * (I_B - I_A) * c * s * yaw
    dI_s = (d11, -d11, 0.0, (I_A - I_B) * (c * c - s * s) * yaw, 0.0, 0.0)
    h, dh = stored_spin(I_B, A, W)
    H_rel = (-h * s, h * c, I_C * yaw)
    dH_rel = (-dh * s - h * c * yaw, dh * c - h * s * yaw, I_C * dyaw)
    H = add(symvec(I_s, w), H_rel)
    return I_s, add(add(symvec(dI_s, w), dH_rel), cross(w, H))


drift = drift_six
