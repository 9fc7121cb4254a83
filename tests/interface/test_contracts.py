"""What modules may import: no module leads back to itself, and the audit needs neither model nor compiler."""

from __future__ import annotations

import subprocess
import sys

import grimp
import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

INDEPENDENT = ("numba", "pydantic", "fairlead.model", "fairlead.core", "fairlead.running")


def cycles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of two or more modules that import one another, directly or through others."""
    names = sorted(imports)
    number = {name: row for row, name in enumerate(names)}
    pairs = [(number[name], number[other]) for name in names for other in imports[name]]
    rows, columns = np.array(pairs, dtype=int).reshape(-1, 2).T
    graph = csr_matrix((np.ones(len(pairs)), (rows, columns)), shape=(len(names), len(names)))
    count, group = connected_components(graph, connection="strong")
    groups = [[name for name in names if group[number[name]] == which] for which in range(count)]
    return [found for found in groups if len(found) > 1]


def test_cycles_are_found():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [["b", "c"]]


def test_no_module_imports_its_own_importers():
    """Imports inside functions count; those that only a type checker follows do not."""
    graph = grimp.build_graph("fairlead", exclude_type_checking_imports=True, cache_dir=None)
    found = cycles({name: graph.find_modules_directly_imported_by(name) for name in graph.modules})
    assert found == []


@pytest.mark.parametrize("module", ["fairlead.auditing.audit", "fairlead.inverse_dynamics.internal_loads"])
def test_questions_to_a_motion_load_nothing_that_made_it(module: str):
    code = f"import sys, {module}; print([name for name in {INDEPENDENT!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
