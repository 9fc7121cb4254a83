"""Compiled kernels are code: whose they are and whether they are whole is looked at before one is loaded."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes of files are needed")

SMALL = """
import sys
from fairlead.core.jit.kernel import kernel

@kernel
def twice(t):
    return 2.0 * t

value = twice(21.0)
print(value, "compiled" if sum(twice.stats.cache_misses.values()) else "loaded")
"""


@pytest.fixture
def run(tmp_path: Path):
    """Give a function that runs a small kernel in a process of its own, with its cache in tmp_path."""
    (tmp_path / "small.py").write_text(SMALL)

    def once(**variables: str) -> tuple[str, str]:
        environment = {**os.environ, "FAIRLEAD_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
        words = [sys.executable, str(tmp_path / "small.py")]
        done = subprocess.run(words, env=environment | variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip(), done.stderr

    return once


def kernels(tmp_path: Path, ending: str) -> list[Path]:
    return sorted((tmp_path / "fairlead").rglob(f"*twice*.{ending}"))


def test_a_second_process_loads_what_the_first_compiled_into_a_folder_of_the_users_own(tmp_path, run):
    assert run() == ("42.0 compiled", "")
    assert run() == ("42.0 loaded", "")
    for folder in (tmp_path / "fairlead", *(tmp_path / "fairlead").iterdir()):
        assert folder.stat().st_mode & 0o077 == 0, f"{folder} is open to others"


@pytest.mark.parametrize(
    ("ending", "damage"),
    [("nbi", "cut short"), ("nbi", "emptied"), ("nbc", "a flipped bit"), ("nbc", "another kind of file")],
)
def test_a_damaged_kernel_is_compiled_again(tmp_path, run, ending, damage):
    """Never unpacked: an index cut short was an internal fault, and machine code cut short ended the process."""
    run()
    for path in kernels(tmp_path, ending):
        content = path.read_bytes()
        middle = len(content) // 2
        flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        cut = content[:middle]
        path.write_bytes({"a flipped bit": flipped, "cut short": cut, "emptied": b""}.get(damage, b"\x80\x04N." * 9))
    said, notes = run()
    assert said == "42.0 compiled" and notes.count("is damaged and compiled again") == 1, notes
    assert run() == ("42.0 loaded", "")


def test_kernels_that_others_could_have_written_are_not_used(tmp_path, run):
    run()
    folder = next((tmp_path / "fairlead").iterdir())
    folder.chmod(0o777)
    said, notes = run()
    assert said == "42.0 compiled" and "could be written to by others" in notes
    assert folder.stat().st_mode & 0o077 == 0 and run() == ("42.0 loaded", "")


def test_a_link_in_the_place_of_the_cache_is_not_followed(tmp_path, run):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "fairlead").symlink_to(tmp_path / "elsewhere")
    for _ in range(2):
        said, _ = run(HOME=str(tmp_path / "home"), XDG_CACHE_HOME=str(tmp_path / "home"))
        assert said.startswith("42.0") and not list((tmp_path / "elsewhere").iterdir())
    assert said == "42.0 loaded", "the next place is taken"


def test_where_nothing_can_be_kept_kernels_are_compiled_with_a_note(tmp_path, run):
    """No cache in a shared place under a name that anyone could guess, either."""
    (tmp_path / "file").write_text("")
    small = tmp_path / "small.py"
    outside = "import sys; sys.prefix = sys.base_prefix\n"  # as without a virtual environment, which is one's own
    small.write_text(outside + small.read_text())
    nowhere = str(tmp_path / "file")
    for _ in range(2):
        said, notes = run(FAIRLEAD_CACHE_DIR=nowhere, XDG_CACHE_HOME=nowhere, HOME=nowhere)
        assert said == "42.0 compiled" and notes.count("compiled kernels cannot be kept") == 1, notes


def test_kernels_of_other_versions_go_when_nobody_uses_them(tmp_path, run):
    run()
    for name, age in (("old", 40), ("recent", 10)):
        (tmp_path / "fairlead" / name).mkdir()
        then = time.time() - age * 86400
        os.utime(tmp_path / "fairlead" / name, (then, then))
    run()
    assert sorted(p.name for p in (tmp_path / "fairlead").iterdir() if p.name in ("old", "recent")) == ["recent"]


def test_several_processes_may_start_cold_at_once(tmp_path, run):
    environment = {**os.environ, "FAIRLEAD_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, str(tmp_path / "small.py")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    started = [subprocess.Popen(words, env=environment, **pipes) for _ in range(4)]
    ended = [one.communicate() for one in started]
    assert all(out.startswith("42.0") and not err for out, err in ended), ended
    assert run()[0] == "42.0 loaded"
