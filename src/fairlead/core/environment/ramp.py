"""How waves and wind are raised from nothing at the start of a run.

    r = s^3 (10 - 15 s + 6 s^2)        s = t / length, within 0 and 1

is the lowest polynomial with r, r' and r'' zero at the start and 1, 0, 0 at the end (it is also OrcaFlex's, help page
"Dynamic analysis: Ramping"): loads on a body at rest begin with neither a jump nor a kink. Waves are multiplied as they
are: elevation, velocity, acceleration and pressure each by r(t), as if the amplitude of every component were r(t) a at
this instant. The acceleration has no term r' U, for it belongs to no wave: it would be a surge of the whole sea, in
phase with the velocity, that a shorter ramp makes larger.
"""

from __future__ import annotations

from fairlead.core.jit.kernel import kernel


@kernel
def raised(t, length):
    """Return the part of waves or wind that is there at time t of a ramp of this length; all of it without a ramp."""
    if length <= 0.0:
        return 1.0
    s = t / length
    if s <= 0.0:
        return 0.0
    if s >= 1.0:
        return 1.0
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))
