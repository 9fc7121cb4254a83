"""The command, as tests of the interface have it."""

from interface.conftest import fairlead, two_bodies

__all__ = ["fairlead", "two_bodies"]
