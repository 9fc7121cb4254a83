"""Orientations of a foreign table in whatever form it has them, as quaternions: scalar first, body to world.

Euler angles of any order are a product of three turns about the axes the order names. Turns about axes that go with
the body (intrinsic) are multiplied in the order given, R = R1 R2 R3; turns about the world's axes (extrinsic) the other
way round, R = R3 R2 R1. So ZYX about the body's axes is xyz about the world's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from fairlead.formats.foreign.columns import Table, refuse_unknown

FORMS = {"quaternion": 4, "matrix": 9, "euler123": 3, "euler": 3}
WORDS = (*FORMS, "order", "about", "unit")
ABOUT = ("body", "world")


def read_quaternion(table: Table, given: Any, path: str) -> np.ndarray:
    """Return orientations as quaternions from a quaternion, a matrix or three angles of any order."""
    form, spec = _form(table, given, path)
    if FORMS[form] == 3:
        angles = table.take(spec, 3, "rad", path)
        axes, about = _order(table, given, path)
        turns = [_about(axis, angle / 2) for axis, angle in zip(axes, angles.T)]
        first, second, third = turns if about == "body" else turns[::-1]
        return _product(_product(first, second), third)
    values = table.take(spec, FORMS[form], "", path)
    return values if form == "quaternion" else _of_matrix(table, values.reshape(-1, 3, 3), path)


def printed_turn(table: Table, given: Any, path: str) -> float:
    """Return the error in a component of the quaternion that half a unit of the last printed digit makes."""
    form, spec = _form(table, given, path)
    if FORMS[form] == 3:  # three angles, each half of itself in the quaternion
        return 1.5 * table.resolution(spec, "rad", path)
    return table.resolution(spec, "", path)


def _form(table: Table, given: Any, path: str) -> tuple[str, Any]:
    """Return the form an orientation has and the columns that hold it, with their unit."""
    forms = [name for name in FORMS if isinstance(given, Mapping) and name in given]
    if len(forms) != 1:
        raise table.wrong(f"expected one of {', '.join(FORMS)} with its columns.", path=path)
    refuse_unknown(table, given, WORDS, path)
    form = forms[0]
    if form != "euler" and ("order" in given or "about" in given):
        raise table.wrong("`order` and `about` belong to `euler`.", path=path)
    if FORMS[form] == 3 and not isinstance(given[form], Mapping):
        return form, {"columns": given[form], "unit": given.get("unit")}
    return form, given[form]


def _order(table: Table, given: Mapping[str, Any], path: str) -> tuple[list[int], str]:
    """Return the three axes of the turns, 0 to 2, and whose axes they are: "body" or "world".

    Letters or numbers, with or without dashes: ZYX, 3-1-3, 321. Capitals and numbers are about the body's axes and
    small letters about the world's, as in scipy, unless `about` says it.
    """
    if "euler" not in given:
        return [0, 1, 2], "body"
    text = str(given.get("order", ""))
    plain = re.sub(r"[-, ]", "", text)
    axes = ["XYZ123".index(letter) % 3 for letter in plain.upper() if letter in "XYZ123"]
    mixed = not (plain.isdigit() or plain.isupper() or plain.islower())
    if len(plain) != 3 or len(axes) != 3 or mixed or axes[0] == axes[1] or axes[1] == axes[2]:
        example = "three axes such as ZYX or 3-1-3, no two neighbours alike"
        raise table.wrong(f"`order` must be {example}; got {text!r}.", path=path)
    about = given.get("about", "world" if plain.islower() else "body")
    if about not in ABOUT:
        raise table.wrong(
            f"`about` must be body (intrinsic: axes that go with the body) or world (extrinsic); got {about!r}.",
            path=path,
        )
    return axes, str(about)


def _of_matrix(table: Table, R: np.ndarray, path: str) -> np.ndarray:
    from scipy.spatial.transform import Rotation

    off = np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max((1, 2))
    bad = np.flatnonzero((off > 1e-3) | (np.linalg.det(R) < 0))
    if len(bad):
        raise table.wrong(f"row {bad[0] + 1} is not a rotation matrix (off by {off[bad[0]]:.2g}).", path=path)
    return np.asarray(Rotation.from_matrix(R).as_quat(scalar_first=True))


def _about(axis: int, half: np.ndarray) -> np.ndarray:
    q = np.zeros((len(half), 4))
    q[:, 0], q[:, 1 + axis] = np.cos(half), np.sin(half)
    return q


def _product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    vector = p[:, :1] * q[:, 1:] + q[:, :1] * p[:, 1:] + np.cross(p[:, 1:], q[:, 1:])
    return np.concatenate([p[:, :1] * q[:, :1] - (p[:, 1:] * q[:, 1:]).sum(1, keepdims=True), vector], axis=1)
