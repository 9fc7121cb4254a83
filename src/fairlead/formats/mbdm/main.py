"""The main file of a legacy case: its head, bodies and joints. MBDM note sections 7.1.1, 7.2 and 7.3."""

from __future__ import annotations

import re

from fairlead.formats.mbdm.case import JOINT_TYPES, ONE_BODY, MbdmBody, MbdmCase, MbdmJoint, Vector
from fairlead.formats.mbdm.keys import BODY, HEAD, JOINT
from fairlead.formats.mbdm.text import Block, Entry, Reader, entries
from fairlead.model.messages import unknown
from fairlead.model.time_grid import EXACT

_TITLE = re.compile(r"(body|joint)\b\s*[#:]?\s*(\d*)(?:\s.*|:.*)?$", re.I)
# A block without its title is known by its first key; it is new where the last one has its last key already.
_FIRST_AND_LAST = {"body": ("name", "i3"), "joint": ("type", "dist")}
_KEYS = {"head": HEAD, "body": BODY, "joint": JOINT}


def main(reader: Reader, lines: list[tuple[int, str]]) -> MbdmCase:
    blocks = _blocks(reader, lines)
    head = blocks["head"][0]
    counts = {}
    for kind, field in (("body", "bodies"), ("joint", "joints")):
        counts[kind] = reader.whole(head, HEAD, field, field, least=1 if kind == "body" else 0)
        if field in head.entries and counts[kind] != len(blocks[kind]):
            said = head.entries[field][-1]
            message = f"'{said.key}' is {counts[kind]} but {len(blocks[kind])} are given"
            reader.add(message, field, said.line)
    start = reader.number(head, HEAD, "t_start", "t_start")
    end = reader.number(head, HEAD, "t_end", "t_end", default=start)
    if end <= start and reader.places.get("t_end") and reader.places.get("t_start"):
        reader.add(f"must be later than t_start = {start:g}; got {end:g}", "t_end", reader.places["t_end"][1])
    dt = reader.number(head, HEAD, "dt", "dt", above=0.0)
    if dt > (end - start) * (1 + EXACT) > 0 and reader.places.get("dt"):
        reader.add(f"is longer than the run ({dt:g} s > {end - start:g} s)", "dt", reader.places["dt"][1])
    return MbdmCase(
        name=reader.text(head, HEAD, "name", "name"),
        dynamic=bool(reader.whole(head, HEAD, "dynamic", "dynamic", most=1)),
        t_start=start,
        t_end=end,
        dt=dt,
        accuracy=reader.number(head, HEAD, "accuracy", "accuracy", above=0.0),
        iterations=reader.whole(head, HEAD, "iterations", "iterations", least=1),
        save_output=reader.whole(head, HEAD, "save_output", "save_output"),
        save_checkpoint=reader.whole(head, HEAD, "save_checkpoint", "save_checkpoint"),
        save_tracers=reader.whole(head, HEAD, "save_tracers", "save_tracers"),
        bodies=tuple(_body(reader, block, f"bodies.{i}") for i, block in enumerate(blocks["body"], start=1)),
        joints=tuple(
            _joint(reader, block, f"joints.{i}", len(blocks["body"]))
            for i, block in enumerate(blocks["joint"], start=1)
        ),
    )


def _blocks(reader: Reader, lines: list[tuple[int, str]]) -> dict[str, list[Block]]:
    """Return the entries of a main file grouped into its head, bodies and joints."""
    lines = _named(reader, lines)
    blocks: dict[str, list[Block]] = {"head": [Block("the head of the file", 1)], "body": [], "joint": []}
    kind = "head"
    for entry in entries(reader, lines, [HEAD, BODY, JOINT], _TITLE):
        title = _TITLE.match(entry.value) if not entry.key else None
        new = title.group(1).lower() if title else _untitled(entry, kind, blocks[kind][-1])
        if new:
            kind = new
            number = len(blocks[kind]) + 1
            blocks[kind].append(Block(f"{kind} {number}", entry.line))
            reader.places[f"{'bodies' if kind == 'body' else 'joints'}.{number}"] = (reader.file, entry.line)
            if title and title.group(2) and int(title.group(2)[:9]) != number:
                reader.add(
                    f"is called {title.group(2)[:9]} but is {kind} {number} by its place", "", entry.line, "warning"
                )
            if not title:
                what = f"the line '{kind.capitalize()} {number}' is missing before '{entry.key}'"
                reader.add(what, "", entry.line, "warning")
        if entry.key:
            field = _KEYS[kind].find(entry.key)
            if field is None:
                reader.add(f"'{entry.key}' is not a key of {blocks[kind][-1].what}", "", entry.line)
            else:
                blocks[kind][-1].add(field, entry)
    return blocks


def _named(reader: Reader, lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines with `Name:` put before a first line that is only the name, as in Table 9."""
    first = next(((at, number, line) for at, (number, line) in enumerate(lines) if line.strip()), None)
    if first is None or ":" in first[2] or not re.match(r"\s*[^\W\d]", first[2]) or _TITLE.match(first[2].strip()):
        return lines
    at, number, line = first
    reader.add("the first line has no key; it is taken as 'Name'", "name", number, "warning")
    return [*lines[:at], (number, f"Name: {line.strip()}"), *lines[at + 1 :]]


def _untitled(entry: Entry, kind: str, block: Block) -> str:
    """Return the kind of block that an entry begins without a title, '' if it belongs to the present one."""
    for new, (first, last) in _FIRST_AND_LAST.items():
        if _KEYS[new].find(entry.key) == first:
            if kind == "head" and new == "body":
                return "body" if "name" in block.entries and len(block.entries) > 1 else ""
            if kind != new:
                return new if block.entries else ""
            return new if last in block.entries else ""
    return ""


def _body(reader: Reader, block: Block, path: str) -> MbdmBody:
    def three(name: str) -> Vector:
        return reader.vector(block, BODY, name, f"{path}.{name}")

    return MbdmBody(
        name=reader.text(block, BODY, "name", f"{path}.name"),
        angles=three("angles"),
        r=three("r"),
        v=three("v"),
        omega=three("omega"),
        mass=reader.number(block, BODY, "mass", f"{path}.mass", above=0.0, default=1.0),
        inertia=(three("i1"), three("i2"), three("i3")),
    )


def _joint(reader: Reader, block: Block, path: str, bodies: int) -> MbdmJoint:
    kind = reader.text(block, JOINT, "type", f"{path}.type").upper()
    if kind and kind not in JOINT_TYPES:
        line = reader.places[f"{path}.type"][1]
        reader.add(unknown("joint type", kind, JOINT_TYPES), f"{path}.type", line)
    vectors = {
        name: reader.vector(block, JOINT, name, f"{path}.{name}") for name in ("p1", "q1", "r1", "p2", "q2", "r2")
    }
    pair = reader.numbers(block, JOINT, "bodies", f"{path}.bodies", 2)
    if pair is not None and kind in JOINT_TYPES:
        _check_pair(reader, kind, pair, bodies, f"{path}.bodies")
    dist = reader.number(block, JOINT, "dist", f"{path}.dist")
    first, second = pair or (0, 0)
    return MbdmJoint(kind, (int(first), int(second)), **vectors, dist=dist)


def _check_pair(reader: Reader, kind: str, pair: tuple[float, ...], bodies: int, path: str) -> None:
    line = reader.places[path][1]
    alone = kind in ONE_BODY
    for number, value in enumerate(pair):
        least = 0 if alone and number == 1 else 1
        if value != int(value) or not least <= value <= bodies:
            where = f"expected the ID of a body, {least} to {bodies}" if bodies else "there are no bodies"
            reader.add(f"{where}; got {value:g}", path, line)
    if alone and pair[1] != 0:
        reader.add(f"{kind} holds body {pair[0]:g} alone; the second ID is not used", path, line, "warning")
    elif pair[0] == pair[1]:
        reader.add(f"joins body {pair[0]:g} with itself", path, line)
