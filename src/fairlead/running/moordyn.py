"""Dynamic mooring lines by MoorDyn: advanced once per step, silent, its state in our checkpoints.

MoorDyn gets position and velocity of its coupled points at the start of a step and moves them on evenly; the forces it
gives for the end of the step act during the next one. They are held at the points, whose arms follow the body.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.errors import FairleadError, InvalidInput, NumericalFailure, Problem
from fairlead.model.compile import Compiled
from fairlead.model.moordyn_file import read_moordyn


def partners_of(compiled: Compiled) -> list[MoorDynPartner]:
    """Return the partners of a model, each ready to answer for its load row."""
    partners = []
    for row, name in compiled.index.partners.items():
        partner = MoorDynPartner(name, compiled.model.loads[name], compiled)
        compiled.index.outside[row] = partner.wrench
        partners.append(partner)
    return partners


class MoorDynPartner:
    """One MoorDyn system whose coupled points ride on one body."""

    def __init__(self, name: str, word: Any, compiled: Compiled) -> None:
        self.name, self.word = name, word
        self.library, about = _library(name), self._about()
        from fairlead.model.geometry import rotation_of

        body = compiled.model.bodies[self.word.body]
        # From the mass centre, in body axes: the file's points are those of the drawing.
        self.arms_B = (np.array(about.points) - np.array(body.position)) @ rotation_of(body)
        with silent():
            self.system = self.library.Create(self.word.file)
            freedoms = self.library.NCoupledDOF(self.system)
            self.library.SetVerbosity(self.system, self.library.LEVEL_NONE)
        if freedoms != 3 * len(self.arms_B):
            raise self._problem(
                f"MoorDyn counts {freedoms} coupled coordinates, but the file has {len(self.arms_B)} coupled points; "
                "coupled bodies and rods are not covered, attach the lines to points"
            )
        self.forces = np.zeros_like(self.arms_B)
        self.next = self.forces
        self.begun = False

    def _about(self) -> Any:
        """Read the file and refuse a step that its lines do not bear."""
        try:
            about = read_moordyn(self.word.file)
        except FairleadError as error:
            raise self._problem(str(error)) from None
        step = "its own step" if about.dt is None else f"dtM {about.dt:g} s"
        bears = f"stable below {about.stable:.3g} s ({about.scheme})"
        self.statement = f"load '{self.name}' by MoorDyn, advanced once per step, {step}, {bears}"
        if about.dt is not None and about.dt > about.stable:
            raise self._problem(
                f"dtM {about.dt:g} s is beyond the stable step of its lines, {about.stable:.3g} s with {about.scheme}; "
                "lower it, or take fewer segments"
            )
        return about

    def _problem(self, message: str) -> InvalidInput:
        return InvalidInput([Problem(message, f"loads.{self.name}.file")])

    def _points(self, motion: dict[str, Any]) -> tuple[Any, Any, Any]:
        """Return arms, positions and velocities of the coupled points, world axes."""
        x, R_WB, u, w = motion[self.word.body]
        arms = self.arms_B @ R_WB.T
        return arms, x + arms, u + np.cross(w, arms)

    def wrench(self, t: float, motion: dict[str, Any]) -> Any:
        """Return force and moment about the mass centre from the forces that are held."""
        arms, x, v = self._points(motion)
        if not self.begun:
            self._begin(t, x, v)
        return np.concatenate([self.forces.sum(axis=0), np.cross(arms, self.forces).sum(axis=0)])

    def _begin(self, t: float, x: Any, v: Any) -> None:
        with silent():
            if self.library.Init(self.system, x.ravel().tolist(), v.ravel().tolist()):
                raise NumericalFailure(f"MoorDyn could not start load '{self.name}'; look at its input file")
        self.begun = True
        self.forces = self._step(t, 0.0, x, v)

    def _step(self, t: float, dt: float, x: Any, v: Any) -> Any:
        with silent():
            answer = self.library.Step(self.system, x.ravel().tolist(), v.ravel().tolist(), t, dt)
        forces = np.array(answer, dtype=float).reshape(-1)
        if forces.size != self.arms_B.size or not np.isfinite(forces).all():
            raise NumericalFailure(
                f"MoorDyn gave no finite forces for load '{self.name}' at t = {t:.6g} s ({self.statement}); "
                "lower its dtM"
            )
        return forces.reshape(self.arms_B.shape)

    def advance(self, t0: float, t1: float, motion: dict[str, Any]) -> None:
        """Let MoorDyn go from t0 to t1; what it answers is used from t1 on."""
        _, x, v = self._points(motion)
        if not self.begun:
            self._begin(t0, x, v)
        self.next = self._step(t0, t1 - t0, x, v)

    def accept(self) -> None:
        """Take over the forces of the step that has ended."""
        self.forces = self.next

    def memory(self) -> Any:
        """Return MoorDyn's state and the held forces as floats: how many bytes, then the bytes, then the forces."""
        data = bytes(self.library.Serialize(self.system))
        padded = np.frombuffer(data + bytes(-len(data) % 8), dtype="<f8")
        return np.concatenate([[float(len(data))], padded, self.forces.ravel()])

    def restore(self, memory: Any) -> None:
        """Continue from `memory()`."""
        forces, length = self.arms_B.size, int(memory[0])
        self.forces = np.array(memory[-forces:]).reshape(self.arms_B.shape)
        data = np.ascontiguousarray(memory[1:-forces], dtype="<f8").tobytes()[:length]
        zeros = [0.0] * forces
        with silent():
            start = getattr(self.library, "Init_NoIC", self.library.Init)
            start(self.system, zeros, zeros)
            self.library.Deserialize(self.system, data)
        self.begun = True


def _library(name: str) -> Any:
    try:
        import moordyn
    except ImportError:
        message = "needs MoorDyn, which is not installed; install it with: pip install 'fairlead[moordyn]'"
        raise InvalidInput([Problem(message, f"loads.{name}")]) from None
    return moordyn


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Keep what a library prints, also from below Python, off the terminal."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    kept = [os.dup(1), os.dup(2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        for number, handle in zip((1, 2), kept):
            os.dup2(handle, number)
            os.close(handle)
        os.close(nowhere)
