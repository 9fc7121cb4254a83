"""Formulas as small stack programs."""
