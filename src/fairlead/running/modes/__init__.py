"""Small motions about a state: matrices of the linearised model, its natural periods and mode shapes."""
