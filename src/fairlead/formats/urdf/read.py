"""A URDF file as links and joints in its own frames, with every problem and its line.

Read are `link` with its `inertial`, and `joint` with `origin`, `parent`, `child`, `axis`, `limit`, `dynamics`, `mimic`.
The rest (visual, collision, transmission, gazebo, ...) says nothing about the mechanics and is passed over.
"""

from __future__ import annotations

import math
import re

import numpy as np

from fairlead.errors import Problem
from fairlead.formats.mbdm.angles import matrix_of_angles
from fairlead.formats.urdf.parts import HERE, Joint, Link, Mimic, Pose
from fairlead.formats.urdf.xml_tree import Element
from fairlead.model.messages import nearest, unknown
from fairlead.model.reading import MOST_PROBLEMS
from fairlead.units import short

TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
AXIAL = ("revolute", "continuous", "prismatic")  # one coordinate, so damping has one meaning
KNOWN = {
    "link": ("inertial", "visual", "collision"),
    "joint": ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller"),
    "inertial": ("origin", "mass", "inertia"),
}
LARGEST = 1e60  # what is made of such numbers stays finite, however long the chain
TENSOR = (("ixx", None), ("iyy", None), ("izz", None), ("ixy", 0.0), ("ixz", 0.0), ("iyz", 0.0))  # with defaults
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_INFINITE = re.compile(r"([-+]?)inf(?:inity)?", re.I)


class TooMany(Exception):
    """No reader wants more problems."""


class Reader:
    """Reads elements and gathers `problems`."""

    def __init__(self, file: str):
        self.file = file
        self.problems: list[Problem] = []

    @property
    def failed(self) -> bool:
        """Return whether an error was found."""
        return any(problem.severity == "error" for problem in self.problems)

    def add(self, at: Element, path: str, message: str, severity: str = "error") -> None:
        """Note a problem at an element."""
        self.problems.append(Problem(message, path, self.file, at.line, at.column, severity))
        if len(self.problems) >= MOST_PROBLEMS:
            raise TooMany

    def one(self, inside: Element, tag: str, path: str, *, needed: bool = False) -> Element | None:
        """Return the only enclosed element of a tag."""
        found = inside.all(tag)
        if len(found) > 1:
            self.add(found[1], path, f"<{tag}> is given twice, first in line {found[0].line}; keep one")
        if not found and needed:
            self.add(inside, path, f"<{tag}> is required and missing")
        return found[0] if found else None

    def text(self, at: Element, name: str, path: str) -> str:
        """Return a needed attribute, empty after a complaint."""
        value = at.attributes.get(name, "").strip()
        if not value:
            self.add(at, path, f"<{at.tag}> needs the attribute '{name}'")
        return value

    def numbers(self, at: Element, name: str, path: str, count: int, default: float | None = 0.0) -> list[float] | None:
        """Return the `count` finite numbers of an attribute, None after a complaint; without a default it is needed."""
        text = at.attributes.get(name)
        if text is None:
            if default is None:
                self.add(at, path, f"<{at.tag}> needs the attribute '{name}'")
                return None
            return [default] * count
        words = text.split()
        if len(words) != count or not all(_NUMBER.fullmatch(word) for word in words):
            wanted = "a number" if count == 1 else f"{count} numbers with spaces between"
            self.add(at, path, f"{name} of <{at.tag}> needs {wanted}; got {short(text)}")
            return None
        values = [float(word) for word in words]
        if max(map(abs, values)) > LARGEST:
            self.add(at, path, f"{name} of <{at.tag}> needs numbers up to {LARGEST:g}; got {short(text)}")
            return None
        return values

    def number(self, at: Element, name: str, path: str, default: float | None = 0.0) -> float | None:
        """Return the number of an attribute, as `numbers` does."""
        found = self.numbers(at, name, path, 1, default)
        return found[0] if found else None

    def origin(self, inside: Element, path: str) -> Pose:
        """Return the pose an <origin> says: R = Rz(yaw) Ry(pitch) Rx(roll), identity if there is none."""
        at = self.one(inside, "origin", path)
        if at is None:
            return HERE
        xyz, rpy = (self.numbers(at, name, f"{path}.origin", 3) for name in ("xyz", "rpy"))
        return Pose(np.array(xyz), matrix_of_angles(rpy)) if xyz and rpy else HERE

    def misspelt(self, at: Element, path: str) -> None:
        """Warn of tags that look like one that would have counted."""
        for child in at.children:
            close = nearest(child.tag, KNOWN[at.tag], cutoff=0.75)
            if close and close[0] != child.tag:
                message = f"<{child.tag}> is not known here and passed over; did you mean <{close[0]}>?"
                self.add(child, path, message, "warning")

    def link(self, at: Element) -> Link | None:
        """Return the link of a <link> element."""
        name = self.text(at, "name", "link")
        path = f"link.{name}"
        self.misspelt(at, path)
        link = Link(name, at)
        inertial = self.one(at, "inertial", path)
        if inertial is not None:
            self._inertial(link, inertial, f"{path}.inertial")
        return link if name else None

    def _inertial(self, link: Link, at: Element, path: str) -> None:
        self.misspelt(at, path)
        link.centre = self.origin(at, path)
        mass, inertia = (self.one(at, tag, path, needed=True) for tag in ("mass", "inertia"))
        value = self.number(mass, "value", path, None) if mass is not None else None
        parts = [self.number(inertia, name, path, default) for name, default in TENSOR] if inertia is not None else []
        if value is None or not parts or None in parts:
            return  # complained of
        xx, yy, zz, xy, xz, yz = parts
        link.inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=float)
        if value < 0:
            self.add(mass or at, path, f"the mass must not be negative; got {value:g}")
        elif value == 0 and link.inertia.any():
            self.add(at, path, "has inertia but no mass; give it a mass, or remove the inertia")
        link.mass = value if value > 0 else None

    def joint(self, at: Element) -> Joint | None:
        """Return the joint of a <joint> element."""
        name = self.text(at, "name", "joint")
        path = f"joint.{name}"
        self.misspelt(at, path)
        kind = self.text(at, "type", path)
        if kind and kind not in TYPES:
            self.add(at, path, unknown("type", kind, TYPES))
        ends = [self.one(at, tag, path, needed=True) for tag in ("parent", "child")]
        parent, child = (self.text(end, "link", path) if end is not None else "" for end in ends)
        joint = Joint(name, at, kind, parent, child, self.origin(at, path))
        mimic = self.one(at, "mimic", path)
        if mimic is not None:
            self._mimic(joint, mimic, path)
        self._axis(joint, path)
        self._limits(joint, path)
        self._dynamics(joint, path)
        return joint if name and kind in TYPES and parent and child else None

    def _mimic(self, joint: Joint, at: Element, path: str) -> None:
        """Note what a joint follows: multiplier times the other joint's coordinate, and an offset."""
        other = self.text(at, "joint", path)
        factor, offset = self.number(at, "multiplier", path, 1.0), self.number(at, "offset", path)
        if joint.type and joint.type not in AXIAL:
            self.add(at, path, f"<mimic> of a {joint.type} joint says nothing; remove it")
        elif other == joint.name:
            self.add(at, path, "mimics itself; name another joint, or remove <mimic>")
        elif other and factor is not None and offset is not None:
            joint.mimic = Mimic(other, factor, offset, at)

    def _axis(self, joint: Joint, path: str) -> None:
        at = self.one(joint.element, "axis", path)
        if at is None or joint.type in ("fixed", "floating"):
            return
        axis = self.numbers(at, "xyz", path, 3, None)
        if axis is None:
            return
        length = math.hypot(*axis)
        if 1e-6 < length < 1e6:
            joint.axis = np.array(axis) / length
        else:
            self.add(at, path, f"the axis has no direction: its length is {length:g}; give a unit vector")

    def _limits(self, joint: Joint, path: str) -> None:
        at = self.one(joint.element, "limit", path)
        if at is None or joint.type not in ("revolute", "prismatic") or not {"lower", "upper"} & set(at.attributes):
            return
        lower, upper = (self._end(at, name, path) for name in ("lower", "upper"))
        if lower is None or upper is None:
            return
        if lower > upper:
            self.add(at, path, f"the lower limit {lower:g} is above the upper one {upper:g}")
        elif lower == upper:
            message = f"both limits are {lower:g} and leave no motion; taken as no limits (to lock it, make it fixed)"
            self.add(at, path, message, "warning")
        elif math.isfinite(lower) and math.isfinite(upper):
            joint.limits = (lower, upper)
        elif math.isfinite(lower) or math.isfinite(upper):
            self.add(at, path, "a range open at one end is taken as no limits", "warning")

    def _end(self, at: Element, name: str, path: str) -> float | None:
        """Return one end of a range, which may be infinite."""
        endless = _INFINITE.fullmatch(at.attributes.get(name, "").strip())
        if endless:
            return -math.inf if endless.group(1) == "-" else math.inf
        return self.number(at, name, path)

    def _dynamics(self, joint: Joint, path: str) -> None:
        at = self.one(joint.element, "dynamics", path)
        if at is None or joint.type == "fixed":
            return
        joint.damping = self.number(at, "damping", path) or 0.0
        joint.friction = self.number(at, "friction", path) or 0.0
        if joint.damping < 0:
            self.add(at, path, f"the damping must not be negative; got {joint.damping:g}")
        elif joint.damping and joint.type not in AXIAL:
            message = f"damping of a {joint.type} joint has no one meaning and is left out; add a damper in YAML"
            self.add(at, path, message, "warning")
            joint.damping = 0.0
