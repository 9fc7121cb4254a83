"""Exceptions for all that can go wrong; each carries one exit code and one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Problem:
    """One thing to mend: what, where, and what to do."""

    message: str
    path: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    severity: str = "error"  # "error" stops a run, "warning" is counted, "note" only informs

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.file, self.line or "", self.column or "") if part)
        head = ": ".join(part for part in (where, self.path) if part)
        kind = "" if self.severity == "error" else f"{self.severity}: "
        return printable(f"{head}: {kind}{self.message}" if head else f"{kind}{self.message}")


def printable(text: str) -> str:
    """Return `text` on one line, with control characters and invisible ones shown as escapes."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


class FairleadError(Exception):
    """Base of every error Fairlead raises on purpose; `exit_code` is what the command returns."""

    exit_code = 9


class InvalidInput(FairleadError, ValueError):
    """A model, table or option is wrong; `problems` lists all of them."""

    exit_code = 3
    most_shown = 20

    def __init__(self, problems: Sequence[Problem] | str):
        self.problems = [Problem(problems)] if isinstance(problems, str) else list(problems)
        super().__init__(self._text())

    def _text(self) -> str:
        lines = [str(problem) for problem in self.problems[: self.most_shown]]
        left = len(self.problems) - self.most_shown
        return "\n".join(lines + ([f"... and {left} more"] if left > 0 else []))


class NumericalFailure(FairleadError):
    """The equations could not be carried on; the sentence names time, body and advice."""

    exit_code = 4


class PartnerFailure(NumericalFailure):
    """A partner of a coupled run does not start, died, is late or says what it may not; the sentence names it."""

    exit_code = 7


class FilesFailure(FairleadError, OSError):
    """A file or directory could not be read or written."""

    exit_code = 5


class CheckpointUnusable(FairleadError):
    """A checkpoint is damaged, foreign or of another version."""

    exit_code = 6


class StudyIncomplete(FairleadError):
    """Cases of a study failed or could not be run; what is done is kept, and `data` holds it where there is any."""

    exit_code = 8
    data: Any = None


class Interrupted(FairleadError):
    """The user or the system asked the run to stop; what was computed is kept."""

    def __init__(self, message: str, exit_code: int = 130):
        super().__init__(message)
        self.exit_code = exit_code
