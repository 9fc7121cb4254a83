"""Constraint equations between bodies: rows, their sparse factors, reactions."""
