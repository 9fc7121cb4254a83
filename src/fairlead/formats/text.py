"""The text of a model file: read once, within limits, refused where it cannot be one."""

from __future__ import annotations

import os
import re

from fairlead.errors import FilesFailure, InvalidInput
from fairlead.formats.yaml.tree import Refused
from fairlead.model.messages import nearest
from fairlead.plain_files import read_plain

MOST_BYTES = 64_000_000
LONGEST_LINE = 100_000
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONG_LINE = re.compile(rf"[^\n]{{{LONGEST_LINE + 1}}}")


def read_text(file: str) -> str:
    """Return the text of a file, read once; Refused if it cannot be the text of a model."""
    data = _bytes(file)
    nul = data.find(b"\0")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.start if nul < 0 else min(nul, error.start)
        line = data.count(b"\n", 0, at) + 1
        raise Refused(f"is not a text in UTF-8: byte {at} is 0x{data[at]:02x}", line, 1) from None
    odd = _UNPRINTABLE.search(text)
    if odd:
        before = text[: odd.start()]
        at = len(before.encode()) + (3 if data.startswith(b"\xef\xbb\xbf") else 0)
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise Refused(f"holds a control character, 0x{ord(odd.group()):02x} at byte {at}; is it a text?", line, column)
    long = _LONG_LINE.search(text)
    if long:
        line = text.count("\n", 0, long.start()) + 1
        raise Refused(f"has a line longer than {LONGEST_LINE} characters", line, LONGEST_LINE + 1)
    return text


def _bytes(file: str) -> bytes:
    try:
        return read_plain(file, MOST_BYTES)
    except InvalidInput as wrong:
        raise Refused(str(wrong).removeprefix(f"'{file}' ")) from None
    except FilesFailure:
        if os.path.lexists(file):
            raise
        raise FilesFailure(_not_there(file)) from None


def _not_there(file: str) -> str:
    folder, name = os.path.split(file)
    others = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    close = nearest(name, others)
    return f"there is no file '{file}'" + (f"; did you mean '{os.path.join(folder, close[0])}'?" if close else "")
