"""The public names to type checkers, editors and at the prompt: the stub, completion, and near misses."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fairlead as fl
import make_stub

ROOT = Path(__file__).parents[2]
STUB = ROOT / "src" / "fairlead" / "__init__.pyi"
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"```python\n(.*?)```", re.S)
# Of other packages only the names count here; following them takes most of the time.
CONFIG = """
[mypy]
strict = true
ignore_missing_imports = true
[mypy-xarray.*,pandas.*,scipy.*,matplotlib.*,plotly.*,numba.*,h5py.*,pint.*,rich.*,fairlead.core.*]
follow_imports = skip
[mypy-fairlead.*]
follow_imports = silent
[mypy-pages.*]
allow_untyped_defs = true
allow_untyped_calls = true
disallow_untyped_decorators = false
"""
TAKEN = """
import numpy as np

import fairlead as fl

body = fl.Body(mass="3 kg", inertia=(1, 1, 1))
twice: float = body.mass * 2
fl.Rate("1 deg/s")
spin = fl.Wheel((0, 0, 1), 0.1, "1200 rpm")
fl.Body(np.float32(3), np.eye(3), [0, "1 m", 2], {"euler123": (0, 0, "90 deg")}, wheels=[spin])
fl.Body(mass=1, inertia={"xx": 1, "yy": 1, "zz": "2 kg m**2"}, geometry={"type": "box", "size": (1, "20 cm", 3)})
fl.Body(2, (1, 1, 1), geometry=[fl.Sphere("2 m"), {"type": "sphere", "diameter": 1}])
fl.Blade(((0, 0, 0), (0, 0, 9)), 0.5, (0, 1, 0))
fl.Revolute("a", "b", (0, 0, 0), (0, 0, 1), motion={"angle": fl.Rate(1)}, locked=False)
fl.Revolute(parent="a", child="b", point=(0, 0, 0), axis=(0, 0, 1), spring=3, limits=("-1 deg", "1 deg"))
fl.Ground("world", "a")
fl.Ground(child="a")
fl.Stop(upper=1, stiffness="3 N/m")
fl.Force("a", force=("sin(t)", 0, fl.Table([0, 1], [0, 1])))
fl.Matrix("a", (0, 0, 0), stiffness=np.eye(6), damping=(1, 2, 3, 4, 5, 6))
fl.Morison("a", [(-10, 3), (5, "3 m")], ca=1, cd=0.6)
fl.RotorThrust("a", (0, 0, 0), (1, 0, 0), 63, ct=0.8, cp=fl.OfCt(0.7), torque={"power": "5 MW", "speed": "12 rpm"})
fl.Environment(wind=fl.KaimalWind(12, "B", 4), waves=fl.Jonswap("5 m", 10))
bodies = {"a": body}
model = fl.Model("one", bodies, run={"duration": "3 s", "audit": {"tolerance": 1e-5}})
other: fl.Model = model.with_({"bodies.a.mass": 4})
masses: list[float] = [one.mass for one in other.bodies.values()]
"""
REFUSED = {
    "fl.Modle": 'no attribute "Modle"',
    "fl.Body(masss=3, inertia=(1, 1, 1))": 'Unexpected keyword argument "masss"',
    "fl.Body(mass=None, inertia=(1, 1, 1))": 'Argument "mass"',
    "fl.Body(mass=3, inertia=(1, 1, 1)).mass = 4": "read-only",
    "fl.Body(mass=3, inertia=(1, 1, 1)).mas": 'no attribute "mas"',
    "fl.Run(duration=3, integrator='rk5')": 'Argument "integrator"',
    "fl.Revolute(child='b')": 'Missing positional argument "parent"',
    "fl.Model('a', {'b': 3})": "incompatible type",
    "fl.simulate(3)": 'Argument 1 to "simulate"',
}


@pytest.fixture(scope="module")
def verdict(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> list[str]:
    """Return what mypy says of users' scripts and of every Python block of the docs, asked once."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "mypy.ini").write_text(CONFIG)
    (folder / "taken.py").write_text(TAKEN)
    (folder / "readme.py").write_text(BLOCK.findall((ROOT / "README.md").read_text())[0])
    (folder / "refused.py").write_text("import fairlead as fl\n" + "".join(f"{line}\n" for line in REFUSED))
    (folder / "pages").mkdir()
    (folder / "pages" / "__init__.py").touch()
    for page in PAGES:
        for number, text in enumerate(BLOCK.findall(page.read_text())):
            (folder / "pages" / f"{page.stem}_{number}.py").write_text(text)
    kept = getattr(pytestconfig, "cache", None)  # none with -p no:cacheprovider
    cache = kept.mkdir("mypy") if kept else folder / "cache"
    told = ["--config-file", "mypy.ini", "--cache-dir", str(cache), "taken.py", "readme.py", "refused.py", "pages"]
    here = os.environ | {"MYPYPATH": str(Path(fl.__file__).parents[1])}  # the package that is tested, not another one
    run = subprocess.run([sys.executable, "-m", "mypy", *told], cwd=folder, env=here, capture_output=True, text=True)
    assert run.returncode == 1 and not run.stderr, run.stdout + run.stderr
    return [line for line in run.stdout.splitlines() if ": error:" in line]


def test_mypy_accepts_what_constructors_take_and_every_block_of_the_docs(verdict: list[str]):
    assert [line for line in verdict if not line.startswith("refused.py")] == []
    exec(compile(TAKEN, "taken", "exec"), {})  # what the stub allows, the constructors do take


def test_mypy_finds_each_mistake(verdict: list[str]):
    found = [line for line in verdict if line.startswith("refused.py")]
    for number, (line, message) in enumerate(REFUSED.items(), start=2):
        assert any(one.startswith(f"refused.py:{number}:") and message in one for one in found), (line, found)
    assert len(found) == len(REFUSED)


def test_stub_is_current():
    assert STUB.read_text(encoding="utf-8") == make_stub.text(), "the public words changed: run `make stub`"


def test_stub_and_lazy_table_have_the_same_names():
    names = set()
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname for alias in node.names if alias.asname}  # `import x as x` exports x
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
    assert {name for name in names if not name.startswith("_")} == set(fl.__all__)


def test_dir_is_complete_and_a_near_miss_is_offered():
    assert {*fl.__all__, "__version__"} <= set(dir(fl))
    with pytest.raises(AttributeError, match=r"no attribute 'Modle'; did you mean 'Model'\?"):
        fl.Modle  # noqa: B018
    with pytest.raises(AttributeError, match=r"did you mean 'simulate'\?"):
        fl.Simulat  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'xyzzy'$"):
        fl.xyzzy  # noqa: B018


def test_completion_lists_fields_and_methods_and_no_machinery():
    body = fl.Body(mass=1, inertia=(1, 1, 1))
    assert set(dir(body)) == set(fl.Body.model_fields)
    assert "with_" in dir(fl.Model) and not [name for name in dir(fl.Model) if name.startswith("model_")]


def test_signatures_say_order_and_defaults():
    shown = str(inspect.signature(fl.Body))
    assert shown.startswith("(mass, inertia, position=(0.0, 0.0, 0.0), orientation=None")
    assert str(inspect.signature(fl.Revolute)).startswith("(parent, child, point=None, axis=None, motion={}")
    assert str(inspect.signature(fl.Ground)).startswith("(*, parent='world', child, point=None")
