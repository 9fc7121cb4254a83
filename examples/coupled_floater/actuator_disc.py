"""A steady actuator disc as a partner of large steps: thrust of the wind relative to the hub, along the shaft.

T = rho/2 C_T pi R^2 u |u| with u the wind less the hub's velocity, along the shaft. Wind 18.2 m/s along x everywhere.
"""

import math
import sys

import fairlead as fl

DENSITY, RADIUS, CT, WIND = 1.225, 63.0, 0.15, 18.2  # [kg/m3], [m], [-], [m/s]


class ActuatorDisc(fl.PartnerProgram):
    """The load of the disc on the rotor; it has no time of its own, so its load is for the start of a step."""

    step, answers = "large", "start"

    def load(self, t, motion):
        q0, q1, q2, q3 = motion.orientation
        # The shaft is the rotor's x axis: the first column of R(q).
        shaft = (1 - 2 * (q2 * q2 + q3 * q3), 2 * (q1 * q2 + q0 * q3), 2 * (q1 * q3 - q0 * q2))
        v = motion.velocity
        relative = (WIND - v[0]) * shaft[0] - v[1] * shaft[1] - v[2] * shaft[2]
        thrust = 0.5 * DENSITY * CT * math.pi * RADIUS * RADIUS * relative * abs(relative)
        return [thrust * shaft[0], thrust * shaft[1], thrust * shaft[2], 0.0, 0.0, 0.0]


if __name__ == "__main__":
    sys.exit(ActuatorDisc().run())
