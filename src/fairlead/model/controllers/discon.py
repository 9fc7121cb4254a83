"""Bladed-style controller libraries (DISCON), called once per period in a process of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from fairlead.model.controllers.base import QUANTITY, Path, Signal
from fairlead.model.controllers.discon_records import (
    BLADES,
    FIRST_LOG,
    IN,
    LAST,
    LENGTHS,
    OUT,
    SIZE,
    record_of,
)
from fairlead.model.controllers.outside import OutsideController
from fairlead.model.fields import Time, _plain
from fairlead.model.files import FilePath, whole_path
from fairlead.model.messages import WrongField

if TYPE_CHECKING:
    from fairlead.model.controllers.asking import Answer

ROSCO = "rosco"  # in place of a path: the library of the installed package


def _library(name: str) -> str:
    return name if name == ROSCO else whole_path(name)


def _texts(value: Any) -> Any:
    value = _plain(value)
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else value


def _named(value: Any) -> Any:
    value = _plain(value)
    if isinstance(value, list | tuple):
        return {str(name): str(name) for name in value}
    return {str(name): str(record) for name, record in value.items()} if isinstance(value, dict) else value


class Discon(OutsideController):
    """A library with a Bladed-style procedure DISCON, called at samples through the swap array, in its own process.

    What is not given stays zero in the array. Its own memory is in no checkpoint, so a run with it cannot be resumed.

    library: shared library, sought beside the model file; or rosco, for that of the installed package `rosco`
    inputs: what it is told: channels or formulas by the names of records (generator_speed, pitch, wind_speed ...) or
        their numbers
    input_file: its own input file, sought beside the model file
    output: names of outputs, or a mapping from names to records; torque and pitch unless given
    procedure: name of its procedure
    blades: number of blades [-]
    time_limit: longest time that it may take to answer
    """

    type: Literal["discon"] = "discon"
    library: Annotated[str, Field(max_length=4000), AfterValidator(_library)]
    inputs: Annotated[dict[str, Signal], BeforeValidator(_texts)] = {}
    input_file: FilePath | None = None
    output: Annotated[dict[str, str], Field(min_length=1), BeforeValidator(_named)] = {
        "torque": "torque",
        "pitch": "pitch",
    }
    procedure: str = "DISCON"
    blades: Annotated[int, Field(ge=1, le=3)] = 3
    time_limit: Annotated[Time, Field(gt=0)] = 60.0

    @model_validator(mode="after")
    def _makes_sense(self) -> Discon:
        if self.period is None:
            raise WrongField("is required: the time between its calls, e.g. period: 0.0125 s", "period")
        taken: dict[int, str] = {}
        for field, names, known in (("inputs", self.inputs, IN), ("output", self.output.values(), OUT)):
            for name in names:
                try:
                    records = record_of(name, known)
                except ValueError as error:
                    raise WrongField(str(error), field) from None
                for record in records if field == "inputs" else ():
                    if record in taken:
                        raise WrongField(f"'{taken[record]}' and '{name}' both give record {record}", "inputs")
                    taken[record] = name
        for name in self.output:
            if not QUANTITY.fullmatch(name):
                raise WrongField(f"'{name}' cannot be read in a formula; use letters, digits and '_'", "output")
        return self

    def outputs(self) -> tuple[str, ...]:
        """Return the names of its outputs."""
        return tuple(self.output)

    def formulas(self) -> Iterator[tuple[Path, float | str]]:
        """Return everything it reads, each with its place in the word."""
        for name, signal in self.inputs.items():
            yield ("inputs", name), signal

    def unsaved(self) -> str:
        """Return why it cannot go on from a checkpoint."""
        return "is a library, and no checkpoint holds what it remembers"

    def path(self) -> str:
        """Return where its library is; ValueError where `rosco` is not installed."""
        return rosco_library() if self.library == ROSCO else self.library

    def wrong_files(self) -> tuple[str, str] | None:
        """Return the field and the sentence about a library or input file of no use, without loading it."""
        from fairlead.model.controllers.shared_library import wrong_with

        try:
            path = self.path()
        except ValueError as error:
            return "library", str(error)
        if not os.path.lexists(path):
            return "library", f"there is no file '{path}'"
        wrong = wrong_with(path, self.procedure)
        if wrong:
            return "library", f"'{path}' {wrong}" if not wrong.startswith(("'", "cannot")) else wrong
        if self.input_file is not None and not os.path.isfile(self.input_file):
            return "input_file", f"there is no file '{self.input_file}'"
        return None

    def try_out(self, name: str) -> str:
        """Return why a first call fails, in a process that ends with it; empty if it does not."""
        path = self.path()
        return _tried(
            name, path, self.procedure, self.input_file or "", self.blades, self.period, os.path.getmtime(path)
        )

    def answering(self, name: str) -> tuple[Answer, float | None]:
        """Return the function that answers; the process watches the time itself."""
        from fairlead.model.controllers.discon_process import DisconProcess, answering

        process = DisconProcess(name, self.path, self.procedure, self.input_file or "", self.time_limit)
        places = [record_of(given, IN) for given in self.inputs]
        always = settings(self.input_file or "", self.blades)

        def sent(inputs: Any) -> dict[int, float]:
            return always | {r: float(value) for records, value in zip(places, inputs) for r in records}

        records = [record_of(given, OUT)[0] for given in self.output.values()]
        assert self.period is not None
        return answering(process, self.period, sent, records), None

    def _shown(self, name: str, value: Any) -> Any:
        return list(value) if name == "output" and all(a == b for a, b in value.items()) else value


def settings(input_file: str, blades: int) -> dict[int, float]:
    """Return the records that are the same at every call: lengths of texts, blades, where it may log."""
    lengths = LENGTHS | {50: len(input_file.encode()) + 1, 51: len("fairlead") + 1, 64: len("fairlead") + 1}
    return {**lengths, BLADES: blades, FIRST_LOG: 200, LAST: SIZE, 4: 0.0}


def rosco_library() -> str:
    """Return the path of the library in the installed package `rosco`; ValueError where there is none."""
    import glob
    import importlib.util

    try:
        found = importlib.util.find_spec(ROSCO)
    except (ImportError, ValueError):
        found = None
    for folder in (found.submodule_search_locations or []) if found is not None else []:
        for path in sorted(glob.glob(os.path.join(folder, "lib", "libdiscon.*"))):
            return path
    raise ValueError("needs the package rosco with its library libdiscon: pip install rosco; or give a path")


@lru_cache(maxsize=64)
def _tried(name: str, path: str, procedure: str, input_file: str, blades: int, period: float, changed: float) -> str:
    """Return why a library does not answer a first call, once for each state of its file."""
    from fairlead.model.controllers.discon_process import Broken, DisconProcess

    process = DisconProcess(name, lambda: path, procedure, input_file, 60.0)
    try:
        process.call(0.0, period, settings(input_file, blades))
    except Broken as error:
        return f"'{path}' {error} (in a trial call)"
    finally:
        process.close()
    return ""
