"""The summary of a legacy case before it runs, as MBDM's `print_info`, and whether the case is plausible.

The note names what the routine prints (Table 13: the system to be solved and the numerical parameters; section 10.3:
what the assembly corrects), not how. Freedoms that a joint removes are those of its Table 11.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.core.layout import LENGTH
from fairlead.errors import InvalidInput
from fairlead.formats.mbdm.angles import quaternion_of_angles
from fairlead.formats.mbdm.case import REMOVED, MbdmCase
from fairlead.formats.mbdm.convert import names_of
from fairlead.formats.mbdm.keys import PARAMETERS
from fairlead.running.legacy.state import Array, legacy_state
from fairlead.running.simulation import Simulation

SAME = 1e-9  # metres, radians and their rates that count as no correction


def summary(case: MbdmCase, simulation: Simulation) -> str:
    """Return the summary of a case: bodies, joints, freedoms, corrections, times, Newton's settings, what is saved."""
    return "\n".join([*_system(case, simulation), *_corrections(case, simulation), *_numbers(case)])


def _system(case: MbdmCase, simulation: Simulation) -> Iterator[str]:
    yield f"{case.name}: {'dynamic' if case.dynamic else 'kinematic'} analysis"
    yield f"bodies: {len(case.bodies)}"
    for number, body in enumerate(case.bodies, start=1):
        place = f"r ({_three(body.r)}) m, angles ({_three(body.angles)}) rad"
        yield f"  {number} {body.name}: mass {body.mass:g} kg, {place}"
    yield f"joints and drivers: {len(case.joints)}"
    for number, joint in enumerate(case.joints, start=1):
        bodies = " and ".join(case.bodies[i - 1].name for i in joint.bodies if i)
        yield f"  {number} {joint.type}: {bodies}, removes {REMOVED[joint.type]}"
    removed = sum(REMOVED[joint.type] for joint in case.joints)
    assembly = simulation.assembly
    left = f", left {assembly.freedoms}" if assembly else ""
    yield f"degrees of freedom: {6 * len(case.bodies)}, removed by joints {removed}{left}"
    if assembly and assembly.redundant:
        yield f"redundant equations: {len(assembly.redundant)} ({'; '.join(assembly.redundant)})"
    for name, line in zip(names_of(case).lines, case.mooring):
        ends = f"anchor ({_three(line.anchor)}) m, body {line.body}"
        yield f"mooring {name}: {ends}, {line.length:g} m, {line.stiffness:g} N/m, {line.damping:g} N s/m"
    for number, group in enumerate(case.tracers, start=1):
        yield f"tracer group {number}: {len(group.tracers)} on body {group.body}"


def _corrections(case: MbdmCase, simulation: Simulation) -> Iterator[str]:
    """Tell how far the assembled start is from what the files give, body by body. MBDM note section 10.3."""
    q, rate = legacy_state(simulation)
    order = simulation.compiled.index.tree_order
    if simulation.step:
        yield f"goes on from t = {case.t_start + simulation.time:g} s"
        return
    for number, (body, name) in enumerate(zip(case.bodies, names_of(case).bodies)):
        place, p = q[7 * number : 7 * number + 3], q[7 * number + 3 : 7 * number + 7]
        w = simulation.y[LENGTH * order[name] + 10 : LENGTH * order[name] + LENGTH]
        away = {
            "m": _size(place - body.r),
            "rad": _angle(p, np.array(quaternion_of_angles(*body.angles))),
            "m/s": _size(rate[7 * number : 7 * number + 3] - body.v),
            "rad/s": _size(w - body.omega),
        }
        if max(away.values()) > SAME:
            said = ", ".join(f"{value:.3g} {unit}" for unit, value in away.items() if value > SAME)
            yield f"assembly corrects body {number + 1} {body.name} by {said}"


def _angle(p: Array, q: Array) -> float:
    """Return the angle between two attitudes, exact for small ones: |p - +-q| = 2 sin(angle / 4)."""
    return 4 * math.asin(min(1.0, _size(p - q) / 2, _size(p + q) / 2))


def _size(vector: Array) -> float:
    return float(np.linalg.norm(vector))


def _numbers(case: MbdmCase) -> Iterator[str]:
    yield f"time: {case.t_start:g} to {case.t_end:g} s in steps of {case.dt:g} s"
    yield f"Newton-Raphson: accuracy {case.accuracy:g}, at most {case.iterations} steps"
    saved = {"output": case.save_output, "checkpoint": case.save_checkpoint, "tracers": case.save_tracers}
    said = (f"{name} {f'every {every} steps' if every else 'never'}" for name, every in saved.items())
    yield f"saved: {', '.join(said)}"
    flags = ((key, getattr(case.parameters, name)) for name, key in PARAMETERS.fields.items())
    yield "flags: " + ", ".join(f"{key} {'on' if on else 'off'}" for key, on in flags)


def _three(values: tuple[float, float, float]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def not_driven(case: MbdmCase, simulation: Simulation) -> None:
    """Raise InvalidInput if a kinematic analysis leaves something undriven: it has no answer without forces."""
    assembly = simulation.assembly
    if assembly is None or not assembly.freedoms:
        return
    count = assembly.freedoms
    which = f" (for instance {', '.join(assembly.independent)})" if assembly.independent else ""
    message = (
        f"a kinematic analysis needs every motion driven, and {count} degree{'s' if count > 1 else ''} of freedom "
        f"{'are' if count > 1 else 'is'} not{which}; add as many drivers (RDRV), or ask for a dynamic one with 1"
    )
    raise InvalidInput([case.problem("dynamic", message)])
