"""The figures a run ends with: what happened, and nothing of what did not."""

from __future__ import annotations

import fairlead as fl
from fairlead.results.summaries.key_figures import key_figures


def hung(**more) -> fl.Model:
    """Return a mass of 1 kg below a spring of 100 N/m that is 0.2 m long at first, 0.1 m of it stretch."""
    body = fl.Body(1.0, (0.1, 0.1, 0.1), (0, 0, -0.2), **more)
    spring = fl.Spring("b", (0, 0, -0.2), anchor=(0, 0, 0), stiffness=100.0, length=0.1)
    return fl.Model("hung", {"b": body}, loads={"spring": spring})


def test_what_hangs_still_neither_leans_nor_drifts():
    """It starts at rest, 10 N up against 9.81 N down: 10 N is the highest tension, and it moves up and down only."""
    said = key_figures(fl.simulate(hung(), 1.0, 0.01))
    assert [line for line in said if "leans" in line or "drifts" in line] == []
    assert any(line.startswith("highest tension 10 N in 'spring' at t = 0 s") for line in said), said


def test_what_leans_and_drifts_is_said_with_when():
    """Turning at 0.1 rad/s and moving at 0.3 m/s for a second: 5.73 deg, 0.3 m, both at the end."""
    model = hung(angular_velocity=(0.1, 0, 0), velocity=(0.3, 0, 0))
    loads = {"spring": fl.Spring("b", (0, 0, -0.2), anchor=(0, 0, 500), stiffness=1e-6, length=1.0)}
    said = key_figures(fl.simulate(model.model_copy(update={"loads": loads}), 1.0, 0.01))
    assert "'b' leans by up to 5.73 deg at t = 1 s, pitch 0 to 0 deg" in said
    assert "the mass centre of 'b' drifts by up to 0.3 m at t = 1 s" in said
