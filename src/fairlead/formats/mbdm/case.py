"""A legacy MBDM case as data: what the main file and its companions say, in their own words and numbers.

Numbers are SI and radians. Body and joint IDs count from 1 in the order of the file. MBDM note section 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairlead.errors import Problem

Vector = tuple[float, float, float]

# The thirteen joint types of Table 11, each with the fields of the entry that it uses.
JOINT_TYPES: dict[str, tuple[str, ...]] = {
    "ABX": ("dist",),
    "ABY": ("dist",),
    "ABZ": ("dist",),
    "ABA": ("q1",),
    "C": ("p1", "q1", "r1", "p2", "q2"),
    "DI": ("p1", "p2", "dist"),
    "G": ("p1", "q1"),
    "R": ("p1", "q1", "r1", "p2", "q2"),
    "RC": ("p1", "q1", "p2", "q2", "r2"),
    "RDRV": ("p1", "q1", "r1", "p2", "dist"),
    "S": ("p1", "p2"),
    "T": ("p1", "q1", "r1", "p2", "q2", "r2"),
    "U": ("p1", "q1", "p2", "q2"),
}
JOINT_FIELDS = ("p1", "q1", "r1", "p2", "q2", "r2", "dist")
# Degrees of freedom that each type removes, Table 11.
REMOVED = {"ABX": 1, "ABY": 1, "ABZ": 1, "ABA": 3, "C": 4, "DI": 1, "G": 6, "R": 5, "RC": 3, "RDRV": 1, "S": 3}
REMOVED |= {"T": 5, "U": 4}
ONE_BODY = ("ABX", "ABY", "ABZ", "ABA", "G")  # types whose second body is 0
ZERO: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class MbdmBody:
    """A body of section 7.2: angles mean A = Rz(c) Ry(b) Rx(a); v in world axes, omega in body axes."""

    name: str
    angles: Vector
    r: Vector
    v: Vector
    omega: Vector
    mass: float
    inertia: tuple[Vector, Vector, Vector]


@dataclass(frozen=True)
class MbdmJoint:
    """A joint or driver of section 7.3; vectors with 1 are in axes of the first body, with 2 in those of the second."""

    type: str
    bodies: tuple[int, int]
    p1: Vector = ZERO
    q1: Vector = ZERO
    r1: Vector = ZERO
    p2: Vector = ZERO
    q2: Vector = ZERO
    r2: Vector = ZERO
    dist: float = 0.0


@dataclass(frozen=True)
class TracerGroup:
    """Points fixed to one body, in its axes; eight of them are the corners of a cuboid. Section 7.1.2."""

    body: int
    tracers: tuple[Vector, ...]


@dataclass(frozen=True)
class MooringLine:
    """A spring and damper from an anchor in the world to a point of a body. Section 7.1.3.

    `correction` is stored in the files and used by no program.
    """

    name: str
    body: int
    anchor: Vector
    fairlead: Vector
    correction: Vector
    length: float
    stiffness: float
    damping: float


@dataclass(frozen=True)
class Parameters:
    """The flags of section 7.1.4; all off where the file is missing."""

    debug: bool = False
    timer: bool = False
    store_a_matrix: bool = False
    attempt_fix: bool = False


@dataclass(frozen=True)
class Solvers:
    """The partners of a coupled run and how their loads become SI. Section 7.1.5.

    `coupling` is 1 for HMB, 2 for SPH, 0 for both; `spoolup` and `coupling_start` are stored for later use.
    """

    hmb_cores: int
    hmb_root: str
    hmb_arguments: str
    sph_cores: int
    sph_root: str
    coupling: int
    rpm: float
    wind_speed: float
    air_density: float
    largest_chord: float
    radius: float
    hmb_body: int
    sph_body: int
    hmb_every: int
    spoolup: float = 0.0
    coupling_start: float = 0.0


@dataclass(frozen=True)
class MbdmCase:
    """A whole case. `places` says in which file and line an entry stands, such as `bodies.2.mass`."""

    name: str
    dynamic: bool
    t_start: float
    t_end: float
    dt: float
    accuracy: float
    iterations: int
    save_output: int
    save_checkpoint: int
    save_tracers: int
    bodies: tuple[MbdmBody, ...]
    joints: tuple[MbdmJoint, ...] = ()
    tracers: tuple[TracerGroup, ...] = ()
    mooring: tuple[MooringLine, ...] = ()
    parameters: Parameters = Parameters()
    solvers: Solvers | None = None
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict, compare=False, repr=False)

    def problem(self, path: str, message: str, severity: str = "error") -> Problem:
        """Return a problem that points to the line `path` was read from, or to the nearest entry around it."""
        inside = path
        while inside and inside not in self.places:
            inside = inside.rpartition(".")[0]
        file, line = self.places.get(inside, ("", 0))
        return Problem(message, path, file, line, severity=severity)
