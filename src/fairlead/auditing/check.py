"""One question of the audit with its answer: a deviation, its limit, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

PASS, FAIL, UNDECIDED = "pass", "fail", "undecided"
TOO_WIDE = 0.1  # a limit of this part of the quantity itself says nothing


@dataclass(frozen=True)
class Check:
    """One question with its answer: `value` is the largest deviation over `scale` [unit], allowed up to `tolerance`.

    `rounding` is the part of the limit that the printed digits of a table alone explain; `advice` says what to do
    about a failure.
    """

    name: str
    status: str  # "pass", "fail" or "undecided"
    value: float | None
    tolerance: float
    scale: float | None
    unit: str
    sentence: str
    rounding: float = 0.0
    advice: str = ""
    trace: np.ndarray | None = field(default=None, repr=False, compare=False)  # the deviation [unit] over time

    @property
    def passed(self) -> bool:
        """True if the check was decided and held."""
        return self.status == PASS

    def by_digits(self, tolerance: float) -> bool:
        """Return whether neither the tolerance nor sampling explains the deviation, but the printed digits do."""
        beside = max(tolerance, self.tolerance - self.rounding)
        return self.rounding > 0 and self.value is not None and beside < self.value <= self.tolerance

    def to_dict(self) -> dict[str, Any]:
        """Return the check as plain numbers and texts."""
        names = ("name", "status", "value", "tolerance", "scale", "unit", "rounding", "sentence", "advice")
        plain = {name: getattr(self, name) for name in names}
        return plain | {"value": None if self.value is None or not np.isfinite(self.value) else self.value}


def compare(
    name: str,
    time: np.ndarray,
    off: np.ndarray,
    scale: float,
    unit: str,
    tolerance: float,
    *,
    sampling: float = 0.0,
    rounding: float = 0.0,
) -> Check:
    """Return the check that `off` stays below tolerance * scale, or below what sampling and printing do [unit]."""
    size = np.abs(off) if off.ndim == 1 else np.linalg.norm(off, axis=-1)
    at = int(np.argmax(np.where(np.isnan(size), np.inf, size)))
    scale = scale if scale > 0 else rounding
    value = 0.0 if size[at] == 0 else float(size[at] / scale) if scale > 0 else float("inf")
    wide, printed = ((sampling + rounding) / scale, rounding / scale) if scale > 0 else (0.0, 0.0)
    limit = max(tolerance, wide)
    where = f"largest deviation {size[at]:.3g} {unit} at t = {time[at]:.6g} s"
    if wide > TOO_WIDE and limit > tolerance:
        what, part = ("the printed digits are too few", rounding) if rounding > sampling else (FAR_APART, sampling)
        by = "rounding" if rounding > sampling else "sampling"
        sentence = f"{name}: {what} to decide; {where}, {by} alone may do {part:.3g} {unit}."
        return Check(name, UNDECIDED, value, limit, scale, unit, sentence, printed)
    status = PASS if value <= limit else FAIL
    sentence = f"{name}: {where}, {value:.3g} of {scale:.4g} {unit}".rstrip() + f"; the limit is {limit:.2g} of it."
    return Check(name, status, value, limit, scale, unit, sentence, printed, trace=size)


FAR_APART = "the samples are too far apart"


def undecided(name: str, tolerance: float, sentence: str) -> Check:
    """Return the check that cannot be decided, with the reason."""
    return Check(name, UNDECIDED, None, tolerance, None, "", f"{name}: {sentence}")
