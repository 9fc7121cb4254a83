"""Numbers with units become SI floats here, once, at the edge."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any

NUMBER_AND_UNIT = re.compile(r"^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z°µ%].*)?$")


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    registry: Any = pint.UnitRegistry(cache_folder=None)
    registry.define("hertz_turns = 2 * pi * radian / second")  # a frequency given for an angular rate counts turns
    return registry


@lru_cache(maxsize=1024)
def factor(unit: str, into: str) -> float:
    """Return what one `unit` is in SI unit `into`; ValueError if the dimensions differ."""
    import pint

    spelled = unit.replace("^", "**")
    if into == "rad/s":
        spelled = re.sub(r"\bHz\b", "hertz_turns", spelled)
    try:
        return float(_registry().Quantity(1.0, spelled).to(into).magnitude)
    except pint.errors.DimensionalityError:
        raise ValueError(f"unit '{unit}' does not measure what is needed here; use {into} or a multiple of it") from None
    except Exception:
        raise ValueError(f"unit '{unit}' is not known; use {into} or a multiple of it") from None


def to_si(value: Any, unit: str) -> float:
    """Return `value` as a finite float in `unit`: a plain number is SI already, a text carries its unit."""
    if isinstance(value, bool) or value is None:
        raise ValueError(f"expected a number in {unit or 'plain form'}, got {value!r}")
    if isinstance(value, str):
        match = NUMBER_AND_UNIT.match(value)
        if not match:
            raise ValueError(f"expected a number or a number with a unit such as '1.5 {unit}', got {value!r}")
        if not match.group(2):
            raise ValueError(f"got the text {value!r} without a unit; write it without quotes or add a unit ({unit})")
        value = float(match.group(1)) * factor(match.group(2).strip(), unit)
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ValueError(f"expected a number in {unit or 'plain form'}, got {value!r}") from None
    if not math.isfinite(number):
        raise ValueError(f"expected a finite number, got {value!r}")
    return number
