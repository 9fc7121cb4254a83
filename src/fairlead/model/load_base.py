"""What every load has: the body it acts on."""

from __future__ import annotations

from fairlead.model.words import Name, Word


class Load(Word):
    """Base of loads. Points are drawn in the world at t = 0 and move with their body.

    body: body that the load acts on
    """

    body: Name

    def on_bodies(self) -> tuple[str, ...]:
        """Return the bodies this load acts on."""
        other = getattr(self, "other", None)
        return (self.body,) if other in (None, "world") else (self.body, other)
