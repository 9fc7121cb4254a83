"""Every kind of load: one line each. Files, checks, formulas, results and tests read this table."""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import Field

from fairlead.model.loads.base import Load
from fairlead.model.loads.buoyancy import Buoyancy
from fairlead.model.loads.forces import Force
from fairlead.model.loads.generator import Generator
from fairlead.model.loads.matrices import Matrix
from fairlead.model.loads.moordyn import MoorDyn
from fairlead.model.loads.mooring import Catenary, TautLine
from fairlead.model.loads.morison import Morison
from fairlead.model.loads.rotational_springs import RotationalSpring
from fairlead.model.loads.rotor import RotorThrust
from fairlead.model.loads.rotor_table import Rotor
from fairlead.model.loads.springs import Spring
from fairlead.record import Variable

AnyLoad = Annotated[
    Force
    | Spring
    | RotationalSpring
    | Matrix
    | Buoyancy
    | Morison
    | TautLine
    | Catenary
    | MoorDyn
    | RotorThrust
    | Rotor
    | Generator,
    Field(discriminator="type"),
]
LOADS: dict[str, type[Load]] = {kind.model_fields["type"].default: kind for kind in get_args(get_args(AnyLoad)[0])}
OUTPUTS: dict[str, Variable] = {name: row for kind in LOADS.values() for name, row in kind.outputs.items()}


def kinds_that_need(part: str) -> list[str]:
    """Return the types of loads that a part of the environment acts on."""
    return [kind for kind, load in LOADS.items() if part in load.needs]
