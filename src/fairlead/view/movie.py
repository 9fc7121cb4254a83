"""The moving scene as a GIF, drawn by matplotlib: shaded triangles from the direction that reports take first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput
from fairlead.numeric import rotation_matrix
from fairlead.results.atomic import atomically
from fairlead.view.page.buffers import Buffers, kept_frames
from fairlead.view.page.scene import scene_of
from fairlead.view.solids.bodies import looks
from fairlead.view.style import FAINT, INK, RC

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.model.schema import Model

Array = npt.NDArray[np.float64]
FRAMES, PER_SECOND = 72, 14
LIGHT = np.array([-0.4, 0.6, 0.7])  # right, up, towards the eye


def animate(data: xr.Dataset, path: str | Path, model: Model | None = None) -> int:
    """Write the motion of a result as a GIF that repeats; return the number of its pictures."""
    if Path(path).suffix.lower() != ".gif":
        raise InvalidInput(f"an animation is a .gif, got '{Path(path).name}'")
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.figure import Figure
    from PIL import Image

    scene = scene_of(data, model, Buffers())
    kept = kept_frames(data.sizes["time"], FRAMES)
    parts = _parts(data, model)
    view = _view(scene)
    flat = [_placed(data, int(row), parts) @ view for row in kept]
    low, high = np.min([one.min(axis=0) for one in flat], axis=0), np.max([one.max(axis=0) for one in flat], axis=0)
    half = 0.54 * np.maximum(high - low, 1e-9)
    middle = 0.5 * (high + low)
    wide = float(np.clip(half[0] / half[1], 0.6, 1.8))
    frames = []
    with mpl.rc_context(RC):
        figure = Figure(figsize=(4.2 * wide**0.5, 4.2 / wide**0.5), dpi=90)
        canvas = FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 0.94))
        axes.set_axis_off()
        axes.set(xlim=(middle[0] - half[0], middle[0] + half[0]), ylim=(middle[1] - half[1], middle[1] + half[1]))
        axes.set_aspect("equal")
        figure.text(0.02, 0.955, str(data.attrs.get("title", "")), fontsize=10, fontweight="bold", color=INK)
        clock = figure.text(0.98, 0.955, "", fontsize=9, color=FAINT, ha="right")
        faces: Any = axes.add_collection(PolyCollection([], linewidths=0.2))
        water: Any = axes.add_collection(LineCollection([], colors="#7fb0c8", linewidths=1.0, zorder=0))
        for row, corners in zip(kept, flat):
            order, shade = _shaded(corners, parts)
            faces.set_verts(corners[parts["triangles"]][order][:, :, :2])
            faces.set_facecolor(shade[order])
            faces.set_edgecolor(shade[order])
            if scene["sea"]:
                water.set_segments(_surface(data, int(row), view, half, middle))
            clock.set_text(f"t = {float(data['time'][int(row)]):.4g} s")
            canvas.draw()
            frames.append(Image.fromarray(np.array(canvas.buffer_rgba())[:, :, :3]).quantize(96))
    each = 1000 // PER_SECOND
    atomically(
        Path(path),
        lambda file: frames[0].save(file, format="GIF", save_all=True, append_images=frames[1:], duration=each, loop=0),
    )
    return len(frames)


def _parts(data: xr.Dataset, model: Model | None) -> dict[str, Any]:
    corners, triangles, bodies, colours = (list[Any]() for _ in range(4))
    first = 0
    for number, look in enumerate(looks(data, model)):
        for solid in look.solids:
            corners.append(solid.corners)
            triangles.append(solid.triangles + first)
            bodies.append(np.full(len(solid.corners), number))
            shown = solid.colour or look.colour
            rgb = [int(shown[i : i + 2], 16) / 255 for i in (1, 3, 5)]
            colours.append(np.tile(rgb, (len(solid.triangles), 1)))
            first += len(solid.corners)
    names = ("corners", "triangles", "bodies", "colours")
    return {name: np.concatenate(rows) for name, rows in zip(names, (corners, triangles, bodies, colours))}


def _view(scene: dict[str, Any]) -> Array:
    """Return the columns right, up and towards the eye."""
    near = np.array(scene["view"]) / np.linalg.norm(scene["view"])
    up = np.array(scene["up"])
    right = np.cross(up, near)
    right = right / np.linalg.norm(right)
    return np.column_stack([right, np.cross(near, right), near])


def _placed(data: xr.Dataset, row: int, parts: dict[str, Any]) -> Array:
    R = rotation_matrix(data["orientation"].values[row])[parts["bodies"]]
    return np.asarray(np.einsum("nij,nj->ni", R, parts["corners"]) + data["position"].values[row][parts["bodies"]])


def _shaded(corners: Array, parts: dict[str, Any]) -> tuple[Any, Array]:
    """Return triangles from far to near, and the colour of each in the light."""
    a, b, c = (corners[parts["triangles"][:, i]] for i in range(3))
    normal = np.cross(b - a, c - a)
    normal = normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    light = 0.55 + 0.45 * np.clip(normal @ LIGHT, 0, 1)
    return np.argsort((a + b + c)[:, 2]), np.clip(parts["colours"] * light[:, None], 0, 1)


def _surface(data: xr.Dataset, row: int, view: Array, half: Array, middle: Array) -> list[Array]:
    """Return the line in which the still water crosses the picture at the elevation of the moment."""
    rise = float(data["wave_elevation"].values[row]) if "wave_elevation" in data.variables else 0.0
    height = (np.array([0.0, 0.0, rise]) @ view)[1]
    ends = [[middle[0] - 2 * half[0], height], [middle[0] + 2 * half[0], height]]
    return [np.array(ends)]
