"""What long tests found, printed after the run: every line they recorded as a property called `line`, and the sum of
the relations between models that they recorded as `triples`."""

import json
import os
from pathlib import Path

os.environ.setdefault("FAIRLEAD_ROOTS", str(Path(__file__).parents[1]))  # files of tests name others of the repository


def pytest_terminal_summary(terminalreporter):
    """Print the recorded lines, whichever worker they come from."""
    reports = [report for group in ("passed", "failed") for report in terminalreporter.stats.get(group, [])]
    lines = [text for report in reports for name, text in report.user_properties if name == "line"]
    if lines:
        terminalreporter.section("tables")
        for line in lines:
            terminalreporter.write_line(line)
    triples = [
        one
        for report in reports
        for name, text in report.user_properties
        if name == "triples"
        for one in json.loads(text)
    ]
    if triples:
        from transformations.harness import Summary, Triple

        terminalreporter.section("models changed with a known effect")
        terminalreporter.write_line(Summary([Triple(**one) for one in triples]).text())
