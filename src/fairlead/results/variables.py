"""Every variable of a result: its name, dimensions, unit and meaning, once.

Six-vectors are linear then angular. World axes unless said otherwise. `load` rows are named after the load, or
`name@body` for each end of a load between two bodies; `coordinate` rows are `joint.coordinate`.
"""

from __future__ import annotations

from typing import NamedTuple


class Variable(NamedTuple):
    """One row: dimensions after time (or all of them for a constant), unit, long name."""

    dims: tuple[str, ...]
    units: str
    long_name: str
    optional: bool = False  # left out where the model has nothing of the kind


# What `observe` writes at every recorded instant; the first dimension, time, is left out.
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
    "tension": Variable(("load",), "N", "force along a spring, positive in tension"),
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
    "wave_elevation": Variable((), "m", "elevation of the waves at the origin", optional=True),
    "thrust": Variable(("load",), "N", "thrust of a rotor along its shaft", optional=True),
    "power": Variable(("load",), "W", "power of a rotor", optional=True),
    "hub_wind": Variable(
        ("load",), "m/s", "horizontal speed of the undisturbed wind at a rotor's point", optional=True
    ),
    "relative_wind": Variable(("load",), "m/s", "wind relative to a rotor's point along its shaft", optional=True),
}

# Derived from the record when the Dataset is made.
DERIVED: dict[str, Variable] = {
    "euler123": Variable(("body", "xyz"), "rad", "body-fixed 1-2-3 angles, R = Rx Ry Rz, body to world"),
}

# Constants of the system, so that a Dataset can be audited alone.
CONSTANT: dict[str, Variable] = {
    "mass": Variable(("body",), "kg", "mass"),
    "inertia": Variable(("body", "xyz", "column"), "kg m2", "inertia about the mass centre, body axes"),
    "wheel_momentum": Variable(("body", "xyz"), "kg m2/s", "stored momentum of the body's wheels, body axes"),
    "gravity": Variable(("xyz",), "m/s2", "uniform gravity, world axes"),
    "joint_limits": Variable(("coordinate", "end"), "rad or m", "range of the joint coordinate where it has one"),
    "joint_parent_point": Variable(("joint", "xyz"), "m", "the joint's point on the parent, its axes and mass centre"),
    "joint_parent_frame": Variable(("joint", "xyz", "column"), "1", "joint axes (columns) on the parent, its axes"),
    "joint_child_frame": Variable(("joint", "xyz", "column"), "1", "joint axes (columns) on the child, its axes"),
    "drawn_position": Variable(("body", "xyz"), "m", "mass centre in the drawing, world axes"),
    "drawn_frame": Variable(("body", "xyz", "column"), "1", "body axes (columns) in the drawing, world axes"),
}

# Labels that ride on a dimension: name -> (dimension, meaning).
LABELS: dict[str, tuple[str, str]] = {
    "joint_parent": ("joint", "body the joint starts from, or world"),
    "joint_child": ("joint", "body the joint carries, or world"),
    "joint_type": ("joint", "type of the joint"),
    "joint_holds": ("joint", "what the joint holds: all but its coordinates, or the equations of one that constrains"),
    "load_body": ("load", "body the load acts on"),
    "load_internal": ("load", "1 if the load acts between two bodies, 0 if it comes from outside"),
    "coordinate_kind": ("coordinate", "angle or length"),
    "coordinate_role": ("coordinate", "driven, locked or free"),
    "coordinate_axis": ("coordinate", "slide or turn, where its axis is fixed, and the column of the joint's frame"),
}

FIXED_DIMS: dict[str, tuple[str, ...]] = {
    "xyz": ("x", "y", "z"),
    "column": ("x", "y", "z"),
    "wxyz": ("w", "x", "y", "z"),
    "end": ("lower", "upper"),
}
