"""An XML text as a tree that remembers lines; nothing is looked up outside the text, and nothing in it is expanded.

Document types and entities are refused where they begin, since they can name other files and grow without bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from fairlead.formats.yaml.tree import Refused

MOST_DEPTH = 64
MOST_ELEMENTS = 1_000_000


@dataclass
class Element:
    """A tag with its attributes and what it encloses; text between tags is left out. Lines and columns from 1."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> list[Element]:
        """Return the enclosed elements of one tag, not those deeper down."""
        return [child for child in self.children if child.tag == tag]

    def walk(self) -> Iterator[Element]:
        """Give this element and all inside it, in the order of the file."""
        waiting = [self]
        while waiting:
            here = waiting.pop()
            yield here
            waiting += reversed(here.children)


def read_xml(text: str) -> Element:
    """Return the outermost element of an XML text; Refused with line and column if it cannot be read."""
    return _Builder().read(text)


class _Builder:
    """Builds elements from the events of expat, counting them."""

    def __init__(self) -> None:
        self.root: Element | None = None
        self.open: list[Element] = []
        self.count = 0
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._doctype

    def read(self, text: str) -> Element:
        try:
            self.parser.Parse(text, True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            inside = f" inside <{self.open[-1].tag}> of line {self.open[-1].line}" if self.open else ""
            raise Refused(f"is not valid XML: {what}{inside}", error.lineno, error.offset + 1) from None
        assert self.root is not None  # expat reports a text without an element itself
        return self.root

    def _refuse(self, message: str) -> NoReturn:
        raise Refused(message, *self._place())

    def _place(self) -> tuple[int, int]:
        return self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MOST_ELEMENTS:
            self._refuse(f"has more than {MOST_ELEMENTS} elements")
        if len(self.open) >= MOST_DEPTH:
            self._refuse(f"is nested deeper than {MOST_DEPTH} levels")
        element = Element(tag, attributes, *self._place())
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, tag: str) -> None:
        self.open.pop()

    def _doctype(self, *_: object) -> NoReturn:
        self._refuse("declares a document type or entities (<!DOCTYPE ...>), which is not read; remove it")
