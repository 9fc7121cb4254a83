"""No kernel reads or writes outside an array: with the compiler off here, by a build with checks in `make validate`.

The checked build compiles everything a second time, which takes minutes; with the compiler off the same kernels are
plain Python on NumPy arrays, which check every index, and a few small models need seconds. That would have found the
access that ended runs of euler-parameters with more than ten bodies in a segmentation fault.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl

ROOT = Path(__file__).parents[2]
NEEDS_MOORDYN = {"spar_on_dynamic_lines.yaml"}
FEW = ("four_bar_revolute", "spar_in_waves", "moored_buoy", "wind_shift")

PLANTED = """
import sys
import numpy as np
from typing import NamedTuple
from fairlead.core.arrays import rows
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.jit.by_symbol import by_symbol

RECORD = rows("k", f=(3,))

class Inner(NamedTuple):
    D: np.ndarray

class Scratch(NamedTuple):
    constraint: Inner
    rows: np.ndarray
    y: np.ndarray

@inlined
def of_matrix(i, W):
    W.constraint.D[i, 0] = 1.0

@kernel
def of_record(i, W):
    W.rows[0].f[i] = 1.0

@kernel
def of_rows(i, W):
    W.rows[i].k = 1

@kernel
def of_slice(i, W):
    return W.y[i:][2]

@kernel
def inside(way, i, W):
    if way == 0:
        of_matrix(i, W)
    elif way == 1:
        of_record(i, W)
    elif way == 2:
        of_rows(i, W)
    else:
        of_slice(i, W)
    return i

inside_by_symbol = by_symbol(inside)

@kernel
def planted(way, i, W):
    return inside_by_symbol(way, i, W)

W = Scratch(Inner(np.zeros((2, 1))), np.zeros(2, RECORD), np.zeros(5))
good = {0: (0, 1), 1: (0, 2), 2: (0, 1), 3: (0, 2)}
bad = {0: (2, -1, 10**6), 1: (3, -1), 2: (2, -1), 3: (3, 9)}
for way in range(4):
    for i in good[way]:
        assert planted(way, i, W) == i
    for i in bad[way]:
        try:
            planted(way, i, W)
        except IndexError as error:
            continue
        sys.exit(f"access {i} of kind {way} was not noticed")
print("all noticed")
"""


def python(*words, **variables):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), *sys.path])} | variables
    return subprocess.run([sys.executable, *words], env=environment, cwd=ROOT, capture_output=True, text=True)


def test_the_checked_build_notices_what_lies_outside(tmp_path):
    """Past either end of a matrix, a record's own vector, the records and a slice, in a kernel called by symbol.

    Compiled and then loaded from the cache, which is not that of the usual build.
    """
    script = tmp_path / "planted.py"
    script.write_text(PLANTED)
    for _ in range(2):
        done = python(str(script), FAIRLEAD_BOUNDS_CHECK="1", FAIRLEAD_CACHE_DIR=str(tmp_path))
        assert done.stdout.strip() == "all noticed", done.stderr
    assert [folder.name.endswith("-checked") for folder in (tmp_path / "fairlead").iterdir()] == [True]


def test_kernels_in_python_stay_inside_their_arrays():
    done = python("-m", "support.kernels_in_python", *(str(ROOT / "examples" / f"{name}.yaml") for name in FEW))
    assert done.returncode == 0 and "every index inside its array" in done.stdout, done.stderr


@pytest.mark.slow
def test_every_model_stays_inside_its_arrays():
    paths = [*(ROOT / "examples").glob("*.yaml"), *(ROOT / "models").glob("*.yaml")]
    done = python(
        "-m", "support.kernels_in_python", *(str(path) for path in sorted(paths) if path.name not in NEEDS_MOORDYN)
    )
    assert done.returncode == 0 and "every index inside its array" in done.stdout, done.stderr


@pytest.mark.parametrize("bodies", [10, 11, 14])
def test_euler_parameters_take_any_number_of_bodies(bodies):
    """Eq. 69 against Eq. 67 on a chain of links; from eleven bodies on it wrote into an empty matrix and crashed."""
    links = {f"link {i}": fl.Body(1.0, (0.1, 0.1, 0.1), position=(i + 0.5, 0, 0)) for i in range(bodies)}
    inboard = ["world", *links]
    joints = {f"pin {i}": fl.Revolute(inboard[i], name, (i, 0, 0), (0, 1, 0)) for i, name in enumerate(links)}
    model = fl.Model("chain", links, joints)
    options = {"duration": 0.1, "dt": 0.01, "formulation": "constrained"}
    found = fl.simulate(model, unknowns="euler-parameters", **options)
    expected = fl.simulate(model, **options)
    # The same motion by two sets of unknowns: both errors of rk4, of 1e-9 here, and rounding
    np.testing.assert_allclose(found.position, expected.position, atol=2e-8)
    assert fl.audit(found).passed
