"""Legacy cases on their way: nothing runs as something else, nothing that was computed is lost, restarts go on."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.errors import FilesFailure, InvalidInput
from fairlead.formats.mbdm.checkpoint import read_checkpoint
from fairlead.formats.mbdm.files import read_case
from fairlead.running.legacy import case as legacy

CASES = Path(__file__).parents[1] / "reference" / "mbdm"
TRACERS = (CASES / "ground" / "mbdm.expert.tracers").read_text()
ALL_FLAGS = "Debug : 1\nTimer : 0\nStore A matrix : 1\nAttempt fix : 0\n"


def case_in(folder: Path, of: str, replaced: dict[str, str], **companions: str) -> Path:
    """A reference case in a folder of its own, with some entries of its main file replaced and companions added."""
    folder.mkdir()
    for path in (CASES / of).iterdir():
        (folder / path.name).write_text(path.read_text())
    lines = []
    for line in (folder / "mbdm").read_text().splitlines():
        key = line.partition(":")[0].strip()
        lines.append(f"{key}: {replaced[key]}" if key in replaced else line)
    (folder / "mbdm").write_text("\n".join(lines) + "\n")
    for name, text in companions.items():
        (folder / f"mbdm.expert.{name}").write_text(text)
    return folder


def saving(output: int, checkpoint: int, tracers: int = 0) -> dict[str, str]:
    kinds = {"output": output, "checkpoint": checkpoint, "tracers": tracers}
    return {f"Save {kind} every (n) steps": str(every) for kind, every in kinds.items()}


@pytest.mark.parametrize("verb", [("mbdm", "case", "none"), ("run", "case"), ("crosscheck", "case")])
def test_a_coupled_case_does_not_run_alone(verb: tuple[str, ...], fairlead, tmp_path: Path):
    """Without its partners' loads it is another computation; before, it ran with exit code 0."""
    solvers = (CASES / "coupled" / "mbdm.expert.solvers").read_text().replace("SPH body ID: 2", "SPH body ID: 1")
    case_in(tmp_path / "case", "spring", {}, solvers=solvers)
    done = fairlead(*verb)
    assert done.returncode == 3
    line = 1 + next(at for at, text in enumerate(solvers.splitlines()) if text.startswith("coupling type"))
    assert f"mbdm.expert.solvers:{line}:" in done.stderr and "coupled with HMB and SPH" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["case"]
    with pytest.raises(InvalidInput, match="coupled"):
        fl.load(tmp_path / "case")


def test_a_kinematic_case_that_is_not_driven_is_refused(fairlead, tmp_path: Path):
    """Table 28 leaves the crank free, so the motion needs forces; before, it ran as dynamics with exit code 0."""
    case_in(tmp_path / "case", "slider_crank_dynamic", {"Kinematic (0), Dynamic (1)": "0"})
    done = fairlead("mbdm", "case", "none")
    assert done.returncode == 3
    assert "mbdm:2: dynamic: a kinematic analysis needs every motion driven" in done.stderr
    assert re.search(r"1 degree of freedom is not \(for instance \w+\.\w+\); add as many drivers", done.stderr)
    assert [path.name for path in tmp_path.iterdir()] == ["case"]


def killed_at(checkpoint: int, case: Path, out: Path) -> None:
    """Run a case in a child process that is gone, without any clean-up, right after so many checkpoints."""
    child = os.fork()
    if child == 0:
        try:
            _run_to(checkpoint, case, out)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def _run_to(checkpoint: int, case: Path, out: Path) -> None:
    written = 0

    def write(*args, **options):
        nonlocal written
        written += 1
        path = plain(*args, **options)
        if written == checkpoint:
            run.simulation.advance(3)  # some steps on the way to the next one are lost with the process
            os._exit(9)
        return path

    plain, legacy.write_checkpoint = legacy.write_checkpoint, write
    read = read_case(case)
    run = legacy.LegacyRun(read, legacy.to_model(read)[0], out, None, None, legacy.Stopwatch())
    run.go()


def contents(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.suffix == ".dat"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize(
    ("replaced", "flags"),
    [(saving(3, 7, 5), ALL_FLAGS), (saving(4, 6, 8), ALL_FLAGS.replace("Debug : 1", "Debug : 0"))],
    ids=["every step recorded", "every fourth step recorded"],
)
def test_a_killed_run_keeps_its_rows_and_goes_on_in_its_folder(replaced, flags: str, fairlead, tmp_path: Path):
    """Byte by byte the files of the run that was not killed: rows before the checkpoint stay, none stands twice.
    The crank starts at half a turn, where a record that picks the sign of quaternions by rule changes it."""
    times = {"dt": "0.001", "t_end": "0.05"}
    case_in(tmp_path / "case", "slider_crank_dynamic", times | replaced, tracers=TRACERS, parameters=flags)
    assert fairlead("mbdm", "case", "none", "-o", "whole").returncode == 0
    killed_at(3, tmp_path / "case", tmp_path / "out")
    whole, half = contents(tmp_path / "whole"), contents(tmp_path / "out")
    assert whole.keys() == half.keys() and len(whole) >= 10
    for name, content in half.items():
        assert content and whole[name].startswith(content), name
    checkpoint = tmp_path / "out" / "MBDM_checkpoint" / "Slider_Crank_2D_checkpoint"
    done = fairlead("mbdm", "case", str(checkpoint), "-o", "out")
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "out") == whole
    assert checkpoint.read_bytes() == (tmp_path / "whole" / checkpoint.relative_to(tmp_path / "out")).read_bytes()


def test_rows_are_appended_as_the_run_goes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Without checkpoints too: at each line of the timer the rows before the present step stand in the file."""
    monkeypatch.setattr(legacy, "SECONDS", -1.0)  # else rows of a second may wait
    flags = ALL_FLAGS.replace("Timer : 0", "Timer : 1")
    case = read_case(case_in(tmp_path / "case", "spring", saving(10, 0) | {"t_end": "0.1"}, parameters=flags))
    seen: list[int] = []

    def show(line: str) -> None:
        if line.startswith("t ="):
            seen.append(len(np.loadtxt(tmp_path / "out" / "TestCase_1_body_1.dat", ndmin=2)))

    legacy.run_case(case, tmp_path / "out", show=show)
    assert seen == list(range(2, 12))


def test_rows_of_a_run_that_fails_are_kept(fairlead, tmp_path: Path):
    """A rod of 1.8 m on a crank of 2 m cannot reach the slide past asin(1.8 / 2); rows until then are in the files."""
    case_in(tmp_path / "case", "slider_crank_kinematic", saving(1, 0))
    main = tmp_path / "case" / "mbdm"
    main.write_text(main.read_text().replace("1.75,", "0.9,"))
    done = fairlead("mbdm", "case", "none", "-o", "out")
    assert done.returncode == 4, done.stderr
    table = np.loadtxt(tmp_path / "out" / "Slider_Crank_2D_body_1.dat")
    reached = (np.arcsin(0.9) - np.pi / 4) / (2 * np.pi)  # one turn a second from 45 degrees on
    assert reached - 0.005 < table[-1, 0] < reached and len(table) == round(table[-1, 0] / 0.001) + 1


def spinning_on_a_spring(folder: Path, **replaced: str) -> Path:
    return case_in(folder, "spring", {"omega": "0, 0, 2.5", **replaced})


def test_a_checkpoint_between_rows_holds_the_present_state(fairlead, tmp_path: Path):
    """Of its own place and time: z'' = -k z / m - g (Eq. 93) and the angle 2.5 t of a body that spins freely.
    Before, with rows every 10 steps, step 77 had angle and acceleration of step 70: 0.175 and 0.193 instead."""
    spinning_on_a_spring(tmp_path / "case", t_end="0.08", **saving(10, 7))
    assert fairlead("mbdm", "case", "none", "-o", "out").returncode == 0
    last = tmp_path / "out" / "MBDM_checkpoint" / "TestCase_1_checkpoint"
    for path, time in ((last, 0.08), (last.with_name(last.name + "_old"), 0.077)):
        found, _ = read_checkpoint(path)
        assert found.time == pytest.approx(time, rel=1e-14)
        z, acceleration = found.q[2], found.q_acceleration[2]
        assert acceleration == pytest.approx(-1e4 / 60 * z - 9.81, rel=1e-13)
        assert found.angles[0, 2] == pytest.approx(2.5 * time, rel=1e-12)
        # p'' = -w^2 p / 4 for a constant spin (Eq. 40), with the sign that q itself has in the file.
        assert found.q_acceleration[3:] == pytest.approx(-(2.5**2) / 4 * found.q[3:], abs=1e-12)


def test_zero_saves_no_checkpoint(fairlead, tmp_path: Path):
    """Section 7.1.1: "Use value of 0, if not to store at all"."""
    case_in(tmp_path / "case", "spring", saving(10, 0) | {"t_end": "0.05"})
    assert fairlead("mbdm", "case", "none", "-o", "out").returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "TestCase_1_body_1.dat",
        "TestCase_1_mooring_1.dat",
    ]


def test_a_restart_with_another_step_goes_on_at_its_time(fairlead, tmp_path: Path):
    """The checkpoint's step number belongs to its own dt; before, half the dt went on from half the time."""
    case_in(tmp_path / "first", "spring", saving(10, 50) | {"t_end": "0.1"})
    case_in(tmp_path / "finer", "spring", saving(10, 50) | {"t_end": "0.2", "dt": "0.0005"})
    case_in(tmp_path / "off", "spring", saving(10, 50) | {"t_end": "0.2", "dt": "0.0007"})
    assert fairlead("mbdm", "first", "none", "-o", "a").returncode == 0
    checkpoint = "a/MBDM_checkpoint/TestCase_1_checkpoint"
    assert fairlead("mbdm", "finer", checkpoint, "-o", "b").returncode == 0
    table = np.loadtxt(tmp_path / "b" / "TestCase_1_body_1.dat")
    exact = -60 * 9.81 / 1e4 * (1 - np.cos(np.sqrt(1e4 / 60) * table[:, 0]))
    assert table[[0, -1], 0] == pytest.approx([0.1, 0.2]) and np.abs(table[:, 3] - exact).max() < 1e-8
    refused = fairlead("mbdm", "off", checkpoint, "-o", "c")
    assert refused.returncode == 6 and "steps of dt = 0.0007 s" in refused.stderr
    ended = fairlead("mbdm", "first", checkpoint, "-o", "a")
    assert ended.returncode == 3 and "nothing is left to run" in ended.stderr and "mbdm:6: t_end" in ended.stderr


def test_a_restart_touches_no_file_that_is_not_its_own(fairlead, tmp_path: Path):
    case_in(tmp_path / "case", "spring", saving(10, 50) | {"t_end": "0.1"})
    case_in(tmp_path / "longer", "spring", saving(10, 50) | {"t_end": "0.2"})
    assert fairlead("mbdm", "case", "none", "-o", "a").returncode == 0
    table = tmp_path / "a" / "TestCase_1_mooring_1.dat"
    table.write_text(table.read_text().replace("e+02", "e+03", 1))
    before = contents(tmp_path / "a")
    refused = fairlead("mbdm", "longer", "a/MBDM_checkpoint/TestCase_1_checkpoint", "-o", "a")
    assert refused.returncode == 5 and "TestCase_1_mooring_1.dat is not as the checkpoint left it" in refused.stderr
    assert contents(tmp_path / "a") == before
    for name in ("TestCase_1_checkpoint", "TestCase_1_checkpoint_old"):
        (tmp_path / "a" / "MBDM_checkpoint" / f"{name}.json").unlink()  # as the original program writes them
    refused = fairlead("mbdm", "longer", "a/MBDM_checkpoint/TestCase_1_checkpoint", "-o", "a")
    assert refused.returncode == 5 and "would be lost" in refused.stderr
    assert contents(tmp_path / "a") == before


def test_two_runs_do_not_write_the_same_files(tmp_path: Path):
    """The second is refused before it changes anything; before, each overwrote the other's files."""
    case = read_case(case_in(tmp_path / "case", "spring", saving(10, 50) | {"t_end": "0.1"}))
    run = legacy.LegacyRun(case, legacy.to_model(case)[0], tmp_path / "out", None, None, legacy.Stopwatch())
    run._append([])
    before = contents(tmp_path / "out")
    with pytest.raises(FilesFailure, match=r"_body_1\.dat is being written by another run"):
        legacy.run_case(case, tmp_path / "out")
    assert contents(tmp_path / "out") == before
    run.go()
    assert len(np.loadtxt(tmp_path / "out" / "TestCase_1_body_1.dat")) == 11


def test_a_checkpoint_of_a_coupled_run_is_taken_with_a_warning(fairlead, tmp_path: Path):
    case_in(tmp_path / "case", "spring", saving(10, 50) | {"t_end": "0.1"})
    case_in(tmp_path / "longer", "spring", saving(10, 50) | {"t_end": "0.2"})
    assert fairlead("mbdm", "case", "none", "-o", "a").returncode == 0
    checkpoint = tmp_path / "a" / "MBDM_checkpoint" / "TestCase_1_checkpoint"
    foreign = tmp_path / "coupled_checkpoint"
    foreign.write_text(checkpoint.read_text() + "1 2 3 4 5 6\n")
    done = fairlead("mbdm", "longer", str(foreign), "-o", "b")
    assert done.returncode == 0 and "exchange vectors of coupled solvers, which are not used" in done.stderr


def test_the_lines_of_the_timer_add_up(fairlead, tmp_path: Path):
    """Every moment of the run is in one line, so the lines give the total but for their rounding to 0.001 ms."""
    flags = ALL_FLAGS.replace("Timer : 0", "Timer : 1")
    case_in(tmp_path / "case", "slider_crank_dynamic", saving(5, 20) | {"t_end": "0.01"}, parameters=flags)
    done = fairlead("mbdm", "case", "none", "-o", "out")
    assert done.returncode == 0, done.stderr
    of_steps = [float(ms) for ms in re.findall(r"^t = .*: 5 steps in ([\d.]+) ms", done.stdout, re.M)]
    said = {
        kind: float(ms) for kind, ms in re.findall(r"^(start|steps|output files): .*?([\d.]+) ms", done.stdout, re.M)
    }
    total = float(re.search(r"^Slider_Crank_2D: ([\d.]+) ms in all", done.stdout, re.M).group(1))
    assert len(of_steps) == 20 and set(said) == {"start", "steps", "output files"}
    assert sum(of_steps) == pytest.approx(said["steps"], abs=0.001 * 20)
    assert sum(said.values()) == pytest.approx(total, abs=0.001 * 3)


def test_the_summary_is_shown_before_the_run(fairlead, tmp_path: Path):
    """Table 13: print_info shows the system and the numerical parameters; 10.3: the differences of the assembly."""
    case_in(tmp_path / "case", "slider_crank_kinematic", {"t_end": "0.01"})
    out = fairlead("mbdm", "case", "none", "-o", "out").stdout
    wanted = [
        "Slider_Crank_2D: kinematic analysis",
        "bodies: 4",
        "  2 rod: mass 35 kg, r (3.0152, 0.7066, 0) m, angles (0, 0, -0.4158) rad",
        "  3 C: rod and slider, removes 4",
        "degrees of freedom: 24, removed by joints 24, left 0",  # Table 25
        "assembly corrects body 1 crank by 6.28 rad/s",
        "time: 0 to 0.01 s in steps of 0.001 s",
        "Newton-Raphson: accuracy 1e-08, at most 200 steps",
        "saved: output every 1 steps, checkpoint every 1000 steps, tracers every 10 steps",
    ]
    assert [line for line in wanted if line not in out.splitlines()] == []
    # The drawn crank is right and the rod lies 0.55 mm off: its middle is half way between C and the slider at D.
    tip = 2 * np.array([np.cos(np.pi / 4), np.sin(np.pi / 4)])
    slider = tip[0] + np.sqrt(3.5**2 - tip[1] ** 2)
    off = np.hypot(*(np.array([(tip[0] + slider) / 2, tip[1] / 2]) - (3.0152, 0.7066)))
    assert f"assembly corrects body 2 rod by {off:.3g} m" in out


def test_remarks_of_reading_are_said(fairlead, tmp_path: Path):
    """What looks like a unit is read as a remark; before, only `read_mbdm` told."""
    case_in(tmp_path / "case", "spring", saving(10, 0) | {"t_end": "0.01", "mass": "60 t"})
    done = fairlead("mbdm", "case", "none", "-o", "out")
    assert done.returncode == 0 and "after the value is taken as a remark; values are SI" in done.stderr


def test_a_checkpoint_of_the_case_before_it_was_edited_says_so(fairlead, tmp_path: Path):
    """Case and checkpoint have the same name, so the name does not tell them apart."""
    case_in(tmp_path / "case", "spring", saving(10, 50) | {"t_end": "0.1"})
    case_in(tmp_path / "edited", "spring", saving(10, 50) | {"t_end": "0.2", "mass": "61"})
    assert fairlead("mbdm", "case", "none", "-o", "a").returncode == 0
    refused = fairlead("mbdm", "edited", "a/MBDM_checkpoint/TestCase_1_checkpoint", "-o", "a")
    assert refused.returncode == 6 and "it had other bodies, joints or lines then" in refused.stderr


def test_a_step_beyond_the_run_is_told_with_its_line(fairlead, tmp_path: Path):
    case_in(tmp_path / "case", "spring", {"t_end": "0.1", "dt": "5"})
    for verb in (("check", "case"), ("mbdm", "case", "none")):
        refused = fairlead(*verb)
        assert refused.returncode == 3 and "mbdm:7: dt: is longer than the run (5 s > 0.1 s)" in refused.stderr
