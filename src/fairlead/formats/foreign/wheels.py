"""Stored momentum of a foreign table's wheels: as it is, or as axis, inertia and speed of each wheel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from fairlead.formats.foreign.columns import Table, refuse_unknown
from fairlead.numeric import turn

WHEEL = ("axis", "inertia", "speed")
FORMS = (
    "three numbers in body axes (with `orientation`), {columns: [...], axes: ...}, or a list of wheels "
    "{axis, inertia, speed}"
)


def read_wheels(
    table: Table, given: Any, known: bool, to_body: Callable[[Any, str], np.ndarray], path: str
) -> tuple[np.ndarray, float]:
    """Return the stored momentum in body axes, (3,) if it is constant or (rows, 3), and half its last printed digit."""
    if given is None:
        return np.zeros(3), 0.0
    if isinstance(given, list | tuple) and given and all(isinstance(wheel, Mapping) for wheel in given):
        parts = [_wheel(table, wheel, known, to_body, f"{path}[{k}]") for k, wheel in enumerate(given)]
        return sum((h for h, _ in parts), np.zeros(3)), sum(digits for _, digits in parts)
    if isinstance(given, Mapping) and "columns" in given:
        momentum = turn(to_body(given, path), table.take(given, 3, "kg*m**2/s", path))
        return momentum, table.resolution(given, "kg*m**2/s", path)
    if isinstance(given, Mapping):
        return _wheel(table, given, known, to_body, path)
    values = table.numbers(given, "kg*m**2/s", path)
    if values.shape != (3,) or not known:
        raise table.wrong(f"expected {FORMS}.", path=path)
    return values, 0.0


def _wheel(
    table: Table, given: Mapping[str, Any], known: bool, to_body: Callable[[Any, str], np.ndarray], path: str
) -> tuple[np.ndarray, float]:
    """Return h = axis * inertia * speed of one wheel; its locked inertia is part of the body's."""
    refuse_unknown(table, given, WHEEL, path)
    for word in WHEEL:
        if word not in given:
            raise table.wrong(f"`{word}` is missing; a wheel has {', '.join(WHEEL)}.", path=path)
    axis = _axis(table, given["axis"], known, to_body, f"{path}.axis")
    inertia = table.numbers(given["inertia"], "kg*m**2", f"{path}.inertia")
    if inertia.shape != () or not inertia >= 0:
        raise table.wrong("one number [kg m2], not negative: about the wheel's axis.", path=f"{path}.inertia")
    if isinstance(given["speed"], Mapping) or _is_column(table, given["speed"]):
        speed = table.take(given["speed"], 1, "rad/s", f"{path}.speed")
        digits = table.resolution(given["speed"], "rad/s", f"{path}.speed")
        return inertia * speed * axis, float(inertia * digits)
    speed = table.numbers(given["speed"], "rad/s", f"{path}.speed")
    if speed.shape != ():
        raise table.wrong("one number [rad/s], a text with a unit, or a column.", path=f"{path}.speed")
    return inertia * speed * axis, 0.0


def _is_column(table: Table, given: Any) -> bool:
    return isinstance(given, str) and given in table.columns


def _axis(table: Table, given: Any, known: bool, to_body: Callable[[Any, str], np.ndarray], path: str) -> np.ndarray:
    """Return the unit axis in body axes: (3,) from numbers, (rows, 3) from columns in any axes."""
    if isinstance(given, Mapping):
        axis = turn(to_body(given, path), table.take(given, 3, "", path))
    else:
        axis = table.numbers(given, "", path)
        if axis.shape != (3,) or not known:
            wanted = "three numbers in body axes (with `orientation`) or {columns: [...], axes: ...}"
            raise table.wrong(f"expected {wanted}.", path=path)
    size = np.linalg.norm(axis, axis=-1, keepdims=True)
    if not np.all(size > 0):
        raise table.wrong("an axis is a direction; it may not be zero.", path=path)
    return np.asarray(axis / size)
