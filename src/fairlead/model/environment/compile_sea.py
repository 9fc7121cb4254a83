"""The sea from words to arrays: the water, its wave fields with their components, and tables of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fairlead.core.environment.sea import COMPONENT, FIELD, LEVEL, NO_STRETCHING, VERTICAL, WATER, WHEELER, Sea
from fairlead.errors import Problem
from fairlead.model.checks.environment import environment_findings
from fairlead.model.environment.environment import wave_fields
from fairlead.model.environment.spectra import Components, components_of, record_of
from fairlead.model.environment.wave_table import make_table
from fairlead.model.environment.waves import WaveRecord, Waves
from fairlead.model.loads.compile import LoadRows, stack_arrays
from fairlead.model.schema import Model

STRETCHING = {"none": NO_STRETCHING, "vertical": VERTICAL, "wheeler": WHEELER}
FEW = 4  # up to so many components the exact sum is cheaper than tables
MARGIN = 15.0  # [m] tables reach so far below the drawn members


def compile_sea(model: Model, at: LoadRows, pools: Any, duration: float | None) -> Sea:
    """Return the sea of a model; tables only where the length of the run is known."""
    wrong = (found for found in environment_findings(model) if found.severity == "error")
    pools.problems += [Problem(found.message, ".".join(map(str, found.path))) for found in wrong]
    water, fields, waves = water_of(model)
    for word in wave_fields(model.environment):
        if isinstance(word, WaveRecord):
            step, values = record_of(word)  # its Fourier series repeats after its length
            at.index.spans.append(("environment.waves", 0.0, len(values) * step * (1 + 1e-9)))
    tables: dict[str, Any] = {"levels": np.zeros(0, LEVEL), "table": np.zeros((0, 0))}
    if duration is not None and not pools.problems and _wants_tables(model, waves, at):
        try:
            tables = _tables(model, water, fields, waves, at, duration)
        except ValueError as error:
            pools.problems.append(Problem(str(error), path="environment.waves"))
    at.index.rolling = tables.pop("rolling", None)
    for name, value in tables.pop("steps", {}).items():
        water[name], water["tabled"] = value, 1
    fields["levels"] = len(tables["levels"]) // len(fields)
    fields["level"] = fields["levels"] * np.arange(len(fields))
    rows = [_component_rows(one, float(water["depth"][0])) for one in waves]
    return Sea(water=water, fields=fields, components=np.concatenate(rows), **tables, **stack_arrays(at))


def water_of(model: Model) -> tuple[Any, Any, list[Components]]:
    """Return the water, its wave fields (one without components where there are no waves), and their components."""
    environment, gravity = model.environment, -float(model.gravity[2])
    words: list[Any] = [word for word in wave_fields(environment) if isinstance(word, Waves)]
    water, fields = np.zeros(1, WATER), np.zeros(max(len(words), 1), FIELD)
    water["g"], water["depth"], fields["cos"] = gravity, math.inf, 1.0
    if environment is None:
        return water, fields, [components_of(None, gravity, math.inf)]
    water["rho"] = environment.water_density
    water["depth"] = math.inf if environment.depth is None else environment.depth
    if environment.current is not None:
        speed, angle = environment.current.speed, environment.current.direction
        water["current"] = (speed * math.cos(angle), speed * math.sin(angle), 0.0)
        water["exponent"] = environment.current.exponent
    waves = [components_of(word, gravity, float(water["depth"][0])) for word in words or [None]]
    first = 0
    for row, word, parts in zip(fields, words, waves):
        row["cos"], row["sin"] = math.cos(word.direction), math.sin(word.direction)
        row["first"], row["last"] = first, first + len(parts.omega)
        first += len(parts.omega)
        water["stretching"] = STRETCHING[word.stretching]
    return water, fields, waves


def _component_rows(waves: Components, depth: float) -> Any:
    rows = np.zeros(len(waves.omega), COMPONENT)
    for name, values in waves._asdict().items():
        rows[name] = values
    image = np.exp(-2 * waves.k * depth)
    rows["inverse"] = 1 / (1 - image)
    rows["image"] = image
    return rows


def _wants_tables(model: Model, waves: list[Components], at: LoadRows) -> bool:
    words = [word for word in wave_fields(model.environment) if isinstance(word, Waves)]
    if not at.in_waves or not words or not any(np.any(one.amplitude != 0) for one in waves):
        return False
    return words[0].lookup == "table" or (words[0].lookup == "auto" and sum(len(one.omega) for one in waves) > FEW)


def _tables(model: Model, water: Any, fields: Any, waves: list[Components], at: LoadRows, end: float) -> dict[str, Any]:
    """Return the tables of the waves over the whole run, round everything that feels them."""
    from threadpoolctl import threadpool_limits

    words: Any = wave_fields(model.environment)[0]
    x, y, low = np.array(at.in_waves).T
    spans = [x * field["cos"] + y * field["sin"] for field in fields]
    bottom = max(min(float(low.min()), 0.0) - MARGIN, -float(water["depth"][0]))
    ends = [(float(along.min()), float(along.max())) for along in spans]
    with threadpool_limits(limits=1):  # the same bits whatever the number of threads
        return make_table(waves, float(water["depth"][0]), end, ends, bottom, words.accuracy, words.reach)


def has_elevation(model: Model) -> bool:
    """Return whether the elevation of waves is recorded."""
    return bool(wave_fields(model.environment))
