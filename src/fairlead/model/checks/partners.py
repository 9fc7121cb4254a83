"""Checks of partners: their bodies, their names, and how they go together."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.checks.partial_model import GROUPS, Finding, PartialModel
from fairlead.model.messages import nearest


def partners(parts: PartialModel) -> Iterator[Finding]:
    """Find partners of bodies that do not exist, with names that are taken, and steps that do not go together."""
    taken = {name.casefold(): group for group in GROUPS for name in parts.names[group]}
    for name, partner in parts.partners.items():
        if group := taken.get(name.casefold()):
            yield Finding(("partners", name), f"'{name}' is already the name of a {GROUPS[group]}; choose another name")
        if partner.body not in parts.names["bodies"]:
            close = nearest(partner.body, parts.names["bodies"], most=3, cutoff=0.0)
            hint = f"; the nearest names are {', '.join(close)}" if close else ""
            yield Finding(("partners", name, "body"), f"no body is called '{partner.body}'{hint}")
        if partner.added_mass is not None and any(
            partner.added_mass[i][j] != partner.added_mass[j][i] for i in range(6) for j in range(i)
        ):
            yield Finding(("partners", name, "added_mass"), "must be symmetric")
    within = {name: partner.every for name, partner in parts.partners.items() if partner.iterate is not None}
    for name, every in within.items():
        if every != next(iter(within.values())):
            first = next(iter(within))
            yield Finding(
                ("partners", name, "every"),
                f"partners iterate together, so 'every' must be {within[first]} as of '{first}'; got {every}",
            )
    for name, partner in parts.partners.items():
        if partner.exchanges > 1 and within:
            yield Finding(
                ("partners", name, "exchanges"),
                f"two exchanges in a step do not go with 'iterate' of partner '{next(iter(within))}'; take one of them",
            )
