"""Findings of a run about itself, one sentence each: from the attributes of its result alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

NAMED = 6  # things named one by one; of more, the first so many and a count

# Attribute -> how its sentence starts; said in this order, before the audit.
SENTENCES = {
    "formulation_taken": "formulation",
    "start_moved": "start",
    "assembly_moved": "assembly moved from the drawing",
    "redundant_equations": "redundant equations, which others imply",
    "reactions_not_unique": "reactions that rigid bodies do not determine, one of many given",
    "lines_pushed": "lines pushed, which a rope cannot",
    "beyond_limits": "limits",
    "beyond_curve": "",
    "beyond_coefficients": "",
    "beyond_tables": "",
    "beyond_points": "",
    "partners": "",
    "events_missed": "events that did not happen",
}


def findings(attributes: Mapping[str, Any]) -> list[str]:
    """Return the findings of a result: choices made, things moved, what is not unique, ranges left behind."""
    found = _events(attributes.get("events", "[]"))
    for name, start in SENTENCES.items():
        said = str(attributes.get(name, ""))
        if said:
            found.append(f"{start}: {shortened(said)}" if start else said)
    return found


def _events(kept: str) -> list[str]:
    """Return a sentence for each event, the first so many of them, and how many more there were."""
    happened = json.loads(kept)
    found = [f"event '{one['event']}' at t = {one['time']:.9g} s: {one['did']}" for one in happened[:NAMED]]
    more = len(happened) - NAMED
    return found + ([f"and {more} more events (see the result's attribute 'events')"] if more > 0 else [])


def shortened(said: str) -> str:
    """Return a list in words cut to its first few members, with the number of those left out."""
    members = said.split("; ")
    more = len(members) - NAMED
    return said if more <= 0 else "; ".join(members[:NAMED]) + f"; and {more} more (see the result's attributes)"
