"""Every statistic of a series by name: what it is and its unit, once, for runs and studies."""

from __future__ import annotations

import re
from typing import NamedTuple

from fairlead.errors import InvalidInput, Problem
from fairlead.model.messages import unknown


class Statistic(NamedTuple):
    """One statistic: its unit, where {u} is that of the channel, what it is, and the group it is computed with."""

    units: str
    long_name: str
    group: str


STATISTICS: dict[str, Statistic] = {
    "mean": Statistic("{u}", "mean over time", "moments"),
    "std": Statistic("{u}", "standard deviation", "moments"),
    "rms": Statistic("{u}", "root of the mean square", "moments"),
    "skewness": Statistic("1", "skewness", "moments"),
    "kurtosis": Statistic("1", "kurtosis beyond a Gaussian's 3", "moments"),
    "min": Statistic("{u}", "lowest recorded value", "moments"),
    "time_of_min": Statistic("s", "time of the lowest value", "moments"),
    "max": Statistic("{u}", "highest recorded value", "moments"),
    "time_of_max": Statistic("s", "time of the highest value", "moments"),
    "mean_crossings": Statistic("1", "upcrossings of the mean", "crossings"),
    "mean_crossing_period": Statistic("s", "mean time between upcrossings of the mean", "crossings"),
    "m0": Statistic("({u})2", "variance by the spectrum", "spectrum"),
    "m1": Statistic("({u})2 Hz", "first moment of the spectrum", "spectrum"),
    "m2": Statistic("({u})2 Hz2", "second moment of the spectrum", "spectrum"),
    "significant_height": Statistic("{u}", "4 sqrt(m0)", "spectrum"),
    "zero_crossing_period": Statistic("s", "sqrt(m0 / m2) of the spectrum", "spectrum"),
    "peak_period": Statistic("s", "period of the spectrum's peak", "spectrum"),
}
# Statistics with a number behind their name: `quantile_0.95`, `damage_equivalent_4`, `up_crossings_0.1`.
NUMBERED: dict[str, Statistic] = {
    "quantile": Statistic("{u}", "value not exceeded in this share of the time", "quantile"),
    "damage_equivalent": Statistic("{u}", "range at 1 Hz of equal damage, Woehler exponent", "damage_equivalent"),
    "up_crossings": Statistic("1", "upcrossings of the level", "up_crossings"),
}
_NUMBERED = re.compile(rf"({'|'.join(NUMBERED)})_([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)")


def parts_of(word: str) -> tuple[str, float | None]:
    """Return the name of a statistic and the number behind it, None without one; InvalidInput if there is no such."""
    if word in STATISTICS:
        return word, None
    match = _NUMBERED.fullmatch(word)
    if match is None:
        known = [*STATISTICS, "quantile_0.95", "damage_equivalent_4", "up_crossings_0"]
        raise InvalidInput([Problem(unknown("statistic", word, known))])
    name, number = match.group(1), float(match.group(2))
    if name == "quantile" and not 0.0 <= number <= 1.0:
        raise InvalidInput([Problem(f"the share of a quantile lies between 0 and 1; got {word}")])
    if name == "damage_equivalent" and not number > 0.0:
        raise InvalidInput([Problem(f"a Woehler exponent is greater than zero; got {word}")])
    return name, number


def attributes_of(word: str, units: str) -> dict[str, str]:
    """Return unit and meaning of a statistic of a channel with these units."""
    name, number = parts_of(word)
    row = STATISTICS[name] if number is None else NUMBERED[name]
    said = row.long_name if number is None else f"{row.long_name} {number:g}"
    return {"units": row.units.format(u=units), "long_name": said}
