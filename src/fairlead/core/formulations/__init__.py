"""Formulations: siblings with the functions `running/formulations/base.py` names; they do not import one another."""
