"""Tests over the table of loads: the same questions to every kind. What a new kind lacks is said by name."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson
from scipy.spatial.transform import Rotation

import fairlead as fl
import fairlead.core.loads
import fairlead.model.loads
from fairlead.core.loads.outputs import OUTPUTS as FIELDS
from fairlead.core.loads.table import RECORDS
from fairlead.formats.yaml.write import to_yaml
from fairlead.model.loads.base import PARTS, Load
from fairlead.model.loads.table import LOADS, OUTPUTS
from fairlead.model.writing import to_data
from fairlead.results.dataset import RECORDED
from generated.load_examples import CHANGED, EXAMPLES, example
from transformations.kinds import LOADS as TRANSFORMED
from transformations.world import ABOUT_Z, seen

WITH_ADDED_MASS = ("morison",)  # in their examples
COMPUTED = [kind for kind, load in LOADS.items() if load.records]  # MoorDyn's own tests are in test_moordyn*.py


def at_once(model, time=1.3):
    """Return the record of one instant."""
    return fl.accelerations(model, time, formulation="cloud")


def wrench(data):
    """Return force and moment of the only load."""
    return np.concatenate([data["load_force"].values[0], data["load_moment"].values[0]])


def test_every_word_of_a_load_is_in_the_table():
    folder = [importlib.import_module(f"fairlead.model.loads.{m.name}") for m in iter_modules(fairlead.model.loads)]
    words = {w for module in folder for _, w in inspect.getmembers(module, inspect.isclass) if issubclass(w, Load)}
    for word in words:
        if "type" in word.model_fields:
            kind = word.model_fields["type"].default
            assert LOADS.get(kind) is word, f"load type '{kind}' is not in the table: add it to model/loads/table.py"
            public = getattr(fl, word.__name__, None) is word
            assert public, f"load type '{kind}' has no public name: add {word.__name__} to fairlead/__init__.py"


def iter_modules(package):
    return pkgutil.iter_modules(package.__path__)


@pytest.mark.parametrize("kind", LOADS)
def test_a_kind_is_two_files_of_one_name(kind):
    load, room = LOADS[kind], LOADS[kind].__module__.rpartition(".")[2]
    core = {module.name for module in iter_modules(fairlead.core.loads)}
    assert load.records or room not in core, (
        f"load type '{kind}' has kernels in core/loads/{room}.py but does not say what it fills ('records')"
    )
    if load.records:
        assert room in core, f"load type '{kind}' has no kernel: there is no core/loads/{room}.py"
        assert load.records in RECORDS, (
            f"load type '{kind}' fills '{load.records}': add it to RECORDS in core/loads/table"
        )
    assert set(load.needs) <= set(PARTS), f"load type '{kind}' needs {load.needs}; parts are {', '.join(PARTS)}"


def test_every_output_is_described_and_has_a_field():
    for kind, load in LOADS.items():
        for name, row in load.outputs.items():
            assert name in FIELDS, (
                f"output '{name}' of load type '{kind}' has no field: add it to OUTPUTS in core/loads/outputs.py"
            )
            assert OUTPUTS[name] == row, f"output '{name}' of load type '{kind}' is described otherwise by another kind"
            whole = row.dims == ("load",) and row.units and row.long_name
            assert whole, f"output '{name}' of load type '{kind}' needs the dimension 'load', a unit and a long name"
    for name in FIELDS:
        assert name in OUTPUTS, f"output '{name}' has no row in 'outputs' of a load in model/loads"


@pytest.mark.parametrize("kind", LOADS)
def test_check_and_round_trip(kind, tmp_path, monkeypatch):
    """What is read from the file of a model is the model; check notes the parts that act on nothing, and only them."""
    monkeypatch.chdir(tmp_path)  # a file that a load names is sought beside the model
    model = example(kind)
    if kind == "moordyn":
        model = model.model_copy(update={"environment": None})
        (tmp_path / "lines.txt").write_text("not read here")
    path = tmp_path / "model.yaml"
    path.write_text(to_yaml(model))
    read, given = (to_data(one.loads["load"]) | {"file": ""} for one in (fl.load(path), model))
    assert read == given, f"load type '{kind}' does not return from a file as it was"
    if kind != "moordyn":  # its check reads its file
        idle = {f"environment.{part}" for part in PARTS if part not in ("water", *LOADS[kind].needs)}
        noted = {found.path for found in fl.check(path) if "acts on nothing" in found.message}
        assert noted == idle, f"beside load type '{kind}' check notes that {noted} act on nothing; it should say {idle}"
        others = [found.message for found in fl.check(path) if "acts on nothing" not in found.message]
        assert others == [], f"the example of load type '{kind}' is not a good model"


@pytest.mark.parametrize("kind", COMPUTED)
def test_work_is_the_integral_of_force_times_velocity(kind):
    """Work in the record, integrated with the motion, against Simpson's rule over F.v + N.w of the record.

    Both are of fourth order with steps of 5 ms beside motions of seconds: 1e-8 of what is exchanged, held at 1e-6.
    """
    model = example(kind)
    data = fl.simulate(model, 2.0, 0.005, formulation="cloud", integrator="rk4", output_every=1, progress=False)
    force, moment = data["load_force"].values[:, 0], data["load_moment"].values[:, 0]
    assert np.abs(force).max() + np.abs(moment).max() > 0, (
        f"load type '{kind}' puts nothing on its body: is its kernel called in core/loads/table.py?"
    )
    q = data["orientation"].values[:, 0]
    w_W = Rotation.from_quat(q[:, [1, 2, 3, 0]]).apply(data["angular_velocity"].values[:, 0])
    power = np.sum(force * data["velocity"].values[:, 0], axis=1) + np.sum(moment * w_W, axis=1)
    summed = cumulative_simpson(power, x=data["time"].values, initial=0)
    exchanged = cumulative_simpson(np.abs(power), x=data["time"].values, initial=0)[-1]
    assert exchanged > 0, f"load type '{kind}' does no work in its example"
    assert np.abs(data["load_work"].values[:, 0] - summed).max() < 1e-6 * exchanged, (
        f"the recorded work of load type '{kind}' is not that of its force and moment"
    )
    energy = data["kinetic_energy"] + data["potential_energy"]
    assert np.abs(energy - energy[0] - data["load_work"][:, 0]).max() < 1e-6 * exchanged, (
        f"load type '{kind}' alone acts beside gravity, but its work is not the change of energy"
    )


@pytest.mark.parametrize("kind", COMPUTED)
def test_outputs_are_in_the_dataset(kind):
    data = at_once(example(kind))
    for name, row in LOADS[kind].outputs.items():
        assert name in data, f"output '{name}' of load type '{kind}' is not in the Dataset"
        told = {"units": row.units, "long_name": row.long_name}
        assert data[name].attrs == told, f"output '{name}' of load type '{kind}' is described otherwise in the Dataset"
        assert np.isfinite(data[name].values[0]), (
            f"output '{name}' of load type '{kind}' is not a number: does its kernel write row.{name}?"
        )
    for name in set(OUTPUTS) - set(LOADS[kind].outputs):
        nothing = name not in data or (not RECORDED[name].optional and np.isnan(data[name].values[0]))
        assert nothing, f"load type '{kind}' writes row.{name}, which its 'outputs' does not name"


@pytest.mark.parametrize("kind", COMPUTED)
@pytest.mark.parametrize("part", PARTS)
def test_needs_are_true(kind, part):
    """Another water, wave, current or wind changes the load if it says that it needs it, and else not a bit."""
    before, after = wrench(at_once(example(kind))), wrench(at_once(example(kind, **CHANGED[part])))
    if part in LOADS[kind].needs:
        assert np.abs(after - before).max() > 1e-6 * np.abs(before).max(), (
            f"load type '{kind}' says that it needs {part}, which does not change it"
        )
    else:
        assert (after == before).all(), f"{part} changes load type '{kind}', whose 'needs' does not name it"


@pytest.mark.parametrize("kind", COMPUTED)
def test_a_turned_world_turns_the_load(kind):
    """Everything turned about the vertical, by tests/transformations: force and moment turn with it, to rounding."""
    model = example(kind)
    before, after = wrench(at_once(model)), wrench(at_once(seen(model, ABOUT_Z).model))
    turned = np.concatenate([ABOUT_Z @ before[:3], ABOUT_Z @ before[3:]])
    # The catenary is solved to 1e-12; buoyancy is a difference of terms larger than itself: 1e-9 of the larger part.
    assert np.abs(after - turned).max() < 1e-9 * np.abs(before).max(), (
        f"a turned world does not turn load type '{kind}': its row in tests/transformations/kinds.py, or its kernel"
    )


@pytest.mark.parametrize("kind", COMPUTED)
def test_a_load_does_not_know_where_the_mass_centre_is(kind):
    """Another mass centre of the same motion: the same force, and about it the moment n - d x F.

    Added mass, whose part of the force is the acceleration's, makes another force; what it does is asked elsewhere.
    """
    model, d = example(kind), np.array([0.0, 0.0, 0.7])
    hull = model.bodies["hull"]
    moved = hull.model_copy(
        update={
            "position": tuple(np.array(hull.position) + d),
            "velocity": tuple(np.array(hull.velocity) + np.cross(hull.angular_velocity, d)),
        }
    )
    before, after = wrench(at_once(model, 0.0)), wrench(at_once(model.with_({"bodies.hull": moved}), 0.0))
    if np.abs(after[:3] - before[:3]).max() < 1e-9 * np.abs(before).max():
        expected = before[3:] - np.cross(d, before[:3])
        assert np.abs(after[3:] - expected).max() < 1e-9 * np.abs(before).max(), (
            f"the moment of load type '{kind}' is not that of its force: does its kernel write row.n?"
        )
    else:
        assert kind in WITH_ADDED_MASS, f"the force of load type '{kind}' changes with the mass centre of its body"


def test_examples_are_of_kinds_that_exist():
    odd = set(EXAMPLES) ^ set(LOADS)
    assert not odd, f"examples in tests/generated/load_examples.py and AnyLoad differ in {odd}"


@pytest.mark.parametrize("kind", LOADS)
def test_it_is_told_and_transformed(kind):
    rows = (Path(__file__).parents[2] / "docs" / "joints_and_loads.md").read_text().splitlines()
    row = next((row for row in rows if row.startswith(f"| `{kind}` |")), "")
    assert row, f"load type '{kind}' has no row in docs/joints_and_loads.md"
    for name in LOADS[kind].outputs:
        assert f"`{name}`" in row, f"the row of '{kind}' in docs/joints_and_loads.md does not name its output '{name}'"
    assert kind in TRANSFORMED, f"load type '{kind}' has no row in tests/transformations/kinds.py"
