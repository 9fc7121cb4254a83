"""The wind at a point and a time: tables of time, averaged over the rotor, with a profile over height."""

from __future__ import annotations

import math

import numpy as np

from fairlead.core.environment.ramp import raised
from fairlead.core.jit.kernel import kernel
from fairlead.core.motions import find_piece

UNIFORM, POWER_LAW, LOGARITHMIC = 0, 1, 2  # shear of the wind
# Speed, direction, lateral and vertical part over time: rows start..stop of knot and coef, cubic pieces. A ramp of the
# length `ramp` [s] raises speed, lateral and vertical part from `base`; 0: they are there from the start.
WIND = np.dtype(
    [("shear", "i8"), ("start", "i8", (4,)), ("stop", "i8", (4,)), ("density", "f8"), ("height", "f8"), ("par", "f8")]
    + [("ramp", "f8"), ("base", "f8", (3,))],
    align=True,
)


@kernel
def _table(n, t, F, A, W):
    """Return the n-th function of time of the wind: a cubic piece."""
    i = find_piece(A.knot, F.start[n], F.stop[n], t, W.window)
    s = t - A.knot[i]
    return ((A.coef[i, 0] * s + A.coef[i, 1]) * s + A.coef[i, 2]) * s + A.coef[i, 3]


@kernel
def profile(z, F):
    """Return the wind speed at height z over that at the reference height. IEC 61400-1 section 6.3.1.2, or ln(z/z0)."""
    if F.shear == POWER_LAW:
        return (z / F.height) ** F.par if z > 0.0 else 0.0
    if F.shear == LOGARITHMIC:
        return math.log(z / F.par) / math.log(F.height / F.par) if z > F.par else 0.0
    return 1.0


@kernel
def wind_direction(t, A, W):
    """Return where the undisturbed wind blows to at time t, from +x towards +y [rad]."""
    return _table(1, t, A.wind[0], A, W)


@kernel
def wind_velocity(t, z, A, W):
    """Return the undisturbed wind at time t and height z, world axes [m/s].

    The direction is where the wind blows to, from +x towards +y; the lateral part is positive to the left of it.
    """
    F = A.wind[0]
    speed, direction = _table(0, t, F, A, W), _table(1, t, F, A, W)
    across, up = _table(2, t, F, A, W), _table(3, t, F, A, W)
    if t < F.ramp:  # from b to v by b + r (v - b)
        r = raised(t, F.ramp)
        speed, across = F.base[0] + r * (speed - F.base[0]), F.base[1] + r * (across - F.base[1])
        up = F.base[2] + r * (up - F.base[2])
    speed *= profile(z, F)
    c, s = math.cos(direction), math.sin(direction)
    return (speed * c - across * s, speed * s + across * c, up)
