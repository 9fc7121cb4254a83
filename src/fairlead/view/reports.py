"""`fl.report`: one self-contained page of a run, with what was run, what moved, what it felt and whether it adds up."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.errors import FairleadError, InvalidInput
from fairlead.results.atomic import atomically
from fairlead.results.reading import open_data
from fairlead.view.page import tables
from fairlead.view.page.buffers import Buffers
from fairlead.view.page.histories import histories, overlaid, panel_of, settled_time
from fairlead.view.page.modes import modes_of
from fairlead.view.page.scene import scene_of
from fairlead.view.page.write import page_html

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.auditing.audit import Audit
    from fairlead.model.schema import Model

MODEL = "model.yaml"  # of a run directory


def report(
    data: xr.Dataset | str | os.PathLike[str] | Sequence[Any],
    path: str | os.PathLike[str],
    *,
    model: Any = None,
    audit: Any = None,
    modes: Any = None,
) -> Path:
    """Return the path of one HTML page about a result, with a scene that moves, its histories and its audit.

    `data` is a Dataset, a run directory or a file; of several the others are laid over the first, with their
    differences. The page opens from disk and needs no network. `model` gives the bodies their shapes and the scene its
    waves and lines; a run directory has its own. `audit` is a verdict that is at hand; without it the audit is made.
    `modes` is a Dataset of `linearize` or its file, for modes that move.
    """
    given = list(data) if isinstance(data, (list, tuple)) else [data]
    if not given:
        raise InvalidInput("a report needs at least one result")
    opened = [open_data(one) for one in given]
    for one in opened:
        if not one.sizes.get("time"):
            raise InvalidInput("this result has no instants, so there is nothing to show")
        _whole(one)
    found = model_of(given[0]) if model is None else checked_model(model)
    text = html_of(opened, [name_of(one, i) for i, one in enumerate(given)], found, audit, modes)
    target = Path(path)
    content = text.encode("utf-8")
    atomically(target, lambda file: file.write_bytes(content), len(content))
    return target


def _whole(data: xr.Dataset) -> None:
    missing = [name for name in ("position", "orientation") if name not in data.variables]
    if missing:
        raise InvalidInput(f"a report needs where bodies are and how they lie; {' and '.join(missing)} is missing")


def name_of(given: Any, number: int) -> str:
    """Return how a run is called beside others."""
    if isinstance(given, str | os.PathLike):
        path = Path(given)
        return path.name.removesuffix(".run") if path.is_dir() else path.stem
    return str(given.attrs.get("title", "")) or f"run {number + 1}"


def model_of(given: Any) -> Model | None:
    """Return the model that lies in a run directory, None where there is none that can be read."""
    if not isinstance(given, str | os.PathLike):
        return None
    folder = Path(given) if Path(given).is_dir() else Path(given).parent
    return _read(folder / MODEL) if (folder / MODEL).is_file() else None


def _read(file: Path) -> Model | None:
    import warnings

    from fairlead.formats.load import load

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return load(file)
        except FairleadError:  # of another version, or its files are gone: the record alone is drawn
            return None


def checked_model(model: Any) -> Model:
    """Return a model that is given, read from its file if it is a path."""
    from fairlead.formats.load import load
    from fairlead.model.checks.checked import checked

    return load(Path(model)) if isinstance(model, str | os.PathLike) else checked(model)


def html_of(runs: list[xr.Dataset], names: list[str], model: Model | None, audit: Any = None, modes: Any = None) -> str:
    """Return the page of results as text."""
    first = runs[0]
    if model is not None and not set(first["body"].values.astype(str)) <= set(model.bodies):
        raise InvalidInput("the model has not all of the bodies of this result, so it is another one; leave it out")
    buffers = Buffers()
    found, why = (audit, "") if audit is not None else audited(first)
    scene = scene_of(first, model, buffers)
    time = np.asarray(first["time"].values, dtype=float)
    groups = overlaid(histories(first), time, runs[1:])
    settled = settled_time(first)
    panels = [panel_of(group, time, settled, buffers) for group in groups]
    said = list(scene["notes"])
    thinned = [panel for panel in panels if panel["kept"] < panel["of"]]
    if thinned:
        said.append(
            f"Histories show some {thinned[0]['kept']:,} of {thinned[0]['of']:,} instants, every extreme among them; "
            "statistics and spectra are of all."
        )
    data = {
        "title": title_of(first),
        "runs": names,
        "scene": scene,
        "panels": panels,
        "modes": modes_of(modes, first, buffers),
        "begin": float(time[0]),
        "end": float(time[-1]),
        "settled": settled if settled > time[0] else None,
    }
    return page_html(title_of(first), sections(runs, names, model, found, why, said), data, buffers)


def title_of(data: xr.Dataset) -> str:
    """Return the title of a result."""
    return str(data.attrs.get("title", "")) or "A result"


def audited(data: xr.Dataset) -> tuple[Audit | None, str]:
    """Return the audit of a result, or None and why there is none."""
    from fairlead.auditing.audit import audit

    try:
        return audit(data), ""
    except FairleadError as error:
        return None, str(error)


def sections(
    runs: list[xr.Dataset], names: list[str], model: Model | None, found: Audit | None, why: str, said: list[str]
) -> dict[str, str]:
    """Return the written parts of a page."""
    first = runs[0]
    between = f"<p class='small'>Laid over it: {tables.escaped(', '.join(names[1:]))}</p>" if len(runs) > 1 else ""
    has_masses = {"mass", "inertia"} <= set(first.variables)
    parts = [
        ("Mass properties", tables.mass_properties(first) if has_masses else ""),
        ("Tree and loops", tables.tree(model)),
        ("Joints", tables.joints(first)),
        ("Loads", tables.loads(model)),
    ]
    page = "".join(f"<section><h3>{name}</h3>{content}</section>" for name, content in parts if content)
    return {
        "verdict": tables.verdict(found, why),
        "audit": tables.audit_table(found),
        "understood": tables.understood(first, model) + between,
        "notes": tables.notes(first, said),
        "model": page,
    }
