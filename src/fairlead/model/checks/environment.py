"""Findings about the environment of a model: parts that loads need, parts that act on nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from fairlead.errors import InvalidInput
from fairlead.model.checks.partial_model import Finding, PartialModel, Path
from fairlead.model.controllers.yaw_follow import YawFollow
from fairlead.model.environment.environment import wave_fields
from fairlead.model.environment.spectra import components_of, record_of
from fairlead.model.environment.waves import StillWater, WaveRecord, Waves
from fairlead.model.loads.table import kinds_that_need

NO_WIND = "there is none; give 'environment: {wind: {type: steady, speed: 10}}'"
MOST = 1 + 1e-9  # turns of a direction that nobody wonders at
SHARED = ("stretching", "lookup", "accuracy", "reach")  # by all wave fields of a sea


def environment_findings(parts: Any) -> list[Finding]:
    """Return what is wrong: loads without what they need, gravity that is not downwards, a sea that does not fit."""
    environment, gravity = parts.environment, getattr(parts, "gravity", None)
    found = list(_missing(parts))
    wet = environment is not None and any("water" in load.needs for load in parts.loads.values())
    if wet and gravity is not None and (gravity[0] or gravity[1] or not gravity[2] < 0):
        found.append(Finding(("gravity",), "must point along -z where there is water; its surface is z = 0"))
    if environment is None:
        return found
    for name, load in parts.loads.items():
        for remark in load.remarks(environment):
            found.append(Finding(("loads", name, remark.field), remark.message, remark.severity))
    if environment.current and environment.current.exponent and environment.depth is None:
        message = "a current that changes with depth needs the depth; give environment.depth"
        found.append(Finding(("environment", "current"), message))
    return [*found, *_unlike_fields(environment), *_left_out(environment)]


def _missing(parts: Any) -> Iterator[Finding]:
    """Find loads whose water or wind is not there; waves and currents may be absent."""
    dry = getattr(parts, "dry", parts.environment is None)
    windy = getattr(parts, "windy", getattr(parts.environment, "wind", None) is not None)
    for name, load in parts.loads.items():
        if "water" in load.needs and dry:
            message = "needs water around it; give the model an environment, for instance environment: {depth: 320}"
            yield Finding(("loads", name), message)
        if "wind" in load.needs and windy is False:
            yield Finding(("loads", name), f"needs a wind, and {NO_WIND}")


def _unlike_fields(environment: Any) -> Iterator[Finding]:
    """Find wave fields of one sea that cannot stand beside one another."""
    fields = wave_fields(environment)
    for number, waves in enumerate(fields if len(fields) > 1 else ()):
        if isinstance(waves, StillWater):
            yield Finding(("environment", "waves", number), "is still water beside other waves; leave it out")
            continue
        for word in SHARED:
            first = next(one for one in fields if isinstance(one, Waves))
            if getattr(waves, word) != getattr(first, word):
                message = f"is {getattr(waves, word)}, and {getattr(first, word)} in another field; give all the same"
                yield Finding(("environment", "waves", number, word), message)


def passed_over(parts: PartialModel) -> Iterator[Finding]:
    """Note parts of the environment that act on nothing, and angles so large that degrees must have been meant."""
    environment = parts.environment
    if environment is None:
        return
    read = len(parts.loads) == len(parts.names["loads"])
    there = {
        "waves": any(isinstance(one, Waves) for one in wave_fields(environment)),
        "current": environment.current is not None,
        "wind": environment.wind is not None
        and not (parts.controllers is None or any(isinstance(one, YawFollow) for one in parts.controllers.values())),
    }
    for part in (part for part, given in there.items() if given and read):
        if not any(part in load.needs for load in parts.loads.values()):
            kinds = " or ".join(f"'{kind}'" for kind in kinds_that_need(part))
            yield Finding(("environment", part), f"acts on nothing: there is no {kinds} load", "note")
    for path, part in _with_directions(environment):
        yield from _turns((*path, "direction"), getattr(part, "direction", 0.0))
        for number, change in enumerate(getattr(part, "changes", ())):
            yield from _turns((*path, "changes", number, "by"), getattr(change, "by", 0.0))
        for number, angle in enumerate(getattr(part, "directions", ())):
            yield from _turns((*path, "directions", number), angle)


def _with_directions(environment: Any) -> Iterator[tuple[Path, Any]]:
    yield from _wave_paths(environment)
    yield ("environment", "current"), environment.current
    yield ("environment", "wind"), environment.wind


def _wave_paths(environment: Any) -> Iterator[tuple[Path, Any]]:
    for number, waves in enumerate(wave_fields(environment)):
        several = isinstance(environment.waves, tuple)
        yield ("environment", "waves", number) if several else ("environment", "waves"), waves


def _turns(path: Path, angle: float) -> Iterator[Finding]:
    if abs(angle) > MOST * math.tau:
        message = f"is {angle:g} rad, more than a whole turn; a plain number is in radians: write '{angle:g} deg'?"
        yield Finding(path, message, "note")


def _left_out(environment: Any) -> Iterator[Finding]:
    """Say how much of an elevation record is left out where its highest frequency is not given."""
    for path, waves in _wave_paths(environment):
        if not isinstance(waves, WaveRecord) or waves.highest is not None:
            continue
        try:
            _, values = record_of(waves)
            kept = components_of(waves, 9.80665, math.inf)
        except InvalidInput:
            continue  # said when the file is read
        share = 1 - float((kept.amplitude**2).sum() / 2) / max(float(values.var()), 1e-300)
        if share >= 1e-3:
            message = f"of the record's variance {100 * share:.2g} % lie above {kept.omega[-1]:.3g} rad/s and are"
            yield Finding(path, f"{message} left out; give 'highest' to choose", "note")
