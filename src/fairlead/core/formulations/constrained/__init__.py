"""Absolute coordinates with constraint equations."""
