"""Sensors against closed forms: filters of first and second order, delay, and the statistics of the noise."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl

W, Z, T, H = 5.0, 0.3, 0.4, 0.1  # of the filters, and a period


def turning(**sensors):
    """A disc that turns by sin(2 t), and sensors of it that nothing uses but a torque of zero."""
    spin = fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), motion=fl.Expression("sin(2*t)"))
    idle = fl.Force("disc", moment=(f"0*({'+'.join(f'{name}.output' for name in sensors)})", 0, 0))
    bodies = {"disc": fl.Body(1.0, (0.3, 0.3, 0.5))}
    return fl.Model("turning", bodies, {"spin": spin}, {"idle": idle}, gravity=(0, 0, 0), controllers=sensors)


def outputs(model, duration=4.0, dt: float | None = 0.05, **options):
    data = fl.simulate(model, duration, dt, progress=False, **options)
    return data.time.values, data.controller_output.values.T


def test_continuous_filters_are_their_equations():
    """From x = u = sin 0 at rest. T x' = u - x, and x'' = w^2 (u - x) - 2 z w x': forced and free motion."""
    first = fl.Sensor("spin.angle", T)
    second = fl.Sensor("spin.angle", frequency=W, damping_ratio=Z)
    t, (one, two) = outputs(turning(first=first, second=second), dt=None, rtol=1e-11, atol=1e-12)
    G = 1 / (1 + 2j * T)
    np.testing.assert_allclose(one, (G * np.exp(2j * t)).imag - G.imag * np.exp(-t / T), atol=1e-9)
    G = W**2 / (W**2 - 4 + 2j * Z * W * 2)
    roots = np.array([-Z * W + s * 1j * W * np.sqrt(1 - Z**2) for s in (1, -1)])
    free = np.linalg.solve([[1, 1], roots], [-G.imag, -(2j * G).imag])
    x = (G * np.exp(2j * t)).imag + (free[:, None] * np.exp(roots[:, None] * t)).sum(0).real
    np.testing.assert_allclose(two, x, atol=1e-9)


@pytest.mark.parametrize("z", [0.3, 1.0, 2.5])
def test_a_sampled_filter_is_the_continuous_one_of_a_held_input(z):
    """A step of the input from 0 to 1 at t = 0.5 s: x = 1 - e^-at (cos mt + a/m sin mt), as many samples as periods."""
    word = fl.Sensor("where(t < 0.45, 0, 1)", frequency=W, damping_ratio=z, period=H)
    t, (x,) = outputs(turning(word=word), 3.0, H)
    since = np.maximum(t - 0.4, 0)  # held over the period that ends at the first sample with the new value
    m = W * np.sqrt(complex(z * z - 1))
    wave = np.cosh(m * since) + z * W * (np.sinh(m * since) / m if m != 0 else since)
    np.testing.assert_allclose(x, 1 - np.exp(-z * W * since) * wave.real, atol=1e-12)


def test_a_first_order_one_is_its_recursion():
    """x = (1 - a) u + a x with a = exp(-h / T), from x = u: the filter of the 5 MW baseline controller."""
    t, (x,) = outputs(turning(word=fl.Sensor("spin.angle", T, period=H)), 3.0, H)
    u, a, y = np.sin(2 * t), np.exp(-H / T), [0.0]
    for value in u[1:]:
        y.append((1 - a) * value + a * y[-1])
    np.testing.assert_allclose(x, y, atol=1e-12)


def test_a_delay_is_what_was_measured_then():
    t, (x, y) = outputs(turning(x=fl.Sensor("spin.angle", delay=0.7, period=H), y=fl.Sensor("spin.angle", period=H)))
    held = np.floor(t / H + 1e-9) * H
    np.testing.assert_allclose(y, np.sin(2 * held), atol=1e-12)
    np.testing.assert_allclose(x, np.sin(2 * np.maximum(held - 0.7, 0)), atol=1e-12)


def test_noise_is_white_normal_and_of_its_seed():
    """Of n = 20000: mean and deviation within 4 of their own deviations, and so is the correlation of neighbours."""
    quiet = {name: fl.Sensor(0, noise=2.5, seed=seed, period=H) for name, seed in (("a", 1), ("b", 2), ("c", 1))}
    _, (a, b, c) = outputs(turning(**quiet), 2000.0, H)
    n = len(a)
    assert n == 20001 and a.tobytes() == c.tobytes() and not np.any(a == b)
    for x in (a, b):
        assert abs(x.mean()) < 4 * 2.5 / np.sqrt(n) and abs(x.std() - 2.5) < 4 * 2.5 / np.sqrt(2 * n)
        assert abs(np.corrcoef(x[1:], x[:-1])[0, 1]) < 4 / np.sqrt(n)
        assert abs((np.abs(x) < 2.5).mean() - 0.682689) < 4 * np.sqrt(0.22 / n)  # within one deviation
    assert abs(np.corrcoef(a, b)[0, 1]) < 4 / np.sqrt(n)


@pytest.mark.parametrize(
    "word, said",
    [
        ({}, "gives what it measures"),
        ({"delay": 0.1}, "needs a 'period'"),
        ({"noise": 1, "seed": 1}, "needs a 'period'"),
        ({"noise": 1, "period": 1}, "needs a 'seed'"),
        ({"seed": 1, "period": 1}, "has no effect without noise"),
        ({"delay": 0.25, "period": 0.1}, "a whole number of periods; got 2.5"),
        ({"time_constant": 1, "frequency": 1, "damping_ratio": 1}, "keep one"),
        ({"frequency": 1}, "together"),
    ],
)
def test_mistakes_have_sentences(word, said):
    with pytest.raises(fl.InvalidInput, match=said):
        fl.Sensor("spin.angle", **word)
