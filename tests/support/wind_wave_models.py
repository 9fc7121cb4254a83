"""The truncated spar in the wind and waves of Dissertation Figs. 32-34, and what is left open there as arguments.

The wind of the Dissertation blows along -Y and turns towards -X. Its (X, Y, Z) are our (y, -x, z): the first wind blows
along x, and the shift is one of -45 degrees. The rotor turns about x, clockwise seen from upwind, as that of the NREL
5 MW; the Dissertation does not say. With the other sense the motion is the mirror image of that after +45 degrees.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import root
from scipy.spatial.transform import Rotation

import fairlead as fl
from support.restoring_models import restoring_matrix

FILE = Path(__file__).parents[2] / "models" / "truncated_spar.yaml"
NAMES = ("X1t", "X2t", "X3t", "X4", "X5", "X6")
AXES = np.array([[0, 1.0, 0], [-1, 0, 0], [0, 0, 1]])  # our components to the Dissertation's
OC3_DAMPING = (1.0e5, 1.0e5, 1.3e5, 0, 0, 1.3e7)  # [N s/m], [N m s/rad] additional, of OC3-Hywind (family_*.yaml)
STILL = {"turbulence": None, "waves": False, "shift": 0.0}  # steady wind, still water
RATED, CT_RATED = 17.0, 0.19037  # [m/s], C_T there (ERRATA 19)


def falling(begin: float = 11.4) -> fl.Curve:
    """Return C_T of 5 MW with C_P = 0.7 C_T from `begin` on; at 11.4 m/s (rated, NREL 5 MW) C_P is then 0.44."""
    speeds = np.concatenate([[0.0], np.arange(begin, 40.01, 0.05)])
    return fl.Curve(speeds=speeds.tolist(), values=(CT_RATED * (RATED / np.maximum(speeds, begin)) ** 3).tolist())


def spar(
    seed: int = 1,
    *,
    ct: Any = None,
    turbulence: Any = "B",
    shift: float = -45.0,
    waves: bool = True,
    torque: bool = True,
    spin: bool = True,
    drag: bool = True,
    damping: Any = None,
) -> fl.Model:
    """Return the file's machine; `ct` None is its curve, `turbulence` None a steady wind."""
    model = fl.load(FILE)
    words: dict[str, Any] = {"height": 90.0, "exponent": 0.14}
    if shift:
        words["changes"] = (fl.DirectionChange(begin=100.0, by=f"{shift} deg"),)
    wind: Any = fl.SteadyWind(speed=18.2, **words)
    if turbulence is not None:
        wind = fl.KaimalWind(speed=18.2, turbulence=turbulence, seed=seed, duration=600.0, **words)
    sea = fl.Jonswap(5.0, 10.0, seed=seed) if waves else fl.StillWater()
    loads, joints = dict(model.loads), dict(model.joints)
    thrust = {} if ct is None else {"ct": ct}
    loads["thrust"] = loads["thrust"].model_copy(update=thrust if torque else {**thrust, "torque": 0.0})
    if not drag:
        loads["waves and drag"] = loads["waves and drag"].model_copy(update={"cd": 0.0})
    if damping is not None:
        loads["damping"] = fl.Matrix("tower", point=(0, 0, 0), damping=damping)
    if not spin:
        joints["spin"] = joints["spin"].model_copy(update={"motion": {"angle": fl.Rate(0.0)}})
    environment = model.environment.model_copy(update={"waves": sea, "wind": wind})
    return model.model_copy(update={"environment": environment, "loads": loads, "joints": joints})


def run(duration: float = 600.0, **choices: Any) -> Any:
    """Return the recorded run of `spar(**choices)`."""
    return fl.simulate(spar(**choices), duration, progress=False)


def coordinates(data: Any) -> Any:
    """Return X1t, X2t, X3t [m] of G_t and the 1-2-3 angles X4, X5, X6 [deg], in the axes of the Dissertation."""
    R_WT = Rotation.from_quat(data["orientation"].sel(body="tower").values, scalar_first=True).as_matrix()
    angles = Rotation.from_matrix(AXES @ R_WT @ AXES.T).as_euler("XYZ", degrees=True)
    place = (data["position"].sel(body="tower").values - [0, 0, -58.67]) @ AXES.T
    return np.column_stack([place, angles])


def lean(data: Any) -> Any:
    """Return the lean of the tower along x and y: the horizontal part of its upward axis."""
    R_WT = Rotation.from_quat(data["orientation"].sel(body="tower").values, scalar_first=True).as_matrix()
    return R_WT[:, :2, 2]


def slope(data: Any) -> float:
    """Return the least-squares slope of thrust over relative wind after 300 s, times mean wind over mean thrust.

    It is 2 for a fixed C_T and -1 for constant power; positive, it damps the motion and passes the turbulence on.
    """
    late = data["time"].values > 300
    V, T = (data[name].sel(load="thrust").values[late] for name in ("relative_wind", "thrust"))
    return float(np.cov(V, T)[0, 1] / np.var(V, ddof=1) * V.mean() / T.mean())


# Small motions about the lean in steady wind -------------------------------------------------------------------------


def standing(model: fl.Model, q: Any) -> fl.Model:
    """Return the model at rest with G_t moved by q[:3] [m] and the 1-2-3 angles q[3:] [rad] (our axes)."""
    base = fl.Free("world", "tower", point=(0, 0, -58.67), initial=dict(zip("xyzabc", map(float, q))))
    return model.model_copy(update={"joints": {"base": base, **model.joints}})


def equilibrium(model: fl.Model) -> Any:
    """Return q of `standing` at which a model in steady wind and still water stays."""

    def unbalanced(q: Any) -> Any:
        found = fl.accelerations(standing(model, q)).sel(body="tower")
        return np.concatenate([found["acceleration"].values, 100 * found["angular_acceleration"].values])

    return root(unbalanced, np.zeros(6), tol=1e-12).x


def rates(values: Any, dt: float, order: int) -> Any:
    """Return the complex rates of the sum of exponentials that a noiseless record is (matrix pencil), slowest first."""
    half = len(values) // 2
    rows = np.lib.stride_tricks.sliding_window_view(values, half + 1)
    V = np.linalg.svd(rows, full_matrices=False)[2][:order].T
    found = np.log(np.linalg.eigvals(np.linalg.pinv(V[:-1]) @ V[1:]).astype(complex)) / dt
    return sorted((rate for rate in found if rate.imag > 1e-2), key=lambda rate: rate.imag)


def planar_rate(c: float) -> complex:
    """Return the slow rate of surge and pitch with a thrust that changes by -c times the hub's velocity.

    M q'' + c b b^T q' + K q = 0 with b = (1, 90 m), about the still-water point: masses and strips of C_a = 1, the
    derivative of buoyancy and lines upright, and weight.
    """
    heights = np.linspace(-84.4, 0, 2001)
    z = 0.5 * (heights[1:] + heights[:-1])
    strip = 1025 * np.pi / 4 * np.interp(z, [-12, -4], [9.4, 6.5]) ** 2 * np.diff(heights)
    points = np.array([-58.67, 89.35, 90.0])
    masses = np.array([5273718.0, 240000.0, 110000.0])
    at, m = np.concatenate([points, z]), np.concatenate([masses, strip])
    about = 5.85e9 + 1743600 + 1.77e7 + 240000 * 1.9**2 + 110000 * 5.0**2
    M = np.array([[m.sum(), m @ at], [m @ at, m @ at**2 + about]])
    K = restoring_matrix()[1][np.ix_([0, 4], [0, 4])] - [[0, 0], [0, 9.80665 * masses @ points]]
    b = np.array([1.0, 90.0])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -c * np.linalg.solve(M, np.outer(b, b))]])
    return min((rate for rate in np.linalg.eigvals(A) if rate.imag > 0), key=lambda rate: rate.imag)


def small_swings() -> list[tuple[complex, complex]]:
    """Return the measured rate of pitch and `planar_rate` with C_T ~ V^-3 and with C_T fixed, about the same lean.

    Parked rotor, no torque, no drag, steady wind, still water.
    """
    curve, still = falling(), {**STILL, "torque": False, "spin": False, "drag": False}
    variable = spar(ct=curve, **still)
    q = equilibrium(variable)
    found = fl.accelerations(standing(variable, q))
    V, T = (float(found[name].sel(load="thrust")) for name in ("relative_wind", "thrust"))
    fixed = spar(ct=float(np.interp(V, curve.speeds, curve.values)), **still)
    tilt, swings = np.radians(0.02), []
    for model, c in ((variable, -T / V), (fixed, 2 * T / V)):
        start = standing(model, q + [11.33 * tilt, 0, 0, 0, tilt, 0])  # about the fairleads: little of surge and heave
        data = fl.simulate(start, 200.0, 0.05, output_every=20, progress=False)
        pitch = data["euler123"].sel(body="tower", xyz="y").values
        swings.append((rates(pitch, 1.0, 7)[0], planar_rate(c)))  # three modes and the lean itself
    return swings
