"""The words of a study's file: what is varied, how often, what is wanted of each run."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, WithJsonSchema, model_validator

from fairlead.model.fields import Count, Data, Name, SchemaModel, Time, WholeFile, _plain
from fairlead.model.files import FilePath
from fairlead.model.messages import WrongField
from fairlead.results.summaries.words import parts_of

VERSION = 1
SPECTRUM = "spectrum"


def _several(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


_TEXTS = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
Texts = Annotated[tuple[str, ...], BeforeValidator(_several), WithJsonSchema(_TEXTS)]
Values = Annotated[tuple[Data, ...], Field(min_length=1)]


class Grid(SchemaModel):
    """Values of one path, one after the other.

    values: the values
    path: path that takes them; the parameter's own name unless given
    labels: names of the values in the result; the values themselves unless given
    """

    values: Values
    path: str | None = None
    labels: tuple[str, ...] = ()


class Span(SchemaModel):
    """Evenly spaced values of one path.

    range: first and last value, numbers or texts with one unit
    count: how many values
    path: path that takes them; the parameter's own name unless given
    """

    range: tuple[Data, Data]
    count: Annotated[Count, Field(ge=2)]
    path: str | None = None


class Paired(SchemaModel):
    """Values of several paths that change together: the first of each, the second of each, and so on.

    paired: values by path, as many of each
    labels: names of the sets in the result; the values of the first path unless given
    """

    paired: Annotated[dict[str, Values], Field(min_length=1)]
    labels: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _as_many(self) -> Paired:
        first, count = next((name, len(values)) for name, values in self.paired.items())
        for name, values in self.paired.items():
            if len(values) != count:
                raise WrongField(f"has {len(values)} values, and '{first}' has {count}", "paired", name)
        return self


class Names(SchemaModel):
    """Points that change nothing by themselves; other parameters have values by them.

    names: names of the points in the result
    """

    names: Annotated[tuple[str, ...], Field(min_length=1)]


class Models(SchemaModel):
    """Several model files.

    models: files by the name that each has in the result, or a list of files, sought beside the study's file
    """

    models: Annotated[dict[str, FilePath], Field(min_length=1)]

    @model_validator(mode="before")
    @classmethod
    def _by_name(cls, data: Any) -> Any:
        given = data.get("models") if isinstance(data, dict) else None
        if isinstance(given, list | tuple) and all(isinstance(one, str) for one in given):
            names = [one.replace("\\", "/").rpartition("/")[2].rpartition(".")[0] or one for one in given]
            if len(set(names)) < len(names):
                raise WrongField("two files have one name; give a mapping from names to files", "models")
            return {**data, "models": dict(zip(names, given))}
        return data


Spread = Annotated[Data, AfterValidator(lambda value: _spread(value))]


def _spread(value: Any) -> Any:
    pair = isinstance(value, list) and len(value) == 2
    normal = isinstance(value, dict) and set(value) == {"mean", "std"}
    if not (pair or normal):
        raise ValueError(
            "expected [lowest, highest] of even chances, or {mean: ..., std: ...} of a normal distribution"
        )
    return value


class LatinHypercube(SchemaModel):
    """A Latin hypercube: every path takes each of `count` equal shares of its chances once.

    latin_hypercube: by path [lowest, highest], or {mean, std} of a normal distribution
    count: how many samples
    """

    latin_hypercube: Annotated[dict[str, Spread], Field(min_length=1, alias="latin-hypercube")]
    count: Annotated[Count, Field(ge=1)]


class Sobol(SchemaModel):
    """A scrambled Sobol sequence, which fills the space more evenly than chance.

    sobol: by path [lowest, highest], or {mean, std} of a normal distribution
    count: how many samples, a power of two
    """

    sobol: Annotated[dict[str, Spread], Field(min_length=1)]
    count: Annotated[Count, Field(ge=1)]

    @model_validator(mode="after")
    def _power_of_two(self) -> Sobol:
        if self.count & (self.count - 1):
            raise WrongField(f"must be a power of two, or the sequence loses its balance; got {self.count}", "count")
        return self


class CsvTable(SchemaModel):
    """Cases from a CSV file, a row each: a column per path, and if wanted `case` (a name) and `realisations`.

    An empty cell leaves the model as it is. Cells are read as in a YAML file: `12.1 rpm`, `{at: 300 s, cut: line 2}`.

    table: the file, sought beside the study's file
    columns: path, or paths, that a column's head stands for; heads not named here are paths themselves
    """

    table: FilePath
    columns: dict[str, Texts] = {}


_KINDS = {"models": Models, "paired": Paired, "range": Span, "latin-hypercube": LatinHypercube, "sobol": Sobol}
_KINDS |= {"table": CsvTable, "names": Names, "values": Grid}


def _kind(value: Any) -> str | None:
    if isinstance(value, SchemaModel):
        return f"<{type(value).__name__.lower()}>"
    found = [word for key, word in _KINDS.items() if isinstance(value, dict) and key in value]
    return f"<{found[0].__name__.lower()}>" if found else None


def _listed(value: Any) -> Any:
    value = _plain(value)
    return {"values": value} if isinstance(value, list | tuple) else value


_MESSAGE = f"a list of values, or a mapping with one of {', '.join(_KINDS)}"


def _union() -> Any:
    """Return the union of all kinds of parameters, told apart by their fields."""
    parts = tuple(Annotated[word, Tag(f"<{word.__name__.lower()}>")] for word in _KINDS.values())
    told = Discriminator(_kind, custom_error_type="unknown_type", custom_error_message=_MESSAGE)
    return Annotated[Union[parts], told, BeforeValidator(_listed)]  # noqa: UP007  # a union of a computed list


Parameter = _union()


def _statistic(word: str) -> str:
    if word != SPECTRUM:
        parts_of(word)
    return word


Statistics = Annotated[tuple[Annotated[str, AfterValidator(_statistic)], ...], BeforeValidator(_several)]


class Study(WholeFile):
    """Many runs: of a model, with parameters varied, each several times with other seeds.

    model: model file, sought beside the study's file; `models` of a parameter may stand for it
    name: what the study is called; the file's name unless given
    set: values that every case has, by path
    vary: parameters by name, each a dimension of the result; a list of values under a path varies that path
    realisations: how often every case is run, with other seeds each time; once, with the model's seeds, unless given
    seed: number that all seeds and samples derive from
    seeds: paths of the seeds that realisations change; those of waves and wind unless given
    run: options of every run, the words of a model's `run`; what is not given comes from the model
    statistics: statistics of each run, by channel; `spectrum` is one of them
    segment: length of the segments of spectra by Welch's method; an eighth of the record unless given
    keep: what of each run is kept: its statistics, or also its record, decimated or full
    decimate: of a decimated record every so-many-th instant is kept
    """

    model: FilePath | None = None
    name: Name | None = None
    set: dict[str, Data] = {}
    vary: dict[str, Parameter] = {}  # type: ignore[valid-type]
    realisations: Annotated[Count, Field(ge=1)] | None = None
    seed: Annotated[Count, Field(ge=0)] = 0
    seeds: tuple[str, ...] = ()
    run: dict[str, Data] = {}
    statistics: Annotated[dict[str, Statistics], Field(min_length=1)]
    segment: Annotated[Time, Field(gt=0)] | None = None
    keep: Literal["statistics", "decimated", "full"] = "statistics"
    decimate: Annotated[Count, Field(ge=1)] = 10
