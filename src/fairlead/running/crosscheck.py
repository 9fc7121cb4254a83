"""Crosscheck: one model through every formulation that can run it, and how far their records are apart."""

from __future__ import annotations

import sys
import time as wall
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.errors import FairleadError, InvalidInput, NumericalFailure, Problem
from fairlead.model.checks.checked import checked
from fairlead.model.schema import Model
from fairlead.model.topology import topology
from fairlead.results.dataset import RECORDED
from fairlead.running.formulations.table import FORMULATIONS
from fairlead.running.options import run_options
from fairlead.running.progress import Bar
from fairlead.running.run import simulate
from fairlead.running.steppers.tableaux import ADAPTIVE

if TYPE_CHECKING:
    import xarray as xr

# What is compared, and what its differences are measured by: the largest value of the first, or of all of these.
COMPARED = {
    "position": ("position",),
    "velocity": ("velocity",),
    "acceleration": ("acceleration",),
    "orientation": ("orientation",),
    "angular_velocity": ("angular_velocity",),
    "angular_acceleration": ("angular_acceleration",),
    "joint_rate": ("joint_rate", "angular_velocity", "velocity"),
    "joint_acceleration": ("joint_acceleration", "angular_acceleration", "acceleration"),
    "driver_force": ("driver_force", "joint_moment", "joint_force"),
    "joint_force": ("joint_force", "load_force"),
    "joint_moment": ("joint_moment", "load_moment", "joint_force"),
    "load_force": ("load_force",),
    "load_moment": ("load_moment", "load_force"),
    "kinetic_energy": ("kinetic_energy", "potential_energy"),
}
# Other ways to run a formulation, compared too where the model has loops: name -> formulation and its options.
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    f"{name} {variant}": (name, dict(options))
    for name, way in FORMULATIONS.items()
    for variant, options in way.variants.items()
}
RTOL, ATOL = 1e-12, 1e-14  # of adaptive integrators, unless given
DENSE_BODIES = 40  # more make the dense equations of the variants too slow to wait for
PATIENCE, TIMES_FASTEST = 60.0, 30.0  # [s] that a formulation may take; more, if the fastest took long itself
NOTICED = 1e-4  # of its natural size; what stays below is measured by this, lest rounding is measured by rounding


@dataclass(frozen=True)
class Crosscheck:
    """The verdict: `passed`, the `differences` (formulation x variable, relative), who refused and why."""

    differences: xr.Dataset
    tolerance: float
    reference: str
    refused: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def formulations(self) -> list[str]:
        """The formulations that ran."""
        return list(self.data)

    @property
    def passed(self) -> bool:
        """True if at least two ran, none failed on the way, and all differences are within the tolerance."""
        worst = self.differences["relative"].values
        return len(self.data) > 1 and not self.failed and bool(np.all(worst <= self.tolerance))

    def table(self) -> str:
        """Return the largest differences as plain text, one column per formulation."""
        others = [name for name in self.data if name != self.reference]
        width = max(len(name) for name in COMPARED)
        lines = [f"largest difference from '{self.reference}', relative"]
        heads = [[name.partition(" ")[row] for name in others] for row in (0, 2)]
        lines.append(f"{'variable':{width}}  {'scale':>10}" + "".join(f"  {head:>16}" for head in heads[0]) + "  unit")
        if any(heads[1]):
            lines.append(" " * (width + 12) + "".join(f"  {head:>16}" for head in heads[1]))
        for name in self.differences["variable"].values:
            row = self.differences.sel(variable=name)
            figures = "".join(f"  {float(row['relative'].sel(formulation=other)):>16.2e}" for other in others)
            lines.append(f"{name:{width}}  {float(row['scale']):>10.4g}{figures}  {RECORDED[str(name)].units}")
        lines += [f"{name} failed: {why}" for name, why in self.failed.items()]
        lines += [f"{name} cannot run it: {why}" for name, why in self.refused.items()]
        if len(self.data) < 2:
            lines.append("fewer than two formulations ran, so nothing was compared")
        verdict = "PASS" if self.passed else "FAIL"
        return "\n".join([*lines, f"{verdict} ({len(self.data)} formulations, tolerance {self.tolerance:g})"])

    def __str__(self) -> str:
        return self.table()

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict and its figures as plain numbers and texts, ready for JSON."""
        relative = self.differences["relative"]
        figures = {
            str(name): {str(v): float(relative.sel(formulation=name, variable=v)) for v in relative["variable"].values}
            for name in relative["formulation"].values
        }
        return {
            "passed": self.passed,
            "tolerance": self.tolerance,
            "reference": self.reference,
            "differences": figures,
            "refused": self.refused,
            "failed": self.failed,
        }


def crosscheck(
    model: Model,
    duration: float | str | None = None,
    dt: float | str | None = None,
    *,
    tolerance: float = 1e-6,
    formulations: Sequence[str] | None = None,
    integrator: str = "dop853",
    rtol: float | None = None,
    atol: float | None = None,
    progress: Any = None,
    patience: float = PATIENCE,
) -> Crosscheck:
    """Return how far the records of every formulation that can run `model` are apart, relative to each one's size.

    All run with the same integrator, by default at rtol 1e-12; `tolerance` decides `passed`. Where there are loops,
    `constrained` runs by projection, by partition and with Euler parameters. Reactions that redundant constraints leave
    open are not compared. One that takes longer than `patience` [s], and 30 times the fastest, is given up as failed.
    """
    model = checked(model)
    words = {"duration": duration, "dt": dt, "integrator": integrator, "rtol": rtol, "atol": atol}
    run_options(model, words)  # a mistake is told once
    if integrator in ADAPTIVE:
        rtol, atol = (given if value is None else value for value, given in ((rtol, RTOL), (atol, ATOL)))
    if not tolerance >= 0:
        raise InvalidInput(f"tolerance must be a number, zero or more; got {tolerance!r}")
    names = _names(model) if formulations is None else list(formulations)
    known = [*FORMULATIONS, *VARIANTS]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InvalidInput(f"formulation '{unknown[0]}' is not known; use some of {', '.join(known)}")
    refused: dict[str, str] = {}
    failed: dict[str, str] = {}
    data: dict[str, Any] = {}
    wrong, fastest = None, np.inf
    for name in names:
        formulation, variant = VARIANTS.get(name, (name, {}))
        reasons = FORMULATIONS[formulation].accepts(model)
        if reasons:
            refused[name] = _first_of(reasons)
            continue
        allowed = patience if not np.isfinite(fastest) else max(patience, TIMES_FASTEST * fastest)
        try:
            data[name] = simulate(
                model,
                duration,
                dt,
                formulation=formulation,
                integrator=integrator,
                rtol=rtol,
                atol=atol,
                progress=Patience(name, allowed, progress),
                **variant,
            )
        except InvalidInput as error:  # what this formulation does not take after all
            refused[name], wrong = _first_of(error.problems), wrong or error
        except FairleadError as error:
            failed[name] = str(error)
        else:
            fastest = min(fastest, float(data[name].attrs["wall_time"]))
    if wrong and not data and not failed:
        raise wrong
    reference = next(iter(data), "")
    return Crosscheck(_differences(data, reference), tolerance, reference, refused, failed, data)


def _names(model: Model) -> list[str]:
    """Return the formulations to compare, and variants of `constrained` where a model has loops they can be used on."""
    loops = topology(model).loops and len(model.bodies) <= DENSE_BODIES
    return [*FORMULATIONS, *(VARIANTS if loops else ())]


class Patience:
    """Reports how far one formulation is, and gives it up when it takes too long."""

    def __init__(self, name: str, seconds: float, progress: Any) -> None:
        self.name, self.seconds, self.progress = name, seconds, progress
        self.began: float | None = None  # of the first steps: compiling does not count
        self.bar = Bar(name) if progress is True or (progress is None and sys.stderr.isatty()) else None

    def __call__(self, time: float, end: float) -> None:
        if callable(self.progress):
            self.progress(time, end)
        if self.bar is not None:
            self.bar.report(time, end)
        if self.began is None:
            self.began = wall.monotonic()
        spent = wall.monotonic() - self.began
        if spent > self.seconds and time < end:
            raise NumericalFailure(
                f"given up after {spent:.0f} s at t = {time:.4g} s of {end:g} s; shorten the duration, loosen rtol, or "
                "give it more time (patience)"
            )


def _first_of(reasons: Sequence[Problem]) -> str:
    """Return the first of the reasons and how many there are besides."""
    more = len(reasons) - 1
    return str(reasons[0].message) + (f" (and {more} more reason{'s' if more > 1 else ''})" if more else "")


def _differences(data: dict[str, Any], reference: str) -> Any:
    """Return the largest differences from the reference, absolute and relative, and the scales they are measured by."""
    import xarray as xr

    others = [name for name in data if name != reference]
    variables = [name for name in COMPARED if reference and data[reference][name].size]
    absolute = np.zeros((len(others), len(variables)))
    least = _least_scales(data[reference]) if reference else {}
    scale = np.array([max(_scale(name, data), least[name]) for name in variables])
    for row, other in enumerate(others):
        for column, name in enumerate(variables):
            absolute[row, column] = _apart(name, data[reference], data[other])
    relative = absolute / np.where(scale > 0, scale, 1.0)
    return xr.Dataset(
        {
            "absolute": (("formulation", "variable"), absolute),
            "relative": (("formulation", "variable"), relative),
            "scale": (("variable",), scale),
        },
        coords={"formulation": others, "variable": variables},
        attrs={"reference": reference},
    )


def _scale(name: str, data: dict[str, Any]) -> float:
    values = [np.abs(one[of].values) for one in data.values() for of in COMPARED[name]]
    return float(max((np.nanmax(v) for v in values if v.size), default=0.0))


def _least_scales(data: Any) -> dict[str, float]:
    """Return the least size each variable's differences are measured by: NOTICED of what the machine's own size gives.

    A variable that is zero but for rounding (rotation in free fall, loads of joints at rest) is else measured by that.
    """
    points = np.concatenate([data["position"].values[0], data["joint_point"].values[0]])
    mass, inertia = data["mass"].values, data["inertia"].values
    gyration = np.sqrt(np.trace(inertia, axis1=1, axis2=2).max() / mass.max())
    length = max(np.linalg.norm(points - points.mean(0), axis=1).max(), gyration) or 1.0
    pull = max(np.abs(data["acceleration"].values).max(), np.abs(data["gravity"].values).max())
    force = mass.sum() * pull
    turn, speed = np.sqrt(pull / length), np.sqrt(pull * length)
    natural = {
        "position": length,
        "velocity": speed,
        "acceleration": pull,
        "orientation": 1.0,
        "angular_velocity": turn,
        "angular_acceleration": pull / length,
        "joint_rate": max(turn, speed),
        "joint_acceleration": max(pull / length, pull),
        "driver_force": max(force, force * length),
        "joint_force": force,
        "joint_moment": force * length,
        "load_force": force,
        "load_moment": force * length,
        "kinetic_energy": force * length,
    }
    return {name: NOTICED * float(size) for name, size in natural.items()}


def _apart(name: str, one: Any, other: Any) -> float:
    """Return the largest difference of a variable; a quaternion and its negative are the same attitude."""
    a, b = one[name], other[name]
    if name.startswith("joint_") and "joint" in a.dims:
        open_ones = {j for data in (one, other) for j in data.attrs.get("reactions_not_unique", "").split("; ")}
        keep = [joint for joint in a["joint"].values if joint not in open_ones]
        a, b = a.sel(joint=keep), b.sel(joint=keep)
    a, b = a.values, b.values
    if name == "orientation":
        b = b * np.where(np.sum(a * b, axis=-1, keepdims=True) < 0, -1.0, 1.0)
    return float(np.nanmax(np.abs(a - b), initial=0.0))
