"""A model held still: driven joints where they are at a time, still water, mean wind."""

from __future__ import annotations

from typing import Any

from fairlead.errors import InvalidInput, Problem
from fairlead.model.controllers.base import AnyFeedback
from fairlead.model.controllers.baseline_turbine import BaselineTurbine
from fairlead.model.environment.environment import wave_fields
from fairlead.model.environment.wind import KaimalWind, SteadyWind
from fairlead.model.loads.moordyn import MoorDyn
from fairlead.model.motions import Controlled, Rate
from fairlead.model.schema import Model
from fairlead.model.topology import topology
from fairlead.running.formulations.refusals import is_commanded
from fairlead.running.simulation import Simulation

_last: list[tuple[Model, float, Model, list[str]]] = []  # the last one, for searches from many starts


def held_still(model: Model, time: float) -> tuple[Model, list[str]]:
    """Return the model that rests, and a sentence for each thing in which it differs from the given (checked) one."""
    for before, at, still, notes in _last:
        if before is model and at == time:
            return still, list(notes)
    still, notes = _made_still(model, time)
    _last[:] = [(model, time, still, list(notes))]
    return still, notes


def _made_still(model: Model, time: float) -> tuple[Model, list[str]]:
    """Return the same, made anew."""
    changes, notes = still_air_and_water(model, time)
    if model.events:
        changes["events"] = None
        notes.append("events are left out; loads that they add are there")
    calm = model.with_(changes) if changes else model  # turbulence moves no joint: yaw follows the mean direction
    moved, said = _held_joints(calm, time)
    if any(path.endswith(".motion") for path in moved):
        moved |= {f"controllers.{name}": None for name, one in calm.controllers.items() if not one.outputs()}
    return (calm.with_(moved) if moved else calm), notes + said


def still_air_and_water(model: Model, time: float) -> tuple[dict[str, Any], list[str]]:
    """Return the changes, by path, that leave waves and turbulence out, and a sentence for each.

    Lines of another program, which keeps its own time, are refused.
    """
    lines = [name for name, load in model.loads.items() if isinstance(load, MoorDyn)]
    if lines:
        text = "is another program's, which cannot be asked for its force at rest; use catenary lines instead"
        raise InvalidInput([Problem(text, path=f"loads.{name}") for name in lines])
    changes, notes = as_continuous(model)
    environment = model.environment
    if any(field.type != "still-water" for field in wave_fields(environment)):
        changes["environment.waves"] = None
        notes.append("waves are left out: the water is still")
    wind = environment.wind if environment is not None else None
    if isinstance(wind, KaimalWind):
        kept = {name: getattr(wind, name) for name in ("height", "exponent", "roughness", "changes")}
        mean = {name: value for name, value in kept.items() if value not in (None, ())}
        changes["environment.wind"] = SteadyWind(speed=wind.speed, direction=wind.direction, **mean)
        notes.append(f"turbulence is left out: the mean wind of {wind.speed:g} m/s")
    elif wind is not None and not (isinstance(wind, SteadyWind) and not wind.changes):
        notes.append(f"the wind is that at t = {time:g} s")
    return changes, notes


def as_continuous(model: Model) -> tuple[dict[str, Any], list[str]]:
    """Return the changes, by path, that leave continuous feedback alone, and a sentence for each."""
    changes: dict[str, Any] = {}
    notes, problems = [], []
    for name, word in model.controllers.items():
        if not isinstance(word, AnyFeedback) or not word.outputs():
            continue
        try:
            found = word.continuous()
        except ValueError as error:
            problems.append(Problem(f"{error}", path=f"controllers.{name}"))
            continue
        if found is None:
            changes |= _kept_where_it_starts(model, name)
            notes.append(f"'{name}' turns nothing where the machine stays as it is: what it commands is held")
        elif found != word:
            changes[f"controllers.{name}"] = found
            limits = ", and its limits of rate" if isinstance(word, BaselineTurbine) else ""
            notes.append(f"'{name}' is continuous: what its period of {word.every():g} s does is left out{limits}")
    if problems:
        raise InvalidInput(problems)
    return changes, notes


def _kept_where_it_starts(model: Model, controller: str) -> dict[str, Any]:
    """Return the changes that hold the joints which a controller commands where they start, and leave it out."""
    changes: dict[str, Any] = {f"controllers.{controller}": None}
    for name, joint in model.joints.items():
        own: dict[str, Any] = dict(joint.motion)
        for coordinate, motion in joint.motion.items():
            if isinstance(motion, Controlled) and motion.controller.partition(".")[0] == controller:
                start = motion.in_si(joint.coordinates[coordinate].kind)["start"]
                own[coordinate] = {"polynomial": [start]}
                changes[f"joints.{name}.motion"] = own
    return changes


def _held_joints(model: Model, time: float) -> tuple[dict[str, Any], list[str]]:
    """Return motions that hold driven joints where they are; joints that turn at a constant rate go on turning."""
    held: list[tuple[str, str]] = []
    turning: list[tuple[str, str]] = []
    for name, joint in model.joints.items():
        for coordinate, motion in joint.motion.items():
            if is_commanded(model, motion):
                continue
            steady = isinstance(motion, Rate) and joint.coordinates[coordinate].kind == "angle"
            (turning if steady else held).append((name, coordinate))
    outer = {edge.joint: edge.outboard for tree in topology(model).trees for edge in tree.edges.values()}
    notes = [
        f"'{name}.{coordinate}' goes on turning at its constant rate"
        + (f" with '{outer[name]}'" if name in outer else "")
        for name, coordinate in turning
    ]
    if not held:
        return {}, notes
    places = _places(model, time)
    changes: dict[str, Any] = {}
    for name in dict.fromkeys(name for name, _ in held):
        own: dict[str, Any] = dict(model.joints[name].motion)
        own |= {c: {"polynomial": [places[f"{name}.{c}"]]} for one, c in held if one == name}
        changes[f"joints.{name}.motion"] = own
    labels = ", ".join(f"'{name}.{coordinate}'" for name, coordinate in held)
    return changes, [*notes, f"held where driven at t = {time:g} s: {labels}"]


def _places(model: Model, time: float) -> dict[str, float]:
    """Return where each joint coordinate is at a time, driven ones above all."""
    simulation = Simulation(model, 1.0, 1.0, instant=time)
    compiled = simulation.compiled
    simulation.formulation.kernels.before(time, simulation.y, compiled.arrays, simulation.work)
    labels = compiled.index.coordinates
    rows = zip(compiled.arrays.coordinates["user"], simulation.work.coordinates["q"])
    return {labels[int(user)]: float(q) for user, q in rows}
