"""Write `docs/reference`: every word of model files, every verb and every public function, from the code itself.

`make reference` runs this; a test fails while the pages are not what it would write.
"""

from __future__ import annotations

import inspect
import typing
from pathlib import Path
from typing import Any

import typer

import fairlead
from fairlead.cli.app import VERBS, app
from fairlead.model.bodies import Body, Wheel
from fairlead.model.controllers.table import KINDS as CONTROLLERS
from fairlead.model.descriptions import fields_of, kind_of, summary_of
from fairlead.model.environment.environment import Environment
from fairlead.model.environment.waves import Current
from fairlead.model.events import Event
from fairlead.model.fields import SchemaModel
from fairlead.model.joints.base import Joint
from fairlead.model.joints.types import AnyJoint
from fairlead.model.loads.table import LOADS
from fairlead.model.messages import spelled, words_in
from fairlead.model.orientation import Orientation
from fairlead.model.run import Run
from fairlead.model.schema import Model
from fairlead.model.shapes import SHAPES

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
HEAD = "<!-- Written by tools/make_reference.py (`make reference`) from the code; do not edit. -->\n\n"
ORDER = {
    "model": "the whole file",
    "bodies": "mass, place, wheels, shapes",
    "joints": "every kind, its coordinates and fields",
    "motions": "how driven coordinates move",
    "joint-forces": "springs, stops and actuators of coordinates",
    "loads": "every kind, what it records",
    "environment": "water, waves, current, wind",
    "controllers": "every kind",
    "events": "what changes while a model runs",
    "run": "how a model is run",
    "verbs": "the command line",
    "functions": "Python",
}
ELSEWHERE = {Model, Body, Environment, Event, Run, Orientation, *LOADS.values(), *CONTROLLERS, *SHAPES.values()}


def pages() -> dict[str, str]:
    """Return every page by its name."""
    joints = list(typing.get_args(typing.get_args(AnyJoint)[0]))
    found = {
        "model": _page("The model file", "A file begins with `fairlead: 1`.", [Model]),
        "bodies": _page("Bodies", "", [Body, Orientation, Wheel, *SHAPES.values()]),
        "joints": _joints(joints),
        "motions": _page(
            "Motions", "A driven coordinate has a `motion`, known by its first field.", _inside(Joint, "motion")
        ),
        "joint-forces": _page(
            "Springs, stops and actuators of joints",
            "They act along a free coordinate.",
            [word for name in ("spring", "stop", "actuator") for word in _inside(Joint, name)],
        ),
        "loads": _loads(),
        "environment": _page(
            "Environment",
            "",
            [Environment, *_inside(Environment, "waves"), Current, *_inside(Environment, "wind")],
        ),
        "controllers": _page("Controllers", "Each has a name and a `type`.", list(CONTROLLERS)),
        "events": _page("Events", "", [Event]),
        "run": _page("Run", "The same words are arguments of `fl.simulate` and options of `fairlead run`.", [Run]),
        "verbs": _verbs(),
        "functions": _functions(),
    }
    rows = "".join(f"| [{_title(text)}]({name}.md) | {ORDER[name]} |\n" for name, text in found.items())
    index = f"# Reference\n\nWritten from the code, so that it is what the code does.\n\n| | |\n| --- | --- |\n{rows}"
    index += "\nThe same in an editor: `fairlead schema` prints the JSON schema; in Python `help(fl.Revolute)`.\n"
    return {name: HEAD + text.rstrip() + "\n" for name, text in {"index": index, **found}.items()}


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")


def _page(title: str, about: str, words: list[type[SchemaModel]]) -> str:
    parts = [f"# {title}\n"] + ([f"{about}\n"] if about else [])
    return "\n".join([*parts, *(word_section(word) for word in with_inner(words))])


def with_inner(words: Any) -> list[type[SchemaModel]]:
    """Return words with those that their fields take, but for those that have pages of their own."""
    found: list[type[SchemaModel]] = []
    waiting = list(dict.fromkeys(words))
    while waiting:
        word = waiting.pop(0)
        if word in found:
            continue
        found.append(word)
        inner = [one for name in word.model_fields for one in _inside(word, name)]
        waiting = [one for one in inner if one not in ELSEWHERE] + waiting
    return found


def word_section(word: type[SchemaModel], more: str = "", without: Any = ()) -> str:
    """Return a section about a word: what it is, and a table of its fields."""
    rows = [_row(word, name) for name in fields_of(word) if name not in without]
    table = "| field | type | default | meaning |\n| --- | --- | --- | --- |\n" + "".join(rows) if rows else ""
    public = f"In Python `fl.{word.__name__}`." if word.__name__ in fairlead.__all__ else ""
    about = " ".join(summary_of(word).split())
    return "\n".join(part for part in (f"## {_name(word)}\n", f"{about} {public}\n", more, table) if part)


def _name(word: Any) -> str:
    kind = word.model_fields.get("type")
    return f"`{kind.default}`" if kind is not None and isinstance(kind.default, str) else str(word.__name__)


def _row(word: type[SchemaModel], name: str) -> str:
    field = word.model_fields[name]
    default = "needed" if field.is_required() else _shown(field.get_default(call_default_factory=True))
    kind = kind_of(field.annotation, field.metadata)
    cells = (f"`{spelled(name, field)}`", kind, default, field.description or "")
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |\n"


def _shown(value: Any) -> str:
    if value is None or value in ((), {}, ""):
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def _inside(word: type[SchemaModel], name: str) -> list[type[SchemaModel]]:
    """Return the words that a field takes."""
    field = word.model_fields[name]
    return list(
        dict.fromkeys([*words_in(field.annotation), *(one for part in field.metadata for one in words_in(part))])
    )


def _joints(kinds: list[type[Joint]]) -> str:
    common = word_section(Joint).replace("## Joint\n", "## Fields of all joints\n")
    parts = ["# Joints\n", "| type | coordinates |\n| --- | --- |"]
    for kind in kinds:
        said = ", ".join(f"`{name}` ({one.kind})" for name, one in kind.coordinates.items()) or "none"
        parts.append(f"| [`{kind.kind()}`](#{kind.kind()}) | {said} |")
    parts.append("")
    for kind in kinds:
        example = _example(kind)
        parts.append(word_section(kind, example, without=set(Joint.model_fields)))
    return "\n".join([*parts, common])


def _example(kind: type[Joint]) -> str:
    """Return the shortest joint of a kind as a file has it."""
    given = {"point": "[0, 0, 0]", "axis": "[0, 0, 1]", "axis2": "[1, 0, 0]"}
    fields = [f"{name}: {text}" for name, text in given.items() if name in kind.model_fields and name in kind.needs]
    fields += ["axis2: [1, 0, 0]"] if kind.arm() and "axis2" in kind.model_fields and "axis2" not in kind.needs else []
    extra = {"distance": "parent_point: [0, 0, 0], child_point: [0, 0, 0]"}.get(kind.kind(), "")
    inner = ", ".join([f"type: {kind.kind()}", "parent: a", "child: b", *fields, *([extra] if extra else [])])
    return f"```yaml\njoints:\n  name: {{{inner}}}\n```\n"


def _loads() -> str:
    parts = ["# Loads\n", "Points are drawn in the world at t = 0 and move with their body.\n"]
    for kind in LOADS.values():
        needs = f"It feels: {', '.join(kind.needs)}.\n" if kind.needs else ""
        said = [f"`{name}` [{row.units}], {row.long_name}" for name, row in kind.outputs.items()]
        records = f"It records besides force and moment: {'; '.join(said)}.\n" if said else ""
        parts.append(word_section(kind, "\n".join(part for part in (needs, records) if part)))
    inner = [one for kind in LOADS.values() for name in kind.model_fields for one in _inside(kind, name)]
    motions = set(_inside(Joint, "motion"))
    parts += [word_section(word) for word in with_inner(inner) if word not in motions]
    return "\n".join(parts)


def _verbs() -> str:
    parts = ["# Verbs\n", "`fairlead VERB --help` says the same.\n"]
    group: Any = typer.main.get_command(app)
    for verb in VERBS:
        command = group.commands[verb]
        parts.append(f"## `fairlead {verb}`\n\n{' '.join((command.help or '').split())}\n\n```\n{VERBS[verb]}\n```\n")
        rows = [_option(one) for one in command.params if one.name != "help"]
        parts.append("| | meaning |\n| --- | --- |\n" + "".join(rows))
    return "\n".join(parts)


def _option(one: Any) -> str:
    name = (
        ", ".join(f"`{opt}`" for opt in one.opts)
        if one.param_type_name == "option"
        else f"`{(one.name or '').upper()}`"
    )
    said = " ".join((getattr(one, "help", "") or "").split()).replace("|", "\\|")
    return f"| {name} | {said} |\n"


def _functions() -> str:
    parts = ["# Functions\n", "`import fairlead as fl`. Words of models are on the other pages.\n"]
    for name in fairlead.__all__:
        value = getattr(fairlead, name)
        if inspect.isclass(value) and issubclass(value, SchemaModel):
            continue
        try:
            call = _signature(value)
        except (TypeError, ValueError):
            call = ""
        doc = inspect.cleandoc(value.__doc__ or "")
        parts.append(f"## `fl.{name}`\n\n```\nfl.{name}{call}\n```\n\n{_as_text(doc)}\n")
    return "\n".join(parts)


def _signature(value: Any) -> str:
    found = inspect.signature(value)
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in found.parameters.values()]
    return str(found.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def _as_text(doc: str) -> str:
    """Return a docstring as text of a page: indented lists stay lists."""
    return doc.replace("<", "&lt;").replace("|", "\\|")


def main() -> None:
    """Write every page."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")
    print(f"{FOLDER}: {len(pages())} pages")


if __name__ == "__main__":
    main()
