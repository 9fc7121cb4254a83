"""Runs that start at rest or where another run was: they stay, go on, map by names, and resume to the bit."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl

ROOT = Path(__file__).parents[2]
STILL = {"environment.waves": None, "environment.wind": {"type": "steady", "speed": 0}}
RUN = ("run.json", "model.yaml", "start.nc")


def example(name: str) -> fl.Model:
    return fl.load(ROOT / "examples" / f"{name}.yaml")


def same(one, other) -> None:
    """Assert that two results have the same bits."""
    assert set(one) == set(other)
    for name in one:
        np.testing.assert_array_equal(one[name].values, other[name].values, name)


def test_the_spar_turbine_stays_where_it_rests_for_ten_minutes():
    """Rounding of 8e7 N of weight over 8e6 kg moves it by less; the rotor turns on, what does not spin is still."""
    model = fl.load(ROOT / "examples" / "oc3_hywind_held_rotor.yaml").with_(STILL)
    data = fl.simulate(model, 600, 0.05, start="equilibrium", output_every=40)
    still = data.sel(body=["tower", "nacelle", "hub"])
    assert float(abs(still.position - still.position[0]).max()) < 1e-6
    tower = data.orientation.sel(body="tower")
    assert 2 * float(abs(tower - tower[0]).max()) < 1e-8  # a small turn is twice the quaternion's change
    assert float(abs(data.euler123.sel(body="tower", xyz="y")[0])) > 1e-4  # it leans under the rotor's overhang
    assert data.attrs["start"] == "equilibrium" and "start_moved" not in data.attrs


@pytest.mark.parametrize(
    "name, formulation",
    [("double_pendulum", "kane")]
    + [
        (name, formulation)
        for name in ("double_pendulum", "n_four_bar", "slider_crank_dynamic")
        for formulation in ("articulated", "cloud", "constrained")
    ],
)
def test_a_run_in_two_parts_is_the_run_in_one(name, formulation):
    """No force of these depends on time. Rounding of the start grows as they move, most in a crank that compresses."""
    model = example(name)
    how = {"dt": 0.005, "formulation": formulation}
    whole = fl.simulate(model, 0.4, **how)
    part = fl.simulate(model, 0.2, start=fl.simulate(model, 0.2, **how), **how)
    for quantity in ("position", "velocity"):
        scale = float(abs(whole[quantity]).max())
        assert float(abs(part[quantity][-1] - whole[quantity][-1]).max()) < 1e-7 * scale
    assert "start_moved" not in part.attrs


def turntable(motion) -> fl.Model:
    """Return a body on a driven turntable that floats, off its axis."""
    arm = fl.Revolute("base", "arm", (0, 0, 0), (0, 0, 1), motion=motion)
    bodies = {"base": fl.Body(50.0, (9, 9, 9)), "arm": fl.Body(2.0, (1, 1, 1), (1, 0, 0))}
    return fl.Model("table", bodies, {"turn": arm}, gravity=(0, 0, 0))


@pytest.mark.parametrize("formulation", ["cloud", "articulated", "kane", "constrained"])
def test_a_driven_joint_starts_at_its_motion_and_says_so(formulation):
    """The base is where the start has it; the arm is where the motion puts it, 0, not where it had turned to, 2 rad."""
    model = turntable({"rate": 1.0})
    first = fl.simulate(model, 2, 0.01, formulation=formulation)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        second = fl.simulate(model, 1, 0.01, formulation=formulation, start=first)
    said = [str(one.message) for one in caught]
    assert "'turn.angle' starts where its motion has it, at 0 rad, not at 2 rad" in said
    assert any("elsewhere than the start: 'arm' 1.68 m, 2 rad" in one for one in said)
    np.testing.assert_allclose(second.position[0].sel(body="base"), first.position[-1].sel(body="base"), atol=1e-12)
    np.testing.assert_allclose(
        second.orientation[0].sel(body="base"), first.orientation[-1].sel(body="base"), atol=1e-12
    )
    assert float(second.joint_position[0, 0]) == 0.0 and "'arm'" in second.attrs["start_moved"]
    assert fl.audit(second).passed
    on = turntable({"rate": 1.0, "start": 2.0})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        third = fl.simulate(on, 1, 0.01, formulation=formulation, start=first)
    np.testing.assert_allclose(third.position[0], first.position[-1], atol=1e-12)


def test_another_formulation_and_a_changed_model_take_the_start_by_names():
    model = example("double_pendulum")
    first = fl.simulate(model, 0.3, 0.01, formulation="articulated")
    body = str(first.body.values[0])
    heavy = model.with_({f"bodies.{body}.mass": 7.0})
    for formulation in ("kane", "constrained", "cloud"):
        second = fl.simulate(heavy, 0.1, 0.01, formulation=formulation, start=first)
        np.testing.assert_allclose(second.position[0], first.position[-1], atol=1e-12)
        np.testing.assert_allclose(second.velocity[0], first.velocity[-1], atol=1e-11)


def test_what_cannot_be_mapped_is_named():
    first = fl.simulate(example("double_pendulum"), 0.1, 0.01)
    with pytest.raises(fl.InvalidInput, match="the start has no body 'base', which the model has"):
        fl.simulate(turntable({"rate": 1.0}), 1, 0.01, start=first)
    with pytest.raises(fl.InvalidInput, match="the start has no 'position'"):
        fl.simulate(example("double_pendulum"), 1, 0.01, start=first.drop_vars("position"))
    with pytest.raises(fl.InvalidInput, match=r"there is no 'nowhere\.run'"):
        fl.simulate(example("double_pendulum"), 1, 0.01, start="nowhere.run")
    joints = {"turn": fl.Revolute("arm", "base", (0, 0, 0), (0, 0, 1))}
    swapped = turntable({"rate": 1.0}).with_({"joints.turn": joints["turn"]})
    with pytest.raises(fl.InvalidInput, match="joint 'turn' joins 'base' and 'arm' in the start, 'arm' and 'base'"):
        fl.simulate(swapped, 1, 0.01, start=fl.simulate(turntable({"rate": 1.0}), 1, 0.01))
    bad = first.copy(deep=True)
    bad["velocity"][-1] = np.nan
    with pytest.raises(fl.InvalidInput, match="'velocity' of the start is not all numbers"):
        fl.simulate(example("double_pendulum"), 1, 0.01, start=bad)


@pytest.mark.parametrize(
    ("start", "formulation"),
    [("equilibrium", "articulated"), ("dataset", "constrained"), ("drawing", "articulated")]
    + [
        pytest.param(*pair, marks=pytest.mark.slow)
        for pair in (("equilibrium", "constrained"), ("dataset", "articulated"), ("drawing", "constrained"))
    ],
)
def test_a_run_that_is_resumed_before_its_first_checkpoint_begins_where_it_began(tmp_path, formulation, start):
    """All that is left of a run killed at once is what it was started with."""
    model = example("mass_on_spring" if start == "equilibrium" else "n_four_bar")
    given = fl.simulate(model, 0.2, 0.01, formulation=formulation) if start == "dataset" else start
    whole = fl.simulate(model, 0.5, 0.01, formulation=formulation, start=given, out=tmp_path / "whole.run")
    killed = tmp_path / "killed.run"
    killed.mkdir()
    for name in RUN if start != "drawing" else RUN[:2]:
        shutil.copy(tmp_path / "whole.run" / name, killed / name)
    with pytest.warns(UserWarning, match="started anew"):
        again = fl.resume(killed)
    same(whole, again)
    assert again.attrs["start"] == whole.attrs["start"]
    if start != "drawing":
        (killed / "result.nc").unlink()
        with open(killed / "start.nc", "r+b") as file:
            file.seek(2000)
            file.write(b"damage")
        (killed / "status.json").unlink()
        with pytest.raises(fl.CheckpointUnusable, match=r"start\.nc"):
            fl.resume(killed)


def test_the_command_line_goes_on_from_an_instant_of_a_run(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from fairlead.cli.app import app

    monkeypatch.chdir(tmp_path)
    file, short = str(ROOT / "examples" / "double_pendulum.yaml"), ["-q", "--duration", "1"]
    told = CliRunner().invoke(app, ["run", file, "-o", "a.run", *short])
    assert told.exit_code == 0
    told = CliRunner().invoke(app, ["run", file, "-o", "b.run", *short, "--start-from", "a.run", "--start-at", "0.4 s"])
    assert told.exit_code == 0
    with fl.open_result("a.run") as a, fl.open_result("b.run") as b:
        assert b.attrs["start"] == "a.run ('double pendulum') at t = 0.4 s"
        np.testing.assert_allclose(b.position[:60], a.position[40:100], atol=1e-12)
    for options, said in (
        (
            ["--start-from", "a.run", "--start-at", "0.403"],
            "a.run has no instant at t = 0.403 s; take one near: 0.39 s",
        ),
        (["--start", "rest"], "--start: must be one of drawing, equilibrium; got 'rest'"),
        (["--start-at", "1"], "--start-at: is an instant of --start-from; give that too"),
        (["--start", "equilibrium", "--start-from", "a.run"], "keep one of them"),
        (["--ramp", "3"], "ramp: has no effect: the run has neither waves nor wind"),
    ):
        refused = CliRunner().invoke(app, ["run", file, "-o", "c.run", *short, *options])
        assert isinstance(refused.exception, fl.InvalidInput) and said in str(refused.exception)


def test_the_model_s_own_run_may_say_it_and_words_are_checked():
    model = example("mass_on_spring")
    run = {"duration": 1, "dt": 0.01, "start": "equilibrium"}
    data = fl.simulate(model.with_({"run": run}))
    assert float(abs(data.velocity).max()) < 1e-9 and data.attrs["start"] == "equilibrium"
    with pytest.raises(fl.InvalidInput, match="drawing"):
        model.with_({"run": {**run, "start": "rest"}})
    with pytest.raises(fl.InvalidInput, match="start: must be one of drawing, equilibrium"):
        fl.simulate(model, 1, 0.01, start=3)


def test_what_a_result_does_not_hold_is_told():
    """The integral of a controller is not in a result, nor what an event did: both begin anew, and it is said."""
    rail = fl.Prismatic("world", "cart", (0, 0, 0), (1, 0, 0), spring=8.0, actuator={"controller": "c"})
    given = {"bodies": {"cart": fl.Body(2.0, (1, 1, 1))}, "joints": {"rail": rail}, "gravity": (0, 0, 0)}
    given |= {"controllers": {"c": fl.Pid("rail.length", 0.5, 3, 2)}, "events": {"e": fl.Event(at=0.5, lock="rail")}}
    model = fl.Model("cart", **given)
    first = fl.simulate(model, 1, 0.01)
    with pytest.warns(UserWarning, match="controllers start anew, with the states of their start: c"):
        again = fl.simulate(model, 1, 0.01, start=first)
    assert "what events did before the start is not carried on: locked rail.length" in again.attrs["start_moved"]
