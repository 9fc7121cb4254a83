"""Joints of a foreign table, for internal loads: who is joined, where, and in which directions it gives way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import numpy as np

from fairlead.formats.foreign.columns import Table, refuse_unknown
from fairlead.model.joints.description import ALL_BUT_COORDINATES
from fairlead.model.joints.types import AnyJoint
from fairlead.numeric import perpendicular, rotation_matrix, turn
from fairlead.results.joint_places import held_by

JOINT = ("parent", "child", "point", "parent_point", "type", "axis", "axis2", "driven")
TYPES = {kind.model_fields["type"].default: kind for kind in get_args(get_args(AnyJoint)[0])}
WORLD = "world"


def read_joints(
    table: Table, plan: Mapping[str, Any], bodies: list[str], variables: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return points, axes and labels of the joints a column map names; nothing if it names none.

    `point` is three numbers in the child's axes from its mass centre (world coordinates if the child is the world), or
    {columns: [...]} in inertial axes. `type`, `axis` (parent's axes), `axis2` (parent's, or the child's where it is
    fixed there), `parent_point` and `driven` matter in loops only; a joint without a type carries everything.
    """
    given = plan.get("joints")
    if not given:
        return {}, {}
    refuse_unknown(table, given, tuple(given) if isinstance(given, Mapping) else (), "joints")
    found: dict[str, list[Any]] = {name: [] for name in ("point", "s", "parent", "child")}
    for name, spec in given.items():
        _refuse(table, spec, bodies, f"joints.{name}")
        found["point"].append(_point(table, plan, spec, bodies, variables, f"joints.{name}.point"))
        found["s"].append(table.numbers(spec.get("parent_point", [0.0, 0.0, 0.0]), "m", f"joints.{name}.parent_point"))
        parent, child = _frames(table, spec, f"joints.{name}")
        found["parent"].append(parent)
        found["child"].append(child)
    labels, roles, axes = _coordinates(table, given)
    # `coordinate` is the dimension of the works a table names, which need not be those of its joints.
    riding = {"role": roles, "axis": axes}
    coordinates: dict[str, Any] = {"joint_coordinate": labels} if labels else {}
    coordinates |= {f"joint_coordinate_{what}": ("joint_coordinate", said) for what, said in riding.items() if labels}
    return {
        "joint_point": (("time", "joint", "xyz"), np.stack(found["point"], axis=1)),
        "joint_parent_point": (("joint", "xyz"), np.stack(found["s"])),
        "joint_parent_frame": (("joint", "xyz", "column"), np.stack(found["parent"])),
        "joint_child_frame": (("joint", "xyz", "column"), np.stack(found["child"])),
    }, {
        "joint": [str(name) for name in given],
        "joint_parent": ("joint", [spec["parent"] for spec in given.values()]),
        "joint_child": ("joint", [spec["child"] for spec in given.values()]),
        "joint_type": ("joint", [spec.get("type", "") for spec in given.values()]),
        "joint_holds": ("joint", [_held(spec) for spec in given.values()]),
    } | coordinates


def _held(spec: Any) -> str:
    kind = TYPES.get(spec.get("type", ""))
    return held_by(kind) if kind is not None else ALL_BUT_COORDINATES  # and without a type it has none


def _refuse(table: Table, spec: Any, bodies: list[str], path: str) -> None:
    refuse_unknown(table, spec, JOINT, path)
    for word in ("parent", "child"):
        if spec.get(word) not in [*bodies, WORLD]:
            raise table.wrong(f"{word} {spec.get(word)!r} is none of {', '.join([*bodies, WORLD])}.", path=path)
    if spec["parent"] == spec["child"]:
        raise table.wrong("parent and child are the same.", path=path)
    if "point" not in spec:
        raise table.wrong("`point` is missing: in the child's axes from its mass centre, or columns.", path=path)
    if spec.get("type", "") not in ("", *TYPES):
        raise table.wrong(f"type {spec['type']!r} is none of {', '.join(TYPES)}.", path=path)


def _point(
    table: Table, plan: Mapping[str, Any], spec: Any, bodies: list[str], variables: dict[str, Any], path: str
) -> np.ndarray:
    """Return the joint's point in inertial axes, one per row."""
    if isinstance(spec["point"], Mapping):
        if plan.get("kind", "absolute") != "absolute":
            raise table.wrong("columns of a point need kind 'absolute'; give it in the child's axes.", path=path)
        return table.take(spec["point"], 3, "m", path)
    point = table.numbers(spec["point"], "m", path)
    if point.shape != (3,):
        raise table.wrong("a point is three numbers or {columns: [...]}.", path=path)
    if spec["child"] == WORLD:
        return np.tile(point, (table.rows, 1))
    body = bodies.index(spec["child"])
    if not variables["attitude_known"][1][body]:
        raise table.wrong(f"the axes of '{spec['child']}' need its `orientation`; or give columns.", path=path)
    R_WB = rotation_matrix(variables["orientation"][1][:, body])
    return np.asarray(variables["position"][1][:, body] + turn(R_WB, np.tile(point, (table.rows, 1))))


def _frames(table: Table, spec: Any, path: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the joint's frames on parent and child, columns as in `joint_places`."""
    axis, axis2 = (_direction(table, spec, word, path) for word in ("axis", "axis2"))
    if axis is None:
        axis = np.array([0.0, 0.0, 1.0])
    kind = TYPES.get(spec.get("type", ""))
    arms = kind is not None and kind.arm()
    second = perpendicular(axis) if axis2 is None or arms else axis2 - axis * (axis @ axis2)
    second = second / np.linalg.norm(second)
    parent = np.column_stack([second, np.cross(axis, second), axis])
    if not arms:
        return parent, np.eye(3)
    if axis2 is None:
        raise table.wrong("`axis2` is missing: the axis fixed in the child, in its axes.", path=path)
    other = perpendicular(axis2)
    return parent, np.column_stack([axis2, np.cross(other, axis2), other])


def _direction(table: Table, spec: Any, word: str, path: str) -> np.ndarray | None:
    if word not in spec:
        kind = TYPES.get(spec.get("type", ""))
        needed = kind is not None and (word in kind.needs or (word == "axis" and kind.arm()))
        if needed:
            raise table.wrong(f"`{word}` is missing, which a {spec['type']} joint needs.", path=path)
        return None
    values = table.numbers(spec[word], "", f"{path}.{word}")
    if values.shape != (3,) or not np.linalg.norm(values) > 0:
        raise table.wrong("a direction is three numbers, not all zero.", path=f"{path}.{word}")
    return np.asarray(values / np.linalg.norm(values))


def _coordinates(table: Table, given: Mapping[str, Any]) -> tuple[list[str], list[str], list[str]]:
    """Return labels, roles and axes of the joints' coordinates: free unless `driven` names them."""
    labels, roles, axes = [], [], []
    for name, spec in given.items():
        kind = TYPES.get(spec.get("type", ""))
        names = kind.coordinates if kind is not None else {}
        driven = spec.get("driven", [])
        driven = [driven] if isinstance(driven, str) else driven
        strange = [word for word in driven if word not in names]
        if strange:
            has = ", ".join(names) or "no coordinates"
            raise table.wrong(
                f"'{strange[0]}' is no coordinate of this joint; it has {has}.", path=f"joints.{name}.driven"
            )
        labels += [f"{name}.{word}" for word in names]
        roles += ["driven" if word in driven else "free" for word in names]
        axes += [one.label for one in names.values()]
    return labels, roles, axes
