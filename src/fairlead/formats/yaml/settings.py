"""`--set PATH=VALUE`: changes of a model as texts, each value read as in a YAML file."""

from __future__ import annotations

from typing import Any

from fairlead.errors import InvalidInput, Problem
from fairlead.formats.yaml.tree import read_tree
from fairlead.units import short


def settings(texts: list[str]) -> dict[str, Any]:
    """Return the changes that texts `PATH=VALUE` say, each value read as in a YAML file."""
    changes: dict[str, Any] = {}
    for text in texts:
        path, equals, value = text.partition("=")
        path = path.strip()
        if not equals or not path:
            raise InvalidInput([Problem(f"expected PATH=VALUE, such as run.duration=60 s; got {short(text)}", "--set")])
        if path in changes:
            raise InvalidInput([Problem("is set twice; keep one", path)])
        changes[path] = _yaml_value(path, value)
    return changes


def _yaml_value(path: str, text: str) -> Any:
    if not text.strip():
        raise InvalidInput([Problem("is set to nothing; write null to take it out", path)])
    tree = read_tree(text)
    if tree.complaints or tree.root is None:
        raise InvalidInput([Problem(one.message, path) for one in tree.complaints])
    return tree.root.data()
