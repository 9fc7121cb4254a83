"""Motions whose acceleration jumps, and bodies that start away from the drawing."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl


def ramped(begin: float) -> fl.Model:
    return fl.Model(
        name="ramp",
        gravity=(0, 0, 0),
        bodies={"a": fl.Body(10, (2, 2, 2)), "b": fl.Body(1, (1, 1, 1), position=(1, 0, 0))},
        joints={"j": fl.Revolute("a", "b", (0.5, 0, 0), (0, 0, 1), motion=fl.Ramp(1, 0.5, begin=begin))},
    )


@pytest.mark.parametrize("begin", [0.0, 1.0, 1.013])
def test_a_ramp_keeps_the_order_wherever_it_bends(begin: float):
    # The free system starts at rest, so its angular momentum is zero for ever; what is left is the integrator's error,
    # which must fall sixteenfold when the step is halved, also when the kinks (begin, begin + 2 s) are not on the grid.
    steps = 0.08 / 2 ** np.arange(4)
    errors = [np.abs(fl.simulate(ramped(begin), 5, dt)["angular_momentum"].values).max() for dt in steps]
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(4, abs=0.2)
    assert fl.audit(fl.simulate(ramped(begin), 5, 0.04)).passed


def test_an_adaptive_step_ends_at_a_kink():
    data = fl.simulate(ramped(1.013), 5, 0.1, integrator="dop853", rtol=1e-11, atol=1e-13)
    assert np.abs(data["angular_momentum"].values).max() < 1e-9
    assert data.attrs["rejected_steps"] < 10  # a pair that steps over a jump rejects dozens of steps around it


def test_a_free_joint_to_the_world_starts_moved_and_moving():
    start = {"x": 2.0, "c": "90 deg"}
    joint = fl.Free(parent="world", child="b", point=(1, 0, 0), initial=start, rate={"y": 1.0, "c": 0.5})
    body = fl.Body(1, (1, 2, 3), position=(0, 0, 0))
    data = fl.simulate(fl.Model(name="f", bodies={"b": body}, joints={"j": joint}, gravity=(0, 0, 0)), 2, 0.01)
    # The point (1, 0, 0) moves to (3, 0, 0); the mass centre, one metre to its -x, turns with c to its -y.
    assert data["position"].values[0, 0] == pytest.approx([3, -1, 0], abs=1e-15)
    # Velocity of the mass centre: that of the point plus w x arm = (0, 1, 0) + (0, 0, 0.5) x (0, -1, 0).
    assert data["velocity"].values[0, 0] == pytest.approx([0.5, 1, 0], abs=1e-15)
    # Free flight: a straight line, and about its own principal axis a constant rate.
    assert data["position"].values[-1, 0] == pytest.approx([4, 1, 0], abs=1e-12)
    assert data["euler123"].values[-1, 0, 2] == pytest.approx(np.pi / 2 + 1, abs=1e-12)


TIMES, FORCES, END = (0.0, 0.313, 0.777, 1.234, 2.0), (0.0, 5.0, -8.0, 3.0, 1.0), 2.0


def pushed(force, times=TIMES, mass=2.0) -> tuple[float, float]:
    """Return place and speed of a mass at the end of a force linear between its rows: cubics, piece by piece."""
    x = v = 0.0
    for start, stop, before, after in zip(times, times[1:], force, force[1:]):
        h = stop - start
        x += h * v + h * h * (2 * before + after) / 6 / mass
        v += h * (before + after) / 2 / mass
    return x, v


def cart(actuator=None, loads=None) -> fl.Model:
    """Return a cart of 2 kg on rails along x."""
    act = {} if actuator is None else {"actuator": actuator}
    rail = fl.Prismatic(parent="world", child="cart", point=(0, 0, 0), axis=(1, 0, 0), **act)
    return fl.Model("cart", {"cart": fl.Body(2, (1, 1, 1))}, {"rail": rail}, loads=loads or {}, gravity=(0, 0, 0))


def within(limit: float) -> tuple[list[float], list[float]]:
    """Return the rows of the table kept within a limit, with rows where it passes the limit."""
    times, force = [TIMES[0]], [FORCES[0]]
    for start, stop, before, after in zip(TIMES, TIMES[1:], FORCES, FORCES[1:]):
        passed = sorted((end - before) / (after - before) for end in (-limit, limit))
        times += [start + part * (stop - start) for part in passed if 0 < part < 1] + [stop]
        force += [before + part * (after - before) for part in passed if 0 < part < 1] + [after]
    return times, [max(-limit, min(limit, one)) for one in force]


@pytest.mark.parametrize("options", [{"dt": 0.1}, {"dt": 0.05}, {"dt": 0.1, "integrator": "rk45"}, {}])
@pytest.mark.parametrize("kind", ["load", "command", "limited command"])
def test_tables_bend_between_steps_without_loss(kind: str, options: dict):
    """Between the bends the place is a cubic of time, which every Runge-Kutta method of order four meets exactly.

    Left are roundings: 1e-12 of places and speeds of one. rk4 that stepped over the bends was off by 1.3e-3.
    """
    table, answer = fl.Table(TIMES, FORCES), pushed(FORCES)
    if kind == "load":
        model = cart(loads={"push": fl.Force("cart", force=(table, 0, 0))})
    else:
        limit = 4.0 if kind == "limited command" else None
        model = cart(fl.Actuator(command=table, limit=limit))
        answer = answer if limit is None else pushed(within(limit)[1], within(limit)[0])
    data = fl.simulate(model, END, progress=False, **options)
    assert data.position.values[-1, 0, 0] == pytest.approx(answer[0], abs=1e-12)
    assert data.velocity.values[-1, 0, 0] == pytest.approx(answer[1], abs=1e-12)
    assert fl.audit(data).passed


def test_a_jump_is_a_table_with_two_close_times():
    """A force of 4 N from t = 0.503 s on, ramped up over a microsecond: v and x as of the jump half way, to 1e-12."""
    jump = 0.503
    table = fl.Table((0, jump, jump + 1e-6, 1), (0, 0, 4, 4))
    data = fl.simulate(cart(loads={"push": fl.Force("cart", force=(table, 0, 0))}), 1.0, 0.01, progress=False)
    left = 1 - (jump + 0.5e-6)
    assert data.velocity.values[-1, 0, 0] == pytest.approx(2 * left, abs=1e-12)
    assert data.position.values[-1, 0, 0] == pytest.approx(left**2, abs=1e-12)
