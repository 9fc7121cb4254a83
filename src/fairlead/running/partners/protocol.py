"""The messages between a run and its partners: a header of 64 bytes and a body of float64 or text, checked both ways.

Everything is little-endian. `docs/coupling.md` describes it for those who write a partner in another language.
"""

from __future__ import annotations

import struct
import zlib
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

WHERE = "FAIRLEAD_PARTNER"  # names the connection in the environment of a started partner: unix:PATH, tcp:PORT or mpi
NAME, TOKEN = "FAIRLEAD_PARTNER_NAME", "FAIRLEAD_PARTNER_TOKEN"
MAGIC, MARK, VERSION = b"FLCP", 0x01020304, 1
HEADER = struct.Struct("<4sIHHIQddIIIIII")
FLOATS, TEXT = 1, 2  # types of a body
MOST_TEXT, MOST_FLOATS = 65536, 4096  # a length beyond these is refused before anything is set aside for it


class Kind(IntEnum):
    """The kinds of messages; the partner's first one is HELLO, ours are answered one by one."""

    HELLO = 1  # partner: who it is, as text
    WELCOME = 2  # we: what it is to do, as text
    READY = 3  # partner: where it stands, as text
    MOTION = 4  # we: the motion at `time`; `step` is the time until the next one, 0 if there is none
    LOAD = 5  # partner: force and moment at `time`
    CHECKPOINT = (
        6  # we: write your state under the number in `flags`; that before it stays, until everyone has this one
    )
    ACKNOWLEDGE = 7  # partner: written, as text with time and hash
    STOP = 8  # we: end
    STOPPED = 9  # partner: about to end
    ERROR = 10  # either: why it cannot go on, as text


class Flag(IntEnum):
    """The special motions; no flag for that at the end of a step."""

    MIDDLE = 1  # of the predictor, in the middle of the step
    TRIAL = 2  # a guess at the next instant: answer as from the last one that was none
    FIRST = 4  # of a large-step partner: the instant at which the run starts, to be answered for itself


KINDS = {int(kind): kind for kind in Kind}


class ProtocolError(Exception):
    """A message is not what it should be; the sentence says in what."""


class Message(NamedTuple):
    """A message as it is read."""

    kind: Kind
    sequence: int = 0
    time: float = 0.0
    step: float = 0.0
    flags: int = 0
    values: npt.NDArray[np.float64] | None = None
    text: str = ""


def pack(message: Message) -> bytes:
    """Return the bytes of a message."""
    if message.values is not None:
        values = np.asarray(message.values, dtype="<f8")
        rows, columns = values.shape if values.ndim == 2 else (1, values.size)
        what, body = FLOATS, values.tobytes()
    else:
        body, what = message.text.encode(), TEXT
        rows, columns = 1, len(body)
    kind, sequence, time, step, flags, _, _ = message
    given = (MAGIC, MARK, VERSION, kind, flags, sequence, time, step, rows, columns, what, len(body), 0, 0)
    head = HEADER.pack(*given)[:-4]
    return head + struct.pack("<I", zlib.crc32(body, zlib.crc32(head))) + body


def body_length(head: bytes) -> int:
    """Return how long the body behind a header is; ProtocolError if no such header can be ours."""
    return int(_header(head)[11])


def _header(head: bytes) -> tuple[Any, ...]:
    """Return the fields of a header that can be ours."""
    found = HEADER.unpack(head)
    magic, mark, version, kind, _, _, _, _, rows, columns, what, length, _, _ = found
    if magic != MAGIC:
        raise ProtocolError(f"sent what is no message of the protocol (it starts with {magic!r})")
    if mark != MARK:
        raise ProtocolError("sent integers in another order of bytes; the protocol is little-endian")
    if version != VERSION:
        raise ProtocolError(f"speaks version {version} of the protocol, this is version {VERSION}")
    if kind not in KINDS:
        raise ProtocolError(f"sent a message of the unknown kind {kind}")
    if what not in (FLOATS, TEXT):
        raise ProtocolError(f"sent a body of the unknown type {what}")
    if length > (MOST_TEXT if what == TEXT else 8 * MOST_FLOATS):
        raise ProtocolError(f"announced a body of {length} bytes, far more than any message has")
    if rows * columns * (8 if what == FLOATS else 1) != length:
        raise ProtocolError(f"announced {rows} x {columns} numbers in {length} bytes, which do not go together")
    return found


def unpack(head: bytes, body: bytes) -> Message:
    """Return the message of a header and its body; ProtocolError says what is wrong with it."""
    _, _, _, kind, flags, sequence, time, step, rows, columns, what, length, _, checksum = _header(head)
    if len(body) != length:
        raise ProtocolError(f"sent {len(body)} bytes behind a header that announces {length}")
    if zlib.crc32(body, zlib.crc32(head[:-4])) != checksum:
        raise ProtocolError("sent a message whose checksum does not hold")
    if what == FLOATS:
        values = np.frombuffer(body, "<f8").reshape(rows, columns).copy()
        return Message(KINDS[kind], sequence, time, step, flags, values)
    try:
        return Message(KINDS[kind], sequence, time, step, flags, None, body.decode())
    except UnicodeDecodeError:
        raise ProtocolError("sent a text that is not UTF-8") from None


def as_text(words: dict[str, Any]) -> str:
    """Return words as the lines of a text, `name: value`; floats with all their digits."""
    shown = {name: f"{value:.17g}" if isinstance(value, float) else value for name, value in words.items()}
    return "".join(f"{name}: {' '.join(str(value).split())}\n" for name, value in shown.items())


def from_text(text: str) -> dict[str, str]:
    """Return the words of a text made by `as_text`."""
    pairs = (line.partition(":") for line in text.splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, _, value in pairs}
