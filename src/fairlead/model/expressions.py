"""Expressions: a line of text into a small stack program, or one sentence on what is wrong and where.

The text is read by a parser of its own that knows numbers, operators, a fixed table of functions and channels, and
emits instructions as it reads (operands first, then the operator). Nothing in a model file is ever run as code.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, NoReturn

from fairlead.core.expressions import opcodes

Resolve = Callable[[str, str], int]
CONSTANTS = {"pi": math.pi, "e": math.e}
KEYWORDS = ("and", "or", "not")

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z][A-Za-z0-9_]*)"
    r"|`(?P<quoted>[^`\n]*)`"
    r"|(?P<sign>\*\*|<=|>=|==|!=|[-+*/^<>(),.])"
)
_INSTEAD = {"=": "==", "&": "and", "|": "or", "!": "not", "[": "(", "{": "(", "ln": "log", "pow": "**", "if": "where"}
_CHANNEL_FORM = "a channel is name.quantity, with backticks round a name that has spaces or hyphens"


class Program(NamedTuple):
    """One expression as instructions, their arguments, and the most values its stack holds."""

    op: tuple[int, ...]
    arg: tuple[float, ...]
    depth: int


class Token(NamedTuple):
    """A piece of the text: its kind, its characters and where it begins."""

    kind: str
    text: str
    at: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else _quote(self.text)


def parse(text: str, resolve: Resolve) -> Program:
    """Return the program of an expression; a mistake is a ValueError with its column and what was expected.

    `resolve(name, quantity)` gives the number of a channel, 1 or more, and raises a ValueError or LookupError with a
    sentence where there is none.
    """
    return _Parser(text, resolve).program()


def time_only(name: str, quantity: str) -> NoReturn:
    """Refuse every channel: the `resolve` of motions, which are functions of t alone."""
    raise ValueError(f"'{name}.{quantity}' cannot be used here, where the only variable is t")


def resolver(channels: Mapping[str, Mapping[str, int]]) -> Resolve:
    """Return a `resolve` that looks names and quantities up in `channels` and suggests the nearest spelling."""

    def resolve(name: str, quantity: str) -> int:
        if name not in channels:
            raise ValueError(f"unknown name {_quote(name)}{nearest(name, channels)}")
        if quantity not in channels[name]:
            known = ", ".join(channels[name])
            raise ValueError(f"{_quote(name)} has no quantity {_quote(quantity)}, only {known}")
        return channels[name][quantity]

    return resolve


def nearest(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean '...'?" with the closest of `known`, or nothing."""
    spellings = {item.lower(): item for item in known}
    close = difflib.get_close_matches(word[:64].lower(), spellings, n=1)
    return f"; did you mean '{spellings[close[0]]}'?" if close else ""


def _quote(word: str) -> str:
    return repr(word if len(word) <= 40 else word[:37] + "...")


class _Parser:
    """Reads by operator precedence: each operand is emitted as it is met, each operator after its right side."""

    def __init__(self, text: str, resolve: Resolve) -> None:
        self.text, self.resolve = text, resolve
        self.op: list[int] = []
        self.arg: list[float] = []
        self.height = self.highest = self.nesting = self.place = 0

    def program(self) -> Program:
        if len(self.text) > opcodes.MOST_CHARACTERS:
            self.refuse(f"the expression is longer than {opcodes.MOST_CHARACTERS} characters", opcodes.MOST_CHARACTERS)
        self.tokens = list(self.split())
        self.expression(0)
        if self.next.kind != "end":
            self.expected("an operator or the end")
        return Program(tuple(self.op), tuple(self.arg), self.highest)

    # Words

    def split(self) -> Iterable[Token]:
        at = 0
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            if not match:
                wrong = self.text[at]
                known = "a backtick without its partner" if wrong == "`" else f"unexpected character {wrong!r}"
                self.refuse(known, at, self.instead(wrong))
            kind = str(match.lastgroup)
            if kind != "space":
                yield Token(kind, match[kind], at)
            at = match.end()
        yield Token("end", "", at)

    @property
    def next(self) -> Token:
        return self.tokens[self.place]

    def take(self) -> Token:
        self.place += 1
        return self.tokens[self.place - 1]

    def accept(self, sign: str) -> bool:
        found = self.next.kind == "sign" and self.next.text == sign
        self.place += found
        return found

    def close(self, sign: str, why: str) -> None:
        if not self.accept(")"):
            self.expected(sign, f" {why}")

    # Sentences

    def expression(self, level: int) -> None:
        """Read an operand and every operator that binds tighter than `level`."""
        self.nesting += 1
        if self.nesting > opcodes.MOST_DEPTH:
            self.refuse(f"the expression is nested deeper than {opcodes.MOST_DEPTH}", self.next.at)
        self.operand(level)
        compared = False
        while self.next.kind != "quoted" and self.next.text in opcodes.OPERATORS:
            code, own = opcodes.OPERATORS[self.next.text]
            if own <= level:
                break
            at = self.take().at
            if own == opcodes.COMPARISON_LEVEL and compared:
                self.refuse("comparisons cannot be chained", at, "; write 'a < b and b < c'")
            compared = own == opcodes.COMPARISON_LEVEL
            # The power groups from the right and takes a signed exponent, 2**-1; the others group from the left.
            self.expression(opcodes.SIGN_LEVEL if own == opcodes.POWER_LEVEL else own)
            self.emit(code, at)
        self.nesting -= 1

    def operand(self, level: int) -> None:
        token = self.take()
        if token.kind == "number":
            self.number(token)
        elif token.kind == "quoted" or (token.kind == "name" and token.text not in KEYWORDS):
            self.named(token)
        elif token.text == "not" and level <= opcodes.NOT_LEVEL:
            self.expression(opcodes.NOT_LEVEL)
            self.emit(opcodes.NOT, token.at)
        elif token.text in ("-", "+"):
            self.expression(opcodes.SIGN_LEVEL)
            if token.text == "-":
                self.emit(opcodes.NEG, token.at)
        elif token.text == "(":
            self.expression(0)
            self.close("')'", f"to close the '(' of column {token.at + 1}")
        else:
            self.place -= 1
            self.expected("a number, a function, t, a channel or '('")

    def number(self, token: Token) -> None:
        value = float(token.text)
        if not math.isfinite(value):
            self.refuse(f"the number {_quote(token.text)} is too large", token.at)
        self.emit(opcodes.CONSTANT, token.at, value)

    def named(self, token: Token) -> None:
        """Read a channel, a call, a constant or t, told apart by what follows the name."""
        if self.accept("."):
            self.channel(token)
        elif token.kind == "quoted":
            self.expected("'.' and a quantity", " after a name in backticks")
        elif self.accept("("):
            self.call(token)
        elif token.text == "t":
            self.emit(opcodes.CHANNEL, token.at, 0.0)
        elif token.text in CONSTANTS:
            self.emit(opcodes.CONSTANT, token.at, CONSTANTS[token.text])
        elif token.text in opcodes.FUNCTIONS:
            self.expected("'('", f" after the function '{token.text}'")
        else:
            known = nearest(token.text, ("t", *CONSTANTS, *opcodes.FUNCTIONS)) or f"; {_CHANNEL_FORM}"
            self.refuse(f"unknown name {_quote(token.text)}", token.at, known)

    def channel(self, token: Token) -> None:
        if self.next.kind != "name":
            self.expected("a quantity", f" after {_quote(token.text + '.')}")
        quantity = self.take()
        try:
            number = self.resolve(token.text, quantity.text)
        except (ValueError, LookupError) as error:
            reason = error.args[0] if error.args else "unknown channel"
            raise ValueError(f"at column {token.at + 1}: {reason}") from None
        self.emit(opcodes.CHANNEL, token.at, float(number))

    def call(self, token: Token) -> None:
        if token.text not in opcodes.FUNCTIONS:
            known = self.instead(token.text) or nearest(token.text, opcodes.FUNCTIONS)
            self.refuse(f"unknown function {_quote(token.text)}", token.at, known)
        code, least, most = opcodes.FUNCTIONS[token.text]
        given = 0
        while given == 0 or self.accept(","):
            self.expression(0)
            given += 1
            if most is None and given > 1:  # min and max of many are taken two at a time
                self.emit(code, token.at)
        self.close("',' or ')'", f"in the call of '{token.text}'")
        if given < least or (most is not None and given > most):
            number = f"{least} or more" if most is None else f"{least}"
            self.refuse(f"'{token.text}' takes {number} argument{'s' * (number != '1')} but has {given}", token.at)
        if most is not None:
            self.emit(code, token.at)

    # Instructions and refusals

    def emit(self, code: int, at: int, arg: float = 0.0) -> None:
        self.op.append(code)
        self.arg.append(arg)
        self.height += 1 - opcodes.arity(code)
        self.highest = max(self.highest, self.height)
        if len(self.op) > opcodes.MOST_OPERATIONS:
            self.refuse(f"the expression has more than {opcodes.MOST_OPERATIONS} operations", at)
        if self.height > opcodes.MOST_DEPTH:
            self.refuse(f"the expression holds more than {opcodes.MOST_DEPTH} values at once", at)

    def expected(self, what: str, why: str = "") -> NoReturn:
        self.refuse(f"expected {what}", self.next.at, f"{why}, found {self.next}{self.instead(self.next.text)}")

    def instead(self, word: str) -> str:
        return f"; did you mean '{_INSTEAD[word]}'?" if word in _INSTEAD else ""

    def refuse(self, what: str, at: int, hint: str = "") -> NoReturn:
        raise ValueError(f"{what} at column {at + 1}{hint}")
