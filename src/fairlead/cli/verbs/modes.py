"""Natural periods and mode shapes of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from fairlead.cli.common import loaded, must_be_new, placed_in, told
from fairlead.cli.options import AsJson, Changes, ModelFile
from fairlead.errors import InvalidInput


def modes(
    file: ModelFile,
    formulation: Annotated[str | None, typer.Option(help="cloud, articulated or constrained")] = None,
    azimuths: Annotated[
        int | None, typer.Option(help="average over so many angles of what turns, instead of taking it at its angle")
    ] = None,
    amplitude: Annotated[
        list[str] | None,
        typer.Option(help="drag of oscillations so large: '2 m' for all modes, or 'pitch of hull=3 deg', repeated"),
    ] = None,
    animate: Annotated[Path | None, typer.Option(help="a picture of each mode: .png, or .gif that moves")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="NetCDF file for matrices and modes")] = None,
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """Linearise a model about its equilibrium: natural periods, damping ratios and what moves in each mode."""
    from fairlead.results.netcdf import write_netcdf
    from fairlead.running.modes.linearize import linearize

    must_be_new(out, "--out")
    must_be_new(animate, "--animate")
    with placed_in(file):
        model = loaded(file, changes)
        data = linearize(model, formulation=formulation, azimuths=azimuths, amplitude=amplitudes(amplitude))
    if out is not None:
        write_netcdf(data, out)
    if animate is not None:
        from fairlead.view.modes import draw_modes

        draw_modes(model, data, animate)
    told(data, as_json, figures, table)


def amplitudes(given: list[str] | None) -> Any:
    """Return amplitudes as `linearize` takes them: one for all modes, or a mapping by their names."""
    if not given:
        return None
    pairs = [text.rpartition("=") for text in given]
    if len(given) == 1 and not pairs[0][1]:
        return _amplitude(given[0])
    if not all(name and mark for name, mark, _ in pairs):
        raise InvalidInput("--amplitude takes one size for all modes, or 'MODE=SIZE' as often as there are modes")
    return {name.strip(): _amplitude(size) for name, _, size in pairs}


def _amplitude(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text.strip()


def figures(data: Any) -> dict[str, Any]:
    """Return the figures of modes by name; None where a mode has no period."""
    names = ("eigenvalue_real", "eigenvalue_imag", "period", "damped_period", "damping_ratio")
    rows = []
    for number, mode in enumerate(data["mode"].values):
        row: dict[str, Any] = {"mode": str(mode)}
        row |= {name: _finite(float(data[name][number])) for name in names}
        shape = zip(data["freedom"].values, data["shape"][number].values, data["shape_imag"][number].values)
        rows.append(row | {"shape": {str(name): [float(real), float(imag)] for name, real, imag in shape}})
    steps = {name: _finite(float(data.attrs[name])) for name in ("largest_stable_step", "suggested_dt")}
    return {"modes": rows, **steps, "notes": data.attrs["notes"]}


def _finite(value: float) -> float | None:
    return value if abs(value) < float("inf") else None


def table(data: Any) -> str:
    """Return the modes as rows: name, period, damping, and what else moves."""
    width = max([len(str(mode)) for mode in data["mode"].values] + [4])
    lines = [f"{'mode':{width}}  period [s]  damped [s]   damping  also moves"]
    for number, mode in enumerate(data["mode"].values):
        period, damping = float(data["period"][number]), float(data["damping_ratio"][number])
        size = (data["shape"][number] ** 2 + data["shape_imag"][number] ** 2) ** 0.5
        name = str(mode).split(" (")[0]
        others = [(float(s), str(f)) for f, s in zip(size["freedom"].values, size.values) if f != name and s > 0.01]
        also = ", ".join(f"{label} {value:.2g}" for value, label in sorted(others, reverse=True)[:3])
        damped = float(data["damped_period"][number])
        swing = f"{damped:10.4g}" if damped < float("inf") else f"{'none':>10}"
        figures = f"{period:10.4g}  {swing}  {damping:8.2%}" if period < float("inf") else f"{'rigid':>10}  {'':20}"
        lines.append(f"{mode!s:{width}}  {figures}  {also}".rstrip())
    step = float(data.attrs["largest_stable_step"])
    if step < float("inf"):
        lines.append(f"largest stable step of rk4: {step:.3g} s; a dt to try: {float(data.attrs['suggested_dt']):g} s")
    return "\n".join(lines)
