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

ANGLE, RATE = "arm.angle", "arm.rate"


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


def push(t: float, inputs: Any) -> float:
    """A law that remembers nothing."""
    return float(2 - 15 * inputs[0] + np.sin(3 * t))


def at_samples(times: Any, values: Any, period: float) -> Iterator[float]:
    """Return recorded values at the samples, which are recorded instants."""
    for k in range(round(times[-1] / period) + 1):
        i = int(np.argmin(np.abs(times - k * period)))
        assert abs(times[i] - k * period) < 1e-9
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
    return fl.Model(
        f"one {kind}",
        {
            "hull": fl.Body(30, (9, 8, 7), angular_velocity=(0.1, 0.2, -0.1)),
            "boom": fl.Body(2, (0.3, 0.4, 0.5), (1.0, 0.2, 0.1)),
        },
        {"arm": fl.Revolute("hull", "boom", (0.4, 0, 0), (0, 0.6, 0.8), damper=0.5, actuator=actuator)},
        controllers={"law": word},
    )
