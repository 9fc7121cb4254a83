"""The two-body turbine of Dissertation Chapter 2: rotation about a fixed point, two linked sets of 3-1-3 angles.

The tower turns by theta_2 (about Z), theta_1 (about x), eta (about z); the topside's axes C, A, B by phi (about Z) and
theta (about C). Euler's equations of the tower (Eqs. 2.19-2.21) carry those of the topside (Eqs. 2.27-2.29) through the
joint; the topside's angles follow from the tower's and the yaw rate (Eqs. 2.4-2.12, ERRATA 5). Departures: moments are
taken about the fixed point wherever it is on the tower's axis (ERRATA 17), and the spin is relative to the nacelle.
State: theta_1, theta_2, eta, phi; theta_1', theta_2', eta'.
"""

from __future__ import annotations

import math

from fairlead.core.arrays import GIMBAL, SINGULAR_MASS
from fairlead.core.codes import ABOUT, CODE, MEASURED
from fairlead.core.constraints.reactions import measure_turns
from fairlead.core.formulations.turbine.motion import (
    add_accelerations,
    from_centre,
    place_body,
    place_joints,
    sum_of_loads,
)
from fairlead.core.formulations.turbine.topside import (
    nacelle_motion,
    rotor_motion,
    stored_spin,
    topside,
    yaw_of_spin_axis,
)
from fairlead.core.inverse import transmit
from fairlead.core.jit.kernel import kernel
from fairlead.core.layout import ETA, ETA_RATE, PHI, THETA_1, THETA_1_RATE, THETA_2, THETA_2_RATE, put_three
from fairlead.core.loads.matrices import half
from fairlead.core.loads.table import load, settle_added_mass
from fairlead.core.motions import move
from fairlead.core.quadrature import work_and_impulse
from fairlead.core.rotation import from_quaternion
from fairlead.core.trees.kinematics import IDENTITY, ZERO
from fairlead.core.trees.state import root_wrench
from fairlead.core.vec import add, axpy, cross, dot, matmul, matvec, put3, scale, sub, tmatvec, v3

TOWER = (IDENTITY, ZERO, ZERO, ZERO, ZERO, ZERO)
BALL_RATES = 4  # where a ball's rates stand, behind its quaternion
POLE = 1e-6  # sine (upright) and cosine (lying) of theta_1 below which the angles are taken as undefined


@kernel
def about_x(a):
    c, s = math.cos(a), math.sin(a)
    return (1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c)


@kernel
def about_z(a):
    c, s = math.cos(a), math.sin(a)
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)


@kernel
def tower_rates(y):
    """Return w of the tower in axes x, y, z, which lean with it but do not turn by eta. Eq. 2.18."""
    s, c = math.sin(y[THETA_1]), math.cos(y[THETA_1])
    return (y[THETA_1_RATE], y[THETA_2_RATE] * s, y[THETA_2_RATE] * c + y[ETA_RATE])


@kernel
def tower_rises(dd, y):
    """Return the derivative of `tower_rates` as seen from the axes x, y, z, for given second derivatives dd."""
    s, c = math.sin(y[THETA_1]), math.cos(y[THETA_1])
    return (
        dd[0],
        dd[1] * s + y[THETA_2_RATE] * y[THETA_1_RATE] * c,
        dd[1] * c - y[THETA_2_RATE] * y[THETA_1_RATE] * s + dd[2],
    )


@kernel
def before(t, y, A, W):
    """Place tower, nacelle and rotor about the fixed point: what loads need to know."""
    W.status[CODE] = 0
    move(t, A, W)
    if not (abs(math.sin(y[THETA_1])) > POLE and abs(math.cos(y[THETA_1])) > POLE):
        W.status[CODE], W.status[ABOUT] = GIMBAL, A.bodies[0].user
    x, eta = v3(A.trees[0].x_O), about_z(y[ETA])
    R = matmul(matmul(about_z(y[THETA_2]), about_x(y[THETA_1])), eta)  # Eq. 2.41, then eta
    w = tmatvec(eta, tower_rates(y))
    arm = (v3(A.bodies[0].r_JB_D), ZERO, ZERO)
    nacelle = nacelle_motion(A, W)
    place_body(0, from_centre(TOWER, arm), R, w, x, ZERO, A, W)
    place_body(1, from_centre(nacelle, arm), R, w, x, ZERO, A, W)
    if A.bodies.shape[0] > 2:
        place_body(2, from_centre(rotor_motion(nacelle, A, W), arm), R, w, x, ZERO, A, W)
    place_joints(x, A, W)
    put3(W.bodies[0].joint_x, ZERO)
    for k in range(A.bodies[0].first, A.bodies[0].last):
        o = W.coordinates[k]
        o.dq = dot(v3(A.coordinates[k].axis_D), w)
        put3(o.axis_W, matvec(R, v3(A.coordinates[k].axis_D)))
        put3(o.x_axis, ZERO)
    if A.options[MEASURED]:
        measure_turns(A, W)


@kernel
def after(t, y, dy, A, W):
    """Apply the loads, solve for theta_1'', theta_2'', eta'', and pass accelerations and joint forces on."""
    load(t, y, dy, A, W)
    R = matmul(about_z(y[THETA_2]), about_x(y[THETA_1]))
    x = v3(A.trees[0].x_O)
    _, M = sum_of_loads(x, A, W)
    M = tmatvec(R, M)
    # The equations are linear in the second derivatives: their columns are differences.
    b = missing(ZERO, M, y, A, W)
    p = sub(missing((1.0, 0.0, 0.0), M, y, A, W), b)
    q = sub(missing((0.0, 1.0, 0.0), M, y, A, W), b)
    r = sub(missing((0.0, 0.0, 1.0), M, y, A, W), b)
    det = dot(p, cross(q, r))
    if W.status[CODE] == 0 and not abs(det) > 0.0:
        W.status[CODE], W.status[ABOUT] = SINGULAR_MASS, A.bodies[0].user
    dd = scale(-1.0 / det, (dot(b, cross(q, r)), dot(p, cross(b, r)), dot(p, cross(q, b))))
    _, dphi, _, _ = topside_angles(ZERO, y, A, W)
    dy[THETA_1], dy[THETA_2], dy[ETA], dy[PHI] = y[THETA_1_RATE], y[THETA_2_RATE], y[ETA_RATE], dphi
    put_three(dy, THETA_1_RATE, dd)
    al = matvec(R, tower_acceleration(dd, y))
    add_accelerations(ZERO, al, x, A, W)
    if W.added.shape[0] > 0:
        settle_added_mass(A, W)
    transmit(0, A.bodies.shape[0], A, W)
    for k in range(A.bodies[0].first, A.bodies[0].last):
        W.coordinates[k].ddq, W.coordinates[k].drive = dot(v3(W.coordinates[k].axis_W), al), 0.0
    f, n = root_wrench(A, W)
    work_and_impulse(dy, f, n, A, W)


@kernel
def tower_acceleration(dd, y):
    """Return the tower's angular acceleration in x, y, z, whose own angular velocity is w - eta' k."""
    w = tower_rates(y)
    return add(tower_rises(dd, y), cross((0.0, 0.0, -y[ETA_RATE]), w))


@kernel
def missing(dd, M, y, A, W):
    """Return by how much the moments, axes x, y, z, fall short of the rate of momentum for given second derivatives.

    Left of Eqs. 2.19-2.21, less the external moments M, less M_RNA (Eq. 2.33) and r x (-m_R a_R) (Eq. 2.39).
    """
    b = A.bodies[0]
    l_t = b.r_JB_D[2]
    I, I_z = b.I_BB_D[0] + b.mass * l_t * l_t, b.I_BB_D[2]
    m_R, (I_A, I_B, I_C), r_R, _ = topside(A)
    l = l_t + r_R[2]
    s, c, d1, d2, de = math.sin(y[THETA_1]), math.cos(y[THETA_1]), y[THETA_1_RATE], y[THETA_2_RATE], y[ETA_RATE]
    rate = (
        I * (dd[0] - d2 * d2 * s * c) + I_z * d2 * s * (d2 * c + de),
        I * (dd[1] * s + 2.0 * d1 * d2 * c) - I_z * d1 * (d2 * c + de),
        I_z * (dd[2] + dd[1] * c - d1 * d2 * s),
    )
    # v_R = (theta_2' l sin theta_1, -theta_1' l, 0), Eqs. 2.35 and 2.36; its derivative in axes turning with w - eta' k
    v = (d2 * l * s, -d1 * l, 0.0)
    a = add((l * (dd[1] * s + d2 * d1 * c), -dd[0] * l, 0.0), cross((d1, d2 * s, d2 * c), v))
    rate = add(rate, cross((0.0, 0.0, l), scale(m_R, a)))
    rate = add(rate, topside_rate(dd, (I_A, I_B, I_C), y, A, W))
    if W.added.shape[0] > 0:
        R = matmul(about_z(y[THETA_2]), about_x(y[THETA_1]))
        M = add(M, tmatvec(R, added_moment(matvec(R, tower_acceleration(dd, y)), A, W)))
    return sub(rate, M)


@kernel
def topside_angles(dd, y, A, W):
    """Return phi', phi'' and theta', theta'' as theta_1, theta_2, eta and the yaw rate make them.

    phi' by Eqs. 2.10 and 2.11, phi'' by Eq. 2.12; theta' = theta_1' cos alpha - (w_yaw + eta') sin theta_1 sin alpha is
    what Eq. 2.5 differentiates to (the lost Eq. 2.2), and theta'' its derivative.
    """
    s, c, d1 = math.sin(y[THETA_1]), math.cos(y[THETA_1]), y[THETA_1_RATE]
    alpha = y[PHI] - y[THETA_2]
    sa, ca = math.sin(alpha), math.cos(alpha)
    _, _, _, B = topside(A)
    _, yaw, dyaw = yaw_of_spin_axis(B, A, W)
    turn, rise = yaw + y[ETA_RATE], dyaw + dd[2]
    D = c * c + s * s * ca * ca
    dalpha = D / c * turn + d1 * s / c * sa * ca
    dD = -d1 * sa * sa * 2.0 * s * c - dalpha * s * s * 2.0 * sa * ca
    ddphi = turn * (dD + D * s / c * d1) / c + rise * D / c + dd[1]
    ddphi += d1 * dalpha * (ca * ca - sa * sa) * s / c + (dd[0] * s / c + d1 * d1 / (c * c)) * sa * ca
    dtheta = d1 * ca - turn * s * sa
    ddtheta = dd[0] * ca - d1 * dalpha * sa - rise * s * sa - turn * (d1 * c * sa + s * ca * dalpha)
    return alpha, y[THETA_2_RATE] + dalpha, ddphi, (dtheta, ddtheta)


@kernel
def topside_rate(dd, moments, y, A, W):
    """Return dH/dt of the topside about its mass centre, axes x, y, z: Eqs. 2.27-2.29, general terms as in ERRATA 4.

    The momentum about B is I_B (w_tower . B) + I_B psi', psi' the speed relative to the nacelle; the text counts psi'
    from the horizontal axis C instead, from which the nacelle itself turns about B as the tower leans.
    """
    I_A, I_B, I_C = moments
    alpha, dphi, ddphi, (dtheta, ddtheta) = topside_angles(dd, y, A, W)
    theta = -0.5 * math.pi + math.atan(math.tan(y[THETA_1]) * math.cos(alpha))  # Eqs. 2.4, 2.5
    s, c = math.sin(theta), math.cos(theta)
    T = matmul(matmul(about_x(-y[THETA_1]), about_z(alpha)), about_x(theta))  # Eq. 2.34
    B = (T[2], T[5], T[8])
    _, _, _, B_drawn = topside(A)
    _, yaw, _ = yaw_of_spin_axis(B_drawn, A, W)
    w, dw = tower_rates(y), tower_rises(dd, y)
    h, dh = stored_spin(I_B, A, W)
    H_B = I_B * dot(w, B) + h
    dH_B = I_B * (dot(dw, B) + (yaw + y[ETA_RATE]) * (w[1] * B[0] - w[0] * B[1])) + dh  # B turns about z by yaw + eta
    M_A = I_A * (ddphi * s + dphi * dtheta * c) + I_C * dtheta * dphi * c - dtheta * H_B
    M_B = dH_B + (I_A - I_C) * dtheta * dphi * s
    M_C = I_C * ddtheta - I_A * dphi * dphi * s * c + dphi * s * H_B
    return matvec(T, (M_C, M_A, M_B))


@kernel
def added_moment(al, A, W):
    """Return the moment about the fixed point of the added masses for a tower acceleration al, world axes."""
    M = ZERO
    for i in range(A.bodies.shape[0]):
        b = W.bodies[i]
        r = v3(b.r)
        lin, ang = add(v3(b.a), cross(al, r)), add(v3(b.al), al)
        f = half(W.added[i], 0, lin, ang)
        M = sub(M, add(half(W.added[i], 3, lin, ang), cross(r, f)))
    return M


@kernel
def from_ball(t, y, A, W):
    """Turn a start given as quaternion and rates of the tower's joint into angles; False at their pole."""
    move(t, A, W)
    R = from_quaternion(y[0], y[1], y[2], y[3])  # of the ball, four numbers and three rates
    k, w = A.bodies[0].first, ZERO
    for i in range(3):
        w = axpy(y[BALL_RATES + i], v3(A.coordinates[k + i].axis_D), w)
    s = math.hypot(R[2], R[5])
    if not (s > POLE and abs(R[8]) > POLE):
        return False
    _, _, _, B_drawn = topside(A)
    beta, _, _ = yaw_of_spin_axis(B_drawn, A, W)
    B = matvec(R, (-math.sin(beta), math.cos(beta), 0.0))
    y[THETA_1], y[THETA_2], y[ETA] = math.atan2(s, R[8]), math.atan2(R[2], -R[5]), math.atan2(R[6], R[7])
    y[PHI] = math.atan2(-B[0], B[1])
    w = matvec(about_z(y[ETA]), w)
    y[THETA_1_RATE], y[THETA_2_RATE] = w[0], w[1] / s
    y[ETA_RATE] = w[2] - y[THETA_2_RATE] * R[8]
    return True


@kernel
def drift(y, dy, A):
    """Write the rates of the tower's angles; phi' stays as `rhs` left it, for it needs the yaw rate."""
    dy[THETA_1], dy[THETA_2], dy[ETA] = y[THETA_1_RATE], y[THETA_2_RATE], y[ETA_RATE]
