"""The small Bladed-style library of `discon.c`, compiled by the machine's own compiler, and its law in Python."""

from __future__ import annotations

import atexit
import math
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

COMPILER = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
NO_COMPILER = "no C compiler (gcc, cc, clang): Bladed-style libraries are NOT tested on this machine"
GAINS = {"oc3": (0.006275604, 0.0008965149), "land": (0.01882681, 0.008068634)}  # kp [s], ki [-] of generator speed


@cache
def folder() -> Path:
    """Return the folder of this process that holds the library and its input files."""
    found = Path(tempfile.mkdtemp(prefix="discon-"))
    atexit.register(shutil.rmtree, found, ignore_errors=True)
    for name, (kp, ki) in GAINS.items():
        (found / f"{name}.in").write_text(f"{kp!r} {ki!r}\n")
    return found


@cache
def library() -> str:
    """Return the path of the library, compiled now; without a compiler nothing is there."""
    path = folder() / "libdiscon.so"
    if COMPILER:
        source = Path(__file__).with_suffix(".c")
        words = [COMPILER, "-shared", "-fPIC", "-O2", "-ffp-contract=off", "-o", str(path), str(source), "-lm"]
        subprocess.run(words, check=True, capture_output=True, timeout=60)
    return str(path)


class BaselineLaw:
    """The controller of the NREL 5 MW reference turbine, asked with generator speed; gives torque and blade pitch.

    NREL/TP-500-38060 section 7 with constant torque above rated; the numbers are those of the r-test's OC3-Hywind case.
    """

    def __init__(self, gains: str = "oc3", period: float = 0.0125, pitch: float = 0.0) -> None:
        (self.kp, self.ki), self.period = GAINS[gains], period
        self.set_state([0.0, 0.0, 0.0, pitch, 0.0])

    def get_state(self) -> list[float]:
        return [self.calls, self.filtered, self.integral, self.pitch, self.torque]

    def set_state(self, state: Any) -> None:
        self.calls, self.filtered, self.integral, self.pitch, self.torque = map(float, state)

    def __call__(self, t: float, inputs: Any) -> dict[str, float]:
        w, dt = float(inputs[0]), self.period
        if not self.calls:
            self.filtered, self.integral = w, self.pitch * (1 + self.pitch / 0.1099965) / self.ki
        a, factor = math.exp(-dt * 1.570796), 1 / (1 + self.pitch / 0.1099965)
        self.filtered = (1 - a) * w + a * self.filtered
        wanted = min(max(region(self.filtered, self.pitch), 0.0), 47402.91)
        step = 15000.0 * dt
        self.torque = min(max(wanted, self.torque - step), self.torque + step) if self.calls else wanted
        error = self.filtered - 122.9096
        self.integral = min(max(self.integral + error * dt, 0.0), 1.570796 / (factor * self.ki))
        wanted = min(max(factor * (self.kp * error + self.ki * self.integral), 0.0), 1.570796)
        step = 0.1396263 * dt
        self.pitch = min(max(wanted, self.pitch - step), self.pitch + step)
        self.calls += 1
        return {"torque": self.torque, "pitch": self.pitch}


def region(w: float, last_pitch: float) -> float:
    """Return the torque of the regions at a filtered speed."""
    rated, cut_in, two, K, constant = 121.6805, 70.16224, 91.21091, 2.332287, 5296610.0 / 122.9096
    synchronous, slope15 = rated / 1.1, K * two * two / (two - cut_in)
    slope25 = constant / (rated - synchronous)
    start25 = (slope25 - math.sqrt(slope25 * (slope25 - 4 * K * synchronous))) / (2 * K)
    if w >= rated or last_pitch >= 0.01745329:
        return constant
    if w <= cut_in:
        return 0.0
    if w < two:
        return slope15 * (w - cut_in)
    return K * w * w if w < start25 else slope25 * (w - synchronous)


def through_the_array(law: BaselineLaw, t: float, speed: float) -> tuple[float, float]:
    """Return torque and pitch of a law whose numbers go through the single-precision array."""
    given = law(t, [float(np.float32(speed))])
    return float(np.float32(given["torque"])), float(np.float32(given["pitch"]))
