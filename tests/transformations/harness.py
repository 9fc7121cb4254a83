"""Every model through every transformation that applies, in every formulation that accepts both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

import fairlead as fl
from fairlead.running.formulations.table import FORMULATIONS
from transformations import drawing, frames, runs, signals, units, world
from transformations.cases import STEPS, Case, case_names, case_of
from transformations.image import deviations
from transformations.known import KNOWN
from transformations.remake import LeftOut
from transformations.table import Change, Transformation

TABLE = (
    Transformation("turn the world", world.turn),
    Transformation("half a turn of the world", world.half_turn),
    Transformation("move the world", world.move),
    Transformation("mirror", world.mirror),
    Transformation("heavy platform", frames.heavy_platform, "heavy"),
    Transformation("moving frame", frames.moving_frame, "integrator"),
    Transformation("spin the base", frames.turning_table, "rk4"),
    Transformation("reorder", drawing.reorder, "integrator"),
    Transformation("rename", drawing.rename),
    Transformation("swap parent and child", drawing.swap_ends, "integrator"),
    Transformation("another base", drawing.other_base, "integrator"),
    Transformation("other body axes", drawing.other_axes, "integrator"),
    Transformation("split a body", drawing.split_body, "integrator"),
    Transformation("copy a joint", drawing.copy_joint, "integrator"),
    Transformation("driver as its reaction", signals.driver_as_force, "fitted", needs_run=True),
    Transformation("force as a table", signals.force_as_table),
    Transformation("number as a formula", signals.number_as_formula),
    Transformation("zero callable", signals.zero_callable),
    Transformation("scale", units.scale),
    Transformation("restart", runs.restart),
    Transformation("resume", runs.resume),
    Transformation("YAML against Python", runs.from_yaml),
    Transformation("record seldom", runs.recorded_seldom),
)
TRANSFORMATIONS = {row.name: row for row in TABLE}

# What a relation may be off, relative to the size of each variable. Rounding: 40 steps add up some hundred times 1e-16,
# times the condition of loops and light bodies (1e3 to 1e4). Integrator: both runs by dop853 at rtol 1e-11. Heavy: a
# platform of 1e8 times the mass moves by 1e-8 of what moves the machine, times the condition of its loops. Fitted: a
# polynomial stands for a recorded curve to 1e-6, or its second rate for an acceleration. rk4: 40 steps of its dt.
TOLERANCE = {"rounding": 1e-9, "integrator": 1e-6, "heavy": 1e-5, "fitted": 1e-5, "rk4": 1e-5}
TIGHT = {"integrator": "dop853", "rtol": 1e-11, "atol": 1e-13}
# Formulations whose unknowns are angles: turned, they integrate other numbers, so only the integrator's error is left.
ANGLES = ("kane", "two-body-313", "two-body", "three-body")
TURNING = ("turn the world", "half a turn of the world", "other body axes")


@dataclass(frozen=True)
class Triple:
    """One model, transformation and formulation: left out with a reason, or run with how far it was off."""

    case: str
    transformation: str
    formulation: str
    left_out: str = ""
    failed: str = ""
    worst: float = 0.0
    variable: str = ""
    known: str = ""

    @property
    def ran(self) -> bool:
        """Return whether it was run."""
        return not self.left_out


@dataclass
class Summary:
    """What a run of the harness says at its end."""

    triples: list[Triple] = field(default_factory=list)

    def text(self) -> str:
        """Return the counts, what was left out and why, and the worst deviation of each kind."""
        triples = list({(t.case, t.transformation, t.formulation): t for t in self.triples}.values())  # each once
        ran = [t for t in triples if t.ran]
        pairs = {(t.case, t.transformation) for t in triples}
        run_pairs = {(t.case, t.transformation) for t in ran}
        share = len(run_pairs) / max(len(pairs), 1)
        lines = [
            f"{len(ran)} triples (model, transformation, formulation) run, {len(triples) - len(ran)} left out; "
            f"{len(run_pairs)} of {len(pairs)} pairs (model, transformation), {share:.0%}"
        ]
        lines += [f"{'transformation':26}{'pairs':>6}{'triples':>9}  worst deviation"]
        for name in TRANSFORMATIONS:
            own = [t for t in ran if t.transformation == name]
            if own:
                worst = max((t for t in own if not t.known), key=lambda t: t.worst, default=own[0])
                where = f"{worst.variable} of {worst.case} in {worst.formulation}"
                lines.append(f"{name:26}{len({t.case for t in own}):>6}{len(own):>9}  {worst.worst:.1e} ({where})")
        reasons: dict[tuple[str, str], set[str]] = {}
        for t in triples:
            if t.left_out:
                reasons.setdefault((t.transformation, t.left_out), set()).add(f"{t.case}")
        lines.append("left out:")
        lines += [
            f"  {name}: {reason} ({len(who)}: {', '.join(sorted(who))})" for (name, reason), who in reasons.items()
        ]
        lines += [f"known: {t.case}, {t.transformation}, {t.formulation}: {t.known}" for t in ran if t.known]
        return "\n".join(lines)


def formulations_of(model: fl.Model) -> list[str]:
    """Return the formulations that accept a model."""
    return [name for name, one in FORMULATIONS.items() if not one.accepts(model)]


def options_of(class_: str, transformation: str, formulation: str) -> dict[str, Any]:
    """Return how both runs of a relation are integrated."""
    tight = class_ in ("integrator", "heavy", "fitted") or (formulation in ANGLES and transformation in TURNING)
    return dict(TIGHT) if tight else {}


def tolerance_of(class_: str, options: dict[str, Any]) -> float:
    """Return what a relation may be off."""
    return TOLERANCE["integrator" if options and class_ == "rounding" else class_]


class Runs:
    """The results of a case, each computed once."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.found: dict[Any, Any] = {}

    def first(self, model: fl.Model, formulation: str, options: dict[str, Any]) -> Any:
        """Return the result of a first model."""
        key = (id(model), formulation, tuple(options.items()))
        if key not in self.found:
            self.found[key] = model, simulate(model, self.case, formulation, options)
        return self.found[key][1]


def simulate(
    model: fl.Model, case: Case, formulation: str, options: dict[str, Any], change: Change | None = None
) -> Any:
    """Return the result of a model over the case's short run."""
    how = {"formulation": formulation, "progress": False, "output_every": 1, **options}
    run, time = fl.simulate, 1.0
    if change is not None:
        how |= change.options
        run, time = change.run or fl.simulate, change.time
    return run(model, case.duration * time, case.dt * time, **how)


def triples_of(case: Case, names: Iterable[str], only: Iterable[str] = ()) -> Iterable[Triple]:
    """Give the triples of a case with the named transformations."""
    runs_of_case = Runs(case)
    for name in names:
        row = TRANSFORMATIONS[name]
        try:
            change = row.change(case.model, None)
        except LeftOut as reason:
            yield Triple(case.name, name, "all", left_out=str(reason))
            continue
        for formulation in formulations_of(change.first or case.model):
            if only and formulation not in only:
                continue
            yield _triple(case, row, formulation, change, runs_of_case)


def _triple(case: Case, row: Transformation, formulation: str, change: Change, kept: Runs) -> Triple:
    what = (case.name, row.name, formulation)
    options = options_of(row.class_, row.name, formulation)
    if options and any(getattr(load, "type", "") == "moordyn" for load in case.model.loads.values()):
        options = {}
    refused = FORMULATIONS[formulation].accepts(change.model)
    if refused:
        return Triple(*what, left_out=f"{formulation} refuses the changed model")
    try:
        if row.needs_run:
            run = lambda model: kept.first(model, formulation, options)  # noqa: E731
            change = row.change(case.model, run)
            if FORMULATIONS[formulation].accepts(change.model):
                raise LeftOut(f"{formulation} refuses the changed model")
        one = kept.first(change.first or case.model, formulation, options)
        two = simulate(change.model, case, formulation, options, change)
        if change.options.get("output_every"):
            every = change.options["output_every"]
            one = one.isel(time=sorted({*range(0, STEPS + 1, every), STEPS}))
        found = deviations(one, two, change.image)
    except LeftOut as reason:
        return Triple(*what, left_out=str(reason))
    except Exception as error:  # a fault of any kind is one of this triple
        return _judged(Triple(*what, failed=f"{type(error).__name__}: {error}"))
    variable = max(found, key=lambda n: np.nan_to_num(found[n], nan=np.inf))
    worst = found[variable]
    allowed = tolerance_of(row.class_, options)
    failed = "" if worst <= allowed else f"{variable} is off by {worst:.2e} (allowed {allowed:g})"
    return _judged(Triple(*what, failed=failed, worst=worst, variable=variable))


def _judged(triple: Triple) -> Triple:
    """Return a triple with what is known of it: a known fault must fail, so that its mend shows."""
    known = KNOWN.get((triple.case, triple.transformation, triple.formulation), "")
    if not known:
        return triple
    fields = {name: getattr(triple, name) for name in ("case", "transformation", "formulation", "worst", "variable")}
    if triple.failed:
        return Triple(**fields, known=f"{known}: {triple.failed}")
    return Triple(**fields, failed=f"is right now, though known to be wrong ({known}); take it from known.py")


@cache
def static_pairs() -> dict[tuple[str, str], str]:
    """Return for each pair (model, transformation) why it is left out, nothing if it runs."""
    found = {}
    for label in case_names():
        one = case_of(label)
        for name, row in TRANSFORMATIONS.items():
            try:
                change = row.change(one.model, None)
                first = change.first or one.model
                both = [f for f in formulations_of(first) if not FORMULATIONS[f].accepts(change.model)]
                found[label, name] = "" if both else "no formulation takes both"
            except LeftOut as reason:
                found[label, name] = str(reason)
    return found
