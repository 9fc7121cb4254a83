"""Faults that are known: (model, transformation, formulation) -> id and reason. Each must still fail, else it goes."""

from __future__ import annotations

KNOWN: dict[tuple[str, str, str], str] = {}
