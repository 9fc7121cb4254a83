"""Old MBDM cases run from the command line, and turn into our YAML and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.formats.mbdm.files import read_case

CASES = Path(__file__).parents[1] / "reference" / "mbdm"


def test_the_spring_case_runs_unchanged_and_follows_its_closed_form(fairlead, tmp_path: Path):
    done = fairlead("mbdm", str(CASES / "spring"), "none", "-o", "out")
    assert done.returncode == 0, done.stderr
    table = np.loadtxt(next((tmp_path / "out").glob("*_body_1.dat")), comments="#")
    t, z = table[:, 0], table[:, 3]
    # Released at rest with the spring at its natural length: z = -(m g / k)(1 - cos w t), MBDM note Eq. 93.
    mass, stiffness = 60.0, 10_000.0
    exact = -mass * 9.81 / stiffness * (1 - np.cos(np.sqrt(stiffness / mass) * t))
    assert np.abs(z - exact).max() < 1e-8
    assert list((tmp_path / "out" / "MBDM_checkpoint").glob("*_checkpoint"))


def test_a_checkpoint_is_carried_on(fairlead, tmp_path: Path):
    assert fairlead("mbdm", str(CASES / "spring"), "none", "-o", "a").returncode == 0
    checkpoint = next((tmp_path / "a" / "MBDM_checkpoint").glob("*_checkpoint"))
    longer = tmp_path / "case"
    longer.mkdir()
    for path in (CASES / "spring").iterdir():
        (longer / path.name).write_text(path.read_text().replace("t_end: 1", "t_end: 2"))
    assert fairlead("mbdm", str(longer), str(checkpoint), "-o", "b").returncode == 0
    table = np.loadtxt(next((tmp_path / "b").glob("*_body_1.dat")), comments="#")
    exact = -60.0 * 9.81 / 1e4 * (1 - np.cos(np.sqrt(1e4 / 60.0) * table[:, 0]))
    assert table[0, 0] == pytest.approx(1.0) and table[-1, 0] == pytest.approx(2.0)
    assert np.abs(table[:, 3] - exact).max() < 1e-8


def test_a_restart_continues_to_the_same_bits(fairlead, tmp_path: Path):
    # A checkpoint holds 17 digits, and the run that writes it goes on from what it wrote, so both runs see one state.
    whole, half = tmp_path / "whole", tmp_path / "half"
    text = (CASES / "slider_crank_dynamic" / "mbdm").read_text()
    text = text.replace("Save checkpoint every (n) steps: 1000", "Save checkpoint every (n) steps: 50")
    for folder, end in ((whole, "0.02"), (half, "0.01")):
        folder.mkdir()
        (folder / "mbdm").write_text(text.replace("t_end: 1", f"t_end: {end}"))
    assert fairlead("mbdm", "whole", "none", "-o", "a").returncode == 0
    assert fairlead("mbdm", "half", "none", "-o", "b").returncode == 0
    checkpoint = next((tmp_path / "b" / "MBDM_checkpoint").glob("*_checkpoint"))
    assert fairlead("mbdm", "whole", str(checkpoint), "-o", "c").returncode == 0
    a, c = (next((tmp_path / name / "MBDM_checkpoint").glob("*_checkpoint")).read_text() for name in "ac")
    lines = [text.split("\n") for text in (a, c)]
    assert lines[0][:4] == lines[1][:4]  # time, q, q' and q'' at the end, digit by digit


def test_a_case_becomes_yaml_that_moves_the_same(fairlead, tmp_path: Path):
    assert fairlead("convert", str(CASES / "slider_crank_kinematic"), "crank.yaml").returncode == 0
    legacy, ours = (fl.load(path) for path in (CASES / "slider_crank_kinematic", tmp_path / "crank.yaml"))
    a, b = (fl.kinematics(model, 1.0, 0.01) for model in (legacy, ours))
    assert np.array_equal(a["position"].values, b["position"].values)  # YAML keeps every bit
    refused = fairlead("convert", str(CASES / "spring"), "crank.yaml")
    assert refused.returncode == 5 and "exists" in refused.stderr


def test_a_model_goes_back_to_mbdm_files(fairlead, tmp_path: Path):
    assert fairlead("convert", str(CASES / "spring"), "spring.yaml").returncode == 0
    assert fairlead("convert", "spring.yaml", "back").returncode == 0
    first, again = read_case(CASES / "spring"), read_case(tmp_path / "back")
    assert [body.mass for body in again.bodies] == [body.mass for body in first.bodies]
    assert len(again.mooring) == len(first.mooring) == 1


def slider_crank_for(folder: Path, flags: str = "", **replaced: str) -> None:
    """The dynamic slider-crank over 100 steps in a folder of its own, saved at every step, some entries replaced."""
    folder.mkdir()
    text = (CASES / "slider_crank_dynamic" / "mbdm").read_text()
    lines = []
    for line in text.splitlines():
        key = line.partition(":")[0].strip()
        new = {"t_end": "0.01", "Save output every (n) steps": "1", **replaced}.get(key)
        lines.append(line if new is None else f"{key}: {new}")
    (folder / "mbdm").write_text("\n".join(lines) + "\n")
    if flags:
        (folder / "mbdm.expert.parameters").write_text(flags)


FLAGS = "Debug : 1\nTimer : 1\nStore A matrix : 0\nAttempt fix : 0\n"


def test_debug_files_and_timer(fairlead, tmp_path: Path):
    """Section 7.1.4: per step time and time step, IDs in q from 0, their velocities and accelerations; the same
    numbers stand at these places of DEBUG_state.dat. The timer shows on screen, and neither changes the motion."""
    slider_crank_for(tmp_path / "case", FLAGS)
    slider_crank_for(tmp_path / "plain")
    done = fairlead("mbdm", "case", "none", "-o", "a")
    assert done.returncode == 0, done.stderr
    assert fairlead("mbdm", "plain", "none", "-o", "b").returncode == 0
    found = [line.split() for line in (tmp_path / "a" / "DEBUG_independet.dat").read_text().splitlines()]
    state = [line.split() for line in (tmp_path / "a" / "DEBUG_state.dat").read_text().splitlines()]
    case = read_case(tmp_path / "case")
    steps = round((case.t_end - case.t_start) / case.dt)
    assert len(found) == len(state) == 4 * (steps + 1)
    for row in range(0, len(found), 4):
        (time, step), ids, rates, seconds = found[row : row + 4]
        assert time == state[row][0] and float(step) == pytest.approx(case.dt, rel=1e-9)
        assert len(ids) == 1 and 0 <= int(ids[0]) < 7 * len(case.bodies)  # one degree of freedom
        assert rates[0] == state[row + 2][int(ids[0])] and seconds[0] == state[row + 3][int(ids[0])]
    assert done.stdout.count("ms per step") == steps + 1 and f"{steps} steps in" in done.stdout
    tables = [np.loadtxt(next((tmp_path / name).glob("*_body_2.dat")), comments="#") for name in "ab"]
    assert np.array_equal(*tables)
    assert not (tmp_path / "b" / "DEBUG_independet.dat").exists()


def test_newton_settings_of_a_case_are_used(fairlead, tmp_path: Path):
    """N-R accuracy is what a step must reach: less than rounding cannot be, and the run says so with its joint."""
    slider_crank_for(tmp_path / "case", **{"N-R accuracy": "1e-30"})
    done = fairlead("mbdm", "case", "none", "-o", "a")
    assert done.returncode == 4 and "Newton did not close joint" in done.stderr
    assert "that is rounding, but an accuracy of 1e-30 is asked for" in done.stderr
