"""Loads in words: what a file says of each kind, and what kernels read of it."""
