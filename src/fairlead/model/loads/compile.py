"""Loads from words to arrays: one row per end, and the channels their formulas read."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.core.jit.by_address import callable_at, is_compiled_function
from fairlead.errors import FairleadError, Problem
from fairlead.model.environment.compile_sea import compile_sea
from fairlead.model.fields import WORLD
from fairlead.model.joints.geometry import Array
from fairlead.model.loads import simple as words
from fairlead.model.loads.compile_rotor import compile_rotors
from fairlead.model.loads.moordyn_file import read_moordyn
from fairlead.model.loads.mooring import Catenary, MoorDyn, TautLine
from fairlead.model.motions import Expression, Table
from fairlead.model.readable import look_up
from fairlead.model.schema import Model
from fairlead.units import to_si


class Rows:
    """Gathers load rows and answers where things are in the arrays."""

    def __init__(self, model: Model, bodies: Any, trees: Any, coordinates: dict[str, int], index: Any) -> None:
        self.model, self.index, self.coordinate_at, self.bodies = model, index, coordinates, bodies
        self.R_WD = {name: trees["R_WD"][bodies["tree"][i]].reshape(3, 3) for name, i in index.tree_order.items()}
        self.row_of: dict[str, int] = {}
        self.channels: list[tuple[int, int, int]] = [(ca.TIME, 0, 0)]
        self.functions: list[tuple[int, int, int]] = []

    def number(self, body: str | None) -> int:
        """Return the number of a body in the arrays, -1 for the world."""
        return -1 if body is None or body == WORLD else self.index.tree_order[body]

    def offset(self, body: str | None, point: Any) -> Array:
        """Return a drawn point from the body's mass centre in D, or as it is for the world."""
        if body is None or body == WORLD:
            return np.array(point, dtype=float)
        return np.asarray(self.R_WD[body].T @ (np.array(point) - np.array(self.model.bodies[body].position)))

    def axis(self, body: str | None, axis: Any) -> Array:
        """Return a drawn axis in the D of a body, or of the world; zero where there is none."""
        if axis is None:
            return np.zeros(3)
        return np.array(axis) if body is None or body == WORLD else np.asarray(self.R_WD[body].T @ np.array(axis))

    def add(self, name: str, load: words.Load) -> int:
        """Add a load's rows and return the first."""
        first = len(self.index.loads)
        self.row_of[name] = first
        ends = load.on_bodies()
        for body in ends:
            self.index.loads.append(name if len(ends) == 1 else f"{name}@{body}")
            self.index.load_body.append(body)
            self.index.load_internal.append(int(len(ends) == 2))
        return first

    def add_points(self, name: str, load: MoorDyn, shelf: Any) -> None:
        """Add a row for each coupled point of a MoorDyn file, named after its number where there are several."""
        try:
            about = read_moordyn(load.file)
        except FairleadError as error:
            shelf.problems.append(Problem(str(error), f"loads.{name}.file"))
            return
        if about.too_large():
            shelf.problems.append(Problem(about.too_large(), f"loads.{name}.file"))
        first = len(self.index.loads)
        self.row_of[name] = first
        alone = len(about.points) == 1
        for number in about.points:
            self.index.loads.append(name if alone else f"{name}@{number}")
            self.index.load_body.append(load.body)
            self.index.load_internal.append(0)
        self.index.partners[name] = (list(range(first, len(self.index.loads))), about)

    def channel(self, name: str, quantity: str) -> int:
        """Return the number of a channel, adding it if new; ValueError with the choices if there is none."""
        found = self._find(name, quantity)
        if found not in self.channels:
            self.channels.append(found)
        return self.channels.index(found)

    def _find(self, name: str, quantity: str) -> tuple[int, int, int]:
        model = self.model
        group, part, number = look_up(name, quantity, model.bodies, model.joints, model.loads)
        if group == "bodies":
            return ca.OF_BODY, self.index.tree_order[name], number
        if group == "loads":
            return ca.OF_LOAD, self.row_of[name], number
        return ca.OF_COORDINATE, self.coordinate_at[f"{name}.{part}"], number


def compile_loads(
    model: Model,
    bodies: Any,
    trees: Any,
    coordinates: dict[str, int],
    index: Any,
    shelf: Any,
    duration: float | None = None,
) -> tuple[dict[str, Any], Rows]:
    """Return the load families of a model as record arrays, and the rows that know their channels."""
    rows = Rows(model, bodies, trees, coordinates, index)
    for name, load in model.loads.items():
        if isinstance(load, MoorDyn):
            rows.add_points(name, load, shelf)
            continue
        rows.add(name, load)
        if isinstance(load, words.Force) and load.function is not None:
            _function(name, load.function, rows, shelf)
    families: dict[str, Any] = {
        "springs": _table(ca.SPRING, _of(model, (words.Spring, TautLine)), rows, _spring),
        "rotational": _table(ca.ROTATIONAL, _of(model, words.RotationalSpring), rows, _rotational),
        "matrices": _table(ca.MATRIX, _of(model, words.Matrix), rows, _matrix),
    }
    families["functions"] = np.array(rows.functions, ca.FUNCTION)
    forces = {name: force for name, force in _of(model, words.Force).items() if force.function is None}
    families["forces"] = _table(ca.FORCE, forces, rows, _force)
    for row, (name, force) in zip(families["forces"], forces.items()):
        _components(row, name, force, rows, shelf)
    families["lines"] = _table(ca.LINE, _of(model, Catenary), rows, _line)
    families["rotors"] = compile_rotors(model, rows, shelf)
    families["rows"] = np.zeros(len(index.loads), ca.ROW)
    for row, body, internal in zip(families["rows"], index.load_body, index.load_internal):
        row["body"], row["external"] = index.tree_order[body], 1 - internal
    for spring in families["springs"]:
        families["rows"]["spring"][spring["row"] : spring["row"] + (2 if spring["far"] >= 0 else 1)] = 1
    families["sea"] = compile_sea(model, rows, shelf, duration)
    return families, rows


_called_at = lru_cache(maxsize=64)(callable_at)  # compiling takes a moment, and a study asks again and again


def _function(name: str, function: Any, rows: Rows, shelf: Any) -> None:
    """Keep a function: a compiled one by its address for the kernels, another to be asked in Python."""
    row = rows.row_of[name]
    body = rows.number(rows.index.load_body[row])
    if not is_compiled_function(function):
        rows.index.outside[row] = function
        return
    try:
        address, kept = _called_at(function, not np.allclose(rows.bodies["R_DB"][body], np.eye(3).ravel(), 0, 1e-14))
    except ValueError as error:
        shelf.problems.append(Problem(f"the compiled function {error}", f"loads.{name}.function"))
        return
    rows.index.kept.append(kept)
    rows.functions.append((row, body, address))


def _of(model: Model, kind: Any) -> dict[str, Any]:
    return {name: load for name, load in model.loads.items() if isinstance(load, kind)}


def _table(dtype: Any, loads: dict[str, Any], rows: Rows, values_of: Callable[[Any, Rows], dict[str, Any]]) -> Any:
    table = np.zeros(len(loads), dtype)
    for row, (name, load) in zip(table, loads.items()):
        row["row"] = rows.row_of[name]
        for field, value in values_of(load, rows).items():
            row[field] = value
    return table


def _spring(load: words.Spring | TautLine, rows: Rows) -> dict[str, Any]:
    if isinstance(load, TautLine):
        return _taut_line(load, rows)
    return {
        "near": rows.number(load.body),
        "far": rows.number(load.other),
        "tension_only": load.tension_only,
        "r_near_D": rows.offset(load.body, load.point),
        "r_far_D": rows.offset(load.other, load.far_point()),
        "stiffness": load.stiffness,
        "damping": load.damping,
        "length": load.drawn_length() if load.length is None else load.length,
    }


def _taut_line(load: TautLine, rows: Rows) -> dict[str, Any]:
    """T0 + EA/L (rho - L) is a spring of stiffness EA/L and rest length L (1 - T0/EA). Dissertation Eq. 3.16."""
    length = load.drawn_length()
    return {
        "near": rows.number(load.body),
        "far": -1,
        "tension_only": load.tension_only,
        "r_near_D": rows.offset(load.body, load.point),
        "r_far_D": np.array(load.anchor),
        "stiffness": load.EA / length,
        "damping": load.damping,
        "length": length * (1.0 - load.pretension / load.EA),
    }


def _line(load: Catenary, rows: Rows) -> dict[str, Any]:
    return {
        "body": rows.number(load.body),
        "bed": load.seabed,
        "r_BP_D": rows.offset(load.body, load.point),
        "anchor_W": load.anchor,
        "length": load.length,
        "EA": load.EA,
        "weight": load.weight,
        "friction": load.friction,
    }


def _rotational(load: words.RotationalSpring, rows: Rows) -> dict[str, Any]:
    return {
        "near": rows.number(load.body),
        "far": rows.number(load.other),
        "axis_D": rows.axis(load.other, load.axis),
        "stiffness": load.stiffness,
        "damping": load.damping,
    }


def _matrix(load: words.Matrix, rows: Rows) -> dict[str, Any]:
    given = {"K": load.stiffness, "C": load.damping, "A": load.added_mass, "preload": load.preload}
    return {
        "body": rows.number(load.body),
        "has_A": load.added_mass is not None,
        "r_BP_D": rows.offset(load.body, load.point),
        "x_WP_W": load.point,
        **{name: np.array(value) for name, value in given.items() if value is not None},
    }


def _force(load: words.Force, rows: Rows) -> dict[str, Any]:
    return {
        "body": rows.number(load.body),
        "turning": load.axes == "body",
        "r_BP_D": np.zeros(3) if load.point is None else rows.offset(load.body, load.point),
    }


def _components(row: Any, name: str, force: words.Force, rows: Rows, shelf: Any) -> None:
    """Fill the six components of a force: number, table or formula."""
    given = [*(force.force or (0.0,) * 3), *(force.moment or (0.0,) * 3)]
    paths = [f"loads.{name}.{what}.{i}" for what in ("force", "moment") for i in range(3)]
    for c, (part, path, unit) in enumerate(zip(given, paths, ["N"] * 3 + ["N m"] * 3)):
        if isinstance(part, Expression):
            row["code"][c] = ca.FORMULA
            row["start"][c], _ = shelf.program(part.expression, rows.channel, path)
        elif isinstance(part, Table):
            row["code"][c] = ca.LINEAR_TABLE
            row["start"][c], row["stop"][c] = shelf.pieces(part.times, [[to_si(value, unit)] for value in part.values])
            rows.index.spans.append((path, part.times[0], part.times[-1]))
        else:
            row["value"][c] = part
