"""Every problem of a model at once, from a file or from Python: what its words alone can tell."""

from __future__ import annotations

import os
from pathlib import Path

from fairlead.errors import Problem
from fairlead.formats.load import is_urdf
from fairlead.formats.yaml.read import read_yaml
from fairlead.model.checks.all import shown
from fairlead.model.checks.checked import examined
from fairlead.model.schema import Model


def check_words(model: Model | str | os.PathLike[str]) -> list[Problem]:
    """Return every problem of a model or a model file, none if all is well; a bad file is a problem, not an error."""
    if not isinstance(model, str | os.PathLike):
        return [Problem(one.message, shown(one.path), severity=one.severity) for one in examined(model)[1]]
    if is_urdf(Path(model)):
        from fairlead.formats.urdf.convert import read_urdf

        return read_urdf(model)[1]
    return read_yaml(model)[1]
