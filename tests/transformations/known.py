"""Faults that are known: (model, transformation, formulation) -> id and reason. Each must still fail, else it goes."""

KNOWN: dict[tuple[str, str, str], str] = {}
