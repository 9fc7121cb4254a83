"""What README, docs and help print is what the code has: tables of one width, words of one list, numbers run again."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import fairlead as fl
from fairlead.model import run_words
from fairlead.model.run import Run
from fairlead.running.formulations.table import FORMULATIONS
from support import thesis_two_bodies as thesis

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def cells(line: str) -> int:
    return len(re.sub(r"\\\||`[^`]*`", "", line).strip().strip("|").split("|"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_row_has_the_columns_of_its_table(page: Path):
    """A row of another table had strayed into one of ten columns; a row must have as many cells as its head."""
    lines = page.read_text().split("\n")
    for number, line in enumerate(lines):
        if re.fullmatch(r"\|( *:?-+:? *\|)+ *", line):
            width, row = cells(lines[number - 1]), number + 1
            while row < len(lines) and lines[row].startswith("|"):
                assert cells(lines[row]) == width, f"{page.name}:{row + 1}: {lines[row][:60]}"
                row += 1


def choices(annotation) -> set[str]:
    """Return the words of a Literal, also of one that may be left out."""
    parts = get_args(annotation)
    return set().union(*({part} if isinstance(part, str) else choices(part) for part in parts))


def test_help_lists_every_word_of_a_run(fairlead):
    """`run --help` comes from the one list that the schema checks against; all eight formulations, and both options."""
    text = re.sub(r"\s+", " ", fairlead("run", "--help").stdout)
    assert set(run_words.FORMULATIONS) == {"auto", *FORMULATIONS}
    for words in (run_words.FORMULATIONS, run_words.INTEGRATORS, run_words.CLOSINGS):
        assert ", ".join(words) in text
    for option in ("--closing", "--unknowns", "--formulation", "--tolerance"):
        assert option in text
    for field, words in (
        ("integrator", run_words.INTEGRATORS),
        ("rotation", run_words.ROTATIONS),
        ("unknowns", run_words.UNKNOWNS),
        ("closing", run_words.CLOSINGS),
    ):
        assert choices(Run.model_fields[field].annotation) == set(words), field


def test_closing_and_unknowns_reach_the_run(fairlead, two_bodies):
    """Words on the command line that the model's `run` takes too; a wrong one is refused with the list."""
    done = fairlead("run", "two.yaml", "-q", "--formulation", "constrained", "--closing", "partition")
    assert done.returncode == 0, done.stderr
    text = (two_bodies.parent / "two.run" / "run.json").read_text()
    assert '"closing": "partition"' in text
    wrong = fairlead("run", "two.yaml", "-q", "--out", "b.run", "--unknowns", "quaternions")
    assert wrong.returncode == 3 and "euler-parameters" in wrong.stderr


@pytest.mark.parametrize("name", ["thesis_two_bodies.md", "thesis_many_bodies.md"])
def test_rows_about_fast_say_that_it_was_not_run(name: str):
    """No row calls an agreement of two of our own formulations one with FAST."""
    rows = [line for line in (ROOT / "docs" / "validation" / name).read_text().split("\n") if line.startswith("|")]
    about = [row for row in rows if "FAST" in row.split("|")[2]]
    assert len(about) >= 2
    for row in about:
        assert "FAST not run" in row or "of ours" in row, row


def test_readme_says_of_openfast_what_its_page_says():
    """The figures of README are those of the page: with OpenFAST's assumptions and with the demo's own."""
    page, readme = (ROOT / "docs/validation/openfast.md").read_text(), (ROOT / "README.md").read_text()
    own = re.search(r"\| all of them[^|]*\| ([\d.]+) % \| ([\d.]+) %", page)
    alike = re.search(r"\| surge \| [^|]*\| ([\d.]+) % \| Fx \| [^|]*\| ([\d.]+) %", page)
    said = r"motions differ by ([\d.]+) % .* loads by ([\d.]+) %.*surge differs by (\d+) % and heave by (\d+) %"
    told = re.search(said, readme, re.S)
    assert own and alike and told
    surge, load, surge_own, heave_own = (float(value) for value in told.groups())
    assert (round(float(own[1])), round(float(own[2]))) == (surge_own, heave_own)
    assert abs(float(alike[1]) - surge) < 0.05 and abs(float(alike[2]) - load) < 0.05
    control = (ROOT / "docs/validation/control.md").read_text()
    table = control[control.index("| | surge | heave") : control.index("Additional damping is")]
    largest = max(float(number) for number in re.findall(r"\d+e-\d+", table))
    assert largest < 1e-3 and "(docs/validation/control.md)" in readme and "agree to 0.1 % of their range" in readme


def test_heave_of_the_85_m_hull():
    """docs/validation/family.md: 17.2 s by decay from 1 m, counted here from rising crossing to rising crossing."""
    model = fl.load(ROOT / "models" / "family_85.yaml")
    held = {
        name: fl.Revolute(joint.parent, joint.child, joint.point, joint.axis, locked=True)
        for name, joint in model.joints.items()
    }
    start = fl.Free("world", "tower", point=(0, 0, 0), initial={"z": 1.0})
    still = model.environment.model_copy(update={"waves": fl.StillWater(), "wind": fl.SteadyWind(speed=0)})
    loads = {name: load for name, load in model.loads.items() if name != "thrust"}
    update = {"joints": {"start": start, **held}, "loads": loads, "environment": still, "controllers": {}}
    data = fl.simulate(model.model_copy(update=update), 60, 0.05, progress=False)
    z = data["position"].sel(body="tower", xyz="z").values
    z, t = z - z[0] + 1.0, data["time"].values
    at = np.flatnonzero((z[:-1] < 0) & (z[1:] >= 0))
    up = t[at] - z[at] * (t[at + 1] - t[at]) / (z[at + 1] - z[at])
    assert np.diff(up) == pytest.approx(17.2, abs=0.06)
    assert "17.2 s, by decay" in (ROOT / "docs/validation/family.md").read_text()


def test_the_family_at_8_m_s_has_one_thrust():
    """docs/validation/family.md: C_T is flat below 17 m/s, so fixed and variable are one run, at 95 kN of thrust."""
    model = fl.load(ROOT / "models" / "family_72.yaml")
    wind = fl.KaimalWind(speed=8.0, turbulence="B", seed=1, duration=600, height=90, exponent=0.14)
    environment = model.environment.model_copy(update={"wind": wind, "waves": fl.Jonswap(3.0, 10.0, seed=1)})
    runs = []
    for ct in (model.loads["thrust"].ct, 0.19037):
        loads = {**model.loads, "thrust": model.loads["thrust"].model_copy(update={"ct": ct})}
        varied = model.model_copy(update={"environment": environment, "loads": loads})
        runs.append(fl.simulate(varied, 100, 0.05, output_every=10, progress=False))
    assert np.abs(runs[0]["position"] - runs[1]["position"]).max() < 1e-9
    assert float(runs[0]["relative_wind"].max()) < 17
    steady = 0.5 * 1.225 * math.pi * 63**2 * 8**2 * 0.19037  # [N], and a little more in turbulence
    assert steady == pytest.approx(93e3, rel=0.01)


@pytest.mark.slow
def test_the_sense_of_the_rotor_decides_fig_23():
    """docs/validation/thesis_two_bodies.md: deviation of A after the shift over that without, mean of 8 seeds."""

    def turned(model: fl.Model) -> fl.Model:
        nacelle, thrust = model.bodies["nacelle"], model.loads["thrust"]
        wheel = nacelle.wheels[0]
        nacelle = nacelle.model_copy(update={"wheels": (fl.Wheel(wheel.axis, wheel.inertia, -wheel.speed),)})
        thrust = thrust.model_copy(update={"torque": -thrust.torque})
        return model.model_copy(
            update={"bodies": {**model.bodies, "nacelle": nacelle}, "loads": {**model.loads, "thrust": thrust}}
        )

    for change, expected in ((lambda model: model, 0.79), (turned, 2.15)):
        ratios = []
        for seed in range(1, 9):
            deviation = []
            for shift in (0.0, -math.pi / 4):
                words = {"formulation": "two-body", "output_every": 4, "progress": False}
                data = fl.simulate(change(thesis.spar(shift, seed)), 600, 0.05, **words)
                moment = fl.gyroscopic_moments(data, "nacelle")["gyroscopic_moment"].sel(abc="A")
                deviation.append(float(moment.sel(time=data["time"] > 110).std()))
            ratios.append(deviation[1] / deviation[0])
        assert np.mean(ratios) == pytest.approx(expected, abs=0.03)
