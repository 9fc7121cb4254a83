"""The written parts of a page as HTML: verdict, what was understood, mass properties, joints and loads."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.model.descriptions import unit_of
from fairlead.results.findings import findings
from fairlead.view.tree_diagram import as_svg

if TYPE_CHECKING:
    import xarray as xr

    from fairlead.auditing.audit import Audit
    from fairlead.model.schema import Model

MOST_ROWS = 200
WORDS = {"pass": "held", "fail": "FAILED", "undecided": "undecided"}


def escaped(text: Any) -> str:
    """Return a text with nothing in it that HTML could take for a tag."""
    return html.escape(str(text), quote=True)


def number(value: Any) -> str:
    """Return a number in four digits, thousands apart."""
    value = float(value)
    if value == 0 or not np.isfinite(value):
        return "0" if value == 0 else "-"
    if 1e-3 <= abs(value) < 1e7:
        digits = max(0, 3 - int(np.floor(np.log10(abs(value)))))
        text = f"{value:,.{digits}f}"
        return (text.rstrip("0").rstrip(".") if "." in text else text).replace(",", "\u2009")
    mantissa, _, power = f"{value:.3e}".partition("e")
    return f"{mantissa}\u00d710<sup>{int(power)}</sup>"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], caption: str = "", kind: str = "") -> str:
    """Return a table; cells are HTML already."""
    heads, rows = list(heads), list(rows)
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    shown = rows[:MOST_ROWS]
    body = "".join(
        "<tr>"
        + "".join(f'<th scope="row">{cell}</th>' if i == 0 else f"<td>{cell}</td>" for i, cell in enumerate(row))
        + "</tr>"
        for row in shown
    )
    more = f"<p>and {len(rows) - len(shown)} more</p>" if len(rows) > len(shown) else ""
    title = f"<caption>{escaped(caption)}</caption>" if caption else ""
    inside = f"{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide" tabindex="0"><table class="{kind}">{inside}</table></div>{more}'


def verdict(found: Audit | None, why: str = "") -> str:
    """Return the banner: passed or failed, how many checks, and the ones nearest to their limit."""
    if found is None:
        return f'<div class="verdict none" id="verdict"><b>Not audited</b><span>{escaped(why)}</span></div>'
    failed, open_ = found.failures, found.undecided
    count = len(found.checks)
    if found.passed:
        held = f"{count - len(open_)} of {count} checks of momentum, energy and motion hold"
        said = f"{held} at a relative tolerance of {found.tolerance:g}"
    elif failed:
        said = "; ".join(one.sentence for one in failed[:2])
    else:
        said = "no check could be decided"
    word, kind = ("Audit passed", "pass") if found.passed else ("Audit FAILED", "fail")
    return f'<div class="verdict {kind}" id="verdict"><b>{word}</b><span>{escaped(said)}</span></div>'


def audit_table(found: Audit | None) -> str:
    """Return every check with its deviation, its limit, and how much of the limit it used."""
    if found is None:
        return ""
    rows = []
    for one in found.checks:
        share = one.value / one.tolerance if one.value is not None and one.tolerance > 0 else 0.0
        log = 0.0 if share <= 0 else min(1.0, max(0.02, 1 + np.log10(share) / 10))
        meter = f'<span class="meter" aria-hidden="true"><i style="width:{100 * log:.0f}%"></i></span>'
        value = "-" if one.value is None else f"{one.value:.1e}"
        rows.append(
            [
                f'<span title="{escaped(one.sentence)}">{escaped(one.name)}</span>',
                f"{value}{meter}",
                f"{one.tolerance:.1e}" if one.status != "undecided" else "-",
                f'<span class="{one.status}">{WORDS[one.status]}</span>',
            ]
        )
    failed = "".join(f"<p class='advice'>{escaped(one.sentence)} {escaped(one.advice)}</p>" for one in found.failures)
    said = "Deviations are relative; the bar is the share of the limit, a tenth of its length per power of ten."
    return table(["check", "deviation", "limit", ""], rows, kind="audit") + f"{failed}<p class='small'>{said}</p>"


def understood(data: xr.Dataset, model: Model | None) -> str:
    """Return what was run, as a list of terms."""
    said = data.attrs
    facts: list[tuple[str, str]] = []
    counts = [(data.sizes.get(name, 0), name) for name in ("body", "joint", "load")]
    plural = {"body": "bodies", "joint": "joints", "load": "loads"}
    facts.append(("system", ", ".join(f"{n} {name if n == 1 else plural[name]}" for n, name in counts if n)))
    if data.sizes.get("coordinate"):
        roles = data["coordinate_role"].values.astype(str).tolist()
        listed = ", ".join(f"{roles.count(role)} {role}" for role in ("free", "driven", "locked") if role in roles)
        facts.append(("coordinates", listed))
    if "formulation" in said:
        taken = str(said.get("formulation_taken", ""))
        facts.append(("formulation", str(said["formulation"]) + (f" ({taken})" if taken else "")))
    if "integrator" in said:
        step = float(said.get("step", 0.0))
        facts.append(
            (
                "integrator",
                f"{said['integrator']}, {'interval' if 'dop' in str(said['integrator']) else 'step'} {step:g} s",
            )
        )
    times = data["time"].values
    facts.append(("time", f"{float(times[0]):g} to {float(times[-1]):g} s in {len(times):,} instants"))
    if model is not None and model.environment is not None:
        facts.append(("environment", ", ".join(environment(model))))
    if "wall_time" in said:
        wall = float(said["wall_time"])
        facts.append(
            ("took", f"{wall:.3g} s" + (f", {float(times[-1] - times[0]) / wall:,.0f} times real time" if wall else ""))
        )
    status = str(said.get("status", "complete"))
    if status != "complete":
        facts.append(("status", status))
    facts.append(("by", f"fairlead {said.get('fairlead_version', '')}, model {said.get('model_hash', '')}"))
    return "<dl>" + "".join(f"<dt>{escaped(a)}</dt><dd>{escaped(b)}</dd>" for a, b in facts if b) + "</dl>"


def notes(data: xr.Dataset, more: Iterable[str]) -> str:
    """Return the findings of a run and what a picture leaves out."""
    found = [*findings(data.attrs), *more]
    return (
        "<ul class='notes'>" + "".join(f"<li>{escaped(one)}</li>" for one in found) + "</ul>"
        if found
        else "<p class='small'>None.</p>"
    )


def environment(model: Model) -> list[str]:
    """Return the environment of a model in words."""
    from fairlead.model.environment.environment import wave_fields

    place = model.environment
    if place is None:
        return []
    found = []
    for word in (*wave_fields(place), place.current, place.wind):
        if word is not None:
            found.append(_in_words(word))
    if place.depth is not None:
        found.append(f"water {place.depth:g} m deep")
    return found


def _in_words(word: Any) -> str:
    """Return a word as its kind and the numbers that are set, with units."""
    kind = str(getattr(word, "type", type(word).__name__.lower()))
    parts = []
    for name, field in type(word).model_fields.items():
        value = getattr(word, name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value != field.default:
            unit = unit_of(field)
            parts.append(f"{name.replace('_', ' ')} {value:.4g}{' ' + unit if unit else ''}")
    return kind + (f" ({', '.join(parts)})" if parts else "")


def mass_properties(data: xr.Dataset) -> str:
    """Return mass, mass centre at the start and inertia of every body and of the whole about its own mass centre."""
    from fairlead.numeric import unit_rotation_matrix

    mass, inertia = data["mass"].values, data["inertia"].values
    place = data["position"].values[0]
    R = unit_rotation_matrix(data["orientation"].values[0])
    total = float(mass.sum())
    centre = (mass[:, None] * place).sum(axis=0) / total if total > 0 else place.mean(axis=0)
    world = np.einsum("bij,bjk,blk->bil", R, inertia, R)

    def about(point: Any) -> Any:
        arm = place - point
        square = (arm**2).sum(axis=1)
        steiner = square[:, None, None] * np.eye(3) - arm[:, :, None] * arm[:, None, :]
        return (world + mass[:, None, None] * steiner).sum(axis=0)

    heads = ["body", "mass [kg]", "x [m]", "y [m]", "z [m]", "Ixx [kg m²]", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"]
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    rows = [
        [escaped(name), number(mass[i]), *(number(v) for v in place[i]), *(number(inertia[i][p]) for p in pairs)]
        for i, name in enumerate(data["body"].values)
    ]
    for name, point in (("whole, about its mass centre", centre), ("whole, about the origin", np.zeros(3))):
        rows.append(
            [f"<b>{name}</b>", number(total), *(number(v) for v in centre), *(number(about(point)[p]) for p in pairs)]
        )
    said = "At the first instant; bodies about their mass centres in their own axes, the whole in world axes."
    return table(heads, rows, kind="numbers") + f"<p class='small'>{said}</p>"


def joints(data: xr.Dataset) -> str:
    """Return joints with their bodies and coordinates."""
    if not data.sizes.get("joint"):
        return ""
    rows = []
    labels = [str(one) for one in data["coordinate"].values] if data.sizes.get("coordinate") else []
    roles: list[str] = data["coordinate_role"].values.astype(str).tolist() if labels else []
    for row, name in enumerate(data["joint"].values):
        own = [(la.rpartition(".")[2], ro) for la, ro in zip(labels, roles) if la.rpartition(".")[0] == str(name)]
        said = ", ".join(f"{coordinate} {role}" for coordinate, role in own) or "none"
        between = f"{data['joint_parent'].values[row]} → {data['joint_child'].values[row]}"
        rows.append([escaped(name), escaped(data["joint_type"].values[row]), escaped(between), escaped(said)])
    return table(["joint", "type", "from → to", "coordinates"], rows, kind="words")


def loads(model: Model | None) -> str:
    """Return loads with what they act on and their numbers."""
    if model is None or not model.loads:
        return ""
    rows = []
    for name, load in model.loads.items():
        said = _in_words(load)
        kind, _, rest = said.partition(" (")
        bodies = ", ".join(load.on_bodies())
        rows.append([escaped(name), escaped(kind), escaped(bodies), escaped(rest.removesuffix(")"))])
    return table(["load", "type", "on", "with"], rows, kind="words")


def tree(model: Model | None) -> str:
    """Return the tree and its loops as a picture."""
    if model is None:
        return ""
    said = "Each body below the one that carries it; joints that close a loop are dashed."
    return f'<figure class="wide" tabindex="0">{as_svg(model)}<figcaption>{said}</figcaption></figure>'
