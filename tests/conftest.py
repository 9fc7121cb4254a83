"""What long tests found, printed after the run: every line they recorded as a property called `line`."""


def pytest_terminal_summary(terminalreporter):
    """Print the recorded lines, whichever worker they come from."""
    reports = [report for group in ("passed", "failed") for report in terminalreporter.stats.get(group, [])]
    lines = [text for report in reports for name, text in report.user_properties if name == "line"]
    if lines:
        terminalreporter.section("tables")
        for line in lines:
            terminalreporter.write_line(line)
