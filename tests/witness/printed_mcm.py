"""The momentum cloud as the MCM paper prints it: P1, Q1, P2, Q2 in the axes C_s of the base, O(N^2) in transforms.

Equations 1-23 with ERRATA 1 (sign in T_omega), 2 (relative rates and outboard bodies only in Q1) and 15 (derivatives of
Q1 and Q2), for one free tree of revolute joints. T[i] stands for T_{Ci -> Cs}; dT, ddT are its local derivatives.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from witness.motions import coordinate_at
from witness.rne import Instant
from witness.spatial import drawn_rotation, hat


def accelerations(model, time=0.0):
    """Acceleration of the base's mass centre (world axes) and angular acceleration (body axes)."""
    instant = Instant(model, time)
    (tree,) = instant.trees
    chain = Chain(model, tree, time)
    base = model.bodies[tree[0].name]
    T_CsCI = drawn_rotation(base)
    omega = np.array(base.angular_velocity)
    force, moment = external(model, instant, chain, T_CsCI)
    P, dP, Q, dQ = coefficients(chain)
    H = P @ omega + Q  # Eq. 13

    # Eq. 23, solved for the second derivatives of the 1-2-3 angles; Eqs. 5, 21, 22
    X = Rotation.from_matrix(T_CsCI).as_euler("XYZ")
    T_omega = rate_matrix(X)
    dX = np.linalg.solve(T_omega, omega)
    RE = remainder(X, dX)
    known = moment - dP @ omega - dQ - P @ RE - np.cross(omega, H)
    ddX = np.linalg.solve(P @ T_omega, known)
    domega = T_omega @ ddX + RE

    # Eq. 1 for G_s, then Eq. 2 differentiated twice for G_1
    rho, drho, ddrho = chain.rho[0], chain.drho[0], chain.ddrho[0]
    relative = ddrho + 2 * np.cross(omega, drho) + np.cross(domega, rho) + np.cross(omega, np.cross(omega, rho))
    return force / chain.mass.sum() + T_CsCI @ relative, domega


def external(model, instant, chain, T_CsCI):
    """Sum of forces in C_I and of moments about G_s in C_s."""
    force, moment = chain.mass.sum() * np.array(model.gravity), np.zeros(3)
    for _, name, f, n in instant.loads().rows:
        force = force + f
        moment = moment + T_CsCI.T @ n + np.cross(chain.rho[chain.index[name]], T_CsCI.T @ f)
    return force, moment


class Chain:
    """Transforms (Eqs. 10, 18) and radius vectors (Eqs. 11, 20) of every body with two local derivatives each."""

    def __init__(self, model, tree, t):
        self.bodies = [model.bodies[link.name] for link in tree]
        self.index = {link.name: i for i, link in enumerate(tree)}
        self.mass = np.array([body.mass for body in self.bodies])
        self.inertia = [np.array(body.inertia) for body in self.bodies]
        self.T, self.dT, self.ddT = [np.eye(3)], [np.zeros((3, 3))], [np.zeros((3, 3))]
        self.T0, self.dT0 = [None], [None]  # T_{Ci0 -> Cs} and its derivative: C_i^0 is fixed in the inboard body
        self.rate, self.drate = [None], [None]  # omega_Bi^{Ci0} and its derivative
        self.r, self.dr, self.ddr = [np.zeros(3)], [np.zeros(3)], [np.zeros(3)]
        self.parent, self.outboard = [-1], [[0]]
        for i, link in enumerate(tree[1:], start=1):
            self._grow(i, link, model.joints[link.joint], t)
        self.rho, self.drho, self.ddrho = (self._from_centre(what) for what in (self.r, self.dr, self.ddr))

    def _grow(self, i, link, joint, t):
        p = self.index[link.inboard]
        inner, outer = self.bodies[p], self.bodies[i]
        R_p, R_i = drawn_rotation(inner), drawn_rotation(outer)
        sign = -1.0 if link.against else 1.0
        q, dq, ddq = (sign * value for value in coordinate_at(joint, "angle", "angle", t))
        e = R_i.T @ np.array(joint.axis)  # in C_i^0, parallel to the drawn C_i
        turn, E = Rotation.from_rotvec(e * q).as_matrix(), hat(e)  # T_{Ci -> Ci0}
        dturn = dq * E @ turn
        ddturn = ddq * E @ turn + dq**2 * E @ E @ turn
        fixed = R_p.T @ R_i  # T_{Ci0 -> Cp}
        T, dT, ddT = self.T[p], self.dT[p], self.ddT[p]
        self.T0.append(T @ fixed)
        self.dT0.append(dT @ fixed)
        self.T.append(T @ fixed @ turn)
        self.dT.append(dT @ fixed @ turn + T @ fixed @ dturn)
        self.ddT.append(ddT @ fixed @ turn + 2 * dT @ fixed @ dturn + T @ fixed @ ddturn)
        self.rate.append(e * dq)
        self.drate.append(e * ddq)
        to_joint = R_p.T @ (np.array(joint.point) - np.array(inner.position))
        from_joint = R_i.T @ (np.array(outer.position) - np.array(joint.point))
        self.r.append(self.r[p] + T @ to_joint + self.T[i] @ from_joint)
        self.dr.append(self.dr[p] + dT @ to_joint + self.dT[i] @ from_joint)
        self.ddr.append(self.ddr[p] + ddT @ to_joint + self.ddT[i] @ from_joint)
        self.parent.append(p)
        self.outboard.append([i])
        while p > 0:  # body i is outboard of every joint on its way to the base
            self.outboard[p].append(i)
            p = self.parent[p]

    def _from_centre(self, what):
        what = np.array(what)
        return what - self.mass @ what / self.mass.sum()


def coefficients(c):
    """P = P1 + P2, its local derivative, Q = Q1 + Q2 and its local derivative. Eqs. 14, 15, 17, 19."""
    P, dP, Q, dQ = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    for i, (m, I) in enumerate(zip(c.mass, c.inertia)):
        P += c.T[i] @ I @ c.T[i].T
        dP += c.dT[i] @ I @ c.T[i].T + c.T[i] @ I @ c.dT[i].T
        (p1, p2, p3), (d1, d2, d3) = c.rho[i], c.drho[i]
        P += m * np.array(
            [
                [p2**2 + p3**2, -p1 * p2, -p1 * p3],
                [-p1 * p2, p1**2 + p3**2, -p2 * p3],
                [-p1 * p3, -p2 * p3, p1**2 + p2**2],
            ]
        )
        dP += m * np.array(
            [
                [2 * (p2 * d2 + p3 * d3), -d1 * p2 - p1 * d2, -d1 * p3 - p1 * d3],
                [-d1 * p2 - p1 * d2, 2 * (p1 * d1 + p3 * d3), -d2 * p3 - p2 * d3],
                [-d1 * p3 - p1 * d3, -d2 * p3 - p2 * d3, 2 * (p1 * d1 + p2 * d2)],
            ]
        )
        Q += m * np.cross(c.rho[i], c.drho[i])
        dQ += m * np.cross(c.rho[i], c.ddrho[i])
    for i in range(1, len(c.mass)):
        inner, dinner = np.zeros((3, 3)), np.zeros((3, 3))
        for j in c.outboard[i]:
            to_j, dto_j = c.T[j].T @ c.T0[i], c.dT[j].T @ c.T0[i] + c.T[j].T @ c.dT0[i]  # T_{Ci0 -> Cj}
            inner += c.T[j] @ c.inertia[j] @ to_j
            dinner += c.dT[j] @ c.inertia[j] @ to_j + c.T[j] @ c.inertia[j] @ dto_j
        Q += inner @ c.rate[i]
        dQ += dinner @ c.rate[i] + inner @ c.drate[i]
    return P, dP, Q, dQ


def rate_matrix(X):
    """T_omega of Eq. 22, its (3, 1) entry +sin X5."""
    s5, c5, s6, c6 = np.sin(X[1]), np.cos(X[1]), np.sin(X[2]), np.cos(X[2])
    return np.array([[c5 * c6, s6, 0], [-c5 * s6, c6, 0], [s5, 0, 1]])


def remainder(X, dX):
    """RE of Eq. 22."""
    s5, c5, s6, c6 = np.sin(X[1]), np.cos(X[1]), np.sin(X[2]), np.cos(X[2])
    d4, d5, d6 = dX
    return np.array(
        [
            -d4 * d5 * s5 * c6 - d4 * d6 * c5 * s6 + d5 * d6 * c6,
            d4 * d5 * s5 * s6 - d4 * d6 * c5 * c6 - d5 * d6 * s6,
            d4 * d5 * c5,
        ]
    )
