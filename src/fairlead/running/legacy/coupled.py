"""Coupled legacy cases: HMB and SPH of `.expert.solvers` as partners. MBDM note sections 7.1.5 and 8.4.

SPH is a partner of small steps with two exchanges in each; its constant step becomes ours, and we take the symplectic
scheme. HMB is one of large steps without dimension, sent orientation and velocities but no position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairlead.errors import CheckpointUnusable, InvalidInput, PartnerFailure, Problem
from fairlead.formats.mbdm.case import MbdmCase, Solvers
from fairlead.formats.mbdm.checkpoint import checkpoint_path
from fairlead.formats.mbdm.convert import names_of, to_model
from fairlead.model.partners import Partner, Scale
from fairlead.model.schema import Model
from fairlead.plain_files import read_plain
from fairlead.running.legacy.case import run_checked
from fairlead.running.legacy.exchange import HMB_TIME
from fairlead.running.partners.couple import common_step
from fairlead.running.partners.session import Session, joined

TURNS = ("orientation", "velocity", "angular_velocity")


def couple_case(
    case: MbdmCase,
    source: Path,
    folder: Path,
    checkpoint: Path | None = None,
    transport: str = "socket",
    show: Callable[[str], None] | None = None,
    remark: Callable[[Problem], None] = lambda problem: None,
    accept_mismatch: bool = False,
) -> tuple[Any, list[Path]]:
    """Run a coupled case, from a checkpoint if one is given; return its Dataset and the files written.

    `source` is the folder of the case, in which the partners are started.
    """
    solvers = case.solvers
    if solvers is None:
        raise InvalidInput([case.problem("name", "has no file .expert.solvers; run it with `fairlead mbdm`")])
    for problem in remarks(case, solvers, transport):
        remark(problem)
    partners = partners_of(case, solvers, transport)
    session = Session(coupled_model(case, partners), {}, source.resolve(), folder / "MBDM_partners", True)
    session.accept_mismatch = accept_mismatch
    if checkpoint is not None:
        check_hmb_time(case, checkpoint, accept_mismatch)
    try:
        with joined(session):
            dt = common_step(session, Model(name="steps", bodies=session.model.bodies), None) or case.dt
            if dt != case.dt:
                text = f"the step of SPH, {dt:g} s, is taken in place of {case.dt:g} s (MBDM note, section 8.4)"
                remark(case.problem("dt", text, "warning"))
                case = replace(case, dt=dt)
            model = coupled_model(case, partners)
            method = "symplectic-euler" if "sph" in partners else "rk4"
            data, written, _ = run_checked(case, model, to_model(case)[1], folder, checkpoint, show, remark, method)
    except PartnerFailure as error:
        last = checkpoint_path(folder, case)
        again = f"; go on with: fairlead couple CASE {last}" if last.exists() else ""
        raise PartnerFailure(f"{error}; what was computed is in {folder}{again}") from error
    return data, written


def partners_of(case: MbdmCase, solvers: Solvers, transport: str) -> dict[str, Partner]:
    """Return the partners that the type of coupling asks for, by the names the note's checkpoints have them under."""
    names, found = names_of(case).bodies, {}
    cores = {"transport": transport}
    if solvers.coupling in (0, 2):
        found["sph"] = Partner(
            body=names[solvers.sph_body - 1],
            command=(solvers.sph_root,),
            processes=solvers.sph_cores if transport == "mpi" else 1,
            exchanges=2,
            **cores,
        )
    if solvers.coupling in (0, 1):
        scale = Scale(
            rpm=f"{solvers.rpm} rpm",
            speed=solvers.wind_speed,
            density=solvers.air_density,
            chord=solvers.largest_chord,
            radius=solvers.radius,
        )
        found["hmb"] = Partner(
            body=names[solvers.hmb_body - 1],
            command=(solvers.hmb_root, *solvers.hmb_arguments.split()),
            processes=solvers.hmb_cores if transport == "mpi" else 1,
            step="large",
            every=solvers.hmb_every,
            scale=scale,
            sends=TURNS,
            **cores,
        )
    return found


def coupled_model(case: MbdmCase, partners: dict[str, Partner]) -> Model:
    """Return the model of a case with its partners."""
    model, _ = to_model(case)
    return Model(**{**{name: getattr(model, name) for name in type(model).model_fields}, "partners": partners})


def remarks(case: MbdmCase, solvers: Solvers, transport: str) -> list[Problem]:
    """Return what of the file has no effect, as in the note, or another one than there."""
    found = [
        case.problem(f"solvers.{name}", f"{word} {value:g} is kept and not used, as in the MBDM note", "note")
        for name, word, value in (
            ("spoolup", "spoolup", solvers.spoolup),
            ("coupling_start", "t start coupling", solvers.coupling_start),
        )
    ]
    cores = {"hmb": solvers.hmb_cores, "sph": solvers.sph_cores}
    used = {0: ("hmb", "sph"), 1: ("hmb",), 2: ("sph",)}[solvers.coupling]
    for name in used:
        if cores[name] > 1 and transport != "mpi":
            text = f"{name} nproc {cores[name]} has no effect over a socket; --transport mpi starts so many"
            found.append(case.problem(f"solvers.{name}_cores", text, "warning"))
    return found


def check_hmb_time(case: MbdmCase, checkpoint: Path, accept: bool) -> None:
    """Raise CheckpointUnusable where HMB's checkpoint is of another time than ours; the note only prints."""
    path = checkpoint.with_name(HMB_TIME + ("_old" if checkpoint.name.endswith("_old") else ""))
    if case.solvers is None or case.solvers.coupling == 2 or not path.exists() or accept:
        return
    try:
        there = float(read_plain(path, 1000).split()[0]) * case.solvers.largest_chord / case.solvers.wind_speed
        ours = float(read_plain(checkpoint, 64_000_000).split()[0])
    except (ValueError, IndexError, InvalidInput):
        raise CheckpointUnusable(f"{path} or {checkpoint.name} does not begin with a time") from None
    if abs(there - ours) > 1e-6 * case.dt:
        raise CheckpointUnusable(
            f"{path.name} is of t = {there:.9g} s and {checkpoint.name} of t = {ours:.9g} s; take those that belong "
            "together, or go on all the same with --accept-mismatch"
        )
