"""M(q) q'' = forcing of a tree in joint coordinates, in parts, with Jacobians of points and inverse dynamics.

What a coordinate moves is read from the axes that the kernels placed: a turn about e at x gives the point r the
velocity e x (r - x), a slide along e the velocity e. With the Jacobians Jv of mass centres and Jw of rotations, in
world axes,

    M = sum m Jv^T Jv + Jw^T I Jw          bias = sum Jv^T m (a0 - g) + Jw^T (I al0 + w x (I w + h)) - Jv^T F - Jw^T N

with a0, al0 the accelerations at q'' = 0, so that tau = M q'' + bias (Featherstone, Rigid Body Dynamics Algorithms,
Ch. 6).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.errors import InvalidInput, Problem
from fairlead.model.joints.geometry import rotation_of
from fairlead.running.rest.charts import WORDS
from fairlead.running.simulation import Simulation
from fairlead.units import short

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
Points = dict[str, tuple[str, Array]]


@dataclass
class Coordinates:
    """Every coordinate of the trees, driven and locked ones too: its name, unit, role, rate and acceleration."""

    names: list[str]
    lengths: Array
    roles: list[str]
    position: Array
    rate: Array
    acceleration: Array
    force: Array  # of springs, dampers, stops and actuators along it


def tree_equations(simulation: Simulation, points: Points, accelerations: Mapping[str, float] | None) -> xr.Dataset:
    """Return the Dataset of mass matrix, bias in parts, forcing and Jacobians, from an evaluation just done."""
    loops = simulation.compiled.topology.loops
    if loops:
        text = f"joint '{loops[0]}' closes a loop, which has no equations in joint coordinates alone; use 'constrained'"
        raise InvalidInput(text)
    all_q = _coordinates(simulation)
    J = _jacobians(simulation, len(all_q.names))
    parts = _parts(simulation, J, all_q)
    M, bias = parts["mass_matrix"], parts["coriolis_force"] - parts["gravity_force"] - parts["load_force"]
    forcing = all_q.force - bias
    free = np.array([role == "free" for role in all_q.roles], dtype=bool)
    held = np.where(free, 0.0, M @ all_q.acceleration - forcing)
    found = {
        "forcing": (forcing, "right-hand side: joint_force - bias"),
        "bias": (bias, "h, forces needed for no acceleration: coriolis_force - gravity_force - load_force"),
        "coriolis_force": (
            parts["coriolis_force"],
            "needed by the velocities: Coriolis, centrifugal, gyroscopic",
        ),
        "gravity_force": (parts["gravity_force"], "what gravity does along each coordinate"),
        "load_force": (parts["load_force"], "what the loads do along each coordinate"),
        "joint_force": (all_q.force, "of springs, dampers, stops and actuators along each coordinate"),
        "held_force": (held, "what drives or holds a coordinate: mass_matrix @ acceleration - forcing"),
    }
    if accelerations is not None:
        needed = M @ _asked(accelerations, all_q.names) + bias
        found["inverse_dynamics"] = needed, "forces that the accelerations asked for need: mass_matrix @ them + bias"
    data: dict[str, Any] = {
        "mass_matrix": (("equation", "coordinate"), M, {"long_name": "M, mass matrix, added mass in it"})
    }
    data |= {name: (("equation",), value, {"long_name": said}) for name, (value, said) in found.items()}
    values = {"position": all_q.position, "speed": all_q.rate, "acceleration": all_q.acceleration}
    words = {"position": "value", "speed": "rate", "acceleration": "acceleration"}
    data |= {name: (("coordinate",), value, {"long_name": words[name]}) for name, value in values.items()}
    data |= _of_points(simulation, points, J, all_q)
    return _dataset(data, all_q, list(points))


def _dataset(data: dict[str, Any], all_q: Coordinates, points: list[str]) -> xr.Dataset:
    import xarray as xr

    coordinates = {
        "equation": all_q.names,
        "coordinate": all_q.names,
        "coordinate_units": ("coordinate", np.where(all_q.lengths, "m", "rad")),
        "equation_units": ("equation", np.where(all_q.lengths, "N", "N m")),
        "role": ("coordinate", all_q.roles),
    }
    coordinates |= {"point": points, "xyz": list("xyz")} if points else {}
    said = "mass_matrix @ acceleration = forcing + held_force; a base moves along and about world axes"
    return xr.Dataset(data, coordinates, {"equations": said})


def _asked(accelerations: Mapping[str, float], names: list[str]) -> Array:
    """Return the accelerations asked for, by coordinate; those not named are zero."""
    unknown = [name for name in accelerations if name not in names]
    if unknown:
        text = f"is no coordinate of these equations; use {', '.join(names)}"
        raise InvalidInput([Problem(text, f"accelerations.{name}") for name in unknown])
    values = []
    for name in names:
        try:
            values.append(float(accelerations.get(name, 0.0)))
        except (TypeError, ValueError):
            values.append(math.nan)
        if not math.isfinite(values[-1]):
            text = f"must be a number in m/s2 or rad/s2; got {short(accelerations[name])}"
            raise InvalidInput([Problem(text, f"accelerations.{name}")])
    return np.array(values)


# Coordinates and what they move ---------------------------------------------------------------------------------------


def _numbering(simulation: Simulation) -> tuple[dict[int, int], dict[int, int]]:
    """Return the first column of each floating base, and the column of each coordinate row: bases stand first."""
    arrays = simulation.arrays
    bases = {int(row["first"]): 6 * i for i, row in enumerate(tree for tree in arrays.trees if not tree["rooted"])}
    rows = [k for body in arrays.bodies for k in range(int(body["first"]), int(body["last"]))]
    rows.sort(key=lambda k: int(arrays.coordinates["user"][k]))  # in the order of the model
    return bases, {k: 6 * len(bases) + i for i, k in enumerate(rows)}


def _coordinates(simulation: Simulation) -> Coordinates:
    """Return all coordinates with what the evaluation found of them."""
    arrays, work, index = simulation.arrays, simulation.work, simulation.compiled.index
    bases, columns = _numbering(simulation)
    n = 6 * len(bases) + len(columns)
    found = Coordinates([], np.zeros(n, dtype=bool), [], *(np.zeros(n) for _ in range(4)))
    for number, at in bases.items():
        body = work.bodies[number]
        name = index.bodies[int(arrays.bodies["user"][number])]
        found.names += [f"{word} of {name}" for word in WORDS]
        found.roles += ["free"] * 6
        found.lengths[at : at + 3] = True
        found.position[at : at + 6] = [*body["x"], *[np.nan] * 3]
        found.rate[at : at + 6] = [*body["u"], *body["w"]]
        found.acceleration[at : at + 6] = [*body["a"], *body["al"]]
    for k, at in columns.items():
        row, o = arrays.coordinates[k], work.coordinates[k]
        user = int(row["user"])
        ball = row["kind"] in (ca.BALL, ca.BALL_REST)
        found.names.append(index.coordinates[user])
        found.roles.append(index.coordinate_role[user])
        found.lengths[at] = row["kind"] == ca.TRANSLATION
        found.position[at] = np.nan if ball else o["q"]
        found.rate[at], found.acceleration[at], found.force[at] = o["dq"], o["ddq"], o["force"]
    return found


def _jacobians(simulation: Simulation, n: int) -> Array:
    """Return (bodies, 6, n): velocity of mass centres and angular velocity, world axes, per rate of a coordinate."""
    arrays, work = simulation.arrays, simulation.work
    bases, columns = _numbering(simulation)
    J = np.zeros((len(arrays.bodies), 6, n))
    for number in range(len(arrays.bodies)):
        r, i = work.bodies["r"][number], number
        while i >= 0:
            body = arrays.bodies[i]
            for k in range(int(body["first"]), int(body["last"])):
                e, at = work.coordinates["axis_W"][k], columns[k]
                if arrays.coordinates["kind"][k] == ca.TRANSLATION:
                    J[number, :3, at] = e
                else:
                    J[number, :3, at], J[number, 3:, at] = np.cross(e, r - work.coordinates["x_axis"][k]), e
            if i in bases:
                at = bases[i]
                J[number, :3, at : at + 3] = J[number, 3:, at + 3 : at + 6] = np.eye(3)
                J[number, :3, at + 3 : at + 6] = np.cross(np.eye(3), r - work.bodies["r"][i]).T
            i = int(body["parent"])
    return J


def _parts(simulation: Simulation, J: Array, all_q: Coordinates) -> dict[str, Array]:
    """Return the mass matrix, and along each coordinate what velocities need and what gravity and loads do."""
    arrays, work, n = simulation.arrays, simulation.work, J.shape[2]
    found = {name: np.zeros(n) for name in ("coriolis_force", "gravity_force", "load_force")}
    M = np.zeros((n, n))
    for number, (body, o) in enumerate(zip(arrays.bodies, work.bodies)):
        lin, ang = J[number, :3], J[number, 3:]
        xx, yy, zz, xy, xz, yz = o["I"]
        I, m, w = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), float(body["mass"]), o["w"]
        a, al = np.concatenate([o["a"], o["al"]]), o["al"]
        a0 = a - J[number] @ all_q.acceleration
        f, moment = o["f"].copy(), o["n"].copy()
        M += m * lin.T @ lin + ang.T @ I @ ang
        inertial = np.concatenate([m * a0[:3], I @ a0[3:]])
        if len(work.added) and body["wet"]:
            M += J[number].T @ work.added[number] @ J[number]
            inertial += work.added[number] @ a0
            reaction = work.added[number] @ np.concatenate([o["a"], al])  # is part of the load as recorded
            f, moment = f + reaction[:3], moment + reaction[3:]
        momentum = I @ w + o["R"].reshape(3, 3) @ body["h_D"]
        found["coriolis_force"] += J[number].T @ inertial + ang.T @ np.cross(w, momentum)
        found["gravity_force"] += lin.T @ (m * arrays.gravity)
        found["load_force"] += lin.T @ f + ang.T @ moment
    return found | {"mass_matrix": M}


def _of_points(simulation: Simulation, points: Points, J: Array, all_q: Coordinates) -> dict[str, Any]:
    """Return place, velocity, Jacobians and bias acceleration of named points."""
    work, compiled, n = simulation.work, simulation.compiled, len(all_q.names)
    linear, angular = np.zeros((len(points), 3, n)), np.zeros((len(points), 3, n))
    place, bias = np.zeros((len(points), 3)), np.zeros((len(points), 3))
    for row, (body, point) in enumerate(points.values()):
        number, drawn = compiled.index.tree_order[body], compiled.model.bodies[body]
        o, R_DB = work.bodies[number], simulation.arrays.bodies["R_DB"][number].reshape(3, 3)
        s = o["R"].reshape(3, 3) @ R_DB @ rotation_of(drawn).T @ (point - np.array(drawn.position))
        place[row], angular[row] = o["x"] + s, J[number, 3:]
        linear[row] = J[number, :3] + np.cross(J[number, 3:], s, axis=0)
        a = o["a"] + np.cross(o["al"], s) + np.cross(o["w"], np.cross(o["w"], s))
        bias[row] = a - linear[row] @ all_q.acceleration
    if not points:
        return {}
    of = ("point", "xyz")
    return {
        "jacobian": ((*of, "coordinate"), linear, {"long_name": "J, velocity of the point per rate of a coordinate"}),
        "angular_jacobian": ((*of, "coordinate"), angular, {"long_name": "angular velocity of its body, the same"}),
        "point_position": (of, place, {"units": "m", "long_name": "where the point is"}),
        "point_velocity": (of, linear @ all_q.rate, {"units": "m/s", "long_name": "its velocity, J q'"}),
        "point_bias": (of, bias, {"units": "m/s2", "long_name": "its acceleration at q'' = 0, J' q'"}),
    }
