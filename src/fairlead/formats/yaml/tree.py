"""A YAML text as a tree that remembers lines, read event by event so that nothing is built before it is counted.

YAML 1.2 core: `1e-3` is a number, `no` is a text. Tags, merge keys, duplicate keys and numbers that older readers take
for something else are refused with a sentence; nothing in a file is ever constructed as an object.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.scanner import Scanner

MOST_DEPTH = 64
MOST_ALIASES = 1000
MOST_NODES = 1_000_000

Path = tuple[str | int, ...]

_INT = re.compile(r"[-+]?[0-9]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_WORDS: dict[str, bool | None] = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
_WORDS |= dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(("false", "False", "FALSE"), False)
# Plain texts that readers take for different things; each with what to write instead.
_AMBIGUOUS = (
    (re.compile(r"[-+]?0[0-9]+"), "looks octal; write it without the leading zero, or quote it"),
    (
        re.compile(r"[-+]?[0-9]+(?::[0-9]+(?:\.[0-9]*)?)+"),
        "looks like a time or base 60; write one number, or quote it",
    ),
    (re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?"), "looks like a date; write a number, or quote it"),
    (re.compile(r"[-+]?[0-9][0-9_]*_[0-9_]*(?:\.[0-9_]*)?"), "has underscores; write the digits alone, or quote it"),
    (re.compile(r"[-+]?[0-9]+,[0-9]+"), "has a comma; write a decimal point, or quote it"),
    (re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+\.?[0-9]*)[dD][-+]?[0-9]+"), "has a Fortran exponent; write e for the d"),
)
_TOO_DEEP = f"is nested deeper than {MOST_DEPTH} levels"


class Complaint(NamedTuple):
    """Something wrong at a place of the file; lines and columns count from 1."""

    message: str
    path: Path
    line: int
    column: int


class Refused(Exception):
    """The file cannot be read on; `complaint` says why."""

    def __init__(self, message: str, line: int = 0, column: int = 0, path: Path = ()):
        super().__init__(message)
        self.complaint = Complaint(message, path, line, column)


class Entry(NamedTuple):
    """One field of a mapping: where its key stands, and its value."""

    line: int
    column: int
    node: Node


@dataclass(slots=True)
class Node:
    """A scalar, a list of nodes or a mapping of entries, where it starts, and how many nodes it stands for."""

    value: Any
    line: int
    column: int
    size: int = 1
    plain: Any = None

    def data(self) -> Any:
        """Return dicts, lists and scalars; what aliases share stays shared."""
        if self.plain is None:
            if isinstance(self.value, dict):
                self.plain = {key: entry.node.data() for key, entry in self.value.items()}
            elif isinstance(self.value, list):
                self.plain = [node.data() for node in self.value]
            else:
                self.plain = self.value
        return self.plain

    def child(self, part: str | int) -> Node | None:
        """Return the node under a key or an index, or None."""
        if isinstance(self.value, dict) and isinstance(part, str) and part in self.value:
            return self.value[part].node
        if isinstance(self.value, list) and isinstance(part, int) and part < len(self.value):
            return self.value[part]
        return None

    def locate(self, path: Path) -> tuple[int, int]:
        """Return line and column of the last part of `path` that exists: its value, or its key if that is above."""
        node, line, column = self, self.line, self.column
        for part in path:
            inner = node.child(part)
            if inner is None:
                break
            line, column = inner.line, inner.column
            if isinstance(node.value, dict) and node.value[part].line != line:
                line, column = node.value[part].line, node.value[part].column
            node = inner
        return line, column

    def locate_key(self, path: Path) -> tuple[int, int]:
        """Return line and column of the key that `path` ends with."""
        parent: Node | None = self
        for part in path[:-1]:
            parent = parent.child(part) if parent is not None else None
        if parent is None or not path or not isinstance(parent.value, dict) or path[-1] not in parent.value:
            return self.locate(path)
        return parent.value[path[-1]].line, parent.value[path[-1]].column


@dataclass
class Tree:
    """The content of a text, and everything wrong with it as far as YAML goes."""

    root: Node | None = None
    complaints: list[Complaint] = field(default_factory=list)


def read_tree(text: str) -> Tree:
    """Return the tree of a YAML text with every complaint about it; a text that cannot be read on ends with one."""
    tree = Tree()
    yaml = YAML(typ="safe", pure=True)
    yaml.Scanner = _ShallowScanner
    try:
        tree.root = _Builder(yaml.parse(text), tree.complaints).document()
    except Refused as refused:
        tree.complaints.append(refused.complaint)
    except MarkedYAMLError as error:
        tree.complaints.append(_syntax(error))
    except (YAMLError, ValueError, OverflowError) as error:  # the parser lets some of its own conversions fail
        tree.complaints.append(Complaint(f"is not valid YAML: {str(error).splitlines()[0]}", (), 1, 1))
    return tree


def _syntax(error: Any) -> Complaint:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    what = str(error.problem or error.context or "unreadable").replace("'<stream end>'", "the end of the file")
    began = error.context_mark
    where = f" ({error.context} that begins in line {began.line + 1})" if began and error.context else ""
    return Complaint(f"is not valid YAML: {what}{where}", (), line, column)


class _ShallowScanner(Scanner):
    """Stops at too many open brackets itself, since it reads far ahead of its events inside brackets."""

    def fetch_flow_collection_start(self, TokenClass: Any, to_push: str) -> None:
        if self.flow_level >= MOST_DEPTH:
            raise Refused(_TOO_DEEP, self.reader.line + 1, self.reader.column + 1)
        super().fetch_flow_collection_start(TokenClass, to_push)


class _Builder:
    """Builds nodes from parsing events, counting depth, aliases and what aliases expand to."""

    def __init__(self, events: Iterator[Any], complaints: list[Complaint]):
        self.events = events
        self.complaints = complaints
        self.anchors: dict[str, Node | None] = {}
        self.aliases = 0
        self.nodes = 0

    def document(self) -> Node:
        """Return the root of the only document."""
        kind, event = self._next()
        while kind == "StreamStart":
            kind, event = self._next()
        if kind == "StreamEnd":
            raise Refused("is empty; a model file begins with 'fairlead: 1'", 1, 1)
        root = self._node(*self._next(), (), 1)
        self._next()
        kind, event = self._next()
        if kind != "StreamEnd":
            raise Refused("holds more than one document; a model is one document", *_start(event))
        return root

    def _next(self) -> tuple[str, Any]:
        event = next(self.events)
        return type(event).__name__.removesuffix("Event"), event

    def _node(self, kind: str, event: Any, path: Path, depth: int) -> Node:
        line, column = _start(event)
        if kind == "Alias":
            return self._alias(event, path)
        if depth > MOST_DEPTH:
            raise Refused(_TOO_DEEP, line, column)
        self._count(1, line, column)
        if event.anchor:
            self.anchors[event.anchor] = None  # not complete yet: an alias to it from inside would never end
        node = Node(None, line, column)
        if kind == "Scalar":
            node.value = self._scalar(event, path)
        elif kind == "SequenceStart":
            self._sequence(node, path, depth)
        else:
            self._mapping(node, path, depth)
        if event.tag:
            tag = str(event.tag).replace("tag:yaml.org,2002:", "!!")
            self._complain(f"has the tag '{tag}'; tags are not allowed in a model file", path, event)
            node.value = math.nan  # refused by every number and word, and reported once, here
        if event.anchor:
            self.anchors[event.anchor] = node
        return node

    def _count(self, nodes: int, line: int, column: int) -> None:
        self.nodes += nodes
        if self.nodes > MOST_NODES:
            raise Refused(f"stands for more than {MOST_NODES} values, aliases expanded", line, column)

    def _alias(self, event: Any, path: Path) -> Node:
        line, column = _start(event)
        self.aliases += 1
        if self.aliases > MOST_ALIASES:
            raise Refused(f"has more than {MOST_ALIASES} aliases", line, column)
        if event.anchor not in self.anchors:
            self._complain(f"alias '*{event.anchor}' has no anchor '&{event.anchor}' before it", path, event)
            return Node(math.nan, line, column)
        node = self.anchors[event.anchor]
        if node is None:
            raise Refused(f"alias '*{event.anchor}' stands inside its own anchor", line, column)
        self._count(node.size, line, column)
        return node

    def _sequence(self, node: Node, path: Path, depth: int) -> None:
        node.value = []
        kind, event = self._next()
        while kind != "SequenceEnd":
            item = self._node(kind, event, (*path, len(node.value)), depth + 1)
            node.value.append(item)
            node.size += item.size
            kind, event = self._next()

    def _mapping(self, node: Node, path: Path, depth: int) -> None:
        node.value = {}
        kind, event = self._next()
        while kind != "MappingEnd":
            key = self._key(kind, event, path, depth)
            inner = (*path, key) if key is not None else path
            value = self._node(*self._next(), inner, depth + 1)
            node.size += 1 + value.size
            if key is not None and key in node.value:
                first = node.value[key].line
                self._complain(f"is given twice: in line {first} and in line {_start(event)[0]}", inner, event)
            elif key is not None:
                node.value[key] = Entry(*_start(event), value)
            kind, event = self._next()

    def _key(self, kind: str, event: Any, path: Path, depth: int) -> str | None:
        """Return a key as the text it is written as; None when it cannot be one."""
        if kind == "Scalar" and not event.tag and not (event.style is None and event.value == "<<"):
            self._count(1, *_start(event))
            if event.anchor:
                self.anchors[event.anchor] = Node(event.value, *_start(event))
            return str(event.value)
        self._node(kind, event, path, depth + 1)
        if kind == "Scalar" and not event.tag:
            self._complain("merge keys '<<' are not part of YAML 1.2; write the fields out", (*path, "<<"), event)
        elif not getattr(event, "tag", None):
            self._complain("a key must be a plain text", path, event)
        return None

    def _scalar(self, event: Any, path: Path) -> Any:
        if event.style is not None:
            return event.value
        value, complaint = resolve(event.value)
        if complaint:
            self._complain(complaint, path, event)
        return value

    def _complain(self, message: str, path: Path, event: Any) -> None:
        self.complaints.append(Complaint(message, path, *_start(event)))


def _start(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


def resolve(text: str) -> tuple[Any, str]:
    """Return the value of a plain YAML 1.2 scalar and, where it has no safe meaning, a sentence."""
    if text in _WORDS:
        return _WORDS[text], ""
    if text[0] not in "+-.0123456789":
        return text, ""
    shown = text if len(text) <= 40 else text[:37] + "..."
    for pattern, sentence in _AMBIGUOUS:
        if len(text) <= 40 and pattern.fullmatch(text):
            return math.nan, f"{shown} {sentence}"
    if _NOT_FINITE.fullmatch(text):
        return math.nan, f"expected a finite number, got {shown}"
    if _HEX.fullmatch(text) and len(text) < 20:
        return int(text, 0), ""
    if _INT.fullmatch(text) and len(text) < 300:
        return int(text), ""
    if _FLOAT.fullmatch(text):
        number = float(text)
        return (
            (number, "") if math.isfinite(number) else (math.nan, f"expected a finite number, got {shown}, too large")
        )
    return text, ""
