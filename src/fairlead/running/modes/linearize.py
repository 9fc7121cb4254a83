"""`linearize`: a model in, the Dataset of its small motions out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from fairlead.errors import InvalidInput, Problem
from fairlead.model.checks.checked import checked
from fairlead.model.schema import Model
from fairlead.model.time_grid import suggested_step
from fairlead.running.given import state_of
from fairlead.running.modes.drag import add_equivalent_drag
from fairlead.running.modes.linear import Linear, linearised
from fairlead.running.modes.modes import Modes, largest_stable_step, modes_of
from fairlead.running.record import model_hash
from fairlead.running.rest.equilibrium import rest_of
from fairlead.running.rest.freedoms import Freedoms
from fairlead.running.rest.held import still_air_and_water
from fairlead.running.rest.search import AZIMUTHS
from fairlead.running.simulation import Simulation
from fairlead.units import short

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
EVEN = 1e-6  # of the largest entry of A (scaled): it does not change with the angle of what turns
REACH = 2.78  # of rk4 along the negative real axis, in units of 1 / eigenvalue
GROWS = 1e-6  # of the size of an eigenvalue: a real part above is growth, not rounding
SHARE = 0.1  # of the largest step that is stable: 22 steps in the shortest period


def linearize(
    model: Model,
    state: xr.Dataset | None = None,
    inputs: list[str] | None = None,
    outputs: list[str] | None = None,
    formulation: str | None = None,
    *,
    azimuths: int | None = None,
    amplitude: float | str | Mapping[str, float | str] | None = None,
) -> xr.Dataset:
    """Return the Dataset of the linearised model: A, B, C, D, and over `mode` periods, damping ratios and shapes.

    About the equilibrium, or about the last instant of the Dataset `state` with its velocities. `inputs` are joint
    coordinates that have an actuator (all of them unless given), `outputs` names of freedoms or 'rate of' one (the
    coordinates of the state unless given). Loops are eliminated and attitudes are rotation vectors in world axes. Waves
    are left out and turbulent wind is its mean. About a turning joint the matrices are those at its angle, or with
    `azimuths` their average over so many angles of a revolution. Quadratic drag has the slope it has at the state, none
    in still water; `amplitude` [m or rad], one for all modes or a mapping by their names, adds the equivalent linear
    drag of such oscillations. The attribute `largest_stable_step` is that of rk4 [s], `suggested_dt` a step to try.
    """
    model = checked(model)
    for word, asked in (("inputs", inputs), ("outputs", outputs)):
        if isinstance(asked, str):
            raise InvalidInput([Problem(f"must be a list of names; write ['{asked}']", word)])
    if isinstance(amplitude, Mapping) and not amplitude:
        raise InvalidInput([Problem("names no mode; give the amplitude of at least one, or leave it out", "amplitude")])
    if state is None:
        freedoms, rest = rest_of(model, formulation=formulation)
        notes, about = [str(rest.attrs["notes"])], "equilibrium"
    else:
        freedoms, said = _given(model, state, formulation)
        notes, about = [said], "the given state"
    y = freedoms.simulation.y.copy()
    freedoms.azimuths = 1
    linear = linearised(freedoms, y, inputs)
    if len(freedoms.turning):
        linear, said = _averaged(freedoms, y, inputs, linear, azimuths)
        notes.append(said)
    elif azimuths is not None:
        raise InvalidInput("azimuths has no effect: no joint of the model turns at a constant rate; leave it out")
    modes = modes_of(linear)
    if amplitude is not None:
        given = dict(amplitude) if isinstance(amplitude, Mapping) else amplitude
        swinging = add_equivalent_drag(freedoms, y, linear, modes, given)
        notes.append(f"drag is the equivalent linear one of {', '.join(swinging)} swinging with the amplitudes given")
        modes = modes_of(linear)
    growing = [name for name, value in zip(modes.names, modes.eigenvalues) if value.real > GROWS * abs(value)]
    notes.append(f"modes that grow: {', '.join(growing)}" if growing else "")
    attributes = {"title": model.name, "model_hash": model_hash(model), "about": about}
    attributes |= {"formulation": freedoms.simulation.formulation.name, "notes": "; ".join(filter(None, notes))}
    return _dataset(linear, modes, outputs, attributes).assign(_bodies(freedoms, y, linear, modes))


def _averaged(
    freedoms: Freedoms, y: Array, inputs: list[str] | None, linear: Linear, azimuths: int | None
) -> tuple[Linear, str]:
    """Return the model averaged over the angles of what turns, or at its angle with a word on how it changes.

    Averaging the matrices is what a multi-blade transformation does to states that do not turn (Bir 2008).
    """
    rotating = freedoms.rotating() or (["a loop"] if freedoms.loops_turn(y) else [])
    if azimuths is None and rotating:
        return linear, f"a joint turns and carries {rotating[0]} round: the matrices are those at its angle"
    if azimuths is None:
        others = [linearised(freedoms, y, []).A for turn in freedoms.turned(5) if turn]
        change = float(np.abs(np.array(others) - linear.A).max(initial=0.0))
        if change <= EVEN * float(np.abs(linear.A).max(initial=0.0)):
            return linear, ""
        text = "a joint turns and the matrices change with its angle: they are those at its angle"
        return linear, f"{text}; azimuths averages them over a revolution"
    if isinstance(azimuths, bool) or not isinstance(azimuths, int) or azimuths < 2:
        raise InvalidInput(f"azimuths must be a whole number above 1, such as {AZIMUTHS}; got {azimuths!r}")
    if rotating:
        text = f"azimuths cannot average {rotating[0]}, which turns with a joint, so its equations are periodic"
        raise InvalidInput(f"{text}; lock it, or leave azimuths out for the matrices at one angle")
    simulation = freedoms.simulation
    if simulation.formulation.of_centre and len(simulation.arrays.constraints):
        text = "azimuths with loops needs a state that stays while the rotor turns; take formulation: articulated"
        raise InvalidInput([Problem(text, "azimuths")])
    found = [linearised(freedoms, y, inputs) for _ in freedoms.turned(azimuths)]
    A, B = (np.mean([getattr(one, name) for one in found], axis=0) for name in "AB")
    return replace(linear, A=A, B=B), f"the matrices are averages over {azimuths} angles of a revolution"


def _bodies(freedoms: Freedoms, y: Array, linear: Linear, modes: Modes) -> dict[str, Any]:
    """Return where bodies are and how they move in each mode, for pictures."""
    simulation = freedoms.simulation
    index, arrays, work = simulation.compiled.index, simulation.arrays, simulation.work
    simulation.formulation.kernels.before(freedoms.time, y, arrays, work)
    order = [index.tree_order[name] for name in index.bodies]
    turns = work.bodies["R"].reshape(-1, 3, 3) @ arrays.bodies["R_DB"].reshape(-1, 3, 3)
    quaternions = Rotation.from_matrix(turns[order]).as_quat(scalar_first=True)
    moved = (modes.shapes @ linear.carried.T).reshape(len(modes.names), len(order), 6)[:, order]
    said = "motion of the mass centre [m] and rotation vector [rad] in the mode, world axes"
    dof = ("surge", "sway", "heave", "roll", "pitch", "yaw")
    return {
        "position": (("body", "xyz"), work.bodies["x"][order].copy(), {"units": "m", "long_name": "mass centre"}),
        "orientation": (("body", "wxyz"), quaternions, {"units": "1", "long_name": "unit quaternion, body to world"}),
        "body_shape": (("mode", "body", "dof"), moved.real, {"long_name": f"{said}; in phase with `shape`"}),
        "body_shape_imag": (("mode", "body", "dof"), moved.imag, {"long_name": f"{said}; a quarter period before it"}),
        "body": list(index.bodies),
        "xyz": list("xyz"),
        "wxyz": list("wxyz"),
        "dof": list(dof),
    }


def _given(model: Model, state: xr.Dataset, formulation: str | None) -> tuple[Freedoms, str]:
    """Return the freedoms of a simulation in a given state, and what was left out of the model."""
    import xarray as xr

    if not isinstance(state, xr.Dataset):
        text = f"must be a Dataset, as fl.simulate and fl.equilibrium give it; got {short(state)}"
        raise InvalidInput([Problem(text, "state")])
    last = state.isel(time=-1) if "time" in state.dims else state
    time = float(last["time"]) if "time" in last.coords else 0.0
    changes, notes = still_air_and_water(model, time)
    still = model.with_(changes) if changes else model
    simulation = Simulation(still, 1.0, 1.0, formulation=formulation or "auto", instant=time)
    freedoms = Freedoms(simulation, time)
    simulation.y[:] = freedoms.settled(freedoms.closed(state_of(simulation, last, time)))
    pull = float(np.abs(freedoms.accelerations(simulation.y.copy())).max(initial=0.0))
    if pull > EVEN * float(np.linalg.norm(simulation.arrays.gravity)) / freedoms.size + 1e-9:
        notes.append("the state given is accelerated: the matrices hold for its instant")
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
        period, damping, damped = 2 * np.pi / size, -values.real / size, 2 * np.pi / values.imag
    of_mode = {
        "eigenvalue_real": (values.real, "1/s", "real part of the eigenvalue: growth"),
        "eigenvalue_imag": (values.imag, "1/s", "imaginary part of the eigenvalue, not negative"),
        "period": (period, "s", "undamped period, 2 pi over the size of the eigenvalue"),
        "damped_period": (damped, "s", "time from peak to peak, 2 pi over the imaginary part; infinite without any"),
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
    said = "left eigenvector: times a state it gives the mode's part, in units of `shape`; nan where rigid"
    data["left"] = (("mode", "state"), modes.left.real, {"long_name": said})
    data["left_imag"] = (("mode", "state"), modes.left.imag, {"long_name": f"{said}; imaginary part"})
    said = "share of each state in the mode: size of left times right eigenvector, of their sum; nan where rigid"
    data["participation"] = (("mode", "state"), modes.participation, {"units": "1", "long_name": said})
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
    most, top = float(largest_stable_step(values)), float(np.abs(values).max(initial=0.0))
    resolved = min(most, REACH / top) if top > 0 else most  # modes that grow bound no step, but have to be resolved
    steps = {
        "largest_stable_step": most,
        "suggested_dt": suggested_step(math.inf, SHARE * resolved) if resolved < math.inf else resolved,
    }
    return xr.Dataset(data, coordinates, attributes | steps)
