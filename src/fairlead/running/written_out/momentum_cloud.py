"""The momentum cloud as the MCM paper prints it: P1, Q1, P2, Q2 and their rates, sums of transforms over all bodies.

Equations 7-20 with ERRATA 2 (relative rates, and outboard bodies only, in Q1) and 15 (rates of Q1 and Q2), in the axes
C_s of the base. The kernels find the same momentum in one outward sweep (`core/formulations/cloud/pipeline.py`); this
is what they are held against. C_i^0 is fixed in the inboard body and parallel to C_i in the drawing, where all axes are
those of the base, so T_{Ci0 -> Ci-1} = 1. Beyond the paper: slides, joints of several coordinates, wheels.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def hat(v: Array) -> Array:
    """Return the matrix of the cross product with v."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


@dataclass
class Joint:
    """Motion of C_i in C_i^0 with two derivatives: transform T_{Ci -> Ci0}, slide of the joint's point, and rate."""

    T: Array = field(default_factory=lambda: np.eye(3))
    dT: Array = field(default_factory=lambda: np.zeros((3, 3)))
    ddT: Array = field(default_factory=lambda: np.zeros((3, 3)))
    s: Array = field(default_factory=lambda: np.zeros(3))
    ds: Array = field(default_factory=lambda: np.zeros(3))
    dds: Array = field(default_factory=lambda: np.zeros(3))
    rate: Array = field(default_factory=lambda: np.zeros(3))  # omega_Bi^{Ci0}
    drate: Array = field(default_factory=lambda: np.zeros(3))

    def turn(self, R: Array, w: Array, dw: Array) -> None:
        """Add a turn R with rate w and w', in the axes reached so far."""
        self.rate = self.rate + self.T @ w
        self.drate = self.drate + self.dT @ w + self.T @ dw
        dR, ddR = hat(w) @ R, (hat(dw) + hat(w) @ hat(w)) @ R
        self.T, self.dT, self.ddT = (
            self.T @ R,
            self.dT @ R + self.T @ dR,
            self.ddT @ R + 2 * self.dT @ dR + self.T @ ddR,
        )

    def slide(self, d: Array, v: Array, a: Array) -> None:
        """Add a slide d with its rates v and a, in the axes reached so far."""
        self.s = self.s + self.T @ d
        self.ds = self.ds + self.dT @ d + self.T @ v
        self.dds = self.dds + self.ddT @ d + 2 * self.dT @ v + self.T @ a


@dataclass(frozen=True)
class Link:
    """A body, its inboard body (-1 for the base) and its joint; components in C_i (to the joint: in C_{i-1})."""

    inboard: int
    mass: float
    inertia: Array
    wheels: Array  # stored momentum
    to_joint: Array  # rho_{J/G_{i-1}}
    from_joint: Array  # rho_{G_i/J}
    joint: Joint


class Chain:
    """Transforms to C_s (Eqs. 10, 18) and radius vectors (Eqs. 11, 20) of every body with two local derivatives."""

    def __init__(self, links: list[Link]) -> None:
        self.links, zero = links, np.zeros(3)
        self.mass = np.array([link.mass for link in links])
        self.T, self.dT, self.ddT = [np.eye(3)], [np.zeros((3, 3))], [np.zeros((3, 3))]  # T_{Ci -> Cs}
        self.r, self.dr, self.ddr = [zero], [zero], [zero]  # rho_{Gi/G1}
        self.outboard = [[0]]  # of each joint the bodies that it carries
        for i, link in enumerate(links[1:], start=1):
            self._grow(i, link)
        self.rho, self.drho, self.ddrho = (self._from_centre(part) for part in (self.r, self.dr, self.ddr))

    def _grow(self, i: int, link: Link) -> None:
        p, j = link.inboard, link.joint
        T, dT, ddT = self.T[p], self.dT[p], self.ddT[p]
        self.T.append(T @ j.T)  # Eq. 10
        self.dT.append(dT @ j.T + T @ j.dT)  # Eq. 18
        self.ddT.append(ddT @ j.T + 2 * dT @ j.dT + T @ j.ddT)
        arm, out = link.to_joint + j.s, link.from_joint
        self.r.append(self.r[p] + T @ arm + self.T[i] @ out)  # Eq. 11
        self.dr.append(self.dr[p] + dT @ arm + T @ j.ds + self.dT[i] @ out)  # Eq. 20
        self.ddr.append(self.ddr[p] + ddT @ arm + 2 * dT @ j.ds + T @ j.dds + self.ddT[i] @ out)
        self.outboard.append([i])
        while p > 0:
            self.outboard[p].append(i)
            p = self.links[p].inboard

    def _from_centre(self, vectors: list[Array]) -> Array:
        """Return vectors from G_1 as vectors from G_s: rho_{Gi/Gs}, Eq. 11."""
        found = np.array(vectors)
        return found - self.mass @ found / self.mass.sum()


@dataclass(frozen=True)
class Coefficients:
    """P1, Q1, P2, Q2 and the wheels' momentum, with their local derivatives in C_s."""

    P1: Array
    Q1: Array
    P2: Array
    Q2: Array
    wheels: Array

    @property
    def P(self) -> Array:
        """Return P1 + P2."""
        return self.P1 + self.P2

    @property
    def Q(self) -> Array:
        """Return Q1 + Q2 and the wheels' momentum."""
        return self.Q1 + self.Q2 + self.wheels


def coefficients(c: Chain) -> Coefficients:
    """Return the coefficients of the angular momentum H = (P1 + P2) omega + Q1 + Q2. Eqs. 14, 15."""
    P1, Q1, P2, Q2, wheels = np.zeros((3, 3)), np.zeros(3), np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    for i, link in enumerate(c.links):
        P1 += c.T[i] @ link.inertia @ c.T[i].T
        P2 += link.mass * (c.rho[i] @ c.rho[i] * np.eye(3) - np.outer(c.rho[i], c.rho[i]))  # Eq. 15
        Q2 += link.mass * np.cross(c.rho[i], c.drho[i])
        wheels += c.T[i] @ link.wheels
        if i > 0:
            T0 = c.T[link.inboard]  # T_{Ci0 -> Cs}
            for j in c.outboard[i]:
                Q1 += c.T[j] @ c.links[j].inertia @ c.T[j].T @ T0 @ link.joint.rate
    return Coefficients(P1, Q1, P2, Q2, wheels)


def coefficient_rates(c: Chain) -> Coefficients:
    """Return their local derivatives. Eqs. 17, 19 with ERRATA 15."""
    P1, Q1, P2, Q2, wheels = np.zeros((3, 3)), np.zeros(3), np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    for i, link in enumerate(c.links):
        P1 += c.dT[i] @ link.inertia @ c.T[i].T + c.T[i] @ link.inertia @ c.dT[i].T
        rho, drho = c.rho[i], c.drho[i]
        P2 += link.mass * (2 * rho @ drho * np.eye(3) - np.outer(drho, rho) - np.outer(rho, drho))  # Eq. 19
        Q2 += link.mass * np.cross(rho, c.ddrho[i])
        wheels += c.dT[i] @ link.wheels
        if i > 0:
            T0, dT0 = c.T[link.inboard], c.dT[link.inboard]
            for j in c.outboard[i]:
                T, dT, I = c.T[j], c.dT[j], c.links[j].inertia
                inner, rate = T @ I @ T.T @ T0, dT @ I @ T.T @ T0 + T @ I @ (dT.T @ T0 + T.T @ dT0)
                Q1 += rate @ link.joint.rate + inner @ link.joint.drate
    return Coefficients(P1, Q1, P2, Q2, wheels)


def rate_matrix(X5: float, X6: float) -> Array:
    """Return T_omega of Eqs. 5 and 22: omega = T_omega (X4', X5', X6'); its (3, 1) entry is +sin X5, ERRATA 1."""
    s5, c5, s6, c6 = np.sin(X5), np.cos(X5), np.sin(X6), np.cos(X6)
    return np.array([[c5 * c6, s6, 0.0], [-c5 * s6, c6, 0.0], [s5, 0.0, 1.0]])


def remainder(X5: float, X6: float, dX: Array) -> Array:
    """Return RE of Eq. 22: omega' = T_omega (X4'', X5'', X6'') + RE."""
    s5, c5, s6, c6 = np.sin(X5), np.cos(X5), np.sin(X6), np.cos(X6)
    d4, d5, d6 = dX
    return np.array(
        [
            -d4 * d5 * s5 * c6 - d4 * d6 * c5 * s6 + d5 * d6 * c6,
            d4 * d5 * s5 * s6 - d4 * d6 * c5 * c6 - d5 * d6 * s6,
            d4 * d5 * c5,
        ]
    )
