"""Commands run as a user runs them: in a process of their own, in an empty directory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from interface_models import TWO_BODIES


@pytest.fixture
def fairlead(tmp_path: Path):
    """Give a function that runs the command in an empty directory and returns the finished process."""

    def run(*words: str, **options) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "fairlead", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, **options)

    return run


@pytest.fixture
def two_bodies(tmp_path: Path) -> Path:
    """Give the path of a small good model."""
    path = tmp_path / "two.yaml"
    path.write_text(TWO_BODIES)
    return path
