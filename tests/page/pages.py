"""Results for pages: a mechanism with shapes and strange names, and what a page holds read back."""

from __future__ import annotations

import base64
import html
import json
import re
from typing import Any

import numpy as np

import fairlead as fl

KINDS = {"f4": "<f4", "f8": "<f8", "i2": "<i2", "u2": "<u2", "u4": "<u4"}
EVIL = "<script>alert(1)</script>"


def pendulum() -> fl.Model:
    """Return a double pendulum with a shape on one bar and none on the other."""
    return fl.Model(
        "two bars",
        bodies={
            "upper": fl.Body(
                2.0, (0.2, 0.2, 0.01), (0.5, 0, 0), geometry=fl.Capsule(((0, 0, 0), (1, 0, 0)), 0.1, "red")
            ),
            "lower": fl.Body(1.0, (0.1, 0.1, 0.01), (1.5, 0, 0)),
        },
        joints={
            "pin": fl.Revolute("world", "upper", (0, 0, 0), (0, 1, 0)),
            "elbow": fl.Revolute("upper", "lower", (1, 0, 0), (0, 1, 0), rate=2.0),
        },
        loads={"push": fl.Force("lower", point=(2, 0, 0), force=(0, 0, "3*sin(4*t)"))},
    )


def renamed(data: Any, old: str, new: str) -> Any:
    """Return a result in which one body has another name, as a file of another program may have."""

    def other(values: Any) -> Any:
        return np.array([new if str(one) == old else str(one) for one in values], dtype=object)

    names = {name: (data[name].dims, other(data[name].values)) for name in ("joint_parent", "joint_child", "load_body")}
    return data.assign_coords(body=other(data["body"].values), **names)


def content(text: str) -> dict[str, Any]:
    """Return the data of a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert found, "the page has no data"
    return json.loads(found.group(1))


def array(text: str, ref: dict[str, Any]) -> Any:
    """Return the array that a reference in a page stands for."""
    found = re.search(rf'<script type="text/plain" id="buffer-{ref["buffer"]}">(.*?)</script>', text, re.S)
    assert found, ref
    values = np.frombuffer(base64.b64decode(found.group(1)), KINDS[ref["kind"]]).reshape(ref["shape"])
    return values.astype(float) * ref.get("scale", 1.0) + ref.get("offset", 0.0)


def words(text: str) -> str:
    """Return what a reader sees of a page's markup, without its scripts."""
    return html.unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<(script|style).*?</\1>", " ", text, flags=re.S)))
