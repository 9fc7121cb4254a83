"""`discard`: an attribute of the result, shaded in pictures, left out by what statistics are made of."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.results.transient import settled_part
from fairlead.view.style import SHADE


def pendulum(**run) -> fl.Model:
    bob = fl.Body(2, (0.3, 0.3, 0.1), (0.6, 0, -0.8))
    return fl.Model("bob", {"bob": bob}, {"pin": fl.Revolute("world", "bob", (0, 0, 0), (0, 1, 0))}, run=run or None)


def test_the_run_says_it_and_the_audit_judges_the_whole():
    said = fl.simulate(pendulum(duration="2 s", dt="10 ms", discard="0.5 s"))
    given = fl.simulate(pendulum(), 2, 0.01, discard="500 ms")
    assert said.attrs["discard"] == given.attrs["discard"] == 0.5
    assert said.sizes["time"] == 201 and "discard" not in fl.simulate(pendulum(), 2, 0.01).attrs
    assert fl.audit(said).passed
    broken = said.copy(deep=True)
    broken["momentum"][10] += 1.0  # within what is discarded
    assert not fl.audit(broken).passed


def test_the_settled_part_begins_at_the_instant_asked_for():
    data = fl.simulate(pendulum(), 2, 0.1, discard=0.3)  # 3 * 0.1 is a little more than 0.3
    np.testing.assert_allclose(settled_part(data).time, 0.1 * np.arange(3, 21))
    assert settled_part(data, 0).sizes["time"] == 21
    assert settled_part(data, "1.95 s").sizes["time"] == 1
    late = data.isel(time=slice(5, None))  # counted from its own first instant
    assert float(settled_part(late, 1.0).time[0]) == pytest.approx(1.5)
    with pytest.raises(fl.InvalidInput, match="leaves nothing of a result that ends at t = 2 s; got 3 s"):
        settled_part(data, 3)
    with pytest.raises(fl.InvalidInput, match="zero or more; got -1"):
        settled_part(data, -1)


def test_pictures_shade_it():
    def shades(data):
        figure = fl.plot(data)
        return [[p for p in axes.patches if p.get_facecolor()[:3] == pytest.approx(WANTED)] for axes in figure.axes]

    from matplotlib.colors import to_rgb

    WANTED = to_rgb(SHADE)
    assert all(len(found) == 1 for found in shades(fl.simulate(pendulum(), 2, 0.01, discard=0.5)))
    assert not any(shades(fl.simulate(pendulum(), 2, 0.01)))


def test_what_leaves_nothing_is_refused():
    for call in (
        lambda: fl.simulate(pendulum(), 2, 0.01, discard=2),
        lambda: pendulum(duration="2 s", discard="3 s"),
    ):
        with pytest.raises(fl.InvalidInput, match="discard: leaves nothing of the run, which lasts 2 s"):
            call()
