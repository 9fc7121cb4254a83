"""The audit: momentum and energy of any trajectory, checked without knowing how it was computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.auditing.advice import advised
from fairlead.auditing.check import FAIL, PASS, UNDECIDED, Check
from fairlead.auditing.checks import all_checks, motion_check
from fairlead.auditing.motion import Worst, judge_block
from fairlead.auditing.partners import exchange_checks
from fairlead.auditing.read import MOTION, NotFinite, System, blocks, read_system
from fairlead.auditing.scales import scales
from fairlead.auditing.sums import Series, sums
from fairlead.errors import InvalidInput
from fairlead.results.reading import open_data

if TYPE_CHECKING:
    import xarray as xr

TOLERANCE = 1e-6  # relative, unless the run or the caller says otherwise
CASES = {
    "free": "no external force or moment",
    "gravity": "uniform gravity only",
    "general": "external forces",
}
PLACE = "velocity is the rate of position"
ATTITUDE = "angular velocity is the rate of orientation"


@dataclass(frozen=True)
class Audit:
    """The verdict on a run: `passed`, the checks behind it, and the momentum and energy series they were made of."""

    checks: list[Check]
    case: str  # "free", "gravity" or "general"
    momentum: xr.Dataset
    tolerance: float = TOLERANCE  # the relative tolerance it was judged by

    @property
    def passed(self) -> bool:
        """True if no check failed and at least one could be decided."""
        states = {check.status for check in self.checks}
        return FAIL not in states and PASS in states

    @property
    def failures(self) -> list[Check]:
        """The checks that failed."""
        return [check for check in self.checks if check.status == FAIL]

    @property
    def undecided(self) -> list[Check]:
        """The checks that the record cannot decide, each with the reason."""
        return [check for check in self.checks if check.status == UNDECIDED]

    def __getitem__(self, name: str) -> Check:
        """Return the check of this name."""
        for check in self.checks:
            if check.name == name:
                return check
        raise KeyError(f"no check '{name}'; there are: {', '.join(check.name for check in self.checks)}")

    def table(self) -> str:
        """Return the figures as plain text: each check with its deviation, limit, scale and verdict."""
        width = max(len(check.name) for check in self.checks)
        lines = [f"{'check':{width}}  {'deviation':>9}  {'limit':>9}  {'of':>20}  verdict"]
        for check in self.checks:
            value = "-" if check.value is None else f"{check.value:.2e}"
            scale = "-" if check.scale is None else f"{check.scale:.4g} {check.unit}".strip()
            verdict = check.status.upper()
            lines.append(f"{check.name:{width}}  {value:>9}  {check.tolerance:>9.2e}  {scale:>20}  {verdict}")
        lines += [f"{check.sentence} {check.advice}".rstrip() for check in self.checks if check.status != PASS]
        lines += self._by_digits()
        count = f"{len(self.failures)} failed, {len(self.undecided)} undecided of {len(self.checks)}"
        judged = f"{CASES[self.case]}; {count}; tolerance {self.tolerance:g}"
        return "\n".join([*lines, f"{'PASS' if self.passed else 'FAIL'} ({judged})"])

    def _by_digits(self) -> list[str]:
        """Return the line that names the checks which hold only because the table's numbers are rounded."""
        found = [
            f"{check.name} ({check.value:.1e}; rounding explains {check.rounding:.1e})"
            for check in self.checks
            if check.passed and check.by_digits(self.tolerance)
        ]
        return [f"within the printed digits only, above {self.tolerance:g}: {'; '.join(found)}"] if found else []

    def __str__(self) -> str:
        return self.table()

    def to_dict(self) -> dict[str, Any]:
        """Return verdict, case and checks as plain numbers and texts, ready for JSON."""
        checks = [check.to_dict() for check in self.checks]
        return {"passed": self.passed, "case": self.case, "tolerance": self.tolerance, "checks": checks}


def audit(
    data: Any,
    *,
    tolerance: float | None = None,
    case: str = "auto",
    held: bool | None = None,
    block: int = 4096,
) -> Audit:
    """Return the momentum and energy audit of a Dataset, a run directory or a NetCDF file.

    `tolerance` is relative to the scales of `audit_scales`; left out, it is the one that the run asked for (attribute
    `audit_tolerance`, from `run: {audit: {tolerance: ...}}`), else 1e-6. Checks that rest on sampled data get the
    estimated sampling error on top, and those of a printed table what its digits explain. `case` is found from the
    record unless given: "free", "gravity" or "general". `held` says that loads were held constant over each step
    (partners that are advanced once per step); it is read from the attribute `held_loads` if left out. `block` rows are
    in memory at a time.
    """
    if case not in ("auto", *CASES):
        raise InvalidInput(f"case must be auto, free, gravity or general, got {case!r}.")
    table = open_data(data)
    tolerance = _tolerance(table.attrs.get("audit_tolerance", TOLERANCE) if tolerance is None else tolerance)
    system = read_system(table)
    held = bool(table.attrs.get("held_loads", 0)) if held is None else held
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        return _audit(system, tolerance, case, held, max(int(block), 16))


def _tolerance(given: Any) -> float:
    """Return the tolerance as a number between 0 and 1; InvalidInput otherwise."""
    if isinstance(given, bool) or not isinstance(given, int | float | np.number) or not 0 < given < 1:
        raise InvalidInput(f"tolerance must be a number between 0 and 1 (1e-6 by default), got {given!r}.")
    return float(given)


def _audit(system: System, tolerance: float, case: str, held: bool, block: int) -> Audit:
    try:
        series, fastest, turning = _scan(system, block)
    except NotFinite as bad:
        check = Check("finite values", FAIL, None, 0.0, None, "", str(bad))
        case = "general" if case == "auto" else case
        return Audit(advised([check], system, tolerance), case, _momentum({}), tolerance)
    case = _case(system, series) if case == "auto" else case
    finite = Check("finite values", PASS, 0.0, 0.0, None, "", "finite values: all of them.")
    motion = _motion(system, series, fastest, turning, tolerance, held, block)
    checks = [finite, *motion, *all_checks(system, series, case, tolerance, held)]
    checks += exchange_checks(system.data, tolerance)
    return Audit(advised(checks, system, tolerance), case, _momentum(series), tolerance)


def _scan(system: System, size: int) -> tuple[Series, np.ndarray, np.ndarray]:
    """Return the series of the whole run, and the largest speed and rate of turn of each body."""
    parts: list[Series] = []
    fastest = turning = np.zeros(len(system.bodies))
    for block in blocks(system, size):
        part = sums(system, block)
        start = parts[0]["Rdot"][0] if parts else part["Rdot"][0]
        fastest = np.maximum(fastest, np.linalg.norm(block.row["velocity"] - start, axis=-1).max(0))
        turning = np.maximum(turning, np.linalg.norm(block.w_WB_W, axis=-1).max(0))
        parts.append({name: values[1:] for name, values in part.items()} if parts else part)
    series = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    series["total_mass"] = np.array([system.mass.sum()])
    return series, fastest, turning


def _case(system: System, series: Series) -> str:
    """Return which of the three cases the record shows."""
    outside = len(system.load_rows) + len(system.joint_rows) > 0
    if outside and ("F" not in series or series["size_F"].max() > 0 or series["size_N"].max() > 0):
        return "general"
    if np.any(system.g_W):
        return "gravity"
    return "general" if outside and _struck(series, system.pieces) else "free"


def _struck(series: Series, pieces: list[tuple[int, int]]) -> bool:
    """Return whether an event brought an impulse from outside, as a lock to the world does where nothing else acts."""
    reported = [series[name] for name in ("own_external_impulse", "own_external_angular_impulse") if name in series]
    return any(np.any(one[first] != one[first - 1]) for one in reported for first, _ in pieces[1:])


def _motion(
    system: System, s: Series, fastest: np.ndarray, turning: np.ndarray, tolerance: float, held: bool, size: int
) -> list[Check]:
    """Check velocities against positions and angular velocities against orientations, over every interval."""
    pieces = [piece for piece in system.pieces if piece[1] - piece[0] >= 4]
    if not pieces:
        few = "cannot be decided from fewer than five instants"
        few += "." if len(system.pieces) == 1 else " between two events; record more often."
        return [Check(name, UNDECIDED, None, tolerance, None, "", f"{name}: {few}") for name in (PLACE, ATTITUDE)]
    speed = scales(system, s, tolerance).speed
    spin = speed * float(np.sqrt(system.mass.sum() / s["span"].max())) if s["span"].max() > 0 else 0.0
    place = Worst("position", "m/s", max(float(fastest.max()), 1e-3 * speed), tolerance, fastest)
    attitude = Worst("orientation", "rad/s", max(float(turning.max()), 1e-3 * spin), tolerance, turning)
    for piece in pieces:
        for block in blocks(system, size, MOTION, piece):
            judge_block(system, block, place, attitude, held=held)
    short = sum(last - first for first, last in system.pieces if last - first < 4)
    place.intervals, attitude.intervals = place.intervals + short, attitude.intervals + short
    return [motion_check(PLACE, place, system.bodies), motion_check(ATTITUDE, attitude, system.bodies)]


SERIES = {
    "P": ("P_sys", "kg m/s", "linear momentum of the system"),
    "p": ("p_sys", "kg m/s", "linear momentum about the mass centre, zero by construction here"),
    "H": ("H_sys", "kg m2/s", "angular momentum about the system's mass centre"),
    "R": ("R", "m", "mass centre of the system"),
    "Rdot": ("Rdot", "m/s", "velocity of the mass centre of the system"),
    "F": ("external_force", "N", "external force, gravity left out"),
    "N": ("external_moment", "N m", "external moment about the system's mass centre"),
    "kinetic": ("kinetic_energy", "J", "kinetic energy, wheels at constant speed left out"),
    "potential": ("potential_energy", "J", "energy of uniform gravity"),
    "work": ("work", "J", "work of all loads and drivers since the start"),
}


def _momentum(series: Series) -> xr.Dataset:
    import xarray as xr

    variables = {}
    for short, (name, unit, meaning) in SERIES.items():
        if short in series:
            dims = ("time", "xyz")[: series[short].ndim]
            variables[name] = (dims, series[short], {"units": unit, "long_name": meaning})
    coords = {"xyz": list("xyz")} | ({"time": ("time", series["time"], {"units": "s"})} if series else {})
    return xr.Dataset(variables, coords=coords)
