"""Models and results in other formats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from fairlead.cli.common import loaded
from fairlead.cli.options import Floating


def convert(
    source: Annotated[
        Path, typer.Argument(help="model file, URDF, MBDM main file or its folder; or a result", show_default=False)
    ],
    target: Annotated[
        Path,
        typer.Argument(
            help="YAML file, or a folder for MBDM files; of a result .csv, .parquet, .glb, .pvd or .outb",
            show_default=False,
        ),
    ],
    floating_base: Floating = False,
    platform: Annotated[str | None, typer.Option(help="body whose motion an .outb file has")] = None,
    reference: Annotated[
        tuple[float, float, float], typer.Option(help="its reference point, world point of the drawing")
    ] = (0.0, 0.0, 0.0),
    tower_top: Annotated[str | None, typer.Option(help="joint at the tower top, or none")] = None,
    spin: Annotated[str | None, typer.Option(help="joint of the rotor's shaft, or none")] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(help="of a .csv or .parquet file, repeated or between commas; default all channels"),
    ] = None,
    shapes: Annotated[
        Path | None, typer.Option(help="model file with shapes, for .glb and .pvd; default the run's")
    ] = None,
) -> None:
    """Turn a URDF or an MBDM case into our YAML, a model into MBDM files, a result into .csv, .glb, .pvd or .outb."""
    from fairlead.errors import FilesFailure, InvalidInput, Problem
    from fairlead.formats.load import YAML, is_legacy
    from fairlead.formats.yaml.write import save

    if target.exists():
        raise FilesFailure(f"{target} exists; choose another name")
    ending = target.suffix.lower()
    if columns and ending not in (".csv", ".parquet"):
        raise InvalidInput([Problem("is for .csv and .parquet files only; leave it out", "--columns")])
    if shapes is not None and ending not in (".glb", ".pvd"):
        raise InvalidInput([Problem("is for .glb and .pvd files only; leave it out", "--shapes")])
    if ending in (".csv", ".parquet", ".glb", ".pvd"):
        _of_result(source, target, columns, shapes)
        return
    if floating_base and (target.suffix.lower() == ".outb" or is_legacy(source)):
        raise InvalidInput([Problem("is for URDF files only; leave it out", "--floating-base")])
    if target.suffix.lower() == ".outb":
        from fairlead.formats.openfast.outb import write_outb
        from fairlead.results.channels.channels import channels

        joints: dict[str, Any] = {"tower_top": tower_top, "spin": spin}
        joints = {word: False if name == "none" else name for word, name in joints.items()}
        found = channels(source, platform, reference, **joints)
        write_outb(found, target)
        print(f"wrote {len(found.data_vars)} channels over {found.sizes['time']} instants into {target}")
        return
    of_outb = {"--platform": platform, "--tower-top": tower_top, "--spin": spin, "--reference": any(reference)}
    if pointless := [name for name, value in of_outb.items() if value]:
        raise InvalidInput([Problem("is for .outb files only; leave it out", name) for name in pointless])
    if is_legacy(source):
        from fairlead.formats.mbdm.convert import convertible

        model, left = convertible(source)
    else:
        model, left = loaded(source, floating_base=floating_base), []
    if target.suffix in YAML:
        save(model, target)
        print(f"wrote {target}")
        for problem in left:
            print(problem, file=sys.stderr)
        return
    from fairlead.formats.mbdm.back import from_model
    from fairlead.formats.mbdm.left import left_out_of_case
    from fairlead.formats.mbdm.write import write_mbdm

    case = from_model(model)
    for problem in left_out_of_case(model):
        print(problem, file=sys.stderr)
    target.mkdir(parents=True)
    for path in write_mbdm(case, target):
        print(f"wrote {path}")


def _of_result(source: Path, target: Path, columns: list[str] | None, shapes: Path | None) -> None:
    """Write a result as a table or as a scene for other programs."""
    from fairlead.results.reading import open_result

    data = open_result(source)
    if target.suffix.lower() in (".csv", ".parquet"):
        from fairlead.formats.columns import write_columns

        names = [name.strip() for text in columns or () for name in text.split(",") if name.strip()]
        count = write_columns(data, target, names or None)
        print(f"wrote {count} columns over {data.sizes['time']} instants into {target}")
        return
    from fairlead.view.exports.gltf import write_gltf
    from fairlead.view.exports.vtk import write_pvd
    from fairlead.view.reports import checked_model, model_of

    model = model_of(source) if shapes is None else checked_model(shapes)
    write = write_gltf if target.suffix.lower() == ".glb" else write_pvd
    print(f"wrote {write(data, target, model)} instants of {data.sizes['body']} bodies into {target}")
