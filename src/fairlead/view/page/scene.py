"""The scene of a page: bodies with their solids, poses, joints, forces, lines, water or ground."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.model.joints.geometry import rotation_of
from fairlead.view.page.buffers import Buffers, kept_frames
from fairlead.view.page.sea import lines_of, sea_of
from fairlead.view.solids.bodies import Look, looks, scale_of

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.model.schema import Model

Array = npt.NDArray[np.float64]
FRAMES = 6000  # instants of the scene; between them the page interpolates
MOST_NUMBERS = 1_200_000  # of poses, over all bodies and instants
MOST_ARROWS = 60
TURN = 2.0  # [rad] between two frames, beyond which the eye is misled


def scene_of(data: xr.Dataset, model: Model | None, buffers: Buffers) -> dict[str, Any]:
    """Return the scene of a result over time."""
    found = looks(data, model)
    time = np.asarray(data["time"].values, dtype=float)
    turning = _turning(data)
    most = max(50, min(FRAMES, MOST_NUMBERS // (7 * max(len(found), 1))))
    kept = kept_frames(len(time), most)
    position = data["position"].values[kept]
    origin = _origin(position)
    poses = np.concatenate([position - origin, data["orientation"].values[kept][..., [1, 2, 3, 0]]], axis=-1)
    size = scale_of(data, found)
    scene: dict[str, Any] = {
        "origin": origin.tolist(),
        "size": size,
        "radius": _radius(position, origin, found, size),
        "instants": len(time),
        "time": buffers.add(time[kept], "<f8"),
        "poses": buffers.add(poses),
        "bodies": [_body(look, buffers) for look in found],
        "lines": lines_of(model, data),
        "sea": sea_of(model, data.attrs),
        "notes": _notes(time, kept, turning, found),
    }
    scene |= _joints(data, model, kept, buffers) | _loads(data, model, kept, buffers)
    normal = _plane(scene["joints"], data)
    scene["up"] = _up(data, normal)
    scene["view"] = _view(scene, normal, position)
    return scene


def _turning(data: xr.Dataset) -> Array:
    if "angular_velocity" not in data.variables:
        return np.zeros(data.sizes["time"])
    rate = np.linalg.norm(data["angular_velocity"].values, axis=-1)
    return np.asarray(rate.max(axis=1, initial=0.0))


def _origin(position: Array) -> Array:
    """Return a place near all that moves, rounded, from which single precision can tell millimetres."""
    low, high = np.nanmin(position[0], axis=0), np.nanmax(position[0], axis=0)
    far = 1e4 * max(float(np.linalg.norm(high - low)), 1.0)
    middle = 0.5 * (low + high)
    return middle if np.abs(middle).max() > far else np.zeros(3)


def _radius(position: Array, origin: Array, found: list[Look], size: float) -> float:
    """Return how far from the middle of its bodies the system reaches at the start."""
    middle = position[0].mean(axis=0)
    reach = [
        float(np.linalg.norm(place - middle)) + max(float(np.linalg.norm(s.corners, axis=1).max()) for s in look.solids)
        for place, look in zip(position[0], found)
    ]
    return max([*reach, 0.5 * size, 1e-9])


def _plane(joints: list[dict[str, Any]], data: xr.Dataset) -> Array | None:
    """Return the normal of the plane that all moves in: the direction of every hinge, None where there is no such."""
    hinges = [joint for joint in joints if joint["type"] in ("revolute", "cylindrical") and joint["axes"]]
    if not hinges or len(joints) < 2 or "drawn_frame" not in data.variables:
        return None
    drawn = np.array(
        [
            data["drawn_frame"].values[joint["body"]] @ joint["axes"][0] if joint["body"] >= 0 else joint["axes"][0]
            for joint in hinges
        ]
    )
    normal = drawn[0]
    if np.linalg.norm(np.cross(drawn, normal), axis=1).max() > 1e-3:
        return None
    spread = data["position"].values - data["position"].values[0]
    if np.abs(spread @ normal).max() > 1e-3 * max(float(np.abs(spread).max()), 1e-12):
        return None
    return np.asarray(normal * (1 if normal[int(np.argmax(np.abs(normal)))] > 0 else -1))


def _up(data: xr.Dataset, normal: Array | None) -> list[float]:
    """Return what is up: against gravity; without it, y in a plane that lies flat, else z."""
    g = np.asarray(data["gravity"].values, dtype=float) if "gravity" in data.variables else np.zeros(3)
    length = float(np.linalg.norm(g))
    if length > 0:
        return list(-g / length)
    return [0.0, 1.0, 0.0] if normal is not None and abs(normal[2]) > 0.9 else [0.0, 0.0, 1.0]


def _body(look: Look, buffers: Buffers) -> dict[str, Any]:
    solids = [
        {
            "corners": buffers.add(solid.corners),
            "triangles": buffers.add(solid.triangles, "<u2" if len(solid.corners) < 65536 else "<u4"),
            "colour": solid.colour or look.colour,
        }
        for solid in look.solids
    ]
    return {"name": look.name, "solids": solids, "given": look.given}


def _joints(data: xr.Dataset, model: Model | None, kept: Any, buffers: Buffers) -> dict[str, Any]:
    """Return joints with their point on the parent or child, their axes, and their reactions over the frames."""
    if "joint_parent_point" not in data.variables or not data.sizes.get("joint"):
        return {"joints": []}
    names = [str(name) for name in data["body"].values]
    roles: dict[str, list[int]] = {}
    if data.sizes.get("coordinate"):
        for label, axis in zip(data["coordinate"].values, data["coordinate_axis"].values):
            words = str(axis).split()
            if len(words) == 3 and words[2].isdigit():
                roles.setdefault(str(label).rpartition(".")[0], []).append(int(words[2]))
    found: list[dict[str, Any]] = []
    rows: list[int] = []
    kinds, ends = data["joint_type"].values, zip(data["joint_parent"].values, data["joint_child"].values)
    for row, (name, (parent, child)) in enumerate(zip(data["joint"].values, ends)):
        kind = str(kinds[row])
        if kind == "free" or len(found) >= MOST_ARROWS:
            continue
        inboard = str(parent) in names
        frame = data["joint_parent_frame"].values[row]
        joint: dict[str, Any] = {"name": str(name), "type": kind, "parent": str(parent), "child": str(child)}
        joint["body"] = names.index(str(parent)) if inboard else -1
        joint["point"] = data["joint_parent_point"].values[row].tolist()
        joint["axes"] = [frame[:, column].tolist() for column in dict.fromkeys(roles.get(str(name), []))]
        if not inboard and str(child) in names and not np.all(np.isfinite(joint["point"])):
            continue
        found.append(joint)
        rows.append(row)
    answer: dict[str, Any] = {"joints": found}
    if rows:
        answer["joint_force"] = buffers.coarse(data["joint_force"].values[kept][:, rows])
        answer["joint_moment"] = buffers.coarse(data["joint_moment"].values[kept][:, rows])
    return answer


def _loads(data: xr.Dataset, model: Model | None, kept: Any, buffers: Buffers) -> dict[str, Any]:
    """Return loads with the point where they act in body axes, and their forces and moments over the frames."""
    if "load_force" not in data.variables or not data.sizes.get("load"):
        return {"loads": []}
    names = [str(name) for name in data["body"].values]
    found = []
    for name, body in list(zip(data["load"].values, data["load_body"].values))[:MOST_ARROWS]:
        point = np.zeros(3)
        load = model.loads.get(str(name).partition("@")[0]) if model is not None else None
        drawn = getattr(load, "point", None)
        if load is not None and model is not None and str(body) in model.bodies:
            if load.body != str(body):
                drawn = getattr(load, "other_point", None)
            if drawn is not None:
                word = model.bodies[str(body)]
                point = rotation_of(word).T @ (np.array(drawn, dtype=float) - np.array(word.position))
        found.append({"name": str(name), "body": names.index(str(body)), "point": point.tolist()})
    count = len(found)
    return {
        "loads": found,
        "load_force": buffers.coarse(data["load_force"].values[kept][:, :count]),
        "load_moment": buffers.coarse(data["load_moment"].values[kept][:, :count]),
    }


def _view(scene: dict[str, Any], normal: Array | None, position: Array) -> list[float]:
    """Return the direction from which the scene is seen first: on the plane of what moves in one, else from aside."""
    up = np.array(scene["up"])
    if normal is not None and not scene["sea"]:
        if abs(float(np.dot(normal, up))) > 0.5:  # it lies flat
            return list(normal + 0.75 * np.cross(normal, [1.0, 0.0, 0.0]))
        return list(normal + 0.24 * up + 0.26 * np.cross(up, normal))
    if scene["sea"]:  # from windward, a little aside, so that a rotor shows its face
        return [-0.8, -0.6, 0.13]
    spread = np.abs(position - position[0]).max(axis=(0, 1))
    across = np.array([0.55, -1.0, 0.0]) if spread[0] >= spread[1] else np.array([1.0, -0.6, 0.0])
    across = across - up * np.dot(across, up)
    if np.linalg.norm(across) < 1e-9:
        across = np.array([0.0, 1.0, 0.4])
    return list(across / np.linalg.norm(across) + 0.38 * up)


def _notes(time: Array, kept: Any, turning: Array, found: list[Look]) -> list[str]:
    """Return what the scene leaves out, one sentence each."""
    notes = []
    if len(kept) < len(time):
        notes.append(f"The scene shows {len(kept):,} of {len(time):,} recorded instants and interpolates between them.")
    gaps = np.diff(time[kept]) if len(kept) > 1 else np.zeros(1)
    if len(kept) > 1 and float((gaps * turning[kept[1:]]).max()) > TURN:
        notes.append("Something turns by more than 2 rad between two instants, so how it turns there is a guess.")
    guessed = sum(not look.given for look in found)
    if guessed:
        whose = "All bodies are" if guessed == len(found) else f"{guessed} of {len(found)} bodies are"
        notes.append(f"{whose} drawn from joints, hulls and inertia; `geometry` in the model gives them shapes.")
    return notes
