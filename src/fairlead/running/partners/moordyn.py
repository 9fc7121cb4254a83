"""Dynamic mooring lines by MoorDyn: advanced once per step, silent, its state in our checkpoints.

MoorDyn gets position and velocity of its coupled points at the start of a step and moves them on evenly; the forces it
gives for the end of the step act during the next one. They are held at the points, whose arms follow the body.
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import sys
import tempfile
import weakref
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from fairlead.errors import InvalidInput, NumericalFailure, Problem
from fairlead.model.compile import Compiled
from fairlead.model.loads.moordyn_file import MoorDynFile
from fairlead.plain_files import read_lines

ABSURD = 1e30  # [N] beyond this, and where it is no number, lines have broken down
OWN_OUTPUT_OFF = ["1 disableOutput", "1 disableOutTime", "0 writeLog"]


def partners_of(compiled: Compiled) -> list[MoorDynPartner]:
    """Return the partners of a model, each ready to answer for its load rows."""
    partners = []
    for name, (rows, about) in compiled.index.partners.items():
        partner = MoorDynPartner(name, compiled.model.loads[name], rows, about, compiled)
        compiled.index.outside |= {row: partial(partner.wrench, number) for number, row in enumerate(rows)}
        partners.append(partner)
    return partners


class MoorDynPartner:
    """One MoorDyn system whose coupled points ride on one body."""

    def __init__(self, name: str, word: Any, rows: list[int], about: MoorDynFile, compiled: Compiled) -> None:
        self.name, self.word, self.rows = name, word, rows
        self.library = _library(name)
        self.statement = self._say_step(about)
        from fairlead.model.joints.geometry import rotation_of

        body = compiled.model.bodies[word.body]
        # From the mass centre, in body axes: the file's points are those of the drawing.
        self.arms_B = (np.array(list(about.points.values())) - np.array(body.position)) @ rotation_of(body)
        self.system = self._create(about.step if about.dt is None else None)
        with silent():
            freedoms = self.library.NCoupledDOF(self.system)
            self.library.SetVerbosity(self.system, self.library.LEVEL_NONE)
        if freedoms != 3 * len(self.arms_B):
            raise self._problem(
                f"MoorDyn counts {freedoms} coupled coordinates, but the file has {len(self.arms_B)} coupled points; "
                "coupled bodies and rods are not covered, attach the lines to points"
            )
        self.forces = self.next = self.held = np.zeros_like(self.arms_B)  # until the step ends; from then on; now
        self.until = -math.inf  # where the step ends
        self.begun = False

    def _say_step(self, about: MoorDynFile) -> str:
        """Return how MoorDyn is advanced and which step it takes."""
        known = f"stable below {about.stable:.3g} s ({about.scheme})"
        bears = known if math.isfinite(about.stable) else f"what is stable with {about.scheme} is not known"
        step = "its own step" if about.step is None else f"dtM {about.step:.3g} s"
        return (
            f"load '{self.name}' by MoorDyn, advanced once per step from the motion at its start, its forces held over "
            f"the next step, {step}{'' if about.dt else ' (chosen here)'}, {bears}"
        )

    def _create(self, step: float | None) -> Any:
        """Return MoorDyn's system, made from a copy of its file whose own output is switched off."""
        folder = _copy_in_own_folder(self.word.file)
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        said: list[str] = []
        try:
            with silent(said):
                system = self.library.Create(os.path.join(folder, os.path.basename(self.word.file)))
                if step is not None:
                    self.library.SetDt(system, step)
        except Exception:
            raise self._problem(f"MoorDyn refuses '{os.path.basename(self.word.file)}'{_reason(said)}") from None
        for line in said:
            if "WRN" in line:
                self.statement += f"; MoorDyn warns: {line.rpartition('(): ')[2].strip().removeprefix('Warning: ')}"
        weakref.finalize(self, _close, self.library, system)
        return system

    def _problem(self, message: str) -> InvalidInput:
        return InvalidInput([Problem(message, f"loads.{self.name}.file")])

    def _points(self, motion: dict[str, Any]) -> tuple[Any, Any, Any]:
        """Return arms, positions and velocities of the coupled points, world axes."""
        x, R_WB, u, w = motion[self.word.body]
        arms = self.arms_B @ R_WB.T
        return arms, x + arms, u + np.cross(w, arms)

    def wrench(self, number: int, t: float, motion: dict[str, Any]) -> Any:
        """Return force and moment about the mass centre from the force that is held at one point."""
        arms, x, v = self._points(motion)
        if not self.begun:
            self._begin(t, x, v)
        return np.concatenate([self.held[number], np.cross(arms[number], self.held[number])])

    def tensions(self) -> dict[int, float]:
        """Return the size of the force held at each point, by load row."""
        return dict(zip(self.rows, np.linalg.norm(self.held, axis=1).tolist()))

    def _begin(self, t: float, x: Any, v: Any) -> None:
        said: list[str] = []
        with silent(said):
            failed = self.library.Init(self.system, x.ravel().tolist(), v.ravel().tolist())
        if failed:
            raise NumericalFailure(
                f"MoorDyn found no start for load '{self.name}' at t = {t:.6g} s{_reason(said)}; "
                f"look at the lines of '{os.path.basename(self.word.file)}', or lower its dtM"
            )
        self.begun = True
        self.forces = self.next = self.held = self._step(t, 0.0, x, v)

    def _step(self, t: float, dt: float, x: Any, v: Any) -> Any:
        said: list[str] = []
        try:
            with silent(said):
                answer = self.library.Step(self.system, x.ravel().tolist(), v.ravel().tolist(), t, dt)
            forces = np.array(answer, dtype=float).reshape(-1)
        except Exception:
            forces = np.full(self.arms_B.size, np.nan)
        if forces.size != self.arms_B.size or not np.abs(forces).max() < ABSURD:
            raise NumericalFailure(
                f"MoorDyn gave no finite forces for load '{self.name}' at t = {t + dt:.6g} s "
                f"({self.statement}){_reason(said)}; lower its dtM or our dt"
            )
        return forces.reshape(self.arms_B.shape)

    def advance(self, t0: float, t1: float, motion: dict[str, Any]) -> None:
        """Let MoorDyn go from t0 to t1; what it answers is used from t1 on."""
        _, x, v = self._points(motion)
        if not self.begun:
            self._begin(t0, x, v)
        self.forces = self.next
        self.next, self.until = self._step(t0, t1 - t0, x, v), t1

    def hold(self, time: float) -> None:
        """Say which forces act: those of the step that `time`, the middle of what is stepped over, lies in."""
        self.held = self.forces if time < self.until else self.next

    def memory(self) -> Any:
        """Return MoorDyn's state and the forces as floats: how many bytes, the bytes, both forces, and until when."""
        data = bytes(self.library.Serialize(self.system))
        padded = np.frombuffer(data + bytes(-len(data) % 8), dtype="<f8")
        return np.concatenate([[float(len(data))], padded, self.forces.ravel(), self.next.ravel(), [self.until]])

    def restore(self, memory: Any) -> None:
        """Continue from `memory()`."""
        size, length = self.arms_B.size, int(memory[0])
        self.until = float(memory[-1])
        self.forces, self.next = np.array(memory[-2 * size - 1 : -1]).reshape(2, *self.arms_B.shape)
        data = np.ascontiguousarray(memory[1 : -2 * size - 1], dtype="<f8").tobytes()[:length]
        zeros = [0.0] * size
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


def _close(library: Any, system: Any) -> None:
    with contextlib.suppress(Exception), silent():
        library.Close(system)


def _copy_in_own_folder(path: str) -> str:
    """Return a new folder with a copy of the file and links to what stands beside it, so that nothing is written there.

    MoorDyn opens an output file beside its input even when it is told to write none.
    """
    folder, name = tempfile.mkdtemp(prefix="fairlead-moordyn-"), os.path.basename(path)
    with os.scandir(os.path.dirname(path)) as entries:
        for entry in entries:
            if entry.name not in (name, os.path.splitext(name)[0] + ".out"):
                os.symlink(entry.path, os.path.join(folder, entry.name))
    lines = read_lines(path)
    options = [at for at, line in enumerate(lines) if line.lstrip().startswith("---") and "OPTION" in line.upper()]
    if options:
        after = [at for at in range(options[0] + 1, len(lines)) if lines[at].lstrip().startswith("---")]
        end = after[0] if after else len(lines)
        lines[end:end] = OWN_OUTPUT_OFF
    with open(os.path.join(folder, name), "w", encoding="latin-1") as file:
        file.write("\n".join(lines) + "\n")
    return folder


def _reason(said: list[str]) -> str:
    """Return the reason MoorDyn gave for a failure, on one line, without the places in its sources."""
    errors = [at for at, line in enumerate(said) if "ERR " in line]
    if not errors:
        return ""
    text: list[str] = []
    for line in said[errors[0] :]:
        if line.startswith("Error (") or (text and "ERR " in line):
            break
        text.append(line.rpartition("(): ")[2].strip())
    found = " ".join(text)
    where, at_line, rest = found.partition(" at line ")
    return f" at line {rest}" if at_line and where.startswith("Error in") else f": {found}"


@contextlib.contextmanager
def silent(said: list[str] | None = None) -> Iterator[None]:
    """Keep what a library prints, also from below Python, off the terminal; its lines are put into `said`."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    kept = [os.dup(1), os.dup(2)]
    with tempfile.TemporaryFile() as sink:
        try:
            os.dup2(sink.fileno(), 1)
            os.dup2(sink.fileno(), 2)
            yield
        finally:
            for number, handle in zip((1, 2), kept):
                os.dup2(handle, number)
                os.close(handle)
            if said is not None and os.fstat(sink.fileno()).st_size:
                sink.seek(0)
                said += sink.read(65536).decode("latin-1").splitlines()
