"""Dynamic mooring lines by MoorDyn, a program of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from fairlead.model.files import FilePath
from fairlead.model.loads.base import TENSION, Load
from fairlead.record import Variable

if TYPE_CHECKING:
    from fairlead.model.loads.compile import LoadRows


class MoorDyn(Load):
    """Dynamic lines by MoorDyn (extra `moordyn`) from its own input file; its coupled points move with the body.

    They are where the file has them when the body is where it is drawn. Advanced once per step of ours.

    file: input file of MoorDyn, sought beside the model file
    """

    type: Literal["moordyn"] = "moordyn"
    file: FilePath

    outputs: ClassVar[dict[str, Variable]] = TENSION

    def name_rows(self, name: str, at: LoadRows) -> None:
        """Name a row for each coupled point of its file."""
        at.name_partner(name, self.body, self.file)

    def compile_into(self, name: str, at: LoadRows) -> None:
        """Add nothing: no kernel computes its forces."""
