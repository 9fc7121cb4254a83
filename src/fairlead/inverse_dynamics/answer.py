"""The Dataset of internal loads: components in the axes asked for, what is determined, and what the figures cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.ndimage import maximum_filter1d

from fairlead.inverse_dynamics.rates import FINE
from fairlead.inverse_dynamics.read import ACCELERATIONS, Record, read
from fairlead.numeric import rotation_matrix, turn

if TYPE_CHECKING:
    import xarray as xr

AXES = ("world", "parent", "child")
OPEN = 1e-10  # square of the part of an undetermined direction that lies along a component and still counts as none


class Sums:
    """Gathers wrenches on children at joints in world axes, block by block."""

    def __init__(self, record: Record):
        rows, joints = len(record.time), len(record.joints)
        routes = 2 if record.differentiate else 1
        self.record = record
        self.f_W = np.full((routes, rows, joints, 3), np.nan)
        self.n_W = np.full((routes, rows, joints, 3), np.nan)
        self.noise = np.zeros((2, rows, joints))
        self.open_f = np.zeros((rows, joints, 3, 3))
        self.open_n = np.zeros((rows, joints, 3, 3))
        self.looped = False  # whether anything was written to open_f, open_n; they take no memory until then
        self.left = np.zeros(rows)

    def put(self, rows: slice, joint: int, f: np.ndarray, n: np.ndarray, *noise: np.ndarray) -> None:
        """Write the wrench (k, n, 3) of a joint, and the noise of force and moment (n) if there is any."""
        self.f_W[:, rows, joint], self.n_W[:, rows, joint] = f, n
        for total, part in zip(self.noise, noise):
            total[rows, joint] = part

    def leave(self, rows: slice, f: np.ndarray, n_over_length: np.ndarray) -> None:
        """Note a force (n, ...) that nothing balances."""
        size = np.maximum(np.linalg.norm(f, axis=-1), np.linalg.norm(n_over_length, axis=-1))
        self.left[rows] = np.maximum(self.left[rows], size)


def answer(sums: Sums, axes: str) -> xr.Dataset:
    """Return the Dataset in the axes asked for."""
    import xarray as xr

    record, dims = sums.record, ("time", "joint", "xyz")
    R = np.swapaxes(axes_of(record, axes), -1, -2)
    where = "on the child at joint_point, " + (f"{axes} axes" if axes == "world" else f"axes of the {axes}")
    variables: dict[str, Any] = {
        "force": (dims, turn(R, sums.f_W[0]), _said("N", f"force {where}")),
        "moment": (dims, turn(R, sums.n_W[0]), _said("N m", f"moment {where}")),
    }
    opened = {"force": sums.open_f, "moment": sums.open_n}
    for name, projector in opened.items():
        size = np.einsum("tjai,tjik,tjak->tja", R, projector, R) if sums.looped else np.zeros(sums.f_W.shape[1:])
        said = {"long_name": f"whether the component of the {name} is determined; otherwise it is of least norm"}
        variables[f"{name}_determined"] = dims, size <= OPEN, said
    if record.differentiate:
        for name, unit, both, noise in zip(("force", "moment"), ("N", "N m"), (sums.f_W, sums.n_W), sums.noise):
            error = _error(both, noise)
            variables[f"{name}_error"] = dims[:2], error, _said(unit, f"differentiation error of the {name}, its size")
    variables["imbalance"] = "time", sums.left, _said("N", "largest force (moment over a length) nothing balances")
    variables["joint_point"] = dims, read(record, "joint_point", slice(0, None)), _said("m", "the joint, world axes")
    coords = {name: record.data[name] for name in ("time", "joint", "joint_parent", "joint_child")}
    found = xr.Dataset(variables, coords={**coords, "xyz": list("xyz")})
    found.attrs = {"axes": axes, "route": "differentiated" if record.differentiate else "recorded"}
    if record.differentiate:
        found.attrs["differentiated"] = ", ".join(name for name in ACCELERATIONS if name in record.differentiate)
    found.attrs["undetermined"] = undetermined(found)
    return found


def _said(units: str, long_name: str) -> dict[str, str]:
    return {"units": units, "long_name": long_name}


def axes_of(record: Record, axes: str) -> np.ndarray:
    """Return R (n, J, 3, 3) from the axes asked for to the world's."""
    R = np.broadcast_to(np.eye(3), (len(record.time), len(record.joints), 3, 3))
    if axes != "world":
        R = R.copy()
        R_WB = rotation_matrix(read(record, "orientation", slice(0, None)))
        for joint, body in enumerate(record.parent if axes == "parent" else record.child):
            if body >= 0:
                R[:, joint] = R_WB[:, body]
    return R


def _error(both: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Return the difference of the two orders, the largest within a stencil's reach (zero crossings), and the noise."""
    size = np.linalg.norm(both[0] - both[1], axis=-1)
    return np.asarray(maximum_filter1d(size, FINE, axis=0, mode="nearest")) + noise


def undetermined(found: xr.Dataset) -> str:
    """Return which components of which joints are not determined, as a text."""
    texts = []
    for number, joint in enumerate(found["joint"].values):
        parts, instants = [], np.zeros(found.sizes["time"], bool)
        for name in ("force", "moment"):
            left_open = ~found[f"{name}_determined"].values[:, number]
            parts += [f"{name} {letter}" for k, letter in enumerate("xyz") if left_open[:, k].any()]
            instants |= np.any(left_open, axis=1)
        if parts:
            when = "" if instants.all() else f" ({instants.sum()} of {len(instants)} instants)"
            texts.append(f"{joint}: {', '.join(parts)}{when}")
    return "; ".join(texts)
