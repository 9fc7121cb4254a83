"""Many runs of varied models, none lost."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Annotated, Any

import typer

from fairlead.cli.common import count, note
from fairlead.cli.options import AsJson, Quiet


def study(
    file: Annotated[Path, typer.Argument(help="the study's file (fairlead_study: 1)", show_default=False)],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="its directory; default NAME.study", show_default=False)
    ] = None,
    workers: Annotated[int | None, typer.Option(help="processes; default one per processor")] = None,
    memory: Annotated[str | None, typer.Option(help="memory of each process, for example '2 GB'")] = None,
    scheduler: Annotated[str | None, typer.Option(help="address of a dask scheduler that is there already")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="run cases again that failed")] = False,
    check_convergence: Annotated[
        bool, typer.Option("--check-convergence", help="say whether more realisations would change the answer")
    ] = False,
    tolerance: Annotated[float, typer.Option(help="of --check-convergence, relative")] = 0.05,
    suggest_dt: Annotated[
        bool, typer.Option("--suggest-dt", help="try steps on one case and say which suffices; runs nothing else")
    ] = False,
    only: Annotated[
        list[str] | None, typer.Option(metavar="PARAMETER=LABEL", help="run the cases at this point alone, repeated")
    ] = None,
    list_cases: Annotated[
        bool, typer.Option("--list", help="list the cases with their commands; runs nothing")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run every case of a study that has no result yet; exit 8 if any failed (the others are kept), 1 if audits did."""
    from fairlead.running.ensembles.study import conducted, planned

    plan = planned(file).only(only or [])
    if list_cases:
        _list(plan, as_json)
        return
    if suggest_dt:
        _suggest(plan, as_json)
        return
    directory = out or Path(f"{plan.name}.study")
    if not (quiet or as_json):
        print(_understood(plan))
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    given: dict[str, Any] = {"workers": workers, "memory": memory, "scheduler": scheduler, "retry": retry_failed}
    data, state = conducted(plan, directory, progress=False if quiet or as_json else None, **given)
    _conclude(plan, data, state, directory, tolerance if check_convergence else None, as_json, quiet)


def _understood(plan: Any) -> str:
    parts = [f"{count(len(one.points), 'value', 'values')} of {one.name}" for one in plan.dimensions]
    parts += [count(plan.realisations, "realisation", "realisations")]
    return f"{plan.name}: {count(len(plan.cases), 'case', 'cases')} ({', '.join(parts)})"


def _list(plan: Any, as_json: bool) -> None:
    rows = [{"case": case.digest, "name": case.name, "command": plan.command(case)} for case in plan.cases]
    if as_json:
        print(json.dumps(rows, indent=2))
    else:
        print("\n".join(f"{row['name']}\n    {row['command']}" for row in rows))


def _suggest(plan: Any, as_json: bool) -> None:
    from fairlead.running.ensembles.steps import steps_tried

    found = steps_tried(plan)
    print(json.dumps(found.to_dict(), indent=2) if as_json else found.table())


def _conclude(
    plan: Any, data: Any, state: Any, directory: Path, tolerance: float | None, as_json: bool, quiet: bool
) -> None:
    """Say what came out, what is known about it, and what failed; exit with the code that says so."""
    from fairlead.errors import StudyIncomplete
    from fairlead.results.reading import STUDY
    from fairlead.running.ensembles.convergence import convergence
    from fairlead.running.ensembles.study import audits, causes, failures, notes

    checked = convergence(data, tolerance) if tolerance is not None else None
    unaudited = audits(plan, state)
    done, failed, total = state.counts
    if as_json:
        said = {
            "result": str(directory / STUDY),
            "cases": total,
            "done": done,
            "failed": failed,
            "failures": causes(plan, state),
            "audits_failed": [case.name for case in unaudited],
            "notes": notes(state),
        }
        print(json.dumps(said | ({"convergence": checked.to_dict()} if checked else {}), indent=2))
    elif not quiet:
        print(f"{count(done, 'case', 'cases')} in {directory / STUDY} and study.csv")
        if checked:
            print(checked.table())
    for sentence in [] if quiet or as_json else notes(state):
        note(sentence)
    if state.failed or state.waiting:
        raise StudyIncomplete(failures(plan, state))
    if unaudited:
        many = count(len(unaudited), "case", "cases")
        note(f"the audit of {many} failed; the first alone: {plan.command(unaudited[0])}")
        raise typer.Exit(1)
