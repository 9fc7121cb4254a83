"""Natural periods and mode shapes of a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from fairlead.cli.common import loaded, note, placed_in
from fairlead.cli.options import AsJson, Changes, ModelFile


def modes(
    file: ModelFile,
    formulation: Annotated[str | None, typer.Option(help="cloud, articulated or constrained")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="NetCDF file for matrices and modes")] = None,
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """Linearise a model about its equilibrium: natural periods, damping ratios and what moves in each mode."""
    from fairlead.errors import FilesFailure
    from fairlead.results.netcdf import write_netcdf
    from fairlead.running.modes.linearize import linearize

    if out is not None and out.exists():
        raise FilesFailure(f"{out} exists; choose another file with --out")
    with placed_in(file):
        data = linearize(loaded(file, changes), formulation=formulation)
    if out is not None:
        write_netcdf(data, out)
    if as_json:
        print(json.dumps(figures(data), indent=2))
        return
    for sentence in filter(None, data.attrs["notes"].split("; ")):
        note(sentence)
    print(table(data))


def figures(data: Any) -> dict[str, Any]:
    """Return the figures of modes by name; None where a mode has no period."""
    names = ("eigenvalue_real", "eigenvalue_imag", "period", "damping_ratio")
    rows = []
    for number, mode in enumerate(data["mode"].values):
        row: dict[str, Any] = {"mode": str(mode)}
        row |= {name: _finite(float(data[name][number])) for name in names}
        shape = zip(data["freedom"].values, data["shape"][number].values, data["shape_imag"][number].values)
        rows.append(row | {"shape": {str(name): [float(real), float(imag)] for name, real, imag in shape}})
    step = _finite(float(data.attrs["largest_stable_step"]))
    return {"modes": rows, "largest_stable_step": step, "notes": data.attrs["notes"]}


def _finite(value: float) -> float | None:
    return value if abs(value) < float("inf") else None


def table(data: Any) -> str:
    """Return the modes as rows: name, period, damping, and what else moves."""
    width = max([len(str(mode)) for mode in data["mode"].values] + [4])
    lines = [f"{'mode':{width}}  period [s]   damping  also moves"]
    for number, mode in enumerate(data["mode"].values):
        period, damping = float(data["period"][number]), float(data["damping_ratio"][number])
        size = (data["shape"][number] ** 2 + data["shape_imag"][number] ** 2) ** 0.5
        name = str(mode).split(" (")[0]
        others = [(float(s), str(f)) for f, s in zip(size["freedom"].values, size.values) if f != name and s > 0.01]
        also = ", ".join(f"{label} {value:.2g}" for value, label in sorted(others, reverse=True)[:3])
        figures = f"{period:10.4g}  {damping:8.2%}" if period < float("inf") else f"{'rigid':>10}  {'':8}"
        lines.append(f"{mode!s:{width}}  {figures}  {also}".rstrip())
    step = float(data.attrs["largest_stable_step"])
    if step < float("inf"):
        lines.append(f"largest stable step of rk4: {step:.3g} s")
    return "\n".join(lines)
