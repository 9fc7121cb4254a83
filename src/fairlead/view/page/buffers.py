"""Numbers as a page carries them: little-endian arrays in base64, and fewer instants with every extreme kept."""

from __future__ import annotations

import base64
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
INT16 = 32_767


class Buffers:
    """The arrays of a page: `add` returns what stands for one in the page's data."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.size = 0

    def add(self, values: Any, kind: str = "<f4") -> dict[str, Any]:
        """Return the reference of an array, kept as `kind`; what is not finite stays so in floats."""
        array = np.ascontiguousarray(np.asarray(values).astype(kind))
        return self._keep(array, kind[1:])

    def offset(self, values: Array) -> dict[str, Any]:
        """Return the reference of a series kept as single precision about its middle, which loses nothing to see."""
        finite = values[np.isfinite(values)]
        middle = 0.5 * float(finite.min() + finite.max()) if len(finite) else 0.0
        return self.add(values - middle) | {"offset": middle}

    def coarse(self, values: Array) -> dict[str, Any]:
        """Return the reference of values for arrows, kept in sixteen bits of the largest."""
        finite = np.where(np.isfinite(values), values, 0.0)
        largest = float(np.abs(finite).max()) if finite.size else 0.0
        scale = largest / INT16 if largest > 0 else 1.0
        return self._keep(np.round(finite / scale).astype("<i2"), "i2") | {"scale": scale}

    def _keep(self, array: npt.NDArray[Any], kind: str) -> dict[str, Any]:
        text = base64.b64encode(array.tobytes()).decode("ascii")
        self.texts.append(text)
        self.size += len(text)
        return {"buffer": len(self.texts) - 1, "kind": kind, "shape": list(array.shape)}


def kept_instants(series: list[Array], most: int) -> npt.NDArray[np.intp]:
    """Return the instants to keep of series over the same times: of each stretch the extremes of every series.

    About `most` of them remain; first and last are among them, and what is kept is what was recorded.
    """
    rows = len(series[0]) if series else 0
    if rows <= most:
        return np.arange(rows)
    stretches = max(2, most // max(2, 2 * len(series)))
    edges = np.linspace(0, rows, stretches + 1).astype(int)
    kept = {0, rows - 1}
    for values in series:
        usable = np.where(np.isfinite(values), values, np.nan)
        if not np.isfinite(usable).any():
            continue
        for low, high in pairwise(edges):
            part = usable[low:high]
            if np.isfinite(part).any():
                kept.add(low + int(np.nanargmin(part)))
                kept.add(low + int(np.nanargmax(part)))
    return np.array(sorted(kept), dtype=np.intp)


def kept_frames(count: int, most: int) -> npt.NDArray[np.intp]:
    """Return the instants that the scene keeps, evenly spread, the first and the last among them."""
    if count <= most:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, most).round().astype(np.intp))
