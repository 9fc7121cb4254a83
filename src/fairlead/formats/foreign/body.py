"""One body of a foreign table: its pose and motion brought to the axes in which the audit works."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from fairlead.formats.foreign.angles import printed_turn, read_quaternion
from fairlead.formats.foreign.columns import Table, refuse_unknown
from fairlead.formats.foreign.wheels import read_wheels
from fairlead.numeric import rotation_matrix, turn

BODY = ("mass", "position", "velocity", "acceleration", "orientation", "angular_velocity", "inertia", "wheels")
AXES = ("world", "body", "base")
TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")
# Columns of an inertia by their number: moments (body axes), TENSOR, or row by row.
COLUMNS = {
    3: ([0, 0, 0, 0, 1, 0, 0, 0, 2], np.eye(3).ravel()),
    6: ([0, 3, 4, 3, 1, 5, 4, 5, 2], np.ones(9)),
    9: (list(range(9)), np.ones(9)),
}


class Base(NamedTuple):
    """The axes of the base body: matrices to inertial axes, and how finely they are printed (as a quaternion)."""

    R_WB: np.ndarray
    printed: float


def read_body(table: Table, given: Any, path: str, kind: str, base: Base | None) -> dict[str, Any]:
    """Return one body with positions in inertial axes and rates, inertia and wheels in body axes.

    A body without orientation is carried as if its axes were the inertial ones: `known` is then False. `resolution`
    holds half a unit of the last printed digit of each quantity.
    """
    refuse_unknown(table, given, BODY, path)
    for word in ("mass", "position", "velocity", "angular_velocity", "inertia"):
        if word not in given:
            raise table.wrong(f"`{word}` is missing.", path=path)
    body: dict[str, Any] = {"mass": float(table.numbers(given["mass"], "kg", f"{path}.mass"))}
    if not body["mass"] > 0:
        raise table.wrong(f"mass must be positive, got {body['mass']:g} kg.", path=path)
    known = body["known"] = "orientation" in given
    body["orientation"] = np.tile([1.0, 0.0, 0.0, 0.0], (table.rows, 1))
    printed = body["resolution"] = {"orientation": 0.0}
    if known:
        body["orientation"] = read_quaternion(table, given["orientation"], f"{path}.orientation")
        printed["orientation"] = printed_turn(table, given["orientation"], f"{path}.orientation")
    for word, unit in (("position", "m"), ("velocity", "m/s"), ("acceleration", "m/s2")):
        if word in given:
            values = table.take(given[word], 3, unit, f"{path}.{word}")
            printed[word] = table.resolution(given[word], unit, f"{path}.{word}")
            if base is not None and kind.startswith("base-"):
                printed[word] += 2 * base.printed * float(np.linalg.norm(values, axis=-1).max())
                values = turn(base.R_WB, values)
            body[word] = values
    R_BW = np.swapaxes(rotation_matrix(body["orientation"]), 1, 2)

    def to_body(spec: Any, path: str) -> np.ndarray:
        return _from_axes(table, spec, known, R_BW, base, path)

    spec, place = given["angular_velocity"], f"{path}.angular_velocity"
    rates = table.take(spec, 3, "rad/s", place)
    body["angular_velocity"] = turn(to_body(spec, place), rates)
    printed["angular_velocity"] = table.resolution(spec, "rad/s", place)
    spec, place = given["inertia"], f"{path}.inertia"
    if isinstance(spec, Mapping) and "columns" in spec:
        body["inertia"] = _inertia_columns(table, spec, to_body(spec, place), place)
        printed["inertia"] = table.resolution(spec, "kg*m**2", place)
    else:
        body["inertia"] = _inertia(table, spec, known, place)
    body["wheels"], printed["wheels"] = read_wheels(table, given.get("wheels"), known, to_body, f"{path}.wheels")
    return body


def _from_axes(table: Table, given: Any, known: bool, R_BW: np.ndarray, base: Base | None, path: str) -> np.ndarray:
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
        return R_BW @ base.R_WB
    return R_BW


def _inertia_columns(table: Table, spec: Mapping[str, Any], R: np.ndarray, path: str) -> np.ndarray:
    """Return inertias per row in body axes, (rows, 3, 3), from three, six or nine columns in the axes R starts from."""
    count = len(spec["columns"]) if isinstance(spec["columns"], list | tuple) else 0
    if count not in COLUMNS:
        raise table.wrong(f"three (moments), six ({', '.join(TENSOR)}) or nine columns, row by row.", path=path)
    if count == 3 and spec["axes"] != "body":
        raise table.wrong("three moments are those of body axes; give six or nine columns otherwise.", path=path)
    order, mask = COLUMNS[count]
    values = (table.take(spec, count, "kg*m**2", path)[:, order] * mask).reshape(-1, 3, 3)
    return np.asarray(R @ values @ np.swapaxes(R, 1, 2))


def _inertia(table: Table, spec: Any, known: bool, path: str) -> np.ndarray:
    """Return a constant inertia in body axes, (3, 3)."""
    if not known:
        raise table.wrong(
            "constants are in body axes, which need the body's `orientation`; or give columns.", path=path
        )
    if isinstance(spec, Mapping):
        keys = ("xx", "xy", "xz", "xy", "yy", "yz", "xz", "yz", "zz")
        refuse_unknown(table, spec, TENSOR, path)
        spec = np.array([spec.get(key, 0.0) for key in keys], dtype=object).reshape(3, 3)
    values = table.numbers(spec, "kg*m**2", path)
    if values.shape == (3,):
        return np.diag(values)
    if values.shape != (3, 3):
        raise table.wrong("inertia is three moments, a 3x3 matrix, {xx: ...} or {columns: ..., axes: ...}.", path=path)
    return values
