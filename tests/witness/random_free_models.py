"""Random models with free joint coordinates: every joint with free, driven and locked coordinates, moved and moving.

Free coordinates carry springs, dampers, stops and actuators now and then.
"""

from __future__ import annotations

import numpy as np

import fairlead as fl
from witness.random_models import JOINTS, LOADS, Draw
from witness.random_models import random_model as _grown


class FreeDraw(Draw):
    """Draws joints whose coordinates are free, driven or locked."""

    free = 0.6  # how often a coordinate is free; a ball is drawn free as a whole half of the time
    forces = True
    slides_flipped = True

    def may_flip(self, kind):
        """Whether a joint of this kind may be drawn against the direction in which the tree grows."""
        return self.slides_flipped or kind not in ("planar", "free")

    def joint(self, kind, parent, child, point):
        """A joint of the given kind; what is free starts at `initial` with `rate` and may carry forces."""
        word = getattr(fl, kind.capitalize())
        given = {name: {} for name in ("motion", "initial", "rate", "spring", "damper", "stop", "actuator")}
        locked, ball = [], {"a", "b", "c"} <= set(word.coordinates) and self.chance(0.5)
        for label, what in word.coordinates.items():
            turning = ball and label in "abc"
            size = 1.0 if what.kind == "angle" else 0.5
            if turning or self.chance(self.free):
                given["initial"][label] = 0.0 if self.at_drawing else self.number(size)
                given["rate"][label] = self.number(1.5)
                if self.forces:
                    self._forces(label, turning, given)
            elif self.chance(0.7):
                given["motion"][label] = self.motion(size)
            else:
                locked.append(label)
                if not self.at_drawing and self.chance(0.5):
                    given["initial"][label] = self.number()
        if not set("abc") - set(given["rate"]):  # all three are free after all: a ball takes no springs
            for name in ("spring", "stop"):
                given[name] = {label: force for label, force in given[name].items() if label not in "abc"}
        # Two parallel axes leave nothing to turn about: the middle angle stays away from a right angle.
        if "b" in word.coordinates and not ball and "b" in given["initial"]:
            given["initial"]["b"] = 0.8 * given["initial"]["b"]
        given |= {"point": point, "locked": locked}
        if kind in ("prismatic", "free") and self.chance(0.5):
            given.pop("point")
        if kind in ("revolute", "prismatic", "cylindrical", "universal", "planar"):
            given["axis"] = axis = self.axis()
        if kind in ("universal", "planar"):
            across = np.cross(axis, self.axis())
            given["axis2"] = across / np.linalg.norm(across)
        return word(parent, child, **given)

    def _forces(self, label, turning, given):
        """Put a spring, a damper, a stop or an actuator on a free coordinate; a ball takes dampers and actuators."""
        if self.chance(0.4):
            given["damper"][label] = float(self.rng.uniform(0, 1))
        if self.chance(0.3):
            given["actuator"][label] = self._actuator()
        if not turning and self.chance(0.4):
            given["spring"][label] = fl.JointSpring(float(self.rng.uniform(0, 10)), self.number(0.5))
        if not turning and self.chance(0.15):
            given["stop"][label] = fl.Stop(-0.6, 0.6, 50.0, 1.0, 0.1)

    def _actuator(self):
        command = self.pick((self.number(3), f"{self.number(3)!r}*sin(2*t)"))
        form = self.pick(({}, {"time_constant": 0.2}, {"frequency": 5.0, "damping_ratio": 0.7}))
        return fl.Actuator(command, limit=2.5, **form)


def random_free_model(seed, bodies=None, *, forces=True, joints=JOINTS, loads=LOADS, slides_flipped=True, **options):
    """A random model as `random_model` draws it, its joint coordinates free, driven or locked.

    With `slides_flipped` False joints that slide and turn grow along their own direction, as Kane's equations need.
    """
    kind = type("Drawn", (FreeDraw,), {"forces": forces, "slides_flipped": slides_flipped})
    return _grown(seed, bodies, joints=joints, loads=loads, draw=kind, **options)
