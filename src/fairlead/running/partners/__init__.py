"""Loads that another program computes, advanced once per step."""
