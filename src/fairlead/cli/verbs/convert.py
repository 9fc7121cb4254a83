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
        Path, typer.Argument(help="YAML file, or a folder for MBDM files; .outb for a result", show_default=False)
    ],
    floating_base: Floating = False,
    platform: Annotated[str | None, typer.Option(help="body whose motion an .outb file has")] = None,
    reference: Annotated[
        tuple[float, float, float], typer.Option(help="its reference point, world point of the drawing")
    ] = (0.0, 0.0, 0.0),
    tower_top: Annotated[str | None, typer.Option(help="joint at the tower top, or none")] = None,
    spin: Annotated[str | None, typer.Option(help="joint of the rotor's shaft, or none")] = None,
) -> None:
    """Turn a URDF or a legacy MBDM case into our YAML, a model back into MBDM files, or a result into an .outb file."""
    from fairlead.errors import FilesFailure, InvalidInput, Problem
    from fairlead.formats.load import YAML, is_legacy
    from fairlead.formats.yaml.write import save

    if target.exists():
        raise FilesFailure(f"{target} exists; choose another name")
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
