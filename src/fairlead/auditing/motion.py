"""Whether recorded velocities are the rates of recorded positions, and angular velocities those of orientations.

Momentum alone does not show this: p_sys is zero by construction in procedures 2 and 4 of the Momentum tests. Over each
interval the recorded change is compared with the integral of the recorded rate, by rules of fourth order:

    r1 - r0  = h/2 (v0 + v1) + h^2/12 (a0 - a1)                        two-point Hermite quadrature
    R0^T R1  = exp(h/2 (w0 + w1) + h^2/12 (al0 - al1 + w0 x w1))       Magnus expansion, body axes

Accelerations that are not recorded are five-point differences of the rates. Two estimates of what sampling alone does
are made from the rates only, so an error in the table does not widen its own limit: the same rule on every second
sample (a smooth motion gives 15 times the error of the fine rule as the difference), and the change of the mean jerk
between neighbouring intervals, which bounds the rule's error where the acceleration has a kink (a line goes slack).

Whether the samples are close enough for that 15 is seen from every fourth sample: with differences D (all against
every second) and D' (every second against every fourth) the error left is D / (D'/D - 1), Richardson's extrapolation
with the order that the samples show. A smooth motion has D' = 16 D; a whip between the samples has D' near D, and then
D itself is what may be left.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.ndimage import maximum_filter1d

from fairlead.auditing.read import Block, System
from fairlead.numeric import rates_of, rotation_matrix

SAFETY = 10.0  # limit over the estimated sampling error
SMOOTH = 15.0  # a rule of fourth order errs 16 times as much on every second sample
FOURTHS = 9  # samples from which every fourth makes two intervals
NEAR = 16  # intervals on either side whose estimate counts, so that its zero crossings do not
COARSE = 0.3  # an interval whose limit is this part of the body's largest rate says nothing
LARGE_TURN = 1.0  # [rad] per interval; beyond it a rate cannot be told from its alias


def _wide(h: np.ndarray, like: np.ndarray) -> np.ndarray:
    return h.reshape(-1, *[1] * (like.ndim - 1))


def integral(time: np.ndarray, f: np.ndarray, fdot: np.ndarray) -> np.ndarray:
    """Return the integral of f over each interval: h/2 (f0 + f1) + h^2/12 (f'0 - f'1), error h^5/720 f''''."""
    h = _wide(np.diff(time), f)
    return h / 2 * (f[:-1] + f[1:]) + h * h / 12 * (fdot[:-1] - fdot[1:])


def sampling_error(time: np.ndarray, f: np.ndarray, fdot: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return two estimates per interval for `integral`: signed (every second sample) and the bound at kinks."""
    slope = rates_of(time, f) if fdot is None else fdot
    smooth = _against_half(time, f, fdot, 1) / SMOOTH
    h = _wide(np.diff(time), f)
    jerk = np.diff(slope, axis=0) / h
    around = np.concatenate([jerk[1:2], (jerk[:-2] + jerk[2:]) / 2, jerk[-2:-1]])
    return smooth, h**3 / 12 * np.abs(jerk - around)


def _against_half(time: np.ndarray, f: np.ndarray, fdot: np.ndarray | None, stride: int) -> np.ndarray:
    """Return the integral over every `stride`-th sample less that over every second of these, per interval."""
    parts = []
    for step in (stride, 2 * stride):
        part = slice(None, None, step)
        parts.append(integral(time[part], f[part], rates_of(time[part], f[part]) if fdot is None else fdot[part]))
    fine, coarse = parts
    pairs = len(fine) // 2
    apart = fine[: 2 * pairs].reshape(pairs, 2, *fine.shape[1:]).sum(1) - coarse[:pairs]
    return _spread_out(apart / (2 * stride), 2 * stride, len(time) - 1)


def _slopes_against_half(time: np.ndarray, f: np.ndarray, stride: int) -> np.ndarray:
    """Return what differences instead of recorded accelerations do per interval, by slopes of every second sample.

    h^2/12 (e0 - e1) with e the slope's change: what one interval gains of it the next loses, so that the sums over two
    intervals do not show it.
    """
    part = slice(None, None, stride)
    t, values = time[part], f[part]
    change = rates_of(t, values)
    for half in (slice(None, None, 2), slice(1, None, 2)):
        change[half] -= rates_of(t[half], values[half])
    h = _wide(np.diff(t), f)
    return _spread_out(np.linalg.norm(h * h / 12 * np.diff(change, axis=0), axis=-1) / stride, stride, len(time) - 1)


def _spread_out(values: np.ndarray, times: int, count: int) -> np.ndarray:
    """Return each value so many times, the last one up to `count` in all."""
    wide = np.repeat(values, times, axis=0)[:count]
    return np.concatenate([wide, np.repeat(wide[-1:], count - len(wide), axis=0)])


def extrapolated(fine: np.ndarray, coarse: np.ndarray | None = None) -> np.ndarray:
    """Return what is left of the error from its differences D and D' per interval: D / (D'/D - 1), D at most.

    Neighbours are looked at together, so that a difference that passes through zero is not taken for a small one.
    """
    if coarse is None:
        return fine  # too few samples to see how the error shrinks
    near, far = (maximum_filter1d(part, 2 * NEAR + 1, axis=0, mode="nearest") for part in (fine, coarse))
    ratio = np.where(near > 0, far / np.maximum(near, 1e-300), 1 + SMOOTH)
    return fine / np.clip(ratio - 1, 1.0, SMOOTH)


def _allowance(time: np.ndarray, smooth: np.ndarray, kink: np.ndarray, slope: np.ndarray, held: bool) -> np.ndarray:
    """Return the error sampling may make per interval, as a rate (n - 1, B), from the sizes of the two estimates."""
    h = np.diff(time)[:, None]
    allowance = SAFETY * smooth + np.linalg.norm(kink, axis=-1)
    if held:  # loads held over each step: the acceleration jumps, and only the trapezoidal rule is to be had
        allowance = allowance + h * h / 3 * np.linalg.norm(np.diff(slope, axis=0), axis=-1)
    return maximum_filter1d(allowance / h, 2 * NEAR + 1, axis=0, mode="nearest")


@dataclass(frozen=True)
class Defects:
    """How far each interval's change is from the integral of its rate, and what may explain it: rates (n - 1, B)."""

    defect: np.ndarray
    sampling: np.ndarray  # motion between the samples
    rounding: np.ndarray  # of double precision
    printing: np.ndarray  # of the printed digits of a table
    still: float  # a rate this small is none: the printed digits of the rates themselves


@dataclass
class Worst:
    """The interval of a motion check nearest to its limit, and how many intervals could be judged."""

    what: str  # "position" or "orientation"
    unit: str
    scale: float  # rate that counts as one
    tolerance: float
    moving: np.ndarray  # (B) largest rate of each body
    ratio: float = -1.0
    value: float = 0.0
    limit: float = 0.0
    body: int = 0
    time: float = 0.0
    judged: np.ndarray = field(default_factory=lambda: np.zeros(0))
    illegible: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (B) intervals lost to the printed digits
    printing: float = 0.0  # largest rate that the printed digits alone explain
    intervals: int = 0

    def take(self, time: np.ndarray, found: Defects, turning: np.ndarray) -> None:
        """Judge the intervals of one block: rates (n - 1, B), `turning` in rad.

        An interval says nothing where sampling may do as much as the motion itself; where the printed digits of a table
        may, it can only fail.
        A body at rest has no such motion: its positions must stand still to within rounding, and that is judged.
        """
        floor = self.tolerance * self.scale
        noise = found.rounding + found.printing
        resting = self.moving <= found.rounding + found.still
        fine = (found.sampling <= COARSE * self.moving) | (found.sampling <= np.maximum(floor, noise))
        legible = resting | (noise <= np.maximum(COARSE * self.moving, floor))
        sure = fine & (turning <= LARGE_TURN)
        limit = np.maximum(np.maximum(floor, found.sampling + noise), 1e-300)
        ratio = np.where(sure, found.defect / limit, -1.0)
        self.judged = (sure & legible).sum(0) + (self.judged if len(self.judged) else 0)
        self.illegible = (~legible).sum(0) + (self.illegible if len(self.illegible) else 0)
        self.printing = max(self.printing, float(np.max(found.printing)))
        self.intervals += len(found.defect)
        k, body = np.unravel_index(int(np.argmax(ratio)), ratio.shape)
        if ratio[k, body] > self.ratio:
            self.ratio, self.body, self.time = float(ratio[k, body]), int(body), float(time[k])
            self.value, self.limit = float(found.defect[k, body]), float(limit[k, body])


def judge_block(system: System, block: Block, place: Worst, attitude: Worst, *, held: bool) -> None:
    """Add one block to the position and orientation checks."""
    h = np.diff(block.time)[:, None]
    speed = np.linalg.norm(block.w_WB_W, axis=-1)
    turning = h * np.maximum(speed[:-1], speed[1:])
    place.take(block.time, _place(system, block, held), turning)
    attitude.take(block.time, _attitude(system, block, held), turning)


def _strides(time: np.ndarray) -> tuple[int, ...]:
    """Return the strides whose rules are compared: of all samples and, where there are enough, of every second."""
    return (1, 2) if len(time) >= FOURTHS else (1,)


def _place(system: System, block: Block, held: bool) -> Defects:
    """Return the defects of r1 - r0 = integral of v [m/s]."""
    time, r_WB_W, v_WB_W, a_WB_W = (block.time, *(block.row.get(n) for n in ("position", "velocity", "acceleration")))
    assert r_WB_W is not None and v_WB_W is not None
    h = np.diff(time)[:, None]
    slope = rates_of(time, v_WB_W) if a_WB_W is None else a_WB_W
    defect = np.linalg.norm(np.diff(r_WB_W, axis=0) - integral(time, v_WB_W, slope), axis=-1) / h
    _, kink = sampling_error(time, v_WB_W, a_WB_W)
    apart = [np.linalg.norm(_against_half(time, v_WB_W, a_WB_W, stride), axis=-1) for stride in _strides(time)]
    if a_WB_W is None:
        apart = [part + _slopes_against_half(time, v_WB_W, s) for part, s in zip(apart, _strides(time), strict=True)]
    rounding = 8 * np.finfo(float).eps * np.abs(r_WB_W).max() / h
    printing = 4 * (system.printed["position"] / h + system.printed["velocity"])  # two ends, three axes
    printing = printing + 2 * system.printed["time"] / h * np.linalg.norm(v_WB_W[1:], axis=-1)
    sampling = _allowance(time, extrapolated(*apart), kink, slope, held)
    return Defects(defect, sampling, rounding, printing, 4 * system.printed["velocity"])


def _attitude(system: System, block: Block, held: bool) -> Defects:
    """Return the defects of R1 = R0 exp(Omega) [rad/s]."""
    # A body of which only world-axes quantities are known is seen through its transpose: d(R^T)/dt = R^T (-w_W)~
    sign = np.where(system.attitude_known, 1.0, -1.0)[:, None]
    time, w_B, al_B = block.time, sign * block.row["angular_velocity"], block.row.get("angular_acceleration")
    al_B = None if al_B is None else sign * al_B
    slope = rates_of(time, w_B) if al_B is None else al_B
    E = magnus(time, w_B, slope)
    error = np.swapaxes(block.R_WB[:-1] @ E, -1, -2) @ block.R_WB[1:]
    defect = _angle(error)
    blind = ~system.attitude_known
    if blind.any():
        defect[:, blind] = _inertia_defect(np.broadcast_to(block.inertia, block.R_WB.shape)[:, blind], E[:, blind])
    h = np.diff(time)[:, None]
    _, kink = sampling_error(time, w_B, al_B)
    apart = [_magnus_against_half(time, w_B, al_B, stride) for stride in _strides(time)]
    if al_B is None:
        apart = [part + _slopes_against_half(time, w_B, s) for part, s in zip(apart, _strides(time), strict=True)]
    sampling = _allowance(time, extrapolated(*apart), kink, slope, held)
    printing = 8 * system.printed["orientation"] / h + 4 * system.printed["angular_velocity"]  # an angle is 2 |dq|
    printing = printing + 2 * system.printed["time"] / h * np.linalg.norm(w_B[1:], axis=-1)
    if blind.any():
        printing = printing + np.where(blind, _inertia_digits(system, block), 0.0) / h
    return Defects(defect / h, sampling, 1e-14 / h, printing, 4 * system.printed["angular_velocity"])


def _inertia_digits(system: System, block: Block) -> float:
    """Return the turn [rad] that the printed digits of world-axes inertias alone explain."""
    spread = _spread(block.inertia)
    seen = spread > 1e-9 * np.trace(block.inertia, axis1=-2, axis2=-1)
    return 6 * system.printed["inertia"] / float(spread[seen].min()) if seen.any() else 0.0


def magnus(time: np.ndarray, w: np.ndarray, al: np.ndarray) -> np.ndarray:
    """Return R0^T R1 of each interval from body-axes rates: exp(h/2 (w0 + w1) + h^2/12 (al0 - al1 + w0 x w1))."""
    h = _wide(np.diff(time), w)
    return rotation_matrix(_exponential(integral(time, w, al) + h * h / 12 * np.cross(w[:-1], w[1:])))


def _magnus_against_half(time: np.ndarray, w: np.ndarray, al: np.ndarray | None, stride: int) -> np.ndarray:
    """Return the angle [rad] per interval between `magnus` over every `stride`-th sample and every second of these."""
    parts = []
    for step in (stride, 2 * stride):
        part = slice(None, None, step)
        parts.append(magnus(time[part], w[part], rates_of(time[part], w[part]) if al is None else al[part]))
    fine, coarse = parts
    pairs = len(fine) // 2
    both = fine[: 2 * pairs : 2] @ fine[1 : 2 * pairs : 2]
    apart = _angle(np.swapaxes(both, -1, -2) @ coarse[:pairs])
    return _spread_out(apart / (2 * stride), 2 * stride, len(time) - 1)


def _inertia_defect(inertia: np.ndarray, E: np.ndarray) -> np.ndarray:
    """Return how far world-axes inertias fail to turn with the body, I1 = E^T I0 E, over their spread [rad]."""
    left = np.linalg.norm(inertia[1:] - np.swapaxes(E, -1, -2) @ inertia[:-1] @ E, axis=(-2, -1))
    spread = _spread(inertia)[:-1]
    seen = spread > 1e-9 * np.trace(inertia, axis1=-2, axis2=-1)[:-1]
    return np.where(seen, left / np.maximum(spread, 1e-300), 0.0)


def _spread(inertia: np.ndarray) -> np.ndarray:
    """Return how far inertias are from those of a ball: |I - trace/3| [kg m2]."""
    mean = np.trace(inertia, axis1=-2, axis2=-1)[..., None, None] / 3 * np.eye(3)
    return np.linalg.norm(inertia - mean, axis=(-2, -1))


def _exponential(vector: np.ndarray) -> np.ndarray:
    """Return the quaternion (scalar first) of a rotation vector."""
    half = np.linalg.norm(vector, axis=-1, keepdims=True) / 2
    return np.concatenate([np.cos(half), np.sinc(half / np.pi) * vector / 2], axis=-1)


def _angle(R: np.ndarray) -> np.ndarray:
    """Return the rotation angle of R, accurate for small ones: atan2(|axial part|, trace)."""
    axial = np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], axis=-1)
    return np.arctan2(np.linalg.norm(axial, axis=-1), np.trace(R, axis1=-2, axis2=-1) - 1)
