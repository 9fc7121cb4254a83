"""The waves, lines and springs of a scene: the components and ends from which the page draws them as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.model.schema import Model

LEAST = 1e-5  # of the largest amplitude: smaller components cannot be seen


def sea_of(model: Model | None, attributes: Any) -> dict[str, Any] | None:
    """Return depth, ramp and wave components of a model in water; None without an environment of water."""
    from fairlead.model.environment.compile_sea import water_of

    wet = model is not None and any("water" in load.needs for load in model.loads.values())
    if model is None or model.environment is None:
        return None
    if not wet and not model.environment.waves and not any(hasattr(one, "seabed") for one in model.loads.values()):
        return None
    if model.gravity[0] or model.gravity[1] or not model.gravity[2] < 0:
        return None
    water, fields, waves = water_of(model)
    found = []
    for row, one in zip(fields, waves):
        seen = one.amplitude > LEAST * max(float(one.amplitude.max(initial=0.0)), 1e-300)
        parts = {name: [float(f"{value:.7g}") for value in values[seen]] for name, values in one._asdict().items()}
        found.append({"cos": float(row["cos"]), "sin": float(row["sin"]), **parts})
    depth = float(water["depth"][0])
    ramp = float(attributes.get("ramp", 0.0) or 0.0)
    return {"fields": found, "depth": depth if np.isfinite(depth) else None, "ramp": ramp}


def lines_of(model: Model | None, data: Any) -> list[dict[str, Any]]:
    """Return lines and springs with both ends in body axes (body -1 is the world) and the row of their force."""
    if model is None:
        return []
    from fairlead.model.joints.geometry import rotation_of

    names = [str(name) for name in data["body"].values]
    rows = [str(name) for name in data["load"].values] if "load" in data.coords else []

    def end(body: str | None, point: Any) -> dict[str, Any]:
        if body is None or body not in names:
            return {"body": -1, "point": [float(part) for part in point]}
        word = model.bodies[body]
        own = rotation_of(word).T @ (np.array(point) - np.array(word.position))
        return {"body": names.index(body), "point": own.tolist()}

    found = []
    loads: dict[str, Any] = dict(model.loads)
    for name, load in loads.items():
        kind = getattr(load, "type", "")
        if kind not in ("catenary", "taut-line", "spring") or load.body not in names:
            continue
        other = getattr(load, "other", None)
        far = load.anchor if other in (None, "world") else load.other_point
        row = name if name in rows else f"{name}@{load.body}"
        line: dict[str, Any] = {
            "name": name,
            "a": end(load.body, load.point),
            "b": end(None if other == "world" else other, far),
        }
        line["load"] = rows.index(row) if row in rows else -1
        if kind == "catenary":
            line |= {"kind": "catenary", "length": load.length, "EA": load.EA, "weight": load.weight}
            line["seabed"] = load.seabed
        else:
            rope = kind == "taut-line" or load.tension_only
            line["kind"] = "straight" if rope else "coil"
        found.append(line)
    return found
