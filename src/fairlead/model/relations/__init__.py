"""Relations between joint coordinates in a model file: words, derivatives of their formulas, rows of equations."""
