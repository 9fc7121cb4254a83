"""Pictures of modes: the bodies as boxes of equal inertia, hulls and lines between joints, at rest and displaced."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from fairlead.errors import InvalidInput
from fairlead.model.fields import WORLD
from fairlead.model.joints.geometry import point_of, rotation_of
from fairlead.model.schema import Model
from fairlead.view.plots import save
from fairlead.view.style import COLOURS, FAINT, INK, RC

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
SHOWN = 0.12  # of the picture's size: the largest displacement drawn
MOST_MODES = 12
FRAMES, FRAMES_PER_SECOND, DOTS = 24, 12, 80
VIEWS = {"from the side": (0, 2), "from the front": (1, 2), "from above": (0, 1)}
CORNERS = 0.5 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
EDGES = [(i, j) for i in range(8) for j in range(i) if abs(CORNERS[i] - CORNERS[j]).sum() == 1]


def draw_modes(model: Model, data: xr.Dataset, path: str | Path) -> Any:
    """Return the figure of the modes of `linearize`, two views of each, written as PNG or as a GIF that moves."""
    kind = Path(path).suffix.lower()
    if kind not in (".png", ".gif"):
        raise InvalidInput(f"the picture must be a .png or a .gif, got '{Path(path).name}'")
    if not data.sizes["mode"]:
        raise InvalidInput("the model has no modes, so there is nothing to draw")
    import matplotlib as mpl

    with mpl.rc_context(RC):
        scene = _Scene(model, data)
        figure, moving = scene.figure(still=kind == ".png")
        if kind == ".png":
            save(figure, path)
        else:
            _animate(figure, scene, moving, path)
    return figure


def _animate(figure: Any, scene: _Scene, moving: list[Any], path: str | Path) -> None:
    """Write one cycle of every mode as a GIF that repeats."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(DOTS)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    figure.set_layout_engine("none")  # as it is now: laying out takes longer than drawing
    frames = []
    for frame in range(FRAMES):
        for mode, view, lines in moving:
            lines.set_segments(scene.displaced(mode, 2 * np.pi * frame / FRAMES)[:, :, VIEWS[view]])
        canvas.draw()
        frames.append(Image.fromarray(np.array(canvas.buffer_rgba())[:, :, :3]).quantize(64))
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=1000 // FRAMES_PER_SECOND, loop=0)


class _Scene:
    """Line segments (n, 2, xyz) in body axes, which body each belongs to, and how bodies move in each mode."""

    def __init__(self, model: Model, data: xr.Dataset) -> None:
        self.data, self.names = data, [str(name) for name in data["body"].values]
        pieces = [_segments(model, name) for name in self.names]
        self.body = np.concatenate([np.full(len(piece), number) for number, piece in enumerate(pieces)])
        self.lines = np.concatenate(pieces)
        self.turns = Rotation.from_quat(data["orientation"].values, scalar_first=True)
        self.places = data["position"].values
        self.rest = self._placed(self.places, self.turns)
        self.size = max(float(np.ptp(self.rest.reshape(-1, 3), axis=0).max()), 1e-9)

    def _placed(self, places: Array, turns: Rotation) -> Array:
        matrices = turns.as_matrix()[self.body]
        return np.asarray(np.einsum("nij,nkj->nki", matrices, self.lines) + places[self.body][:, None])

    def displaced(self, mode: int, phase: float) -> Array:
        """Return the segments of a mode at a phase of its cycle."""
        one = self.data.isel(mode=mode)
        shape = one["body_shape"].values + 1j * one["body_shape_imag"].values
        largest = np.abs(shape[:, :3]).max() + self.size * np.abs(shape[:, 3:]).max()
        moved = (shape * np.exp(1j * phase)).real * SHOWN * self.size / max(float(largest), 1e-300)
        return self._placed(self.places + moved[:, :3], Rotation.from_rotvec(moved[:, 3:]) * self.turns)

    def views(self, mode: int) -> list[str]:
        """Return the two views in which a mode moves most."""
        away = self.displaced(mode, 0.0) - self.rest
        return sorted(VIEWS, key=lambda view: -float(np.abs(away[:, :, VIEWS[view]]).sum()))[:2]

    def figure(self, still: bool) -> tuple[Any, list[Any]]:
        """Return the figure and what of it moves: mode, view and lines; `still` shows both ends of the swing."""
        from matplotlib.collections import LineCollection
        from matplotlib.figure import Figure

        modes = list(range(min(self.data.sizes["mode"], MOST_MODES)))
        columns = 1 if len(modes) == 1 else 2 if len(modes) <= 4 else 3
        rows = -(-len(modes) // columns)
        figure = Figure(figsize=(3.9 * columns, 2.9 * rows + 0.5), layout="constrained")
        grid = figure.subplots(rows, 2 * columns, squeeze=False)
        moving = []
        for axes in grid.ravel():
            axes.set(xticks=(), yticks=())
            axes.set_axis_off()
        for mode in modes:
            row, column = divmod(mode, columns)
            for side, view in enumerate(self.views(mode)):
                axes, pair = grid[row, 2 * column + side], VIEWS[view]
                axes.add_collection(LineCollection(list(self.rest[:, :, pair]), colors=FAINT, linewidths=0.7))
                if still:
                    other = self.displaced(mode, np.pi)[:, :, pair]
                    axes.add_collection(LineCollection(list(other), colors=COLOURS[4], linewidths=0.8))
                lines = LineCollection(list(self.displaced(mode, 0.0)[:, :, pair]), colors=COLOURS[0], linewidths=1.2)
                axes.add_collection(lines)
                moving.append((mode, view, lines))
                self._frame(axes, pair)
                axes.set_title(self._title(mode) if not side else "", loc="left")
                axes.text(0.5, -0.02, view, transform=axes.transAxes, ha="center", va="top", fontsize=7, color=FAINT)
        more = self.data.sizes["mode"] - len(modes)
        title = str(self.data.attrs.get("title", "")) + (
            f" (the first {len(modes)} of {len(modes) + more})" if more else ""
        )
        figure.suptitle(title, x=0.012, ha="left", fontsize=12, fontweight="bold", color=INK)
        return figure, moving

    def _frame(self, axes: Any, pair: tuple[int, int]) -> None:
        """Show all that moves, the same scale along both axes."""
        flat = self.rest[:, :, pair].reshape(-1, 2)
        low, high = flat.min(axis=0), flat.max(axis=0)
        middle, half = 0.5 * (low + high), 0.5 * (high - low) + 1.3 * SHOWN * self.size
        axes.set(xlim=(middle[0] - half[0], middle[0] + half[0]), ylim=(middle[1] - half[1], middle[1] + half[1]))
        axes.set_aspect("equal")

    def _title(self, mode: int) -> str:
        one = self.data.isel(mode=mode)
        period = float(one["period"])
        return f"{one['mode'].values}: {f'{period:.4g} s' if np.isfinite(period) else 'rigid'}"


def _segments(model: Model, name: str) -> Array:
    """Return a body's line segments in its own axes: hull or box, and lines from its mass centre to its joints."""
    body, found = model.bodies[name], list[Array]()
    place, R = np.array(body.position), rotation_of(body)

    def own(points: Any) -> Array:
        return np.asarray((np.asarray(points, dtype=float) - place) @ R)

    for load in model.loads.values():
        if getattr(load, "body", None) == name and hasattr(load, "sections"):
            found += [own(outline) for outline in _outlines(load, place)]
    if not found:
        corners = CORNERS * _box(np.array(body.inertia), body.mass) @ _principal(np.array(body.inertia)).T
        found += [corners[list(edge)] for edge in EDGES]
    for joint in model.joints.values():
        if name in (joint.parent, joint.child) and not (joint.leaves_all() and WORLD in (joint.parent, joint.child)):
            found.append(np.array([np.zeros(3), own(point_of(joint, model))]))
    return np.array(found)


def _outlines(load: Any, place: Array) -> list[Array]:
    """Return lines along four sides of a stack of sections and rings between them, in world axes of the drawing."""
    z, r = np.array([[float(part) for part in section] for section in load.sections]).T
    lines = []
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        side = np.column_stack([place[0] + 0.5 * r * x, place[1] + 0.5 * r * y, z])
        lines += [side[k : k + 2] for k in range(len(side) - 1)]
        across = np.column_stack([2 * place[0] - side[:, 0], 2 * place[1] - side[:, 1], z])
        lines += [np.array([one, other]) for one, other in zip(side, across)]
    return lines


def _principal(inertia: Array) -> Array:
    return np.asarray(np.linalg.eigh(inertia)[1])


def _box(inertia: Array, mass: float) -> Array:
    """Return the sides of a box of this mass and these principal moments: a^2 = 6 (J2 + J3 - J1) / m."""
    moments = np.linalg.eigvalsh(inertia)
    return np.sqrt(np.maximum(6 * (moments.sum() - 2 * moments) / mass, 0.0))
