"""The companions of a legacy main file: tracers, mooring, flags, coupled solvers. MBDM note sections 7.1.2 to 7.1.5."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from fairlead.formats.mbdm.case import ZERO, MooringLine, Parameters, Solvers, TracerGroup
from fairlead.formats.mbdm.keys import GROUP, GROUPS, LINE, LINES, PARAMETERS, SOLVERS
from fairlead.formats.mbdm.text import Block, Keys, Reader, entries

_LINE_TITLE = re.compile(r"[^:]*$|mooring\b", re.I)


def tracers(reader: Reader, lines: list[tuple[int, str]]) -> tuple[TracerGroup, ...]:
    head = Block("the file", 1)
    blocks: list[Block] = []
    for entry in entries(reader, lines, [GROUPS, GROUP]):
        if GROUPS.find(entry.key):
            head.add("groups", entry)
            continue
        field = GROUP.find(entry.key) or ""
        if field == "group" or not blocks or (field == "body" and "tracers" in blocks[-1].entries):
            blocks.append(Block(f"tracer group {len(blocks) + 1}", entry.line))
            if field != "group":
                reader.add(f"the line 'Tracer group: {len(blocks)}' is missing", "", entry.line, "warning")
        blocks[-1].add(field, entry)
    _count(reader, head, GROUPS, "groups", len(blocks))
    return tuple(_group(reader, block, f"tracers.{i}") for i, block in enumerate(blocks, start=1))


def _group(reader: Reader, block: Block, path: str) -> TracerGroup:
    reader.places[path] = (reader.file, block.line)
    if "group" in block.entries:
        number = reader.whole(block, GROUP, "group", f"{path}.group")
        if number != int(path.rpartition(".")[2]):
            reader.add(f"is called {number} but is {block.what} by its place", path, block.line, "warning")
    body = reader.whole(block, GROUP, "body", f"{path}.body", least=1)
    points = []
    for number, entry in enumerate(block.entries.get("tracers", []), start=1):
        point = reader.numbers_in(entry, f"{path}.tracers.{number}", 3)
        points.append((point[0], point[1], point[2]) if point else ZERO)
    _count(reader, block, GROUP, "count", len(points), path)
    return TracerGroup(body, tuple(points))


def _count(reader: Reader, block: Block, keys: Keys, field: str, given: int, path: str = "") -> None:
    where = f"{path}.{field}" if path else field
    said = reader.whole(block, keys, field, where)
    if field in block.entries and said != given:
        entry = block.entries[field][-1]
        reader.add(f"'{entry.key}' is {said} but {given} are given", where, entry.line)


def mooring(reader: Reader, lines: list[tuple[int, str]]) -> tuple[MooringLine, ...]:
    head = Block("the file", 1)
    blocks: list[Block] = []
    for entry in entries(reader, lines, [LINES, LINE], _LINE_TITLE):
        if entry.key and LINES.find(entry.key):
            head.add("lines", entry)
            continue
        field = LINE.find(entry.key) if entry.key else None
        if field is None or not blocks or (field == "body" and "damping" in blocks[-1].entries):
            number = len(blocks) + 1
            blocks.append(
                Block(f"mooring line {number}", entry.line, entry.value if not entry.key else f"Mooring {number}")
            )
            if field is not None:
                reader.add(f"the name of mooring line {number} is missing", "", entry.line, "warning")
        if field is not None:
            blocks[-1].add(field, entry)
    _count(reader, head, LINES, "lines", len(blocks))
    return tuple(_line(reader, block, f"mooring.{i}") for i, block in enumerate(blocks, start=1))


def _line(reader: Reader, block: Block, path: str) -> MooringLine:
    reader.places[path] = (reader.file, block.line)
    return MooringLine(
        name=block.title,
        body=reader.whole(block, LINE, "body", f"{path}.body", least=1),
        anchor=reader.vector(block, LINE, "anchor", f"{path}.anchor"),
        fairlead=reader.vector(block, LINE, "fairlead", f"{path}.fairlead"),
        correction=reader.vector(block, LINE, "correction", f"{path}.correction"),
        length=reader.number(block, LINE, "length", f"{path}.length", least=0.0),
        stiffness=reader.number(block, LINE, "stiffness", f"{path}.stiffness", least=0.0),
        damping=reader.number(block, LINE, "damping", f"{path}.damping", least=0.0),
    )


def parameters(reader: Reader, lines: list[tuple[int, str]]) -> Parameters:
    """Return the flags of a parameters file."""
    block = _flat(reader, lines, PARAMETERS)
    flags = {
        name: bool(reader.whole(block, PARAMETERS, name, f"parameters.{name}", most=1)) for name in PARAMETERS.fields
    }
    return Parameters(**flags)


def solvers(reader: Reader, lines: list[tuple[int, str]]) -> Solvers:
    """Return the partners of a solvers file."""
    block = _flat(reader, lines, SOLVERS)
    kinds = {field.name: field.type for field in fields(Solvers)}
    values: dict[str, Any] = {}
    for name in SOLVERS.fields:
        path = f"solvers.{name}"
        if kinds[name] == "str":
            values[name] = reader.text(block, SOLVERS, name, path)
        elif name == "coupling":
            values[name] = reader.whole(block, SOLVERS, name, path, most=2)
        elif kinds[name] == "int":
            values[name] = reader.whole(block, SOLVERS, name, path, least=1)
        else:
            values[name] = reader.number(block, SOLVERS, name, path)
    return Solvers(**values)


def _flat(reader: Reader, lines: list[tuple[int, str]], keys: Keys) -> Block:
    block = Block("the file", 1)
    for entry in entries(reader, lines, [keys]):
        block.add(keys.find(entry.key) or "", entry)
    return block
