"""Faults that are known: (model, transformation, formulation) -> id and reason. Each must still fail, else it goes."""

from __future__ import annotations

from itertools import product

LOOPS = ("cloud", "articulated", "constrained")

# A floating machine to which a loop is added starts otherwise: the assembly closes its equations by moving, turning or
# setting in motion the base too that is drawn at rest, instead of placing the tree from its base to start from.
MOVED_BASE = "L2, the assembly of a floating machine with a loop does not keep the base as it is drawn"
# A linkage on a driven ground starts at rest in the world, not relative to its ground as joints without `rate` should.
AT_REST = "L3, a loop on a driven ground does not start at rest relative to it"
REACTIONS = "L5, beside redundant equations reactions that are unique are off by 1e-6 of their size"

ROWS = (
    *product(
        ("six_body_free", "six_body_restoring", "six_body_restoring_from_zero"), ("copy a joint",), LOOPS, (MOVED_BASE,)
    ),
    *product(("thesis_truncated_spar_free_vibration", "turbine_yaw_drive"), ("copy a joint",), LOOPS, (MOVED_BASE,)),
    *product(("forest of eight",), ("copy a joint",), LOOPS[:2], (MOVED_BASE,)),
    *product(("andrews",), ("spin the base",), LOOPS, (AT_REST,)),
    ("oc3_hywind", "copy a joint", "constrained", REACTIONS),
)
KNOWN: dict[tuple[str, str, str], str] = {row[:3]: row[3] for row in ROWS}
