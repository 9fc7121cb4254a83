"""Fairlead."""
