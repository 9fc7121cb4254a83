"""The JSON schema of model files."""

from __future__ import annotations

import json


def schema() -> None:
    """Print the JSON schema of model files, for editors."""
    from fairlead.formats.yaml.json_schema import json_schema

    print(json.dumps(json_schema(), indent=2))
