"""The water, its current and its waves as arrays: any number of wave fields, each with its own direction."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairlead.core.arrays import V, rows

NO_STRETCHING, VERTICAL, WHEELER = 0, 1, 2
WATER = rows(  # one row: the water, its current, and how its waves are looked up
    "stretching tabled",
    rho=(),  # [kg/m3]
    g=(),  # [m/s2]
    depth=(),  # [m], infinite for deep water
    current=V,  # at the surface [m/s]
    exponent=(),  # of the power law of the current over the height above the seabed
    end=(),  # tables hold from t = 0 to here [s] ...
    per_dt=(),  # ... with so many steps per second
    per_scale=(),  # levels are at z = scale (1 - (1 + x)^4), x in steps of dx, two of them above the still water
    per_dx=(),
    ramp=(),  # waves are raised over so long [s], 0: they are there from the start
)
# One row per wave field, at least one: its components first..last, its levels from `level` on (all fields have as many
# levels, at the same heights), and the direction its waves travel to
FIELD = rows("first last level levels", cos=(), sin=())
COMPONENT = rows("", omega=(), k=(), amplitude=(), phase=(), image=(), inverse=())  # exp(-2 k d), 1/(1 - image)
LEVEL = rows("first count", z=(), s=(), per_ds=())  # stations along the waves at s, s + ds, ...: first, first + 1, ...


class Sea(NamedTuple):
    """The water, its wave fields, and the stacks of cylinders and cones that stand in it."""

    water: np.ndarray
    fields: np.ndarray
    components: np.ndarray  # of all fields
    levels: np.ndarray  # of all fields
    table: np.ndarray  # (times, 5 stations): U, U_t, W, W_t, P of each station
    segments: np.ndarray
    nodes: np.ndarray  # (K, 2) Gauss nodes on 0..1 and weights
