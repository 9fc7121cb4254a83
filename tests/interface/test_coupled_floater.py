"""The example of a coupled floater: Morison's equation and the disc as programs in Python and in C, MoorDyn as one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.partners import protocol

ROOT = Path(__file__).parents[2]
FLOATER = ROOT / "examples" / "coupled_floater"
INCLUDE = Path(protocol.__file__).parent / "include"


def floater(**changes) -> fl.Model:
    return fl.load(FLOATER / "floater.yaml").with_({"run.duration": 2.0, **changes})


def at_once():
    """Return the run of the same floater with the same loads in one program, in finer steps."""
    model = floater(partners={}, **{"run.dt": 0.0125, "run.output_every": 16})
    loads = {
        "hydro": fl.load(FLOATER / "hull.yaml").loads["hydro"],
        "thrust": fl.RotorThrust(body="rotor", point=(-5, 0, 90), axis=(1, 0, 0), radius=63, ct=0.15),
    }
    changes = {f"loads.{name}": load for name, load in loads.items()}
    changes["environment.wind"] = {"type": "steady", "speed": 18.2, "height": 90}
    return fl.simulate(model.with_(changes), progress=False)


def test_the_example_is_the_floater_computed_at_once(tmp_path: Path):
    assert [problem for problem in fl.check(FLOATER / "floater.yaml") if problem.severity != "note"] == []
    data = fl.couple(floater(), out=tmp_path / "floater.run", folder=FLOATER, progress=False)
    assert fl.audit(data).passed, fl.audit(data).table()
    whole = at_once()
    x, exact = (one["position"].sel(body="tower").values for one in (data, whole))
    # The air holds for 0.2 s and comes a step late, extrapolated: second order in that.
    assert np.abs(x - exact).max() < 2e-3 * np.abs(exact - exact[0]).max()
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("NO C COMPILER: the disc in C was not tried")
    program = tmp_path / "actuator_disc"
    words = [
        "-O1",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-ffp-contract=off",
        f"-I{INCLUDE}",
        str(FLOATER / "actuator_disc.c"),
    ]
    subprocess.run([compiler, *words, "-o", str(program), "-lm"], check=True)
    in_c = floater(**{"partners.air.command": [str(program)]})
    data_c = fl.couple(in_c, out=tmp_path / "c.run", folder=FLOATER, progress=False)
    assert np.abs(data_c["position"].values - data["position"].values).max() < 1e-12


@pytest.mark.slow
def test_moordyn_in_a_process_of_its_own(tmp_path: Path):
    pytest.importorskip("moordyn", reason="MoorDyn is not installed: pip install 'fairlead[moordyn]'")
    model = fl.load(ROOT / "examples" / "spar_on_dynamic_lines.yaml").with_({"run.duration": 2.0})
    name, lines = next((name, load) for name, load in model.loads.items() if load.type == "moordyn")
    word = fl.Partner(body=lines.body, point=(0, 0, 0), command=("python", str(FLOATER / "mooring.py"), lines.file))
    coupled = model.with_({f"loads.{name}": None, "partners": {"mooring": word}})
    data = fl.couple(coupled, out=tmp_path / "m.run", folder=tmp_path, progress=False)
    own = fl.simulate(model, progress=False)
    x, exact = (one["position"].sel(body=lines.body).values for one in (data, own))
    moved = np.abs(exact - exact[0]).max()
    # Both step MoorDyn alike; forces are held at the points there and as one wrench here: the turn within a step.
    assert moved > 1e-3 and np.abs(x - exact).max() < 1e-3 * moved
