"""Bladed-style libraries: what is found before a run, what is said when one fails, that it is called in order."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.model.controllers.discon import rosco_library
from fairlead.model.controllers.shared_library import wrong_with
from support.discon import COMPILER, NO_COMPILER, BaselineLaw, folder, library, through_the_array

pytestmark = pytest.mark.skipif(COMPILER is None, reason=NO_COMPILER)
H = 0.05


def rotor(**words):
    """A rotor with a constant torque from the wind, held back by the generator behind a gear of 97."""
    given = {
        "library": library(),
        "inputs": {"generator_speed": "97*spin.rate"},
        "input_file": str(folder() / "oc3.in"),
    }
    controllers = {"unit": fl.Discon(**{**given, "period": H, **words})}
    drive = fl.Actuator("4.6e6 - 97*unit.torque - 1e7*unit.pitch")
    spin = fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), rate=1.25, actuator=drive)
    bodies = {"disc": fl.Body(1e5, (3e7, 3e7, 4.37e7))}
    return fl.Model("rotor", bodies, {"spin": spin}, gravity=(0, 0, 0), controllers=controllers)


def run(model, duration=10.0, dt=0.05, **options):
    return fl.simulate(model, duration, dt, progress=False, formulation="articulated", **options)


def asking(number, **words):
    """Return the rotor whose library is asked to misbehave from 2 s on."""
    inputs = {"generator_speed": "97*spin.rate", "200": f"{number}*step(t, 1.97, 1.98)"}
    return rotor(inputs=inputs, **words)


def test_it_is_the_law_called_once_per_period():
    data = run(rotor())
    law, speed = BaselineLaw(period=float(np.float32(H))), 97 * data.joint_rate.values[:, 0]
    expected = [through_the_array(law, t, w) for t, w in zip(data.time.values, speed)]
    np.testing.assert_allclose(data.controller_output.values, expected, rtol=1e-6)  # single precision, and exp of libm
    assert np.ptp(expected, axis=0).min() > 1e-2 and fl.audit(data).passed


def assert_three_ways_agree(period):
    """In YAML's words, in Python and as a library, over 300 s through all regions: 1e-6 of the rotor's speed.

    The library's numbers are of single precision, 6e-8 of each; the law is one arithmetic written three times.
    """
    gust = fl.Actuator("4.6e6*(1 + 0.35*sin(0.05*t)) - 2e6*(spin.rate - 1.25) - 97*unit.torque - 1e7*unit.pitch")
    ways = {
        "words": fl.BaselineTurbine("97*spin.rate", "oc3", period=period),
        "python": fl.PythonController(BaselineLaw(period=period), ["97*spin.rate"], ["torque", "pitch"], period=period),
        "library": rotor(period=period).controllers["unit"],
    }
    model = rotor(period=period).with_({"joints.spin.actuator": gust})
    rates, pitch = {}, None
    for name, word in ways.items():
        one = fl.Model("rotor", model.bodies, model.joints, gravity=(0, 0, 0), controllers={"unit": word})
        data = run(one, 300.0, period, output_every=4)
        rates[name], pitch = data.joint_rate.values[:, 0], data.controller_output.sel(controller="unit.pitch").values
    assert np.ptp(rates["words"]) > 0.1 and pitch.min() == 0 and pitch.max() > 0.03
    for name in ("python", "library"):
        assert np.abs(rates[name] / rates["words"] - 1).max() < 1e-6, name


def test_the_same_law_three_ways():
    assert_three_ways_agree(0.1)


@pytest.mark.slow
def test_the_same_law_three_ways_at_the_period_of_the_turbine():
    assert_three_ways_agree(0.0125)


def test_two_instances_do_not_share_what_they_remember():
    """Static memory is one per process: the second speed is told to the second instance alone."""
    model = rotor().with_({"controllers.other": rotor(inputs={"generator_speed": 125}).controllers["unit"]})
    model = model.with_({"loads.idle": fl.Force("disc", moment=("0*other.torque", 0, 0))})
    data = run(model)
    alone = run(rotor())
    np.testing.assert_array_equal(data.controller_output.sel(controller="unit.pitch"), alone.controller_output[:, 1])


FAILURES = {
    "crash": (1, r"controller 'unit' \(libdiscon.so\) crashed \(SIGSEGV\)"),
    "nan": (2, r"controller 'unit' \(libdiscon.so\) gave nan in record 47 at t = 2 s"),
    "late": (3, r"controller 'unit' \(libdiscon.so\) took more than its 0.5 s to answer"),
    "failure": (4, r"controller 'unit' \(libdiscon.so\) said: the pitch bearing is stuck \(at t = 2 s\)"),
    "end": (6, r"controller 'unit' \(libdiscon.so\) ended its process \(exit code 3\): no licence was found"),
}


@pytest.mark.parametrize("what", FAILURES)
def test_one_that_fails_is_a_sentence_and_results_are_kept(what, tmp_path):
    number, said = FAILURES[what]
    began = time.monotonic()
    with pytest.raises(fl.NumericalFailure, match=said) as error:
        run(asking(number, time_limit=0.5), out=tmp_path / "x.run")
    assert error.value.exit_code == 4 and "t = 2 s" in str(error.value)
    assert time.monotonic() - began < 25  # the late one would sleep for 30 s
    kept = fl.open_result(tmp_path / "x.run")
    assert 1.9 < kept.time.values[-1] < 2.0 and np.isfinite(kept.controller_output.values).all()


def test_a_warning_of_the_library_does_not_stop_it():
    assert run(asking(5)).attrs["status"] == "complete"


def test_it_ends_with_the_run():
    before = threading.active_count()
    for _ in range(3):
        run(rotor(), 1.0)
    import gc

    gc.collect()
    listed = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "args="], capture_output=True, text=True).stdout
    assert "discon_worker" not in listed and threading.active_count() == before


def test_a_run_with_one_is_not_gone_back_with():
    simulation = fl.Simulation(rotor(), dt=0.05)
    simulation.step(3)
    state = simulation.state
    with pytest.raises(fl.errors.CheckpointUnusable if hasattr(fl, "errors") else Exception, match="is a library"):
        simulation.state = state


def broken(name, content):
    path = folder() / name
    path.write_bytes(content)
    return str(path)


def test_what_is_wrong_with_the_file_is_found_before_the_run(tmp_path):
    """Each by itself, by fl.check without loading anything, and by a run as exit code 3."""
    whole = Path(library()).read_bytes()
    other = bytearray(whole)
    other[18:20] = struct.pack("<H", 183 if other[18] == 62 else 62)
    (tmp_path / "a folder").mkdir()
    source = folder() / "other.c"
    source.write_text("void discon(void) {}\n")
    subprocess.run([COMPILER, "-shared", "-fPIC", "-o", folder() / "other.so", source], check=True)
    wrong = {
        "there is no file": str(tmp_path / "nothing.so"),
        "is a directory, not a regular file": str(tmp_path / "a folder"),
        "is no shared library": broken("text.so", b"hello"),
        "is a library for Windows": broken("windows.dll", b"MZ" + bytes(100)),
        "is a library for macOS": broken("mac.dylib", b"\xcf\xfa\xed\xfe" + bytes(100)),
        "is built for": broken("machine.so", bytes(other)),
        "is damaged": broken("cut.so", whole[:200]),
        "has no procedure 'DISCON'; it has 'discon', which can be given": str(folder() / "other.so"),
    }
    for said, path in wrong.items():
        model = rotor(library=path)
        (problem,) = fl.check(model)
        assert said in problem.message and problem.path == "controllers.unit.library", problem
        with pytest.raises(fl.InvalidInput, match=said.split(";")[0]):
            run(model)
    (problem,) = fl.check(rotor(input_file=str(tmp_path / "none.in")))
    assert problem.path == "controllers.unit.input_file" and "there is no file" in problem.message


def test_a_trial_call_is_made_before_anything_is_written(tmp_path):
    empty = folder() / "empty.in"
    empty.write_text("")
    with pytest.raises(
        fl.InvalidInput, match=r"said: cannot read kp and ki in '.*empty.in' \(in a trial call\)"
    ) as error:
        run(rotor(input_file=str(empty)), out=tmp_path / "x.run")
    assert error.value.exit_code == 3 and not (tmp_path / "x.run").exists()
    assert fl.check(rotor(input_file=str(empty))) == []  # which runs nothing


@pytest.mark.parametrize(
    "words, said",
    [
        ({"period": None}, "period: is required: the time between its calls"),
        ({"inputs": {"generator_sped": 1}}, "'generator_sped' is no record of the swap array; did you mean"),
        ({"inputs": {"2": 1}}, "record 2 is none that can be given"),
        ({"inputs": {"pitch": 0, "33": 1}}, "'pitch' and '33' both give record 33"),
        ({"output": ["torque", "speed"]}, "'speed' is no record of the swap array"),
    ],
)
def test_mistakes_have_sentences(words, said):
    with pytest.raises(fl.InvalidInput, match=said):
        rotor(**words)


def test_a_model_file_names_a_library_of_its_own_folder_alone(tmp_path):
    shutil.copy(library(), tmp_path / "libdiscon.so")
    shutil.copy(folder() / "oc3.in", tmp_path)
    model = rotor(library=str(tmp_path / "libdiscon.so"), input_file=str(tmp_path / "oc3.in"))
    fl.save(model, tmp_path / "rotor.yaml")
    assert run(fl.load(tmp_path / "rotor.yaml"), 1.0).attrs["status"] == "complete"
    fl.save(rotor(), tmp_path / "outside.yaml")
    with pytest.raises(fl.InvalidInput, match="lies outside the folder of the model"):
        fl.load(tmp_path / "outside.yaml")


def test_rosco_is_sought_where_python_has_it(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="pip install rosco"):
        monkeypatch.setattr(sys, "path", [])
        rosco_library()
    package = tmp_path / "rosco" / "lib"
    package.mkdir(parents=True)
    shutil.copy(library(), package / "libdiscon.so")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    import importlib

    importlib.invalidate_caches()
    assert rosco_library() == str(package / "libdiscon.so")
    assert wrong_with(rosco_library(), "DISCON") == ""


@pytest.mark.slow
def test_rosco_holds_a_rotor_at_its_rated_speed():
    """ROSCO's own library and input file: above rated, gusts leave the speed within 5 %, with the blades pitched."""
    rosco = pytest.importorskip("rosco", reason="ROSCO is not installed: pip install 'fairlead[rosco]'")
    input_file = Path(next(iter(rosco.__path__))).parent / "Examples" / "Test_Cases" / "NREL-5MW" / "DISCON.IN"
    rated = 12.1 * np.pi / 30
    inputs = {"generator_speed": "97*spin.rate", "rotor_speed": "spin.rate", "wind_speed": 14, "pitch": "unit.pitch"}
    inputs |= {"generator_torque": "unit.torque", "power": "0.944*97*spin.rate*unit.torque"}
    gust = fl.Actuator("4.9e6*(1 + 0.05*sin(0.1*t)) - 4e6*(spin.rate - 1.27) - 97*unit.torque - 1.2e7*unit.pitch")
    model = rotor(library="rosco", input_file=str(input_file), inputs=inputs, period=0.025)
    data = run(model.with_({"joints.spin.actuator": gust}), 200.0, 0.025, output_every=8)
    settled = data.sel(time=slice(100, None))
    assert np.abs(settled.joint_rate.values / rated - 1).max() < 0.05
    assert settled.controller_output.sel(controller="unit.pitch").values.min() > 0.01
    assert fl.audit(data).passed
