"""How large momentum, force and energy are in a run, so that a deviation can be called small.

Every deviation is divided by a number that says how large the quantity is in this run, in the frame in which
the system's mass centre starts at rest (ERRATA 14), so that a fast drift hides nothing:

    linear momentum    sqrt(2 M T), T the largest kinetic energy in that frame, rotation included
    angular momentum   the largest sum of |I w| + |h| + m |rho| |rho'|, at least a thousandth of sqrt(2 T J)
    force, moment      the largest sum of the terms' sizes, at least momentum over duration
    energy             the largest sum of |changes| and |works|, at least T
    path of R          speed sqrt(2 T / M) times duration

and never less than what rounding alone can reach (1e-12 of the terms that were summed, over the tolerance), so that a
system at rest passes. What the printed digits of a foreign table may do is not hidden in them: `audit_digits`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.auditing.read import System
from fairlead.auditing.sums import Series

NOISE = 1e-12  # what rounding may do to a sum, relative to its terms


@dataclass(frozen=True)
class Scales:
    """The size that counts as one, for each quantity."""

    P: float
    H: float
    F: float
    N: float
    E: float
    path: float
    length: float
    speed: float
    kinetic: float


def scales(system: System, s: Series, tolerance: float) -> Scales:
    """Return the scales of a run, as the module's docstring defines them."""
    M, g, duration = system.mass.sum(), np.linalg.norm(system.g_W), s["time"][-1] - s["time"][0]
    tiny = NOISE / max(tolerance, 1e-15)
    start = s["Rdot"][0]
    own = s["kinetic"] - s["P"] @ start + 0.5 * M * start @ start
    T, J = max(float(own.max()), 0.0), float(s["span"].max())
    force, moment = (s[n].max() if n in s else 0.0 for n in ("size_F", "size_N"))
    P = max(np.sqrt(2 * M * T), tiny * (s["size_P"].max() + (force + M * g) * duration))
    H = max(s["size_H"].max(), 1e-3 * np.sqrt(2 * T * J), tiny * (s["noise_H"].max() + moment * duration))
    F = max(force + M * g, s["size_Pdot"].max() if "Pdot" in s else 0.0, P / duration)
    N = max(moment, s["size_Hdot"].max() if "Hdot" in s else 0.0, H / duration)
    exchanged = abs(s["kinetic"] - s["kinetic"][0]) + abs(s["potential"] - s["potential"][0]) + s["size_work"]
    terms = s["kinetic"].max() + abs(s["potential"]).max() + s["size_work"].max()
    return Scales(
        P=float(P),
        H=float(H),
        F=float(F),
        N=float(N),
        E=float(max(exchanged.max(), T, tiny * terms)),
        path=float(max(P / M * duration, tiny * s["size_r"].max())),
        length=float(max(np.sqrt(J / M), tiny * s["size_r"].max())),
        speed=float(np.sqrt(2 * T / M)),
        kinetic=float(max(s["kinetic"].max(), tiny * terms)),
    )
