"""The equations of motion at one instant, written out: matrices and vectors under names in words."""
