"""What `check` says of models that can be read but make no sense, or make less sense than their writer may think."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairlead.errors import Problem
from fairlead.formats.check import check_words as check
from fairlead.formats.yaml.write import to_yaml
from fairlead.model.bodies import Body
from fairlead.model.joints.types import Fixed, Free, Ground, Prismatic, Revolute, Spherical
from fairlead.model.loads.table import Force, Spring
from fairlead.model.schema import Model
from fairlead.running.check import check as check_all

ROUND = (1.0, 1.0, 1.0)
HERE = (0.0, 0.0, 0.0)
UP = (0.0, 0.0, 1.0)


def model(bodies: dict[str, Any] | None = None, **fields: Any) -> Model:
    """Return a model of two bodies, or of the given ones."""
    return Model(name="m", bodies=bodies or {"a": Body(1, ROUND), "b": Body(1, ROUND, (0, 0, 2))}, **fields)


def of(problems: list[Problem], severity: str) -> list[tuple[str, str]]:
    return [(one.path, one.message) for one in problems if one.severity == severity]


def one_error(made: Model) -> tuple[str, str]:
    """Return path and message of the only error of a model."""
    (error,) = of(check(made), "error")
    return error


def test_a_sound_model_has_no_problems() -> None:
    assert check(model(joints={"j": Revolute("a", "b", HERE, UP)})) == []


def test_loops_and_free_coordinates_are_legitimate() -> None:
    """Three bodies in a ring: the third joint closes a loop, which is a thing to simulate and not a mistake."""
    ring = {name: Body(1, ROUND, (0, 0, height)) for height, name in enumerate("abc")}
    joints = {f"{one}{two}": Revolute(one, two, HERE, UP) for one, two in ("ab", "bc", "ca")}
    assert check(model(ring, joints=joints)) == []


@pytest.mark.parametrize(
    ("inertia", "words"),
    [
        # 1 + 2 < 4: no distribution of mass has these moments, since I1 + I2 - I3 = 2 sum m z^2 >= 0.
        ((1, 2, 4), ["triangle", "1, 2 and 4", "1 + 2 is less than 4"]),
        # The same tensor turned: its entries look harmless, its principal moments are those above.
        ("turned", ["triangle", "1 + 2 is less than 4"]),
        ((-1, 2, 2), ["semidefinite", "-1 is negative"]),
        (((1, 0.5, 0), (0.4, 1, 0), (0, 0, 1)), ["symmetric", "row 1 column 2 is 0.5", "row 2 column 1 is 0.4"]),
    ],
)
def test_inertia_that_no_body_has(inertia: Any, words: list[str]) -> None:
    if inertia == "turned":
        q, _ = np.linalg.qr(np.arange(9.0).reshape(3, 3) ** 0.5)
        turned = q @ np.diag([1.0, 2.0, 4.0]) @ q.T
        inertia = (turned + turned.T) / 2
    path, message = one_error(model({"a": Body(1, inertia)}))
    assert path == "bodies.a.inertia"
    assert all(word in message for word in words)


def test_triangle_tolerance_is_what_it_says() -> None:
    """A thin plate has I1 + I2 = I3 exactly; rounding to seven digits must pass, a thousandth must not."""
    assert check(model({"a": Body(1, (1, 2, 3.000002))})) == []
    assert of(check(model({"a": Body(1, (1, 2, 3.003))})), "error")


def test_idealised_bodies_need_only_be_semidefinite() -> None:
    rod = Body(1, (1, 1, 2.5), idealised=True)
    assert check(model({"a": rod})) == []
    assert "semidefinite" in one_error(model({"a": Body(1, (-1, 1, 1), idealised=True)}))[1]


def test_inertia_of_any_scale_is_judged_alike() -> None:
    """Squares of 1e200 overflow; the judgement must not depend on the unit of mass."""
    for scale in (1e-200, 1.0, 1e200):
        assert of(check(model({"a": Body(scale, (scale, 2 * scale, 4 * scale))})), "error")
        assert not of(check(model({"a": Body(scale, (2 * scale, 2 * scale, 3 * scale))})), "error")


@pytest.mark.parametrize(
    ("fields", "path", "words"),
    [
        ({"joints": {"j": Fixed("a", "bb")}}, "joints.j.child", ["'bb'", "nearest names are b, "]),
        ({"loads": {"l": Force("c", force=(0, 0, 1))}}, "loads.l.body", ["no body is called 'c'"]),
        ({"loads": {"l": Force("world", force=(0, 0, 1))}}, "loads.l.body", ["world cannot stand here"]),
        (
            {"loads": {"l": Spring("a", HERE, other="c", other_point=UP, length=1)}},
            "loads.l.other",
            ["no body is called 'c'"],
        ),
        ({"base": "A"}, "base", ["no body is called 'A'", "a"]),
        ({"base": "world"}, "base", ["world cannot stand here"]),
        ({"joints": {"j": Fixed("a", "a")}}, "joints.j.child", ["joins 'a' with itself"]),
        ({"joints": {"j": Fixed("world", "world")}}, "joints.j", ["both of its ends are the world"]),
        ({"joints": {"j": Ground("a", "b")}}, "joints.j.parent", ["parent of a ground joint is the world", "'a'"]),
    ],
)
def test_references_that_lead_nowhere(fields: dict[str, Any], path: str, words: list[str]) -> None:
    found_path, message = one_error(model(**fields))
    assert found_path == path
    assert all(word in message for word in words)


def test_islands_are_noted_with_every_body() -> None:
    """MF15: bodies c, d hang together and to nothing else; they fall freely, which the writer may not have meant."""
    bodies = {name: Body(1, ROUND, (0, 0, height)) for height, name in enumerate("abcd")}
    joints = {"ab": Fixed("a", "b"), "cd": Fixed("c", "d")}
    ((path, message),) = of(check(model(bodies, joints=joints)), "note")
    assert path == "bodies.c"
    assert "'c', 'd'" in message and "free system" in message
    assert (
        check(model(bodies, joints=joints | {"w": Free("world", "c"), "v": Free("world", "a")})) == []
    )  # declared free


def test_two_pendulums_on_the_world_are_no_islands() -> None:
    joints = {"p": Revolute("world", "a", UP, (1, 0, 0)), "q": Revolute("world", "b", HERE, (1, 0, 0))}
    assert check(model(joints=joints)) == []


def test_velocity_of_a_body_that_joints_move_is_noted() -> None:
    bodies = {"a": Body(1, ROUND, velocity=(1, 0, 0)), "b": Body(1, ROUND, angular_velocity=(0, 0, 1))}
    joints = {"j": Revolute("a", "b", HERE, UP, locked=True)}
    assert check_all(model(bodies, joints=joints)) == []  # of one floating piece both can hold
    assert check_all(model(bodies, joints=joints, base="b")) == []  # naming the base turns nothing round
    held = joints | {"g": Fixed("world", "a")}
    lost = of(check_all(model(bodies, joints=held)), "warning")
    assert [path for path, _ in lost] == ["bodies.a.velocity", "bodies.b.angular_velocity"]
    assert all("joints do not allow it" in message for _, message in lost)
    free = {"j": Revolute("a", "b", HERE, UP)}
    assert check_all(model(bodies, joints=free)) == []  # a free joint starts with the velocity drawn
    floats = {"f": Free("world", "a", HERE, rate={"x": 2})}
    ((path, message),) = of(check(model({"a": bodies["a"]}, joints=floats)), "warning")
    assert path == "bodies.a.velocity" and "rate of joint 'f'" in message


def point_mass(height: float = 0.0, aside: float = 0.0) -> Body:
    return Body(1, (0, 0, 0), (aside, 0, height), idealised=True)


def test_free_rotation_of_nothing_is_refused() -> None:
    """MF09: a point mass on the axis has moment m r^2 = 0, so its angle has no equation; beside the axis it has one."""
    held = {"a": Body(1, ROUND), "b": point_mass(1.0)}
    path, message = one_error(model(held, joints={"j": Revolute("a", "b", HERE, UP)}))
    assert path == "joints.j" and "'b'" in message and "without any inertia" in message
    assert check(model(held | {"b": point_mass(1.0, 0.5)}, joints={"j": Revolute("a", "b", HERE, UP)})) == []
    assert check(model(held, joints={"j": Revolute("a", "b", HERE, UP, locked=True)})) == []
    assert check(model(held, joints={"j": Prismatic("a", "b", None, UP)})) == []  # sliding needs mass alone
    assert of(check(model(held, joints={"j": Spherical("a", "b", HERE)})), "error")  # about the line of the mass


def test_free_system_without_rotational_inertia_is_refused() -> None:
    """Two point masses have no moment about their line; a third beside it gives one."""
    line = {"a": point_mass(0.0), "b": point_mass(1.0)}
    path, message = one_error(model(line, joints={"ab": Fixed("a", "b")}))
    assert path == "bodies.a.inertia" and "'a', 'b'" in message
    frame = line | {"c": point_mass(0.0, 1.0)}
    assert check(model(frame, joints={"ab": Fixed("a", "b"), "bc": Fixed("b", "c")})) == []


def test_implausible_inertia_is_a_warning() -> None:
    """Radius of gyration 1000 m in a drawing of 2 m: probably g mm2 for kg m2, but not impossible."""
    bodies = {"a": Body(1, (1e6, 1e6, 1e6)), "b": Body(1, ROUND, (0, 0, 2))}
    ((path, message),) = of(check(model(bodies, joints={"j": Fixed("a", "b")})), "warning")
    assert path == "bodies.a.inertia" and "1e+03 m" in message and "2 m" in message


def test_the_same_is_found_from_python_and_from_the_file(tmp_path: Path) -> None:
    bodies = {"a": Body(1, (1, 2, 4)), "b": Body(1, ROUND, velocity=(1, 0, 0)), "c": Body(1, ROUND)}
    made = model(bodies, joints={"j": Fixed("a", "b"), "k": Fixed("a", "x")})
    (tmp_path / "m.yaml").write_text(to_yaml(made))  # `save` refuses what `load` refuses
    from_file = check(tmp_path / "m.yaml")
    assert {(one.path, one.message, one.severity) for one in from_file} == {
        (one.path, one.message, one.severity) for one in check(made)
    }
    assert all(one.line > 0 and one.file for one in from_file)
    assert len(from_file) == 3  # the inertia, the missing body, the island
