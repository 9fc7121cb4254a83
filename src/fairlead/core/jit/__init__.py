"""How kernels are compiled, linked and called: the only files that touch numba's internals."""
