"""One body of a foreign table: its pose and motion brought to the axes in which the audit works."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from fairlead.results.audit_columns import Table, refuse_unknown
from fairlead.results.audit_read import rotation_matrix, turn

BODY = ("mass", "position", "velocity", "acceleration", "orientation", "angular_velocity", "inertia", "wheels")
AXES = ("world", "body", "base")


def read_body(table: Table, given: Any, path: str, kind: str, base: np.ndarray | None) -> dict[str, Any]:
    """Return one body with positions in inertial axes and rates, inertia and wheels in body axes.

    A body without orientation is carried as if its axes were the inertial ones: `known` is then False.
    """
    refuse_unknown(table, given, BODY, path)
    for word in ("mass", "position", "velocity", "angular_velocity", "inertia"):
        if word not in given:
            raise table.wrong(f"`{word}` is missing.", path=path)
    body: dict[str, Any] = {"mass": float(table.numbers(given["mass"], "kg", f"{path}.mass"))}
    if not body["mass"] > 0:
        raise table.wrong(f"mass must be positive, got {body['mass']:g} kg.", path=path)
    known = "orientation" in given
    identity = np.tile([1.0, 0.0, 0.0, 0.0], (table.rows, 1))
    body["orientation"] = read_quaternion(table, given["orientation"], f"{path}.orientation") if known else identity
    body["known"] = known
    printed = body["resolution"] = {}
    if known:
        printed["orientation"] = _printed_orientation(table, given["orientation"], f"{path}.orientation")
    for word, unit in (("position", "m"), ("velocity", "m/s"), ("acceleration", "m/s2")):
        if word in given:
            values = table.take(given[word], 3, unit, f"{path}.{word}")
            printed[word] = table.resolution(given[word], unit, f"{path}.{word}")
            body[word] = turn(base, values) if base is not None and kind.startswith("base-") else values
    R_BW = np.swapaxes(rotation_matrix(body["orientation"]), 1, 2)

    def to_body(word: str) -> np.ndarray:
        return _from_axes(table, given[word], known, R_BW, base, f"{path}.{word}")

    rates = table.take(given["angular_velocity"], 3, "rad/s", f"{path}.angular_velocity")
    printed["angular_velocity"] = table.resolution(given["angular_velocity"], "rad/s", path)
    for word, unit in (("inertia", "kg*m**2"), ("wheels", "kg*m**2/s")):
        if isinstance(given.get(word), Mapping) and "columns" in given[word]:
            printed[word] = table.resolution(given[word], unit, path)
    body["angular_velocity"] = turn(to_body("angular_velocity"), rates)
    body["inertia"] = _inertia(table, given, known, to_body, path)
    body["wheels"] = _wheels(table, given, known, to_body, path)
    return body


def _from_axes(
    table: Table, given: Any, known: bool, R_BW: np.ndarray, base: np.ndarray | None, path: str
) -> np.ndarray:
    """Return the matrices that take components in the stated axes to body axes, one per row."""
    axes = given.get("axes") if isinstance(given, Mapping) else None
    if axes not in AXES:
        raise table.wrong("say in which axes it is written: {columns: [...], axes: world | body | base}.", path=path)
    if axes == "body":
        if not known:
            raise table.wrong("body axes need the body's `orientation`.", path=path)
        return np.broadcast_to(np.eye(3), R_BW.shape)
    if axes == "base":
        if base is None:
            raise table.wrong("base axes need `base` or `base_orientation`.", path=path)
        return R_BW @ base
    return R_BW


def _inertia(table: Table, given: Any, known: bool, to_body: Callable[[str], np.ndarray], path: str) -> np.ndarray:
    """Return the inertia in body axes: (3, 3) from constants, (rows, 3, 3) from columns in any axes."""
    spec, path = given["inertia"], f"{path}.inertia"
    if isinstance(spec, Mapping) and "columns" in spec:
        count = 6 if len(spec["columns"]) == 6 else 9
        values = table.take(spec, count, "kg*m**2", path)
        order = [0, 3, 4, 3, 1, 5, 4, 5, 2] if count == 6 else list(range(9))  # six: xx yy zz xy xz yz
        R = to_body("inertia")
        return R @ values[:, order].reshape(-1, 3, 3) @ np.swapaxes(R, 1, 2)
    if not known:
        raise table.wrong(
            "constants are in body axes, which need the body's `orientation`; or give columns.", path=path
        )
    if isinstance(spec, Mapping):
        keys = ("xx", "xy", "xz", "xy", "yy", "yz", "xz", "yz", "zz")
        refuse_unknown(table, spec, ("xx", "yy", "zz", "xy", "xz", "yz"), path)
        spec = np.array([spec.get(key, 0.0) for key in keys], dtype=object).reshape(3, 3)
    values = table.numbers(spec, "kg*m**2", path)
    if values.shape == (3,):
        return np.diag(values)
    if values.shape != (3, 3):
        raise table.wrong("inertia is three moments, a 3x3 matrix, {xx: ...} or {columns: ..., axes: ...}.", path=path)
    return values


def _wheels(table: Table, given: Any, known: bool, to_body: Callable[[str], np.ndarray], path: str) -> np.ndarray:
    """Return the stored momentum in body axes: (3,) from constants, (rows, 3) from columns in any axes."""
    spec, path = given.get("wheels"), f"{path}.wheels"
    if spec is None:
        return np.zeros(3)
    if isinstance(spec, Mapping):
        return turn(to_body("wheels"), table.take(spec, 3, "kg*m**2/s", path))
    values = table.numbers(spec, "kg*m**2/s", path)
    if values.shape != (3,) or not known:
        raise table.wrong("three numbers in body axes (with `orientation`) or {columns: [...], axes: ...}.", path=path)
    return values


def read_quaternion(table: Table, given: Any, path: str) -> np.ndarray:
    """Return orientations as quaternions, scalar first, body to world, from one of three forms."""
    forms = {"quaternion": 4, "matrix": 9, "euler123": 3}
    form = next((name for name in forms if isinstance(given, Mapping) and name in given), None)
    if form is None:
        raise table.wrong(f"expected one of {', '.join(forms)} with its columns.", path=path)
    assert form is not None
    columns = {"columns": given[form], "unit": given.get("unit")}
    if form == "euler123":
        a, b, c = table.take(columns, 3, "rad", path).T / 2
        return _product(_product(_about(0, a), _about(1, b)), _about(2, c))
    values = table.take(given[form], forms[form], "", path)
    if form == "quaternion":
        return values
    from scipy.spatial.transform import Rotation

    R = values.reshape(-1, 3, 3)
    off = np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max((1, 2))
    bad = np.flatnonzero((off > 1e-3) | (np.linalg.det(R) < 0))
    if len(bad):
        raise table.wrong(f"row {bad[0] + 1} is not a rotation matrix (off by {off[bad[0]]:.2g}).", path=path)
    return Rotation.from_matrix(R).as_quat(scalar_first=True)


def _printed_orientation(table: Table, given: Mapping[str, Any], path: str) -> float:
    form = next(name for name in ("quaternion", "matrix", "euler123") if name in given)
    columns = {"columns": given[form], "unit": given.get("unit") if form == "euler123" else None}
    return table.resolution(columns, "rad" if form == "euler123" else "", path)


def _about(axis: int, half: np.ndarray) -> np.ndarray:
    q = np.zeros((len(half), 4))
    q[:, 0], q[:, 1 + axis] = np.cos(half), np.sin(half)
    return q


def _product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    vector = p[:, :1] * q[:, 1:] + q[:, :1] * p[:, 1:] + np.cross(p[:, 1:], q[:, 1:])
    return np.concatenate([p[:, :1] * q[:, :1] - (p[:, 1:] * q[:, 1:]).sum(1, keepdims=True), vector], axis=1)
