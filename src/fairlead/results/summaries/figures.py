"""The statistics asked for of one series, each group computed once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fairlead.results.summaries.cycles import damage_equivalent
from fairlead.results.summaries.moments import mean_crossings, moments, quantile, up_crossings
from fairlead.results.summaries.spectra import even_part, spectral_figures, welch
from fairlead.results.summaries.words import NUMBERED, STATISTICS, parts_of

Array = npt.NDArray[np.float64]


def figures(time: Array, values: Array, words: Sequence[str], segment: float | None = None) -> dict[str, float]:
    """Return the statistics that words name, of one series; those of a spectrum are nan where instants are uneven."""
    parts = [parts_of(word) for word in words]
    groups = {(STATISTICS | NUMBERED)[name].group for name, _ in parts}
    found = dict(moments(time, values))
    if "crossings" in groups:
        found |= mean_crossings(time, values, found["mean"])
    if "spectrum" in groups:
        index = even_part(time)
        if index is None:
            found |= {name: np.nan for name, row in STATISTICS.items() if row.group == "spectrum"}
        else:
            found |= spectral_figures(*welch(time[index], values[index], segment))
    exponents = tuple(number for name, number in parts if name == "damage_equivalent" and number is not None)
    damage = damage_equivalent(values, float(time[-1] - time[0]), exponents) if exponents else {}
    answers = {}
    for word, (name, number) in zip(words, parts):
        if number is None:
            answers[word] = found[name]
        elif name == "quantile":
            answers[word] = quantile(time, values, number)
        elif name == "up_crossings":
            answers[word] = float(len(up_crossings(time, values, number)))
        else:
            answers[word] = damage[number]
    return answers
