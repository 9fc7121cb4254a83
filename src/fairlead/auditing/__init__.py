"""Momentum and energy of any trajectory, checked without knowing how it was computed."""
