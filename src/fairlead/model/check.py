"""Every problem of a model at once, from a file or from Python."""

from __future__ import annotations

import os
from pathlib import Path

from fairlead.errors import Problem
from fairlead.model import check_formulas, check_inertia, check_topology, check_wind
from fairlead.model.check_sea import passed_over, sea_findings
from fairlead.model.parts import Finding, Parts
from fairlead.model.schema import Model

# Each looks at the parts of a model that could be read; a new check is a new row.
CHECKS = (
    check_topology.names,
    check_topology.references,
    check_topology.ends,
    check_inertia.inertias,
    check_inertia.motions,
    check_inertia.plausibility,
    check_topology.islands,
    check_topology.velocities,
    check_formulas.formulas,
    check_formulas.starts,
    sea_findings,
    passed_over,
    check_wind.rotors,
    check_wind.passed_over,
    check_wind.controlled,
)


def check(model: Model | str | os.PathLike[str]) -> list[Problem]:
    """Return every problem of a model or a model file, none if all is well; a bad file is a problem, not an error."""
    if not isinstance(model, str | os.PathLike):
        from fairlead.model.checked import examined  # as below

        return [Problem(one.message, shown(one.path), severity=one.severity) for one in examined(model)[1]]
    from fairlead.model.load import is_urdf

    if is_urdf(Path(model)):
        from fairlead.model.urdf import read_urdf

        return read_urdf(model)[1]
    from fairlead.model.read_yaml import read_yaml  # it runs the checks of this module on the file's parts

    return read_yaml(model)[1]


def findings(parts: Parts) -> list[Finding]:
    """Return what the checks find in the parts of a model."""
    return [found for one in CHECKS for found in one(parts)]


def shown(path: tuple[str | int, ...]) -> str:
    """Return a path as it is written in messages, such as `bodies.tower.mass`."""
    return ".".join(str(part) for part in path)
