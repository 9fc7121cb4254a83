"""Words: the model as frozen data, its files, its checks, and its translation into arrays."""
