"""Faults that are known: (model, transformation, formulation) -> id and reason. Each must still fail, else it goes."""

from __future__ import annotations

REACTIONS = "L5, beside redundant equations reactions that are unique are off by 1e-6 of their size"

ROWS = (("oc3_hywind", "copy a joint", "constrained", REACTIONS),)
KNOWN: dict[tuple[str, str, str], str] = {row[:3]: row[3] for row in ROWS}
