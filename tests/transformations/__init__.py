"""Transformations of a model with a known effect on the answer, and the harness that sends every model through them."""
