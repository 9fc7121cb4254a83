"""Statistics of a result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from fairlead.cli.common import must_be_new, note, seconds
from fairlead.cli.options import AsJson


def statistics(
    file: Annotated[Path, typer.Argument(help="run directory or NetCDF result", show_default=False)],
    channels: Annotated[
        list[str] | None, typer.Argument(help="channels, by our name or OpenFAST's, or 'tension:line 3'; default all")
    ] = None,
    discard: Annotated[
        str | None, typer.Option(help="leave out so much at the start; default: as its run says")
    ] = None,
    segment: Annotated[str | None, typer.Option(help="length of Welch's segments; default an eighth")] = None,
    quantile: Annotated[list[float] | None, typer.Option(help="share of the time, repeated")] = None,
    exponent: Annotated[
        list[float] | None, typer.Option(help="Woehler exponent of a damage-equivalent range, repeated")
    ] = None,
    block: Annotated[str | None, typer.Option(help="fit Gumbel's law to the maxima of blocks so long")] = None,
    threshold: Annotated[
        list[str] | None, typer.Option(metavar="CHANNEL=VALUE", help="fit peaks over a threshold, repeated")
    ] = None,
    period: Annotated[str | None, typer.Option(help="time that extremes are asked for; default the record's")] = None,
    share: Annotated[float, typer.Option(help="chance that an extreme is not exceeded")] = 0.5,
    confidence: Annotated[float, typer.Option(help="of the intervals of extremes")] = 0.95,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="NetCDF file, with the spectra")] = None,
    as_json: AsJson = False,
) -> None:
    """Sum up the channels of a result: mean, deviation, extremes, crossings, spectrum and fatigue."""
    from fairlead.formats.yaml.settings import settings
    from fairlead.results.netcdf import write_netcdf
    from fairlead.results.summaries.statistics import QUANTILES
    from fairlead.results.summaries.statistics import statistics as of_result
    from fairlead.results.summaries.table import plain, table
    from fairlead.units import to_si

    must_be_new(out, "--out")
    found = of_result(
        file,
        channels or None,
        seconds(discard, "discard"),
        quantiles=quantile or QUANTILES,
        segment=seconds(segment, "segment"),
        exponents=exponent or (),
        block=seconds(block, "block"),
        threshold={name: to_si(value, "") for name, value in settings(threshold or []).items()},
        period=seconds(period, "period"),
        share=share,
        confidence=confidence,
    )
    if out is not None:
        write_netcdf(found, out)
    if "note" in found.attrs:
        note(found.attrs["note"])
    print(json.dumps(plain(found), indent=2) if as_json else table(found))
