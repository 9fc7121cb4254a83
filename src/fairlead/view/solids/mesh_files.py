"""STL and OBJ files as solids."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fairlead.errors import FilesFailure, InvalidInput
from fairlead.view.solids.pieces import Solid

MOST_TRIANGLES = 200_000  # what a page can carry
HEAD, RECORD = 84, 50  # [bytes] of a binary STL file and of each of its triangles


def read_mesh(path: str) -> Solid:
    """Return the solid in an STL file (text or binary) or an OBJ file, in the units of the file."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FilesFailure(f"cannot read {path}: {error.strerror}") from None
    try:
        solid = _obj(content) if path.lower().endswith(".obj") else _stl(content)
    except (ValueError, IndexError) as error:
        raise InvalidInput(f"{path} is not a mesh that can be read: {error}") from None
    if not len(solid.triangles) or not np.all(np.isfinite(solid.corners)):
        raise InvalidInput(f"{path} holds no triangles, or corners that are not finite numbers")
    if len(solid.triangles) > MOST_TRIANGLES:
        raise InvalidInput(
            f"{path} has {len(solid.triangles)} triangles; reduce it to {MOST_TRIANGLES} or fewer for a picture"
        )
    return solid


def _stl(content: bytes) -> Solid:
    count = int.from_bytes(content[80:HEAD], "little") if len(content) >= HEAD else -1
    if len(content) == HEAD + RECORD * count:
        kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
        corners = np.frombuffer(content, kind, count, HEAD)["corners"].reshape(-1, 3).astype(float)
    else:
        lines = (line.split() for line in content.decode("ascii", "replace").splitlines())
        rows = [[float(part) for part in words[1:4]] for words in lines if words and words[0] == "vertex"]
        if not rows or len(rows) % 3:
            raise ValueError("neither a binary STL file of its stated length nor a text with triangles")
        corners = np.array(rows)
    return Solid(corners, np.arange(len(corners)).reshape(-1, 3))


def _obj(content: bytes) -> Solid:
    corners: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for line in content.decode("utf-8", "replace").splitlines():
        words = line.split()
        if words and words[0] == "v":
            corners.append([float(part) for part in words[1:4]])
        elif words and words[0] == "f":
            at = [int(part.split("/")[0]) for part in words[1:]]
            at = [one - 1 if one > 0 else len(corners) + one for one in at]
            if min(at) < 0 or max(at) >= len(corners):
                raise ValueError("a face names a corner that is not there")
            triangles += [(at[0], at[i], at[i + 1]) for i in range(1, len(at) - 1)]
    return Solid(np.array(corners, dtype=float).reshape(-1, 3), np.array(triangles, dtype=int).reshape(-1, 3))
