"""Legacy MBDM cases in Fairlead's words: `load_mbdm` for files, `to_model` for a case that was read."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fairlead.errors import InvalidInput, Problem
from fairlead.formats.mbdm.angles import Array, matrix_of_quaternion, quaternion_from_vector, quaternion_of_angles
from fairlead.formats.mbdm.case import JOINT_FIELDS, JOINT_TYPES, REMOVED, MbdmBody, MbdmCase
from fairlead.formats.mbdm.files import read_partly
from fairlead.formats.mbdm.joints import joints_of
from fairlead.model.bodies import Body
from fairlead.model.checks.all import shown
from fairlead.model.checks.checked import examined
from fairlead.model.checks.inertia import PHYSICAL, inertias, principal_moments
from fairlead.model.checks.partial_model import PartialModel
from fairlead.model.fields import WORLD
from fairlead.model.loads.springs import Spring
from fairlead.model.loads.table import AnyLoad
from fairlead.model.orientation import Orientation
from fairlead.model.run import Run
from fairlead.model.run_words import FORMULATIONS
from fairlead.model.schema import Model

GRAVITY = (0.0, 0.0, -9.81)  # Listing 2: constant, along negative z
SAME = 1e-9  # metres or quaternion units between a body's entry and the constraint that holds it


class Names(NamedTuple):
    """The names the bodies, joints and mooring lines of a case have in a model, in the order of their IDs."""

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Pose:
    """Where a body is drawn: mass centre and attitude (unit quaternion, body to world)."""

    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float]

    @property
    def A(self) -> Array:
        """Return the matrix from body to world components."""
        return matrix_of_quaternion(self.quaternion)


def load_mbdm(path: str | os.PathLike[str]) -> Model:
    """Return the model of a legacy case, given as its directory or its main file; companions stand beside it.

    InvalidInput lists every problem of the case. A coupled case is refused, and a kinematic one with too few drivers;
    `to_model` gives what of them is a model.
    """
    return load_with_remarks(path)[0]


def load_with_remarks(path: str | os.PathLike[str]) -> tuple[Model, list[Problem]]:
    """Return the model of a legacy case and the remarks of reading and translating it."""
    case, model, problems = examine(path)
    _refuse(problems)
    assert case is not None and model is not None
    refuse_coupled(case)
    _refuse_undriven(case)
    return model, problems


def examine(path: str | os.PathLike[str]) -> tuple[MbdmCase | None, Model | None, list[Problem]]:
    """Return a legacy case, its model, and all problems at once: of lines, of references, and of what they mean.

    Case and model are None if there are errors. Entries that cannot be read are left out of what is looked at further.
    """
    return _examined(*read_partly(path))


def _examined(case: MbdmCase | None, problems: list[Problem]) -> tuple[MbdmCase | None, Model | None, list[Problem]]:
    if case is None:
        return None, None, problems
    wrong = [one.path for one in problems if one.severity == "error"]
    broken = {*wrong, *(".".join(path.split(".")[:2]) for path in wrong)}
    model, found = _translated(case, broken)
    files = list(dict.fromkeys(one.file for one in [*problems, *found] if one.file))
    problems = sorted([*problems, *found], key=lambda one: (files.index(one.file) if one.file else -1, one.line))
    if any(one.severity == "error" for one in problems):
        return None, None, problems
    return case, model, problems


def open_case(path: str | os.PathLike[str], *, coupled: bool = False) -> tuple[MbdmCase, list[Problem]]:
    """Return a legacy case that can run, and the remarks of reading it; InvalidInput lists every problem.

    A case that is to be coupled with other solvers is refused unless `coupled` says that it will be.
    """
    partly, remarks = read_partly(path)
    case, _, problems = _examined(partly, remarks)
    _refuse(problems)
    assert case is not None
    if not coupled:
        refuse_coupled(case)
    return case, remarks


def convertible(path: str | os.PathLike[str]) -> tuple[Model, list[Problem]]:
    """Return the model of a legacy case, coupled or not, and a remark for each thing that it does not hold."""
    from fairlead.formats.mbdm.left import left_out_of_model

    case, model, problems = examine(path)
    _refuse(problems)
    assert case is not None and model is not None
    left = left_out_of_model(case, model)
    told = {one.path for one in left}
    return model, [*(one for one in problems if one.path not in told), *left]


def refuse_coupled(case: MbdmCase) -> None:
    """Raise InvalidInput if a case is to be coupled with other solvers: alone it would be another computation."""
    if case.solvers is not None:
        raise InvalidInput([coupled(case)])


def _refuse_undriven(case: MbdmCase) -> None:
    """Raise InvalidInput if a kinematic case has fewer equations than freedoms; the assembly finds the other ones."""
    all_of, removed = 6 * len(case.bodies), sum(REMOVED[joint.type] for joint in case.joints)
    if not case.dynamic and removed < all_of:
        message = (
            f"a kinematic analysis needs every motion driven, and joints and drivers remove {removed} of {all_of} "
            "degrees of freedom; add drivers (RDRV), or ask for a dynamic one with 1"
        )
        raise InvalidInput([case.problem("dynamic", message)])


def coupled(case: MbdmCase) -> Problem:
    """Return the problem that a case is to be coupled with other solvers."""
    partners = {1: "HMB", 2: "SPH"}.get(case.solvers.coupling if case.solvers else 0, "HMB and SPH")
    message = (
        f"the case is coupled with {partners}; run it with `fairlead couple`, or without their loads after removing "
        "this file (or giving it another name)"
    )
    return case.problem("solvers.coupling", message)


def to_model(case: MbdmCase) -> tuple[Model, list[Problem]]:
    """Return a case as a model, with what a reader should know; InvalidInput lists what cannot be said.

    Joints keep their points and axes in body axes, so the assembly step closes what the drawing leaves open.
    """
    model, found = _translated(case)
    _refuse(found)
    assert model is not None
    return model, found


def _translated(case: MbdmCase, broken: Set[str] = frozenset()) -> tuple[Model | None, list[Problem]]:
    """Return a case as a model (None if it cannot be said) and what is found; `broken` entries are passed over."""
    found = _remarks(case)
    names = names_of(case)
    poses = _poses(case, found, broken)
    bodies = {
        name: _body(case, number, poses[number - 1], found)
        for number, name in enumerate(names.bodies, start=1)
        if f"bodies.{number}" not in broken
    }
    joints = joints_of(case, names.bodies, names.joints, poses, found, broken)
    loads = {
        name: _spring(case, number, names, poses, found)
        for number, name in enumerate(names.lines, start=1)
        if not {f"mooring.{number}", f"bodies.{case.mooring[number - 1].body}"} & broken
    }
    if broken or any(problem.severity == "error" for problem in found):  # what does not turn on the missing ones
        findings = [(shown(one.path), one.message, one.severity) for one in inertias(PartialModel(bodies=bodies))]
        return None, found + _at_entries(case, findings, names)
    model = Model(
        name=_legal(case.name, "case"), bodies=bodies, joints=joints, loads=loads, gravity=GRAVITY, run=_run(case)
    )
    found_in = examined(model)[1]
    findings = [(shown(one.path), one.message, one.severity) for one in found_in if one.severity != "note"]
    return model, found + _at_entries(case, findings, names)


def _spring(case: MbdmCase, number: int, names: Names, poses: list[Pose], found: list[Problem]) -> AnyLoad:
    """Return a mooring line as a two-way spring with damper. MBDM note section 6."""
    line = case.mooring[number - 1]
    pose = poses[line.body - 1]
    point = np.array(pose.position) + pose.A @ np.array(line.fairlead)
    if any(line.correction):
        message = "the correction for the mass centre is stored and not used, as in the original program"
        found.append(case.problem(f"mooring.{number}.correction", message, "warning"))
    return Spring(
        body=names.bodies[line.body - 1],
        point=tuple(point),
        anchor=line.anchor,
        stiffness=line.stiffness,
        damping=line.damping,
        length=line.length,
    )


def names_of(case: MbdmCase) -> Names:
    """Return the names of a case's parts in a model: legal, and unique with capitals not counting."""
    taken = {WORLD}

    def unique(wanted: str) -> str:
        name, count = wanted, 1
        while name.casefold() in taken:
            count += 1
            name = f"{wanted[:58]} {count}"
        taken.add(name.casefold())
        return name

    bodies = tuple(unique(_legal(body.name, "body")) for body in case.bodies)
    joints = tuple(unique(f"joint {number}") for number in range(1, len(case.joints) + 1))
    return Names(bodies, joints, tuple(unique(_legal(line.name, "line")) for line in case.mooring))


def _legal(name: str, kind: str) -> str:
    """Return a name with only letters, digits, '_', '-' and spaces, a letter first."""
    kept = re.sub(r"[^A-Za-z0-9_\- ]", "_", name.strip())
    return (kept if re.match("[A-Za-z]", kept) else f"{kind} {kept}".strip())[:64]


def _remarks(case: MbdmCase) -> list[Problem]:
    """Return a remark for each thing a case says that a model does not, and what is done about it."""
    message = (
        "N-R accuracy is the violation a step must not leave, N-R steps the most that Newton takes towards rounding"
    )
    found = [case.problem("accuracy", message, "note")]
    if not case.dynamic:
        found.append(case.problem("dynamic", "a kinematic analysis: every motion must follow from drivers", "note"))
    if case.t_start:
        message = f"a model's time starts at 0; legacy output files are written from {case.t_start:g} s on"
        found.append(case.problem("t_start", message, "note"))
    if case.parameters.attempt_fix:
        message = "'Attempt fix' is not used: drivers here have no singular angle, and the fix costs accuracy"
        found.append(case.problem("parameters.attempt_fix", message, "warning"))
    if case.solvers is not None:
        found.append(
            case.problem(
                "solvers.coupling", "the coupled solvers stay with the case; a model does not name them", "note"
            )
        )
    for number, joint in enumerate(case.joints, start=1):
        used = JOINT_TYPES.get(joint.type, JOINT_FIELDS)
        given = [field for field in JOINT_FIELDS if field not in used and np.any(getattr(joint, field))]
        given += ["r1"] if joint.type == "RDRV" and any(joint.r1[1:]) else []
        if given:
            message = f"{joint.type} does not use {' and '.join(given)}" + (
                " beyond its first number" if given == ["r1"] else ""
            )
            found.append(case.problem(f"joints.{number}.{given[0]}", message, "note"))
    for number, (body, name) in enumerate(zip(case.bodies, names_of(case).bodies), start=1):
        if body.name != name:
            message = f"the name {body.name!r} is taken or not allowed in a model; it becomes '{name}'"
            found.append(case.problem(f"bodies.{number}.name", message, "note"))
        if max(map(abs, body.angles)) > 2 * math.pi:
            message = "angles are radians; one of these is more than a full turn"
            found.append(case.problem(f"bodies.{number}.angles", message, "warning"))
    return found


def _poses(case: MbdmCase, found: list[Problem], broken: Set[str]) -> list[Pose]:
    """Return where bodies are drawn; one that is held is drawn where its constraint holds it. Sections 7.3.2, 7.3.5."""
    poses = [Pose(body.r, quaternion_of_angles(*body.angles)) for body in case.bodies]
    for number, joint in enumerate(case.joints, start=1):
        if joint.type not in ("G", "ABA") or f"joints.{number}" in broken:
            continue
        body = joint.bodies[0]
        before = poses[body - 1]
        q = quaternion_from_vector(joint.q1, before.quaternion)
        if q is None:
            message = (
                f"holds e1, e2, e3 of a unit quaternion, no longer than 1; got a length of {math.hypot(*joint.q1):g}"
            )
            found.append(case.problem(f"joints.{number}.q1", message))
            continue
        after = Pose(joint.p1 if joint.type == "G" else before.position, q)
        poses[body - 1] = after
        moved = math.dist(before.position, after.position)
        turned = 2 * math.acos(min(1.0, abs(float(np.dot(before.quaternion, q)))))
        if moved > SAME or 1 - abs(float(np.dot(before.quaternion, q))) > SAME:
            message = f"holds body {body} {moved:.3g} m and {turned:.3g} rad from where its entry draws it; this counts"
            found.append(case.problem(f"joints.{number}", message, "warning"))
    return poses


def _body(case: MbdmCase, number: int, pose: Pose, found: list[Problem]) -> Body:
    body: MbdmBody = case.bodies[number - 1]
    level = pose.quaternion[1:] == (0.0, 0.0, 0.0)
    made = Body(
        mass=body.mass,
        inertia=body.inertia,
        position=pose.position,
        orientation=None if level else Orientation(quaternion=pose.quaternion),
        velocity=body.v,
        angular_velocity=body.omega,
    )
    low, middle, high = principal_moments(made)
    if low >= 0 and low + middle - high < -PHYSICAL * high:
        message = "breaks the triangle inequality, which the original program does not look at; kept as 'idealised'"
        found.append(case.problem(f"bodies.{number}.i1", message, "warning"))
        made = made.model_copy(update={"idealised": True})
    return made


def _run(case: MbdmCase) -> Run:
    """Return how the case is run; the record holds every instant that output or tracers ask for."""
    every = math.gcd(case.save_output, case.save_tracers)
    return Run(
        duration=case.t_end - case.t_start,
        dt=case.dt,
        output_every=every or max(1, round((case.t_end - case.t_start) / case.dt)),
        formulation="constrained" if "constrained" in FORMULATIONS else "auto",
    )


def _at_entries(case: MbdmCase, findings: list[tuple[str, str, str]], names: Names) -> list[Problem]:
    """Return the findings in a model (path, message, severity), each at the legacy entry it comes from."""
    numbers = {name: f"bodies.{i}" for i, name in enumerate(names.bodies, start=1)}
    numbers |= {name: f"joints.{i}" for i, name in enumerate(names.joints, start=1)}
    numbers |= {name: f"mooring.{i}" for i, name in enumerate(names.lines, start=1)}
    found = []
    for path, message, severity in findings:
        name, _, field = path.partition(".")[2].partition(".")
        inside = ".".join(part for part in (numbers.get(name, ""), "i1" if field == "inertia" else field) if part)
        found.append(case.problem(inside, message, severity))
    return found


def _refuse(found: list[Problem]) -> None:
    errors = [problem for problem in found if problem.severity == "error"]
    if errors:
        raise InvalidInput(errors)
