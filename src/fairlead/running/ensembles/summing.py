"""A run summed up as a study wants it: statistics of its channels, spectra, what its audit and its notes say."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.auditing.audit import audit
from fairlead.results.findings import findings
from fairlead.results.summaries.figures import figures
from fairlead.results.summaries.series import series_of
from fairlead.results.summaries.spectra import even_part, welch
from fairlead.results.transient import settled_part
from fairlead.running.ensembles.words import SPECTRUM

AUDITED = 1000  # instants at most; balances hold between any two of them


def summed(data: Any, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return statistics, units and spectra of a run by channel, the verdict of its audit, and its notes."""
    settled = settled_part(data)
    time = settled["time"].values
    found: dict[str, Any] = {"values": {}, "units": {}, "spectra": {}}
    for name, one in series_of(settled, list(wanted["statistics"])).items():
        words = [word for word in wanted["statistics"][name] if word != SPECTRUM]
        found["values"][name] = figures(time, one.values, words, wanted["segment"])
        found["units"][name] = one.units
        if SPECTRUM in wanted["statistics"][name]:
            index = even_part(time)
            if index is not None:
                frequency, density = welch(time[index], one.values[index], wanted["segment"])
                found["spectra"][name] = {"frequency": frequency.tolist(), "density": density.tolist()}
    step = -(-data.sizes["time"] // AUDITED)
    verdict = audit(data.isel(time=np.arange(0, data.sizes["time"], step)))
    found["audit"] = {"passed": bool(verdict.passed), "failed": [check.name for check in verdict.failures]}
    found["notes"] = findings({name: said for name, said in data.attrs.items() if name != "formulation_taken"})
    return found
