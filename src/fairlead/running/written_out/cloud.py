"""The six equations of the momentum cloud of one floating tree, MCM paper Eq. 23, with what they are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.rotation import to_euler123
from fairlead.errors import InvalidInput
from fairlead.running.simulation import Simulation
from fairlead.running.written_out.momentum_cloud import (
    Chain,
    Joint,
    Link,
    coefficient_rates,
    coefficients,
    hat,
    rate_matrix,
    remainder,
)

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
SINGULAR = 1e-3  # cosine of X5 from which on the second derivatives of the angles are not given


def cloud_equations(simulation: Simulation) -> xr.Dataset:
    """Return the Dataset of P1, Q1, P2, Q2, their rates and Eq. 23, from an evaluation just done."""
    tree = _floating_tree(simulation)
    chain = Chain(_links(simulation, tree))
    base = simulation.work.bodies[tree["first"]]
    T_CsCI = base["R"].reshape(3, 3)  # Eq. 3
    X = np.array(to_euler123(tuple(base["R"])))
    if abs(np.cos(X[1])) < SINGULAR:
        text = "the 1-2-3 angles of '{}' are at their singular attitude (cos X5 = 0); use formulation 'articulated'"
        raise InvalidInput(text.format(_names(simulation, tree)[0]))
    omega, T_omega = T_CsCI.T @ base["w"], rate_matrix(X[1], X[2])
    dX = np.linalg.solve(T_omega, omega)  # Eq. 5
    RE = remainder(X[1], X[2], dX)
    one, rate = coefficients(chain), coefficient_rates(chain)
    H = one.P @ omega + one.Q  # Eq. 13
    force, moment = _external(simulation, tree, chain, T_CsCI)
    mass = float(chain.mass.sum())
    known = moment - rate.P @ omega - rate.Q - one.P @ RE - np.cross(omega, H)
    matrix = np.block([[mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), one.P @ T_omega]])
    found = {
        "P1": (one.P1, "kg m2", "inertia of the bodies about their own mass centres (Eq. 14)"),
        "P2": (one.P2, "kg m2", "inertia from their distances to the mass centre of all (Eqs. 14, 15)"),
        "P1_rate": (rate.P1, "kg m2/s", "local derivative of P1 (Eq. 17)"),
        "P2_rate": (rate.P2, "kg m2/s", "local derivative of P2 (Eqs. 17, 19)"),
        "T_omega": (T_omega, "1", "angle rates to angular velocity (Eq. 22)"),
        "T_CsCI": (T_CsCI, "1", "base axes C_s to world axes C_I (Eq. 3)"),
    }
    vectors = {
        "Q1": (one.Q1, "kg m2/s", "momentum of the joints' rates about the bodies' own mass centres (Eq. 14)"),
        "Q2": (one.Q2, "kg m2/s", "momentum of the mass centres' relative motion (Eq. 14)"),
        "wheel_momentum": (one.wheels, "kg m2/s", "stored momentum of wheels, beyond the paper"),
        "Q1_rate": (rate.Q1, "kg m2/s2", "local derivative of Q1 (Eq. 17)"),
        "Q2_rate": (rate.Q2, "kg m2/s2", "local derivative of Q2 (Eq. 17)"),
        "wheel_momentum_rate": (rate.wheels, "kg m2/s2", "local derivative of the wheels' momentum"),
        "RE": (RE, "rad/s2", "what the angles' second derivatives leave of omega' (Eq. 22)"),
        "angular_velocity": (omega, "rad/s", "of the base, in C_s (Eq. 5)"),
        "angular_momentum": (H, "kg m2/s", "H about the mass centre of all, in C_s (Eq. 13)"),
        "external_force": (force, "N", "sum of external forces, in C_I (Eq. 1)"),
        "external_moment": (moment, "N m", "sum of external moments about the mass centre of all, in C_s (Eq. 4)"),
    }
    data: dict[str, Any] = {n: (("xyz", "column"), v, _said(u, s)) for n, (v, u, s) in found.items()}
    data |= {n: (("xyz",), v, _said(u, s)) for n, (v, u, s) in vectors.items()}
    data |= _motion(simulation, tree, chain, X, dX, matrix, np.concatenate([force, known]))
    return _dataset(data, simulation, tree)


def _motion(
    simulation: Simulation, tree: Any, chain: Chain, X: Array, dX: Array, matrix: Array, forcing: Array
) -> dict[str, Any]:
    """Return the variables of Eq. 23 and of the bodies' places in the cloud."""
    bodies = simulation.work.bodies[tree["first"] : tree["last"]]
    centre, velocity = (chain.mass @ bodies[name] / chain.mass.sum() for name in ("x", "u"))
    transform = ("body", "xyz", "column")
    return {
        "mass_matrix": (("equation", "coordinate"), matrix, _said("", "left-hand side of Eq. 23")),
        "forcing": (("equation",), forcing, _said("", "right-hand side of Eq. 23")),
        "position": (("coordinate",), np.concatenate([centre, X]), _said("", "X1 ... X6")),
        "speed": (("coordinate",), np.concatenate([velocity, dX]), _said("", "their rates")),
        "acceleration": (("coordinate",), np.linalg.solve(matrix, forcing), _said("", "X1'' ... X6''")),
        "T_CiCs": (transform, np.array(chain.T), _said("1", "axes of each body to those of the base (Eq. 10)")),
        "rho": (("body", "xyz"), chain.rho, _said("m", "mass centre of all to that of each body, in C_s (Eq. 11)")),
        "rho_rate": (("body", "xyz"), chain.drho, _said("m/s", "its local derivative (Eq. 20)")),
    }


def _dataset(data: dict[str, Any], simulation: Simulation, tree: Any) -> xr.Dataset:
    import xarray as xr

    names = _names(simulation, tree)
    words = [f"{axis} of the mass centre" for axis in "xyz"] + [f"angle {i} of {names[0]}" for i in (1, 2, 3)]
    coordinates = {
        "equation": words,
        "coordinate": words,
        "symbol": ("coordinate", [f"X{i}" for i in range(1, 7)]),
        "coordinate_units": ("coordinate", ["m"] * 3 + ["rad"] * 3),
        "equation_units": ("equation", ["N"] * 3 + ["N m"] * 3),
        "body": names,
        "xyz": list("xyz"),
        "column": list("xyz"),
    }
    said = "mass_matrix @ acceleration = forcing (MCM paper Eq. 23); C_s are the body axes of the base"
    return xr.Dataset(data, coordinates, {"equations": said, "notes": "; ".join(_notes(simulation))})


def _said(units: str, name: str) -> dict[str, str]:
    return {"long_name": name} | ({"units": units} if units else {})


def _notes(simulation: Simulation) -> list[str]:
    """Return what stands in the forcing as it was found, since the paper has no unknowns for it."""
    index, notes = simulation.compiled.index, []
    free = [n for n, role in zip(index.coordinates, index.coordinate_role) if role == "free"]
    if free:
        notes.append(f"free joint coordinates have the accelerations found: {', '.join(free)}")
    if simulation.work.added.size:
        notes.append("added mass stands in the forcing, with the accelerations found")
    return notes


def _floating_tree(simulation: Simulation) -> Any:
    """Return the row of the one tree that floats; InvalidInput where there is none, or several, or a loop."""
    loops, trees = simulation.compiled.topology.loops, simulation.arrays.trees
    if loops:
        raise InvalidInput(f"joint '{loops[0]}' closes a loop, which is no part of the printed equations; use "
                           "formulation 'constrained'")  # fmt: skip
    floating = [row for row in trees if not row["rooted"]]
    if len(floating) != 1:
        text = "the six printed equations are those of one floating tree, and this model has {}; use formulation 'kane'"
        raise InvalidInput(text.format(len(floating) or "none"))
    return floating[0]


def _names(simulation: Simulation, tree: Any) -> list[str]:
    order = simulation.compiled.index.tree_order
    return sorted(order, key=lambda name: order[name])[int(tree["first"]) : int(tree["last"])]


def _links(simulation: Simulation, tree: Any) -> list[Link]:
    """Return the bodies of a tree with their joints where they are now."""
    first, found = int(tree["first"]), []
    for row in simulation.arrays.bodies[first : int(tree["last"])]:
        xx, yy, zz, xy, xz, yz = row["I_BB_D"]
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        inboard = int(row["parent"]) - first if row["parent"] >= 0 else -1
        arms = row["r_PJ_D"].copy(), row["r_JB_D"].copy()
        found.append(Link(inboard, float(row["mass"]), inertia, row["h_D"].copy(), *arms, _joint(simulation, row)))
    return found


def _joint(simulation: Simulation, body: Any) -> Joint:
    """Return the motion across a body's inboard joint: its turns and slides, inboard to outboard."""
    made, rows, work = Joint(), simulation.arrays.coordinates, simulation.work
    for k in range(int(body["first"]), int(body["last"])):
        row, o = rows[k], work.coordinates[k]
        q, dq, ddq = (float(o[name]) for name in ("q", "dq", "ddq"))
        e = row["axis_D"].copy()
        if row["kind"] == ca.TRANSLATION:
            made.slide(e * q, e * dq, e * ddq)
        elif row["kind"] == ca.ROTATION:
            R = np.eye(3) + np.sin(q) * hat(e) + (1 - np.cos(q)) * hat(e) @ hat(e)
            made.turn(R, e * dq, e * ddq)
        elif row["kind"] == ca.BALL:
            axes = rows["axis_D"][k : k + 3].T
            R = work.free.balls[row["ball"]].reshape(3, 3)
            w, dw = (axes @ work.coordinates[name][k : k + 3] for name in ("dq", "ddq"))
            if not row["flip"]:  # rates of a ball are in axes of the joint's child, here the outboard body
                w, dw = R @ w, R @ dw
            made.turn(R, w, dw)
    return made


def _external(simulation: Simulation, tree: Any, chain: Chain, T_CsCI: Array) -> tuple[Array, Array]:
    """Return the sum of external forces in C_I (Eq. 1) and of their moments about G_s in C_s (Eq. 4)."""
    bodies = simulation.work.bodies[tree["first"] : tree["last"]]
    force = chain.mass.sum() * simulation.arrays.gravity + bodies["f"].sum(axis=0)
    moment = bodies["n"] @ T_CsCI + np.cross(chain.rho, bodies["f"] @ T_CsCI)
    return force, moment.sum(axis=0)
