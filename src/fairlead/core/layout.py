"""Where things stand in the state: of a base or of a body that stands alone, and of the turbine's 3-1-3 angles.

By quaternion: place (3), attitude (4), velocity (3), turning (3, body axes). By 1-2-3 angles: place (3), angles (3),
velocity (3), rates of the angles (3).
"""

from __future__ import annotations

from fairlead.core.arrays import QUATERNION
from fairlead.core.jit.kernel import inlined

ATTITUDE = 3  # place is first
VELOCITY, TURNING, LENGTH = 7, 10, 13  # by quaternion
VELOCITY_123, RATES_123, LENGTH_123 = 6, 9, 12  # by 1-2-3 angles
SECOND_ANGLE, THIRD_ANGLE = ATTITUDE + 1, ATTITUDE + 2
# Dissertation Chapter 2: theta_1, theta_2, eta of the tower, phi of the topside, and the rates of the first three.
THETA_1, THETA_2, ETA, PHI, THETA_1_RATE, THETA_2_RATE, ETA_RATE = 0, 1, 2, 3, 4, 5, 6


@inlined
def three(y, s):
    """Return the three numbers at s."""
    return (y[s], y[s + 1], y[s + 2])


@inlined
def four(y, s):
    """Return the four numbers of a quaternion at s."""
    return (y[s], y[s + 1], y[s + 2], y[s + 3])


@inlined
def put_three(y, s, v):
    """Write three numbers at s."""
    y[s], y[s + 1], y[s + 2] = v


@inlined
def put_four(y, s, q):
    """Write the four numbers of a quaternion at s."""
    y[s], y[s + 1], y[s + 2], y[s + 3] = q


@inlined
def velocity_at(s, option):
    """Return where the velocity of a base stands whose state begins at s."""
    return s + (VELOCITY if option == QUATERNION else VELOCITY_123)
