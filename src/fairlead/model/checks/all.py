"""Every problem of a model at once, from a file or from Python."""

from __future__ import annotations

from fairlead.model.checks import controllers as check_controllers
from fairlead.model.checks import events as check_events
from fairlead.model.checks import formulas as check_formulas
from fairlead.model.checks import inertia as check_inertia
from fairlead.model.checks import partners as check_partners
from fairlead.model.checks import relations as check_relations
from fairlead.model.checks import topology as check_topology
from fairlead.model.checks import wind as check_wind
from fairlead.model.checks.environment import environment_findings, passed_over
from fairlead.model.checks.partial_model import Finding, PartialModel

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
    environment_findings,
    passed_over,
    check_wind.controlled,
    check_controllers.feedback,
    check_events.events,
    check_partners.partners,
    check_relations.relations,
)


def findings(parts: PartialModel) -> list[Finding]:
    """Return the findings of all checks in the parts of a model."""
    return [found for one in CHECKS for found in one(parts)]


def shown(path: tuple[str | int, ...]) -> str:
    """Return a path as it is written in messages, such as `bodies.tower.mass`."""
    return ".".join(str(part) for part in path)
