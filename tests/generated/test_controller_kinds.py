"""Tests over the table of controllers: the same questions to every kind. What a new kind lacks is said by name."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fairlead as fl
import fairlead.core.controllers
import fairlead.core.controllers.table as core_table
import fairlead.model.controllers
from fairlead.core.controllers.table import RECORDS
from fairlead.formats.yaml.write import to_yaml
from fairlead.model.controllers.base import AnyFeedback, Controller, channels_of
from fairlead.model.controllers.table import CONTROLLERS
from fairlead.model.loads.functions import functions_of, giving
from fairlead.model.writing import to_data
from fairlead.running.simulation import Simulation
from generated.controller_examples import CONTINUOUS, EXAMPLES, example
from support.discon import COMPILER, NO_COMPILER, folder
from transformations.kinds import CONTROLLERS as TRANSFORMED

ROOT = Path(__file__).parents[2]
FEEDBACK = [kind for kind, word in CONTROLLERS.items() if word.records]
WORDS = [pytest.param(kind, None, id=f"{kind}, example") for kind in FEEDBACK]
WORDS += [pytest.param(kind, word, id=f"{kind}, continuous") for kind, word in CONTINUOUS.items()]
RUN = {"duration": 1.0, "dt": 0.02, "progress": False}  # samples at 0.05 s fall between steps and on them


def modules(package):
    return [module.name for module in pkgutil.iter_modules(package.__path__)]


def test_every_word_of_a_controller_is_in_the_table():
    folder = [
        importlib.import_module(f"fairlead.model.controllers.{name}") for name in modules(fairlead.model.controllers)
    ]
    found = {
        w for module in folder for _, w in inspect.getmembers(module, inspect.isclass) if issubclass(w, Controller)
    }
    for word in (one for one in found if "type" in one.model_fields):
        kind = word.model_fields["type"].default
        assert CONTROLLERS.get(kind) is word, f"controller type '{kind}' is not in KINDS of model/controllers/table.py"
        public = getattr(fl, word.__name__, None) is word
        assert public, f"controller type '{kind}' has no public name: add {word.__name__} to fairlead/__init__.py"


def test_what_feeds_back_says_where_its_record_is():
    for kind, word in CONTROLLERS.items():
        assert bool(word.records) == issubclass(word, AnyFeedback), (
            f"controller type '{kind}': 'records' is of feedback"
        )


@pytest.mark.parametrize("kind", FEEDBACK)
def test_a_kind_is_two_files_of_one_name(kind):
    word = CONTROLLERS[kind]
    owner = next(one for one in word.__mro__ if "records" in vars(one))
    room = owner.__module__.rpartition(".")[2]
    core = modules(fairlead.core.controllers)
    assert room in core, f"controller type '{kind}' has no kernels: there is no core/controllers/{room}.py"
    assert word.records in RECORDS, (
        f"controller type '{kind}' fills '{word.records}': add it to RECORDS in core/.../table"
    )
    number = getattr(core_table, word.records.upper(), None)
    assert number == list(RECORDS).index(word.records), (
        f"'{word.records.upper()}' in core/controllers/table.py is not its place"
    )
    assert word.fill is not AnyFeedback.fill, f"controller type '{kind}' does not say what it compiles to: 'fill'"


@pytest.mark.parametrize("kind", CONTROLLERS)
def test_it_is_told_and_transformed(kind):
    page = "controllers.md"
    assert f"`{kind}`" in (ROOT / "docs" / page).read_text(), f"docs/{page} does not speak of `{kind}`"
    assert kind in TRANSFORMED, f"controller type '{kind}' has no row in tests/transformations/kinds.py"


def test_examples_are_of_kinds_that_exist():
    for kind in FEEDBACK:
        example(kind)
    odd = set(EXAMPLES) ^ set(FEEDBACK)
    assert not odd, f"controller examples and KINDS of model/controllers/table.py differ in {odd}"


@pytest.mark.parametrize("kind, word", WORDS)
def test_check_and_round_trip(kind, word, tmp_path, monkeypatch):
    """What is read from the file of a model is the model, and there is nothing to say about it."""
    monkeypatch.setenv("FAIRLEAD_ROOTS", str(folder()))
    model, path = example(kind, word), tmp_path / "model.yaml"
    path.write_text(to_yaml(model, named=True))
    with giving(functions_of(model)):  # which no file holds
        assert fl.check(path) == [], f"the example of controller type '{kind}' is not a good model"
        same = to_data(fl.load(path)) == to_data(model)
        assert same, f"controller type '{kind}' does not return from a file as it was"
    if not functions_of(model):
        law = model.controllers["law"]
        assert eval(repr(law), {"fl": fl}) == law, f"controller type '{kind}' is not shown as it is typed"


@pytest.fixture(autouse=True)
def _compiler(request):
    """Skip what needs a compiled library where there is no compiler."""
    kind = getattr(request.node, "callspec", None) and request.node.callspec.params.get("kind")
    if kind == "discon" and COMPILER is None:
        pytest.skip(NO_COMPILER)


@pytest.fixture(scope="module")
def whole():
    """Return the runs of models by kind, word and formulation, each made once."""
    kept = {}

    def run(kind, word, formulation="articulated"):
        key = (kind, word is None, formulation)
        if key not in kept:
            kept[key] = fl.simulate(example(kind, word), formulation=formulation, **RUN)
        return kept[key]

    return run


def texts(value):
    """Return the texts in a value of a word."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [value] if isinstance(value, str) else [text for part in parts for text in texts(part)]


@pytest.mark.parametrize("kind, word", WORDS)
def test_everything_it_reads_is_among_its_formulas(kind, word):
    """Checks, the order of evaluation and transformations know by `formulas` what a controller reads."""
    law = example(kind, word).controllers["law"]
    said = {path[0] for path, _ in law.formulas()}
    for field, value in law:
        reads = any(channels_of(text) for text in texts(value))
        assert field in said or not reads, (
            f"controller type '{kind}' reads '{field}', but its 'formulas' does not give it"
        )


@pytest.mark.parametrize("kind, word", WORDS)
def test_what_it_remembers_is_its_own(kind, word):
    """Kernels write no further into y than the word says: behind it stand integrals of work, here marked."""
    simulation = Simulation(example(kind, word), 1.0, 0.02, formulation="articulated")
    simulation.advance(1)
    A, W = simulation.compiled.arrays, simulation.work
    (row,) = A.controllers.rows
    y = simulation.y.copy()
    y[row["stop"] :] = 1e9 + np.arange(len(y) - row["stop"])
    was, dy = y.copy(), np.full(len(y), np.nan)
    core_table.sample(10.0, y, A, W)
    core_table.controllers(y, dy, A, W)
    said = len(example(kind, word).controllers["law"].start_states())
    for written in (np.flatnonzero(y != was), np.flatnonzero(np.isfinite(dy))):
        assert ((written >= row["memory"]) & (written < row["stop"])).all(), (
            f"controller type '{kind}' says that it remembers {said} numbers; its kernels write more: 'start_states'"
        )


@pytest.mark.parametrize("kind, word", WORDS)
def test_output_is_what_numpy_makes_of_the_recorded_inputs(kind, word, whole):
    model, data = example(kind, word), whole(kind, word)
    labels = [f"law.{name}" for name in model.controllers["law"].outputs()]
    assert list(data.controller.values) == labels, f"outputs of controller type '{kind}' are not all in the Dataset"
    outputs = data.controller_output.values
    assert np.isfinite(outputs).all() and np.ptp(outputs[:, 0]) > 0.1, (
        f"controller type '{kind}' gives out nothing: do its kernels stand in the lists of core/controllers/table.py?"
    )
    if word is None:
        fine = fl.simulate(model, formulation="articulated", **RUN | {"dt": 0.01})  # every sample is recorded
        read = {"arm.angle": fine.joint_position.values[:, 0], "arm.rate": fine.joint_rate.values[:, 0]}
        turn = Rotation.from_quat(fine.orientation.sel(body="boom").values, scalar_first=True)
        faces = turn.apply([1.0, 0.0, 0.0])  # of the drawing, which has the boom's axes along the world's
        read["heading"] = np.arctan2(faces[:, 1], faces[:, 0])
        again = EXAMPLES[kind].again(fine.time.values, read, model.controllers["law"])
        for label, name in zip(labels, model.controllers["law"].outputs()):
            # the same arithmetic in the same order, on numbers below 100: some roundings
            np.testing.assert_allclose(fine.controller_output.sel(controller=label), again[name], atol=1e-12)
    assert fl.audit(data).passed, fl.audit(data).table()


@pytest.mark.parametrize("kind, word", WORDS)
def test_formulations_agree(kind, word, whole):
    """Two formulations with the same unknowns of the arm, rk4 at 0.02 s: its steps err by 1e-6 of what moves."""
    one, other = whole(kind, word), whole(kind, word, "cloud")
    for name in ("position", "joint_rate", "controller_output", "driver_force"):
        size = float(np.abs(one[name]).max())
        assert np.abs(one[name] - other[name]).max() < 1e-6 * size, name


@pytest.mark.parametrize("integrator", ["rk4", "dop853", "symplectic-euler"])
@pytest.mark.parametrize("kind, word", WORDS)
def test_a_state_restored_goes_on_with_the_same_bits(kind, word, integrator):
    """Chunks of any length, and a state given to another simulation half way, which is what a resumed run does."""
    if (EXAMPLES[kind].word if word is None else word).unsaved():
        pytest.skip("remembers what no state of ours holds, which is said when it is asked for")
    dt = None if integrator == "dop853" else 0.02
    options = {"formulation": "articulated", "integrator": integrator, "interval": 0.05 if dt is None else None}
    rows = []
    first, second = (Simulation(example(kind, word), 1.0, dt, **options) for _ in range(2))
    while not first.finished:
        rows.append(first.advance())
    half = Simulation(example(kind, word), 1.0, dt, **options)
    pieces = [half.advance(), half.advance(7), half.advance(16)]
    second.restore(half.state())
    while not second.finished:
        pieces.append(second.advance(5))
    same = (
        np.concatenate(rows).tobytes() == np.concatenate(pieces).tobytes() and first.y.tobytes() == second.y.tobytes()
    )
    assert same, f"a run with controller type '{kind}' does not go on with the same bits: what it keeps is not all in y"
