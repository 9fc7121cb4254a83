"""A run without dt: an adaptive method whose default tolerances are right, on a sensible grid, or a refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairlead as fl
from fairlead.model.time_grid import suggested_step
from fairlead.running.options import run_options

ROOT = Path(__file__).parents[2]
GRAVITY = 9.80665


def pendulum(*links: tuple[float, float, float], compact: bool = False) -> fl.Model:
    """Return links (length, mass, angle they are turned by) on pins, drawn level: rods, or nearly point masses."""
    bodies, joints, parent, x = {}, {}, "world", 0.0
    for number, (length, mass, angle) in enumerate(links):
        name, across = f"link {number}", mass * length**2 / 12 + 1e-3 * mass
        inertia = (across, 2e-3 * mass, across) if compact else (1e-3 * mass, across, across)
        bodies[name] = fl.Body(mass, inertia, position=(x + length / 2, 0, 0))
        joints[f"pin {number}"] = fl.Revolute(parent, name, (x, 0, 0), (0, 1, 0), initial=angle)
        parent, x = name, x + length
    return fl.Model(name="three links", bodies=bodies, joints=joints)


LEVEL = pendulum((1, 1, 0), (1, 1, 0), (1, 1, 0))
# Almost point masses, whose links whip round at 80 rad/s: at rtol 1e-8 their energy changes by 3.3e-6.
WHIP = pendulum((1.82, 1.81, 0.36), (0.34, 2.76, 1.68), (1.71, 3.56, 0.64), compact=True)


def energy_error(data: Any) -> float:
    """Return the largest change of energy over the largest kinetic energy, from masses, places and velocities."""
    m, inertia = data["mass"].values, data["inertia"].values
    v, w, z = (data[name].values for name in ("velocity", "angular_velocity", "position"))
    spin = np.einsum("tbi,bij,tbj->t", w, inertia, w)
    kinetic = 0.5 * (np.einsum("b,tbi,tbi->t", m, v, v) + spin)
    total = kinetic + GRAVITY * z[:, :, 2] @ m
    return float(np.abs(total - total[0]).max() / kinetic.max())


@pytest.mark.parametrize(
    "formulation",
    [
        "articulated",
        "constrained",
        pytest.param("cloud", marks=pytest.mark.slow),
        pytest.param("kane", marks=pytest.mark.slow),
    ],
)
def test_three_links_keep_their_energy_over_a_hundred_seconds(formulation: str):
    """J1: without dt there was no run; rk4 at a usual 0.01 s changes the energy by more than a hundredth.

    Pins do no work, so the energy is constant; the motion is chaotic, so that nothing else can be compared.
    """
    for model in (LEVEL, WHIP) if formulation == "articulated" else (LEVEL,):
        data = fl.simulate(model, 100, formulation=formulation, progress=False)
        assert data.attrs["integrator"] == "dop853" and data.attrs["rtol"] == 1e-9
        assert energy_error(data) < 1e-6


def test_rk4_at_a_usual_step_does_not():
    """The figure that the default betters: this is why a run is not given a step it did not ask for."""
    assert energy_error(fl.simulate(LEVEL, 100, 0.01, output_every=10, progress=False)) > 1e-2


def test_a_short_pulse_on_a_body_at_rest_is_not_stepped_over():
    """J5: steps grew to a quarter of the run, so that the pulse was never seen: velocity 0, the audit passed.

    Steps are at most a thousandth of the run. 100 N for 0.05 s give 1 kg a velocity of 5 m/s; jumps inside a formula
    cost the tolerance of the steps around them, far below 1e-6.
    """
    push = fl.Force("stone", force=("where(t > 50.02, where(t < 50.07, 100, 0), 0)", 0, 0))
    model = fl.Model(name="m", gravity=(0, 0, 0), bodies={"stone": fl.Body(1.0, (1, 1, 1))}, loads={"push": push})
    for words in ({}, {"interval": "10 s"}):
        data = fl.simulate(model, 100, progress=False, **words)
        assert float(data["velocity"][-1, 0, 0]) == pytest.approx(5.0, rel=1e-6)


@pytest.mark.parametrize(("name", "closing"), [("four_bar_revolute", "projection"), ("four_bar_revolute", "partition")])
def test_closing_after_each_step_of_the_pair_keeps_its_order(name: str, closing: str):
    """J2: halving steps must gain as without closing: eighth order, seven at least as fitted over five-fold steps.

    The truth is the same pair at its tightest; fixed steps of rk4 agree with that elsewhere (tests/mechanisms).
    """
    model = fl.load(ROOT / f"examples/{name}.yaml")
    words: dict[str, Any] = {
        "formulation": "constrained",
        "closing": closing,
        "integrator": "dop853",
        "progress": False,
    }
    truth = fl.simulate(model, 2, 0.02, rtol=1e-13, atol=1e-15, **words)["position"]
    ran = [fl.simulate(model, 2, 0.02, rtol=rtol, atol=1e-3 * rtol, **words) for rtol in (1e-5, 1e-11)]
    errors = [float(np.abs(data["position"] - truth).max()) for data in ran]
    steps = [data.attrs["accepted_steps"] for data in ran]
    assert np.log(errors[0] / errors[1]) / np.log(steps[1] / steps[0]) > 7.0
    assert max(float(data["position_violation"].max()) for data in ran) < 1e-12


def test_it_is_recorded_on_a_sensible_grid():
    falling = fl.Model(name="falling", bodies={"stone": fl.Body(1.0, (1, 1, 1))})
    for words, times in (
        ({}, np.linspace(0, 5, 1001)),
        ({"output_every": 10}, np.linspace(0, 5, 101)),
        ({"interval": "1 s"}, [0, 1, 2, 3, 4, 5]),
        ({"interval": 2}, [0, 2, 4, 5]),
        ({"integrator": "rk45", "interval": 2.5}, [0, 2.5, 5]),
        ({"dt": 0.05, "interval": 2.5}, [0, 2.5, 5]),
    ):
        data = fl.simulate(falling, 5, progress=False, **words)
        assert np.allclose(data["time"], times, rtol=0, atol=1e-12)
        # Free fall is a parabola, which every one of these methods takes without error.
        assert np.allclose(data["position"].sel(xyz="z").values[:, 0], -GRAVITY / 2 * data["time"].values ** 2)


def test_what_the_call_says_of_recording_goes_before_what_the_model_says():
    model = fl.Model(name="m", bodies={"a": fl.Body(1, (1, 1, 1))}, run=fl.Run(10, 0.1, output_every=5))
    assert run_options(model, {"interval": "1 s"})["output_every"] == 10
    assert (
        run_options(model.with_({"run.output_every": None, "run.interval": 2}), {"output_every": 3})["output_every"]
        == 3
    )
    assert run_options(model.with_({"run.output_every": None, "run.interval": 2}), {})["output_every"] == 20
    assert run_options(model.with_({"run.dt": None, "run.output_every": None}), {})["dt"] == 0.01


@pytest.mark.parametrize("integrator", ["rk4", "symplectic-euler", "generalised-alpha"])
def test_methods_of_fixed_step_ask_for_one_and_suggest_it(integrator: str):
    with pytest.raises(fl.InvalidInput, match=rf"dt: is required with integrator '{integrator}'.*dt: 0\.01 s"):
        fl.simulate(LEVEL, 100, integrator=integrator)
    model = LEVEL.with_({"run": {"duration": 0.1, "integrator": integrator}})
    (problem,) = fl.check(model)
    assert problem.path == "run.dt" and "for example dt: 0.001 s" in problem.message


def test_what_advances_once_per_step_asks_for_the_step(tmp_path: Path):
    """J3: between its steps MoorDyn's forces are held, an error of first order that no tolerance of ours sees."""
    (tmp_path / "lines.txt").write_text("never read\n")
    lines = fl.MoorDyn("stone", str(tmp_path / "lines.txt"))
    model = fl.Model(name="m", bodies={"stone": fl.Body(1.0, (1, 1, 1))}, loads={"lines": lines})
    for words in ({}, {"integrator": "dop853"}):
        with pytest.raises(fl.InvalidInput, match=r"dt: is required with load 'lines'.*once per step; .*dt: 0\.02 s"):
            fl.simulate(model, 60, **words)
    problems = fl.check(model.with_({"run.duration": 60}))
    assert "run.dt" in {problem.path for problem in problems}


def test_suggested_steps_are_round_and_short():
    for duration, most, step in ((600, 0.01, 0.01), (0.1, 0.01, 0.001), (60, 0.025, 0.02), (0.37, 0.01, 0.002)):
        assert suggested_step(duration, most) == pytest.approx(step, rel=1e-12)


WRONG_TIMES = [
    ({"duration": 1, "dt": 2}, "dt", "is longer than the duration (2 s > 1 s)"),
    ({"duration": 1, "interval": 2}, "interval", "is longer than the duration"),
    (
        {"duration": 1, "dt": 0.1, "interval": 0.25},
        "interval",
        "whole number of steps of 0.1 s; got 0.25 s, take 0.2 s or",
    ),
    ({"duration": 1, "dt": 0.1, "interval": 0.05}, "interval", "take 0.1 s"),
    ({"duration": 1, "output_every": 2, "interval": 0.5}, "interval", "keep one of them"),
]


@pytest.mark.parametrize(("run", "field", "said"), WRONG_TIMES, ids=lambda value: "")
def test_times_that_do_not_agree_are_refused_by_file_call_and_check(run: dict, field: str, said: str, tmp_path: Path):
    """J4: `check` passed a dt above the duration, which `run` refused."""
    with pytest.raises(fl.InvalidInput) as refused:
        fl.simulate(LEVEL, **run)
    assert refused.value.problems[0].path == field and said in refused.value.problems[0].message
    file = tmp_path / "m.yaml"
    fl.save(LEVEL, file)
    file.write_text(file.read_text() + f"run: {json.dumps(run)}\n")
    (problem,) = fl.check(file)
    assert problem.path == f"run.{field}" and said in problem.message and problem.line > 0
    assert any(said in one.message for one in fl.check(LEVEL.model_copy(update={"run": fl.Run.model_construct(**run)})))
