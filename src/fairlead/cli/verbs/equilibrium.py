"""The state of rest of a model."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from fairlead.cli.common import loaded, placed_in, seconds, told
from fairlead.cli.options import AsJson, Changes, ModelFile


def equilibrium(
    file: ModelFile,
    time: Annotated[str | None, typer.Option(help="when driven joints are held, for example '5 s'")] = None,
    formulation: Annotated[str | None, typer.Option(help="cloud, articulated or constrained")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="print each step of the search")] = False,
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """Find where a model rests: poses, joint coordinates, tensions, what is left unbalanced, and what nothing holds."""
    from fairlead.running.rest.equilibrium import rest_of

    def heard(line: str) -> None:
        if verbose:
            typer.echo(line, err=True)

    with placed_in(file):
        _, data = rest_of(loaded(file, changes), seconds(time, "time") or 0.0, formulation=formulation, report=heard)
    told(data, as_json, figures, table)


def figures(data: Any) -> dict[str, Any]:
    """Return the figures of a state of rest by name."""
    names = ("position", "euler123", "residual_force", "residual_moment")
    bodies = {
        str(body): {name: data[name].sel(body=body).values.tolist() for name in names if name in data}
        for body in data["body"].values
    }
    joints = {str(c): float(data["joint_position"].sel(coordinate=c)) for c in data["coordinate"].values}
    words = ("free_directions", "iterations", "method", "stable", "sought_from", "formulation", "notes")
    return {
        **{name: data.attrs[name] for name in words},
        "free_directions": list(filter(None, data.attrs["free_directions"].split("; "))),
        "bodies": bodies,
        "joint_position": joints,
        "joint_drive": {label: force for label, _, force in joint_forces(data)},
        "tension": tensions(data),
    }


def joint_forces(data: Any) -> list[tuple[str, str, float]]:
    """Return label, what acts and force or moment of each coordinate: of its driver or lock, or of its spring."""
    found = []
    for label in data["coordinate"].values:
        one = data.sel(coordinate=label)
        free = str(one["coordinate_role"].values) == "free"
        what = "spring, stop and actuator" if free else "held by"
        found.append((str(label), what, float(one["driver_force"])))
    return found


def tensions(data: Any) -> dict[str, float]:
    """Return the tension of every line and spring between points."""
    if "tension" not in data:
        return {}
    found = {str(load): float(data["tension"].sel(load=load)) for load in data["load"].values}
    return {load: value for load, value in found.items() if value == value}


def table(data: Any) -> str:
    """Return the state of rest in words and rows."""
    width = max([len(str(body)) for body in data["body"].values] + [5])
    lines = [f"{'body':{width}}  position [m]                         left unbalanced [N], [N m]"]
    for body in data["body"].values:
        x, y, z = data["position"].sel(body=body).values
        force = float(abs(data["residual_force"].sel(body=body)).max())
        moment = float(abs(data["residual_moment"].sel(body=body)).max())
        lines.append(f"{body!s:{width}}  {x:11.4f} {y:11.4f} {z:11.4f}  {force:10.2e} {moment:10.2e}")
    for label, what, force in joint_forces(data):
        one = data.sel(coordinate=label)
        length = str(one["coordinate_kind"].values) == "length"
        at = f"{float(one['joint_position']):.6g} {'m' if length else 'rad'}"
        lines.append(f"{label}: {at}, {what} {force:.6g} {'N' if length else 'N m'}")
    lines += [f"tension of {load}: {value:.6g} N" for load, value in tensions(data).items()]
    free = data.attrs["free_directions"]
    lines.append(f"without restoring force, held as they start: {free}" if free else "every direction is held")
    kind = "stable" if data.attrs["stable"] else "unstable"
    lines.append(
        f"{kind}, from {data.attrs['sought_from']} by {data.attrs['method']} in {data.attrs['iterations']} steps"
    )
    return "\n".join(lines)
