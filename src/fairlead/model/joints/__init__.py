"""Joints in words: their coordinates, axes and equations, and what kernels read of them."""
