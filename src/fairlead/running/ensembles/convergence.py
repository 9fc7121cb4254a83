"""Whether more realisations would change the answer of a study: the interval of every mean, and how many it takes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.errors import InvalidInput, Problem

if TYPE_CHECKING:
    import xarray as xr

MOST = 10_000  # realisations that are still counted


@dataclass(frozen=True)
class Row:
    """One statistic: the point where its mean is known worst, half of the 95 % interval there, and what it takes."""

    name: str
    point: str
    mean: float
    half: float  # of the 95 % interval
    share: float  # of the mean
    realisations: int
    needed: int
    points: int  # in which it is not known well enough
    of: int
    units: str

    @property
    def enough(self) -> bool:
        """Return whether the realisations that there are suffice everywhere."""
        return self.points == 0


@dataclass(frozen=True)
class Convergence:
    """Verdict on the number of realisations, by statistic."""

    rows: list[Row]
    tolerance: float

    @property
    def enough(self) -> bool:
        """Return whether all statistics are known well enough."""
        return all(row.enough for row in self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        rows = [{**vars(row), "enough": row.enough} for row in self.rows]
        return {"tolerance": self.tolerance, "enough": self.enough, "statistics": rows}

    def table(self) -> str:
        """Return it as text: of each statistic the worst point."""
        head = ("statistic", "worst mean", "+- 95 %", "share", "realisations", "needed", "enough")
        cells = [head]
        for row in self.rows:
            needed = f"{row.needed}" if row.needed <= MOST else f"> {MOST}"
            enough = "yes" if row.enough else f"no, at {row.points} of {row.of}"
            numbers = (f"{row.mean:.4g} {row.units}", f"{row.half:.2g}", f"{100 * row.share:.2g} %")
            cells.append((row.name, *numbers, str(row.realisations), needed, enough))
        widths = [max(len(line[i]) for line in cells) for i in range(len(head))]
        lines = ["  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in cells]
        word = "suffice" if self.enough else "do not suffice"
        return "\n".join([*lines, f"the realisations {word} for means within {100 * self.tolerance:g} %, 95 % sure"])


def convergence(data: xr.Dataset, tolerance: float = 0.05) -> Convergence:
    """Return of each statistic whether its mean over realisations is known within a share of itself, 95 % sure.

    Half of the interval is t s / sqrt(n), by Student's t of n - 1 degrees of freedom.
    """
    if not (isinstance(tolerance, int | float) and 0.0 < tolerance < 1.0):
        raise InvalidInput([Problem(f"must be between 0 and 1, both excluded; got {tolerance!r}", "tolerance")])
    names = [
        str(name) for name, one in data.data_vars.items() if "statistic" in one.attrs and "frequency" not in one.dims
    ]
    rows = [row for name in names if (row := _row(data, name, tolerance)) is not None]
    if not rows:
        raise InvalidInput("realisations are compared where there are two or more; this study has one of each case")
    return Convergence(rows, tolerance)


def _row(data: xr.Dataset, name: str, tolerance: float) -> Row | None:
    from scipy.stats import t as student

    values = data[name].transpose(..., "realisation").values
    counts = np.isfinite(values).sum(axis=-1)
    worst: tuple[float, Any] = (-1.0, None)
    bad = total = 0
    for place in np.ndindex(*values.shape[:-1]):
        n = int(counts[place])
        if n < 2:
            continue
        total += 1
        seen = values[place][np.isfinite(values[place])]
        mean, spread = float(seen.mean()), float(seen.std(ddof=1))
        half = float(student.ppf(0.975, n - 1)) * spread / math.sqrt(n)
        share = 0.0 if half == 0.0 else half / abs(mean) if mean else math.inf
        bad += share > tolerance
        if share > worst[0]:
            worst = (share, (place, mean, half, spread, n))
    if worst[1] is None:
        return None
    share, (place, mean, half, spread, n) = worst
    dims = [str(dim) for dim in data[name].dims if dim != "realisation"]
    point = ", ".join(f"{dim} {data[dim].values[i]}" for dim, i in zip(dims, place))
    needed = _needed(spread, tolerance * abs(mean))
    return Row(name, point, mean, half, share, n, needed, bad, total, str(data[name].attrs.get("units", "")))


def _needed(spread: float, half: float) -> int:
    """Return how many realisations make half of the interval so small, if their scatter stays what it is."""
    from scipy.stats import t as student

    if spread == 0.0:
        return 2
    if half == 0.0:
        return MOST + 1
    n = max(2, math.ceil((1.96 * spread / half) ** 2))
    while n <= MOST and float(student.ppf(0.975, n - 1)) * spread / math.sqrt(n) > half:
        n += 1
    return min(n, MOST + 1)
