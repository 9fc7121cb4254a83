"""Rotors that know their speed and pitch: thrust and torque from coefficients over tip-speed ratio and blade pitch."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from fairlead.errors import InvalidInput
from fairlead.model.controllers.base import Signal, channels_of
from fairlead.model.fields import Axis, Length, Position
from fairlead.model.files import FilePath
from fairlead.model.loads.base import Load
from fairlead.model.loads.rotor import RotorThrust
from fairlead.model.loads.rotor_curves import Array, read_grid
from fairlead.record import Variable

if TYPE_CHECKING:
    from fairlead.model.loads.compile import LoadRows


class Rotor(Load):
    """Thrust 1/2 rho pi R^2 C_T V |V| and torque 1/2 rho pi R^3 C_Q V^2 at `point`, V the relative wind along `axis`.

    The coefficients are looked up at the tip-speed ratio, speed R / |V|, and at the blade pitch. Outside of the table
    its edge holds, and the result says so.

    point: the rotor's apex, where thrust and torque act
    axis: the shaft as drawn, pointing downwind; it turns with the body
    radius: radius of the rotor
    coefficients: file of a full grid with the columns tip_speed_ratio, pitch_deg, ct and cq, or cp for cp / ratio
    speed: rotor speed: a channel such as spin.rate, or a formula [rad/s]
    pitch: collective blade pitch: a channel such as baseline.pitch, a formula or a number [rad]
    interpolation: between the rows of the table: linear in both directions, or a cubic spline
    """

    type: Literal["rotor"] = "rotor"
    point: Position
    axis: Axis
    radius: Annotated[Length, Field(gt=0)]
    coefficients: FilePath
    speed: Signal
    pitch: Signal = 0.0
    interpolation: Literal["linear", "cubic"] = "linear"

    records: ClassVar[str] = "table_rotors"
    needs: ClassVar[tuple[str, ...]] = ("wind",)
    outputs: ClassVar[dict[str, Variable]] = {
        **RotorThrust.outputs,
        "rotor_torque": Variable(
            ("load",),
            "N m",
            "torque of the wind on a rotor about its shaft",
            optional=True,
            openfast_name="RtAeroMxh",
        ),
        "tip_speed_ratio": Variable(
            ("load",), "1", "speed of a rotor's tips over the relative wind", optional=True, openfast_name="RtTSR"
        ),
        "blade_pitch": Variable(
            ("load",),
            "rad",
            "collective blade pitch of a rotor",
            optional=True,
            openfast_name="BldPitch1",
            openfast_units="deg",
        ),
    }
    beyond: ClassVar[tuple[str, str]] = (
        "beyond_coefficients",
        "tip-speed ratio or pitch left the table of coefficients, which is held at its edge",
    )
    after_control: ClassVar[tuple[str, ...]] = ("thrust", "power", "rotor_torque", "tip_speed_ratio", "blade_pitch")

    def own_formulas(self) -> dict[str, float | str]:
        """Return the formulas it reads, by field."""
        return {"speed": self.speed, "pitch": self.pitch}

    def comes_late(self, controllers: Mapping[str, Any]) -> bool:
        """Return whether it reads what a continuous controller gives out at the same instant."""
        read = {found for formula in self.own_formulas().values() for found in channels_of(formula)}
        return any(
            name in controllers and quantity in controllers[name].outputs() and controllers[name].every() is None
            for name, quantity in read
        )

    def fill(self, row: Any, name: str, at: LoadRows) -> None:
        """Fill its record."""
        row["body"], row["radius"] = at.number(self.body), self.radius
        row["r_BP_D"], row["axis_D"] = at.offset(self.body, self.point), at.axis(self.body, self.axis)
        row["speed"], row["pitch"] = (at.program(f, f"loads.{name}.{k}") for k, f in self.own_formulas().items())
        row["cubic"], row["late"] = self.interpolation == "cubic", self.comes_late(at.model.controllers)
        try:
            grids, tables = coefficients_of(self.coefficients)
        except InvalidInput as error:
            for one in error.problems:
                at.problem(one.message, f"loads.{name}.coefficients")
            return
        for n, grid in enumerate(grids):
            row["first"][n], row["last"][n] = at.pools.pieces(grid, [[0.0]] * len(grid))
        for n, table in enumerate(tables):
            nodes = nodes_of(grids, table) if self.interpolation == "cubic" else table.reshape(-1, 1)
            row["table"][n], _ = at.pools.pieces([0.0] * len(nodes), nodes.tolist())


def coefficients_of(path: str) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return tip-speed ratios and pitches [rad], and C_T and C_Q over both; C_Q = C_P / ratio where there is none."""
    ratios, pitches, columns = read_grid(path, ("ct",))
    if "cq" not in columns and "cp" not in columns:
        raise InvalidInput(f"'{os.path.basename(path)}' has no column cq or cp, which gives the torque")
    if "cq" not in columns and ratios[0] <= 0:
        raise InvalidInput(f"'{os.path.basename(path)}' has cp at a tip-speed ratio of 0, where it gives no torque")
    torque = columns["cq"] if "cq" in columns else columns["cp"] / ratios[:, None]
    return (ratios, pitches), (columns["ct"], torque)


def nodes_of(grids: tuple[Array, Array], table: Array) -> Array:
    """Return value, slopes by ratio and pitch, and mixed slope at each node of the natural bicubic spline."""
    from scipy.interpolate import CubicSpline

    x, y = grids
    by_x = CubicSpline(x, table, axis=0, bc_type="natural")(x, 1)
    by_y = CubicSpline(y, table, axis=1, bc_type="natural")(y, 1)
    both = CubicSpline(y, by_x, axis=1, bc_type="natural")(y, 1)
    return np.stack([table, by_x, by_y, both], axis=-1).reshape(-1, 4)
