"""The command `fairlead`: one verb each, a short human answer, one set of exit codes."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback

EXIT_INTERNAL = 9


def main() -> None:
    """Run the command line and exit with its code; a user's mistake never shows a traceback."""
    from fairlead.cli.commands import app
    from fairlead.errors import FairleadError

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
    except Exception as error:
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
