"""Quadratic drag as the linear one of oscillations of given amplitudes: harmonic balance on the equations themselves.

A mode that swings with the velocities V cos(theta) feels accelerations; their first harmonic beyond the linear part is
what an equivalent linear drag gives. For c |v| v it is 8/(3 pi) c |V| v (Krylov and Bogoliubov; Faltinsen, Sea Loads,
section 7). Each mode is taken by itself, places as they are about the state.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import FairleadError, InvalidInput
from fairlead.running.modes.linear import Linear
from fairlead.running.modes.modes import Modes
from fairlead.running.rest.freedoms import Freedoms
from fairlead.units import to_si

Array = npt.NDArray[np.float64]
INSTANTS = 96  # of a cycle; what |cos| cos folds back from higher harmonics is 2e-6 of the first


def add_equivalent_drag(freedoms: Freedoms, y: Array, linear: Linear, modes: Modes, amplitudes: Any) -> list[str]:
    """Add to A the drag of modes that swing with `amplitudes`; return the modes that were asked."""
    sizes = _sizes(amplitudes, linear, modes)
    n, chosen = len(linear.chosen), linear.chosen
    pairs = [(modes.eigenvalues[k] * modes.shapes[k, chosen] * size) for k, size in sizes.items()]
    forces = [_first_harmonic(freedoms, y, linear, V) for V in pairs]
    weight = np.sqrt(linear.mass[chosen])[:, None]
    V, G = (np.array([part for one in found for part in (one.real, one.imag)]).T for found in (pairs, forces))
    linear.A[n : 2 * n, n : 2 * n] += G @ np.linalg.pinv(weight * V, rcond=1e-9) * weight.T  # the least D with D V = G
    return [modes.names[k] for k in sizes]


def _first_harmonic(freedoms: Freedoms, y: Array, linear: Linear, V: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the complex first harmonic of what velocities Re(V exp(i theta)) add beyond A, per state of velocity."""
    n, chosen = len(linear.chosen), linear.chosen
    follow, scale = linear.follow[:, :n] / freedoms.scale[:, None], freedoms.scale[chosen]
    still, total = scale * freedoms.accelerations(y)[chosen], np.zeros(n, dtype=complex)
    for theta in 2 * np.pi * np.arange(INSTANTS) / INSTANTS:
        v = (V * np.exp(1j * theta)).real
        pull = scale * freedoms.accelerations(freedoms.moved(y, np.zeros(len(follow)), follow @ v))[chosen]
        total += (pull - still - linear.A[n : 2 * n, n : 2 * n] @ v) * np.exp(-1j * theta)
    return total * 2 / INSTANTS


def _sizes(amplitudes: Any, linear: Linear, modes: Modes) -> dict[int, float]:
    """Return the amplitude of each mode that swings, in SI: one for all, or a mapping by the names of modes."""
    swings = [k for k, value in enumerate(modes.eigenvalues) if value.imag > 0]
    known = [modes.names[k] for k in swings]
    if not isinstance(amplitudes, dict):
        return {k: _size(amplitudes, "amplitude", linear, modes.names[k]) for k in swings}
    unknown = [name for name in amplitudes if name not in known]
    if unknown:
        raise InvalidInput(f"amplitude of '{unknown[0]}': that is no mode that swings; use {', '.join(known)}")
    return {swings[known.index(name)]: _size(size, name, linear, name) for name, size in amplitudes.items()}


def _size(given: Any, where: str, linear: Linear, mode: str) -> float:
    """Return an amplitude of the freedom that names a mode, in m or rad."""
    freedom = mode.partition(" (")[0]
    unit = linear.units[linear.freedoms.index(freedom)] if freedom in linear.freedoms else ""
    try:
        size = float(to_si(given, unit)) if isinstance(given, str) else float(given)
    except (FairleadError, TypeError, ValueError) as error:
        raise InvalidInput(
            f"{where} must be a number or a text in {unit or 'no unit'}, got {given!r}: {error}"
        ) from None
    if not 0 < size < np.inf:
        raise InvalidInput(f"{where} must be above zero, got {given!r}")
    return size
