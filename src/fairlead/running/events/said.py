"""The words for an event that happened."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from fairlead.model.events import Event
from fairlead.model.schema import Model
from fairlead.running.events.situation import coordinates_of
from fairlead.units import short

UNITS = {"angle": ("rad", "N m s"), "length": ("m", "N s")}


def said(
    event: Event,
    model: Model,
    places: Mapping[str, float],
    impulse: Mapping[str, float],
    kinds: Mapping[str, str],
    energies: Sequence[float],
    off: Collection[str],
) -> str:
    """Return what an event did: `places` are the joint coordinates, `impulse` what locks took, energies in J.

    `off` are the loads that were not there before it.
    """
    parts = []
    for given in event.release:
        labels = coordinates_of(given, model)
        parts += [f"released {label} at {places[label]:.6g} {UNITS[kinds[label]][0]}" for label in labels]
        parts += [] if labels else [_cut(given, off)]
    for given in event.lock:
        for label in coordinates_of(given, model):
            unit, push = UNITS[kinds[label]]
            blow = f" with {impulse[label]:.6g} {push}" if label in impulse else ""
            parts.append(f"locked {label} at {places[label]:.6g} {unit}{blow}")
    parts += [_cut(load, off) for load in event.cut]
    parts += [f"added {load}{'' if load in off else ', which was there already'}" for load in event.add]
    parts += [f"set {path} to {short(value)}" for path, value in event.set.items()]
    parts += ["stopped the run"] if event.stop else []
    lost = energies[0] - energies[1]
    if impulse:
        parts.append(f"{abs(lost):.6g} J {'lost' if lost >= 0 else 'put in'}")
    return ", ".join(parts)


def _cut(load: str, off: Collection[str]) -> str:
    return f"cut {load}{', which was not there' if load in off else ''}"
