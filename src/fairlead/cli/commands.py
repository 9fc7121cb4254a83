"""The verbs. Each imports what it needs when it is called, so that help comes at once."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from fairlead.cli.parts import conclude, count, loaded, note, placed_in, remark, seconds, understood
from fairlead.model.run_words import CLOSINGS, FORMULATIONS, INTEGRATORS, ROTATIONS, UNKNOWNS

app = typer.Typer(
    name="fairlead",
    help="Simulate systems of rigid bodies, from a slider-crank to a floating wind turbine, and audit every run.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

ModelFile = Annotated[Path, typer.Argument(help="model file (YAML, URDF, or an MBDM case)", show_default=False)]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="run directory to create; default NAME.run", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="print figures as JSON")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="print only problems")]
Floating = Annotated[bool, typer.Option("--floating-base", help="let the root link of a URDF float")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="set a value of the model, for example run.duration='60 s'"),
]
Tolerance = Annotated[
    float | None,
    typer.Option(help="relative tolerance of the audit; default: that of the run, else 1e-6", show_default=False),
]


def _version(value: bool) -> None:
    if value:
        import fairlead

        print(f"fairlead {fairlead.__version__}")
        raise typer.Exit()


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    pass


@app.command()
def check(file: ModelFile, changes: Changes = None, as_json: AsJson = False) -> None:
    """Say everything that is wrong with a model file, without running it."""
    from fairlead.running.check import check as check_model

    problems = check_model(file)
    if changes and not any(problem.severity == "error" for problem in problems):
        with placed_in(file):
            problems = check_model(loaded(file, changes))
    errors = [problem for problem in problems if problem.severity == "error"]
    if as_json:
        print(json.dumps([vars(problem) for problem in problems], indent=2))
    else:
        for problem in problems:
            print(problem, file=sys.stderr if problem in errors else sys.stdout)
        if not errors:
            print(f"{file}: good" + (f", {count(len(problems), 'remark', 'remarks')}" if problems else ""))
    if errors:
        raise typer.Exit(3)


@app.command()
def schema() -> None:
    """Print the JSON schema of model files, for editors."""
    from fairlead.model.json_schema import json_schema

    print(json.dumps(json_schema(), indent=2))


@app.command()
def run(
    file: ModelFile,
    out: Out = None,
    duration: Annotated[str | None, typer.Option(help="simulated time, for example '600 s'")] = None,
    dt: Annotated[
        str | None, typer.Option(help="step, for example '0.05 s'; without it an adaptive method chooses its steps")
    ] = None,
    integrator: Annotated[str | None, typer.Option(help=f"one of {', '.join(INTEGRATORS)}")] = None,
    formulation: Annotated[str | None, typer.Option(help=f"one of {', '.join(FORMULATIONS)}")] = None,
    unknowns: Annotated[str | None, typer.Option(help=f"of constrained: {' or '.join(UNKNOWNS)}")] = None,
    closing: Annotated[str | None, typer.Option(help=f"how loops are closed: {', '.join(CLOSINGS)}")] = None,
    rotation: Annotated[str | None, typer.Option(help=" or ".join(ROTATIONS))] = None,
    output_every: Annotated[int | None, typer.Option(help="record every so many steps")] = None,
    interval: Annotated[str | None, typer.Option(help="time between recorded instants, for example '0.5 s'")] = None,
    rtol: Annotated[float | None, typer.Option(help="relative tolerance of adaptive integrators")] = None,
    atol: Annotated[float | None, typer.Option(help="absolute tolerance of adaptive integrators")] = None,
    tolerance: Tolerance = None,
    csv: Annotated[bool, typer.Option("--csv", help="also write result.csv")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace an earlier run of that name")] = False,
    floating_base: Floating = False,
    changes: Changes = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run a model into a new directory and audit the result; exit 1 if the audit fails (the result is kept)."""
    from fairlead.running.directory import run_in_directory
    from fairlead.running.options import run_options

    model = loaded(file, changes, floating_base=floating_base)
    given = {
        "duration": seconds(duration, "duration"),
        "dt": seconds(dt, "dt"),
        "integrator": integrator,
        "formulation": formulation,
        "rotation": rotation,
        "output_every": output_every,
        "interval": seconds(interval, "interval"),
        "rtol": rtol,
        "atol": atol,
        "unknowns": unknowns,
        "closing": closing,
        "audit": None if tolerance is None else {"tolerance": tolerance},
    }
    options = run_options(model, given)
    directory = out or Path(f"{file.stem}.run")
    if not (quiet or as_json):
        print(understood(model, options))
        remark(model)
    with placed_in(file):
        data = run_in_directory(model, options, directory, overwrite=overwrite, say=note)
    conclude(data, directory, tolerance, csv, as_json, quiet)


@app.command()
def kinematics(
    file: ModelFile,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="NetCDF file to write; default NAME.nc")] = None,
    duration: Annotated[str | None, typer.Option(help="simulated time, for example '2 s'")] = None,
    dt: Annotated[str | None, typer.Option(help="step, for example '0.01 s'")] = None,
    changes: Changes = None,
    csv: Annotated[bool, typer.Option("--csv", help="also write a table beside it")] = False,
) -> None:
    """Move a fully driven mechanism: position, velocity and acceleration; says what is not driven if it is not."""
    from fairlead.errors import FilesFailure
    from fairlead.results.findings import findings
    from fairlead.results.netcdf import write_csv, write_netcdf
    from fairlead.running.run import kinematics as move

    target = out or Path(f"{file.stem}.nc")
    if target.exists():
        raise FilesFailure(f"{target} exists; choose another file with --out")
    data = move(loaded(file, changes), seconds(duration, "duration"), seconds(dt, "dt"))
    write_netcdf(data, target)
    if csv:
        write_csv(data, target.with_suffix(".csv"))
    worst = float(data["position_violation"].max())
    print(f"{data.sizes['time']} instants in {target}; constraints hold to {worst:.1e} (m or 1)")
    for sentence in findings(data.attrs):
        print(f"note: {sentence}")


@app.command()
def resume(
    directory: Annotated[Path, typer.Argument(help="run directory", show_default=False)],
    tolerance: Tolerance = None,
    csv: Annotated[bool, typer.Option("--csv", help="also write result.csv")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Carry on a run that was stopped or killed; the result is the same to the last bit."""
    from fairlead.running.directory import resume_directory

    data, warnings = resume_directory(directory)
    for warning in warnings:
        note(warning)
    conclude(data, directory, tolerance, csv, as_json, quiet)


@app.command()
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
    from fairlead.model.load import YAML, is_legacy
    from fairlead.model.write_yaml import save

    if target.exists():
        raise FilesFailure(f"{target} exists; choose another name")
    if floating_base and (target.suffix.lower() == ".outb" or is_legacy(source)):
        raise InvalidInput([Problem("is for URDF files only; leave it out", "--floating-base")])
    if target.suffix.lower() == ".outb":
        from fairlead.results.channels import channels
        from fairlead.results.outb import write_outb

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
        from fairlead.model.mbdm import convertible

        model, left = convertible(source)
    else:
        model, left = loaded(source, floating_base=floating_base), []
    if target.suffix in YAML:
        save(model, target)
        print(f"wrote {target}")
        for problem in left:
            print(problem, file=sys.stderr)
        return
    from fairlead.model.mbdm_back import from_model
    from fairlead.model.mbdm_left import left_out_of_case
    from fairlead.model.mbdm_write import write_mbdm

    case = from_model(model)
    for problem in left_out_of_case(model):
        print(problem, file=sys.stderr)
    target.mkdir(parents=True)
    for path in write_mbdm(case, target):
        print(f"wrote {path}")


@app.command()
def mbdm(
    source: Annotated[Path, typer.Argument(help="MBDM main file or its folder", show_default=False)],
    checkpoint: Annotated[str, typer.Argument(help="checkpoint to start from, or none", show_default=False)],
    out: Annotated[Path, typer.Option("--out", "-o", help="folder for the files MBDM would write")] = Path("."),
) -> None:
    """Run a legacy case and write its files with the names and columns of MBDM."""
    from fairlead.model.mbdm import open_case
    from fairlead.results.findings import findings
    from fairlead.running.legacy import run_case

    def say(problem: Any) -> None:
        print(problem, file=sys.stderr)

    start = None if checkpoint.lower() == "none" else Path(checkpoint)
    case, remarks = open_case(source)
    for problem in remarks:
        say(problem)
    data, written, _ = run_case(case, out, start, show=print, remark=say)
    print(f"{data.sizes['time']} instants; wrote {len(written)} files in {out}")
    for sentence in findings(data.attrs):
        print(f"note: {sentence}")


@app.command()
def audit(
    file: Annotated[
        Path, typer.Argument(help="run directory, NetCDF result, or a table with --columns", show_default=False)
    ],
    columns: Annotated[Path | None, typer.Option(help="YAML map of the columns of a foreign table")] = None,
    tolerance: Tolerance = None,
    as_json: AsJson = False,
) -> None:
    """Check momentum, energy and kinematics of a result or of any simulator's table; exit 1 if a check fails."""
    from fairlead.results.audit import audit as audit_data

    found = audit_data(file, tolerance=tolerance, columns=columns)
    print(json.dumps(found.to_dict(), indent=2) if as_json else found.table())
    if not found.passed:
        raise typer.Exit(1)


@app.command()
def crosscheck(
    file: ModelFile,
    duration: Annotated[str | None, typer.Option(help="simulated time, for example '5 s'")] = None,
    dt: Annotated[str | None, typer.Option(help="step of the record, for example '0.05 s'")] = None,
    tolerance: Annotated[float, typer.Option(help="largest relative difference allowed")] = 1e-6,
    integrator: Annotated[str, typer.Option(help="the same for all")] = "dop853",
    rtol: Annotated[
        float | None,
        typer.Option(help="relative tolerance of an adaptive integrator; default 1e-12", show_default=False),
    ] = None,
    patience: Annotated[float, typer.Option(help="seconds after which a formulation is given up")] = 60.0,
    floating_base: Floating = False,
    changes: Changes = None,
    as_json: AsJson = False,
) -> None:
    """Run a model through every formulation that can take it and compare the records; exit 1 if they differ."""
    from fairlead.running.crosscheck import crosscheck as compare

    span = (seconds(duration, "duration"), seconds(dt, "dt"))
    model = loaded(file, changes, floating_base=floating_base)
    found = compare(model, *span, tolerance=tolerance, integrator=integrator, rtol=rtol, patience=patience)
    print(json.dumps(found.to_dict(), indent=2) if as_json else found.table())
    if not found.passed:
        raise typer.Exit(1)


@app.command()
def loads(
    file: Annotated[
        Path, typer.Argument(help="run directory, NetCDF result, or a table with --columns", show_default=False)
    ],
    joint: Annotated[str | None, typer.Option(help="one joint; default all", show_default=False)] = None,
    axes: Annotated[str, typer.Option(help="world, parent or child")] = "world",
    route: Annotated[
        str | None, typer.Option(help="accelerations recorded or differentiated", show_default=False)
    ] = None,
    columns: Annotated[Path | None, typer.Option(help="YAML map of the columns of a foreign table")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="write the series: .nc, or .csv")] = None,
    as_json: AsJson = False,
) -> None:
    """Find the force and moment through joints from the motion alone, and what is not determined by rigid bodies."""
    from fairlead.errors import FilesFailure, InvalidInput, Problem
    from fairlead.results.internal_loads import internal_loads
    from fairlead.results.internal_table import figures, table
    from fairlead.results.netcdf import write_csv, write_netcdf

    if out is not None and out.exists():
        raise FilesFailure(f"{out} exists; choose another file with --out")
    if out is not None and out.suffix not in (".nc", ".csv"):
        raise InvalidInput([Problem(f"must end in .nc or .csv; got '{out}'", path="--out")])
    found = internal_loads(file, joint, axes, route=route, columns=columns)
    if out is not None:
        (write_csv if out.suffix == ".csv" else write_netcdf)(found, out)
    print(json.dumps(figures(found), indent=2) if as_json else table(found))


@app.command()
def plot(
    file: Annotated[Path, typer.Argument(help="run directory or NetCDF result", show_default=False)],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="picture to write; default beside the result")] = None,
    what: Annotated[list[str] | None, typer.Argument(help="what to draw, for example position:tower")] = None,
) -> None:
    """Draw the motion as a PNG picture."""
    from fairlead.results.reading import result_file
    from fairlead.view.plots import plot as draw

    target = out or result_file(file).with_suffix(".png")
    draw(file, target, what=what or None)
    print(f"drew {target}")
