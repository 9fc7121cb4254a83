"""Where the controlled turbine rests and how it swings there: against OpenFAST's settled states and our own runs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import fairlead as fl
from support import controlled_turbine as turbine

LENGTHS = tuple(name for name in turbine.PLATFORM[:3])


@pytest.fixture(scope="module")
def rests():
    return {case: fl.equilibrium(turbine.machine(case)) for case in ("K2_8", "K2_14")}


@pytest.mark.parametrize("row, case", [(0, "K2_8"), (1, "K2_14")])
def test_it_rests_where_openfast_settles(rests, row, case):
    """Asked for: 3e-3, or 2 mm and 0.002 deg. OpenFAST is settled within 1e-3 m; seen: 2e-4, most of it there."""
    rest, rows = rests[case], turbine.recorded("L2")
    ours = turbine.channels(rest.expand_dims("time"))
    for name in (one for one in rows if one != "wind_(m/s)"):
        near = 5e-4 if name in LENGTHS else 1e-4 if "deg" in name else 0.0
        assert ours[name][0] == pytest.approx(rows[name][row], rel=2e-4, abs=near), name
    assert rest.attrs["stable"] == 1 and rest.attrs["free_directions"] == ""
    assert "'spin.angle' goes on turning at its steady rate" in rest.attrs["notes"]
    assert "'baseline' is continuous" in rest.attrs["notes"]


def test_a_run_that_starts_there_stays(rests):
    """Controllers begin from the outputs that the state has: speed, pitch and place stay to what the period leaves."""
    model = turbine.machine("K2_14")
    data = fl.simulate(model, 60.0, 0.025, start=rests["K2_14"], formulation="articulated", progress=False)
    found = turbine.channels(data)
    assert np.ptp(found["RotSpeed_(rpm)"]) < 1e-5
    assert np.ptp(found["BldPitch1_(deg)"]) < 1e-5
    assert np.ptp(found["PtfmPitch_(deg)"]) < 1e-4
    assert any("controllers begin at the outputs of the start: baseline" in text for text in _told(data))


def _told(data):
    return str(data.attrs.get("start_moved", "")).split("; ")


def growth(model, rest, dt):
    """Return the rate and the frequency of platform pitch after a disturbance of 0.01 deg, fitted to four cycles."""
    start = rest.copy(deep=True)
    lean = np.radians(0.01)
    # the whole machine turned about the y axis through the still-water point
    Q = np.array([[np.cos(lean), 0, np.sin(lean)], [0, 1, 0], [-np.sin(lean), 0, np.cos(lean)]])
    start["position"][:] = start["position"].values @ Q.T
    q = start["orientation"].values
    w, x, y, z = np.moveaxis(q, -1, 0)
    c, s = np.cos(lean / 2), np.sin(lean / 2)
    start["orientation"][:] = np.stack([c * w - s * y, c * x + s * z, c * y + s * w, c * z - s * x], axis=-1)
    options = {"output_every": round(0.2 / dt), "formulation": "articulated", "progress": False}
    runs = [fl.simulate(model, 200.0, dt, start=one, **options) for one in (start, rest)]
    names = ("PtfmPitch_(deg)", "PtfmSurge_(m)")
    one, other = (turbine.channels(run) for run in runs)
    return runs[0]["time"].values, {name: one[name] - other[name] for name in names}


@pytest.mark.parametrize("gains, grows", [("oc3", False), ("land-based", True)])
def test_linearisation_tells_the_sign_and_the_growth(gains, grows):
    """Land-based gains drive the platform, those of OC3 do not: what x' = A x makes of 0.01 deg, and the rate.

    The difference of two runs from the steady state, one moved by 0.01 degrees, is followed to 3 % of its largest, and
    where a mode grows its rate over some cycles to 5 %. What is left is the quadratic drag of 0.01 degrees.
    """
    model = turbine.machine("K2_14", gains=gains)
    modes, rest = fl.linearize(model, formulation="articulated"), fl.equilibrium(model)
    assert rest.attrs["stable"] == int(not grows)
    swings = [k for k, value in enumerate(modes.eigenvalue_imag.values) if 0.15 < value < 0.3]
    fastest = max(swings, key=lambda k: modes.eigenvalue_real.values[k])
    sigma = float(modes.eigenvalue_real[fastest])
    assert (sigma > 0) == grows
    assert ("grow" in modes.attrs["notes"]) == grows
    time, moved = growth(model, rest, 0.0125)
    lean, z = np.radians(0.01), float(rest.position.sel(body="tower", xyz="z"))
    x = np.zeros(len(modes.state))
    names = list(modes.state.values)
    x[names.index("pitch of tower")], x[names.index("surge of tower")] = lean, z * lean
    x[names.index("heave of tower")] = -float(rest.position.sel(body="tower", xyz="x")) * lean
    step, rows = expm(modes.A.values * (time[1] - time[0])), []
    for _ in time:
        rows.append(np.degrees(x[names.index("pitch of tower")]))
        x = step @ x
    found = moved["PtfmPitch_(deg)"]
    assert np.abs(found - rows).max() < 0.03 * np.abs(rows).max()
    if grows:
        peaks = [np.abs(found[(time >= a) & (time < a + 32)]).max() for a in (100, 164)]
        assert np.log(peaks[1] / peaks[0]) / 64 == pytest.approx(sigma, rel=0.05)
