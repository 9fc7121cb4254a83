"""Controllers in a model file, and the plan of those that are known beforehand."""
