"""Every variable of a result beside the record: what is derived from it, constants of the system, and labels."""

from __future__ import annotations

from fairlead.record import FIXED_DIMS, RECORD, Variable

__all__ = ["CONSTANT", "DERIVED", "FIXED_DIMS", "LABELS", "RECORD", "Variable"]

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
