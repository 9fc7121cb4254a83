"""Write truncated_spar.yaml and the family of Table I from geometry and hydrostatic equilibrium; print the tables.

    python models/make_family.py            writes the model files beside this script, prints the tables
    python models/make_family.py --check    prints the tables, says whether the files are what it would write
    python models/make_family.py --runs     prints lean and power of the family in conditions of the Dissertation

The tables stand in docs/validation/family.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from family_hulls import OC3, SPAR, TABLE_I, Design, G, family, left_over, truncated_spar
from family_text import model_text

import fairlead as fl

HERE = Path(__file__).parent
CONDITIONS = ((17.0, 5.0, 12.0), (20.0, 9.0, 13.0), (25.0, 14.0, 15.0))  # wind, Hs, Tp: section III.E.2


def texts() -> dict[str, str]:
    hulls, wall, density = family()
    printed, _ = truncated_spar(wall, density)
    named = {f"family_{cylinder}": hull for cylinder, hull in hulls.items()}
    return {name: model_text(name, hull, wall, density) for name, hull in {"truncated_spar": printed, **named}.items()}


def row(
    name: str, hulls: list[Design], value: Callable[[Design], float], form: str, printed: list | None = None
) -> str:
    """One line of the table: computed (printed)."""
    cells = []
    for hull, given in zip(hulls, printed or [""] * len(hulls)):
        beside = "" if given == "" else " (unknown)" if given is None else f" ({given:{form}})"
        cells.append(f"{value(hull):{form}}{beside}")
    return "| " + " | ".join([name, *cells]) + " |"


def tables() -> str:
    """Markdown: what is computed beside what is printed."""
    family_of, wall, density = family()
    hulls = [*family_of.values(), truncated_spar(wall, density)[1]]
    table = [*TABLE_I.values(), (84.4, *TABLE_I[72][1:])]
    print_of = ["", "", "", ""]
    oc3_only = ["", "", ""]
    left = {round(hull.cylinder, 1): left_over(hull.cylinder, 1e3 * t[3]) / 1e3 for hull, t in zip(hulls, table)}
    lines = [
        f"Wall {wall * 1e3:.1f} mm, ballast {density:.0f} kg/m3.\n",
        "| computed (printed) | " + " | ".join(f"`family_{c}`" for c in family_of) + " | truncated spar, 72.4 m |",
        "| --- | --- | --- | --- | --- | --- |",
        row("draft [m]", hulls, lambda h: h.draft, ".4g", [t[0] for t in table]),
        row("displaced volume [m3]", hulls, lambda h: h.volume, ",.0f", [*oc3_only, 8030, 5560]),
        row("hull steel [t]", hulls, lambda h: h.steel.mass / 1e3, ",.0f", [t[1] for t in table]),
        row("ballast [t]", hulls, lambda h: h.ballast.mass / 1e3, ",.0f", [t[2] for t in table]),
        row("platform [t]", hulls, lambda h: h.platform.mass / 1e3, ",.0f", [t[3] for t in table]),
        row("vertical pull of the lines [kN]", hulls, lambda h: h.pull / 1e3, ".0f"),
        row("pull that Table I's platform would leave [kN]", hulls, lambda h: left[round(h.cylinder, 1)], ".0f"),
        row("pretension of each line [kN]", hulls, lambda h: h.pretension / 1e3, ".0f"),
        row("height of the ballast [m]", hulls, lambda h: 2 * (h.ballast.centre + h.draft), ".1f"),
        row("centre of buoyancy, z [m]", hulls, lambda h: h.buoyancy_centre, ".2f"),
        row("platform: mass centre, z [m]", hulls, lambda h: h.platform.centre, ".2f", [*oc3_only, OC3["centre"], ""]),
        row("platform: tilt inertia [kg m2]", hulls, lambda h: h.platform.tilt, ".3g", [*oc3_only, OC3["tilt"], ""]),
        row("platform: yaw inertia [kg m2]", hulls, lambda h: h.platform.yaw, ".3g", [*oc3_only, OC3["yaw"], ""]),
        row("with tower: mass centre, z [m]", hulls, lambda h: h.tower.centre, ".2f", [*print_of, SPAR["centre"]]),
        row("with tower: tilt inertia [kg m2]", hulls, lambda h: h.tower.tilt, ".3g", [*print_of, SPAR["tilt"]]),
        row("with tower: yaw inertia [kg m2]", hulls, lambda h: h.tower.yaw, ".3g", [*print_of, SPAR["yaw"]]),
        row("all: mass centre, z [m]", hulls, lambda h: h.gravity_centre, ".2f"),
        row("all: metacentric height, without lines [m]", hulls, lambda h: h.metacentric_height, ".2f"),
    ]
    return "\n".join(lines)


def balance(model: fl.Model) -> float:
    """Net vertical force over the weight at rest in still water without wind."""
    environment = model.environment.model_copy(update={"waves": fl.StillWater(), "wind": fl.SteadyWind(speed=0)})
    data = fl.accelerations(model.model_copy(update={"environment": environment}))
    return float((data["mass"] * data["acceleration"].sel(xyz="z")).sum()) / (float(data["mass"].sum()) * G)


def in_condition(path: Path, condition: tuple[float, float, float], fixed: bool) -> tuple[float, float, float]:
    """Mean and deviation of the lean [deg] and mean power [MW] over an hour of mean wind, Hs and Tp."""
    speed, height, period = condition
    model = fl.load(path)
    wind = fl.KaimalWind(speed=speed, turbulence="B", seed=1, duration=3600, height=90, exponent=0.14)
    environment = model.environment.model_copy(update={"wind": wind, "waves": fl.Jonswap(height, period, seed=1)})
    rotor = model.loads["thrust"]
    if fixed:
        rotor = rotor.model_copy(update={"ct": float(np.interp(speed, rotor.ct.speeds, rotor.ct.values))})
    loads = {**model.loads, "thrust": rotor}
    data = fl.simulate(model.model_copy(update={"environment": environment, "loads": loads}), duration=3600)
    data = data.sel(time=data["time"] > 200)  # the start from upright left out
    lean = np.degrees(data["euler123"].sel(body="tower").values[:, 1])
    return lean.mean(), lean.std(), float(data["power"].sel(load="thrust").mean()) / 1e6


def runs() -> None:
    """Print the family in three of the four conditions of section III.E.2 (those with the rotor at its rating)."""
    for condition in CONDITIONS:
        for cylinder in TABLE_I:
            path = HERE / f"family_{cylinder}.yaml"
            results = [in_condition(path, condition, fixed) for fixed in (False, True)]
            cells = [f"{mean:.1f}, {deviation:.2f}, {power:.2f}" for mean, deviation, power in results]
            print(f"| {condition[0]:g} m/s | {cylinder} m | {cells[0]} | {cells[1]} |", flush=True)


def main() -> None:
    if "--runs" in sys.argv:
        return runs()
    print(tables(), "\n")
    for name, text in texts().items():
        path = HERE / f"{name}.yaml"
        if "--check" in sys.argv:
            print(f"{path.name}: {'as written' if path.exists() and path.read_text() == text else 'differs'}")
            continue
        path.write_text(text)
        for problem in fl.check(path):
            print(problem)
        print(f"{path.name}: net vertical force {balance(fl.load(path)):.1e} of the weight")


if __name__ == "__main__":
    main()
