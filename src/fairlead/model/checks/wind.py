"""Checks of the controllers that follow the wind."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.checks.environment import NO_WIND
from fairlead.model.checks.partial_model import Finding, PartialModel
from fairlead.model.messages import did_you_mean
from fairlead.model.motions import Controlled


def controlled(parts: PartialModel) -> Iterator[Finding]:
    """Find motions whose controller does not exist or cannot move their joint."""
    for name, joint in parts.joints.items():
        for coordinate, motion in joint.motion.items():
            if not isinstance(motion, Controlled) or parts.controllers is None:
                continue
            one = len(joint.coordinates) == 1
            place = ("joints", name, "motion") if one else ("joints", name, "motion", coordinate)
            axis = getattr(joint, "axis", None)
            controller = parts.controllers.get(motion.controller.partition(".")[0])
            if controller is not None and controller.outputs():
                continue
            if controller is None:
                hint = did_you_mean(motion.controller, parts.controllers) or "; 'controllers' is empty"
                yield Finding(place, f"no controller is called '{motion.controller}'{hint}")
            elif not one or joint.coordinates[coordinate].kind != "angle" or axis is None or abs(axis[2]) < 0.5:
                yield Finding(place, f"'{motion.controller}' needs a revolute joint whose axis is nearly vertical")
            elif parts.windy is False:
                yield Finding(place, f"'{motion.controller}' follows the wind, and {NO_WIND}")
