"""`linearize`: a model in, the Dataset of its small motions out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.errors import InvalidInput
from fairlead.model.checks.checked import checked
from fairlead.model.schema import Model
from fairlead.running.given import state_of
from fairlead.running.modes.linear import Linear, linearised
from fairlead.running.modes.modes import Modes, largest_stable_step, modes_of
from fairlead.running.record import model_hash
from fairlead.running.rest.equilibrium import rest_of
from fairlead.running.rest.freedoms import Freedoms
from fairlead.running.rest.held import still_air_and_water
from fairlead.running.simulation import Simulation

if TYPE_CHECKING:
    import xarray as xr

PERIODIC = "a driven joint turns: the matrices are those at its angle, and change with it if what turns is asymmetric"


def linearize(
    model: Model,
    state: xr.Dataset | None = None,
    inputs: list[str] | None = None,
    outputs: list[str] | None = None,
    formulation: str | None = None,
) -> xr.Dataset:
    """Return the Dataset of the linearised model: A, B, C, D, and over `mode` periods, damping ratios and shapes.

    About the equilibrium, or about the last instant of the Dataset `state` with its velocities. `inputs` are joint
    coordinates that have an actuator (all of them unless given), `outputs` names of freedoms or 'rate of' one (the
    coordinates of the state unless given). Loops are eliminated and attitudes are rotation vectors in world axes. Waves
    are left out and turbulent wind is its mean. The attribute `largest_stable_step` is that of rk4 [s].
    """
    model = checked(model)
    if state is None:
        freedoms, rest = rest_of(model, formulation=formulation)
        notes, about = str(rest.attrs["notes"]), "equilibrium"
    else:
        freedoms, notes = _given(model, state, formulation)
        about = "the given state"
    linear = linearised(freedoms, freedoms.simulation.y.copy(), inputs)
    notes = "; ".join(filter(None, (notes, PERIODIC if linear.periodic else "")))
    simulation = freedoms.simulation
    attributes = {"title": model.name, "model_hash": model_hash(model), "formulation": simulation.formulation.name}
    return _dataset(linear, modes_of(linear), outputs, attributes | {"about": about, "notes": notes})


def _given(model: Model, state: xr.Dataset, formulation: str | None) -> tuple[Freedoms, str]:
    """Return the freedoms of a simulation in a given state, and what was left out of the model."""
    last = state.isel(time=-1) if "time" in state.dims else state
    time = float(last["time"]) if "time" in last.coords else 0.0
    changes, notes = still_air_and_water(model, time)
    still = model.with_(changes) if changes else model
    simulation = Simulation(still, 1.0, 1.0, formulation=formulation or "auto", instant=time)
    freedoms = Freedoms(simulation, time)
    simulation.y[:] = freedoms.settled(freedoms.closed(state_of(simulation, last, time)))
    return freedoms, "; ".join(notes)


def _outputs(linear: Linear, asked: list[str] | None) -> tuple[list[str], Any]:
    """Return the names of outputs and their rows of C."""
    known = dict(zip(linear.freedoms, linear.follow))
    known |= {f"rate of {name}": row for name, row in zip(linear.freedoms, linear.follow_rates)}
    n = sum(name in linear.freedoms for name in linear.states)
    names = linear.states[:n] if asked is None else list(asked)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InvalidInput(f"output '{unknown[0]}' is not known; use {', '.join(known)}")
    return names, np.array([known[name] for name in names]).reshape(len(names), len(linear.A))


def _dataset(linear: Linear, modes: Modes, asked: list[str] | None, attributes: dict[str, Any]) -> xr.Dataset:
    import xarray as xr

    names, C = _outputs(linear, asked)
    values = modes.eigenvalues
    size = np.abs(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        period, damping = 2 * np.pi / size, -values.real / size
    of_mode = {
        "eigenvalue_real": (values.real, "1/s", "real part of the eigenvalue: growth"),
        "eigenvalue_imag": (values.imag, "1/s", "imaginary part of the eigenvalue, not negative"),
        "period": (period, "s", "undamped period, 2 pi over the size of the eigenvalue"),
        "damping_ratio": (damping, "1", "minus the real part over the size of the eigenvalue"),
    }
    matrices = {
        "A": (("rate", "state"), linear.A, "rates from states"),
        "B": (("rate", "input"), linear.B, "rates from inputs, forces or moments on top of commands"),
        "C": (("output", "state"), C, "outputs from states"),
        "D": (("output", "input"), np.zeros((len(names), len(linear.inputs))), "outputs from inputs"),
    }
    data: dict[str, Any] = {name: (dims, array, {"long_name": said}) for name, (dims, array, said) in matrices.items()}
    data |= {name: ("mode", v, {"units": unit, "long_name": said}) for name, (v, unit, said) in of_mode.items()}
    said = "motion of each freedom, 1 where most mass moves"
    data["shape"] = (("mode", "freedom"), modes.shapes.real, {"long_name": f"{said}; in phase with it"})
    data["shape_imag"] = (("mode", "freedom"), modes.shapes.imag, {"long_name": f"{said}; a quarter period before it"})
    coordinates = {
        "state": linear.states,
        "rate": [f"rate of {name}" for name in linear.states],
        "input": linear.inputs,
        "output": names,
        "mode": modes.names,
        "freedom": linear.freedoms,
        "state_units": ("state", linear.state_units),
        "freedom_units": ("freedom", linear.units),
    }
    return xr.Dataset(data, coordinates, attributes | {"largest_stable_step": float(largest_stable_step(values))})
