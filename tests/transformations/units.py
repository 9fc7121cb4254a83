"""Other units: lengths, masses and times of a model multiplied by constants."""

from __future__ import annotations

from typing import Any

import numpy as np

import fairlead as fl
from fairlead.model.environment.compile_wind import wind_in_time
from fairlead.model.environment.waves import Waves
from fairlead.model.environment.wind import WindTable
from transformations.image import Image
from transformations.kinds import CONTROLLERS, load_kind
from transformations.remake import (
    LeftOut,
    map_components,
    quoted,
    remade,
    scaled_command,
    scaled_joint,
    text_of,
    with_formulas,
)
from transformations.table import Change
from transformations.world import as_components

LENGTH, MASS, TIME = 0.02, 3e-4, 0.3


def scale(model: fl.Model, run: Any) -> Change:
    """Multiply lengths, masses and times; a member in waves keeps its length, by which its strips are placed."""
    length = 1.0 if any(load.type == "morison" for load in model.loads.values()) else LENGTH

    def unit(length_: int = 0, mass: int = 0, time: int = 0) -> float:
        return float(length**length_ * MASS**mass * TIME**time)

    for name, load in model.loads.items():
        if load_kind(load).file:
            raise LeftOut(f"the numbers of load '{name}' are in a file of its own")
    one = lambda length=0, mass=0, time=0: unit(length, mass, time)  # noqa: E731
    bodies = {name: _body(body, one) for name, body in model.bodies.items()}
    joints = {}
    for name, joint in model.joints.items():
        factors = {c: 1.0 if one.kind == "angle" else length for c, one in joint.coordinates.items()}
        places = {
            field: tuple(length * np.array(getattr(joint, field)))
            for field in ("point", "other_point", "parent_point", "child_point")
            if getattr(joint, field, None) is not None
        }
        if getattr(joint, "length", None) is not None:
            places["length"] = joint.length * length
        joints[name] = scaled_joint(joint, factors, one, **places)
    loads = {name: _load(load, one) for name, load in model.loads.items()}
    if any(one.outputs() for one in model.controllers.values()):
        raise LeftOut("gains and outputs of a feedback controller have units of their own")
    controllers = {
        name: remade(c, **{f: getattr(c, f) * TIME**p for f, p in CONTROLLERS[c.type].items() if isinstance(p, int)})
        for name, c in model.controllers.items()
    }
    changed = remade(
        model,
        bodies=bodies,
        joints=joints,
        loads=loads,
        controllers=controllers,
        gravity=tuple(one(length=1, time=-2) * np.array(model.gravity)),
        environment=_environment(model, one),
    )
    sizes = {"x": (1, 0), "y": (1, 0), "z": (1, 0), "vx": (1, -1), "vy": (1, -1), "vz": (1, -1)}
    sizes |= {"wx": (0, -1), "wy": (0, -1), "wz": (0, -1)}

    def channel(name: str, quantity: str) -> str:
        size = 1.0
        if name in model.bodies and quantity in sizes:
            size = one(length=sizes[quantity][0], time=sizes[quantity][1])
        elif name in model.joints:
            coordinates = model.joints[name].coordinates
            coordinate = next(iter(coordinates)) if quantity == "rate" else quantity.removesuffix("_rate")
            turning = coordinates[coordinate].kind == "angle"
            size = one(length=0 if turning else 1, time=-1 if quantity.endswith("rate") else 0)
        elif name in model.loads:
            powers = {"tension": (1, 1, -2), "thrust": (1, 1, -2), "power": (2, 1, -3)}
            size = unit(*powers.get(quantity, (1, 0, -1)))
        return f"({quoted(name)}.{quantity}/{text_of(size)})"

    changed = with_formulas(changed, channel, f"t/{text_of(TIME)}")
    return Change(changed, Image(unit=(length, MASS, TIME)), time=TIME)


def _body(body: Any, one: Any) -> Any:
    wheels = tuple(
        remade(w, inertia=w.inertia * one(length=2, mass=1), speed=w.speed * one(time=-1)) for w in body.wheels
    )
    return remade(
        body,
        mass=body.mass * one(mass=1),
        inertia=(np.array(body.inertia) * one(length=2, mass=1)).tolist(),
        position=tuple(np.array(body.position) * one(length=1)),
        velocity=tuple(np.array(body.velocity) * one(length=1, time=-1)),
        angular_velocity=tuple(np.array(body.angular_velocity) * one(time=-1)),
        wheels=wheels,
    )


def _load(load: Any, one: Any) -> Any:
    kind = load_kind(load)
    changes: dict[str, Any] = {
        name: tuple(np.array(getattr(load, name)) * one(length=1))
        for name in kind.points
        if getattr(load, name) is not None
    }
    for name, (length, mass, time) in (kind.dims or {}).items():
        if getattr(load, name) is not None:
            changes[name] = getattr(load, name) * one(length, mass, time)
    force = {"N": one(length=1, mass=1, time=-2), "N m": one(length=2, mass=1, time=-2)}
    if load.type == "force":
        rule = lambda part, unit: scaled_command(part, unit, force[unit], one(time=1))  # noqa: E731
        return remade(map_components(load, rule), **changes)
    if load.own_formulas():
        raise LeftOut("what a load reads has units of its own")
    if load.type == "matrix":
        T = np.diag([one(length=1)] * 3 + [one(length=2)] * 3)  # a wrench from one on unit lengths
        V = np.diag([one(length=-1)] * 3 + [1.0] * 3)
        for name, power in (("stiffness", -2), ("damping", -1), ("added_mass", 0)):
            if getattr(load, name) is not None:
                changes[name] = (T @ np.array(getattr(load, name)) @ V * one(mass=1, time=power)).tolist()
        if load.preload is not None:
            changes["preload"] = tuple(T @ load.preload * one(mass=1, time=-2))
    if load.type in ("buoyancy", "morison"):
        changes["sections"] = tuple((z * one(length=1), d * one(length=1)) for z, d in load.sections)
    if load.type == "rotor-thrust":
        for name in ("ct", "cp"):
            curve = getattr(load, name)
            if hasattr(curve, "speeds"):
                changes[name] = remade(curve, speeds=tuple(v * one(length=1, time=-1) for v in curve.speeds))
        if load.performance is not None:
            raise LeftOut("a rotor's performance table is a file")
    return remade(load, **changes)


def _environment(model: fl.Model, one: Any) -> Any:
    environment = model.environment
    if environment is None:
        return None
    speed = one(length=1, time=-1)
    changes: dict[str, Any] = {
        "water_density": environment.water_density * one(length=-3, mass=1),
        "air_density": environment.air_density * one(length=-3, mass=1),
    }
    if environment.depth is not None:
        changes["depth"] = environment.depth * one(length=1)
    if isinstance(environment.waves, Waves):
        waves, _ = as_components(environment, model)
        changes["waves"] = remade(
            waves,
            frequencies=tuple(w * one(time=-1) for w in waves.frequencies),
            amplitudes=tuple(a * one(length=1) for a in waves.amplitudes),
            reach=waves.reach * one(length=1),
        )
    if environment.current is not None:
        changes["current"] = remade(environment.current, speed=environment.current.speed * speed)
    if environment.wind is not None:
        changes["wind"] = _wind(model, one, speed)
    return remade(environment, **changes)


def _wind(model: fl.Model, one: Any, speed: float) -> Any:
    """Return the wind as it blows, scaled: a spectrum as its samples, whose spline goes through the same values."""
    wind = model.environment.wind
    roughness = None if wind.roughness is None else wind.roughness * one(length=1)
    profile = {"height": wind.height * one(length=1), "exponent": wind.exponent, "roughness": roughness}
    changes = []
    for change in wind.changes:
        if change.type != "direction-change":
            raise LeftOut("gusts of the standard have their own units")
        changes.append(remade(change, begin=change.begin * one(time=1), duration=change.duration * one(time=1)))
    profile["changes"] = tuple(changes)
    if wind.type == "steady":
        return remade(wind, speed=wind.speed * speed, **profile)
    if wind.type == "kaimal" and wind.components == "u":
        found = wind_in_time(remade(model, environment=remade(model.environment, wind=remade(wind, changes=()))))
        times = found.speed.knots
        return WindTable(
            [t * one(time=1) for t in times],
            [float(v) * speed for v in found.speed(times)],
            directions=[wind.direction] * len(times),
            interpolation="spline",
            **profile,
        )
    raise LeftOut(f"wind of type '{wind.type}' has its own units")
