"""The words that `run` chooses from, once: read by the schema, by the command line's help and by the tests."""

from __future__ import annotations

FORMULATIONS = ("auto", "cloud", "kane", "articulated", "constrained", "two-body-313", "two-body", "three-body")
INTEGRATORS = ("rk4", "symplectic-euler", "rk45", "dop853", "generalised-alpha")
ROTATIONS = ("quaternion", "euler123")
UNKNOWNS = ("omega", "euler-parameters")
CLOSINGS = ("auto", "projection", "partition", "partition-every-step")
STARTS = ("drawing", "equilibrium")  # and from Python and the command line a result
