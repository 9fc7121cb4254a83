"""`fairlead equilibrium` and `fairlead modes` as a user meets them: words, figures, pictures and exit codes."""

from __future__ import annotations

import json

import numpy as np
import pytest

import fairlead as fl

MODEL = """
fairlead: 1
name: sled
bodies:
  sled: {mass: 2, inertia: [0.3, 0.3, 0.1]}
  bob: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, -1]}
joints:
  rail: {type: prismatic, parent: world, child: sled, point: [0, 0, 0], axis: [0, 0, 1], spring: 100, damper: 2}
  pin: {type: revolute, parent: sled, child: bob, point: [0, 0, 0], axis: [0, 1, 0]}
loads:
  rope: {type: spring, body: sled, point: [0, 0, 0], anchor: [0, 0, 3], stiffness: 20, length: 3}
"""


@pytest.fixture
def said(fairlead):
    """Give a function that runs the command and returns exit code, output and messages."""

    def run(*words):
        done = fairlead(*map(str, words))
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "sled.yaml"
    path.write_text(MODEL)
    return path


def test_equilibrium_prints_what_holds_and_which_rest_it_is(said, model):
    code, out, err = said("equilibrium", model, "--verbose")
    assert code == 0
    low = -3 * 9.80665 / 120
    assert f"rail.length: {low:.6g} m, spring, stop and actuator {-100 * low:.6g} N" in out
    assert "tension of rope: 4.9033" in out  # 20 N/m times 3 kg g over 120 N/m
    assert "stable, from the drawing by newton in" in out and "every direction is held" in out
    assert "step 1: moved" in err and "residual acceleration" in err
    code, out, _ = said("equilibrium", model, "--json")
    found = json.loads(out)
    assert found["sought_from"] == "the drawing" and found["stable"] == 1
    assert found["joint_drive"]["rail.length"] == pytest.approx(-100 * low)


def test_modes_prints_damped_periods_and_a_step(said, model):
    code, out, _ = said("modes", model)
    assert code == 0 and "damped [s]" in out and "a dt to try: " in out
    code, out, _ = said("modes", model, "--json")
    found = json.loads(out)
    w, z = np.sqrt(40), 2 / (2 * 3 * np.sqrt(40))
    rail = next(one for one in found["modes"] if one["mode"] == "rail.length")
    assert rail["damped_period"] == pytest.approx(2 * np.pi / (w * np.sqrt(1 - z**2)), rel=1e-6)
    assert found["suggested_dt"] < found["largest_stable_step"]


@pytest.mark.parametrize("name", ["modes.png", "modes.gif"])
def test_modes_draws_a_picture_of_each(said, model, tmp_path, name):
    path = tmp_path / name
    code, _, _ = said("modes", model, "--animate", path)
    assert code == 0
    from PIL import Image

    with Image.open(path) as picture:
        assert getattr(picture, "n_frames", 1) == (24 if name.endswith("gif") else 1)
        assert np.ptp(np.asarray(picture.convert("L"))) > 100  # something is drawn
        frames = []
        for frame in (0, 12) if name.endswith("gif") else ():
            picture.seek(frame)
            frames.append(np.asarray(picture.convert("L")).astype(int))
    if frames:
        assert np.abs(frames[0] - frames[1]).max() > 50  # and it moves
    assert said("modes", model, "--animate", path)[0] == 5  # nothing is written over


def test_what_modes_refuses(said, model, tmp_path):
    for words, sentence in (
        (("--animate", tmp_path / "modes.mp4"), "must be a .png or a .gif"),
        (("--azimuths", "8"), "azimuths has no effect"),
        (("--amplitude", "pitch=3 deg"), "amplitude of 'pitch': that is no mode that swings"),
        (("--amplitude", "1", "--amplitude", "2"), "--amplitude takes one size for all modes"),
    ):
        code, _, err = said("modes", model, *words)
        assert code == 3 and sentence in " ".join(err.split()), words


def test_amplitudes_of_single_modes(said, model):
    code, _, err = said("modes", model, "--amplitude", "rail.length=10 cm", "--amplitude", "pin.angle=3 deg")
    assert code == 0 and "drag is the equivalent linear one" in " ".join(err.split())


def test_the_picture_of_a_model_without_modes_is_refused(model, tmp_path):
    from fairlead.view.modes import draw_modes

    still = fl.load(model).with_({"joints.rail.locked": True, "joints.rail.spring": None, "joints.rail.damper": None,
                                  "joints.pin.locked": True})  # fmt: skip
    with pytest.raises(fl.InvalidInput, match="no modes"):
        draw_modes(still, fl.linearize(still), tmp_path / "none.png")


@pytest.mark.parametrize("follows", ["rate, time_constant: 1 s", "acceleration"])
def test_a_commanded_joint_that_never_stops_has_no_rest(fairlead, tmp_path, follows):
    """Nothing is free here, so the joint alone is named; far away it is no more at rest than near."""
    (tmp_path / "m.yaml").write_text(
        "fairlead: 1\nname: c\nbodies: {c: {mass: 2, inertia: [1, 1, 1]}}\njoints: {r: {type: prismatic, "
        "parent: world, child: c, point: [0, 0, 0], axis: [1, 0, 0], "
        f"motion: {{controller: k, follows: {follows}}}}}}}\n"
        "controllers: {k: {type: expression, output: 0.3}}\n"
    )
    done = fairlead("equilibrium", "m.yaml")
    assert done.returncode == 4 and "no steady state was found" in done.stderr and "r.length" in done.stderr, done
