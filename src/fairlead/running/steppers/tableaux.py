"""Integrators as data: a tableau and a name."""

from __future__ import annotations

import numpy as np

from fairlead.core.stepping import Tableau
from fairlead.errors import InvalidInput

ADAPTIVE = ("rk45", "dop853")
WITH_STEP, WITHOUT_STEP = "rk4", "dop853"  # the methods of runs that do not name one


def method_of(named: str | None, dt: object) -> str:
    """Return the integrator of a run: the one it names, else the one for a step, or for none."""
    return named or (WITHOUT_STEP if dt is None else WITH_STEP)


def _fixed(a: list[list[float]], b: list[float], c: list[float]) -> Tableau:
    none = np.zeros(0)
    return Tableau(np.array(a), np.array(b), np.array(c), none, none, np.zeros((0, 4)), 0)


def rk4() -> Tableau:
    """Return the classical fourth-order method."""
    a = [[0.0] * 4, [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1.0, 0]]
    return _fixed(a, [1 / 6, 1 / 3, 1 / 3, 1 / 6], [0.0, 0.5, 0.5, 1.0])


def symplectic_euler() -> Tableau:
    """Return the scratch shape of symplectic Euler, whose two half steps are its own loop."""
    return _fixed([[0.0]], [1.0], [0.0])


def rk45() -> Tableau:
    """Return Dormand and Prince's 5(4) pair with its fourth-order interpolant (coefficients from scipy)."""
    from scipy.integrate import RK45

    a = np.zeros((7, 7))
    a[:6, :5] = RK45.A
    return Tableau(a, RK45.B.copy(), RK45.C.copy(), RK45.E.copy(), np.zeros(7), RK45.P.copy(), 4)


def dop853() -> Tableau:
    """Return the 8(5,3) pair of Hairer, Norsett and Wanner with its seventh-order interpolant (numbers from scipy)."""
    from scipy.integrate import DOP853

    a = np.zeros((16, 16))
    a[:12, :12] = DOP853.A
    a[13:, :] = DOP853.A_EXTRA
    c = np.concatenate([DOP853.C, [1.0], DOP853.C_EXTRA])
    return Tableau(a, DOP853.B.copy(), c, DOP853.E5.copy(), DOP853.E3.copy(), DOP853.D.copy(), 7)


def tableau(name: str) -> Tableau:
    """Return the tableau of an integrator by name."""
    makers = {"rk4": rk4, "symplectic-euler": symplectic_euler, "rk45": rk45, "dop853": dop853}
    makers["generalised-alpha"] = symplectic_euler  # implicit, with a loop of its own: only the scratch is used
    if name not in makers:
        raise InvalidInput(f"integrator '{name}' is not known; use one of {', '.join(makers)}")
    return makers[name]()
