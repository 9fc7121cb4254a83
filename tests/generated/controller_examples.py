"""A minimal model of every kind of controller, by its type, with what NumPy makes of the inputs that were recorded.

A new kind needs a row here; the tests over the table of controllers say so. `again` repeats a controller from recorded
channels alone: it gets the times, the channels that its formulas read (by their text) and the word itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import fairlead as fl
from support.discon import BaselineLaw, folder, library, through_the_array

ANGLE, RATE = "arm.angle", "arm.rate"
BLOWS = 1.2  # [rad] where the wind of the examples blows to


class Example(NamedTuple):
    """A controller, and its outputs at the recorded instants from what was recorded, by name."""

    word: Any
    again: Callable[[Any, dict[str, Any], Any], dict[str, Any]]


def pid_again(times: Any, read: dict[str, Any], word: Any) -> dict[str, Any]:
    """Return the output of a sampled PID by its recursion over the samples, held between them."""
    h, Tf = word.period, word.derivative_filter
    lower, upper = word.limits
    integral, derivative, before = word.start, 0.0, None
    outputs = []
    for input_ in at_samples(times, read[word.input], h):
        e = word.target - input_
        before = e if before is None else before
        derivative = (Tf * derivative + word.kd * (e - before)) / (Tf + h)
        v = word.kp * e + integral + derivative
        u = min(max(v, lower), upper)
        outputs.append(u)
        integral += word.ki * h * e + min(1.0, h * word.ki / word.kp) * (u - v)
        before = e
    return {"output": held(times, outputs, h)}


def expression_again(times: Any, read: dict[str, Any], word: Any) -> dict[str, Any]:
    """Return the outputs of the example below: x after = 0.9 x + 0.1 angle, outputs 2 - 3 x and rate x."""
    x, both = word.start["x"], []
    for angle, rate in zip(at_samples(times, read[ANGLE], word.period), at_samples(times, read[RATE], word.period)):
        both.append((2 - 3 * x, rate * x))
        x = 0.9 * x + 0.1 * angle
    push, mixed = zip(*both)
    return {"push": held(times, push, word.period), "mixed": held(times, mixed, word.period)}


def feedback_again(times: Any, read: dict[str, Any], word: Any) -> dict[str, Any]:
    """Return K (x0 - x)."""
    x = np.array([read[channel] for channel in word.inputs])
    errors = np.array(word.targets)[:, None] - x
    return {name: np.clip(np.array(row) @ errors, *word.limits) for name, row in word.gains.items()}


def sensor_again(times: Any, read: dict[str, Any], word: Any) -> dict[str, Any]:
    """Return what a sampled sensor gives: noise from a generator written anew, a filter of first order, two samples."""
    h, x, kept = word.period, None, []
    for n, u in enumerate(at_samples(times, read[ANGLE], h)):
        u += word.noise * normal(word.seed, n)
        x = u if x is None else u + math.exp(-h / word.time_constant) * (x - u)
        kept.append(x)
    return {"output": held(times, [kept[0]] * 2 + kept[:-2], h)}


def normal(seed: int, n: int) -> float:
    """Return number n of the noise of a seed: SplitMix64 with whole numbers of Python, and Box and Muller."""

    def mixed(z: int) -> int:
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return z ^ (z >> 31)

    golden = 0x9E3779B97F4A7C15
    bits = [mixed((mixed((seed + golden) % 2**64) + (k + 1) * golden) % 2**64) for k in (2 * n, 2 * n + 1)]
    one, other = (((b >> 11) + 0.5) / 2**53 for b in bits)
    return math.sqrt(-2 * math.log(one)) * math.cos(2 * math.pi * other)


class Law:
    """A controller of one's own that remembers the last angle and the sum of all."""

    def __init__(self) -> None:
        self.last, self.sum = 0.1, 0.0

    def __call__(self, t: float, inputs: Any) -> Any:
        angle, rate = inputs
        given = {"push": 3 - 20 * angle - 2 * self.sum, "mixed": rate * self.last + t}
        self.last, self.sum = angle, self.sum + angle
        return given

    def get_state(self) -> Any:
        return [self.last, self.sum]

    def set_state(self, state: Any) -> None:
        self.last, self.sum = state


def python_again(times: Any, read: dict[str, Any], word: Any) -> dict[str, Any]:
    """Return what an object made anew gives, asked with what was recorded at the samples."""
    law, h = Law(), word.period
    pairs = zip(at_samples(times, read[ANGLE], h), at_samples(times, read[RATE], h))
    given = [law(k * h, pair) for k, pair in enumerate(pairs)]
    return {name: held(times, [one[name] for one in given], h) for name in word.output}


def discon_again(times: Any, read: dict[str, Any], word: Any) -> dict[str, Any]:
    """Return what the law of the library gives in Python, its numbers in single precision on their way."""
    h = float(np.float32(word.period))
    law = BaselineLaw(period=h)
    given = [through_the_array(law, 0.0, 175 + 10 * angle) for angle in at_samples(times, read[ANGLE], word.period)]
    torque, pitch = zip(*given)
    return {"pitch": held(times, pitch, word.period), "torque": held(times, torque, word.period)}


def push(t: float, inputs: Any) -> float:
    """A law that remembers nothing."""
    return float(2 - 15 * inputs[0] + np.sin(3 * t))


def baseline_again(times: Any, read: dict[str, Any], word: Any) -> dict[str, Any]:
    """Return torque and pitch of the OC3 law by its recursion, as the controllers of OpenFAST's 5 MW cases have it."""
    h, torques, pitches = word.period, [], []
    low = word.rated_speed / 1.1
    slope = word.rated_power / word.reference_speed / (word.rated_speed - low)
    edge = min(np.roots([word.region2_gain, -slope, slope * low]))
    f = torque = None
    pitch = integral = 0.0
    for w in at_samples(times, 100 + 80 * read[RATE], h):
        f = w if f is None else f + (1 - np.exp(-h * word.filter_corner)) * (w - f)
        if f >= word.rated_speed or pitch >= word.region3_pitch:
            T = word.rated_power / word.reference_speed
        elif f <= word.cut_in_speed:
            T = 0.0
        elif f < word.region2_speed:
            T = word.region2_gain * word.region2_speed**2 * (f - word.cut_in_speed)
            T /= word.region2_speed - word.cut_in_speed
        else:
            T = word.region2_gain * f**2 if f < edge else slope * (f - low)
        T, most = min(T, word.max_torque), word.torque_rate * h
        torque = T if torque is None else torque + float(np.clip(T - torque, -most, most))
        gain, error = 1 / (1 + pitch / word.gain_pitch), f - word.reference_speed
        integral = max(integral + error * h, 0.0)
        asked = max(gain * word.kp * error + gain * word.ki * integral, 0.0)
        pitch += float(np.clip(asked - pitch, -word.pitch_rate * h, word.pitch_rate * h))
        torques.append(torque)
        pitches.append(pitch)
    return {"torque": held(times, torques, h), "pitch": held(times, pitches, h)}


def yaw_again(times: Any, read: dict[str, Any], word: Any) -> dict[str, Any]:
    """Return rate and acceleration of the yaw: waiting, turning while there is way left, braking."""
    h, step, v = word.sample, word.rate / word.acceleration_time * word.sample, 0.0
    since, stage, found = None, "waits", []
    for t, heading in zip(h * np.arange(len(times)), at_samples(times, read["heading"], h)):
        off = np.remainder(BLOWS - heading + np.pi, 2 * np.pi) - np.pi
        since = None if abs(off) <= word.dead_band or stage != "waits" else t if since is None else since
        if since is not None and t - since >= word.lag - 1e-9:
            stage, since = "turns", None
        a = 0.0
        if stage == "turns":
            after = min(abs(v) + step, word.rate)
            way = (abs(v) + after) / 2 * h + after**2 / (2 * step / h)
            stage = "brakes" if way > abs(off) or v * off < 0 else stage
            a = np.sign(off) * (after - abs(v)) / h if stage == "turns" else a
        if stage == "brakes":
            a = -v / h if abs(v) <= step * (1 + 1e-9) else -np.sign(v) * step / h
            stage = "waits" if abs(v) <= step * (1 + 1e-9) else stage
        found.append((v, a))
        v += a * h
    return {name: held(times, [one[k] for one in found], h) for k, name in enumerate(("rate", "acceleration"))}


def at_samples(times: Any, values: Any, period: float) -> Iterator[float]:
    """Return recorded values at the samples, which are recorded instants."""
    for k in range(round(times[-1] / period) + 1):
        i = int(np.argmin(np.abs(times - k * period)))
        assert abs(times[i] - k * period) < 1e-9, f"the sample at {k * period:g} s is not among the recorded instants"
        yield float(values[i])


def held(times: Any, outputs: Any, period: float) -> Any:
    """Return outputs at samples as they hold at all times."""
    return np.array(outputs)[np.floor(times / period + 1e-9).astype(int)]


EXAMPLES: dict[str, Example] = {
    "pid": Example(
        fl.Pid(ANGLE, 0.4, kp=30, ki=20, kd=5, derivative_filter=0.02, limits=(-9, 9), start=1, period=0.05),
        pid_again,
    ),
    "expression": Example(
        fl.ExpressionController(
            {"push": "2 - 3*law.x", "mixed": f"{RATE} * law.x"},
            {"x": f"0.9*law.x + 0.1*{ANGLE}"},
            start={"x": 0.3},
            period=0.05,
        ),
        expression_again,
    ),
    "sensor": Example(fl.Sensor(ANGLE, 0.15, delay=0.1, noise=0.4, seed=7, period=0.05), sensor_again),
    "python": Example(fl.PythonController(Law(), [ANGLE, RATE], ["push", "mixed"], period=0.05), python_again),
    "schedule": Example(
        fl.Schedule(f"{ANGLE} + 0.1*{RATE}", [(-0.2, 3), (0.02, -1), (0.3, 7)], period=0.05),
        lambda times, read, word: {
            "output": held(
                times,
                [
                    np.interp(a + 0.1 * r, *zip(*word.points))
                    for a, r in zip(*(at_samples(times, read[name], word.period) for name in (ANGLE, RATE)))
                ],
                word.period,
            )
        },
    ),
    "baseline-turbine": Example(
        fl.BaselineTurbine(
            f"100 + 80*{RATE}",
            "oc3",
            kp=0.02,
            ki=0.03,
            region2_gain=3e-4,
            rated_power=600,
            max_torque=5,
            torque_rate=12,
            period=0.05,
        ),
        baseline_again,
    ),
    "yaw-follow": Example(
        fl.YawFollow(dead_band=0.1, lag=0.1, rate=0.2, acceleration_time=0.25, sample=0.05, facing=0.0, body="boom"),
        yaw_again,
    ),
    "discon": Example(
        fl.Discon(
            library(),
            {"generator_speed": f"175 + 10*{ANGLE}"},
            str(folder() / "oc3.in"),
            ["pitch", "torque"],
            period=0.05,
        ),
        discon_again,
    ),
    "state-feedback": Example(
        fl.StateFeedback([ANGLE, RATE], {"push": [20, 4], "pull": [1, -2]}, targets=[0.3, 0], limits=(-9, 9)),
        feedback_again,
    ),
}
CONTINUOUS = {  # the same kinds without a period, where that is something else
    "pid": fl.Pid(ANGLE, 0.4, kp=30, ki=20, kd=5, derivative_filter=0.02, limits=(-9, 9)),
    "expression": fl.ExpressionController("2 - 3*law.x", {"x": f"{ANGLE} - law.x"}),
    "sensor": fl.Sensor(f"3 - 9*{ANGLE}", frequency=8.0, damping_ratio=0.6),
    "python": fl.PythonController(push, [ANGLE], every_stage=True),
}


def example(kind: str, word: Any = None) -> fl.Model:
    """Return the model of a kind: an arm on a floating hull that it drives."""
    if kind not in EXAMPLES:
        raise AssertionError(
            f"controller type '{kind}' has no minimal example: add a row to tests/generated/controller_examples.py"
        )
    word = EXAMPLES[kind].word if word is None else word
    actuator = {"controller": f"law.{word.outputs()[0]}", "limit": 50, "time_constant": 0.1}
    windy = kind == "yaw-follow"
    return fl.Model(
        f"one {kind}",
        {
            "hull": fl.Body(30, (9, 8, 7), angular_velocity=(0.1, 0.2, -0.1)),
            "boom": fl.Body(2, (0.3, 0.4, 0.5), (1.0, 0.2, 0.1)),
        },
        {"arm": fl.Revolute("hull", "boom", (0.4, 0, 0), (0, 0.6, 0.8), damper=0.5, actuator=actuator)},
        controllers={"law": word},
        environment=fl.Environment(wind=fl.SteadyWind(9.0, BLOWS)) if windy else None,
    )
