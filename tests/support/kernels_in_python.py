"""Small models with the compiler off, every index checked: `python -m support.kernels_in_python [MODEL ...]`.

NumPy checks indices; those below zero, which count from the end, are refused as well: -1 is our number for "none".
Kernels read fields of records as attributes, which record arrays (`np.recarray`) have.
"""

from __future__ import annotations

import os

os.environ["NUMBA_DISABLE_JIT"] = "1"  # before numba is imported

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import fairlead as fl
from fairlead.core import work as core_work
from fairlead.model import compile as model_compile

CORE = str(Path(core_work.__file__).parent)
COUNTED_FROM_THE_END = ("lowest",)  # in kernels, as a literal: lowest[-1]


def refuse_below_zero(index: Any) -> None:
    """Raise IndexError if a kernel counts from the end."""
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, int | np.integer) and part < 0:
            caller = sys._getframe(2).f_code.co_filename
            if caller.startswith(CORE) and not caller.endswith("work.py"):
                raise IndexError(f"index {part} is below zero")


class Plain(np.ndarray):
    """An array in which kernels cannot count from the end."""

    def __getitem__(self, index: Any) -> Any:
        refuse_below_zero(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        refuse_below_zero(index)
        super().__setitem__(index, value)


class Records(np.recarray):
    """The same of records."""

    def __getitem__(self, index: Any) -> Any:
        refuse_below_zero(index)
        return super().__getitem__(index)


def checked(whole: Any) -> Any:
    """Return a NamedTuple of arrays with its arrays replaced by those that check."""
    found = {}
    for name, value in whole._asdict().items():
        if hasattr(value, "_asdict"):
            found[name] = checked(value)
        elif isinstance(value, np.ndarray) and name not in COUNTED_FROM_THE_END:
            found[name] = value.view(Records if value.dtype.names else Plain)
    return whole._replace(**found)


def check_everything() -> None:
    """Let all that is compiled and all scratch be made of arrays that check, from here on."""
    new_work, compile_model = core_work.new_work, model_compile.compile_model

    def compiled(*given: Any, **named: Any) -> Any:
        found = compile_model(*given, **named)
        found.arrays = checked(found.arrays)
        return found

    core_work.new_work = lambda *given, **named: checked(new_work(*given, **named))
    model_compile.compile_model = compiled


def chain(bodies: int) -> fl.Model:
    """Return a chain of links on the world."""
    links = {f"link {i}": fl.Body(1.0, (0.1, 0.1, 0.1), position=(i + 0.5, 0, 0)) for i in range(bodies)}
    inboard = ["world", *links]
    joints = {f"pin {i}": fl.Revolute(inboard[i], name, (i, 0, 0), (0, 1, 0)) for i, name in enumerate(links)}
    return fl.Model("chain", links, joints)


def run(model: fl.Model, formulation: str, steps: int = 1, **options: Any) -> None:
    """Record the start of a model and take steps."""
    from fairlead.running.simulation import Simulation

    dt = 0.001
    simulation = Simulation(model, dt * max(steps, 1), dt, formulation=formulation, **options)
    simulation.advance()
    if steps:
        simulation.advance(steps)


def run_chains() -> None:
    """Run chains in every way, also with more bodies than are assembled by partitioning."""
    for formulation in ("cloud", "articulated", "kane"):
        run(chain(2), formulation)
    for closing in ("projection", "partition", "partition-every-step"):
        for unknowns in ("omega", "euler-parameters"):
            run(chain(2), "constrained", closing=closing, unknowns=unknowns)
    for unknowns in ("omega", "euler-parameters"):
        run(chain(11), "constrained", 0, unknowns=unknowns)
    for integrator in ("symplectic-euler", "rk45", "dop853"):
        run(chain(2), "articulated", integrator=integrator)


def run_files(paths: list[Path]) -> int:
    """Record the start of the models in files in every formulation that takes them; return how many there were."""
    from fairlead.running.formulations.table import FORMULATIONS

    count = 0
    for path in paths:
        model = fl.load(path)
        for name in (name for name, formulation in FORMULATIONS.items() if not formulation.accepts(model)):
            run(model, name, 0)
            count += 1
    return count


def main() -> None:
    """Run chains and the models in the files given."""
    warnings.simplefilter("ignore")  # NumPy warns where kernels give inf or nan
    check_everything()
    run_chains()
    count = run_files([Path(name) for name in sys.argv[1:]])
    print(f"{count} pairs of a model and a formulation: every index inside its array")


if __name__ == "__main__":
    main()
