"""MoorDyn's input file (version 2), as far as we must know it: coupled points, and the largest step its lines bear."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from fairlead.errors import InvalidInput
from fairlead.plain_files import read_lines

COUPLED = ("vessel", "coupled", "cpld", "fairlead")
# How large |rate| dtM may be. Euler and the Runge-Kutta schemes: the negative axis of their stability regions. The
# others as seen with MoorDyn 2.7.2 on lines of 20 segments.
REACH = {"euler": 2.0, "rk2": 2.0, "rk4": 2.7, "heun": 0.8, "ab2": 0.5, "ab3": 0.2, "ab4": 0.02}
REACH |= {f"l{name}": REACH[name] for name in ("euler", "ab2", "ab3", "ab4")}
ITERATED = re.compile(r"(beuler|midpoint|acanewmark|wilson)\d+")  # implicit; what they bear is not known beforehand
WATER = 1025.0  # [kg/m3] MoorDyn's own default
SHARE = 0.5  # of the stable step, taken where the file leaves dtM out (MoorDyn's own choice is beyond it)


@dataclass
class MoorDynFile:
    """The contents of the file: coupled points by number [m], the step asked for, the stable one, and its scheme."""

    points: dict[int, tuple[float, float, float]] = field(default_factory=dict)
    dt: float | None = None
    stable: float = math.inf
    scheme: str = "rk2"

    @property
    def step(self) -> float | None:
        """Return the step to take: as the file has it, or a share of the stable one where that is known."""
        return SHARE * self.stable if self.dt is None and math.isfinite(self.stable) else self.dt

    def too_large(self) -> str:
        """Return the sentence about a step that the lines do not bear, nothing if they do."""
        if self.dt is None or self.dt <= self.stable:
            return ""
        return (
            f"dtM {self.dt:g} s is beyond the stable step of its lines, {self.stable:.3g} s with {self.scheme}; "
            "lower it, or soften what is fastest: the bed's damping cbot, or short segments"
        )


class Row(NamedTuple):
    """A row of a table with its place in the file."""

    line: int
    words: list[str]


class _Wrong(Exception):
    """A row that cannot be read."""


def read_moordyn(path: str) -> MoorDynFile:
    """Return what a MoorDyn file says; InvalidInput with the line where it cannot be read."""
    sections, name = _sections(path), os.path.basename(path)
    found, row = MoorDynFile(), Row(0, [])
    try:
        for row in sections.get("points", []):
            if len(row.words) > 1 and row.words[1].lower() in COUPLED:
                x, y, z = (_number(row, at) for at in (2, 3, 4))
                found.points[int(_number(row, 0))] = (x, y, z)
        options: dict[str, float] = {}
        for row in sections.get("options", []):
            _read_option(row, options, found)
        types = {}
        for row in sections.get("types", []):
            types[row.words[0].lower()] = _line_type(row)
        for row in sections.get("lines", []):
            length, segments = _number(row, 4), _number(row, 5)
            if length <= 0 or segments < 1 or segments != int(segments):
                raise _Wrong("needs a length above zero and a whole number of segments, at least 1")
            kind = types.get(row.words[1].lower())
            if kind is not None and found.scheme in REACH:
                rate = fastest_rate(kind, length / segments, options)
                found.stable = min(found.stable, REACH[found.scheme] / rate)
    except _Wrong as wrong:
        raise InvalidInput(f"'{name}' line {row.line}: {wrong}") from None
    if not found.points:
        raise InvalidInput(f"'{name}' has no coupled point ('Vessel' or 'Coupled' under POINTS), so nothing moves it")
    return found


def _read_option(row: Row, options: dict[str, float], found: MoorDynFile) -> None:
    key = row.words[1].lower() if len(row.words) > 1 else ""
    if key == "tscheme":
        found.scheme = row.words[0].lower().strip("\"'")
        if found.scheme not in REACH and not ITERATED.fullmatch(found.scheme):
            raise _Wrong(f"MoorDyn knows no tScheme '{row.words[0]}'; use rk4 or rk2")
    elif key in ("dtm", "kbot", "cbot", "wtrdnsty"):
        options[key] = _number(row, 0)
        if options[key] < 0 or (key == "dtm" and options[key] == 0):
            raise _Wrong(f"{row.words[1]} must be {'above zero' if key == 'dtm' else 'at least zero'}")
        found.dt = options.get("dtm")


class LineType(NamedTuple):
    """Diameter [m], mass per length [kg/m], EA [N], BA [N s], and the coefficient of added mass across."""

    diameter: float
    mass: float
    EA: float
    BA: float
    added: float


def _line_type(row: Row) -> LineType | None:
    """Return the numbers of a type; None where its stiffness or damping stands in a table or is viscoelastic."""
    if len(row.words) < 10:
        raise _Wrong(f"a line type has 10 columns (Name Diam MassDen EA BA EI Cd Ca CdAx CaAx), here {len(row.words)}")
    if any(_as_number(word) is None for word in row.words[3:5]):
        return None
    diameter, mass, EA, BA, added = (_number(row, at) for at in (1, 2, 3, 4, 7))
    if diameter <= 0 or mass <= 0 or EA <= 0:
        raise _Wrong("diameter, mass and EA of a line type must be above zero")
    return LineType(diameter, mass, EA, BA, added)


def fastest_rate(kind: LineType, segment: float, options: dict[str, float]) -> float:
    """Return the largest |rate| [1/s] of a line: of its axial waves with their damping, or of a node on the bed.

    A chain of masses m l joined by springs EA/l and dampers BA/l moves fastest with neighbours opposed:
    s^2 + 4 BA/(m l^2) s + 4 EA/(m l^2) = 0. A node on the bed: M s^2 + cbot d l s + kbot d l = 0.
    """
    BA = kind.BA if kind.BA >= 0 else -kind.BA * segment * math.sqrt(kind.EA * kind.mass)  # a share of critical
    axial = largest_root(kind.mass * segment**2 / 4, BA, kind.EA)
    water = kind.added * options.get("wtrdnsty", WATER) * math.pi / 4 * kind.diameter**2
    spring, damper = (options.get(key, default) * kind.diameter for key, default in (("kbot", 3.0e6), ("cbot", 3.0e5)))
    return max(axial, largest_root(kind.mass + water, damper, spring))


def largest_root(mass: float, damping: float, stiffness: float) -> float:
    """Return the larger |s| of mass s^2 + damping s + stiffness = 0."""
    left = damping**2 - 4 * mass * stiffness
    if left <= 0:
        return math.sqrt(stiffness / mass)
    return (damping + math.sqrt(left)) / (2 * mass)


def _sections(path: str) -> dict[str, list[Row]]:
    """Return the rows of each section of interest; heads and units are left out."""
    lines = read_lines(path, shown=os.path.basename(path))
    found: dict[str, list[Row]] = {}
    here, skip = "", 0
    for number, line in enumerate(lines, start=1):
        if line.lstrip().startswith("---"):
            here = _section(line.upper())
            skip = 0 if here == "options" else 2
            found.setdefault(here, [])
        elif skip:
            skip -= 1
        elif line.split() and not line.lstrip().startswith("#"):
            found.setdefault(here, []).append(Row(number, line.split()))
    return found


def _section(title: str) -> str:
    if "LINE TYPES" in title or "LINE DICTIONARY" in title:
        return "types"
    if "POINT" in title or "CONNECTION" in title or "NODE" in title:
        return "points"
    if "LINE" in title and "NEED" not in title:
        return "lines"
    return "options" if "OPTION" in title else "other"


def _number(row: Row, at: int) -> float:
    if at >= len(row.words):
        raise _Wrong(f"has {len(row.words)} columns; column {at + 1} is missing")
    value = _as_number(row.words[at])
    if value is None or not math.isfinite(value):
        raise _Wrong(f"column {at + 1} must be a number; it is '{row.words[at]}'")
    return value


def _as_number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None
