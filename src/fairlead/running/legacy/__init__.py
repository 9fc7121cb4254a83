"""Runs of legacy `mbdm` cases, with the files and messages they expect."""
