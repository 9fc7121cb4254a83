"""Each verb as a user types it: what it prints, what it leaves, and its exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.results.reading import open_result


def test_run_leaves_a_result_and_ends_with_the_audit(fairlead, two_bodies: Path):
    done = fairlead("run", "two.yaml", "--csv")
    assert done.returncode == 0, done.stderr
    assert "2 bodies (4 kg), 1 joint (coordinates: 1 driven), 1 load" in done.stdout
    assert "energy changes by the recorded work" in done.stdout and "PASS (external forces" in done.stdout
    directory = two_bodies.parent / "two.run"
    assert json.loads((directory / "status.json").read_text())["state"] == "complete"
    assert json.loads((directory / "audit.json").read_text())["passed"] is True
    # The file holds exactly what the same model gives in memory: both come from one compiled loop.
    data = fl.simulate(fl.load(two_bodies))
    with open_result(directory / "result.nc") as stored:
        for name in data.data_vars:
            assert np.array_equal(stored[name].values, data[name].values, equal_nan=True), name
        assert list(stored["coordinate"].values) == ["hinge.angle"]
        assert stored["position"].attrs["units"] == "m"
    header = (directory / "result.csv").read_text().split("\n", 1)[0].split(",")
    table = np.loadtxt(directory / "result.csv", delimiter=",", skiprows=1)
    column = table[:, header.index("position:arm:y")]
    assert np.array_equal(column, data["position"].sel(body="arm", xyz="y").values)  # 17 digits carry every bit


def test_a_second_run_does_not_touch_the_first_unless_told(fairlead, two_bodies: Path):
    assert fairlead("run", "two.yaml", "-q").returncode == 0
    result = two_bodies.parent / "two.run" / "result.nc"
    before = result.read_bytes()
    refused = fairlead("run", "two.yaml", "-q")
    assert refused.returncode == 5 and "two.run exists" in refused.stderr and "--overwrite" in refused.stderr
    assert result.read_bytes() == before
    failing = two_bodies.parent / "bad.yaml"
    failing.write_text(two_bodies.read_text().replace("mass: 3", "mass: -3"))
    assert fairlead("run", "bad.yaml", "-o", "two.run", "--overwrite").returncode == 3
    assert result.read_bytes() == before  # a wrong model is refused before anything is moved
    assert fairlead("run", "two.yaml", "-q", "--overwrite", "--duration", "1 s").returncode == 0
    with open_result(result) as data:
        assert float(data["time"][-1]) == 1.0
    assert [path.name for path in two_bodies.parent.glob("*old*")] == []


def test_a_directory_that_is_no_run_is_never_overwritten(fairlead, two_bodies: Path):
    precious = two_bodies.parent / "thesis"
    precious.mkdir()
    (precious / "chapter.txt").write_text("years of work")
    done = fairlead("run", "two.yaml", "-o", "thesis", "--overwrite")
    assert done.returncode == 5 and "not a run of Fairlead" in done.stderr
    assert (precious / "chapter.txt").read_text() == "years of work"


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (("mass: 3", "mas: 3"), 4, ["bodies.base", "mass"]),
        (("child: arm", "child: arn"), 7, ["arn", "arm"]),
        (("rate: 30 deg/s", "rate: 30 kg"), 7, ["kg", "rad/s"]),
        (("axis: [0, 0, 1]", "axis: [0, 0, 0]"), 7, ["zero length"]),
    ],
)
def test_a_wrong_file_gives_one_sentence_with_file_and_line_and_exit_3(fairlead, two_bodies: Path, change, line, words):
    two_bodies.write_text(two_bodies.read_text().replace(*change))
    for verb in ("check", "run"):
        done = fairlead(verb, "two.yaml")
        assert done.returncode == 3
        said = done.stderr + done.stdout
        assert f"two.yaml:{line}" in said and "Traceback" not in said
        assert all(word in said for word in words), said
    assert not (two_bodies.parent / "two.run").exists()


def test_options_that_are_wrong_are_refused_with_their_name(fairlead, two_bodies: Path):
    for words, expected, code in (
        (("--dt", "0"), "dt", 3),
        (("--dt", "1 kg"), "--dt", 3),
        (("--integrator", "euler"), "integrator 'euler'", 3),
        (("--formulation", "magic"), "formulation 'magic'", 3),
        (("--nonsense",), "--nonsense", 2),
    ):
        done = fairlead("run", "two.yaml", *words)
        assert done.returncode == code and expected in done.stderr, (words, done.stderr)
        assert "Traceback" not in done.stderr


def test_loops_and_free_coordinates_run_and_a_formulation_that_cannot_says_why(fairlead, two_bodies: Path):
    text = two_bodies.read_text().replace(", motion: {rate: 30 deg/s}", "")
    second = "  strut: {type: spherical, parent: arm, child: base, point: [0.7, 0, 0]}\nloads:"
    two_bodies.write_text(text.replace("loads:", second))
    assert fairlead("check", "two.yaml").returncode == 0
    done = fairlead("run", "two.yaml", "--formulation", "kane")
    assert done.returncode == 3 and "joint 'strut' closes a loop" in done.stderr
    assert fairlead("run", "two.yaml").returncode == 0


def test_crosscheck_prints_differences_and_exits_1_above_the_tolerance(fairlead, two_bodies: Path):
    done = fairlead("crosscheck", "two.yaml", "--duration", "0.5 s", "--dt", "0.1 s")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "articulated" in done.stdout and "PASS" in done.stdout
    done = fairlead("crosscheck", "two.yaml", "--duration", "0.5", "--dt", "0.1", "--tolerance", "1e-30", "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["passed"] is False


def test_crosscheck_refuses_wrong_options_once_with_exit_3(fairlead, two_bodies: Path):
    """A mistake in the call is no disagreement of formulations: exit 3 and one sentence, not 1 and one for each."""
    for words, said in (
        (("--duration", "0"), "duration: must be a positive number of seconds"),
        (("--integrator", "euler"), "integrator 'euler' is not known"),
        (("--tolerance", "nan"), "tolerance must be a number, zero or more"),
        (("--rtol", "-1"), "rtol: must be a number, zero or more"),
    ):
        done = fairlead("crosscheck", "two.yaml", "--dt", "0.1", *words)
        assert done.returncode == 3 and said in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
    done = fairlead("crosscheck", "two.yaml", "--duration", "0.2", "--dt", "0.1", "--tolerance", "0")
    assert done.returncode == 1 and "FAIL" in done.stdout


def test_a_failed_run_keeps_what_it_computed_and_says_when(fairlead, two_bodies: Path):
    blow = "  blow: {type: force, body: base, force: ['where(t < 1, 0, 1e300*exp(t*800))', 0, 0]}\nrun:"
    two_bodies.write_text(two_bodies.read_text().replace("run:", blow))
    done = fairlead("run", "two.yaml")
    assert done.returncode == 4 and "load 'blow' gives a force of (inf, 0, 0) N at t = 1 s" in done.stderr
    assert "Traceback" not in done.stderr
    status = json.loads((two_bodies.parent / "two.run" / "status.json").read_text())
    assert status["state"] == "failed"
    with open_result(two_bodies.parent / "two.run" / "result.nc") as data:
        assert 0.9 < float(data["time"][-1]) < 1.1 and np.isfinite(data["position"].values).all()
        assert data.attrs["status"].startswith("failed")


def test_an_audit_that_fails_exits_1_and_keeps_the_result(fairlead, two_bodies: Path):
    done = fairlead("run", "two.yaml", "--tolerance", "1e-30")
    assert done.returncode == 1 and "FAIL" in done.stdout
    assert (two_bodies.parent / "two.run" / "result.nc").exists()
    again = fairlead("audit", "two.run", "--json", "--tolerance", "1e-6")  # by default that of the run
    assert again.returncode == 0 and json.loads(again.stdout)["passed"] is True


def test_schema_is_json_and_help_needs_no_heavy_imports(fairlead):
    assert json.loads(fairlead("schema").stdout)["type"] == "object"
    assert "Usage" in fairlead("--help").stdout
    probe = "import sys, fairlead.cli.app as c; c.Commands()['check']; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True).stdout.split()
    assert {"numba", "xarray", "scipy", "pint", "numpy", "matplotlib"} & set(loaded) == set()
    assert [name for name in loaded if name.startswith("fairlead.cli.verbs.")] == ["fairlead.cli.verbs.check"]


def test_every_public_name_exists():
    for name in fl.__all__:
        assert getattr(fl, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        fl.nonsense  # noqa: B018


def test_progress_is_told_through_a_callable():
    model = fl.Model(name="free", bodies={"b": fl.Body(1, (1, 1, 1))})
    told = []
    fl.simulate(model, 30, 0.01, progress=lambda time, end: told.append((time, end)))
    assert told[-1] == (30.0, 30.0) and len(told) > 3
    assert [time for time, _ in told] == sorted(time for time, _ in told)


@pytest.mark.parametrize("target", ["nowhere/two.png", "folder"])
def test_a_picture_that_cannot_be_written_is_no_fault_of_ours(fairlead, two_bodies: Path, target: str):
    """Whatever is wrong with a place to write to: one sentence with the place, exit code 5, no crash report."""
    assert fairlead("run", "two.yaml", "-q").returncode == 0
    (two_bodies.parent / "folder").mkdir()
    done = fairlead("plot", "two.run", "-o", target)
    assert done.returncode == 5 and target in done.stderr and "fault" not in done.stderr, done.stderr


def test_warm_leaves_the_kernels_of_a_formulation_in_the_cache(fairlead):
    from fairlead.core.jit.cache import is_compiled

    done = fairlead("warm", "articulated")
    assert done.returncode == 0, done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        f"articulated with {way}" for way in ("rk4", "symplectic-euler", "dop853", "a load in Python")
    ]
    assert all(is_compiled(f"articulated_{loop}_steps") for loop in ("rk", "symplectic", "adaptive"))


def test_warm_names_the_formulations_it_knows(fairlead):
    done = fairlead("warm", "lagrange")
    assert done.returncode == 3
    assert done.stderr.startswith("formulation 'lagrange' is not known; use auto or one of cloud, kane")
