"""The moving scene as binary glTF 2.0: a node per body with its solids, and an animation of where they are.

glTF has y up: a root node turns our z onto it. https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.results.atomic import atomically
from fairlead.view.page.buffers import kept_frames
from fairlead.view.solids.bodies import looks

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.model.schema import Model

FLOAT, UNSIGNED = 5126, 5125
VERTICES, INDICES = 34962, 34963
FRAMES = 3000


class _File:
    """The parts of a glTF file as they grow."""

    def __init__(self) -> None:
        self.content = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, values: Any, kind: str, target: int | None = None, bounds: bool = False) -> int:
        """Return the number of the accessor of an array."""
        whole = kind == "SCALAR" and np.issubdtype(np.asarray(values).dtype, np.integer)
        array = np.ascontiguousarray(values, dtype="<u4" if whole else "<f4")
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.content), "byteLength": array.nbytes}
        self.views.append(view | ({"target": target} if target else {}))
        self.content += array.tobytes()  # four bytes each, so all that follows stays aligned
        accessor: dict[str, Any] = {"bufferView": len(self.views) - 1, "count": len(array), "type": kind}
        accessor["componentType"] = UNSIGNED if whole else FLOAT
        if bounds:
            rows = array.reshape(len(array), -1).astype(float)
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def write_gltf(data: xr.Dataset, path: str | Path, model: Model | None = None) -> int:
    """Write the scene of a result as a .glb file; return how many instants it has."""
    file = _File()
    kept = kept_frames(data.sizes["time"], FRAMES)
    time = data["time"].values[kept]
    found = looks(data, model)
    nodes: list[dict[str, Any]] = []
    meshes, materials = [], []
    for number, look in enumerate(found):
        parts = []
        for solid in look.solids:
            corners = file.add(solid.corners, "VEC3", VERTICES, bounds=True)
            triangles = file.add(solid.triangles.reshape(-1), "SCALAR", INDICES)
            materials.append(_material(solid.colour or look.colour))
            parts.append({"attributes": {"POSITION": corners}, "indices": triangles, "material": len(materials) - 1})
        node: dict[str, Any] = {"name": look.name} | _pose(data, int(kept[0]), number)
        if parts:
            meshes.append({"name": look.name, "primitives": parts})
            node["mesh"] = len(meshes) - 1
        nodes.append(node)
    half = float(np.sqrt(0.5))
    nodes.append({"name": "world", "rotation": [-half, 0.0, 0.0, half], "children": list(range(len(found)))})
    whole: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "fairlead"},
        "scene": 0,
        "scenes": [{"name": str(data.attrs.get("title", "")), "nodes": [len(nodes) - 1]}],
        "nodes": nodes,
        "meshes": meshes,
        "materials": materials,
    }
    if len(kept) > 1:
        whole["animations"] = [_animation(data, file, kept, time)]
    whole |= {"accessors": file.accessors, "bufferViews": file.views, "buffers": [{"byteLength": len(file.content)}]}
    content = _binary(whole, bytes(file.content))
    atomically(Path(path), lambda target: target.write_bytes(content), len(content))
    return len(kept)


def _pose(data: xr.Dataset, row: int, body: int) -> dict[str, Any]:
    place = data["position"].values[row, body]
    turn = _turns(data, np.array([row]), body)[0]
    return {"translation": place.tolist(), "rotation": turn.tolist()}


def _turns(data: xr.Dataset, kept: Any, body: int) -> Any:
    """Return unit quaternions, scalar last, each on the side of the one before."""
    q = data["orientation"].values[kept, body][:, [1, 2, 3, 0]]
    q = q / np.linalg.norm(q, axis=1, keepdims=True)
    side = np.sign(np.sum(q[1:] * q[:-1], axis=1))
    return q * np.concatenate([[1.0], np.cumprod(np.where(side == 0, 1.0, side))])[:, None]


def _animation(data: xr.Dataset, file: _File, kept: Any, time: Any) -> dict[str, Any]:
    times = file.add(time - time[0], "SCALAR", bounds=True)
    samplers, channels = [], []
    for body in range(data.sizes["body"]):
        values = {"translation": data["position"].values[kept, body], "rotation": _turns(data, kept, body)}
        for path, rows in values.items():
            output = file.add(rows, "VEC3" if path == "translation" else "VEC4")
            samplers.append({"input": times, "output": output, "interpolation": "LINEAR"})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": body, "path": path}})
    return {"name": "run", "samplers": samplers, "channels": channels}


def _material(colour: str) -> dict[str, Any]:
    """Return a matt material of a colour, which glTF has linear: ((c + 0.055) / 1.055)^2.4."""
    shown = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shown]
    factors = {"baseColorFactor": [*linear, 1.0], "metallicFactor": 0.05, "roughnessFactor": 0.6}
    return {"pbrMetallicRoughness": factors, "doubleSided": True}


def _binary(whole: dict[str, Any], content: bytes) -> bytes:
    """Return header, JSON chunk and binary chunk, each filled up to four bytes."""
    text = json.dumps(whole, separators=(",", ":"), allow_nan=False).encode("utf-8")
    text += b" " * (-len(text) % 4)
    content += b"\0" * (-len(content) % 4)
    size = 12 + 8 + len(text) + 8 + len(content)
    head = struct.pack("<4sII", b"glTF", 2, size)
    return head + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(content), b"BIN\0") + content
