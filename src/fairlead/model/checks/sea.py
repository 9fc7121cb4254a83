"""Mistakes in the sea of a model."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from fairlead.errors import InvalidInput
from fairlead.model.checks.partial_model import Finding, Parts
from fairlead.model.environment.spectra import components_of, record_of
from fairlead.model.environment.waves import WaveRecord, Waves
from fairlead.model.loads.mooring import Catenary
from fairlead.model.loads.sea import Morison, SeaLoad


def sea_findings(parts: Any) -> list[Finding]:
    """Return the mistakes in the sea of a model: loads without water, gravity that is not downwards."""
    environment, gravity = parts.environment, getattr(parts, "gravity", None)
    dry = getattr(parts, "dry", environment is None)
    found = []
    for name, load in parts.loads.items():
        if isinstance(load, SeaLoad) and dry:
            message = "needs water around it; give the model an environment, for instance environment: {depth: 320}"
            found.append(Finding(("loads", name), message))
    wet = environment is not None and any(isinstance(load, SeaLoad) for load in parts.loads.values())
    if wet and gravity is not None and (gravity[0] or gravity[1] or not gravity[2] < 0):
        found.append(Finding(("gravity",), "must point along -z where there is water; its surface is z = 0"))
    if environment is not None and environment.depth is not None:
        found += list(_below_the_bed(parts.loads, environment.depth))
    if environment is not None and environment.current and environment.current.exponent and environment.depth is None:
        message = "a current that changes with depth needs the depth; give environment.depth"
        found.append(Finding(("environment", "current"), message))
    return found + _left_out(environment)


def _below_the_bed(loads: dict[str, Any], depth: float) -> Iterator[Finding]:
    for name, load in loads.items():
        if isinstance(load, SeaLoad) and load.sections[0][0] < -depth * (1 + 1e-9):
            message = f"reach down to z = {load.sections[0][0]:g} m, and the bed is at {-depth:g} m (environment.depth)"
            yield Finding(("loads", name, "sections"), message)


def passed_over(parts: Parts) -> Iterator[Finding]:
    """Note waves and currents that act on nothing, and lines on a bed that is not the sea's."""
    environment = parts.environment
    if environment is None or len(parts.loads) < len(parts.names["loads"]):
        return
    if not any(isinstance(load, Morison) for load in parts.loads.values()):
        for word, there in (("waves", isinstance(environment.waves, Waves)), ("current", environment.current)):
            if there:
                yield Finding(("environment", word), "acts on nothing: there is no 'morison' load", "note")
    for name, load in parts.loads.items():
        if not isinstance(load, Catenary):
            continue
        if load.friction and not load.seabed:
            yield Finding(("loads", name, "friction"), "has no effect without a bed", "note")
        depth, z = environment.depth, load.anchor[2]
        if load.seabed and depth is not None and abs(z + depth) > 1e-3 * depth:
            message = f"the line's bed is that of its anchor, at z = {z:g} m; environment.depth is {depth:g} m"
            yield Finding(("loads", name, "anchor"), message, "note")


def _left_out(environment: Any) -> list[Finding]:
    """Say how much of an elevation record is left out where its highest frequency is not given."""
    waves = environment.waves if environment is not None else None
    if not isinstance(waves, WaveRecord) or waves.highest is not None:
        return []
    try:
        _, values = record_of(waves)
        kept = components_of(waves, 9.80665, math.inf)
    except InvalidInput:
        return []  # said when the file is read
    share = 1 - float((kept.amplitude**2).sum() / 2) / max(float(values.var()), 1e-300)
    if share < 1e-3:
        return []
    message = f"of the record's variance {100 * share:.2g} % lie above {kept.omega[-1]:.3g} rad/s and are left out"
    return [Finding(("environment", "waves"), f"{message}; give 'highest' to choose", "note")]
