"""Outputs of loads beside force and moment: names of fields in their rows of work, which kernels write.

They are not a number until a kernel writes them. Kinds may share one; unit and meaning stand with the words of the
loads that have it (`outputs` in `model/loads`).
"""

from __future__ import annotations

OUTPUTS = (
    *("tension", "hub_wind", "relative_wind", "thrust", "power"),
    *("rotor_torque", "tip_speed_ratio", "blade_pitch"),
    *("generator_speed", "generator_torque", "electrical_power", "electrical_energy", "lost_energy"),
)
OUTPUTS_AT = 6  # in a row of work as plain floats they stand behind force and moment
