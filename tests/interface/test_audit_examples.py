"""The audit of our own results: one wrong number anywhere in a multi-body table must fail it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def clock():
    """Give the result of the clock example, its tower fitted with a wheel, long enough to turn visibly."""
    model = fl.load(EXAMPLES / "03_clock.yaml")
    tower = model.bodies["tower"].model_copy(update={"wheels": (fl.Wheel((1, 0, 0), 2.0, 30.0),)})
    return fl.simulate(model.model_copy(update={"bodies": {**model.bodies, "tower": tower}}), duration=20)


def mutate(data, name: str, change):
    wrong = data.copy(deep=True)
    wrong[name].values[...] = change(wrong[name])
    return wrong


def in_world_axes(data, body: str):
    """Return the angular velocity of one body in world instead of body axes."""
    w, x, y, z = np.moveaxis(data["orientation"].sel(body=body).values, -1, 0)
    v = data["angular_velocity"].sel(body=body).values
    u = np.stack([x, y, z], axis=-1)
    return v + 2 * np.cross(u, np.cross(u, v) + w[:, None] * v)


def scaled(body: str, factor: float):
    return lambda values: values.where(values["body"] != body, values * factor)


MUTATIONS = {
    "a mass": ("mass", scaled("hand", 1.01)),
    "an inertia": ("inertia", scaled("hand", 1.05)),
    "a velocity sign": ("velocity", scaled("hand", -1.0)),
    "a wheel's momentum": ("wheel_momentum", scaled("tower", 1.01)),
}


def test_the_unchanged_result_passes(clock):
    assert fl.audit(clock).passed


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_one_wrong_number_fails(clock, mutation):
    name, change = MUTATIONS[mutation]
    assert not fl.audit(mutate(clock, name, change)).passed


def test_an_angular_velocity_in_the_wrong_axes_fails(clock):
    wrong = clock.copy(deep=True)
    wrong["angular_velocity"].loc[{"body": "hand"}] = in_world_axes(clock, "hand")
    assert np.abs(wrong["angular_velocity"] - clock["angular_velocity"]).max() > 1e-4  # the axes do differ
    assert not fl.audit(wrong).passed
