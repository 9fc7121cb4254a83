"""[A] {y'} = {f} of the Kane notes in the notes' own coordinates: 1-2-3 angles between the bodies' own axes.

The kernels count the angles of a free rotation from a reference attitude and between axes laid along the world's in the
drawing (`core/formulations/kane/kinematics.py`). Both are constants of theirs, so they are set here such that the
kernels' angles are the notes': the reference is the lower body's own axes, the joint frame of the body its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.core.rotation import euler123_rates, to_euler123, to_quaternion
from fairlead.errors import InvalidInput
from fairlead.numeric import rotation_matrix
from fairlead.running.formulations.given import same_names
from fairlead.running.simulation import Simulation

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
SINGULAR = 1e-3  # cosine of the second angle from which on the kernels refuse


# The state -----------------------------------------------------------------------------------------------------------


def kane_state(simulation: Simulation, data: Any, time: float) -> Array:
    """Return the state in the notes' coordinates: that in which the drawing starts, or that of an instant's Dataset."""
    y, slots = simulation.y.copy(), simulation.arrays.slots
    if data is None:
        simulation.formulation.kernels.before(time, y, simulation.arrays, simulation.work)
        bodies = simulation.work.bodies
        R_WD, w_W = bodies["R"].reshape(-1, 3, 3).copy(), bodies["w"].copy()
    else:
        same_names(data, simulation.compiled)
        R_WD, w_W = _attitudes(simulation, data)
        _put_places(y, simulation, data)
    R_DB = simulation.arrays.bodies["R_DB"].reshape(-1, 3, 3)
    for K, slot in enumerate(slots):
        if slot["reference"] >= 0:
            J = int(slot["lower"])
            R_JK, w_JK = R_WD[K] @ R_DB[K], w_W[K]
            R_JB = np.eye(3) if J < 0 else R_DB[J]
            if J >= 0:
                R_JK, w_JK = (R_WD[J] @ R_DB[J]).T @ R_JK, w_JK - w_W[J]
            slot["R_KF"] = R_DB[K].ravel()
            k = int(slot["reference"])
            y[k : k + 4] = to_quaternion(tuple((slot["R_JF"].reshape(3, 3).T @ R_JB).ravel()))
            angles = to_euler123(tuple(R_JK.ravel()))
            _refuse_singular(angles, K, simulation)
            w_K = (R_WD[K] @ R_DB[K]).T @ w_JK
            y[slot["state"][:3]] = angles
            y[slot["rate"][:3]] = euler123_rates(angles[1], angles[2], tuple(w_K))  # Kane notes Eq. 9
    return y


def _refuse_singular(angles: tuple[float, ...], K: int, simulation: Simulation) -> None:
    if abs(np.cos(angles[1])) < SINGULAR:
        name = _outward(simulation)[K]
        raise InvalidInput(
            f"the 1-2-3 angles of '{name}' are at their singular attitude (second angle a right angle), where the Kane "
            "notes' coordinates fail; draw the body with other axes, or use formulation 'articulated'"
        )


def _attitudes(simulation: Simulation, data: Any) -> tuple[Array, Array]:
    """Return attitude (tree axes to world) and angular velocity (world axes) of the bodies, outward."""
    names = _outward(simulation)
    R_WB = rotation_matrix(data["orientation"].sel(body=names).values)
    w_W = np.einsum("bij,bj->bi", R_WB, data["angular_velocity"].sel(body=names).values)
    return R_WB @ np.swapaxes(simulation.arrays.bodies["R_DB"].reshape(-1, 3, 3), 1, 2), w_W


def _put_places(y: Array, simulation: Simulation, data: Any) -> None:
    """Write places of free bases, and free joint coordinates that are no rotation as a whole, with their rates."""
    arrays, index = simulation.arrays, simulation.compiled.index
    for name, body, slot in zip(_outward(simulation), arrays.bodies, arrays.slots):
        if body["joint"] < 0:
            y[slot["state"][3:]] = data["position"].sel(body=name).values
            y[slot["rate"][3:]] = data["velocity"].sel(body=name).values
        for i in range(6):
            if slot["coordinate"][i] >= 0 and slot["state"][i] >= 0:
                label = index.coordinates[int(arrays.coordinates["user"][slot["coordinate"][i]])]
                y[slot["state"][i]] = float(data["joint_position"].sel(coordinate=label))
                y[slot["rate"][i]] = float(data["joint_rate"].sel(coordinate=label))


def _outward(simulation: Simulation) -> list[str]:
    """Return the names of the bodies in the order of the kernels, lower bodies first."""
    order = simulation.compiled.index.tree_order
    return sorted(order, key=lambda name: order[name])


# What is written out -------------------------------------------------------------------------------------------------


def kane_equations(simulation: Simulation) -> xr.Dataset:
    """Return the Dataset of [A], {f}, {x}, {y}, {y'} and the partial velocities from an evaluation just done."""
    import xarray as xr

    Q, slots = simulation.work.kane, simulation.arrays.slots
    n, names = len(slots), _outward(simulation)
    free, joint, role = _labels(simulation)
    T = _own_translations(simulation, joint)
    A, f = T.T @ Q.A @ T, T.T @ Q.f
    dy = T.T @ Q.dy
    held = np.where(free, 0.0, A @ dy - f)
    R_BD = np.swapaxes(simulation.arrays.bodies["R_DB"].reshape(-1, 3, 3), 1, 2)
    none = np.zeros((n, 3, 3 * n))  # [w,y2] = 0, Kane notes after Eq. 17
    w, dw = (R_BD @ np.concatenate([part, none], axis=2) for part in (Q.w, Q.dw))
    v, dv = (R_BD @ part @ T for part in (Q.vG, Q.dvG))
    velocities = ("body", "xyz", "coordinate")
    data: dict[str, Any] = {
        "mass_matrix": (("equation", "coordinate"), A, _said("", "[A], generalised mass matrix (Eq. 42)")),
        "forcing": (("equation",), f, _said("", "{f}, right-hand side (Eq. 43), joint springs and actuators in it")),
        "held_force": (("equation",), held, _said("", "what drives or holds a coordinate: [A] {y'} - {f}")),
        "position": (("coordinate",), T.T @ Q.x, _said("", "{x}, relative coordinates (Eq. 1)")),
        "speed": (("coordinate",), T.T @ Q.y, _said("", "{y}, their rates, the generalised speeds")),
        "acceleration": (("coordinate",), dy, _said("", "{y'}, rates of the speeds")),
        "partial_angular_velocity": (velocities, w, _said("", "[w_K,y] in body axes (Eq. 15)")),
        "partial_angular_velocity_rate": (velocities, dw, _said("", "its rate (Eq. 20)")),
        "partial_velocity": (velocities, v, _said("", "[v_GK,y] of mass centres in body axes (Eq. 32)")),
        "partial_velocity_rate": (velocities, dv, _said("", "its rate (Eq. 33)")),
    }
    words = [f"angle {i} of {name}" for name in names for i in (1, 2, 3)]
    words += [f"translation {i} of {name}" for name in names for i in (1, 2, 3)]
    coordinates = {
        "equation": words,
        "coordinate": words,
        "body": names,
        "xyz": list("xyz"),
        "coordinate_units": ("coordinate", ["rad"] * (3 * n) + ["m"] * (3 * n)),
        "equation_units": ("equation", ["N m"] * (3 * n) + ["N"] * (3 * n)),
        "role": ("coordinate", role),
        "joint_coordinate": ("coordinate", joint),
    }
    said = "mass_matrix @ acceleration = forcing + held_force; bodies and coordinates in the order of the Kane notes"
    return xr.Dataset(data, coordinates, {"equations": said})


def _said(units: str, name: str) -> dict[str, str]:
    return {"long_name": name} | ({"units": units} if units else {})


def _labels(simulation: Simulation) -> tuple[Array, list[str], list[str]]:
    """Return which speeds are free, and of each the joint coordinate that it is (or nothing) and its role."""
    arrays, index = simulation.arrays, simulation.compiled.index
    roles = dict(zip(index.coordinates, index.coordinate_role))
    found = []
    for part in (slice(0, 3), slice(3, 6)):
        for slot in arrays.slots:
            for number, dof in zip(slot["coordinate"][part], slot["dof"][part]):
                label = index.coordinates[int(arrays.coordinates["user"][number])] if number >= 0 else ""
                found.append((dof >= 0, label, "free" if dof >= 0 else roles.get(label, "none")))
    free, joint, role = zip(*found)
    return np.array(free), list(joint), list(role)


def _own_translations(simulation: Simulation, joint: list[str]) -> Array:
    """Return T of y = T y_notes: the notes' translations are along the lower body's own axes (Kane notes Eq. 22).

    The kernels' are along the joint's. Where all three are free they are turned, and are then no longer the joint's own
    coordinates x, y, z unless the axes are the same; otherwise those of the joint stay.
    """
    slots, n = simulation.arrays.slots, len(simulation.arrays.slots)
    R_DB = simulation.arrays.bodies["R_DB"].reshape(-1, 3, 3)
    T = np.eye(6 * n)
    for K, slot in enumerate(slots):
        if slot["lower"] >= 0 and (slot["dof"][3:] >= 0).all():
            turn = slot["R_JF"].reshape(3, 3).T @ R_DB[slot["lower"]]
            if not np.allclose(turn, np.eye(3), rtol=0, atol=1e-15):
                at = slice(3 * (n + K), 3 * (n + K) + 3)
                T[at, at] = turn
                joint[at] = ["", "", ""]
    return T
