"""Every code block in the docs runs, every example runs and passes its audit, every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fairlead as fl

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"```(python|yaml)\n(.*?)```", re.S)
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))


def blocks(kind: str) -> list:
    found = []
    for page in PAGES:
        for number, (language, text) in enumerate(BLOCK.findall(page.read_text()), start=1):
            if language == kind:
                found.append(pytest.param(text, id=f"{page.relative_to(ROOT)}-{number}"))
    return found


@pytest.mark.parametrize("text", blocks("python"))
def test_python_blocks_run(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(text, "block", "exec"), {"__name__": "block"})


@pytest.mark.parametrize("text", [item for item in blocks("yaml") if "fairlead: 1" in item.values[0]])
def test_yaml_models_are_good_and_pass_their_audit(text: str, tmp_path: Path):
    path = tmp_path / "model.yaml"
    path.write_text(text)
    assert [problem for problem in fl.check(path) if problem.severity != "note"] == []
    assert fl.audit(fl.simulate(fl.load(path))).passed


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_pass_their_audit(path: Path):
    if "type: moordyn" in path.read_text():
        pytest.importorskip("moordyn", reason="MoorDyn is not installed: pip install 'fairlead[moordyn]'")
    assert [problem for problem in fl.check(path) if problem.severity != "note"] == []
    model = fl.load(path)
    audit = fl.audit(fl.simulate(model))
    assert audit.passed, audit.table()


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert "://" in target or (page.parent / target).exists(), f"{page.name}: {target}"
