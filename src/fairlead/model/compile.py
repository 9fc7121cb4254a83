"""From words to arrays: the only bridge between a model and the kernels."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.core.codes import ATTITUDE_AS, CLOSING, COUPLED, LOOSE, MEASURED, UNKNOWNS
from fairlead.core.expressions.evaluate import pack
from fairlead.core.record import record_layout
from fairlead.errors import InvalidInput, Problem
from fairlead.model import motions as words
from fairlead.model.controllers.compile import compile_controllers
from fairlead.model.controllers.planned_yaw import controlled_motion
from fairlead.model.environment.compile_sea import compile_sea, has_elevation
from fairlead.model.environment.compile_wind import compile_wind
from fairlead.model.expressions import Program, parse, time_only
from fairlead.model.fields import WORLD
from fairlead.model.joints.base import is_ball
from fairlead.model.joints.compile_forces import compile_joint_forces
from fairlead.model.joints.description import BALL
from fairlead.model.joints.equations import compile_constraints
from fairlead.model.joints.geometry import Array, axes_of, point_of, rotation_of
from fairlead.model.joints.kane_slots import KaneCoordinates
from fairlead.model.joints.numbering import FreeCoordinates, loop_structure, needs_measuring
from fairlead.model.loads.compile import compile_loads, place_memory
from fairlead.model.loads.table import OUTPUTS
from fairlead.model.schema import Model
from fairlead.model.topology import Topology, Tree, topology


@dataclass
class Index:
    """Names and numbers: the user's order of bodies, joints, coordinates and load rows, and what is constant."""

    bodies: list[str]
    joints: list[str]
    coordinates: list[str] = field(default_factory=list)
    coordinate_kind: list[str] = field(default_factory=list)
    coordinate_role: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    load_body: list[str] = field(default_factory=list)
    load_internal: list[int] = field(default_factory=list)
    controllers: list[str] = field(default_factory=list)  # outputs of feedback, as name.output
    outside: dict[int, Any] = field(default_factory=dict)  # load row -> Python callable
    kept: list[Any] = field(default_factory=list)  # what must live as long as kernels may call it
    asked: dict[str, Any] = field(default_factory=dict)  # controller -> what kernels call in its place
    partners: dict[str, Any] = field(default_factory=dict)  # load of another program -> its rows and its file
    rolling: Any = None  # fills the tables of the waves as a long run goes
    spans: list[tuple[str, float, float]] = field(default_factory=list)  # path of each table, its first and last time
    tree_order: dict[str, int] = field(default_factory=dict)  # body -> number in the arrays
    relations: list[str] = field(default_factory=list)  # coordinates of relations, as relation.joint.coordinate
    events: dict[str, int] = field(default_factory=dict)  # event -> program of its formula
    equations: list[str] = field(default_factory=list)  # what each constraint equation holds


@dataclass
class Compiled:
    """A model ready to run."""

    model: Model
    topology: Topology
    arrays: ca.Arrays
    index: Index


MOST_BENDS = 1000  # rows of a table at which steps are divided


class Pools:
    """Collects programs, knots and coefficients that many rows refer to."""

    def __init__(self) -> None:
        self.programs: list[Program] = []
        self.knots: list[float] = []
        self.coefs: list[list[float]] = []
        self.kinks: set[float] = set()
        self.problems: list[Problem] = []

    def program(self, text: str, resolve: Any, path: str) -> tuple[int, int]:
        """Parse a formula and return its number; a mistake is kept for the end."""
        try:
            self.programs.append(parse(text, resolve))
        except ValueError as error:
            self.problems.append(Problem(str(error), path=path))
        return len(self.programs) - 1, 0

    def linear_table(self, times: Any, values: Any, limit: float = math.inf) -> tuple[int, int]:
        """Keep a table that is linear between its rows and return where it starts and stops.

        Steps are divided where it bends, and where it passes a limit that it is kept within. Tables of very many rows
        are records of something smooth, and dividing steps at each would cost more than it gives.
        """
        if len(times) <= MOST_BENDS:
            slopes = np.diff(values) / np.diff(times)
            self.kinks |= {float(t) for t, bend in zip(times[1:-1], np.diff(slopes)) if bend}
            for t, value, step, slope in zip(times, values, np.diff(times), slopes):
                passed = [(end - value) / slope for end in (-limit, limit) if slope and math.isfinite(end)]
                self.kinks |= {float(t + after) for after in passed if 0 < after < step}
        return self.pieces(times, [[value] for value in values])

    def pieces(self, knots: Any, coefs: Any) -> tuple[int, int]:
        """Keep rows of knots and coefficients and return where they start and stop."""
        start, given = len(self.coefs), np.asarray(coefs, dtype=float)
        rows = np.zeros((len(given), 4))  # a record of hours has a hundred thousand rows
        rows[:, : given.shape[1]] = given[:, :4]
        self.coefs += rows.tolist()
        self.knots += np.asarray(knots, dtype=float).tolist()
        return start, len(self.coefs)


def compile_model(
    model: Model,
    rotation: str = "quaternion",
    loose: bool = False,
    unknowns: str = "omega",
    closing: str = "auto",
    dense: bool = False,
    slots: bool = False,
    duration: float | None = None,
) -> Compiled:
    """Return the arrays and the index of a model; raises InvalidInput with every problem found on the way.

    `loose` lets every body stand alone, with all joints as constraint equations. `dense` says that loop equations of
    trees are solved with the whole mass matrix. `slots` gives every body six relative coordinates for Kane's equations.
    With a `duration` waves are tabled.
    """
    found = topology(model)
    if loose:
        alone = tuple(Tree(root=name, rooted=False, bodies=[name]) for name in model.bodies)
        found = Topology(alone, tuple(n for n in model.joints if n not in found.floating), found.floating)
    index = _index(model, found)
    pools = Pools()
    per_tree = 13 if rotation == "quaternion" else 12
    trees = _trees(model, found, per_tree)
    wind, wind_in_time = compile_wind(model, index, pools)
    coordinates = _Coordinates(index, pools, partial(controlled_motion, model, wind=wind_in_time))
    bodies = _bodies(model, found, trees, index, coordinates)
    axes = _axes_of_bodies(index, bodies, trees)
    for name in found.loops:
        coordinates.add_joint(name, model.joints[name], axes.get(model.joints[name].parent, np.eye(3)), False)
    constraints, joints, relations = compile_constraints(model, index, coordinates, axes, found.loops)
    free = (KaneCoordinates if slots else FreeCoordinates)(model, index, found, per_tree)
    free.number(coordinates.rows, bodies, trees)
    loads, load_rows, at = compile_loads(model, bodies, trees, coordinates.numbers(), index, pools)
    sprung, actuators, length = compile_joint_forces(model, coordinates.numbers(), at, pools, free.length)
    place_memory(loads, at, coordinates.rows, length)
    feedback, length = compile_controllers(model, at, coordinates.rows, length)
    for name, event in model.events.items():
        if event.when is not None:
            index.events[name], _ = pools.program(event.when, at.channel, f"events.{name}.when")
    channels = np.array(at.channels, ca.CHANNEL)
    sea = compile_sea(model, at, pools, duration)
    if pools.problems:
        raise InvalidInput(pools.problems)
    loops = loop_structure(constraints, bodies, trees, coordinates.array(), loose, dense, free.freedoms)
    counts = {"body": len(index.bodies), "joint": len(index.joints)}
    counts |= {"coordinate": len(index.coordinates), "load": len(index.loads)}
    counts |= {"controller": len(index.controllers), "relation": len(index.relations)}
    options = np.zeros(6, dtype=np.int64)
    options[ATTITUDE_AS] = ca.QUATERNION if rotation == "quaternion" else ca.EULER123
    options[LOOSE] = loose
    options[UNKNOWNS] = ca.OMEGA if unknowns == "omega" else ca.EULER_PARAMETERS
    partitions = {"partition": ca.PARTITION, "partition-every-step": ca.PARTITION_EVERY_STEP}
    options[CLOSING] = partitions.get(closing, ca.PROJECTION)
    options[MEASURED] = needs_measuring(channels, sprung, actuators, coordinates.rows)
    more = free.freedoms > 6 * (trees["rooted"] == 0).sum() or len(constraints) > 0
    options[COUPLED] = not loose and more
    arrays = ca.Arrays(
        bodies=bodies,
        trees=trees,
        coordinates=coordinates.array(),
        rows=load_rows,
        loads=loads,
        wind=wind,
        sea=sea,
        channels=channels,
        sprung=sprung,
        actuators=actuators,
        **feedback,
        constraints=constraints,
        relations=relations,
        joints=joints,
        **loops,
        programs=pack(pools.programs),
        knot=np.array(pools.knots, dtype=float),
        coef=np.array(pools.coefs, dtype=float).reshape(-1, 4),
        kinks=np.array(sorted(pools.kinks), dtype=float),
        gravity=np.array(model.gravity, dtype=float),
        options=options,
        layout=record_layout(counts, _optional(model)),
        slots=free.slots(coordinates.rows, bodies, trees),
        states=length,
        freedoms=free.freedoms,
    )
    return Compiled(model, found, arrays, index)


def _optional(model: Model) -> set[str]:
    """Return the variables of the record that are there only because this model has something of the kind."""
    found = {name for load in model.loads.values() for name in load.outputs}
    found |= {name for name, row in OUTPUTS.items() if not row.optional}
    found |= {"controller_output"} if any(one.outputs() for one in model.controllers.values()) else set()
    found |= {"relation_force"} if model.relations else set()
    return found | ({"wave_elevation"} if has_elevation(model) else set())


def _index(model: Model, found: Topology) -> Index:
    joints = [name for name in model.joints if name not in found.floating]
    index = Index(bodies=list(model.bodies), joints=joints)
    for name in joints:
        joint = model.joints[name]
        for coordinate, one in joint.coordinates.items():
            index.coordinates.append(f"{name}.{coordinate}")
            index.coordinate_kind.append(one.kind)
            index.coordinate_role.append(joint.role(coordinate))
    index.controllers = [f"{name}.{output}" for name, one in model.controllers.items() for output in one.outputs()]
    order = [body for tree in found.trees for body in tree.bodies]
    index.tree_order = {body: number for number, body in enumerate(order)}
    return index


def _trees(model: Model, found: Topology, per_tree: int) -> Any:
    trees = np.zeros(len(found.trees), ca.TREE)
    last, state = 0, 0
    for row, tree in zip(trees, found.trees):
        row["first"], last = last, last + len(tree.bodies)
        row["last"], row["rooted"] = last, tree.rooted
        row["mass"] = sum(model.bodies[name].mass for name in tree.bodies)
        row["R_WD"] = (np.eye(3) if tree.rooted else rotation_of(model.bodies[tree.root])).ravel()
        row["state"] = -1 if tree.rooted else state
        if tree.rooted:
            row["x_O"] = point_of(model.joints[tree.edges[tree.root].joint], model)
        state += 0 if tree.rooted else per_tree
    return trees


def _bodies(model: Model, found: Topology, trees: Any, index: Index, coordinates: _Coordinates) -> Any:
    bodies = np.zeros(len(index.tree_order), ca.BODY)
    user = {name: number for number, name in enumerate(index.bodies)}
    joint_user = {name: number for number, name in enumerate(index.joints)}
    for number_of_tree, tree in enumerate(found.trees):
        R_WD = trees["R_WD"][number_of_tree].reshape(3, 3)
        for name in tree.bodies:
            row, body = bodies[index.tree_order[name]], model.bodies[name]
            R_DB = R_WD.T @ rotation_of(body)
            tensor = R_DB @ np.array(body.inertia) @ R_DB.T
            row["I_BB_D"] = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
            row["h_D"] = R_DB @ wheel_momentum(body)
            row["R_DB"] = R_DB.ravel()
            row["mass"], row["tree"], row["user"] = body.mass, number_of_tree, user[name]
            row["parent"] = row["joint"] = -1
            row["first"] = row["last"] = len(coordinates.rows)
            if name in tree.edges:
                edge = tree.edges[name]
                joint = model.joints[edge.joint]
                point = point_of(joint, model)
                start = np.zeros(3) if edge.inboard == WORLD else np.array(model.bodies[edge.inboard].position)
                row["r_PJ_D"] = R_WD.T @ (point - start) if edge.inboard != WORLD else 0.0
                row["r_JB_D"] = R_WD.T @ (np.array(body.position) - point)
                row["parent"] = -1 if edge.inboard == WORLD else index.tree_order[edge.inboard]
                row["joint"], row["flip"] = joint_user[edge.joint], edge.flipped
                coordinates.add_joint(edge.joint, joint, R_WD, edge.flipped, in_tree=True)
                row["last"] = len(coordinates.rows)
                row["drives"] = any(c["code"] != ca.FREE for c in coordinates.rows[row["first"] :])
    hanging = {int(parent): number for number, parent in enumerate(bodies["parent"]) if parent >= 0}
    bodies["carries"][list(hanging)], bodies["youngest"][list(hanging.values())] = 1, 1
    return bodies


def _axes_of_bodies(index: Index, bodies: Any, trees: Any) -> dict[str, Array]:
    """Return the axes that kernels give each body in the drawing: those of its tree."""
    return {name: trees["R_WD"][bodies["tree"][i]].reshape(3, 3) for name, i in index.tree_order.items()}


def wheel_momentum(body: Any) -> Array:
    """Return the stored momentum of a body's wheels in body axes: the sum of g I theta' (Momentum tests Eq. 10)."""
    return sum((np.array(w.axis) * w.inertia * w.speed for w in body.wheels), np.zeros(3))


class _Coordinates:
    """Gathers joint coordinates in tree order with their motions."""

    def __init__(self, index: Index, pools: Pools, controlled: Any) -> None:
        self.index, self.pools, self.controlled = index, pools, controlled
        self.user = {label: number for number, label in enumerate(index.coordinates)}
        self.rows: list[Any] = []

    def add_joint(self, name: str, joint: Any, R_WD: Array, flipped: bool, in_tree: bool = False) -> None:
        """Add a joint's coordinates; against its direction the chain runs backwards about reversed axes.

        Free coordinates in a tree are part of the state; those of constraint equations are only measured.
        """
        ball = in_tree and is_ball(joint)
        chain = list(zip(joint.coordinates.items(), axes_of(joint)))
        sign = -1.0 if flipped else 1.0
        turned = {equation.coordinate for equation in joint.equations if equation.word == "facing"}
        for (coordinate, one), axis in reversed(chain) if flipped else chain:
            kind = one.kind
            row = np.zeros((), ca.COORDINATE)
            row["kind"] = ca.ROTATION if kind == "angle" else ca.TRANSLATION
            row["axis_D"] = sign * (R_WD.T @ axis)
            row["user"] = self.user[f"{name}.{coordinate}"]
            row["driven"] = coordinate in joint.motion
            code, par, (start, stop) = self._motion(joint, coordinate, kind, f"joints.{name}.motion.{coordinate}")
            row["code"], row["par"], row["start"], row["stop"] = code, (par + [0.0] * 4)[:4], start, stop
            row["state"] = row["rate"] = row["dof"] = row["ball"] = -1
            row["flip"] = flipped
            if coordinate in turned:
                self._keep_still(row)
            if in_tree and joint.role(coordinate) == "free":
                row["code"] = ca.FREE
                if ball and one.side == BALL:
                    row["kind"] = ca.BALL_REST
            self.rows.append(row)
        if ball:
            self._order_ball(joint, flipped)

    def _keep_still(self, row: Any) -> None:
        """Add two rotations that stay at zero before a driven one: kernels turn a direction by three at once."""
        still = row.copy()
        still["code"], still["par"], still["driven"] = ca.CONSTANT, 0.0, 0
        self.rows += [still, still.copy()]

    def _order_ball(self, joint: Any, flipped: bool) -> None:
        """Keep the three rows of a ball in the order a, b, c, the first of them standing for all."""
        at = range(len(self.rows) - len(joint.coordinates), len(self.rows))
        turns = [number for number in at if self.rows[number]["kind"] == ca.BALL_REST]
        if flipped:
            self.rows[turns[0]], self.rows[turns[2]] = self.rows[turns[2]], self.rows[turns[0]]
        self.rows[turns[0]]["kind"] = ca.BALL

    def _motion(self, joint: Any, coordinate: str, kind: str, path: str) -> tuple[int, list[float], tuple[int, int]]:
        none = (0, 0)
        if coordinate not in joint.motion:
            start = joint.initial.get(coordinate, 0.0)
            return ca.CONSTANT, [words.amount_in_si(start, kind)], none
        motion = joint.motion[coordinate]
        amounts = motion.in_si(kind)
        if isinstance(motion, words.Rate):
            return ca.POLYNOMIAL, [], self._polynomial([amounts["start"], amounts["value"]])
        if isinstance(motion, words.Polynomial):
            return ca.POLYNOMIAL, [], self._polynomial(list(motion.coefficients))
        if isinstance(motion, words.Ramp):
            grow = math.copysign(amounts["acceleration"], amounts["rate"])
            self.pools.kinks |= {motion.begin, motion.begin + amounts["rate"] / grow}
            return ca.RAMP, [amounts["start"], amounts["rate"], grow, motion.begin], none
        if isinstance(motion, words.Sine):
            omega = 2 * math.pi / motion.period if motion.period is not None else motion.frequency
            return ca.SINE, [amounts["mean"], amounts["amplitude"], omega, motion.phase], none
        if isinstance(motion, words.Controlled):
            found = self.controlled(motion.controller, joint, kind)
            if isinstance(found, Problem):
                self.pools.problems.append(Problem(found.message, path))
                return ca.CONSTANT, [], none
            if found is None:
                return ca.COMMANDED, [amounts["start"], amounts["start_rate"]], none
            return ca.SPLINE, [], found.put_into(self.pools)
        if isinstance(motion, words.Table):
            return ca.SPLINE, [], self._spline(motion, kind, path)
        return ca.PROGRAM, [], self.pools.program(motion.expression, time_only, path)

    def _polynomial(self, coefficients: list[float]) -> tuple[int, int]:
        return self.pools.pieces([0.0] * len(coefficients), [[value] for value in coefficients])

    def _spline(self, table: words.Table, kind: str, path: str) -> tuple[int, int]:
        """Fit the C2 cubic through the rows (not-a-knot ends)."""
        from scipy.interpolate import CubicSpline

        values = [words.amount_in_si(value, kind) for value in table.values]
        pieces = CubicSpline(table.times, values).c.T
        self.index.spans.append((path, table.times[0], table.times[-1]))
        return self.pools.pieces(table.times, [*pieces, np.zeros(4)])

    def numbers(self) -> dict[str, int]:
        """Return the number of each coordinate in the arrays by its label."""
        return {self.index.coordinates[row["user"]]: number for number, row in enumerate(self.rows)}

    def array(self) -> Any:
        """Return the coordinates as a record array."""
        return np.array(self.rows, ca.COORDINATE) if self.rows else np.zeros(0, ca.COORDINATE)
