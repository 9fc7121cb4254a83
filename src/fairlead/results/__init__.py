"""The record of a run as a Dataset, and what reads it: variables, audit, comparison."""
