"""Joint coordinates by the articulated-body recursion, linear in the number of bodies."""
