"""Dissertation Chapter 2: linked angles and rate of momentum of the topside against geometry and differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.polynomial import Polynomial

import fairlead as fl
from fairlead.core.formulations.turbine import two_body_313 as chapter_2
from fairlead.running.simulation import Simulation
from support.turbine_models import SPIN, pinned

YAW = [0.4, 0.3, -0.1, 0.05]
# theta_1, theta_2, eta as functions of time: any smooth motion away from the poles
PATHS = [Polynomial([0.6, -0.2, 0.1, 0.03]), Polynomial([0.3, 0.5, -0.2, 0.1]), Polynomial([-0.7, 0.4, 0.3, -0.05])]
STEP = 1e-3


def rotation(axis: int, angle: float) -> Any:
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def spin_axis(t: float) -> Any:
    """Return B in the world from the bodies' own rotations; drawn along x, it leads the y axis by -90 degrees."""
    lean, precession, eta = (path(t) for path in PATHS)
    R = rotation(2, precession) @ rotation(0, lean) @ rotation(2, eta)
    return R @ rotation(2, Polynomial(YAW)(t)) @ np.array([1.0, 0.0, 0.0])


def precession_and_nutation(t: float) -> Any:
    """Return phi and theta by their meaning: B = Rz(phi) Rx(theta) z."""
    B = spin_axis(t)
    return np.array([np.arctan2(-B[0], B[1]), np.arcsin(B[2]) - np.pi / 2])


def derivative(f: Any, t: float, h: float = STEP) -> Any:
    """Return the derivative by five points, error h^4."""
    return (8 * (f(t + h) - f(t - h)) - f(t + 2 * h) + f(t - 2 * h)) / (12 * h)


@pytest.fixture(scope="module")
def machine() -> tuple[Any, Any]:
    simulation = Simulation(pinned(0.5, yaw=fl.Polynomial(YAW)), 1.0, 0.1, formulation="two-body-313")
    return simulation.arrays, simulation.work


def kernel_state(t: float, machine: tuple[Any, Any]) -> tuple[Any, tuple[float, ...]]:
    """Return the state at t, the scratch filled for it, and the second derivatives of the tower's angles."""
    phi = precession_and_nutation(t)[0]
    y = np.array([*(p(t) for p in PATHS), phi, *(p.deriv()(t) for p in PATHS), *np.zeros(40)])
    chapter_2.before(t, y, *machine)
    return y, tuple(float(p.deriv(2)(t)) for p in PATHS)


@pytest.mark.parametrize("t", [0.0, 0.4, 0.9])
def test_linked_angles(t: float, machine: tuple[Any, Any]):
    """Eq. 2.5 is exact; phi', phi'' (Eqs. 2.10-2.12) and theta', theta'' (the lost Eqs. 2.1-2.3) are derivatives."""
    y, dd = kernel_state(t, machine)
    alpha, dphi, ddphi, (dtheta, ddtheta) = chapter_2.topside_angles(dd, y, *machine)
    nutation = -np.pi / 2 + np.arctan(np.tan(y[0]) * np.cos(alpha))
    assert np.isclose(nutation, precession_and_nutation(t)[1], rtol=0, atol=1e-12)
    first = derivative(precession_and_nutation, t)
    second = derivative(lambda s: derivative(precession_and_nutation, s), t)
    # Five-point differences at 1e-3: truncation 1e-12, rounding 1e-13 in the first and 1e-10 in the second
    assert np.allclose((dphi, dtheta), first, rtol=0, atol=1e-10)
    assert np.allclose((ddphi, ddtheta), second, rtol=0, atol=1e-7)


@pytest.mark.parametrize("moments", [(2.35e7, 4.37e7, 2.54e7), (2.445e7, 4.37e7, 2.445e7)])
def test_rate_of_the_topside_s_momentum(moments: tuple[float, float, float], machine: tuple[Any, Any]):
    """Eqs. 2.27-2.29 with the general terms of ERRATA 4: dH/dt of a body whose I_A, I_B, I_C stay with A, B, C."""
    I_A, _, I_C = moments
    I_B = 4.37e7  # of the machine, whose drive turns at constant speed

    def momentum(t: float) -> Any:
        phi, theta = precession_and_nutation(t)
        dphi, dtheta = derivative(precession_and_nutation, t)
        lean, precession, _ = (path(t) for path in PATHS)
        d_lean, d_precession, d_eta = (path.deriv()(t) for path in PATHS)
        w = np.array([d_lean, d_precession * np.sin(lean), d_precession * np.cos(lean) + d_eta])  # Eq. 2.18
        w = rotation(2, precession) @ rotation(0, lean) @ w
        H = (I_C * dtheta, I_A * dphi * np.sin(theta), I_B * (w @ spin_axis(t) + SPIN))
        return rotation(2, phi) @ rotation(0, theta) @ H  # axes C, A, B to the world

    t = 0.4
    y, dd = kernel_state(t, machine)
    rate = np.array(chapter_2.topside_rate(dd, moments, y, *machine))
    world = rotation(2, y[1]) @ rotation(0, y[0]) @ rate
    assert np.allclose(world, derivative(momentum, t), rtol=0, atol=1e-7 * np.abs(rate).max())
