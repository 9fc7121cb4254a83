"""The wind from words to functions of time: speed, direction, lateral and vertical part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.core.environment.wind import LOGARITHMIC, POWER_LAW, WIND
from fairlead.errors import FairleadError, InvalidInput, Problem
from fairlead.model.environment import kaimal
from fairlead.model.environment import wind as words
from fairlead.model.environment.shared import shared
from fairlead.model.environment.wind_files import read_bts, read_hub_height
from fairlead.model.loads.rotor import RotorThrust
from fairlead.model.loads.rotor_table import Rotor
from fairlead.model.piecewise import PiecewiseCubic
from fairlead.model.schema import Model

WHERE = "environment.wind"
STEPS = 200  # pieces of a gust: its spline is within 1e-8 of the formula


@dataclass
class WindInTime:
    """The four functions of time, the profile, and the times that are known (None: all)."""

    speed: PiecewiseCubic
    direction: PiecewiseCubic
    lateral: PiecewiseCubic
    vertical: PiecewiseCubic
    mean: float  # [m/s], what gusts are measured by
    exponent: float | None
    span: tuple[float, float] | None = None


def wind_in_time(model: Model) -> WindInTime | None:
    """Return the wind of a model over time, or None; InvalidInput where a file does not fit."""
    wind = model.environment.wind if model.environment is not None else None
    if wind is None:
        return None
    rotors = [load for load in model.loads.values() if isinstance(load, RotorThrust | Rotor)]
    found = _MAKERS[type(wind)](wind, rotors)
    for change in wind.changes:
        if isinstance(change, words.ExtremeGust):
            t = np.linspace(0.0, kaimal.GUST_TIME, STEPS + 1)
            found.speed += PiecewiseCubic.event(change.begin + t, _gust(t, change, found, wind))
        elif isinstance(change, words.ExtremeDirectionChange):
            t = np.linspace(0.0, kaimal.TURN_TIME, STEPS + 1)
            found.direction += PiecewiseCubic.event(change.begin + t, _turn(t, change, found, wind))
        else:
            times = [change.begin, change.begin + change.duration] if change.duration else [change.begin]
            found.direction += PiecewiseCubic.event(times, [0.0, change.by] if change.duration else [change.by])
    return found


def _gust(t: Any, change: words.ExtremeGust, found: WindInTime, wind: Any) -> Any:
    reference = kaimal.REFERENCE_SPEED.get(change.reference_speed, change.reference_speed)
    return kaimal.gust(t, found.mean, change.turbulence, wind.height, change.diameter, reference)


def _turn(t: Any, change: words.ExtremeDirectionChange, found: WindInTime, wind: Any) -> Any:
    sign = 1.0 if change.towards == "left" else -1.0
    return sign * kaimal.turn(t, found.mean, change.turbulence, wind.height, change.diameter)


def _steady(wind: words.SteadyWind, rotors: Any) -> WindInTime:
    still = PiecewiseCubic.constant(0.0)
    direction = PiecewiseCubic.constant(wind.direction)
    return WindInTime(PiecewiseCubic.constant(wind.speed), direction, still, still, wind.speed, wind.exponent)


def _table(wind: words.WindTable, rotors: Any) -> WindInTime:
    make = PiecewiseCubic.spline if wind.interpolation == "spline" else PiecewiseCubic.linear
    zero = PiecewiseCubic.constant(0.0)
    direction = make(wind.times, np.unwrap(wind.directions)) if wind.directions else zero
    vertical = make(wind.times, wind.vertical) if wind.vertical else zero
    mean = float(np.trapezoid(wind.speeds, wind.times) / (wind.times[-1] - wind.times[0]))
    span = (wind.times[0], wind.times[-1])
    return WindInTime(make(wind.times, wind.speeds), direction, zero, vertical, mean, wind.exponent, span)


def _kaimal(wind: words.KaimalWind, rotors: Any) -> WindInTime:
    """A Fourier sum, read through a C2 spline of its samples so that steps need not follow them."""
    radius = wind.radius
    if radius is None:
        radius = max((rotor.radius for rotor in rotors), default=0.0)
    count = int(np.ceil(wind.duration / wind.dt - 1e-9)) + 1
    parts = shared(lambda: (wind.model_dump_json(), radius), lambda: _kaimal_parts(wind, radius, count))
    direction, span = PiecewiseCubic.constant(wind.direction), (0.0, (count - 1) * wind.dt)
    speed = PiecewiseCubic.constant(wind.speed) + parts[0]
    return WindInTime(speed, direction, parts[1], parts[2], wind.speed, wind.exponent, span)


def _kaimal_parts(wind: words.KaimalWind, radius: float, count: int) -> list[PiecewiseCubic]:
    """Return the turbulence along the wind, across it and upward."""
    sigma = kaimal.deviation(wind.speed, wind.turbulence)
    random = np.random.Generator(np.random.PCG64(wind.seed))
    parts = []
    for component in "uvw":  # phases of all three are drawn, so that u is the same with and without the others
        phases = random.uniform(0.0, 2.0 * np.pi, count // 2)
        if component in wind.components:
            values = kaimal.series(component, wind.speed, sigma, wind.height, radius, count, wind.dt, phases)
            parts.append(PiecewiseCubic.spline(wind.dt * np.arange(count), values))
        else:
            parts.append(PiecewiseCubic.constant(0.0))
    return parts


def _file(wind: words.WindFile, rotors: Any) -> WindInTime:
    if wind.file.lower().endswith(".bts"):
        return _box(wind, rotors)
    if wind.direction:
        raise InvalidInput([Problem("a hub-height file has its own directions; leave it out", f"{WHERE}.direction")])
    make = PiecewiseCubic.spline if wind.interpolation == "spline" else PiecewiseCubic.linear
    table = read_hub_height(wind.file)
    exponent = table.exponent if wind.exponent is None and wind.roughness is None else wind.exponent
    if len(table.times) == 1:  # InflowWind's way to say that it blows like this for ever
        parts = [PiecewiseCubic.constant(float(one[0])) for one in (table.speed, table.direction, table.vertical)]
        return WindInTime(parts[0], parts[1], PiecewiseCubic.constant(0.0), parts[2], float(table.speed[0]), exponent)
    speed, direction, vertical = (make(table.times, one) for one in (table.speed, table.direction, table.vertical))
    mean, span = float(table.speed.mean()), (float(table.times[0]), float(table.times[-1]))
    return WindInTime(speed, direction, PiecewiseCubic.constant(0.0), vertical, mean, exponent, span)


def _box(wind: words.WindFile, rotors: Any) -> WindInTime:
    box = read_bts(wind.file)
    _box_covers(box, rotors)
    y, z, radius = 0.0, wind.height, 0.0
    if rotors:
        largest = max(rotors, key=lambda rotor: float(rotor.radius))
        (_, y, z), radius = largest.point, largest.radius
    distance = np.hypot(*np.meshgrid(box.y - y, box.z - z))
    inside = distance <= radius
    velocity = box.mean_over(inside) if wind.take == "rotor" and inside.any() else box.at(y, z)
    make = PiecewiseCubic.spline if wind.interpolation == "spline" else PiecewiseCubic.linear
    u, v, w = (make(box.times, velocity[:, k]) for k in range(3))
    direction, span = PiecewiseCubic.constant(wind.direction), (0.0, float(box.times[-1]))
    return WindInTime(u, direction, v, w, float(velocity[:, 0].mean()), wind.exponent, span)


def _box_covers(box: Any, rotors: Any) -> None:
    """Refuse a box that is smaller than what a rotor sweeps where it is drawn."""
    for rotor in rotors:
        _, y, z = rotor.point
        low, high = z - rotor.radius, z + rotor.radius
        left, right = y - rotor.radius, y + rotor.radius
        slack = 1e-6 * rotor.radius
        if low < box.z[0] - slack or high > box.z[-1] + slack or left < box.y[0] - slack or right > box.y[-1] + slack:
            raise InvalidInput(
                [
                    Problem(
                        f"the box covers y {box.y[0]:g} to {box.y[-1]:g} m and z {box.z[0]:g} to {box.z[-1]:g} m, but "
                        f"a rotor sweeps y {left:g} to {right:g} m and z {low:g} to {high:g} m; make a larger box",
                        f"{WHERE}.file",
                    )
                ]
            )


_MAKERS: dict[type, Any] = {
    words.SteadyWind: _steady,
    words.WindTable: _table,
    words.KaimalWind: _kaimal,
    words.WindFile: _file,
}


def compile_wind(model: Model, index: Any, pools: Any) -> tuple[Any, WindInTime | None]:
    """Return the wind as a record array of one row (none without wind) and as functions of time."""
    try:
        found = wind_in_time(model)
    except InvalidInput as error:
        pools.problems += [problem if problem.path else Problem(problem.message, WHERE) for problem in error.problems]
        found = None
    except FairleadError as error:
        pools.problems.append(Problem(str(error), f"{WHERE}.file"))
        found = None
    table = np.zeros(0 if found is None else 1, WIND)
    if found is None:
        return table, None
    environment: Any = model.environment
    wind, row = environment.wind, table[0]
    row["density"], row["height"] = environment.air_density, wind.height
    if wind.roughness is not None:
        row["shear"], row["par"] = LOGARITHMIC, wind.roughness
    elif found.exponent:
        row["shear"], row["par"] = POWER_LAW, found.exponent
    for n, part in enumerate((found.speed, found.direction, found.lateral, found.vertical)):
        row["start"][n], row["stop"][n] = part.put_into(pools)
    if found.span is not None:
        index.spans.append((WHERE, *found.span))
    return table, found
