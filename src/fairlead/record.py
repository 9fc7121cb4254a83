"""The record, once: every variable that a formulation leaves at each instant, its dimensions, unit and meaning.

This module imports nothing, so that kernels, files and audits read the same table. Six-vectors are linear then angular.
World axes unless said otherwise. `load` rows are named after the load, or `name@body` for each end of a load between
two bodies; `coordinate` rows are `joint.coordinate`, `controller` rows `controller.output`, `relation` rows
`relation.joint.coordinate`. What single kinds of loads
record beside their forces (a tension, a thrust) is described with them, in `model/loads`, and follows these rows.
"""

from __future__ import annotations

import math
from typing import NamedTuple


class Variable(NamedTuple):
    """One row: dimensions after time (or all of them for a constant), unit, long name, OpenFAST's name for it."""

    dims: tuple[str, ...]
    units: str
    long_name: str
    optional: bool = False  # left out where the model has nothing of the kind
    openfast_name: str = ""
    openfast_units: str = ""  # where they are not `units`
    outb_name: str = ""  # for .outb files, where OpenFAST's name is too long for them


FIXED_DIMS: dict[str, tuple[str, ...]] = {
    "xyz": ("x", "y", "z"),
    "column": ("x", "y", "z"),
    "wxyz": ("w", "x", "y", "z"),
    "end": ("lower", "upper"),
}

# In the order in which they stand in a row of floats, behind the time.
RECORD: dict[str, Variable] = {
    "position": Variable(("body", "xyz"), "m", "mass centre, world axes"),
    "velocity": Variable(("body", "xyz"), "m/s", "velocity of the mass centre, world axes"),
    "acceleration": Variable(("body", "xyz"), "m/s2", "acceleration of the mass centre, world axes"),
    "orientation": Variable(("body", "wxyz"), "1", "unit quaternion, scalar first, body to world"),
    "angular_velocity": Variable(("body", "xyz"), "rad/s", "angular velocity, body axes"),
    "angular_acceleration": Variable(("body", "xyz"), "rad/s2", "angular acceleration, body axes"),
    "joint_position": Variable(("coordinate",), "rad or m", "joint coordinate, zero in the drawing"),
    "joint_rate": Variable(("coordinate",), "rad/s or m/s", "rate of the joint coordinate"),
    "joint_acceleration": Variable(("coordinate",), "rad/s2 or m/s2", "second rate of the joint coordinate"),
    "driver_force": Variable(("coordinate",), "N m or N", "moment or force of the driver along its coordinate"),
    "joint_point": Variable(("joint", "xyz"), "m", "the joint's point on the child, world axes"),
    "joint_force": Variable(("joint", "xyz"), "N", "force on the child through the joint, world axes"),
    "joint_moment": Variable(
        ("joint", "xyz"), "N m", "moment on the child through the joint, at joint_point, world axes"
    ),
    "load_force": Variable(("load", "xyz"), "N", "force of the load on its body, world axes"),
    "load_moment": Variable(("load", "xyz"), "N m", "moment of the load on its body about its mass centre, world axes"),
    "load_work": Variable(("load",), "J", "work of the load on its body since the start"),
    "driver_work": Variable(("coordinate",), "J", "work of the driver since the start"),
    "external_impulse": Variable(("xyz",), "N s", "impulse of all external forces since the start, world axes"),
    "external_angular_impulse": Variable(
        ("xyz",), "N m s", "impulse of all external moments about the system's mass centre since the start, world axes"
    ),
    "momentum": Variable(("xyz",), "kg m/s", "linear momentum of the system, as the formulation has it"),
    "angular_momentum": Variable(
        ("xyz",), "kg m2/s", "angular momentum about the system's mass centre, as the formulation has it"
    ),
    "kinetic_energy": Variable((), "J", "kinetic energy, as the formulation has it; wheels at constant speed left out"),
    "potential_energy": Variable((), "J", "energy of uniform gravity, -sum m g.r"),
    "position_violation": Variable((), "m or 1", "largest violation of a constraint equation"),
    "velocity_violation": Variable((), "m/s or rad/s", "largest violation of the rate of a constraint equation"),
    "wave_elevation": Variable(
        (), "m", "elevation of the waves at the origin", optional=True, openfast_name="Wave1Elev"
    ),
    "relation_force": Variable(
        ("relation",), "N m or N", "moment or force of a relation along its coordinate", optional=True
    ),
    "controller_output": Variable(("controller",), "SI", "output of a controller", optional=True),
}


def width_of(variable: Variable, counts: dict[str, int]) -> int:
    """Return how many floats a variable takes; `counts` are those of bodies, joints and so on."""
    sizes = {name: len(labels) for name, labels in FIXED_DIMS.items()} | counts
    return math.prod(sizes[dim] for dim in variable.dims)
