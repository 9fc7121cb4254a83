"""Checks of what needs the wind: rotors and the controllers that follow it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from fairlead.model.checks.partial_model import Finding, Parts
from fairlead.model.loads.rotor import RotorThrust
from fairlead.model.messages import did_you_mean
from fairlead.model.motions import Controlled

MOST = 1 + 1e-9  # turns of a direction that nobody wonders at
NO_WIND = "there is none; give 'environment: {wind: {type: steady, speed: 10}}'"


def rotors(parts: Parts) -> Iterator[Finding]:
    """Find rotors without wind."""
    for name, load in parts.loads.items():
        if isinstance(load, RotorThrust) and parts.windy is False:
            yield Finding(("loads", name), f"a rotor needs a wind, and {NO_WIND}")


def passed_over(parts: Parts) -> Iterator[Finding]:
    """Note a wind that acts on nothing, and angles so large that degrees must have been meant."""
    environment = parts.environment
    if environment is None:
        return
    read = len(parts.loads) == len(parts.names["loads"])
    followed = parts.controllers is None or bool(parts.controllers)
    used = followed or any(isinstance(load, RotorThrust) for load in parts.loads.values())
    if environment.wind is not None and read and not used:
        yield Finding(("environment", "wind"), "acts on nothing: there is no 'rotor-thrust' load", "note")
    for word in ("waves", "current", "wind"):
        part: Any = getattr(environment, word)
        yield from _turns(("environment", word, "direction"), getattr(part, "direction", 0.0))
        for number, change in enumerate(getattr(part, "changes", ())):
            yield from _turns(("environment", word, "changes", number, "by"), getattr(change, "by", 0.0))
        for number, angle in enumerate(getattr(part, "directions", ())):
            yield from _turns(("environment", word, "directions", number), angle)


def _turns(path: tuple[str | int, ...], angle: float) -> Iterator[Finding]:
    if abs(angle) > MOST * math.tau:
        message = f"is {angle:g} rad, more than a whole turn; a plain number is in radians: write '{angle:g} deg'?"
        yield Finding(path, message, "note")


def controlled(parts: Parts) -> Iterator[Finding]:
    """Find motions whose controller does not exist or cannot move their joint."""
    for name, joint in parts.joints.items():
        for coordinate, motion in joint.motion.items():
            if not isinstance(motion, Controlled) or parts.controllers is None:
                continue
            one = len(joint.coordinates) == 1
            place = ("joints", name, "motion") if one else ("joints", name, "motion", coordinate)
            axis = getattr(joint, "axis", None)
            if motion.controller not in parts.controllers:
                hint = did_you_mean(motion.controller, parts.controllers) or "; 'controllers' is empty"
                yield Finding(place, f"no controller is called '{motion.controller}'{hint}")
            elif not one or joint.coordinates[coordinate].kind != "angle" or axis is None or abs(axis[2]) < 0.5:
                yield Finding(place, f"'{motion.controller}' needs a revolute joint whose axis is nearly vertical")
            elif parts.windy is False:
                yield Finding(place, f"'{motion.controller}' follows the wind, and {NO_WIND}")
