"""Sea and wind in words, and the tables that kernels read of them."""
