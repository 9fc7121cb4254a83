"""Time histories of a page in the groups an engineer would look for, with statistics and spectra of each curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput
from fairlead.results.channels.channels import channels
from fairlead.results.summaries.moments import moments
from fairlead.results.summaries.spectra import FEWEST, even_part, welch
from fairlead.results.transient import discarded
from fairlead.view.page.buffers import Buffers, kept_instants
from fairlead.view.panels import balance

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]
INSTANTS = 2400  # kept of a panel, extremes among them
BODIES, JOINTS = 12, 24  # shown one by one; of more, the first so many
LINES = 8  # in one panel
TAIL = 1e-4  # of the variance, above which frequencies are not shown
IN_DEGREES = {"rad": "deg", "rad/s": "deg/s", "rad/s2": "deg/s2"}
XYZ = ("x", "y", "z")


@dataclass
class Curve:
    """One curve: what it is called, its values in the panel's unit, OpenFAST's name for it, and the run it is of."""

    label: str
    values: Array
    openfast: str = ""
    run: int = 0


@dataclass
class Group:
    """Curves over one time axis in one unit."""

    section: str
    title: str
    unit: str
    curves: list[Curve] = field(default_factory=list)


def histories(data: xr.Dataset) -> list[Group]:
    """Return the groups of curves of a result, without those that never leave zero."""
    found = [*_of_machine(data), *_of_joints(data), *_of_forces(data), *_of_bodies(data), *_of_system(data)]
    return [group for group in found if group.curves]


def _of_machine(data: xr.Dataset) -> Iterator[Group]:
    """Give platform, sea, rotor, tower and lines of what is a floating machine; nothing of others."""
    afloat = any(name in data.variables for name in ("wave_elevation", "thrust")) or _lines_in(data)
    if not afloat:
        return
    try:
        found = channels(data)
    except InvalidInput:
        try:
            found = channels(data, tower_top=False, spin=False, blades=False)
        except InvalidInput:
            return
    groups = [
        ("Platform", "Displacement", ["surge", "sway", "heave"]),
        ("Platform", "Attitude", ["roll", "pitch", "yaw"]),
        ("Platform", "Velocity", ["surge_velocity", "sway_velocity", "heave_velocity"]),
        ("Platform", "Rates of the angles", ["roll_rate", "pitch_rate", "yaw_rate"]),
        ("Platform", "Acceleration", ["surge_acceleration", "sway_acceleration", "heave_acceleration"]),
        ("Sea and wind", "Waves at the origin", ["wave_elevation"]),
        ("Sea and wind", "Wind at the rotor", ["hub_wind", "relative_wind"]),
        ("Rotor", "Thrust", ["thrust", "shaft_thrust"]),
        ("Rotor", "Torque", ["shaft_torque"]),
        ("Rotor", "Power", ["power"]),
        ("Rotor", "Speed", ["rotor_speed"]),
        ("Rotor", "Nacelle yaw", ["nacelle_yaw"]),
        ("Lines", "Tension at the fairleads", [str(n) for n in found if str(n).startswith("line_")]),
        ("Tower top", "Force", [f"tower_top_force_{axis}" for axis in XYZ]),
        ("Tower top", "Moment", [f"tower_top_moment_{axis}" for axis in XYZ]),
    ]
    for number in range(1, 10):
        if f"blade_{number}_root_moment_x" in found:
            groups.append(("Blade roots", f"Force, blade {number}", [f"blade_{number}_root_force_{a}" for a in XYZ]))
            groups.append(("Blade roots", f"Moment, blade {number}", [f"blade_{number}_root_moment_{a}" for a in XYZ]))
    for section, title, names in groups:
        rows = [found[name] for name in names if name in found and np.any(found[name].values)]
        if rows:
            group = Group(section, title, str(rows[0].attrs["units"]))
            for row in rows:
                label = str(row.name).replace("_", " ").removesuffix(" tension")
                group.curves.append(Curve(label, row.values, str(row.attrs.get("openfast_name", ""))))
            yield in_degrees(group)


def _lines_in(data: xr.Dataset) -> bool:
    return "tension" in data.variables and bool(np.isfinite(data["tension"].values).any())


def in_degrees(group: Group) -> Group:
    """Return a group of angles in degrees; others as they are."""
    if group.unit in IN_DEGREES:
        group.unit = IN_DEGREES[group.unit]
        for curve in group.curves:
            curve.values = np.degrees(curve.values)
    return group


def _of_joints(data: xr.Dataset) -> Iterator[Group]:
    """Give the coordinates of joints, angles and lengths apart, and their rates and drivers."""
    if not data.sizes.get("coordinate"):
        return
    kinds = data["coordinate_kind"].values.astype(str)
    labels = [str(label) for label in data["coordinate"].values]
    words = (
        ("joint_position", "Coordinates", ("rad", "m")),
        ("joint_rate", "Rates", ("rad/s", "m/s")),
        ("driver_force", "Drivers and actuators", ("N m", "N")),
    )
    for name, title, units in words:
        if name not in data.variables:
            continue
        values = data[name].values
        for kind, unit in zip(("angle", "length"), units):
            rows = [i for i in range(len(labels)) if kinds[i] == kind and np.ptp(values[:, i]) > 0]
            shown = rows[:JOINTS]
            for start in range(0, len(shown), LINES):
                group = Group("Joints", title + (" (angles)" if kind == "angle" else " (lengths)"), unit)
                group.curves = [Curve(labels[i], values[:, i]) for i in shown[start : start + LINES]]
                yield in_degrees(group)
    if "controller_output" in data.variables:
        for row, label in list(enumerate(data["controller"].values))[:JOINTS]:
            unit = "SI"
            yield Group(
                "Control", f"Output of {label}", unit, [Curve(str(label), data["controller_output"].values[:, row])]
            )


def _of_forces(data: xr.Dataset) -> Iterator[Group]:
    """Give reactions of joints and the forces of loads."""
    if data.sizes.get("joint") and "joint_force" in data.variables:
        for row, name in list(enumerate(data["joint"].values))[:JOINTS]:
            for variable, what, unit in (("joint_force", "Force", "N"), ("joint_moment", "Moment", "N m")):
                values = data[variable].values[:, row]
                if _seen(values, data[variable].values):
                    curves = [Curve(axis, values[:, i]) for i, axis in enumerate(XYZ)]
                    yield Group(
                        "Reactions", f"{what} through {name}, on {data['joint_child'].values[row]}", unit, curves
                    )
    if data.sizes.get("load") and "load_force" in data.variables:
        for variable, what, unit in (
            ("load_force", "Force", "N"),
            ("load_moment", "Moment about the mass centre", "N m"),
        ):
            for row, name in list(enumerate(data["load"].values))[:JOINTS]:
                values = data[variable].values[:, row]
                if _seen(values, data[variable].values):
                    yield Group("Loads", f"{what}: {name}", unit, [Curve(a, values[:, i]) for i, a in enumerate(XYZ)])


def _seen(values: Array, all_values: Array) -> bool:
    """Return whether values stand out from the rounding of the largest of their kind."""
    largest = np.nanmax(np.abs(all_values), initial=0.0)
    return bool(np.nanmax(np.abs(values), initial=0.0) > 1e-9 * largest)


def _of_bodies(data: xr.Dataset) -> Iterator[Group]:
    words = (
        ("position", "Mass centre", "m"),
        ("velocity", "Velocity", "m/s"),
        ("euler123", "Attitude (1-2-3 angles)", "rad"),
        ("angular_velocity", "Angular velocity (body axes)", "rad/s"),
    )
    for row, body in list(enumerate(data["body"].values))[:BODIES]:
        for name, title, unit in words:
            if name in data.variables and np.ptp(data[name].values[:, row], axis=0).max() > 0:
                values = data[name].values[:, row]
                if name == "euler123":
                    values = np.unwrap(values, axis=0)
                labels = ("about 1", "about 2", "about 3") if name == "euler123" else XYZ
                curves = [Curve(label, values[:, i]) for i, label in enumerate(labels)]
                yield in_degrees(Group("Bodies", f"{title}: {body}", unit, curves))


def _of_system(data: xr.Dataset) -> Iterator[Group]:
    if "kinetic_energy" in data.variables and "potential_energy" in data.variables:
        panel = balance(data)
        yield Group("System", panel.title, panel.unit, [Curve(line.label, line.values) for line in panel.lines])
    for name, title, unit in (
        ("momentum", "Momentum", "kg m/s"),
        ("angular_momentum", "Angular momentum about the mass centre", "kg m2/s"),
    ):
        if name in data.variables and np.any(data[name].values):
            curves = [Curve(axis, data[name].values[:, i]) for i, axis in enumerate(XYZ)]
            yield Group("System", title, unit, curves)
    if "position_violation" in data.variables and np.any(data["position_violation"].values):
        curves = [Curve("violation", data["position_violation"].values)]
        yield Group("System", "Largest violation of a constraint", "m or 1", curves)


def overlaid(groups: list[Group], time: Array, others: list[xr.Dataset]) -> list[Group]:
    """Return groups with the curves of the same names of other runs beside theirs, at the times of the first run."""
    for number, other in enumerate(others, start=1):
        there = {(group.section, group.title): group for group in histories(other)}
        for group in groups:
            same = there.get((group.section, group.title))
            if same is None or same.unit != group.unit:
                continue
            own = [curve.label for curve in group.curves if curve.run == 0]
            for curve in same.curves:
                if curve.label in own:
                    values = np.interp(time, other["time"].values, curve.values, left=np.nan, right=np.nan)
                    group.curves.append(Curve(curve.label, values, curve.openfast, number))
    return groups


def panel_of(group: Group, time: Array, settled: float, buffers: Buffers) -> dict[str, Any]:
    """Return a group as a panel of the page: the instants that are kept, statistics of all, and spectra."""
    kept = kept_instants([curve.values for curve in group.curves], INSTANTS)
    counted = time >= settled if settled <= time[-1] else np.ones(len(time), dtype=bool)
    panel: dict[str, Any] = {
        "section": group.section,
        "title": group.title,
        "unit": group.unit,
        "time": buffers.add(time[kept], "<f8"),
        "kept": len(kept),
        "of": len(time),
        "curves": [],
    }
    spectra = _spectra(group, time[counted], counted)
    if spectra is not None:
        panel["frequency"] = buffers.add(spectra[0])
    for number, curve in enumerate(group.curves):
        one: dict[str, Any] = {"label": curve.label, "openfast": curve.openfast, "run": curve.run}
        one["values"] = buffers.offset(curve.values[kept])
        one["statistics"] = _statistics(time[counted], curve.values[counted])
        if spectra is not None:
            one["density"] = buffers.add(spectra[1][number])
        panel["curves"].append(one)
    return panel


def settled_time(data: xr.Dataset) -> float:
    """Return the time from which statistics count."""
    return float(discarded(data)) + float(data["time"][0])


def _statistics(time: Array, values: Array) -> list[float | None]:
    """Return mean, deviation, lowest and highest, None where there is no finite number."""
    found = moments(time, values)
    picked = [float(found[name]) for name in ("mean", "std", "min", "max")]
    return [one if np.isfinite(one) else None for one in picked]


def _spectra(group: Group, time: Array, counted: Any) -> tuple[Array, list[Array]] | None:
    """Return frequencies and the spectral density of every curve, as far as there is anything to see."""
    index = even_part(time) if len(time) >= 8 * FEWEST else None
    if index is None:
        return None
    found = []
    frequency = np.zeros(0)
    for curve in group.curves:
        values = curve.values[counted][index]
        if not np.all(np.isfinite(values)):
            values = np.nan_to_num(values - np.nanmean(values)) if np.isfinite(values).any() else np.zeros(len(values))
        frequency, density = welch(time[index], values, None)
        found.append(density)
    total = np.sum([np.cumsum(one) / max(float(one.sum()), 1e-300) for one in found], axis=0) / len(found)
    last = int(np.searchsorted(total, 1 - TAIL)) + 2
    last = max(last, min(len(frequency), 16))
    return frequency[:last], [one[:last] for one in found]
