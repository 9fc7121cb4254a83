"""Lines of legacy files as entries `key: value`, found by key, and their values as numbers.

What people's files contain is accepted: other spacing and capitals, a value continued on the next line, missing blank
lines, remarks after values, Windows line ends, a byte-order mark, tabs, Fortran exponents.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from fairlead.errors import Problem
from fairlead.formats.text import read_text
from fairlead.formats.yaml.tree import Refused
from fairlead.model.messages import nearest
from fairlead.model.reading import MOST_PROBLEMS
from fairlead.units import short

MOST_HINTS = 20  # near spellings cost time, and no more problems than this are shown
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?")
_NOT_FINITE = re.compile(r"[-+]?(?:nan(?:\(.*\))?|inf(?:inity)?)", re.I)
_REMARK = re.compile(r"\s*(?:#|!|%|;|//).*")
_MARKED_LINE = re.compile(r"\s*(?:#|!|%|;|//)")
_RULE = re.compile(r"\s*[-=_*~+.]{3,}\s*")
_STARTS_WITH_NUMBER = re.compile(r"\s*[-+.]?\d")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_LINE_END = re.compile(r"\r\n|\r|\n")


def folded(key: str) -> str:
    """Return a key without capitals, spaces and signs: what two spellings of it have in common."""
    return re.sub(r"[\W_]+", "", key.casefold())


def bare(key: str) -> str:
    """Return a folded key without what it says in brackets."""
    return folded(_BRACKETS.sub("", key))


class Keys:
    """The keys of one kind of block, as the note spells them; `find` gives the field a spelling stands for."""

    def __init__(self, what: str, fields: dict[str, str], optional: Iterable[str] = (), many: Iterable[str] = ()):
        self.what, self.fields = what, fields
        self.optional, self.many = set(optional), set(many)
        self._known: dict[str, str] = {}
        for name, spelling in fields.items():
            self._known[folded(spelling)] = name
            if len(bare(spelling)) > 1:
                self._known[bare(spelling)] = name

    def find(self, key: str) -> str | None:
        """Return the field a key stands for, None if it is not one of these."""
        return self._known.get(folded(key)) or self._known.get(bare(key))


@dataclass
class Entry:
    """One `key: value` and the line it stands in; `value` holds continued lines too."""

    line: int
    key: str
    value: str


@dataclass
class Block:
    """A group of entries, by field; `title` is what its first line says."""

    what: str
    line: int
    title: str = ""
    entries: dict[str, list[Entry]] = field(default_factory=dict)

    def add(self, name: str, entry: Entry) -> None:
        """Keep an entry under its field."""
        self.entries.setdefault(name, []).append(entry)


class TooMany(Exception):
    """Raised when a file has more problems than anyone reads."""


class Reader:
    """Reads one file: gathers problems, and turns the entries of blocks into values."""

    def __init__(self, file: str):
        self.file = file
        self.problems: list[Problem] = []
        self.places: dict[str, tuple[str, int]] = {}
        self.all_keys: list[Keys] = []
        self._hints = 0

    def lines(self) -> list[tuple[int, str]]:
        """Return the numbered lines of the file; a file that is no text is a problem and has none."""
        try:
            text = read_text(self.file)
        except Refused as refused:
            wrong = refused.complaint
            self.problems.append(Problem(wrong.message, "", self.file, wrong.line, wrong.column))
            return []
        lines = list(enumerate(_LINE_END.split(text), start=1))
        if not text.strip():
            self.problems.append(Problem("is empty", "", self.file, 1))
        return lines

    def add(self, message: str, path: str = "", line: int = 0, severity: str = "error") -> None:
        """Note a problem of this file."""
        self.problems.append(Problem(message, path, self.file, line, severity=severity))
        if len(self.problems) > MOST_PROBLEMS:
            raise TooMany

    def hint(self, given: str, known: Iterable[str]) -> str:
        """Return the end of a sentence that offers the nearest of `known`."""
        self._hints += 1
        close = nearest(given, known) if self._hints <= MOST_HINTS else []
        return f"; did you mean '{close[0]}'?" if close else ""

    @property
    def failed(self) -> bool:
        """Return whether an error was found."""
        return any(problem.severity == "error" for problem in self.problems)

    def one(self, block: Block, keys: Keys, name: str, path: str) -> Entry | None:
        """Return the entry of a field; the last one counts where the key is repeated."""
        found = block.entries.get(name, [])
        if not found:
            if name not in keys.optional:
                self.add(f"is missing; expected '{keys.fields[name]}: ...' in {block.what}", path, block.line)
            return None
        if len(found) > 1:
            lines = ", ".join(str(entry.line) for entry in found)
            self.add(
                f"'{found[-1].key}' is given in lines {lines}; the last one counts", path, found[-1].line, "warning"
            )
        self.places[path] = (self.file, found[-1].line)
        return found[-1]

    def text(self, block: Block, keys: Keys, name: str, path: str, default: str = "") -> str:
        """Return the text of a field, without a marked remark after it."""
        entry = self.one(block, keys, name, path)
        if entry is None:
            return default
        value = re.sub(r"(?:^|\s)(?:#|!|%|//).*", "", entry.value).strip()
        if not value:
            self.add("has no value", path, entry.line)
        self._second_key(value, path, entry.line)
        return value

    def numbers(self, block: Block, keys: Keys, name: str, path: str, count: int) -> tuple[float, ...] | None:
        """Return `count` finite numbers of a field, None after noting why there are none."""
        entry = self.one(block, keys, name, path)
        return None if entry is None else self.numbers_in(entry, path, count)

    def numbers_in(self, entry: Entry, path: str, count: int) -> tuple[float, ...] | None:
        """Return `count` finite numbers of one entry, None after noting why there are none."""
        values, rest, wrong = _numbers(entry.value, count)
        if wrong:
            self.add(wrong, path, entry.line)
            return None
        if rest:
            self._second_key(rest, path, entry.line)
            alone = len(rest.split()) == 1  # a single word may be meant as a unit, which no legacy file has
            what = f"{short(rest)} after the value is taken as a remark" + (
                "; values are SI and radians" if alone else ""
            )
            self.add(what, path, entry.line, "warning" if alone else "note")
        return values

    def number(
        self,
        block: Block,
        keys: Keys,
        name: str,
        path: str,
        *,
        above: float = -math.inf,
        least: float = -math.inf,
        default: float = 0.0,
    ) -> float:
        """Return one number of a field, greater than `above` and not below `least`."""
        found = self.numbers(block, keys, name, path, 1)
        if found is None:
            return default
        if not found[0] > above or found[0] < least:
            bound = f"greater than {above:g}" if above > -math.inf else f"at least {least:g}"
            self.add(f"must be {bound}; got {found[0]:g}", path, self.places[path][1])
        return found[0]

    def vector(self, block: Block, keys: Keys, name: str, path: str) -> tuple[float, float, float]:
        """Return three numbers of a field."""
        x, y, z = self.numbers(block, keys, name, path, 3) or (0.0, 0.0, 0.0)
        return x, y, z

    def whole(self, block: Block, keys: Keys, name: str, path: str, *, least: int = 0, most: float = math.inf) -> int:
        """Return one whole number of a field, from `least` to `most`."""
        found = self.numbers(block, keys, name, path, 1)
        if found is None:
            return least
        value = found[0]
        if value != int(value) or not least <= value <= most:
            upto = f"from {least} to {most:g}" if most < math.inf else f"of at least {least}"
            self.add(f"expected a whole number {upto}, got {value:g}", path, self.places[path][1])
        return int(value)

    def _second_key(self, text: str, path: str, line: int) -> None:
        """Refuse a value after which another entry begins in the same line: it would be lost."""
        words = text.partition(":")[0].split()
        for start in range(len(words)) if ":" in text else ():
            key = " ".join(words[start:])
            if any(keys.find(key) for keys in self.all_keys):
                self.add(f"'{key}:' follows in the same line; give it a line of its own", path, line)
                return


def _numbers(text: str, count: int) -> tuple[tuple[float, ...], str, str]:
    """Return the numbers a value starts with, the remark after them, and what is wrong."""
    text = _REMARK.sub("", text).strip()
    wanted = "a number" if count == 1 else f"{count} numbers"
    values: list[float] = []
    rest = ""
    for match in re.finditer(r"[^\s,]+", text):
        word = match.group()
        if not _NUMBER.fullmatch(word):
            if _NOT_FINITE.fullmatch(word) and len(values) < count:
                return (), "", f"expected {wanted}, got {short(word)}, which is not finite"
            if len(values) < count:
                return (), "", f"expected {wanted}, got {short(word)}"
            rest = text[match.start() :]
            break
        value = float(word.replace("D", "e").replace("d", "e"))
        if not math.isfinite(value):
            return (), "", f"expected {wanted}, got {short(word)}, which is too large"
        values.append(value)
    if len(values) != count:
        hint = ""
        if len(values) == 2 * count and "," in text:
            hint = "; decimals are written with a point, not a comma"
        return (), "", f"expected {wanted}, got {len(values) or 'none'} in {short(text)}{hint}"
    return tuple(values), rest, ""


def entries(
    reader: Reader, lines: list[tuple[int, str]], known: list[Keys], title: re.Pattern[str] | None = None
) -> list[Entry]:
    """Return the entries of a file in order, each with its continued lines; a title is an entry without a key."""
    reader.all_keys = known
    found: list[Entry] = []
    last: Entry | None = None  # the entry a line without a key may continue
    for number, line in lines:
        stripped = line.strip()
        if _MARKED_LINE.match(line) or _RULE.fullmatch(line):
            continue
        key, colon, value = line.partition(":")
        if not stripped:
            last = None if last is not None and last.value else last
        elif last is not None and _STARTS_WITH_NUMBER.match(line):
            last.value += " " + stripped
        elif colon and any(keys.find(key) for keys in known):
            last = Entry(number, key.strip(), value.strip())
            found.append(last)
        elif title is not None and title.match(stripped):
            last = None
            found.append(Entry(number, "", stripped))
        elif last is not None and not last.value and not colon:
            last.value = stripped
        elif colon:
            spellings = [spelling for keys in known for spelling in keys.fields.values()]
            reader.add(f"'{key.strip()}' is not a known key{reader.hint(key.strip(), spellings)}", "", number)
            last = Entry(number, key.strip(), value.strip())  # what continues it is not complained about again
        else:
            reader.add(f"expected 'key: value', got {short(stripped)}", "", number)
    return found
