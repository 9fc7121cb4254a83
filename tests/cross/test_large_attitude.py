"""No angle limit anywhere: OC3-Hywind without mooring comes upright from 100 degrees; leaving tables is said."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from support.sea_models import HULL, spar

FILE = Path(__file__).parents[2] / "examples" / "oc3_hywind_held_rotor.yaml"


def unmoored(start: dict[str, float]) -> fl.Model:
    """Return the turbine of the model file in still water without wind, lines and thrust, its joints held."""
    model = fl.load(FILE)
    locked = {n: j.model_copy(update={"motion": {}, "locked": tuple(j.coordinates)}) for n, j in model.joints.items()}
    return model.model_copy(
        update={
            "joints": {"start": fl.Free("world", "tower", point=(0, 0, 0), initial=start), **locked},
            "loads": {n: load for n, load in model.loads.items() if n[:4] != "line" and n != "rotor"},
            "environment": model.environment.model_copy(update={"waves": None, "wind": None}),
            "controllers": {},
        }
    )


def lean(data) -> np.ndarray:
    """Return the angle between the tower's axis and the vertical [deg]."""
    _, x, y, _ = np.moveaxis(data["orientation"].sel(body="tower").values, -1, 0)
    return np.degrees(np.arccos(1 - 2 * (x * x + y * y)))


def resting_lean(model: fl.Model) -> float:
    """Return the lean at which the mass centre, off the axis by the rotor's overhang, is under the metacentre [deg]."""
    mass = np.array([body.mass for body in model.bodies.values()])
    x, _, z = mass @ np.array([body.position for body in model.bodies.values()]) / mass.sum()
    levels, diameters = np.array(HULL).T
    l = np.linspace(-120, 10, 1_300_001)
    r = np.interp(l, levels, diameters) / 2
    volume = np.concatenate([[0], np.cumsum((r[1:] ** 2 + r[:-1] ** 2) / 2 * np.diff(l))]) * math.pi
    water = np.searchsorted(volume, mass.sum() / 1025)  # it floats higher without the lines' pull
    centre = np.trapezoid(l[: water + 1] * r[: water + 1] ** 2, l[: water + 1]) * math.pi / volume[water]
    metacentre = centre + math.pi / 4 * r[water] ** 4 / volume[water]
    return math.degrees(abs(x) / (metacentre - z))


def test_released_at_100_degrees_the_turbine_comes_upright_within_an_hour():
    """Nacelle first under water, then a plunge to 60 m below its draft; ends and taper of the hull pass the surface."""
    model = unmoored({"b": math.radians(100)})
    data = fl.simulate(model, 3600.0, 0.05, output_every=4)
    tilt, time = lean(data), data["time"].values
    assert tilt[0] == pytest.approx(100, abs=1e-9) and tilt.max() < 100.001
    assert tilt[time > 180].max() < 2  # last above 2 degrees at 176 s
    # At rest only what the rotor's overhang does is left, to first order in the angle (1.2 mrad).
    assert tilt[-1] == pytest.approx(resting_lean(model), rel=2e-3)
    assert np.abs(data["velocity"].values[-1]).max() < 1e-6
    audit = fl.audit(data)
    assert audit.passed, audit.table()
    value = {check.name: check.value for check in audit.checks}
    assert value["energy changes by the recorded work"] < 1e-8
    assert value["angular momentum changes by the reported impulse"] < 1e-11
    assert not {"beyond_curve", "beyond_tables"} & set(data.attrs)


@pytest.mark.parametrize("start", [{"a": math.pi}, {"a": math.radians(-135), "c": 2.0}, {"b": math.radians(90)}])
def test_every_attitude_rights_itself(start):
    """Falling keel up from the air it hits the water with its top; 0.02 s follow that to what the audit asks for."""
    data = fl.simulate(unmoored(start | {"x": 1.0}), 600.0, 0.02, output_every=20)
    assert lean(data)[-1] < 2
    assert fl.audit(data).passed, fl.audit(data).table()


def drifting(velocity: float, start=None, **morison) -> fl.Model:
    model = spar(fl.Jonswap(3, 9, seed=2, components=20), start=start, strips=8, **morison)
    push = fl.Force("spar", force=(f"1e8 * ({velocity} - spar.vx)", 0, 0))
    return model.model_copy(update={"loads": {**model.loads, "push": push}})


def test_leaving_the_tables_of_the_waves_is_counted_and_said():
    """Pushed along at 2 m/s the spar leaves what is tabled, 30 m round its place, once and for all."""
    data = fl.simulate(drifting(2.0), 60.0, 0.1, output_every=10)
    x = data["position"].sel(body="spar", xyz="x").values
    said = data.attrs["beyond_tables"]
    count = int(said.split("waves ")[-1].split()[0])
    assert said.startswith("members left the tables of the waves, where the exact (slower) sum is taken: waves ")
    # Tables reach a few stations beyond the 30 m; the spar passes 2 m from one instant to the next, in ten steps of
    # four evaluations and one for the record.
    assert 40 * np.count_nonzero(x > 60) <= count <= 41 * np.count_nonzero(x > 30)
    assert "beyond_tables" not in fl.simulate(drifting(0.3), 60.0, 0.1, output_every=10).attrs
    assert "beyond_tables" not in fl.simulate(drifting(2.0, kinematics="undisplaced"), 60.0, 0.1).attrs
    lying = fl.simulate(drifting(0.0, {"b": math.radians(100)}), 20.0, 0.1, output_every=10)
    tilt = np.degrees(np.arccos(np.clip(1 - 2 * (lying["orientation"].values[:, 0, 1:3] ** 2).sum(axis=1), -1, 1)))
    assert int(lying.attrs["beyond_tables"].split("waves ")[-1].split()[0]) >= np.count_nonzero(tilt > 60.01) > 0


def test_the_count_goes_on_after_a_restart():
    from fairlead.running.simulation import Simulation

    first, second = (Simulation(drifting(2.0, {"b": 0.3}), 60.0, 0.1) for _ in range(2))
    first.advance()
    first.advance(most=250)
    before = first.work.rows["beyond"].sum()
    second.restore(first.state())
    first.advance()
    second.advance()
    assert first.work.rows["beyond"].sum() == second.work.rows["beyond"].sum() > before


def test_a_wave_record_shorter_than_the_run_is_refused():
    waves = fl.WaveRecord(dt=0.5, values=np.sin(np.arange(240.0)))
    fl.simulate(spar(waves), 120.0, 0.5, output_every=50)
    with pytest.raises(fl.InvalidInput, match=r"environment.waves: the table covers 0 s to 120 s, but 0 s to 121 s"):
        fl.simulate(spar(waves), 121.0, 0.5)
