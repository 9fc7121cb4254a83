"""The options of a run: what was given, else the model's `run`, else the defaults; and what is wrong with them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from fairlead.errors import InvalidInput, Problem
from fairlead.model.checks.checked import checked
from fairlead.model.compile import Compiled
from fairlead.model.fields import _plain
from fairlead.model.loads.moordyn import MoorDyn
from fairlead.model.messages import WrongField
from fairlead.model.run import RunAudit
from fairlead.model.run_words import CLOSINGS, INTEGRATORS, ROTATIONS, UNKNOWNS
from fairlead.model.schema import Model
from fairlead.model.time_grid import INSTANTS, grid_of, suggested_step
from fairlead.running.no_effect import effective
from fairlead.running.ramp import DRAWING, without_effect
from fairlead.running.steppers.tableaux import ADAPTIVE, method_of
from fairlead.units import short, to_si

TIMES = ("duration", "dt", "interval")
WORDS = {"rotation": ROTATIONS, "unknowns": UNKNOWNS, "closing": CLOSINGS}
DEFAULTS = {"formulation": "auto", "rotation": "quaternion", "unknowns": "omega", "closing": "auto", "start": "drawing"}
NAMES = (
    *TIMES,
    "formulation",
    "integrator",
    "output_every",
    "rotation",
    "rtol",
    "atol",
    "unknowns",
    "closing",
    "audit",
    "start",
    "ramp",
    "discard",
)
FROM_ZERO = ("ramp", "discard")  # times that may be zero
MOST_SAMPLES = 1e9  # of a controller over a run, each of which ends a step: more is a slip
ONCE_PER_STEP = 0.025  # [s] the step to try first with what is advanced once per step


def run_options(model: Model, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a run as `Simulation` takes them: every time in seconds, the method and the grid settled.

    What is not given comes from the model's `run`. Without `dt` the method is adaptive and `dt` the recorded grid.
    An option that would have no effect beside the others is refused.
    """
    model = checked(model)
    said = {name: getattr(model.run, name) for name in NAMES} if model.run is not None else {}
    stated = {name for name, value in said.items() if value not in (None, DEFAULTS.get(name))}  # a default says nothing
    given = {name: value for name, value in given.items() if name in NAMES and value is not None}
    if given.keys() & {"output_every", "interval"}:  # the call says when to record, not the model
        said = {name: value for name, value in said.items() if name not in ("output_every", "interval")}
    options = dict.fromkeys(NAMES) | {name: value for name, value in said.items() if value is not None} | given
    options = {name: DEFAULTS.get(name) if value is None else value for name, value in options.items()}
    if not _wrong_words(options):  # which are told below
        kept = effective(model, options, set(given), stated)
        options = {name: kept.get(name, DEFAULTS.get(name)) for name in options}
    if options["duration"] is None:
        raise InvalidInput("duration must be given, in the call or under 'run' in the model")
    found = settled(model, options | {"audit": audit_words(options["audit"])})
    from_drawing = isinstance(found["start"], str) and found["start"] == DRAWING
    if found["ramp"] and (problems := without_effect(model, from_drawing)):
        raise InvalidInput(problems)
    return found


def audit_words(given: Any) -> dict[str, float]:
    """Return the words of `audit` as a plain dictionary: {"tolerance": ...}, or nothing."""
    if not (given is None or isinstance(given, RunAudit | dict)):
        raise InvalidInput(f"audit must be a mapping such as {{'tolerance': 1e-5}}, got {given!r:.60}")
    try:
        found = given if isinstance(given, RunAudit) else RunAudit(**(given or {}))
    except InvalidInput as error:
        problems = [replace(problem, path=problem.path.replace("RunAudit", "audit")) for problem in error.problems]
        raise InvalidInput(problems) from None
    return found.model_dump(exclude_none=True)


def settled(model: Model, options: dict[str, Any]) -> dict[str, Any]:
    """Return options with times in seconds, method, dt and output_every decided; InvalidInput says what is wrong."""
    problems: list[Problem] = []
    options = {"longest": None} | dict(options) | {name: _seconds(name, options[name], problems) for name in TIMES}
    options |= {name: _seconds(name, options.get(name), problems, least=0.0) or None for name in FROM_ZERO}
    problems += _nothing_left(options)
    problems += _wrong_words(options)
    if not problems:
        problems += _too_many_samples(model, options["duration"])
    if not problems and options["dt"] is None:
        problems += _needs_step(model, options)
    if problems:
        raise InvalidInput(problems)
    try:
        grid = grid_of(options["duration"], options["dt"], options["output_every"], options.pop("interval"))
    except WrongField as wrong:
        raise InvalidInput([Problem(str(wrong), str(wrong.path[0]))]) from None
    method = method_of(options["integrator"], options["dt"])
    if options["dt"] is None:  # the longest step, so that a short pulse in a formula is not stepped over
        options["longest"] = options["duration"] / INSTANTS
    return options | {"dt": grid.dt, "output_every": grid.every, "integrator": method}


def time_in_seconds(name: str, value: Any) -> float:
    """Return a time given as a number or as a text with a unit, in seconds."""
    try:
        return to_si(_plain(value), "s")
    except ValueError as error:
        raise InvalidInput([Problem(str(error), name)]) from None


def _nothing_left(options: dict[str, Any]) -> list[Problem]:
    """Return the problem of a run whose statistics would have nothing left."""
    discard, duration = options["discard"], options["duration"]
    if not (discard and duration and discard >= duration):
        return []
    text = f"leaves nothing of the run, which lasts {duration:g} s; got {discard:g} s"
    return [Problem(text, "discard")]


def _seconds(name: str, value: Any, problems: list[Problem], least: float | None = None) -> float | None:
    """Return a time in seconds (positive, or `least` and more), or None after noting what is wrong with it."""
    if value is None:
        return None
    try:
        seconds = to_si(_plain(value), "s")
    except ValueError as error:
        problems.append(Problem(str(error), name))
        return None
    if least is None and not seconds > 0:
        problems.append(Problem(f"must be a positive number of seconds; got {short(value)}", name))
    elif least is not None and not least <= seconds < math.inf:
        problems.append(Problem(f"must be a number of seconds, zero or more; got {short(value)}", name))
    return seconds


def _wrong_words(options: dict[str, Any]) -> list[Problem]:
    """Return the problems of the options that are no times."""
    found = [
        Problem(f"must be one of {', '.join(choices)}; got {short(options[name])}", name)
        for name, choices in WORDS.items()
        if options[name] not in choices
    ]
    every, method = _plain(options["output_every"]), options["integrator"]
    if every is not None and (isinstance(every, bool) or not isinstance(every, int | float) or every < 1 or every % 1):
        found.append(Problem(f"must be a whole number of steps, at least 1; got {short(every)}", "output_every"))
    if method is not None and method not in INTEGRATORS:
        found.append(Problem(f"integrator '{method}' is not known; use one of {', '.join(INTEGRATORS)}"))
    return found + _wrong_tolerances(options["rtol"], options["atol"])


def _wrong_tolerances(rtol: Any, atol: Any) -> list[Problem]:
    problems = [
        Problem(f"must be a number, zero or more; got {short(value)}", name)
        for name, value in (("rtol", rtol), ("atol", atol))
        if value is not None and not (isinstance(_plain(value), int | float) and math.isfinite(value) and value >= 0)
    ]
    if not problems and rtol == 0 and atol == 0:
        problems = [Problem("is zero, and so is atol; one of them must be positive", "rtol")]
    return problems


def _too_many_samples(model: Model, duration: float) -> list[Problem]:
    """Return a problem for each controller that looks more often than any run could: each look ends a step."""
    return [
        Problem(
            f"is too short: in {duration:g} s the controller would look {duration / period:.2g} times; "
            f"give a period of at least {duration / MOST_SAMPLES:.1g} s, or none for a continuous one",
            f"controllers.{name}.period",
        )
        for name, word in model.controllers.items()
        if (period := getattr(word, "period", None)) and duration / period > MOST_SAMPLES
    ]


def _needs_step(model: Model, options: dict[str, Any]) -> list[Problem]:
    """Return why a run cannot choose its steps itself: a method of fixed step, or what is advanced once per step."""
    method, duration = options["integrator"], options["duration"]
    if method is not None and method not in ADAPTIVE:
        example = f"{suggested_step(duration):g} s"
        return [
            Problem(
                f"is required with integrator '{method}', whose steps are all of one size; for example dt: {example}, "
                "or leave the integrator out and it chooses its steps itself",
                "dt",
            )
        ]
    partners = [name for name, load in model.loads.items() if isinstance(load, MoorDyn)]
    if partners:
        example = f"{suggested_step(duration, ONCE_PER_STEP):g} s"
        text = f"is required with load '{partners[0]}', which is advanced once per step; for example dt: {example}"
        return [Problem(text, "dt")]
    return []


def check_spans(compiled: Compiled, begin: float, end: float) -> None:
    """Raise InvalidInput where a table does not cover the times from `begin` to `end`."""
    problems = span_problems(compiled, begin, end)
    if problems:
        raise InvalidInput(problems)


def span_problems(compiled: Compiled, begin: float, end: float) -> list[Problem]:
    """Return a problem for each table that does not cover the times from `begin` to `end`."""
    return [
        Problem(f"the table covers {first:g} s to {last:g} s, but {begin:g} s to {end:g} s is needed", path=path)
        for path, first, last in compiled.index.spans
        if first > begin or last < end
    ]
