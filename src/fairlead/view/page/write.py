"""The file of a page: markup, style, scripts and numbers in one, which asks nothing of any network.

A policy in its head forbids connections and every script but those it carries, by their hashes. Names and texts come
into the page as escaped text, or as JSON in which no tag can begin.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

from fairlead.view.page.buffers import Buffers
from fairlead.view.page.tables import escaped

SCRIPTS = ("numbers.js", "scene.js", "sea.js", "lines.js", "plots.js", "page.js")  # in the order of their use


@cache
def _static(name: str) -> str:
    return files("fairlead.view.page").joinpath("static", *name.split("/")).read_text(encoding="utf-8")


def as_json(value: Any) -> str:
    """Return JSON that may stand inside a script element."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026").replace("\u2028", "\\u2028")


def page_html(title: str, sections: dict[str, str], data: dict[str, Any], buffers: Buffers, live: bool = False) -> str:
    """Return the whole page: `sections` fill the template, `data` is what the scripts read."""
    vendor = _static("vendor/vendor.min.js")
    own = "(() => {\n'use strict';\n" + "\n".join(_static(name) for name in SCRIPTS) + "\n})();\n"
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in (vendor, own))
    connect = "'self'" if live else "'none'"
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; "
        f"connect-src {connect}; base-uri 'none'; form-action 'none'"
    )
    kept = "".join(
        f'<script type="text/plain" id="buffer-{i}">{text}</script>\n' for i, text in enumerate(buffers.texts)
    )
    parts = {
        "title": escaped(title),
        "policy": policy,
        "style": _static("vendor/uPlot.min.css") + "\n" + _static("page.css"),
        "buffers": kept,
        "data": as_json(data),
        "vendor": vendor,
        "script": own,
        **sections,
    }
    page = _static("page.html")
    pieces = page.split("{{")
    found = [pieces[0]]
    for piece in pieces[1:]:  # in one pass, so that nothing filled in is filled in again
        name, _, rest = piece.partition("}}")
        found += [parts.get(name, ""), rest]
    return "".join(found)


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
