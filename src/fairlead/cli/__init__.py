"""The command `fairlead`: one verb each, a short human answer, one set of exit codes."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import traceback
from typing import NoReturn

EXIT_INTERNAL = 9
NAMES = ("ENOENT", "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EFBIG", "EISDIR", "ENOTDIR", "ELOOP")
OF_THE_FILES = {getattr(errno, name, None) for name in NAMES} - {None}  # of a user's files, no fault of ours


def main() -> None:
    """Run the command line and exit with its code; a user's mistake never shows a traceback."""
    from fairlead.cli.app import app
    from fairlead.errors import FairleadError, FilesFailure

    try:
        app(standalone_mode=True)
    except FairleadError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if error.errno not in OF_THE_FILES:
            _fault(error)
        where = f" {error.filename}" if error.filename else ""
        print(f"cannot read or write{where or ' a file'}: {error.strerror}", file=sys.stderr)
        sys.exit(FilesFailure.exit_code)
    except Exception as error:
        _fault(error)


def _fault(error: Exception) -> NoReturn:
    print(f"fairlead met a fault of its own: {error!r}; {_crash_report()}", file=sys.stderr)
    sys.exit(EXIT_INTERNAL)


def _crash_report() -> str:
    """Write the traceback to a file and say where."""
    try:
        with tempfile.NamedTemporaryFile("w", prefix="fairlead-crash-", suffix=".txt", delete=False) as file:
            file.write(traceback.format_exc())
        return f"please send {file.name} to the developers"
    except OSError:
        return "its report could not be written"
