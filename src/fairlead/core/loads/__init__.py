"""Loads on bodies. Each family writes its rows: force and moment about the mass centre, world axes."""
