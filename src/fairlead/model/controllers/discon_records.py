"""The records of the swap array of Bladed-style controllers, by names: those that are sent, and those that come back.

Numbered from 1 as in Appendix A of the Bladed User Manual. All are single-precision numbers in SI and radians; torque
and speed of the generator are those of its own, fast shaft.
"""

from __future__ import annotations

STATUS, TIME, PERIOD = 1, 2, 3  # 0 at the first call, 1 at later ones, -1 at the end
BLADES, LAST = 61, 129
LENGTHS = {49: 1024, 50: 0, 51: 0, 64: 0}  # of the message, and of the names of the input file and of the run
FIRST_LOG, SIZE = 63, 3300  # where a library may log; numbers in the array
IN = {
    "pitch": (4, 33, 34),  # of all blades
    "pitch_1": (4,),
    "pitch_2": (33,),
    "pitch_3": (34,),
    "shaft_power": (14,),
    "power": (15,),
    "generator_speed": (20,),
    "rotor_speed": (21,),
    "generator_torque": (23,),
    "yaw_error": (24,),
    "wind_speed": (27,),
    "individual_pitch": (28,),  # 1 where blades are commanded one by one
    "out_of_plane_1": (30,),
    "out_of_plane_2": (31,),
    "out_of_plane_3": (32,),
    "generator_contactor": (35,),
    "shaft_brake": (36,),
    "yaw": (37,),
    "tower_top_fore_aft_acceleration": (53,),
    "tower_top_side_acceleration": (54,),
    "azimuth": (60,),
    "in_plane_1": (69,),
    "in_plane_2": (70,),
    "in_plane_3": (71,),
    "nacelle_roll_acceleration": (82,),
    "nacelle_pitch_acceleration": (83,),
    "nacelle_yaw_acceleration": (84,),
}
OUT = {
    "torque": 47,
    "pitch": 45,
    "pitch_1": 42,
    "pitch_2": 43,
    "pitch_3": 44,
    "pitch_rate": 46,
    "yaw_torque": 41,
    "yaw_rate": 48,
    "generator_contactor": 35,
    "shaft_brake": 36,
}


def record_of(given: str, known: dict[str, int] | dict[str, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the records that a name or a number means; ValueError says what there is."""
    if given.isdecimal():
        if not 4 <= int(given) <= SIZE:
            raise ValueError(
                f"record {given} is none that can be given; the array has {SIZE}, of which 1 to 3 are ours"
            )
        return (int(given),)
    if given not in known:
        from fairlead.model.messages import did_you_mean

        raise ValueError(f"'{given}' is no record of the swap array{did_you_mean(given, known)}; or give its number")
    found = known[given]
    return found if isinstance(found, tuple) else (found,)
