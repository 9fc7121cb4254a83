"""Kernels compiled ahead of their first use: every formulation with every kind of stepping loop."""

from __future__ import annotations

import multiprocessing
import os
import time as wall
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fairlead.model.bodies import Body
from fairlead.model.joints.types import Revolute, Spherical
from fairlead.model.loads.forces import Force
from fairlead.model.schema import Model
from fairlead.running.formulations.table import FORMULATIONS, choose
from fairlead.running.simulation import Simulation

# One of each kind of stepping loop; with a load in Python the two halves of an evaluation are compiled instead.
IN_PYTHON = "a load in Python"
WAYS = ("rk4", "symplectic-euler", "dop853", IN_PYTHON)
DT, LEAN = 1e-3, 0.2  # [s], [rad]: 3-1-3 angles are not defined upright


def small_turbine(name: str) -> Model:
    """Return a tower with a driven nacelle that a formulation takes: floating, pinned and leaning, or with a rotor."""
    bodies = {"tower": Body(10.0, (5.0, 5.0, 1.0), (0, 0, 1)), "nacelle": Body(2.0, (0.5, 0.5, 0.5), (0, 0, 2))}
    joints: dict[str, Any] = {"yaw": Revolute("tower", "nacelle", (0, 0, 2), (0, 0, 1), motion={"rate": 0.1})}
    if name == "two-body-313":
        joints = {"pin": Spherical("world", "tower", (0, 0, 0), initial={"a": LEAN}), **joints}
    if name == "three-body":
        bodies["rotor"] = Body(1.0, (0.2, 0.1, 0.1), (0, 0, 2))
        joints["spin"] = Revolute("nacelle", "rotor", (0, 0, 2), (1, 0, 0), motion={"rate": 1.0})
    return Model(name="warm", bodies=bodies, joints=joints)


def compile_one(job: tuple[str, str]) -> float:
    """Compile (or load) what one formulation needs for one way of stepping; return the seconds it took."""
    from fairlead.core.jit.by_symbol import Kernel

    name, way = job
    started = wall.monotonic()
    model, integrator = small_turbine(name), way
    if way == IN_PYTHON:
        integrator = "rk4"
        still = Force("tower", function=lambda t, motion: (0.0,) * 6)
        model = Model(name="warm", bodies=model.bodies, joints=model.joints, loads={"still": still})
    Kernel.ahead = True
    try:
        simulation = Simulation(model, 2 * DT, DT, formulation=name, integrator=integrator)
        while not simulation.finished:
            simulation.advance()
    finally:
        Kernel.ahead = False
    return wall.monotonic() - started


def warm(formulations: Iterable[str] | None = None, say: Callable[[str], Any] = print) -> None:
    """Compile the kernels of formulations, all unless given, on every core, and say what was done.

    The first job is done alone: its parts are shared by the others, which would each compile them.
    """
    names = [choose(small_turbine(name), name).name for name in formulations or FORMULATIONS]
    jobs = [(name, way) for way in WAYS for name in names]
    for (name, way), seconds in zip(jobs, _done(jobs)):
        say(f"{name} with {way}: {seconds:.1f} s")


def _done(jobs: list[tuple[str, str]]) -> Iterator[float]:
    yield compile_one(jobs[0])
    with multiprocessing.get_context("spawn").Pool(min(os.cpu_count() or 1, len(jobs))) as pool:
        yield from pool.imap(compile_one, jobs[1:])
