"""The exchange with partners: the works it reports are those of its loads and motions, and iterated ones close."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.auditing.check import FAIL, PASS, Check

ADVICE = "The exchange of '{name}' does not belong to this record, or was changed; run it anew."


def exchange_checks(data: Any, tolerance: float) -> list[Check]:
    """Return the checks of every partner that a result has exchanged with."""
    if "exchange_partner" not in data.variables:
        return []
    whose = data["exchange_partner"].values.astype(str)
    closed = str(data.attrs.get("partners_iterated", "")).split("; ")
    found = []
    for name in dict.fromkeys(whose.tolist()):
        table = {
            str(one).removeprefix("exchange_"): data[one].values[whose == name]
            for one in data.variables
            if str(one).startswith("exchange_") and one != "exchange_partner"
        }
        found.append(_reported(data, name, table, tolerance))
        if name in closed:
            found.append(_closes(name, table, tolerance))
    return found


def partner_works(table: dict[str, Any]) -> Any:
    """Return the work of a partner's loads in each interval, by the trapezoidal rule over its loads and our motion."""
    moved = np.diff(table["position"], axis=0)
    turns = turns_between(table["orientation"])
    force, moment = (0.5 * (table[one][1:] + table[one][:-1]) for one in ("force", "moment"))
    return np.einsum("ti,ti->t", force, moved) + np.einsum("ti,ti->t", moment, turns)


def turns_between(q: Any) -> Any:
    """Return the rotation vectors, world axes, between attitudes (unit quaternions, scalar first, body to world)."""
    w0, v0, w1, v1 = q[:-1, :1], q[:-1, 1:], q[1:, :1], q[1:, 1:]
    w = w1 * w0 + np.sum(v1 * v0, axis=1, keepdims=True)  # of q1 times the inverse of q0
    v = w0 * v1 - w1 * v0 - np.cross(v1, v0)
    v, w = np.where(w < 0, -v, v), np.abs(w)
    size = np.linalg.norm(v, axis=1, keepdims=True)
    return np.where(size < 1e-12, 2.0 * v, v * 2.0 * np.arctan2(size, w) / np.where(size < 1e-12, 1.0, size))


def _reported(data: Any, name: str, table: dict[str, Any], tolerance: float) -> Check:
    works = partner_works(table)
    gross = max(float(np.abs(works).sum()), float(np.abs(np.diff(table["our_work"])).sum()), 1e-300)
    off = [np.zeros(1), np.concatenate([[0.0], np.cumsum(works)]) - table["partner_work"]]
    off.append(table["our_work"] - table["partner_work"] - table["interface_energy"])
    rows = [row for row, label in enumerate(data["load"].values) if str(label).split("@")[0] == name]
    recorded, time = data["load_work"].values[:, rows].sum(axis=1), data["time"].values
    at = np.searchsorted(time, table["time"])
    same = (at < len(time)) & (time[np.minimum(at, len(time) - 1)] == table["time"])
    off.append(table["our_work"][same] - recorded[at[same]])
    value = max(float(np.abs(one).max()) for one in off if one.size) / gross
    title = f"exchange with '{name}' is the one reported"
    status = PASS if value <= tolerance else FAIL
    sentence = f"{title}: its works are those of its loads and motion to {value:.2e} of {gross:.4g} J."
    return Check(title, status, value, tolerance, gross, "J", sentence, advice=ADVICE.format(name=name))


def _closes(name: str, table: dict[str, Any], tolerance: float) -> Check:
    gross = max(float(np.abs(np.diff(table["partner_work"])).sum()), 1e-300)
    value = float(np.abs(table["interface_energy"]).max()) / gross
    title = f"energy of the interface of '{name}' closes"
    status = PASS if value <= tolerance else FAIL
    sentence = f"{title}: the coupling created {value:.2e} of the {gross:.4g} J exchanged."
    advice = f"Lower partners.{name}.iterate.tolerance."
    return Check(title, status, value, tolerance, gross, "J", sentence, advice=advice)
