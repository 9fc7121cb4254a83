"""Findings in the rows of a record that a user should know: lines that pushed, limits that were left behind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fairlead.core.record import columns
from fairlead.model.compile import Compiled
from fairlead.model.loads.mooring import TautLine
from fairlead.results.dataset import limits_of


def watched(compiled: Compiled, chunks: Iterable[Any]) -> dict[str, str]:
    """Return the attributes `lines_pushed` and `beyond_limits` of record rows, each where there is something to say."""
    lines, limits = _lines(compiled), limits_of(compiled)
    tension, position = (columns(compiled.arrays.layout, name).start for name in ("tension", "joint_position"))
    least = dict.fromkeys(lines, 0.0)
    pushing = dict.fromkeys(lines, 0)
    first: dict[str, float] = {}
    most: dict[str, float] = {}
    units = {
        label: "rad" if kind == "angle" else "m"
        for label, kind in zip(compiled.index.coordinates, compiled.index.coordinate_kind)
    }
    rows = 0
    for chunk in chunks:
        rows += len(chunk)
        for name, row in lines.items():
            values = chunk[:, tension + row]
            least[name] = min(least[name], float(values.min(initial=0.0)))
            pushing[name] += int(np.sum(values < 0.0))
        for number, label in enumerate(compiled.index.coordinates):
            q = chunk[:, position + number]
            beyond = np.maximum(limits[number, 0] - q, q - limits[number, 1])
            if np.any(beyond > 0):
                first.setdefault(label, float(chunk[int(np.argmax(beyond > 0)), 0]))
                most[label] = max(most.get(label, 0.0), float(np.nanmax(beyond)))
    found = {
        "lines_pushed": "; ".join(
            f"'{name}' with {-least[name]:.3g} N at most, in {100 * pushing[name] / rows:.3g} % of the instants"
            for name in lines
            if pushing[name]
        ),
        "beyond_limits": "; ".join(
            f"{label} leaves its limits at t = {first[label]:.6g} s, by {most[label]:.3g} {units[label]} at most"
            for label in first
        ),
    }
    return {name: said for name, said in found.items() if said}


def _lines(compiled: Compiled) -> dict[str, int]:
    """Return the rows of lines that are not told to be slack instead of pushing."""
    return {
        name: row
        for row, name in enumerate(compiled.index.loads)
        if isinstance(compiled.model.loads.get(name), TautLine)
    }
