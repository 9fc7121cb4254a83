"""Generators on a joint: torque of command, gear, inertia, losses, and the drive train between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from fairlead.model.controllers.base import Signal
from fairlead.model.fields import Name, Real, SchemaModel, number
from fairlead.model.loads.base import TwoEnds
from fairlead.record import Variable

if TYPE_CHECKING:
    from fairlead.model.loads.compile import LoadRows


# Its outputs that are known only after controllers
AFTER_CONTROL = ("generator_torque", "electrical_power", "electrical_energy", "lost_energy")


class Shaft(SchemaModel):
    """A drive train that twists: a spring and a damper between the joint's body and the gearbox, on the slow side.

    stiffness: moment per twist
    damping: moment per rate of twist
    """

    stiffness: number("N m/rad", gt=0)  # type: ignore[valid-type]
    damping: number("N m s/rad", ge=0) = 0.0  # type: ignore[valid-type]


class Generator(TwoEnds):
    """A generator behind a gearbox on the revolute joint between two bodies; it brakes the joint's positive rate.

    The joint feels gear_ratio times the torque, and gear_ratio squared times the inertia. `generator_speed`, of the
    fast side, is a channel that controllers may read. Work of the load is what leaves the shaft; what of it reaches the
    grid is the `electrical_energy`, what does not the `lost_energy`.

    body: body that is braked, such as the hub
    other: body that carries the generator, such as the nacelle
    torque: torque of the generator on its fast side: a number, a channel such as baseline.torque, or a formula [N m]
    gear_ratio: speed of the generator over that of the joint
    inertia: moment of inertia of the generator about its fast shaft
    efficiency: electrical power over mechanical power; the other way round where it drives [-]
    shaft: spring and damper of the drive train; rigid unless given
    """

    type: Literal["generator"] = "generator"
    other: Name
    torque: Signal
    gear_ratio: Annotated[Real, Field(gt=0)] = 1.0
    inertia: number("kg m2", ge=0) = 0.0  # type: ignore[valid-type]
    efficiency: Annotated[Real, Field(gt=0, le=1)] = 1.0
    shaft: Shaft | None = None

    records: ClassVar[str] = "generators"
    outputs: ClassVar[dict[str, Variable]] = {
        "generator_speed": Variable(
            ("load",),
            "rad/s",
            "speed of a generator, fast side of its gearbox",
            optional=True,
            openfast_name="GenSpeed",
            openfast_units="rpm",
        ),
        "generator_torque": Variable(
            ("load",),
            "N m",
            "torque of a generator, fast side of its gearbox",
            optional=True,
            openfast_name="GenTq",
            openfast_units="kN-m",
        ),
        "electrical_power": Variable(
            ("load",),
            "W",
            "power that a generator gives to the grid",
            optional=True,
            openfast_name="GenPwr",
            openfast_units="kW",
        ),
        "electrical_energy": Variable(
            ("load",), "J", "energy that a generator has given to the grid since the start", optional=True
        ),
        "lost_energy": Variable(
            ("load",), "J", "energy lost in a generator and its drive train since the start", optional=True
        ),
    }

    def own_formulas(self) -> dict[str, float | str]:
        """Return the formulas it reads, by field."""
        return {"torque": self.torque}

    def braked_joint(self, model: Any) -> str | None:
        """Return the revolute joint between the two bodies, None where there is none or more than one."""
        ends = {self.body, self.other}
        found = [name for name, joint in model.joints.items() if {joint.parent, joint.child} == ends]
        fits = len(found) == 1 and list(model.joints[found[0]].coordinates) == ["angle"]
        return found[0] if fits and getattr(model.joints[found[0]], "axis", None) is not None else None

    def fill(self, row: Any, name: str, at: LoadRows) -> None:
        """Fill its record; a rigid drive train lends its inertia to the joint's coordinate."""
        label = self.braked_joint(at.model)
        if label is None:
            at.problem(f"needs one revolute joint between '{self.body}' and '{self.other}'", f"loads.{name}.other")
            return
        joint: Any = at.model.joints[label]
        row["body"], row["other"] = at.number(self.body), at.number(self.other)
        row["axis_D"] = at.axis(self.body, joint.axis)
        row["sign"] = 1.0 if joint.child == self.body else -1.0
        row["torque"] = at.program(self.torque, f"loads.{name}.torque")
        row["ratio"], row["efficiency"] = self.gear_ratio, self.efficiency
        row["inertia"] = self.gear_ratio**2 * self.inertia
        row["energy"], row["twist"] = at.remember([0.0, 0.0]), -1
        if self.shaft is not None:
            row["stiffness"], row["damping"] = self.shaft.stiffness, self.shaft.damping
            row["twist"] = at.remember([0.0, at.joint_rate(joint)])
            if self.inertia == 0.0:
                at.problem("is needed behind a shaft that twists", f"loads.{name}.inertia")
        elif self.inertia > 0.0:
            at.lend_inertia(label, row["inertia"])
