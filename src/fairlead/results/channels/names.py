"""Every channel offshore-wind users know: unit, meaning, and OpenFAST's name and unit for it, once.

OpenFAST's names and units: the output lists of ElastoDyn, AeroDyn, InflowWind, SeaState and MoorDyn. A row to which
OpenFAST gives no name, or one too long for a file, is written into .outb files under `outb_name`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from fairlead.model.loads.table import LOADS, OUTPUTS
from fairlead.record import RECORD, Variable


class Channel(NamedTuple):
    """One row: unit, long name, OpenFAST's name and unit, and a name for .outb files where that is none or too long."""

    units: str
    long_name: str
    openfast_name: str
    openfast_units: str
    outb_name: str = ""

    def attributes(self) -> dict[str, str]:
        """Return the attributes of a variable of the Dataset."""
        return {name: value for name, value in self._asdict().items() if value}


def channel_of(row: Variable) -> Channel:
    """Return a variable of the record as a channel of the same name."""
    return Channel(row.units, row.long_name, row.openfast_name, row.openfast_units or row.units, row.outb_name)


# From our unit to OpenFAST's: multiply by this.
FACTORS: dict[tuple[str, str], float] = {
    ("rad", "deg"): 180 / math.pi,
    ("rad/s", "deg/s"): 180 / math.pi,
    ("rad/s2", "deg/s^2"): 180 / math.pi,
    ("rad/s", "rpm"): 30 / math.pi,
    ("rad/s2", "rad/s^2"): 1.0,
    ("m/s2", "m/s^2"): 1.0,
    ("N", "kN"): 1e-3,
    ("N m", "kN-m"): 1e-3,
}

_POINT = "of the reference point"
_ANGLES = "of R = Rz(yaw) Ry(pitch) Rx(roll), unwrapped"
CHANNELS: dict[str, Channel] = {}
for _word, _axis in (("surge", "x"), ("sway", "y"), ("heave", "z")):
    CHANNELS[_word] = Channel("m", f"{_word} {_POINT}, world {_axis}", f"Ptfm{_word.title()}", "m")
for _word in ("roll", "pitch", "yaw"):
    CHANNELS[_word] = Channel("rad", f"{_word} {_ANGLES}", f"Ptfm{_word.title()}", "deg")
for _word, _axis in (("surge", "x"), ("sway", "y"), ("heave", "z")):
    CHANNELS[f"{_word}_velocity"] = Channel("m/s", f"velocity {_POINT}, world {_axis}", f"PtfmTV{_axis}i", "m/s")
for _axis in "xyz":
    CHANNELS[f"angular_velocity_{_axis}"] = Channel(
        "rad/s", f"angular velocity of the platform, world {_axis}", f"PtfmRV{_axis}i", "deg/s"
    )
for _word in ("roll", "pitch", "yaw"):
    CHANNELS[f"{_word}_rate"] = Channel("rad/s", f"rate of {_word}", f"QD_{_word[0].upper()}", "rad/s")
for _word, _axis in (("surge", "x"), ("sway", "y"), ("heave", "z")):
    CHANNELS[f"{_word}_acceleration"] = Channel(
        "m/s2", f"acceleration {_POINT}, world {_axis}", f"PtfmTA{_axis}i", "m/s^2"
    )
for _axis in "xyz":
    CHANNELS[f"angular_acceleration_{_axis}"] = Channel(
        "rad/s2", f"angular acceleration of the platform, world {_axis}", f"PtfmRA{_axis}i", "deg/s^2"
    )
for _word in ("roll", "pitch", "yaw"):
    CHANNELS[f"{_word}_acceleration"] = Channel(
        "rad/s2", f"second rate of {_word}", f"QD2_{_word[0].upper()}", "rad/s^2"
    )
for _kind, _letter, _unit, _kilo in (("force", "F", "N", "kN"), ("moment", "M", "N m", "kN-m")):
    for _axis in "xyz":
        CHANNELS[f"tower_top_{_kind}_{_axis}"] = Channel(
            _unit, f"{_kind} of all above on the tower top, tower's {_axis}", f"YawBr{_letter}{_axis}p", _kilo
        )
        CHANNELS[f"blade_#_root_{_kind}_{_axis}"] = Channel(
            _unit,
            f"{_kind} of blade # on the hub at its root, {_axis} of the unpitched blade's axes, fixed to the hub",
            f"Root{_letter}{_axis}c#",
            _kilo,
        )
        CHANNELS[f"blade_#_pitched_{_kind}_{_axis}"] = Channel(
            _unit, f"{_kind} of blade # on the hub at its root, blade's own {_axis}", f"Root{_letter}{_axis}b#", _kilo
        )
CHANNELS |= {
    "nacelle_yaw": Channel("rad", "coordinate of the tower-top joint", "NacYaw", "deg"),
    "azimuth": Channel("rad", "coordinate of the spin joint, 0 to 2 pi, zero in the drawing", "Azimuth", "deg"),
    "rotor_speed": Channel("rad/s", "rate of the spin joint", "RotSpeed", "rpm"),
    "shaft_thrust": Channel("N", "force of the rotor on the nacelle along the spin axis", "RotThrust", "kN"),
    "shaft_torque": Channel("N m", "moment of the rotor on the nacelle about the spin axis", "RotTorq", "kN-m"),
    "blade_#_pitch": Channel("rad", "coordinate of the pitch joint of blade #", "BldPitch#", "deg"),
    "line_#_tension": channel_of(OUTPUTS["tension"])._replace(long_name="tension at the fairlead"),
    "wave_elevation": channel_of(RECORD["wave_elevation"]),
}
# What kinds of loads record beside force and moment, in groups of one kind; lines are numbered above.
OF_LOADS = list(dict.fromkeys(tuple(kind.outputs) for kind in LOADS.values() if set(kind.outputs) - {"tension"}))
CHANNELS |= {name: channel_of(OUTPUTS[name]) for group in OF_LOADS for name in group}
for _axis in "ABC":
    CHANNELS[f"gyroscopic_moment_{_axis}"] = Channel(
        "N m", f"gyroscopic moment on what carries the nacelle, axis {_axis}", "", "kN-m", f"GyroMom{_axis}"
    )


def numbered(name: str, number: int) -> tuple[str, Channel]:
    """Return name and row of a channel of which there are several."""
    row = CHANNELS[name]
    said = (row.units, row.long_name, row.openfast_name, row.openfast_units, row.outb_name)
    return name.replace("#", str(number)), Channel(*(text.replace("#", str(number)) for text in said))
