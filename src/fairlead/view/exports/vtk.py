"""The moving scene for ParaView: a .pvd file that names one .vtp file of polygons for each instant.

Points are world points at that instant; each polygon has the number of its body, each point its velocity.
https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

import numpy as np

from fairlead.errors import FilesFailure
from fairlead.numeric import rotation_matrix
from fairlead.results.atomic import atomically
from fairlead.view.page.buffers import kept_frames
from fairlead.view.solids.bodies import looks

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.model.schema import Model

FRAMES = 1000
HEAD = '<?xml version="1.0"?>\n<VTKFile type="{}" version="1.0" byte_order="LittleEndian" header_type="UInt64">\n'
TYPES = {"<f4": "Float32", "<i4": "Int32"}


def write_pvd(data: xr.Dataset, path: str | Path, model: Model | None = None) -> int:
    """Write the scene of a result as a .pvd file and a folder of .vtp files beside it; return how many instants."""
    target = Path(path)
    folder = target.with_name(f"{target.stem}_vtp")
    if folder.exists():
        raise FilesFailure(f"{folder} exists; choose another name")
    kept = kept_frames(data.sizes["time"], FRAMES)
    found = looks(data, model)
    bodies = np.concatenate([np.full(len(s.corners), i) for i, look in enumerate(found) for s in look.solids])
    corners = np.concatenate([solid.corners for look in found for solid in look.solids])
    first, triangles = 0, []
    for look in found:
        for solid in look.solids:
            triangles.append(solid.triangles + first)
            first += len(solid.corners)
    faces = np.concatenate(triangles)
    folder.mkdir()
    rows = []
    for number, row in enumerate(kept):
        name = f"{folder.name}/{number:05d}.vtp"
        rows.append(f'    <DataSet timestep="{float(data["time"][row])!r}" part="0" file={quoteattr(name)}/>\n')
        text = _polygons(data.isel(time=int(row)), corners, bodies, faces)
        (folder / f"{number:05d}.vtp").write_text(text, encoding="ascii")
    text = HEAD.format("Collection") + "  <Collection>\n" + "".join(rows) + "  </Collection>\n</VTKFile>\n"
    atomically(target, lambda file: file.write_text(text, encoding="utf-8"))
    return len(kept)


def _polygons(now: xr.Dataset, corners: Any, bodies: Any, faces: Any) -> str:
    R = rotation_matrix(now["orientation"].values)[bodies]
    arm = np.einsum("nij,nj->ni", R, corners)
    points = now["position"].values[bodies] + arm
    velocity = np.zeros_like(points)
    if "velocity" in now and "angular_velocity" in now:
        w = np.einsum("nij,nj->ni", R, now["angular_velocity"].values[bodies])
        velocity = now["velocity"].values[bodies] + np.cross(w, arm)
    sizes = f'NumberOfPoints="{len(points)}" NumberOfVerts="0" NumberOfLines="0" NumberOfStrips="0"'
    return (
        HEAD.format("PolyData")
        + f'  <PolyData>\n    <Piece {sizes} NumberOfPolys="{len(faces)}">\n'
        + f'      <PointData Vectors="velocity">{_array("velocity", velocity, "<f4", 3)}</PointData>\n'
        + f'      <CellData Scalars="body">{_array("body", bodies[faces[:, 0]], "<i4")}</CellData>\n'
        + f"      <Points>{_array('Points', points, '<f4', 3)}</Points>\n"
        + f"      <Polys>{_array('connectivity', faces.reshape(-1), '<i4')}"
        + f"{_array('offsets', 3 * np.arange(1, len(faces) + 1), '<i4')}</Polys>\n"
        + "    </Piece>\n  </PolyData>\n</VTKFile>\n"
    )


def _array(name: str, values: Any, kind: str, parts: int = 1) -> str:
    """Return an array in base64: its length in bytes, then its numbers."""
    content = np.ascontiguousarray(values, dtype=kind).tobytes()
    text = base64.b64encode(len(content).to_bytes(8, "little") + content).decode("ascii")
    some = f' NumberOfComponents="{parts}"' if parts > 1 else ""
    return f'<DataArray type="{TYPES[kind]}" Name="{name}"{some} format="binary">{text}</DataArray>'
