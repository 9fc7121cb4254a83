"""`response`: a floating model and periods in, its transfer functions in regular waves out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import FairleadError, InvalidInput, NumericalFailure
from fairlead.model.checks.checked import checked
from fairlead.model.environment.waves import WaveTable
from fairlead.model.schema import Model
from fairlead.running.modes.linear import Linear, linearised
from fairlead.running.record import model_hash
from fairlead.running.rest.equilibrium import rest_of
from fairlead.running.rest.freedoms import Freedoms
from fairlead.running.simulation import Simulation
from fairlead.units import to_si

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
Complex = npt.NDArray[np.complex128]
SMALL = 1e-3  # [m] amplitude of waves in which all is linear
INSTANTS = 32  # of a wave period
MOST_ROUNDS, SETTLED = 200, 1e-7  # of the balance in waves of finite amplitude; change relative to the motion
DOF = ("surge", "sway", "heave", "roll", "pitch", "yaw")


def response(
    model: Model,
    periods: Iterable[float | str],
    heading: float | str | Iterable[float | str] = 0.0,
    *,
    amplitude: float | str | None = None,
    formulation: str | None = None,
) -> xr.Dataset:
    """Return the Dataset of transfer functions of a floating model in regular waves, per metre of wave amplitude.

    About its equilibrium in still water: A of `linearize`, and the accelerations that small waves give the model held
    there. `periods` [s] and `heading` [rad], where the waves travel to, may carry units. Over `heading, period`:
    `transfer` of every freedom (complex: motion = Re(transfer exp(i omega t)) where a crest passes the origin at t = 0;
    m/m or rad/m), its `amplitude` and `phase`, and `body_transfer` of each body's mass centre and rotation. Quadratic
    drag has no part in small waves; with an `amplitude` of the waves [m] the first harmonics of all forces, drag too,
    are balanced over a period at that height.
    """
    model = checked(model)
    spans, ways = _numbers(periods, "s", "periods"), _numbers(heading, "rad", "heading")
    if not len(spans) or spans.min() <= 0:
        raise InvalidInput("periods must be one or more times above zero")
    if not len(ways):
        raise InvalidInput("heading must be one or more directions")
    if not any("waves" in load.needs for load in model.loads.values()):
        raise InvalidInput("no load of the model feels waves; give it one that does, such as morison")
    size = SMALL if amplitude is None else float(_numbers(amplitude, "m", "amplitude")[0])
    if not 0 < size < np.inf:
        raise InvalidInput(f"amplitude must be above zero, got {amplitude!r}")
    freedoms, rest = rest_of(model, formulation=formulation)
    y, name = freedoms.simulation.y.copy(), freedoms.simulation.formulation.name
    freedoms.azimuths = 1
    linear = linearised(freedoms, y, [])
    order = np.argsort(-spans, kind="stable")  # components go by growing frequency
    waves = WaveTable(2 * np.pi / spans[order], np.full(len(spans), size), np.zeros(len(spans)), lookup="sum")
    wavy = freedoms.simulation.compiled.model.with_({"environment.waves": waves})
    sea = Freedoms(Simulation(wavy, 1.0, 1.0, formulation=name, instant=0.0), freedoms.time)
    found = np.zeros((len(ways), len(spans), len(linear.A)), dtype=complex)
    offsets = np.zeros((len(ways), len(spans), len(linear.freedoms)))
    for i, way in enumerate(ways):
        for component, j in enumerate(order):
            state, mean = _moved_by(sea, y, linear, component, way, 2 * np.pi / spans[j], amplitude is not None)
            found[i, j], offsets[i, j] = state / size, linear.follow[:, : len(mean)] @ mean
    notes = [str(rest.attrs["notes"])]
    if amplitude is not None:
        notes.append(f"forces, drag too, by their means and first harmonics in waves of {size:g} m amplitude")
    said = {"title": model.name, "model_hash": model_hash(model), "formulation": name}
    data = _dataset(sea, linear, found, spans, ways, said | {"notes": "; ".join(filter(None, notes))})
    if amplitude is None:
        return data
    unit, text = "m for lengths, rad for angles", "mean displacement in these waves from the rest in still water"
    return data.assign(offset=(("heading", "period", "freedom"), offsets, {"units": unit, "long_name": text}))


def _numbers(given: Any, unit: str, name: str) -> Array:
    """Return numbers in SI from one or several, each a number or a text with a unit."""
    several = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
    try:
        return np.array([to_si(one, unit) for one in several], dtype=float)
    except (FairleadError, ValueError, TypeError) as error:
        raise InvalidInput(f"{name}: {error}") from None


def _moved_by(
    sea: Freedoms, y: Array, linear: Linear, component: int, heading: float, omega: float, balanced: bool
) -> tuple[Complex, Array]:
    """Return the motion x0 + Re(X exp(i omega t)) that one component of the waves leaves in the end: X, then x0.

    (i omega - A) X = E, E being the first harmonic of the accelerations of the model held at y. Where forces are
    `balanced` E has what they are beyond A X on the moving model, and x0 is where their means vanish, until both stay.
    """
    _choose_wave(sea, component, heading)
    n = len(linear.chosen)
    solve = 1j * omega * np.eye(len(linear.A)) - linear.A

    def moved_by(E: Complex) -> Complex:
        return np.asarray(np.linalg.solve(solve, np.concatenate([np.zeros(n), E, np.zeros(len(linear.A) - 2 * n)])))

    mean = np.zeros(n)
    X = moved_by(_harmonics(sea, y, linear, np.zeros(len(linear.A), dtype=complex), mean)[1])
    if not balanced:
        return X, mean
    back = np.linalg.pinv(linear.A[n : 2 * n, :n], rcond=1e-8)  # directions that nothing drives back have no mean place
    for _ in range(MOST_ROUNDS):
        left, first = _harmonics(sea, y, linear, X, mean)
        E = first - linear.A[n : 2 * n] @ X
        # Half of each step: drag follows the motion strongly near a natural period
        new, step = 0.5 * (X + moved_by(E)), -0.5 * back @ left
        change = max(float(np.abs(new - X).max()), float(np.abs(step).max(initial=0.0)))
        X, mean = new, mean + step
        if not np.isfinite(change):
            break
        if change < SETTLED * float(np.abs(X).max()):
            return X, mean
    raise NumericalFailure(
        f"forces do not balance in waves of period {2 * np.pi / omega:.4g} s: they are too high for small motions; "
        "reduce amplitude"
    )


def _choose_wave(sea: Freedoms, component: int, heading: float) -> None:
    """Leave one component of the waves, and turn it."""
    field = sea.simulation.arrays.sea.fields
    field["first"], field["last"] = component, component + 1
    field["cos"], field["sin"] = np.cos(heading), np.sin(heading)


def _harmonics(sea: Freedoms, y: Array, linear: Linear, X: Complex, mean: Array) -> tuple[Array, Complex]:
    """Return mean and first harmonic of the accelerations of the model that moves so, per state of velocity.

    The wave goes on by its phase; everything else stays at its time.
    """
    n, chosen = len(linear.chosen), linear.chosen
    follow, scale = linear.follow[:, :n] / sea.scale[:, None], sea.scale[chosen]
    total, even = np.zeros(n, dtype=complex), np.zeros(n)
    for theta in 2 * np.pi * np.arange(INSTANTS) / INSTANTS:
        sea.simulation.arrays.sea.components["phase"] = theta
        x = (X * np.exp(1j * theta)).real
        at = sea.moved(y, follow @ (x[:n] + mean), follow @ x[n : 2 * n]) if X.any() else y
        pull = scale * sea.accelerations(at)[chosen]
        even += pull / INSTANTS
        total += pull * np.exp(-1j * theta)
    if not np.isfinite(total).all():
        raise sea.no_solution("in these waves", "reduce amplitude")
    return even, np.asarray(total * 2 / INSTANTS)


def _dataset(
    sea: Freedoms, linear: Linear, found: Complex, spans: Array, ways: Array, attributes: dict[str, str]
) -> xr.Dataset:
    import xarray as xr

    index = sea.simulation.compiled.index
    order = [index.tree_order[name] for name in index.bodies]
    motion = found @ linear.follow.T
    bodies = (motion @ linear.carried.T).reshape(*found.shape[:2], len(order), 6)[:, :, order]
    dims = ("heading", "period", "freedom")
    unit = "m/m for lengths, rad/m for angles"
    of_freedoms = {
        "transfer": (motion, unit, "motion per amplitude of the wave, Re(transfer exp(i omega t))"),
        "amplitude": (np.abs(motion), unit, "amplitude of the motion per amplitude of the wave"),
        "phase": (np.angle(motion), "rad", "phase of the motion before a crest at the origin"),
    }
    data: dict[str, Any] = {
        name: (dims, values, {"units": units, "long_name": said}) for name, (values, units, said) in of_freedoms.items()
    }
    said = "mass centre [m/m] and rotation vector [rad/m] per amplitude of the wave, world axes"
    data["body_transfer"] = (("heading", "period", "body", "dof"), bodies, {"units": unit, "long_name": said})
    coordinates: dict[str, Any] = {
        "heading": ("heading", ways, {"units": "rad", "long_name": "where the waves travel to, from +x towards +y"}),
        "period": ("period", spans, {"units": "s", "long_name": "period of the waves"}),
        "freedom": linear.freedoms,
        "freedom_units": ("freedom", [f"{unit}/m" for unit in linear.units]),
        "body": list(index.bodies),
        "dof": list(DOF),
    }
    return xr.Dataset(data, coordinates, attributes)
