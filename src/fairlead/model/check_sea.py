"""What can be wrong with the sea of a model."""

from __future__ import annotations

from typing import Any

from fairlead.model.parts import Finding
from fairlead.model.sea_loads import SeaLoad


def sea_findings(parts: Any) -> list[Finding]:
    """Return what is wrong with the sea of a model: loads without water, gravity that is not downwards."""
    environment, gravity = parts.environment, getattr(parts, "gravity", None)
    dry = getattr(parts, "dry", environment is None)
    found = []
    for name, load in parts.loads.items():
        if isinstance(load, SeaLoad) and dry:
            message = "needs water around it; give the model an environment, for instance environment: {depth: 320}"
            found.append(Finding(("loads", name), message))
    wet = environment is not None and any(isinstance(load, SeaLoad) for load in parts.loads.values())
    if wet and gravity is not None and (gravity[0] or gravity[1] or not gravity[2] < 0):
        found.append(Finding(("gravity",), "must point along -z where there is water; its surface is z = 0"))
    if environment is not None and environment.current and environment.current.exponent and environment.depth is None:
        message = "a current that changes with depth needs the depth; give environment.depth"
        found.append(Finding(("environment", "current"), message))
    return found
