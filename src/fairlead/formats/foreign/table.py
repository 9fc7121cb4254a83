"""A foreign table as a Dataset the audit understands: the four procedures of the Momentum tests.

`kind` names what positions and velocities are measured from and in which axes they are written:

    absolute           inertial positions and velocities                          procedure 2
    mass-centre        from the system's mass centre, inertial axes               procedure 1
    base-mass-centre   from the system's mass centre, axes of the base body       procedure 3
    base-joint         from joint 1, axes of the base body                        procedure 4

In the last three the table may also hold R and Rdot (`mass_centre`); without them linear momentum cannot be tested.
Velocities are inertial rates written in those axes, as the document has them: C_1 r' and not (C_1 r)'.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.formats.foreign.angles import printed_turn, read_quaternion
from fairlead.formats.foreign.body import Base, read_body
from fairlead.formats.foreign.columns import Table, read_map, refuse_unknown
from fairlead.formats.foreign.joints import read_joints
from fairlead.numeric import rotation_matrix

if TYPE_CHECKING:
    import xarray as xr

KINDS = ("absolute", "mass-centre", "base-mass-centre", "base-joint")
TOP = (
    "kind",
    "time",
    "gravity",
    "base",
    "base_orientation",
    "mass_centre",
    "bodies",
    "joints",
    "reported",
    "loads",
    "work",
    "energy",
)
LOAD = {"force": (3, "N"), "moment": (3, "N*m"), "work": (1, "J")}
LOAD_DIMS = ("time", "load", "xyz")


def read_table(source: Any, columns: Mapping[str, Any] | str | Path) -> xr.Dataset:
    """Return the Dataset of a table (CSV, NetCDF or Dataset of columns) as the column map describes it."""
    import xarray as xr

    plan, table = read_map(columns), Table(source)
    kind = _kind(table, plan)
    time = table.take(plan["time"], 1, "s", "time")[:, 0]
    _refuse_time(table, time)
    base = _base(table, plan, kind)
    bodies = {
        str(name): read_body(table, given, f"bodies.{name}", kind, base) for name, given in plan["bodies"].items()
    }
    names = list(bodies)
    loads, labels = _loads(table, plan, names)
    variables = _constant(bodies) | _motion(bodies) | loads
    variables["gravity"] = "xyz", table.numbers(plan.get("gravity", [0.0, 0.0, 0.0]), "m/s2", "gravity")
    if kind != "absolute":
        variables |= _placed(table, plan, variables)
    variables |= _reported(table, plan)
    joints, joint_labels = read_joints(table, plan, names, variables)
    variables |= joints
    attrs = {"kind": kind, "source": table.name} | ({"energy": str(plan["energy"])} if "energy" in plan else {})
    if kind != "absolute" and "mass_centre" not in plan:
        attrs["frame"] = "mass-centre"
    instants = ("time", time, {"resolution": _printed_time(table, plan, time)})
    coords: dict[str, Any] = {"time": instants, "body": names, "xyz": list("xyz"), "wxyz": list("wxyz")}
    return xr.Dataset(variables, coords=coords | labels | joint_labels, attrs=attrs)


def _kind(table: Table, plan: Mapping[str, Any]) -> str:
    refuse_unknown(table, plan, TOP, "")
    kind = plan.get("kind", "absolute")
    if kind not in KINDS:
        raise table.wrong(f"kind must be one of {', '.join(KINDS)}, got {kind!r}.", path="kind")
    if "time" not in plan or not isinstance(plan.get("bodies"), Mapping) or not plan["bodies"]:
        raise table.wrong("the column map needs `time` and at least one entry in `bodies`.")
    if plan.get("energy", "conserved") != "conserved":
        raise table.wrong(
            "energy can only be `conserved` (nothing inside does work); leave it out otherwise.", path="energy"
        )
    return str(kind)


def _refuse_time(table: Table, time: np.ndarray) -> None:
    steps = np.diff(time)
    if not np.all(steps > 0):
        row = int(np.argmax(~(steps > 0))) + 2
        line = table.lines[row - 1] if hasattr(table, "lines") else 0
        raise table.wrong(
            f"time does not grow at row {row}: {time[row - 2]:.9g} s then {time[row - 1]:.9g} s.", line=line
        )


def _printed_time(table: Table, plan: Mapping[str, Any], time: np.ndarray) -> float:
    """Return half the last printed digit of time; 0 where the steps are even as printed, so that none was cut off."""
    steps = np.diff(time)
    if np.ptp(steps[:-1]) <= 1e-6 * steps.mean():
        return 0.0
    return table.resolution(plan["time"], "s", "time")


def _base(table: Table, plan: Mapping[str, Any], kind: str) -> Base | None:
    """Return C_1, base axes to inertial axes, for the kinds that are written in base axes."""
    if "base_orientation" in plan:
        return _axes(table, plan["base_orientation"], "base_orientation")
    base = plan.get("base")
    if base is None and not kind.startswith("base-"):
        return None
    base = next(iter(plan["bodies"])) if base is None else base
    orientation = plan["bodies"].get(base, {}).get("orientation")
    if orientation is None:
        message = f"kind '{kind}' needs the orientation of the base body '{base}' (or `base_orientation`)."
        raise table.wrong(message, path="base")
    return _axes(table, orientation, f"bodies.{base}.orientation")


def _axes(table: Table, given: Any, path: str) -> Base:
    return Base(rotation_matrix(read_quaternion(table, given, path)), printed_turn(table, given, path))


def _constant(bodies: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return mass, inertia and wheels of all bodies; per row as soon as one body has them per row."""
    found: dict[str, Any] = {"mass": ("body", np.array([body["mass"] for body in bodies.values()]))}
    found["attitude_known"] = "body", np.array([int(body["known"]) for body in bodies.values()])
    rows = len(next(iter(bodies.values()))["position"])
    for name, key, dims in (("inertia", "inertia", ("xyz", "column")), ("wheel_momentum", "wheels", ("xyz",))):
        parts = [body[key] for body in bodies.values()]
        if any(part.ndim > len(dims) for part in parts):
            wide = [part if part.ndim > len(dims) else np.broadcast_to(part, (rows, *part.shape)) for part in parts]
            found[name] = ("time", "body", *dims), np.stack(wide, axis=1), _printed(bodies, key)
        else:
            found[name] = ("body", *dims), np.stack(parts)
    return found


def _motion(bodies: dict[str, dict[str, Any]]) -> dict[str, Any]:
    names = ["position", "velocity", "orientation", "angular_velocity"]
    names += ["acceleration"] if all("acceleration" in body for body in bodies.values()) else []
    last = {"orientation": "wxyz"}
    return {
        name: (
            ("time", "body", last.get(name, "xyz")),
            np.stack([body[name] for body in bodies.values()], axis=1),
            _printed(bodies, name),
        )
        for name in names
    }


def _printed(bodies: dict[str, dict[str, Any]], word: str) -> dict[str, float]:
    """Return the attribute that says how finely a variable was printed, in SI."""
    return {"resolution": max(body["resolution"].get(word, 0.0) for body in bodies.values())}


def _placed(table: Table, plan: Mapping[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
    """Return r = r^ + R and r' = r^' + Rdot from the origin, and R and Rdot as the table has them."""
    r, v, m = variables["position"][1], variables["velocity"][1], variables["mass"][1]
    if plan.get("kind") == "base-joint":
        # c = sum m r / M is taken off first                                   (Momentum tests, procedure 4)
        r, v = (part - np.einsum("b,tbx->tx", m, part)[:, None] / m.sum() for part in (r, v))
    R, Rdot, fine = np.zeros((len(r), 3)), np.zeros((len(r), 3)), [0.0, 0.0]
    if "mass_centre" in plan:
        refuse_unknown(table, plan["mass_centre"], ("position", "velocity"), "mass_centre")
        R = table.take(plan["mass_centre"].get("position"), 3, "m", "mass_centre.position")
        Rdot = table.take(plan["mass_centre"].get("velocity"), 3, "m/s", "mass_centre.velocity")
        fine = [table.resolution(plan["mass_centre"][n], u, n) for n, u in (("position", "m"), ("velocity", "m/s"))]
    return {
        "position": (("time", "body", "xyz"), r + R[:, None], _sum(variables["position"][2], fine[0])),
        "velocity": (("time", "body", "xyz"), v + Rdot[:, None], _sum(variables["velocity"][2], fine[1])),
        "mass_centre_position": (("time", "xyz"), R),
        "mass_centre_velocity": (("time", "xyz"), Rdot),
    }


def _sum(printed: dict[str, float], more: float) -> dict[str, float]:
    return {"resolution": printed["resolution"] + more}


def _reported(table: Table, plan: Mapping[str, Any]) -> dict[str, Any]:
    """Return the momentum and energy that the table's own program reports."""
    units = {"momentum": "kg*m/s", "angular_momentum": "kg*m**2/s", "kinetic_energy": "J", "potential_energy": "J"}
    given = plan.get("reported", {})
    refuse_unknown(table, given, tuple(units), "reported")
    found: dict[str, Any] = {}
    for name, spec in given.items():
        count = 3 if name.endswith("momentum") else 1
        values = table.take(spec, count, units[name], f"reported.{name}")
        fine = {"resolution": table.resolution(spec, units[name], f"reported.{name}")}
        found[name] = (("time", "xyz"), values, fine) if count == 3 else (("time",), values[:, 0], fine)
    return found


def _loads(table: Table, plan: Mapping[str, Any], bodies: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return external loads (force and moment at the mass centre, inertial axes) and the works of anything else."""
    given = plan.get("loads", {})
    refuse_unknown(table, given, tuple(given) if isinstance(given, Mapping) else (), "loads")
    found: dict[str, list[np.ndarray]] = {word: [] for word in LOAD}
    fine = dict.fromkeys(LOAD, 0.0)
    on = []
    for name, spec in given.items():
        path = f"loads.{name}"
        refuse_unknown(table, spec, ("body", *LOAD), path)
        if spec.get("body") not in bodies:
            raise table.wrong(f"body {spec.get('body')!r} is none of {', '.join(bodies)}.", path=path)
        on.append(spec["body"])
        for word, (count, unit) in LOAD.items():
            if word in spec:
                found[word].append(table.take(spec[word], count, unit, f"{path}.{word}"))
                fine[word] = max(fine[word], table.resolution(spec[word], unit, f"{path}.{word}"))
            elif word != "work":
                found[word].append(np.zeros((table.rows, count)))
    variables: dict[str, Any] = {}
    for word in ("force", "moment"):
        if on:
            variables[f"load_{word}"] = LOAD_DIMS, np.stack(found[word], axis=1), {"resolution": fine[word]}
    if on and len(found["work"]) == len(on):
        variables["load_work"] = LOAD_DIMS[:2], np.hstack(found["work"]), {"resolution": fine["work"]}
    works = plan.get("work")
    if works is not None:
        names = [works] if isinstance(works, str) else works["columns"] if isinstance(works, Mapping) else works
        variables["driver_work"] = (
            ("time", "coordinate"),
            table.take(works, len(names), "J", "work"),
            {"resolution": table.resolution(works, "J", "work")},
        )
    labels = {"load": list(given), "load_body": ("load", on), "load_internal": ("load", [0] * len(on))} if on else {}
    return variables, labels
