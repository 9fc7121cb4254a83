"""Numba kernels: symbols, tuples and arrays. Imports nothing but numpy, numba, math and fairlead.errors."""
