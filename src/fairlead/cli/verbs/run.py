"""A model run into a directory and audited."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from fairlead.cli.common import conclude, count, loaded, note, placed_in, seconds
from fairlead.cli.options import AsJson, Changes, Floating, ModelFile, Quiet, Tolerance
from fairlead.model.run_words import CLOSINGS, FORMULATIONS, INTEGRATORS, ROTATIONS, STARTS, UNKNOWNS

Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="run directory to create; default NAME.run", show_default=False)
]


def run(
    file: ModelFile,
    out: Out = None,
    duration: Annotated[str | None, typer.Option(help="simulated time, for example '600 s'")] = None,
    dt: Annotated[
        str | None, typer.Option(help="step, for example '0.05 s'; without it an adaptive method chooses its steps")
    ] = None,
    integrator: Annotated[str | None, typer.Option(help=f"one of {', '.join(INTEGRATORS)}")] = None,
    formulation: Annotated[str | None, typer.Option(help=f"one of {', '.join(FORMULATIONS)}")] = None,
    unknowns: Annotated[str | None, typer.Option(help=f"of constrained: {' or '.join(UNKNOWNS)}")] = None,
    closing: Annotated[str | None, typer.Option(help=f"how loops are closed: {', '.join(CLOSINGS)}")] = None,
    rotation: Annotated[str | None, typer.Option(help=" or ".join(ROTATIONS))] = None,
    output_every: Annotated[int | None, typer.Option(help="record every so many steps")] = None,
    interval: Annotated[str | None, typer.Option(help="time between recorded instants, for example '0.5 s'")] = None,
    rtol: Annotated[float | None, typer.Option(help="relative tolerance of adaptive integrators")] = None,
    atol: Annotated[float | None, typer.Option(help="absolute tolerance of adaptive integrators")] = None,
    start: Annotated[str | None, typer.Option(help=f"where the run starts: {' or '.join(STARTS)}")] = None,
    start_from: Annotated[
        Path | None, typer.Option(help="run directory or result that the run goes on from, at its last instant")
    ] = None,
    start_at: Annotated[str | None, typer.Option(help="instant of --start-from, for example '120 s'")] = None,
    ramp: Annotated[str | None, typer.Option(help="time over which waves and wind are raised, e.g. '20 s'")] = None,
    discard: Annotated[str | None, typer.Option(help="time at the start that statistics leave out")] = None,
    tolerance: Tolerance = None,
    csv: Annotated[bool, typer.Option("--csv", help="also write result.csv")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace an earlier run of that name")] = False,
    floating_base: Floating = False,
    changes: Changes = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run a model into a new directory and audit the result; exit 1 if the audit fails (the result is kept)."""
    from fairlead.running.compiling import compiling_shown
    from fairlead.running.directory import run_in_directory
    from fairlead.running.options import run_options

    model = loaded(file, changes, floating_base=floating_base)
    given = {
        "duration": seconds(duration, "duration"),
        "dt": seconds(dt, "dt"),
        "integrator": integrator,
        "formulation": formulation,
        "rotation": rotation,
        "output_every": output_every,
        "interval": seconds(interval, "interval"),
        "rtol": rtol,
        "atol": atol,
        "unknowns": unknowns,
        "closing": closing,
        "start": _start(start, start_from, seconds(start_at, "start-at")),
        "ramp": seconds(ramp, "ramp"),
        "discard": seconds(discard, "discard"),
        "audit": None if tolerance is None else {"tolerance": tolerance},
    }
    options = run_options(model, given)
    directory = out or Path(f"{file.stem}.run")
    if not (quiet or as_json):
        print(understood(model, options))
        remark(model)
    with placed_in(file), compiling_shown():
        data = run_in_directory(model, options, directory, overwrite=overwrite, say=note)
    conclude(data, directory, tolerance, csv, as_json, quiet)


def _start(word: str | None, path: Path | None, at: float | None) -> Any:
    """Return the start that the options say: a word, or an instant of a result."""
    from fairlead.errors import InvalidInput, Problem
    from fairlead.running.starting import instant_of

    if word is not None and word not in STARTS:
        text = f"must be one of {', '.join(STARTS)}; got '{word}'; a result goes with --start-from"
        raise InvalidInput([Problem(text, "--start")])
    if word is not None and path is not None:
        raise InvalidInput([Problem("says where to start, and so does --start-from; keep one of them", "--start")])
    if at is not None and path is None:
        raise InvalidInput([Problem("is an instant of --start-from; give that too", "--start-at")])
    return word if path is None else instant_of(path, at)


def understood(model: Any, options: dict[str, Any]) -> str:
    """Return the model and the run that were understood, a line each for system, environment, method and record."""
    from fairlead.running.steppers.tableaux import ADAPTIVE

    roles = [joint.role(name) for joint in model.joints.values() for name in joint.coordinates]
    counted = ", ".join(f"{roles.count(role)} {role}" for role in ("driven", "locked", "free") if role in roles)
    mass = sum(body.mass for body in model.bodies.values())
    parts = [
        count(len(model.bodies), "body", "bodies") + f" ({mass:,.6g} kg)",
        count(len(model.joints), "joint", "joints") + (f" (coordinates: {counted})" if counted else ""),
        count(len(model.loads), "load", "loads") + _kinds(model),
    ]
    lines = [f"{model.name}: {', '.join(parts)}"]
    if model.environment is not None and (around := _around(model)):
        lines.append(f"in {around}")
    every = options["dt"] * options["output_every"]
    if options["integrator"] in ADAPTIVE:
        steps = f"{options['duration']:g} s by {options['integrator']} in steps it chooses, recorded every {every:g} s"
    else:
        steps = f"{options['duration']:g} s in steps of {options['dt']:g} s by {options['integrator']}"
    lines.append(f"{steps}, formulation {_formulation(model, options)}")
    rows = 1 + round(options["duration"] / every)
    lines.append(f"an instant every {every:g} s, {rows:,} in all: about {_size(model, rows)} on disk")
    return "\n".join(lines)


def _kinds(model: Any) -> str:
    """Return the kinds of loads with how many there are of each."""
    kinds = [str(load.type) for load in model.loads.values()]
    found = [f"{kinds.count(kind)} {kind}" if kinds.count(kind) > 1 else kind for kind in dict.fromkeys(kinds)]
    return f" ({', '.join(found)})" if found else ""


def _around(model: Any) -> str:
    """Return what is around the bodies, by its kinds."""
    from fairlead.model.environment.environment import wave_fields

    place = model.environment
    words = [f"{wave.type} waves" for wave in wave_fields(place) if wave.type != "still"]
    words += ["current"] if place.current is not None else []
    words += [f"{place.wind.type} wind"] if place.wind is not None else []
    words += [f"water {place.depth:g} m deep"] if place.depth is not None else []
    return ", ".join(words)


def _formulation(model: Any, options: dict[str, Any]) -> str:
    """Return the formulation, and of `auto` which it takes and why."""
    from fairlead.errors import InvalidInput
    from fairlead.model.topology import topology
    from fairlead.running.formulations.table import choose, first_choice

    asked = str(options["formulation"])
    if asked != "auto":
        return asked
    first = first_choice(options["integrator"], options.get("unknowns") or "omega", options.get("closing") or "")
    try:
        taken = choose(model, "auto", first).name
    except InvalidInput:  # the run itself says why
        return asked
    free = any(joint.role(name) == "free" for joint in model.joints.values() for name in joint.coordinates)
    loops = "closed loops" if topology(model).loops else "free joints" if free else "no free joint"
    return f"{taken} (auto: the cheapest that can run a system with {loops})"


def _size(model: Any, rows: int) -> str:
    """Return about how much disk a run takes: its log while it runs, its result, and a tenth for the rest."""
    from fairlead.model.loads.table import OUTPUTS
    from fairlead.record import RECORD, width_of

    loads = sum(len(load.on_bodies()) for load in model.loads.values())
    coordinates = sum(len(joint.coordinates) for joint in model.joints.values())
    counts = {"body": len(model.bodies), "joint": len(model.joints), "coordinate": coordinates, "load": loads}
    counts["controller"] = len(model.controllers)
    here = {name for load in model.loads.values() for name in type(load).outputs}
    words = [one for one in RECORD.values() if not one.optional] + [one for n, one in OUTPUTS.items() if n in here]
    size = 2.2 * 8 * rows * (1 + sum(width_of(one, counts) for one in words))
    return f"{size / 1e9:.1f} GB" if size > 1e9 else f"{size / 1e6:.1f} MB" if size > 1e5 else "0.1 MB"


def remark(model: Any) -> None:
    """Say what of a model has no effect or looks like a slip."""
    from fairlead.formats.check import check_words

    for problem in check_words(model):
        if problem.severity == "note":
            print(problem, file=sys.stderr)
