"""Functions from Python as loads: compiled ones, what is said when one fails, run directories and resuming."""

from __future__ import annotations

import functools
import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import fairlead as fl
from fairlead.errors import CheckpointUnusable
from fairlead.model.loads.functions import code_hash

STIFF, REST, DAMPING, ANCHOR, ARM = 7.0, 1.0, 0.3, (2.0, 1.0, 0.5), 0.1


def line(x, R, v, w):
    """A spring and damper from a point 0.1 m along the body's own x axis to an anchor, as force and moment."""
    s = (R[0][0] * ARM, R[1][0] * ARM, R[2][0] * ARM)
    d = (ANCHOR[0] - x[0] - s[0], ANCHOR[1] - x[1] - s[1], ANCHOR[2] - x[2] - s[2])
    u = (v[0] + w[1] * s[2] - w[2] * s[1], v[1] + w[2] * s[0] - w[0] * s[2], v[2] + w[0] * s[1] - w[1] * s[0])
    length = math.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2)
    k = (STIFF * (length - REST) - DAMPING * (u[0] * d[0] + u[1] * d[1] + u[2] * d[2]) / length) / length
    f = (k * d[0], k * d[1], k * d[2])
    return (f[0], f[1], f[2], s[1] * f[2] - s[2] * f[1], s[2] * f[0] - s[0] * f[2], s[0] * f[1] - s[1] * f[0])


compiled_line = numba.njit(line)


@numba.njit
def line_by_numba(t, position, rotation, velocity, angular_velocity):
    return compiled_line(position, rotation, velocity, angular_velocity)


def line_in_python(t, motion):
    return line(*motion["b"])


def body(**more):
    turned = {"euler123": (0.0, 0.0, math.pi / 2)}
    return fl.Body(2.0, (1, 2, 3), (0.3, -0.2, 0.1), turned, (0.5, 1.0, -0.7), (0.3, 0.2, 0.1), **more)


def model(load: fl.Force | fl.Spring) -> fl.Model:
    base = fl.Body(5.0, (2, 2, 2), position=(0.3, -0.2, -1), orientation={"euler123": (0.3, 0.2, 0.1)})
    joints = {"j": fl.Revolute("base", "b", (0.3, -0.2, -0.5), (0, 1, 0))}
    return fl.Model("m", {"base": base, "b": body()}, joints, {"line": load}, (0, 0, -1))


def point():
    return (0.3, -0.2 + ARM, 0.1)  # along the body's x axis, which points along the world's y


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "formulation", ["cloud", "constrained", *(pytest.param(name, marks=SLOW) for name in ("articulated", "kane"))]
)
def test_compiled_function_python_function_and_built_in_load_agree(formulation):
    """Three ways to write one spring, on a body turned in the drawing: equal but for the order of sums."""
    spring = fl.Spring("b", point(), anchor=ANCHOR, stiffness=STIFF, damping=DAMPING, length=REST)
    loads = spring, fl.Force("b", function=line_in_python), fl.Force("b", function=line_by_numba)
    built_in, python, compiled = (fl.simulate(model(load), 2.0, 0.01, formulation=formulation) for load in loads)
    for name in ("position", "velocity", "load_force", "load_moment", "load_work"):
        np.testing.assert_allclose(python[name], built_in[name], atol=2e-12)
        np.testing.assert_allclose(compiled[name], python[name], atol=2e-13)
    assert fl.audit(compiled).passed


def test_a_compiled_function_stays_in_the_compiled_loop():
    from fairlead.running.simulation import Simulation

    run = Simulation(model(fl.Force("b", function=line_by_numba)), 1.0, 0.01)
    assert run.outside is None and len(run.arrays.loads.functions) == 1
    run = Simulation(model(fl.Force("b", function=line_in_python)), 1.0, 0.01)
    assert run.outside is not None and len(run.arrays.loads.functions) == 0


def test_a_compiled_function_in_an_implicit_step():
    """Generalised-alpha asks for loads and their derivatives; Python functions it refuses, compiled ones it takes."""
    spring = fl.Spring("b", point(), anchor=ANCHOR, stiffness=STIFF, damping=DAMPING, length=REST)
    options = {"formulation": "constrained", "integrator": "generalised-alpha"}
    one, other = (
        fl.simulate(model(load), 0.3, 0.01, **options) for load in (spring, fl.Force("b", function=line_by_numba))
    )
    np.testing.assert_allclose(one.position, other.position, atol=1e-9)  # Newton stops at 1e-9 or so
    with pytest.raises(fl.InvalidInput, match="takes no Python functions"):
        fl.simulate(model(fl.Force("b", function=line_in_python)), 0.3, 0.01, **options)


@numba.njit
def wrong_arguments(t, motion):
    return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@numba.njit
def wrong_answer(t, x, R, v, w):
    return x


@numba.njit
def integers(t, x, R, v, w):
    return (1, 0, 0.0, 0, 0, 0)


def test_compiled_functions_that_do_not_fit_are_refused_before_the_run():
    with pytest.raises(
        fl.InvalidInput, match=r"loads\.line\.function: the compiled function cannot be compiled for \(t, pos"
    ):
        fl.simulate(model(fl.Force("b", function=wrong_arguments)), 1.0, 0.1)
    with pytest.raises(fl.InvalidInput, match="must return six numbers in a tuple"):
        fl.simulate(model(fl.Force("b", function=wrong_answer)), 1.0, 0.1)
    whole = fl.simulate(model(fl.Force("b", function=integers)), 1.0, 0.1)
    np.testing.assert_array_equal(whole.load_force[:, 0], np.broadcast_to([1.0, 0, 0], (11, 3)))


def late(answer):
    """A function in Python that fails from t = 0.5 s on."""

    def function(t, motion):
        return answer() if t > 0.5 else [1.0, 0, 0, 0, 0, 0]

    return function


@numba.njit
def divides(t, x, R, v, w):
    return (1.0 / (0.0 if t > 0.5 else 1.0), 0.0, 0.0, 0.0, 0.0, 0.0)


@numba.njit
def no_root(t, x, R, v, w):
    return (math.sqrt(0.5 - t if t > 0.5 else 1.0), 0.0, 0.0, 0.0, 0.0, 0.0)


WRONG = {
    "raises": (late(lambda: {}["wind"]), r"failed at t = 0\.5\d* s: KeyError\('wind'\)"),
    "shape": (late(lambda: [1.0, 2.0, 3.0]), r"gave \[1\.0, 2\.0, 3\.0\] at t = 0\.5\d* s; it must give six finite"),
    "text": (late(lambda: "strong"), r"gave 'strong' at t = 0\.5\d* s; it must give six finite"),
    "nothing": (late(lambda: None), r"gave None at t = 0\.5\d* s; it must give six finite"),
    "nan": (late(lambda: [math.nan] * 6), r"gave \[nan.*at t = 0\.5\d* s; it must give six finite"),
    "compiled raises": (divides, r"failed at t = 0\.5\d* s: ZeroDivisionError"),
    "compiled nan": (no_root, r"gave \(nan.*at t = 0\.5\d* s; it must give six finite"),
}


@pytest.mark.parametrize("integrator", ["rk4", "symplectic-euler", "dop853"])
@pytest.mark.parametrize("kind", WRONG)
def test_a_function_that_fails_is_named_with_its_time_and_nothing_is_lost(kind, integrator):
    """Rows up to the last good step are kept, those of the chunk in which it failed too; before they were lost."""
    function, said = WRONG[kind]
    with pytest.raises(fl.NumericalFailure, match=r"the function of load 'line' " + said) as error:
        fl.simulate(model(fl.Force("b", function=function)), 1.0, 0.02, integrator=integrator)
    kept = error.value.data
    assert kept.time.values[-1] == pytest.approx(0.5, abs=0.021)
    assert kept.attrs["status"].startswith("failed: the function of load 'line'")
    assert np.isfinite(kept.position).all()


DEADLY: list[float] = []  # the time at which the process is killed, in the process that shall be


def push(t, motion):
    if DEADLY and t > DEADLY[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    position, _, velocity, _ = motion["b"]
    return [-7 * position[0] + math.sin(t), 0, -2 * velocity[2], 0, 0, 0]


def other_push(t, motion):
    return [-8 * motion["b"][0][0] + math.sin(t), 0, 0, 0, 0, 0]


def pushed(function=push) -> fl.Model:
    return fl.Model("p", {"b": body()}, loads={"push": fl.Force("b", function=function)}, gravity=(0, 0, 0))


PROGRAM = """
import sys
import fairlead as fl
import test_functions
from fairlead.running import directory
directory.COMMIT_SECONDS = 0.0
test_functions.DEADLY.append(4.0)
fl.simulate(test_functions.pushed(), 6.0, 0.02, integrator=sys.argv[2], out=sys.argv[1], progress=False)
"""


@pytest.mark.parametrize("integrator", ["rk4", pytest.param("dop853", marks=pytest.mark.slow)])
def test_a_killed_run_with_a_function_resumes_to_the_bit(tmp_path: Path, integrator, fairlead):
    where = tmp_path / "a.run"
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    child = [sys.executable, "-c", PROGRAM, where, integrator]
    assert subprocess.run(child, env={**os.environ, "PYTHONPATH": path}).returncode == -signal.SIGKILL
    assert (where / "checkpoint").exists() and not (where / "result.nc").exists()
    how = f"fl.resume('{where}', functions={{'push': ...}})"
    assert json.loads((where / "status.json").read_text())["resume"] == how
    refused = fairlead("resume", "a.run")
    assert refused.returncode == 3 and "Traceback" not in refused.stderr
    assert "no file holds the Python function of 'push'; go on from Python, giving it again" in refused.stderr
    with pytest.raises(fl.InvalidInput, match="has no function of a load or controller 'pull'"):
        fl.resume(where, functions={"push": push, "pull": push})
    with pytest.raises(CheckpointUnusable, match="the function of 'push' changed since"):
        fl.resume(where, functions={"push": other_push})
    data = fl.resume(where, functions={"push": push}, progress=False)
    whole = fl.simulate(pushed(), 6.0, 0.02, integrator=integrator, progress=False)
    for name in ("time", "position", "orientation", "velocity", "load_force", "load_work"):
        np.testing.assert_array_equal(data[name], whole[name])
    data.close()


def test_a_run_directory_with_a_compiled_function(tmp_path: Path):
    """Complete runs are read back as all others; the model in the directory is refused by whoever has no function."""
    force = fl.Force("b", function=line_by_numba)
    only = fl.Model("p", {"b": body()}, loads={"line": force}, gravity=(0, 0, 0))
    with fl.simulate(only, 1.0, 0.01, out=tmp_path / "a.run") as data:
        np.testing.assert_array_equal(data.position, fl.simulate(only, 1.0, 0.01).position)
    with pytest.raises(fl.InvalidInput, match="a function can be given from Python only"):
        fl.load(tmp_path / "a.run" / "model.yaml")
    with pytest.warns(UserWarning, match="complete already"):
        fl.resume(tmp_path / "a.run").close()
    with pytest.raises(fl.InvalidInput, match="holds a Python function, which a file cannot"):
        fl.save(only, tmp_path / "m.yaml")


def test_a_failed_run_directory_keeps_what_was_computed(tmp_path: Path):
    with pytest.raises(fl.NumericalFailure, match=r"failed at t = 0\.5\d* s: KeyError.*what was computed is in"):
        fl.simulate(pushed(late(lambda: {}["wind"])), 1.0, 0.02, out=tmp_path / "a.run")
    with fl.open_result(tmp_path / "a.run") as data:
        assert data.sizes["time"] == 26 and float(data.time[-1]) == pytest.approx(0.5)


def with_stiffness(k: float):
    calls = 0

    def spring(t, motion, *, damping=0.5):
        nonlocal calls
        calls += 1
        return [-k * motion["b"][0][0] - damping * motion["b"][2][0], 0, 0, 0, 0, 0]

    return spring


def scaled(factor, t, motion):
    return [-factor * motion["b"][0][0], 0, 0, 0, 0, 0]


def test_a_function_made_with_another_constant_is_another_function():
    """A resumed run went on with the stiffness of another closure, and its audit passed."""
    assert code_hash(with_stiffness(7.0)) != code_hash(with_stiffness(8.0))
    assert code_hash(functools.partial(scaled, 7.0)) != code_hash(functools.partial(scaled, 8.0))
    same = with_stiffness(7.0)
    before = code_hash(same)
    same(0.0, {"b": (np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3))})
    assert code_hash(same) == before == code_hash(with_stiffness(7.0))  # what it counts is its memory
    assert code_hash(lambda t, motion, k=1: 0) != code_hash(lambda t, motion, k=2: 0)


def test_what_is_no_function_is_not_taken_for_a_changed_one(tmp_path: Path):
    where = tmp_path / "a.run"
    with pytest.raises(fl.NumericalFailure):
        fl.simulate(pushed(lambda t, motion: 1 / 0), 0.1, 0.02, out=where, progress=False)
    with pytest.raises(fl.InvalidInput, match="'push' must be a function; got 3"):
        fl.resume(where, functions={"push": 3})


@pytest.mark.parametrize("ask", [fl.equilibrium, fl.linearize])
def test_a_function_that_fails_where_rest_is_sought_is_named(ask):
    """And with it what it raised or gave, as in a run."""

    def raises(t, motion):
        raise KeyError("blade")

    def far(t, motion):
        return (np.sqrt(0.01 - motion["arm"][0][0] ** 2) - 20, 0, 0, 0, 0, 0)

    for function, said in (
        (raises, r"failed at t = 0 s: KeyError\('blade'\)"),
        (far, r"gave \(.*nan.*it must give six"),
    ):
        arm = fl.Body(2.0, (1, 0.3, 1), position=(0, 0, -1.5))
        pin = fl.Revolute("world", "arm", (0, 0, 0), (0, 1, 0), initial=0.0667)
        model = fl.Model("arm", {"arm": arm}, {"pin": pin}, {"push": fl.Force("arm", function=function)})
        with np.errstate(all="ignore"), pytest.raises(fl.NumericalFailure, match=f"function of load 'push' {said}"):
            ask(model)
