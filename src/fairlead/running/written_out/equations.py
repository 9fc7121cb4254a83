"""`equations`: a model in, its equations of motion at one instant out, as a Dataset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.errors import InvalidInput, Problem
from fairlead.model.checks.checked import checked
from fairlead.model.loads.generator import Generator
from fairlead.model.schema import Model
from fairlead.running.given import state_of
from fairlead.running.options import time_in_seconds
from fairlead.running.record import model_hash
from fairlead.running.simulation import Simulation
from fairlead.running.written_out.cloud import cloud_equations
from fairlead.running.written_out.constrained import constrained_equations
from fairlead.running.written_out.kane import kane_equations, kane_state
from fairlead.running.written_out.tree import Points, tree_equations

if TYPE_CHECKING:
    import xarray as xr

WRITTEN = ("kane", "cloud", "articulated", "constrained")


def equations(
    model: Model,
    time: float | str | None = None,
    formulation: str = "kane",
    state: xr.Dataset | None = None,
    *,
    points: Mapping[str, tuple[str, Any]] | None = None,
    accelerations: Mapping[str, float] | None = None,
) -> xr.Dataset:
    """Return the Dataset of the equations of motion at one instant: mass matrix, forcing, coordinates by name.

    At the start, or at the last instant of the Dataset `state`; driven joints are where their motions put them at
    `time` (that of `state`, or 0). `formulation` is "kane" ([A], {f} and partial velocities of the Kane notes), "cloud"
    (P1, Q1, P2, Q2 of the MCM paper as printed), "articulated" (M(q), bias, gravity of a tree in joint coordinates) or
    "constrained" (masses, Jacobian and gamma of absolute coordinates). With "articulated", `points` such as
    {"tip": ("hand", (x, y, z))}, world points of the drawing on a body, have their Jacobians in the answer, and
    `accelerations` by coordinate (the others zero) the forces `inverse_dynamics` that they need.
    """
    model = checked(model)
    if formulation not in WRITTEN:
        raise InvalidInput([Problem(f"must be one of {', '.join(WRITTEN)}; got '{formulation}'", "formulation")])
    for name, given in (("points", points), ("accelerations", accelerations)):
        if given is not None and formulation != "articulated":
            raise InvalidInput([Problem(f"is for formulation 'articulated', not '{formulation}'", name)])
    if state is not None and "time" in state.dims:
        state = state.isel(time=-1)
    at = _instant(time, state)
    simulation = Simulation(model, 1.0, 1.0, formulation=formulation, instant=at)
    simulation.work.window[:] = at
    if simulation.arrays.coordinates["inertia"].any():
        text = "has a rigid drive train, whose inertia is no body's and stands in no equation; give it a shaft"
        raise InvalidInput(
            [
                Problem(text, f"loads.{name}.inertia")
                for name, load in model.loads.items()
                if isinstance(load, Generator) and load.inertia > 0 and load.shaft is None
            ]
        )
    if formulation == "kane":
        simulation.y[:] = kane_state(simulation, state, at)
    elif state is not None:
        simulation.y[:] = state_of(simulation, state, at)
    simulation._rows(simulation.record_first(at), 1)  # evaluates, and says what cannot be evaluated
    if formulation == "kane":
        data = kane_equations(simulation)
    elif formulation == "cloud":
        data = cloud_equations(simulation)
    elif formulation == "articulated":
        data = tree_equations(simulation, _points(points, model), accelerations)
    else:
        data = constrained_equations(simulation)
    notes = filter(None, (data.attrs.get("notes", ""), "" if state is None else _begun_anew(simulation)))
    about = {
        "title": model.name,
        "model_hash": model_hash(model),
        "formulation": formulation,
        "notes": "; ".join(notes),
    }
    return data.assign_coords(time=((), at, {"units": "s", "long_name": "time"})).assign_attrs(data.attrs | about)


def _begun_anew(simulation: Simulation) -> str:
    """Return the sentence about actuators whose own state no Dataset holds; empty if there are none."""
    arrays, labels = simulation.arrays, simulation.compiled.index.coordinates
    slow = [row for row in arrays.actuators if row["order"] > 0]
    names = [labels[int(arrays.coordinates["user"][row["coordinate"]])] for row in slow]
    return f"actuators that respond with a delay start anew: {', '.join(names)}" if names else ""


def _instant(time: float | str | None, state: Any) -> float:
    if time is not None:
        return time_in_seconds("time", time)
    return float(state["time"]) if state is not None and "time" in state.coords else 0.0


def _points(given: Mapping[str, tuple[str, Any]] | None, model: Model) -> Points:
    """Return the named points as pairs of body and world point, or say what is wrong with one."""
    found: Points = {}
    for name, point in (given or {}).items():
        try:
            body, place = point
            at = np.array([float(part) for part in place])
        except (TypeError, ValueError):
            text = "must be a pair of body and world point of the drawing, such as ('hand', (0.4, 0, 1.2))"
            raise InvalidInput([Problem(text, f"points.{name}")]) from None
        if body not in model.bodies or at.shape != (3,) or not np.isfinite(at).all():
            what = f"names no body '{body}'" if body not in model.bodies else "must have three finite coordinates"
            raise InvalidInput([Problem(what, f"points.{name}")])
        found[name] = (body, at)
    return found
