"""`load`: a model from YAML, or from a legacy MBDM case."""

from __future__ import annotations

from pathlib import Path

from fairlead.model.read_yaml import load as load_yaml
from fairlead.model.schema import Model

YAML = (".yaml", ".yml")


def load(path: str | Path) -> Model:
    """Return the model in a file: YAML by its ending, otherwise an MBDM main file or the folder that holds one."""
    path = Path(path)
    if path.is_dir() or (path.suffix not in YAML and _looks_legacy(path)):
        from fairlead.model.mbdm import load_mbdm

        return load_mbdm(path)
    return load_yaml(path)


def _looks_legacy(path: Path) -> bool:
    """Return whether a file is named as MBDM's main file is, or starts with its first key."""
    if path.name == "mbdm":
        return True
    try:
        with open(path, "rb") as file:
            return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(b"name:") and path.suffix == ""
    except OSError:
        return False
