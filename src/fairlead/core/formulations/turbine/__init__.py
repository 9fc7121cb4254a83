"""The thesis' own turbine models in two and three bodies."""
