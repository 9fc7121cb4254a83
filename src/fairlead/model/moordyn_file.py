"""MoorDyn's input file, as far as we must know it: coupled points, and the largest step its lines bear."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field

from fairlead.errors import FilesFailure, InvalidInput

COUPLED = ("vessel", "coupled", "cpld", "fairlead")
# How far along the negative axis (and about as far in its direction) each of MoorDyn's schemes is stable.
REACH = {"euler": 2.0, "heun": 2.0, "rk2": 2.0, "rk4": 2.7, "ab2": 1.0, "ab3": 0.54, "ab4": 0.3}
WATER, GRAVITY = 1025.0, 9.80665  # MoorDyn's own defaults


@dataclass
class MoorDynFile:
    """What the file says: coupled points [m], the step asked for (None: MoorDyn's own), the stable one, its scheme."""

    points: list[tuple[float, float, float]] = field(default_factory=list)
    dt: float | None = None
    stable: float = math.inf
    scheme: str = "rk2"


def read_moordyn(path: str) -> MoorDynFile:
    """Return what a MoorDyn v1 or v2 file says; InvalidInput where it cannot be read."""
    sections, name = _sections(path), os.path.basename(path)
    options = {row[1].lower(): row[0] for row in sections.get("options", []) if len(row) > 1}
    found = MoorDynFile()
    try:
        for row in sections.get("points", []):
            if row[1].lower() in COUPLED:
                found.points.append((float(row[2]), float(row[3]), float(row[4])))
        found.dt = _option(options, "dtm")
        found.scheme = options.get("tscheme", "rk2").lower().strip('"')
        reach = REACH.get(found.scheme, math.inf)  # the implicit ones bear any step
        types = {row[0].lower(): [float(word) for word in row[1:5]] for row in sections.get("types", [])}
        added = {row[0].lower(): _added(row) for row in sections.get("types", [])}
        for row in sections.get("lines", []):
            if row[1].lower() in types:  # ID, type, ends, length, segments; older files have the length third
                length, segments = (float(row[4]), int(row[5])) if len(row) > 5 and _number(row[4]) else _old(row)
                rate = fastest_rate(types[row[1].lower()], length / segments, options, added[row[1].lower()])
                found.stable = min(found.stable, reach / rate)
    except (ValueError, IndexError) as error:
        raise InvalidInput(f"'{name}' has a row that is not as MoorDyn's documentation has it: {error}") from None
    if not found.points:
        raise InvalidInput(f"'{name}' has no coupled point ('Vessel' or 'Coupled' under POINTS), so nothing moves it")
    return found


def fastest_rate(kind: list[float], segment: float, options: dict[str, str], added: float) -> float:
    """Return the largest |rate| [1/s] of a line: of its axial waves with their damping, or of a node on the bed.

    A chain of masses m l joined by springs EA/l and dampers BA/l moves fastest with neighbours opposed:
    s^2 + 4 BA/(m l^2) s + 4 EA/(m l^2) = 0. A node on the bed: M s^2 + cbot d l s + kbot d l = 0.
    """
    diameter, mass, EA, BA = kind
    if BA < 0:
        BA = -BA * segment * math.sqrt(EA * mass)  # given as a share of critical damping
    axial = largest_root(mass * segment**2 / 4, BA, EA)
    node = (mass + added * _option_or(options, "wtrdnsty", WATER) * math.pi / 4 * diameter**2) * segment
    spring = _option_or(options, "kbot", 3.0e6) * diameter * segment
    damper = _option_or(options, "cbot", 3.0e5) * diameter * segment
    return max(axial, largest_root(node, damper, spring))


def largest_root(mass: float, damping: float, stiffness: float) -> float:
    """Return the larger |s| of mass s^2 + damping s + stiffness = 0."""
    left = damping**2 - 4 * mass * stiffness
    if left <= 0:
        return math.sqrt(stiffness / mass)
    return (damping + math.sqrt(left)) / (2 * mass)


def _sections(path: str) -> dict[str, list[list[str]]]:
    """Return the rows of each section of interest; heads and units are left out."""
    try:
        with open(path, encoding="latin-1") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise FilesFailure(f"cannot read '{path}': {error.strerror}") from None
    found: dict[str, list[list[str]]] = {}
    here, skip = "", 0
    for line in lines:
        if line.lstrip().startswith("---"):
            here = _section(line.upper())
            skip = 0 if here == "options" else 2
            found.setdefault(here, [])
        elif skip:
            skip -= 1
        elif line.split() and not line.lstrip().startswith("#"):
            found.setdefault(here, []).append(line.split())
    return found


def _section(title: str) -> str:
    if "LINE TYPES" in title or "LINE DICTIONARY" in title:
        return "types"
    if "POINT" in title or "CONNECTION" in title or "NODE" in title:
        return "points"
    if "LINE" in title:
        return "lines"
    return "options" if "OPTION" in title else "other"


def _old(row: list[str]) -> tuple[float, int]:
    return float(row[2]), int(row[3])


def _added(row: list[str]) -> float:
    return float(row[7]) if len(row) > 9 else float(row[5]) if len(row) > 5 else 0.0


def _number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _option(options: dict[str, str], name: str) -> float | None:
    return float(options[name]) if name in options else None


def _option_or(options: dict[str, str], name: str, default: float) -> float:
    given = _option(options, name)
    return default if given is None else given
