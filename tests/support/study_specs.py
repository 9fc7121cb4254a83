"""Small studies for tests: a cube on a spring, whose runs last milliseconds, and a buoy in irregular waves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import fairlead as fl

ROOT = Path(__file__).parents[2]
CUBE = str(ROOT / "examples" / "mass_on_spring.yaml")
Z = "position:cube:z"


def cubes(**words: Any) -> dict[str, Any]:
    """Return a study of the cube on its spring with three masses and two stiffnesses."""
    given = {
        "fairlead_study": 1,
        "model": CUBE,
        "vary": {
            "mass": {"path": "bodies.cube.mass", "values": [50, 60, "70 kg"]},
            "loads.spring.stiffness": [8e3, 1e4],
        },
        "run": {"duration": "0.3 s", "dt": 0.001},
        "statistics": {Z: ["mean", "std", "min"]},
    }
    return given | words


def buoy() -> fl.Model:
    """Return a buoy in irregular waves and turbulent wind."""
    return fl.Model(
        name="buoy",
        bodies={"buoy": fl.Body(mass=2.0e6, inertia=(4e8, 4e8, 6e7), position=(0, 0, -16))},
        loads={
            "buoyancy": fl.Buoyancy("buoy", sections=[(-30, 9.1), (8, 9.1)]),
            "waves": fl.Morison("buoy", sections=[(-30, 9.1), (8, 9.1)], ca=1, cd=0.8),
            "moorings": fl.Matrix(
                "buoy", (0, 0, -20), stiffness=(4e4, 4e4, 0, 0, 0, 2e7), damping=(5e4,) * 3 + (1e7,) * 3
            ),
        },
        environment=fl.Environment(depth=200, waves=fl.Jonswap(height=3, period=9, seed=1)),
        run=fl.Run(duration=60, dt=0.1),
    )


def seas(**words: Any) -> dict[str, Any]:
    """Return a study of the buoy in two seas, with two strategies (drag) that meet the same waves, and two seeds."""
    given = {
        "fairlead_study": 1,
        "model": buoy(),
        "vary": {
            "sea": {"paired": {"environment.waves.height": [2, 4], "environment.waves.period": [8, 10]}},
            "drag": {"path": "loads.waves.cd", "values": [0.6, 1.0]},
        },
        "realisations": 2,
        "run": {"duration": "60 s", "dt": "0.1 s", "discard": "10 s"},
        "statistics": {"surge": ["mean", "std"], "wave_elevation": ["std"]},
    }
    return given | words
