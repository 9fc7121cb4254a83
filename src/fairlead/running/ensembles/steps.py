"""Which step a study needs: steps tried on its first case, judged by the channels that it asks for."""

from __future__ import annotations

import math
import time as wall
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.auditing.audit import audit
from fairlead.errors import FairleadError, InvalidInput, NumericalFailure
from fairlead.model.schema import Model
from fairlead.results.summaries.series import series_of
from fairlead.running.ensembles.cases import Plan
from fairlead.running.modes.linearize import linearize
from fairlead.running.options import run_options
from fairlead.running.run import simulate

TRIAL = 300.0  # [s] that is run at most
TRIED = 6  # steps, each half of the one before
SUFFICES = 1e-3  # largest difference over a channel's deviation
NICE = (1.0, 2.0, 2.5, 5.0)


@dataclass(frozen=True)
class Tried:
    """One step: its largest difference from the finest, over the channel's deviation, its audit, and its cost."""

    dt: float
    error: float
    channel: str
    difference: float  # in that channel's unit
    units: str
    audit: bool
    seconds: float  # per simulated hour
    said: str = ""


@dataclass(frozen=True)
class Steps:
    """The steps that were tried, coarse to fine, and the coarsest that suffices, if one does."""

    case: str
    duration: float
    linear: float | None  # what the linear model suggests
    tried: list[Tried]

    @property
    def suggested(self) -> float | None:
        """Return the coarsest step that suffices."""
        return next((one.dt for one in self.tried if one.error <= SUFFICES and one.audit), None)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        tried = [{name: value for name, value in vars(one).items() if value != math.inf} for one in self.tried]
        return {"case": self.case, "suggested_dt": self.suggested, "of_linear_model": self.linear, "tried": tried}

    def table(self) -> str:
        """Return it as text."""
        cells = [("dt [s]", "largest difference", "of its deviation", "audit", "s per hour")]
        for one in self.tried:
            if one.said:
                cells.append((f"{one.dt:g}", one.said, "", "", ""))
                continue
            what = f"{one.difference:.2g} {one.units} in {one.channel}"
            cells.append(
                (f"{one.dt:g}", what, f"{one.error:.1e}", "pass" if one.audit else "FAIL", f"{one.seconds:.2g}")
            )
        widths = [max(len(line[i]) for line in cells) for i in range(5)]
        lines = [f"{self.case}, {self.duration:g} s"]
        lines += ["  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in cells]
        if self.linear is not None:
            lines.append(f"the linear model suggests {self.linear:.3g} s")
        found = self.suggested
        lines.append(f"dt: {found:g} s suffices" if found else "none of these suffices; take a smaller one, or no dt")
        return "\n".join(lines)


def steps_tried(plan: Plan) -> Steps:
    """Return what steps do to the first case of a study whose model is there."""
    case = next((one for one in plan.cases if one.base.model is not None), None)
    if case is None:
        raise InvalidInput("no model of this study can be read")
    base: Any = case.base.model
    model = base.with_(case.changes) if case.changes else base
    options = run_options(model, plan.options)
    suggested = _of_linear_model(model)
    coarsest = _nice(4.0 * suggested if suggested else min(1.0, float(options["dt"]) * 8.0))
    duration = max(coarsest, math.floor(min(TRIAL, float(options["duration"])) / coarsest) * coarsest)
    steps = [coarsest / 2**k for k in range(TRIED + 1)]
    runs = [_run(model, plan, dt, duration, coarsest) for dt in steps]
    finest = runs[-1]
    if isinstance(finest, str):
        raise NumericalFailure(f"even the step {steps[-1]:g} s does not carry the case: {finest}")
    tried = [_judged(dt, run, finest, plan) for dt, run in zip(steps[:-1], runs)]
    return Steps(case.name, duration, suggested, tried)


def _of_linear_model(model: Model) -> float | None:
    """Return the step that the linear model at rest suggests, None where there is no such."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = float(linearize(model).attrs.get("suggested_dt", math.nan))
    except FairleadError:
        return None
    return found if 0.0 < found < math.inf else None


def _nice(step: float) -> float:
    """Return the largest of 1, 2, 2.5, 5 times a power of ten that is not above a step."""
    power = 10.0 ** math.floor(math.log10(step))
    return max(one * power for one in NICE if one * power <= step * (1 + 1e-9))


def _run(model: Model, plan: Plan, dt: float, duration: float, interval: float) -> Any:
    """Return the Dataset of a trial and the seconds it took, or why it failed."""
    kept = {name: value for name, value in plan.options.items() if name in ("formulation", "rotation", "start", "ramp")}
    given = {**kept, "duration": duration, "dt": dt, "interval": interval}
    began = wall.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data = simulate(model, progress=False, discard=0.0, **given)
    except NumericalFailure as error:
        return str(error)
    return data, wall.perf_counter() - began


def _judged(dt: float, run: Any, finest: Any, plan: Plan) -> Tried:
    if isinstance(run, str):
        return Tried(dt, math.inf, "", math.inf, "", False, 0.0, "does not come to its end")
    (data, seconds), (exact, _) = run, finest
    names = list(plan.study.statistics)
    ours, theirs = series_of(data, names), series_of(exact, names)
    worst = (-1.0, "", 0.0, "")
    for name, one in ours.items():
        difference = float(np.max(np.abs(one.values - theirs[name].values)))
        scale = float(np.std(theirs[name].values))
        share = difference / scale if scale > 0.0 else 0.0
        worst = max(worst, (share, name, difference, one.units))
    share, name, difference, units = worst
    passed = audit(data, tolerance=_tolerance(plan)).passed
    return Tried(dt, share, name, difference, units, passed, seconds * 3600.0 / float(exact["time"][-1]))


def _tolerance(plan: Plan) -> float | None:
    given = plan.options.get("audit")
    return float(given["tolerance"]) if isinstance(given, dict) and "tolerance" in given else None
