"""`fl.statistics`: a run summed up, channel by channel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.errors import InvalidInput, Problem
from fairlead.results.reading import open_data
from fairlead.results.summaries.extremes import Law, block_maxima, checked_share, gumbel, over_threshold
from fairlead.results.summaries.figures import figures
from fairlead.results.summaries.series import Series, series_of
from fairlead.results.summaries.spectra import even_part, welch
from fairlead.results.summaries.words import STATISTICS, attributes_of, parts_of
from fairlead.results.transient import settled_part
from fairlead.units import short, to_si

if TYPE_CHECKING:
    import xarray as xr

QUANTILES = (0.05, 0.5, 0.95)
UNEVEN = "instants are uneven, so there is no spectrum; record with an interval"


def statistics(
    data: Any,
    channels: str | Iterable[str] | None = None,
    discard: float | str | None = None,
    *,
    quantiles: Sequence[float] = QUANTILES,
    levels: Mapping[str, float | Sequence[float]] | None = None,
    segment: float | str | None = None,
    exponents: Sequence[float] = (),
    block: float | str | None = None,
    threshold: Mapping[str, float] | None = None,
    period: float | str | None = None,
    share: float = 0.5,
    confidence: float = 0.95,
) -> xr.Dataset:
    """Return mean, deviation, extremes, crossings, spectra, fatigue and long-term extremes of channels of a result.

    `data` is a Dataset, a run directory or a file; `channels` are names as `fl.channels` or OpenFAST has them, or
    variables with labels (`tension:line 3`), all unless given. What is before `discard` is left out (that of the run
    unless given). `levels` counts upcrossings by channel. `segment` is the length of Welch's segments (an eighth of the
    record). `exponents` of Woehler give damage-equivalent ranges. `block` fits Gumbel's law to maxima of blocks so
    long, `threshold` a generalised Pareto law to peaks above it, by channel; with them `extreme` is the maximum of
    `period` (the record's length unless given) that is not exceeded with the chance `share`, between `extreme_low` and
    `extreme_high` with the given confidence.
    """
    import xarray as xr

    settled = settled_part(open_data(data), discard)
    found = series_of(settled, channels)
    if not settled.sizes.get("time"):
        raise InvalidInput("statistics need at least one instant, and this result has none")
    time = settled["time"].values
    length, over = _seconds(segment, "segment"), _seconds(period, "period")
    words = list(STATISTICS)
    shares = [_quantile(one) for one in quantiles]
    powers = [_exponent(one) for one in exponents]
    asked = _levels(levels or {}, found)
    rows = {
        name: figures(time, one.values, [*words, *shares, *powers, *asked.get(name, [])], length)
        for name, one in found.items()
    }
    units = np.array([one.units for one in found.values()], dtype=object)
    answer = xr.Dataset(coords={"channel": list(found), "units": ("channel", units)}, attrs=_said(settled, time))
    answer["units"].attrs["long_name"] = "unit of the channel"
    for word in words:
        answer[word] = ("channel", [row[word] for row in rows.values()], attributes_of(word, "channel's unit"))
    for dim, name, numbers, spelt in (
        ("share", "quantile", quantiles, shares),
        ("exponent", "damage_equivalent", exponents, powers),
    ):
        if spelt:
            values = [[row[word] for word in spelt] for row in rows.values()]
            said = {"units": "channel's unit", "long_name": attributes_of(spelt[0], "")["long_name"].rpartition(" ")[0]}
            answer = answer.assign_coords({dim: list(map(float, numbers))})
            answer[name] = (("channel", dim), values, said)
    if asked:
        answer = _with_levels(answer, rows, asked)
    answer = _with_spectra(answer, time, found, length)
    return _with_extremes(answer, time, found, _seconds(block, "block"), threshold, over, share, confidence)


def _said(data: xr.Dataset, time: Any) -> dict[str, Any]:
    said = {name: data.attrs[name] for name in ("title", "model_hash", "fairlead_version") if name in data.attrs}
    return said | {"begin": float(time[0]), "end": float(time[-1]), "instants": len(time)}


def _seconds(given: float | str | None, word: str) -> float | None:
    if given is None:
        return None
    try:
        seconds = to_si(given, "s")
    except ValueError as error:
        raise InvalidInput([Problem(str(error), word)]) from None
    if not 0.0 < seconds < np.inf:
        raise InvalidInput([Problem(f"must be a time greater than zero; got {short(given)}", word)])
    return float(seconds)


def _quantile(share: float) -> str:
    word = f"quantile_{float(share)!r}"
    parts_of(word)
    return word


def _exponent(exponent: float) -> str:
    word = f"damage_equivalent_{float(exponent)!r}"
    parts_of(word)
    return word


def _levels(levels: Mapping[str, float | Sequence[float]], found: dict[str, Series]) -> dict[str, list[str]]:
    """Return by channel the statistics that count upcrossings of its levels."""
    _known(levels, found, "levels")
    many = {name: np.atleast_1d(np.asarray(given, dtype=float)) for name, given in levels.items()}
    return {name: [f"up_crossings_{float(level)!r}" for level in given] for name, given in many.items()}


def _with_levels(answer: xr.Dataset, rows: dict[str, dict[str, float]], asked: dict[str, list[str]]) -> xr.Dataset:
    """Return the statistics with the upcrossings of all levels asked for; nan where a channel's is another."""
    spelt = sorted({word for words in asked.values() for word in words}, key=lambda word: parts_of(word)[1] or 0.0)
    answer = answer.assign_coords(level=[parts_of(word)[1] for word in spelt])
    values = [[row.get(word, np.nan) for word in spelt] for row in rows.values()]
    said = {"units": "1", "long_name": "upcrossings of the level, which is in the channel's unit"}
    answer["up_crossings"] = (("channel", "level"), values, said)
    return answer


def _known(given: Mapping[str, Any], found: dict[str, Series], word: str) -> None:
    strange = [name for name in given if name not in found]
    if strange:
        raise InvalidInput([Problem(f"is no channel of these statistics ({', '.join(found)})", f"{word}.{strange[0]}")])


def _with_spectra(answer: xr.Dataset, time: Any, found: dict[str, Series], segment: float | None) -> xr.Dataset:
    """Return the statistics with the spectral density of every channel; uneven instants have none, and say so."""
    index = even_part(time)
    if index is None:
        answer.attrs["note"] = UNEVEN
        return answer
    spectra = [welch(time[index], one.values[index], segment) for one in found.values()]
    if not spectra:
        return answer
    answer = answer.assign_coords(frequency=("frequency", spectra[0][0], {"units": "Hz", "long_name": "frequency"}))
    said = {"units": "(channel's unit)2/Hz", "long_name": "one-sided spectral density, Welch's method"}
    answer["spectrum"] = (("channel", "frequency"), np.array([density for _, density in spectra]), said)
    return answer


def _with_extremes(
    answer: xr.Dataset,
    time: Any,
    found: dict[str, Series],
    block: float | None,
    threshold: Mapping[str, float] | None,
    period: float | None,
    share: float,
    confidence: float,
) -> xr.Dataset:
    """Return the statistics with the laws of extremes that were asked for, as variables `gumbel_...`, `peaks_...`."""
    share, confidence = checked_share(share, "share"), checked_share(confidence, "confidence")
    over = float(time[-1] - time[0]) if period is None else period
    if block is not None:
        laws = {
            name: gumbel(block_maxima(time, one.values, block), share, over / block, confidence)
            for name, one in found.items()
        }
        answer = _put(answer, "gumbel", laws, f"Gumbel's law of maxima of {block:g} s", over)
    if threshold:
        _known(threshold, found, "threshold")
        peaks = {
            name: over_threshold(time, found[name].values, float(level), over, share, confidence)
            for name, level in threshold.items()
        }
        answer = _put(answer, "peaks", peaks, "peaks over the threshold", over)
    return answer


def _put(answer: xr.Dataset, prefix: str, laws: dict[str, Law], said: str, seconds: float) -> xr.Dataset:
    names = [str(name) for name in answer["channel"].values]
    law = next(iter(laws.values()))
    plain = {"shape": "1", "peaks": "1"}
    for parameter in law.parameters:
        values = [laws[name].parameters[parameter] if name in laws else np.nan for name in names]
        unit = plain.get(parameter, "channel's unit")
        answer[f"{prefix}_{parameter}"] = ("channel", values, {"units": unit, "long_name": f"{parameter}, {said}"})
    about = f"maximum of {seconds:g} s not exceeded with chance {law.share:g}, by {said}"
    for word, what in (("extreme", about), ("extreme_low", "lower bound of it"), ("extreme_high", "upper bound of it")):
        field = word.removeprefix("extreme_")
        values = [getattr(laws[name], field) if name in laws else np.nan for name in names]
        answer[f"{prefix}_{word}"] = ("channel", values, {"units": "channel's unit", "long_name": what})
    return answer
