"""Files that models name: plain ones only, and only where the model is, unless its user allowed more."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import fairlead as fl
from fairlead.formats.mbdm.checkpoint import _bytes as checkpoint_bytes
from fairlead.plain_files import read_plain

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes under the names of files are needed")

BODY = "fairlead: 1\nname: one\nbodies: {hull: {mass: 8.0e6, inertia: [4.0e9, 4.0e9, 1.6e8], position: [0, 0, -60]}}\n"
ROTOR = "rotor-thrust, body: hull, point: [0, 0, 0], axis: [1, 0, 0], radius: 63"
PERFORMANCE = "{file: %s, speeds: [3, 25], pitch: [0, 20], rotor_speed: [12.1, 12.1]}"
READERS = {  # what each reader is given, as the model's text; one line per reader of the product
    "wind box": "environment: {wind: {type: file, file: %s.bts}}\n",
    "hub height": "environment: {wind: {type: file, file: %s.wnd}}\n",
    "wave record": "environment: {waves: {type: wave-record, file: %s.csv}}\n",
    "lines": "loads: {lines: {type: moordyn, body: hull, file: %s.txt}}\n",
    "rotor": "environment: {wind: {type: steady, speed: 9}}\nloads: {rotor: {type: "
    + ROTOR
    + ", performance: "
    + PERFORMANCE % "%s.csv"
    + "}}\n",
}
WIND = "0 9 0 0 0 0 0 0\n1000 9 0 0 0 0 0 0\n"


def model_file(folder: Path, words: str) -> Path:
    path = folder / "model.yaml"
    path.write_text(BODY + words)
    return path


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", ["a pipe", "a directory", "a device"])
def test_what_is_no_plain_file_is_named_and_not_waited_for(fairlead, tmp_path, reader, kind):
    """MF28: a pipe would make a reader wait for ever, and /dev/zero fill the memory."""
    words = READERS[reader] % "odd"
    name = tmp_path / words[words.index("odd.") :].split("}")[0].split(",")[0]
    if kind == "a pipe":
        os.mkfifo(name)
    elif kind == "a directory":
        name.mkdir()
    else:
        name.symlink_to("/dev/zero")
    began = time.monotonic()
    done = fairlead("check", str(model_file(tmp_path, words)))
    assert time.monotonic() - began < 20, "the reader waited"
    assert done.returncode == 3, done.stderr
    said = done.stdout + done.stderr
    assert ("lies outside the folder" if kind == "a device" else f"is {kind}, not a regular file") in said
    assert "Traceback" not in said


def test_a_table_and_a_checkpoint_are_opened_with_the_same_care(tmp_path):
    os.mkfifo(tmp_path / "table.csv")
    with pytest.raises(fl.InvalidInput, match="is a pipe, not a regular file"):
        fl.audit(tmp_path / "table.csv", columns={"time": "t", "bodies": {}})
    with pytest.raises(fl.InvalidInput, match="is a pipe or a device, not a regular file"):
        fl.open_result(tmp_path / "table.csv")
    with pytest.raises(fl.CheckpointUnusable, match="is a pipe, not a regular file"):
        checkpoint_bytes(tmp_path / "table.csv")
    with pytest.raises(fl.InvalidInput, match="is a device, not a regular file"):
        read_plain("/dev/zero")


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path):
    with open(tmp_path / "large.bts", "wb") as file:
        file.truncate(5_000_000_000)  # a hole: nothing on the disk
    with pytest.raises(fl.InvalidInput, match="has 5000000000 bytes; it may have 4000000000"):
        read_plain(tmp_path / "large.bts")


@pytest.mark.parametrize("way", ["absolute", "upwards", "link"])
def test_files_outside_the_folder_of_the_model_are_not_opened(tmp_path, monkeypatch, way):
    """MF28: what somebody else's model names is opened in its own folder only; the text of the file is not shown."""
    inside, outside = tmp_path / "model", tmp_path / "private"
    inside.mkdir(), outside.mkdir()
    (outside / "wind.wnd").write_text("secret words\n" + WIND)
    name = {"absolute": str(outside / "wind.wnd"), "upwards": "../private/wind.wnd", "link": "wind.wnd"}[way]
    if way == "link":
        (inside / "wind.wnd").symlink_to(outside / "wind.wnd")
    path = model_file(inside, f"environment: {{wind: {{type: file, file: {name}}}}}\n")
    with pytest.raises(fl.InvalidInput, match="lies outside the folder of the model") as refused:
        fl.load(path)
    assert refused.value.problems[0].line == 4 and "secret" not in str(refused.value)
    (outside / "wind.wnd").write_text(WIND)
    monkeypatch.setenv("FAIRLEAD_ROOTS", os.pathsep.join(["", str(outside)]))
    model = fl.load(path)
    data = fl.simulate(model, 0.2, 0.1, out=tmp_path / "x.run")
    monkeypatch.delenv("FAIRLEAD_ROOTS")
    stored = fl.load(tmp_path / "x.run" / "model.yaml")  # the run's own copy goes on meaning the same file
    assert stored.environment.wind.file == model.environment.wind.file
    assert fl.load(model_file(inside, "")).with_({"environment.wind": {"type": "file", "file": name}}) is not None
    assert data.sizes["time"] == 3
