"""Nacelle yaw that follows the wind: the whole motion, planned before the run from the wind's direction.

Dissertation Chapter 2: 10 s lag before the yaw acts, 10 s to accelerate or decelerate, 0.3 deg/s between. The
direction is known at every time, so the commanded angle is a chain of parabolas whose rate and acceleration are exact;
they meet at kinks, where steps are divided. The tower's own yaw is not known beforehand and is left to the motion.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fairlead.errors import Problem
from fairlead.model.controllers.yaw_follow import YawFollow
from fairlead.model.environment.compile_wind import WindInTime
from fairlead.model.loads.rotor import RotorThrust
from fairlead.model.loads.rotor_table import Rotor
from fairlead.model.piecewise import PiecewiseCubic
from fairlead.model.schema import Model
from fairlead.model.topology import topology

ALIGNED = 1e-9  # [rad] a dead band of zero leaves rounding alone


def yaw_motion(control: YawFollow, wind: WindInTime, sign: float = 1.0, drawn: float | None = None) -> PiecewiseCubic:
    """Return the joint angle over time; `sign` is -1 where it grows as the nacelle turns from +y towards +x.

    `drawn` is the heading of the rotor in the drawing, taken where the controller has no `facing`. The nacelle turns
    the shorter way: a direction is the same after a whole turn.
    """
    direction = wind.direction
    facing = next(value for value in (control.facing, drawn, float(direction(0.0))) if value is not None)
    last_change = max([*direction.knots, *direction.kinks, 0.0])
    settling = control.average + control.lag + 1.0
    end = wind.span[1] if wind.span is not None else last_change + settling
    pieces = [(0.0, (0.0, 0.0, facing))]  # begin, and a s^2 + b s + c from there
    angle, off_since, number = facing, None, 0
    seen = _seen(control, direction, end)
    while number < len(seen):
        t = control.sample * number
        if off_since is None:
            number = _next_off(seen, number, angle, control.dead_band)
            if number == len(seen):
                break
            t = control.sample * number
        error = math.remainder(float(seen[number]) - angle, math.tau)
        off_since = None if abs(error) <= max(control.dead_band, ALIGNED) else t if off_since is None else off_since
        if off_since is not None and t - off_since >= control.lag - 1e-9:
            for duration, rate, acceleration in turn_by(error, control):
                pieces.append((t, (0.5 * acceleration, rate, angle)))
                angle += (0.5 * acceleration * duration + rate) * duration
                t += duration
            pieces.append((t, (0.0, 0.0, angle)))
            off_since = None
            number = math.floor(t / control.sample + 1e-9)
            if wind.span is None and t + settling > end:  # it looks again after each turn
                end = t + settling
                seen = _seen(control, direction, end)
        number += 1
    begins = [begin for begin, _ in pieces]
    coefs = [[0.0, sign * a, sign * b, sign * (c - facing)] for _, (a, b, c) in pieces]
    return PiecewiseCubic([*begins, begins[-1] + 1.0], coefs, begins[1:])


def _next_off(seen: Any, number: int, angle: float, dead_band: float) -> int:
    """Return the first sample from `number` on that may be out of the dead band (to rounding), or how many there are.

    Blocks grow, so that the samples of a steady direction cost little, however long the record.
    """
    size = 16
    while number < len(seen):
        off = np.abs(np.remainder(seen[number : number + size] - angle + math.pi, math.tau) - math.pi)
        found = np.flatnonzero(off >= max(dead_band, ALIGNED) * (1.0 - 1e-6) - 1e-12)
        if len(found):
            return number + int(found[0])
        number, size = number + size, 2 * size
    return len(seen)


def turn_by(angle: float, control: YawFollow) -> list[tuple[float, float, float]]:
    """Return the stretches (duration, rate at its begin, acceleration) of a turn from rest to rest.

    A turn too short for the full rate accelerates half of it and decelerates the other half.
    """
    acceleration = math.copysign(control.rate / control.acceleration_time, angle)
    peak = min(control.rate, math.sqrt(abs(angle * acceleration)))
    grow = peak / abs(acceleration)
    peak = math.copysign(peak, angle)
    steady = abs(angle / peak) - grow
    stretches = [(grow, 0.0, acceleration), (steady, peak, 0.0), (grow, peak, -acceleration)]
    return [stretch for stretch in stretches if stretch[0] > 1e-12 * grow]


def _seen(control: YawFollow, direction: PiecewiseCubic, end: float) -> Any:
    """Return the direction that the controller sees at each of its samples."""
    return _measured(direction, control.sample * np.arange(math.floor(end / control.sample) + 1), control.average)


def _measured(direction: PiecewiseCubic, t: Any, average: float) -> Any:
    """Return the mean direction over the last `average` seconds, from t = 0 at first, by 40 midpoints."""
    if average == 0.0:
        return direction(t)
    begin = np.maximum(t - average, 0.0)
    return sum(direction(begin + (t - begin) * (k + 0.5) / 40) for k in range(40)) / 40


def controlled_motion(
    model: Model, name: str, joint: Any, kind: str, wind: WindInTime | None
) -> PiecewiseCubic | Problem | None:
    """Return the motion a controller plans for a joint coordinate, or what stands in its way; None of feedback."""
    control = model.controllers.get(name.partition(".")[0])
    if control is None:
        known = f"; there are {', '.join(model.controllers)}" if model.controllers else "; 'controllers' is empty"
        return Problem(f"no controller is called '{name}'{known}")
    if not isinstance(control, YawFollow) or control.body is not None:
        return None
    axis = getattr(joint, "axis", None)
    if kind != "angle" or axis is None or len(joint.coordinates) != 1 or abs(axis[2]) < 0.5:
        return Problem(f"'{name}' follows the wind and needs a revolute joint whose axis is nearly vertical")
    if wind is None and model.environment is not None and model.environment.wind is not None:
        return PiecewiseCubic.constant(0.0)  # the wind could not be read, which is said where it stands
    if wind is None:
        return Problem(f"'{name}' follows the wind, and there is none; give 'environment: {{wind: ...}}'")
    flipped, carried = _above(model, joint)
    sign = math.copysign(1.0, axis[2]) * (-1.0 if flipped else 1.0)
    return yaw_motion(control, wind, sign, _heading(model, carried))


def _above(model: Model, joint: Any) -> tuple[bool, set[str]]:
    """Return whether the nacelle is the joint's parent, and the bodies that turn with it.

    The nacelle is on the side with the rotor, whichever body is the base; without a rotor, the side that is carried.
    """
    for tree in topology(model).trees:
        for edge in tree.edges.values():
            if model.joints[edge.joint] is joint:
                carried = {edge.outboard}
                for body in tree.bodies:  # outward, so a carrier comes before what it carries
                    if body in tree.edges and tree.edges[body].inboard in carried:
                        carried.add(body)
                inner = set(tree.bodies) - carried
                rotors = {load.body for load in model.loads.values() if isinstance(load, RotorThrust | Rotor)}
                if rotors & inner and not rotors & carried:
                    return not edge.flipped, inner
                return edge.flipped, carried
    return False, {joint.child}


def _heading(model: Model, carried: set[str]) -> float | None:
    """Return where the shaft of the first rotor on some bodies points to in the drawing, seen from above."""
    for load in model.loads.values():
        if isinstance(load, RotorThrust | Rotor) and load.body in carried and math.hypot(*load.axis[:2]) > 0.5:
            return math.atan2(load.axis[1], load.axis[0])
    return None
