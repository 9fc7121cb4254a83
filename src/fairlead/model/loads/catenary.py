"""`catenary`: one elastic line by itself, from the kernel that simulations use."""

from __future__ import annotations

import math
from typing import Any

from fairlead.core.loads import catenary as kernels
from fairlead.errors import InvalidInput, NumericalFailure, Problem


class Line(dict[str, float]):
    """The answer of `catenary`: a mapping whose entries are attributes too."""

    def __getattr__(self, name: str) -> float:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


REASONS = {
    1: "the fairlead lies below the bed; raise it or leave 'seabed' out",
    2: "the line reaches a bed that lies below its anchor, which is not covered; put the anchor on the bed",
    3: "the equations did not close; check the numbers for extremes",
}


def catenary(
    span: float,
    rise: float,
    length: float,
    EA: float,
    weight: float,
    *,
    seabed: float | None = None,
    friction: float = 0.0,
) -> Line:
    """Return the forces of an elastic catenary from its anchor to a fairlead `span` away and `rise` above it.

    `seabed` is the height of the bed seen from the anchor: 0 if the anchor lies on it, None if there is none.
    Entries: H and V (pull at the fairlead, inwards and down), tension, anchor_H, anchor_V (up), anchor_tension,
    resting (length on the bed) and the stiffness H_span, H_rise, V_span, V_rise. InvalidInput for numbers that
    make no line, NumericalFailure where there is no solution.
    """
    _check(span=span, rise=rise, length=length, EA=EA, weight=weight, friction=friction, seabed=seabed or 0.0)
    bed, depth = (0, 0.0) if seabed is None else (1, -float(seabed))
    numbers = (float(span), float(rise), float(length), float(EA), float(weight), float(friction))
    status, H, V, Ha, Va, resting, _ = kernels.catenary(*numbers, bed, depth)
    if status != kernels.SOLVED:
        raise NumericalFailure(f"no catenary of span {span:g} m, rise {rise:g} m: {REASONS[status]}")
    found = Line(H=H, V=V, tension=math.hypot(H, V), anchor_H=Ha, anchor_V=Va, anchor_tension=math.hypot(Ha, Va))
    found["resting"] = resting
    slopes = (math.nan,) * 4  # a slack line, or one without weight, has no flexibility to invert
    if H > 0 and weight > 0:
        slopes = kernels.stiffness(H, V, resting, numbers[2], numbers[3], numbers[4], numbers[5])
    return Line(found | dict(zip(("H_span", "H_rise", "V_span", "V_rise"), slopes)))


def _check(**given: Any) -> None:
    positive, at_least_zero = ("length", "EA"), ("span", "weight", "friction")
    wrong = []
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            wrong.append(Problem(f"must be a finite number; got {value!r}", path=name))
        elif (name in positive and value <= 0) or (name in at_least_zero and value < 0):
            wrong.append(
                Problem(f"must be {'above' if name in positive else 'at least'} zero; got {value:g}", path=name)
            )
        elif name == "seabed" and value > 0:
            wrong.append(Problem(f"must not lie above the anchor (0 or less); got {value:g}", path=name))
    if wrong:
        raise InvalidInput(wrong)
