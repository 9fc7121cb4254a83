"""How models and words show themselves at the prompt and in notebooks."""

from __future__ import annotations

from pathlib import Path

import pytest

import fairlead as fl

ROOT = Path(__file__).parents[2]
FILES = sorted([*(ROOT / "examples").glob("*.yaml"), *(ROOT / "models").glob("*.yaml")])


def chain(count: int) -> fl.Model:
    bodies = {f"link {i}": fl.Body(mass=1 + i, inertia=(1, 1, 1), position=(i, 0, 0)) for i in range(count)}
    joints = {
        f"pin {i}": fl.Revolute(f"link {i}", f"link {i + 1}", (i + 0.5, 0, 0), (0, 1, 0)) for i in range(count - 1)
    }
    return fl.Model("chain", bodies, joints)


def test_a_model_at_a_glance():
    assert repr(fl.load(ROOT / "examples" / "oc3_hywind_held_rotor.yaml")).splitlines()[1:4] == [
        "  tower          7.71605e+06 kg  floats",
        "    nacelle           240000 kg  yaw: revolute (angle driven)",
        "      hub              56780 kg  spin: revolute (angle driven)",
    ]
    four_bar = repr(fl.load(ROOT / "examples" / "four_bar.yaml"))
    assert "loops: D: revolute (angle free) world - rocker" in four_bar
    assert "A: revolute (angle free) on the world" in four_bar and "run: duration 10 s, dt 0.002 s" in four_bar


def test_loads_environment_and_run_are_named():
    text = repr(fl.load(ROOT / "examples" / "oc3_hywind_held_rotor.yaml"))
    assert "line 1, line 2, line 3 (catenary)" in text
    assert "environment: depth 320 m, waves jonswap, wind kaimal" in text
    assert "run: duration 600 s, dt 0.05 s, output_every 4" in text


def test_a_hundred_bodies_do_not_flood_the_screen():
    model = chain(100)
    lines = repr(model).splitlines()
    assert lines[0] == "Model 'chain': 100 bodies, 99 joints"
    assert len(lines) < 20 and "  ... and 88 more bodies" in lines
    assert model._repr_html_().count("<tr>") < 20


def test_names_are_escaped_in_html():
    good = fl.Body(mass=1, inertia=(1, 1, 1))
    model = fl.Model("m", {"b": good}).model_copy(update={"name": "<script>", "bodies": {"<b>&": good}})
    page = model._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page and "&lt;b&gt;&amp;" in page


def test_a_model_with_wrong_names_is_shown_all_the_same():
    joint = fl.Revolute("nobody", "b", (0, 0, 0), (0, 0, 1))
    model = fl.Model("m", {"b": fl.Body(mass=1, inertia=(1, 1, 1))}, {"pin": joint})
    assert "pin" in repr(model) and "pin" in model._repr_html_()
    assert "?" in repr(model.model_copy(update={"joints": {"pin": fl.Revolute("b", "gone", (0, 0, 0), (0, 0, 1))}}))


def test_a_copy_that_holds_nonsense_is_shown_all_the_same():
    model = chain(2)
    broken = model.model_copy(update={"joints": {"pin": 3}})
    assert "fl.check says what is wrong" in repr(broken) and "fl.check" in broken._repr_html_()
    assert "inertia=None" in repr(model.bodies["link 0"].model_copy(update={"inertia": None}))


def test_words_show_what_was_given():
    assert repr(fl.Body(mass=3, inertia=(1, 1, 1))) == "fl.Body(mass=3.0, inertia=(1.0, 1.0, 1.0))"
    assert repr(fl.Rate("6 deg/s")) == "fl.Rate(value='6 deg/s')"
    assert str(fl.Ground(child="a")) == "fl.Ground(child='a')"
    assert repr(fl.Run(duration=1, audit={"tolerance": 1e-3})) == "fl.Run(duration=1.0, audit={'tolerance': 0.001})"


def test_long_tables_show_their_ends():
    times = [float(i) for i in range(1000)]
    assert repr(fl.Table(times, times)).startswith("fl.Table(times=(0.0, 1.0, 2.0, ..., 997.0, 998.0, 999.0), values=")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_words_evaluate_back(path: Path):
    model = fl.load(path)
    for word in (*model.bodies.values(), *model.joints.values(), *model.loads.values(), model.environment, model.run):
        if word is not None and "..." not in repr(word):
            assert eval(repr(word), {"fl": fl}) == word
