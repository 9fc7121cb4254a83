"""Faults that are known: (model, transformation, formulation) -> id and reason. Each must still fail, else it goes."""

from __future__ import annotations

# The motion agrees and so does `constrained`; which of the two is right about the moment is not known yet.
MOMENTS = "L6, trees give another joint moment beside the copy of a joint of this forest"

ROWS = tuple(("forest of eight", "copy a joint", formulation, MOMENTS) for formulation in ("cloud", "articulated"))
KNOWN: dict[tuple[str, str, str], str] = {row[:3]: row[3] for row in ROWS}
