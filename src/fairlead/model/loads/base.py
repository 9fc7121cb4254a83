"""The description of a kind of load: its word, what it compiles to, what of the environment it needs, what it records.

A kind is two files of one name: its record type and kernel in `core/loads`, its word here. It stands in the tables of
both folders. Words need no compiler: they fill records that they are given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pydantic import model_validator

from fairlead.model.fields import Name, SchemaModel
from fairlead.record import Variable

if TYPE_CHECKING:
    from fairlead.model.loads.compile import LoadRows

PARTS = ("water", "waves", "current", "wind")  # of the environment
TENSION = {"tension": Variable(("load",), "N", "force along a spring, positive in tension", openfast_name="FairTen#")}


class Remark(NamedTuple):
    """A remark of a load about itself in its environment: the field it is about, and a sentence."""

    field: str
    message: str
    severity: str = "error"


class Load(SchemaModel):
    """Base of loads. Points are drawn in the world at t = 0 and move with their body.

    body: body that the load acts on
    """

    body: Name

    records: ClassVar[str] = ""  # which of `core/loads/table.RECORDS` its kernel reads
    needs: ClassVar[tuple[str, ...]] = ()  # the parts of the environment that change it
    outputs: ClassVar[dict[str, Variable]] = {}  # what it records beside force and moment
    beyond: ClassVar[tuple[str, str]] = ("", "")  # attribute of a result and sentence where it left a table or curve

    def on_bodies(self) -> tuple[str, ...]:
        """Return the bodies this load acts on."""
        other = getattr(self, "other", None)
        return (self.body,) if other in (None, "world") else (self.body, other)

    def name_rows(self, name: str, at: LoadRows) -> None:
        """Name the rows of forces and moments it fills, one per body it acts on."""
        at.name_rows(name, self.on_bodies())

    def compile_into(self, name: str, at: LoadRows) -> None:
        """Add the record that its kernel reads."""
        self.fill(at.new_record(self.records, name), name, at)

    def own_formulas(self) -> dict[str, float | str]:
        """Return the formulas it reads, by field; those of forces stand in their components."""
        return {}

    def fill(self, row: Any, name: str, at: LoadRows) -> None:
        """Fill its record; `at` answers where things are in the arrays."""
        raise NotImplementedError(f"loads of type '{type(self).__name__}' do not say what they compile to ('fill')")

    def remarks(self, environment: Any) -> Iterator[Remark]:
        """Return what is wrong or strange about it in an environment."""
        return iter(())


class TwoEnds(Load):
    """A load between a body and the world or another body, its `other`."""

    @model_validator(mode="after")
    def _ends_differ(self) -> TwoEnds:
        if getattr(self, "other", None) == self.body:
            raise ValueError(f"connects '{self.body}' with itself; name another body in 'other'")
        return self
