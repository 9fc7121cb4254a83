"""What every load has: the body it acts on."""

from __future__ import annotations

from fairlead.model.fields import Name, Word


class Load(Word):
    """Base of loads."""

    body: Name

    def on_bodies(self) -> tuple[str, ...]:
        """Return the bodies this load acts on."""
        other = getattr(self, "other", None)
        return (self.body,) if other in (None, "world") else (self.body, other)
