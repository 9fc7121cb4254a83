"""The sea from words to arrays: components, tables, stacks of segments with their Gauss nodes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.errors import Problem
from fairlead.model.checks.sea import sea_findings
from fairlead.model.environment.spectra import Components, components_of, record_of
from fairlead.model.environment.wave_table import make_table
from fairlead.model.environment.waves import WaveRecord, Waves
from fairlead.model.loads.sea import Buoyancy, Morison, SeaLoad
from fairlead.model.schema import Model

STRETCHING = {"none": ca.NO_STRETCHING, "vertical": ca.VERTICAL, "wheeler": ca.WHEELER}
FEW = 4  # up to so many components the exact sum is cheaper than tables
NEAR = 10.0  # [m] within this of the still water nodes stand densest
MARGIN = 15.0  # [m] tables reach so far below the drawn members


def compile_sea(model: Model, rows: Any, shelf: Any, duration: float | None) -> ca.Sea:
    """Return the sea of a model; tables only where the length of the run is known."""
    loads = {name: load for name, load in model.loads.items() if isinstance(load, SeaLoad)}
    wrong = (found for found in sea_findings(model) if found.severity == "error")
    shelf.problems += [Problem(found.message, ".".join(map(str, found.path))) for found in wrong]
    segments: list[tuple[Any, ...]] = []
    nodes: list[tuple[float, float]] = []
    buoyancy = np.zeros(sum(isinstance(load, Buoyancy) for load in loads.values()), ca.BUOYANCY)
    morison = np.zeros(len(loads) - len(buoyancy), ca.MORISON)
    free = {Buoyancy: iter(buoyancy), Morison: iter(morison)}
    for name, load in loads.items():
        row = next(free[type(load)])
        row["row"], row["body"] = rows.row_of[name], rows.number(load.body)
        row["first"] = len(segments)
        _add_segments(load, segments, nodes)
        row["last"] = len(segments)
        origin = origin_of(load, model)
        row["r_BO_D"], row["e_D"] = rows.offset(load.body, origin), rows.axis(load.body, (0.0, 0.0, 1.0))
        if isinstance(load, Morison):
            _fill_morison(row, load, origin)
    water, components = _water(model)
    record = model.environment.waves if model.environment is not None else None
    if isinstance(record, WaveRecord):
        step, values = record_of(record)  # its Fourier series repeats after its length
        rows.index.spans.append(("environment.waves", 0.0, len(values) * step * (1 + 1e-9)))
    tables = _no_tables()
    if duration is not None and not shelf.problems and _wants_tables(model, components, morison):
        try:
            tables = _tables(model, water, components, morison, segments, duration)
        except ValueError as error:
            shelf.problems.append(Problem(str(error), path="environment.waves"))
    rows.index.rolling = tables.pop("rolling", None)
    for field, value in tables.pop("steps", {}).items():
        water[field], water["tabled"] = value, 1
    return ca.Sea(
        water=water,
        components=_component_rows(components, float(water["depth"][0])),
        **tables,
        segments=np.array(segments, ca.SEGMENT) if segments else np.zeros(0, ca.SEGMENT),
        nodes=np.array(nodes, dtype=float).reshape(-1, 2),
        buoyancy=buoyancy,
        morison=morison,
    )


def origin_of(load: SeaLoad, model: Model) -> tuple[float, float, float]:
    """Return where the load's axis meets z = 0 in the drawing."""
    x, y, _ = model.bodies[load.body].position
    return (x if load.x is None else load.x, y if load.y is None else load.y, 0.0)


def _add_segments(load: SeaLoad, segments: list[tuple[Any, ...]], nodes: list[tuple[float, float]]) -> None:
    """Add a stack's segments, each with its share of Gauss nodes but at least three."""
    stack = load.segments()
    shares = np.array([_share(low, high) for low, high, _, _ in stack])
    for (low, high, r_low, r_high), share in zip(stack, shares / shares.sum()):
        first = len(nodes)
        if isinstance(load, Morison):
            x, w = np.polynomial.legendre.leggauss(max(3, round(load.strips * float(share))))
            nodes += list(zip(((x + 1) / 2).tolist(), (w / 2).tolist()))
        segments.append((first, len(nodes), low, high, r_low, r_high))


def _share(low: float, high: float) -> float:
    """Return how many nodes a segment needs beside others: waves change over a length that grows with depth."""
    return float(np.sign(high) * math.log1p(abs(high) / NEAR) - np.sign(low) * math.log1p(abs(low) / NEAR))


def _fill_morison(row: Any, load: Morison, origin: tuple[float, float, float]) -> None:
    row["x_WO_W"] = origin
    row["displaced"], row["instantaneous"] = load.kinematics == "displaced", load.waterline == "instantaneous"
    row["fixed"], row["pressure"] = load.normal == "fixed", load.axial_pressure
    row["ca"], row["cd"], row["cm"] = load.ca, load.cd, 1 + load.ca if load.cm is None else load.cm
    row["end_ca"], row["end_cd"], row["has_A"] = load.end_ca, load.end_cd, load.added_mass is not None


def _water(model: Model) -> tuple[Any, Components]:
    water = np.zeros(1, ca.WATER)
    environment = model.environment
    gravity = -float(model.gravity[2])
    water["g"], water["depth"], water["cos"] = gravity, math.inf, 1.0
    if environment is None:
        return water, Components(*[np.zeros(0)] * 4)
    water["rho"] = environment.water_density
    water["depth"] = math.inf if environment.depth is None else environment.depth
    waves = environment.waves
    if isinstance(waves, Waves):
        water["cos"], water["sin"] = math.cos(waves.direction), math.sin(waves.direction)
        water["stretching"] = STRETCHING[waves.stretching]
    if environment.current is not None:
        speed, angle = environment.current.speed, environment.current.direction
        water["current"] = (speed * math.cos(angle), speed * math.sin(angle), 0.0)
        water["exponent"] = environment.current.exponent
    return water, components_of(waves, gravity, float(water["depth"][0]))


def _component_rows(waves: Components, depth: float) -> Any:
    rows = np.zeros(len(waves.omega), ca.COMPONENT)
    for name, values in waves._asdict().items():
        rows[name] = values
    image = np.exp(-2 * waves.k * depth)
    rows["inverse"] = 1 / (1 - image)
    rows["image"] = image
    return rows


def _no_tables() -> dict[str, Any]:
    return {"levels": np.zeros(0, ca.LEVEL), "table": np.zeros((0, 0))}


def _wants_tables(model: Model, waves: Components, morison: Any) -> bool:
    words = model.environment.waves if model.environment is not None else None
    if not len(morison) or not isinstance(words, Waves) or not np.any(waves.amplitude != 0):
        return False
    return words.lookup == "table" or (words.lookup == "auto" and len(waves.omega) > FEW)


def _tables(model: Model, water: Any, waves: Components, morison: Any, segments: Any, end: float) -> dict[str, Any]:
    """Return the tables of the waves over the whole run, round every member."""
    from threadpoolctl import threadpool_limits

    words: Any = model.environment.waves if model.environment is not None else None
    along = morison["x_WO_W"][:, 0] * water["cos"] + morison["x_WO_W"][:, 1] * water["sin"]
    lowest = min(segments[int(row["first"])][2] for row in morison)
    bottom = max(min(lowest, 0.0) - MARGIN, -float(water["depth"][0]))
    span = (float(along.min()), float(along.max()))
    with threadpool_limits(limits=1):  # the same bits whatever the number of threads
        return make_table(waves, float(water["depth"][0]), end, span, bottom, words.accuracy, words.reach)


def has_elevation(model: Model) -> bool:
    """Return whether the elevation of waves is recorded."""
    return model.environment is not None and model.environment.waves is not None
