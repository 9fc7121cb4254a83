"""The parts of a URDF file, in its own words and frames: poses, links and joints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fairlead.formats.urdf.xml_tree import Element

Array = npt.NDArray[np.float64]


class Pose(NamedTuple):
    """A frame Q in a frame P: `r` is r_PQ_P, `R` is R_PQ."""

    r: Array
    R: Array

    def then(self, inner: Pose) -> Pose:
        """Return a frame given in Q as a frame in P: r_PS_P = r_PQ_P + R_PQ r_QS_Q."""
        return Pose(self.r + self.R @ inner.r, self.R @ inner.R)


HERE = Pose(np.zeros(3), np.eye(3))


@dataclass
class Link:
    """A link; `centre` is the pose of its inertial axes in it, `mass` None if it has no inertial or an empty one."""

    name: str
    element: Element
    mass: float | None = None
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    centre: Pose = HERE


class Mimic(NamedTuple):
    """A tie to another joint: `factor` times its coordinate, and `offset`."""

    joint: str
    factor: float
    offset: float
    element: Element


@dataclass
class Joint:
    """A joint; `origin` is the child's frame in the parent's when the joint is at zero, `axis` is in the child's."""

    name: str
    element: Element
    type: str
    parent: str
    child: str
    origin: Pose = HERE
    axis: Array = field(default_factory=lambda: np.array([1.0, 0.0, 0.0]))  # the default of the format
    limits: tuple[float, float] | None = None
    damping: float = 0.0
    friction: float = 0.0
    mimic: Mimic | None = None
