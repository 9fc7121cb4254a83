"""Commands as a user types them, in an empty directory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fairlead.cli import main
from support.interface_models import TWO_BODIES


@pytest.fixture
def fairlead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture):
    """Give a function that runs the command in this process (starting one takes seconds) and returns how it ended."""

    def run(*words: str) -> subprocess.CompletedProcess:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["fairlead", *words])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        said = capfd.readouterr()
        return subprocess.CompletedProcess(words, ended.value.code or 0, said.out, said.err)

    return run


@pytest.fixture
def two_bodies(tmp_path: Path) -> Path:
    """Give the path of a small good model."""
    path = tmp_path / "two.yaml"
    path.write_text(TWO_BODIES)
    return path
