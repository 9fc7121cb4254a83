"""Numbers with units become SI floats here, once, at the edge."""

from __future__ import annotations

import math
import re
import reprlib
from functools import lru_cache
from typing import Any

# The exponent is never given back to be a unit: 1e9 * x is a formula, not one "e9 * x".
NUMBER_AND_UNIT = re.compile(r"^\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?+)\s*([A-Za-z°µ%].*)?$")
# Names with one-digit powers, joined by spaces, * and /: nothing that pint would have to compute (10**10**10).
UNIT = re.compile(
    r"\(*(?:[^\W\d]|°)\w*(?:(?:\^|\*\*)-?\d)?\)*(?:(?: *[*/] *| +)\(*(?:[^\W\d]|°)\w*(?:(?:\^|\*\*)-?\d)?\)*)*|%"
)
YES_OR_NO = ("y", "n", "yes", "no", "on", "off")
_shorten = reprlib.Repr()
_shorten.maxlevel, _shorten.maxdict, _shorten.maxstring, _shorten.maxother = 2, 3, 60, 60


# Spelled out because pint takes half a second to start; a test holds them against it.
COMMON = {
    ("deg", "rad"): math.pi / 180,
    ("deg/s", "rad/s"): math.pi / 180,
    ("rpm", "rad/s"): math.pi / 30,
    ("Hz", "rad/s"): 2 * math.pi,
    ("kN", "N"): 1e3,
    ("t", "kg"): 1e3,
    ("min", "s"): 60.0,
    ("h", "s"): 3600.0,
}


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    registry: Any = pint.UnitRegistry(cache_folder=None)
    registry.define("hertz_turns = 2 * pi * radian / second")  # a frequency given for an angular rate counts turns
    return registry


@lru_cache(maxsize=1024)
def factor(unit: str, into: str) -> float:
    """Return one `unit` in SI unit `into`; ValueError if the dimensions differ."""
    if not into:
        raise ValueError(f"expected a plain number, got the unit '{unit}'")
    if len(unit) > 60 or not UNIT.fullmatch(unit):
        raise ValueError(f"unit '{unit[:60]}' is not known; use {into} or a multiple of it")
    if unit == into or (unit, into) in COMMON:
        return COMMON.get((unit, into), 1.0)
    import pint

    spelled = unit.replace("^", "**")
    if into == "rad/s":
        spelled = re.sub(r"\bHz\b", "hertz_turns", spelled)
    try:
        return float(_registry().Quantity(1.0, spelled).to(into).magnitude)
    except pint.errors.DimensionalityError:
        raise ValueError(
            f"unit '{unit}' does not measure what is needed here; use {into} or a multiple of it"
        ) from None
    except Exception:
        raise ValueError(f"unit '{unit}' is not known; use {into} or a multiple of it") from None


def to_si(value: Any, unit: str) -> float:
    """Return `value` as a finite float in `unit`: a plain number is SI already, a text carries its unit."""
    wanted = f"a number in {unit}" if unit else "a plain number"
    if value is None:
        raise ValueError(f"expected {wanted}, got nothing")
    if isinstance(value, bool):
        raise ValueError(f"expected {wanted}, got {str(value).lower()}")
    given = value
    if isinstance(value, str):
        value = _number_in(value, unit, wanted)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    except (TypeError, ValueError):
        raise ValueError(f"expected {wanted}, got {short(value)}") from None
    if not math.isfinite(number):
        raise ValueError(f"expected a finite number, got {short(given)}")
    return number


def to_base(text: str) -> float:
    """Return a number and its unit, whatever that measures, as a float in SI: `12.1 rpm` in rad/s."""
    match = NUMBER_AND_UNIT.match(text)
    unit = match.group(2).strip() if match and match.group(2) else ""
    known = [into for one, into in COMMON if one == unit and one != "Hz"]
    if known or not unit:
        return to_si(text, known[0] if known else "")
    if re.search(r"\bHz\b", unit):
        raise ValueError(
            f"got {short(text)}, of which it is not known whether it counts turns; write it in rad/s or rpm"
        )
    if len(unit) > 60 or not UNIT.fullmatch(unit):
        raise ValueError(f"unit '{unit[:60]}' is not known")
    try:
        base = _registry().Quantity(1.0, unit.replace("^", "**")).to_base_units()
    except Exception:
        raise ValueError(f"unit '{unit}' is not known") from None
    return to_si(float(match.group(1)) * float(base.magnitude), "")  # type: ignore[union-attr]


def _number_in(text: str, unit: str, wanted: str) -> float:
    """Return the number a text with a unit stands for, in `unit`."""
    match = NUMBER_AND_UNIT.match(text)
    if text.lower() in YES_OR_NO:
        raise ValueError(f"expected {wanted}, got the word '{text}' (YAML 1.2 reads it as a text)")
    if not match:
        example = f" or a text with a unit such as '1.5 {unit}'" if unit else ""
        raise ValueError(f"expected {wanted}{example}, got {short(text)}")
    if not math.isfinite(float(match.group(1))):
        raise ValueError(f"expected a finite number, got {short(text)}")
    if not match.group(2):
        unit_too = f" or add a unit ({unit})" if unit else ""
        raise ValueError(f"got the text {short(text)} without a unit; write it without quotes{unit_too}")
    return float(match.group(1)) * factor(match.group(2).strip(), unit)


def short(value: Any) -> str:
    """Return `value` as it would be typed, cut to fit a sentence however large it is."""
    try:
        return _shorten.repr(value)
    except ValueError:  # Python refuses to print whole numbers of thousands of digits
        return "a number of thousands of digits"
