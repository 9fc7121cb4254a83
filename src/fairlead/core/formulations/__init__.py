"""Formulations: siblings behind initial, rhs, drift, project and observe. They do not import one another."""
