"""The order of the methods across an event in the middle of a step, fitted: a swinging arm whose rope is cut."""

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.events.run import EventRun

CUT = 0.7331


def arm(event):
    """Return a pendulum, far from small angles, that a rope pulls until it is cut."""
    pin = fl.Revolute("world", "arm", (0, 0, 0), (0, 1, 0), rate=2.0)
    rope = fl.Spring("arm", (0, 0, -3), anchor=(2, 0, -3), stiffness=30, length=1.5)
    bar = fl.Body(2.0, (1.0, 0.3, 1.0), position=(0, 0, -1.5))
    return fl.Model("arm", {"arm": bar}, {"pin": pin}, {"rope": rope}, events={"cut": event})


def last(event, **options):
    """Return angle and rate at the end of two seconds."""
    run = EventRun(arm(event), 2.0, **options)
    while not run.finished:
        run.advance()
    return run.y[:2].copy(), run.log[0]["time"]


@pytest.fixture(scope="module")
def exact():
    return last(fl.Event(at=CUT, cut="rope"), rtol=1e-13, atol=1e-15)[0]


@pytest.fixture(scope="module")
def place():
    """Return the angle at which the rope is cut, for the same event told by a formula."""
    run = EventRun(arm(fl.Event(at=CUT, stop=True)), 2.0, rtol=1e-13, atol=1e-15)
    while not run.finished:
        run.advance()
    return float(run.y[0])


@pytest.mark.parametrize("by", ["at", "when"])
@pytest.mark.parametrize(("method", "order", "steps"), [("rk4", 4, (160, 320, 640, 1280)), ("dop853", 8, (16, 32, 64))])
def test_order(method, order, steps, by, exact, place):
    """Steps of one size for dop853 too: its tolerances are wide and its longest step is given."""
    event = (
        fl.Event(at=CUT, cut="rope")
        if by == "at"
        else fl.Event(when=f"pin.angle - ({place!r})", rising=True, cut="rope")
    )
    sizes, errors, instants = [], [], []
    for n in steps:
        h = 2.0 / n
        wide = {"dt": h} if method == "rk4" else {"dt": 2.0, "longest": h, "rtol": 1e6, "atol": 1e6}
        y, instant = last(event, integrator=method, formulation="articulated", **wide)
        sizes.append(h)
        errors.append(np.abs(y - exact).max())
        instants.append(abs(instant - CUT))
    slope = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    # Four and eight are reached slowly, and the parts into which an event divides its step vary from size to size
    assert slope > 0.92 * order, errors
    assert by == "at" or np.polyfit(np.log(sizes), np.log(instants), 1)[0] > 0.92 * order, instants
