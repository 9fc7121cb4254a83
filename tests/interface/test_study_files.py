"""The words of a study: everything wrong is said at once, with its place; cases, seeds and hashes follow from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.ensembles.study import planned
from support.study_specs import CUBE, ROOT, buoy, cubes, seas

WRONG = f"""\
fairlead_study: 1
model: {CUBE}
vary:
  mass: {{path: bodies.cube.mas, values: [50, 60]}}
  spring: {{paired: {{loads.spring.stiffness: [1e4, -5], loads.spring.length: [1.5, 1.6]}}}}
  odd: {{valus: [1]}}
  few: {{sobol: {{gravity.2: [-9.8, -9.7]}}, count: 3}}
realisation: 3
statistics: {{"position:cube:z": [mean, stdd]}}
"""


def problems(path: Path) -> list[fl.Problem]:
    with pytest.raises(fl.InvalidInput) as error:
        planned(path)
    return error.value.problems


def test_everything_wrong_with_the_words_is_said_with_line_and_column(tmp_path: Path):
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG)
    found = {(one.line, one.path): one for one in problems(path)}
    assert set(found) == {
        (6, "vary.odd"),
        (7, "vary.few.count"),
        (8, "realisation"),
        (9, "statistics.position:cube:z.1"),
    }
    assert "did you mean 'realisations'?" in found[8, "realisation"].message
    assert "did you mean 'std'?" in found[9, "statistics.position:cube:z.1"].message
    assert "power of two" in found[7, "vary.few.count"].message
    assert all(one.file == str(path) and one.column for one in found.values())


def test_values_that_the_model_refuses_are_told_where_the_study_says_them(tmp_path: Path):
    path = tmp_path / "wrong.yaml"
    lines = WRONG.splitlines(keepends=True)
    path.write_text("".join(lines[:5]) + 'statistics: {"position:cube:z": [mean]}\nrun: {dt: -1, speed: 3}\n')
    assert [(one.line, one.path) for one in problems(path)] == [(7, "run.speed")]
    path.write_text("".join(lines[:5]) + 'statistics: {"position:cube:z": [mean]}\n')
    found = problems(path)
    assert (4, "vary.mass.values.0") in {(one.line, one.path) for one in found}
    assert "did you mean 'mass'?" in found[0].message
    path.write_text("".join([*lines[:3], lines[4], 'statistics: {"position:cube:z": [mean]}\nrun: {dt: -1}\n']))
    found = problems(path)
    assert {(one.line, one.path) for one in found} == {
        (4, "vary.spring.paired.loads.spring.stiffness.1"),
        (6, "run.dt"),
    }


@pytest.mark.parametrize(
    ("vary", "said"),
    [
        ({"a": {"path": "gravity.2", "values": [1]}, "gravity.2": [2]}, "'gravity.2' is said by 'a' too"),
        ({"a": {"paired": {"gravity.2": [1, 2], "gravity.1": [1]}}}, "has 1 values, and 'gravity.2' has 2"),
        ({"a": {"path": "gravity.2", "range": ["1 m/s^2", "200 cm/s^2"], "count": 3}}, "two units"),
        ({"a": {"models": ["x/one.yaml", "y/one.yaml"]}}, "two files have one name"),
        ({"a": {"latin-hypercube": {"gravity.2": {"mean": 1, "std": -1}}, "count": 2}}, "std greater than zero"),
        ({"a": {"names": ["p", "q"]}, "gravity.2": [{"by": "a", "values": [1]}]}, "has 1 values by 'a', which has 2"),
        ({"a": {"path": "gravity.2", "values": [1, 2], "labels": ["one"]}}, "names 1 values, and there are 2"),
    ],
)
def test_parameters_that_contradict_themselves_are_refused(vary: dict, said: str):
    with pytest.raises(fl.InvalidInput, match=said.replace("(", r"\(")):
        planned(cubes(vary=vary))


def test_realisations_need_a_seed():
    with pytest.raises(fl.InvalidInput, match="the model has none"):
        planned(cubes(realisations=3))


def test_a_model_file_is_told_apart_from_a_study(tmp_path: Path):
    with pytest.raises(fl.InvalidInput, match="fairlead run runs it"):
        planned(CUBE)


def test_samples_fill_their_shares():
    """A Latin hypercube puts one value into each of its equal shares; a normal one has its mean in the middle."""
    spec = cubes(
        vary={
            "p": {
                "latin-hypercube": {"bodies.cube.mass": ["50 kg", "70 kg"], "gravity.2": {"mean": -9.8, "std": 0.1}},
                "count": 8,
            }
        }
    )
    found = [case.changes for case in planned(spec).cases]
    masses = np.array([float(one["bodies.cube.mass"].removesuffix(" kg")) for one in found])
    assert sorted(np.floor((masses - 50) / 20 * 8)) == list(range(8))
    falls = sorted(one["gravity.2"] for one in found)
    assert falls[3] < -9.8 < falls[4]
    again = [case.changes for case in planned(spec).cases]
    assert again == found
    other = [case.changes for case in planned(spec | {"seed": 1}).cases]
    assert other != found


def test_seeds_depend_on_the_sea_and_the_number_alone():
    """Strategies meet the same waves; more realisations, seas or strategies leave the seeds there are as they are."""
    path = "environment.waves.seed"
    plan = planned(seas())
    seeds = {
        (case.place["sea"], case.place["drag"], case.place["realisation"]): case.changes[path] for case in plan.cases
    }
    assert len(set(seeds.values())) == 4  # two seas of two realisations
    assert all(seeds[sea, 0, n] == seeds[sea, 1, n] for sea in (0, 1) for n in (0, 1))
    more = seas(realisations=5)
    more["vary"]["drag"]["values"] = [0.8, 0.6, 1.0]
    known = {case.digest for case in planned(more).cases}
    assert {case.digest for case in plan.cases} <= known
    assert len(known) == 30
    records = [case.records for case in plan.cases]
    assert len(set(records)) == 4
    assert all(records.count(one) == 2 for one in records)


def test_what_decides_a_case_decides_its_hash():
    base = {case.digest for case in planned(cubes()).cases}
    for other in (
        cubes(run={"duration": "0.3 s", "dt": 0.002}),
        cubes(statistics={"position:cube:z": ["mean"]}),
        cubes(keep="full"),
        cubes(set={"gravity.1": 0.1}),
    ):
        assert base.isdisjoint(case.digest for case in planned(other).cases)
    assert base == {case.digest for case in planned(cubes(name="another")).cases}


def test_tables_give_cases_with_their_seeds_and_faults(tmp_path: Path):
    """Heads stand for paths, cells are read as in a model file, an empty one leaves the model as it is."""
    fl.save(buoy(), tmp_path / "buoy.yaml")
    (tmp_path / "cases.csv").write_text(
        "case, Hs, environment.waves.period, heading, fault, realisations\n"
        "calm, 2, 8 s, 0, , 3\n"
        '"line lost", 4, 10, 30 deg, "{at: 20 s, cut: moorings}", 1\n'
    )
    (tmp_path / "dlc.yaml").write_text(
        "fairlead_study: 1\nmodel: buoy.yaml\n"
        "vary: {dlc: {table: cases.csv, columns: {Hs: environment.waves.height, "
        "heading: environment.waves.direction, fault: events.loss}}}\n"
        "statistics: {surge: mean}\n"
    )
    plan = planned(tmp_path / "dlc.yaml")
    assert [case.name for case in plan.cases] == [
        "dlc calm, realisation 1",
        "dlc calm, realisation 2",
        "dlc calm, realisation 3",
        "dlc line lost",
    ]
    last = plan.cases[-1].changes
    assert last["events.loss"] == {"at": "20 s", "cut": "moorings"}
    assert last["environment.waves.direction"] == "30 deg"
    assert "events.loss" not in plan.cases[0].changes
    (tmp_path / "cases.csv").write_text("case, Hs, environment.waves.perio, realisations\ncalm, 2, 8, 0\n")
    with pytest.raises(fl.InvalidInput) as error:
        planned(tmp_path / "dlc.yaml")
    assert any("no column 'heading'" in str(one) for one in error.value.problems)


def test_the_command_of_a_case_is_the_case():
    """What --set and the flags say is what the case changes."""
    plan = planned(cubes())
    command = plan.command(plan.cases[-1])
    assert command.endswith("--set 'bodies.cube.mass=70 kg' --set loads.spring.stiffness=10000")
    assert "--duration '0.3 s' --dt 0.001" in command


def test_the_study_of_the_family_is_whole():
    plan = planned(ROOT / "studies" / "compliant_family.yaml")
    assert len(plan.cases) == 4 * 2 * 3 * 2 * 4 * 10
    one = plan.only(["lines=as printed", "curve=flat"])
    assert len(one.cases) == 320
    fixed = [case for case in plan.cases if case.labels["strategy"] == "fixed" and case.labels["sea"] == 20]
    assert {case.changes["loads.thrust.ct"] for case in fixed} == {0.11691, 0.106515}
    with pytest.raises(fl.InvalidInput, match="has no point 'flatt'; did you mean 'flat'"):
        plan.only(["curve=flatt"])
