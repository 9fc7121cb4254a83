"""M a + J^T lambda = F, J a = gamma of absolute coordinates (MBDM note Eq. 67), in world axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.model.relations.compile import rows_of
from fairlead.running.rest.charts import WORDS
from fairlead.running.simulation import Simulation

if TYPE_CHECKING:
    import xarray as xr


def constrained_equations(simulation: Simulation) -> xr.Dataset:
    """Return the Dataset of masses, forces, constraint Jacobian, gamma and multipliers of the last evaluation."""
    import xarray as xr

    work, index, rows = simulation.work, simulation.compiled.index, simulation.arrays.constraints
    names = sorted(index.tree_order, key=lambda name: index.tree_order[name])
    n = 6 * len(names)
    M, F, speed, acceleration = np.zeros((n, n)), np.zeros(n), np.zeros(n), np.zeros(n)
    for number, (body, o) in enumerate(zip(simulation.arrays.bodies, work.bodies)):
        at = slice(6 * number, 6 * number + 6)
        xx, yy, zz, xy, xz, yz = o["I"]
        I, m, w = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), float(body["mass"]), o["w"]
        M[at, at] = np.block([[m * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), I]])
        gyroscopic = np.cross(w, I @ w + o["R"].reshape(3, 3) @ body["h_D"])
        F[at] = [*(m * simulation.arrays.gravity + o["f"]), *(o["n"] - gyroscopic)]
        speed[at], acceleration[at] = [*o["u"], *w], [*o["a"], *o["al"]]
        if len(work.added) and body["wet"]:
            M[at, at] += work.added[number]
            F[at] += work.added[number] @ acceleration[at]  # the reaction is part of the load as recorded
    active = [r for r in range(len(rows)) if work.constraint.active[r]]
    J = np.zeros((len(active), n))
    for line, r in enumerate(active):
        for q in rows_of(rows, r):
            for side, body in enumerate((int(rows["i"][q]), int(rows["j"][q]))):
                if body >= 0:
                    J[line, 6 * body : 6 * body + 6] += work.constraint.J[q, 6 * side : 6 * side + 6]
    words = [f"{word} of {name}" for name in names for word in WORDS]
    data: dict[str, Any] = {
        "mass_matrix": (("equation", "coordinate"), M, {"long_name": "M, added mass in it"}),
        "forcing": (("equation",), F, {"long_name": "F: loads, gravity and joint forces less gyroscopic moments"}),
        "speed": (("coordinate",), speed, {"long_name": "velocities and angular velocities, world axes"}),
        "acceleration": (("coordinate",), acceleration, {"long_name": "a, their rates"}),
        "constraint_jacobian": (("constraint", "coordinate"), J, {"long_name": "J"}),
        "gamma": (
            ("constraint",),
            work.constraint.gamma[active].copy(),
            {"long_name": "gamma = J a"},
        ),
        "multiplier": (("constraint",), work.constraint.lam[active].copy(), {"long_name": "lambda"}),
    }
    coordinates = {
        "equation": words,
        "coordinate": words,
        "constraint": [index.equations[r] for r in active],
        "coordinate_units": ("coordinate", (["m"] * 3 + ["rad"] * 3) * len(names)),
        "equation_units": ("equation", (["N"] * 3 + ["N m"] * 3) * len(names)),
    }
    said = "mass_matrix @ acceleration + constraint_jacobian.T @ multiplier = forcing; J @ acceleration = gamma"
    return xr.Dataset(data, coordinates, {"equations": said})
