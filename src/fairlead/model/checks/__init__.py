"""Rules that hold for a model as a whole, and how everything that takes a model has it checked."""
