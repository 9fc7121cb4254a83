"""A shared library looked at without loading it: whether this machine could, and whether it has a procedure.

The format is that of the System V Application Binary Interface, chapters 4 and 5 (ELF header, sections, symbols).
"""

from __future__ import annotations

import platform
import struct
import sys

from fairlead.errors import FairleadError
from fairlead.plain_files import read_plain

MOST = 500_000_000  # [bytes]
MACHINES = {3: "i386", 40: "arm", 62: "x86_64", 183: "aarch64", 243: "riscv64"}
OTHERS = {b"MZ": "Windows", b"\xcf\xfa\xed\xfe": "macOS", b"\xce\xfa\xed\xfe": "macOS", b"\xca\xfe\xba\xbe": "macOS"}
SHARED, DYNAMIC_SYMBOLS = 3, 11  # of e_type and of a section


def wrong_with(path: str, procedure: str) -> str:
    """Return why a library cannot be called here, empty if nothing speaks against it."""
    try:
        content = read_plain(path, MOST)
    except (FairleadError, OSError) as error:
        return str(error)
    other = next((system for magic, system in OTHERS.items() if content.startswith(magic)), "")
    if not sys.platform.startswith("linux"):
        return "" if other or content.startswith(b"\x7fELF") else "is no library of any system known here"
    if other:
        return f"is a library for {other}; give one built for Linux"
    if not content.startswith(b"\x7fELF"):
        return "is no shared library (it does not begin as an ELF file does)"
    try:
        return _wrong_elf(content, procedure)
    except (struct.error, IndexError, UnicodeDecodeError):
        return "is damaged: its ELF header leads outside of the file"


def _wrong_elf(content: bytes, procedure: str) -> str:
    bits, order = (64 if content[4] == 2 else 32), ("<" if content[5] == 1 else ">")
    kind, machine = struct.unpack_from(f"{order}HH", content, 16)
    name, here = MACHINES.get(machine, f"machine {machine}"), platform.machine()
    ours = {"AMD64": "x86_64", "i686": "i386", "arm64": "aarch64"}.get(here, here)
    if bits != (64 if sys.maxsize > 2**32 else 32) or (machine in MACHINES and name != ours):
        return f"is built for {name} with {bits} bits, and this is {ours} with {64 if sys.maxsize > 2**32 else 32}"
    if kind != SHARED:
        return "is an ELF file, but no shared library (link it with -shared)"
    found = _symbols(content, order)
    if procedure not in found:
        alike = next((one for one in sorted(found) if one.lower().strip("_") == procedure.lower()), "")
        hint = f"; it has '{alike}', which can be given as procedure" if alike else ""
        return f"has no procedure '{procedure}'{hint}"
    return ""


def _symbols(content: bytes, order: str) -> set[str]:
    """Return the names that a 64-bit (or 32-bit) shared library defines."""
    wide = content[4] == 2
    start = struct.unpack_from(f"{order}{'Q' if wide else 'I'}", content, 40 if wide else 32)[0]
    size, count = struct.unpack_from(f"{order}HH", content, 58 if wide else 46)
    # name, type, flags, address, offset, size, link, info, alignment, size of an entry
    form = f"{order}IIQQQQIIQQ" if wide else f"{order}10I"
    sections = [struct.unpack_from(form, content, start + size * i) for i in range(count)]
    names: set[str] = set()
    for section in (one for one in sections if one[1] == DYNAMIC_SYMBOLS):
        texts, each = sections[section[6]][4], section[9] or (24 if wide else 16)
        for at in range(section[4], section[4] + section[5], each):
            if wide:
                name, _, _, defined = struct.unpack_from(f"{order}IBBH", content, at)
            else:
                name, _, _, _, _, defined = struct.unpack_from(f"{order}IIIBBH", content, at)
            if defined:
                end = content.index(b"\0", texts + name)
                names.add(content[texts + name : end].decode("ascii", "replace"))
    return names
