"""Controllers in a model file: feedback, and the plan of those that are known beforehand."""
