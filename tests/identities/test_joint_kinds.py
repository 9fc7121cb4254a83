"""Every kind of joint, by its description: a new kind enters these tests by its line in the table of joints.

What a description says is compared with what a plain NumPy chain of slides and turns does; formulations that share no
dynamics are compared with each other; reactions with internal loads found from the motion alone.
"""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.core.formulations.constrained import pipeline as constrained
from fairlead.core.motions import move
from fairlead.core.work import new_work
from fairlead.formats.yaml.json_schema import json_schema
from fairlead.inverse_dynamics.released import ALL_BUT_COORDINATES as READ_WORD
from fairlead.model.compile import compile_model
from fairlead.model.joints.base import Joint
from fairlead.model.joints.description import ALL_BUT_COORDINATES, attitude, slide, turn, without_equations
from fairlead.model.joints.equations import EquationRows
from fairlead.model.joints.kane_slots import places
from fairlead.model.reading import TYPES
from fairlead.running.formulations.table import FORMULATIONS
from transformations.kinds import JOINTS as TRANSFORMED

KINDS = TYPES["joints"]
TREE_KINDS = [name for name, kind in KINDS.items() if not kind.only_constrains]
POINT, GRAVITY = np.array([0.3, -0.2, 0.4]), (0.3, -0.5, -9.0)
AXIS = np.array([0.6, 0.0, 0.8])
AXIS2 = np.array([0.0, 1.0, 0.0])
AT = {"a": np.array([-0.5, 0.3, 0.1]), "b": np.array([0.9, -0.6, 0.7]), "c": np.array([1.5, 0.2, -0.4])}
ANGLES = {"a": [0.3, 1, 2], "b": [2, 0.5, -1], "c": [1, 0, 3]}
TURNED = {name: Rotation.from_euler("XYZ", angles) for name, angles in ANGLES.items()}
TIGHT = {"integrator": "dop853", "rtol": 1e-12, "atol": 1e-13}


def every_class(base=Joint):
    """Return all classes of joints that have a type of their own, whether or not the table lists them."""
    below = [kind for sub in base.__subclasses__() for kind in (sub, *every_class(sub))]
    return [kind for kind in below if "type" in kind.model_fields and kind.__module__.startswith("fairlead.")]


def joint_of(kind, parent, child, **given):
    """A joint of a kind in the drawing of these tests."""
    drawn = {"point": POINT, "axis": AXIS, "axis2": AXIS2, "other_point": POINT + [0.2, 0.5, -0.3]}
    given |= {field: tuple(value) for field, value in drawn.items() if field in kind.model_fields}
    return kind(parent=parent, child=child, **given)


def to_world(kind):
    return kind.model_fields["parent"].default == "world"


def bodies(names):
    inertia = {"a": (1.0, 1.5, 2.0), "b": (0.8, 1.1, 0.5), "c": (0.3, 0.2, 0.4)}
    return {
        name: fl.Body(1.0 + k, inertia[name], tuple(AT[name]), {"matrix": TURNED[name].as_matrix().tolist()})
        for k, name in enumerate(names)
    }


def tree(kind, roles, flipped=False, floating=False):
    """World (or a floating body), the joint, a body, a pin, a body."""
    inner = "a" if floating and not to_world(kind) else "world"
    names = list(kind.coordinates)
    given = {"motion": {}, "rate": {}, "initial": {}, "damper": {}}
    for k, name in enumerate(names):
        if roles == "driven" or (roles == "mixed" and k % 2 == 0):
            given["motion"][name] = fl.Sine(0.3 + 0.1 * k, frequency=2.0 + k, phase=0.4)
        else:
            given["initial"][name], given["rate"][name] = 0.2 + 0.1 * k, 0.7 - 0.3 * k
            given["damper"][name] = 0.4
    ends = ("b", inner) if flipped else (inner, "b")
    pin = fl.Revolute("b", "c", (1.2, 0, 0.3), (0, 0.6, 0.8), rate=0.5)
    joints = {"it": joint_of(kind, *ends, **given), "pin": pin}
    return fl.Model("tree", bodies("abc" if inner == "a" else "bc"), joints, gravity=GRAVITY)


def loop(kind):
    """World, a pin, a body, the joint, a body, and a strut back to the world; joints to the world come first."""
    if to_world(kind):
        joints = {"it": joint_of(kind, "world", "b"), "pin": fl.Revolute("b", "a", (0, 0.1, 0.2), (0, 0.6, 0.8))}
        end = "a"
    else:
        joints = {"pin": fl.Revolute("world", "a", (0, 0.1, 0.2), (0, 0.6, 0.8)), "it": joint_of(kind, "a", "b")}
        end = "b"
    joints["strut"] = fl.Distance("world", end, (2.0, 1.0, -1.0), other_point=tuple(AT[end] + [0.2, 0.3, -0.1]))
    return fl.Model("loop", bodies("ab"), joints, gravity=GRAVITY)


def drawn_column(kind, column):
    if not kind.has_axes():
        return np.eye(3)[column]
    return (AXIS2, np.cross(AXIS, AXIS2), AXIS)[column]


class Chain:
    """The child moved from the drawing by a plain chain of slides and turns, the parent where it is drawn."""

    def __init__(self, kind, q):
        R, start = Rotation.identity(), POINT if "point" in kind.model_fields else AT["b"]
        p, axes = start, {}
        for (name, one), value in zip(kind.coordinates.items(), q):
            axes[name] = R.apply(drawn_column(kind, one.column)), p, one.kind == "angle"
            if one.kind == "angle":
                R = R * Rotation.from_rotvec(value * drawn_column(kind, one.column))
            else:
                p = p + value * axes[name][0]
        self.R, self.x = R * TURNED["b"], p + R.apply(AT["b"] - start)
        # Of each coordinate: velocity of the child's mass centre and angular velocity, world axes.
        self.twists = {
            name: (np.cross(e, self.x - at), e) if turns else (e, 0 * e) for name, (e, at, turns) in axes.items()
        }


def rows_at(kind, chain):
    """Constraint rows of the joint at the chain's pose: value, the part of the Jacobian of the child, and labels."""
    inner = "world" if to_world(kind) else "a"
    model = fl.Model("rows", bodies("b" if inner == "world" else "ab"), {"it": joint_of(kind, inner, "b")})
    compiled = compile_model(model, loose=True)
    work = new_work(compiled.arrays)
    move(0.0, compiled.arrays, work)
    for name, number in compiled.index.tree_order.items():
        x, R = (chain.x, chain.R) if name == "b" else (AT["a"], TURNED["a"])
        work.constraint.y[13 * number : 13 * number + 7] = [*x, *R.as_quat(scalar_first=True)]
    constrained.place(compiled.arrays, work)
    child = compiled.index.tree_order["b"]
    own = [slice(6, 12) if row["j"] == child else slice(0, 6) for row in compiled.arrays.constraints]
    J = np.array([work.constraint.J[r, part] for r, part in enumerate(own)]).reshape(-1, 6)
    return work.constraint.phi.copy(), J, compiled.arrays.constraints, compiled.index.equations


@pytest.mark.parametrize("name", KINDS)
def test_no_piece_is_missing(name):
    kind = KINDS[name]
    lacks = without_equations(name, kind.coordinates, kind.equations)
    assert not lacks, lacks[0]
    for field in kind.needs:
        assert field in kind.model_fields, f"joint '{name}' needs '{field}' but has no such field"
    for coordinate, one in kind.coordinates.items():
        field = "axis" if one.column == 2 else "axis2"
        asked = field in kind.needs or kind.arm() or not kind.has_axes()
        assert asked, f"joint '{name}' has the coordinate '{coordinate}' on '{field}' but does not need '{field}'"
    for equation in kind.equations:
        made = hasattr(EquationRows, f"_{equation.word}")
        assert made, f"joint '{name}': no rows are made of its equation '{equation.word}'"


@pytest.mark.parametrize(
    ("said", "coordinates", "equations"),
    [
        (
            "'x' has an axis fixed in the parent but stands behind 'q'",
            {"q": turn("parent", 2), "x": slide("parent", 0)},
            (),
        ),
        ("'x' is fixed in the child", {"q": turn("parent", 2), "x": slide("child", 0)}, ()),
        (r"coordinates \(1\) and equations \(3\) must together be 6", {"q": turn("parent", 2)}, (attitude(),)),
        ("3 equations but no coordinates", {}, (attitude(),)),
    ],
)
def test_a_description_that_contradicts_itself_is_no_joint(said, coordinates, equations):
    """Refused where the class is made: formulations would each follow another part of it."""
    words = {"coordinates": coordinates, "equations": equations, "__annotations__": {"type": str}, "type": "odd"}
    with pytest.raises(TypeError, match=f"joint 'odd': .*{said}"):
        type("Odd", (Joint,), {"__module__": __name__, **words})


def test_coordinates_without_equations_are_refused_by_constrained():
    """Trees need no equations; a joint that lacks them is refused with a sentence, not an internal fault."""

    class Bare(Joint):
        coordinates = {"q": turn("parent", 2)}
        type: str = "bare"

    (reason,) = FORMULATIONS["constrained"].accepts(
        SimpleNamespace(joints={"it": Bare(parent="world", child="b")}, loads={})
    )
    assert "joint 'bare' has coordinates but no equations: constrained cannot take it" in str(reason.message)
    assert reason.path == "joints.it"


def test_what_has_no_slots_is_refused_by_kane():
    """A turn with a slide behind it that it turns has no place among translations along axes of the inboard body."""
    assert places([turn("parent", 2), slide("parent", 0)], False) is None
    assert places([slide("parent", 0), turn("parent", 2)], False) == [3, 1]


def test_every_class_is_in_the_table_and_public():
    assert READ_WORD == ALL_BUT_COORDINATES
    for kind in every_class():
        assert kind in KINDS.values(), f"joint '{kind.kind()}' is not in AnyJoint: no file can name it"
        assert getattr(fl, kind.__name__, None) is kind, f"{kind.__name__} is not a public name: fairlead/__init__.py"


@pytest.mark.parametrize("name", TREE_KINDS)
def test_equations_hold_what_coordinates_do_not_leave(name):
    """At any q: equations are satisfied, orthogonal to the motion, and the two make six; rows measure their coordinate.

    The numbers are of order one, so 1e-12 is rounding; at 1e-9 a singular value would be a direction that is lost.
    """
    kind = KINDS[name]
    q = 0.3 + 0.25 * np.arange(len(kind.coordinates))
    chain = Chain(kind, q)
    phi, J, rows, labels = rows_at(kind, chain)
    S = np.array([np.concatenate(twist) for twist in chain.twists.values()]).reshape(-1, 6)
    held = rows["coordinate"] < 0
    for r in np.flatnonzero(held):
        assert abs(phi[r]) < 1e-12, f"joint '{name}': equation '{labels[r]}' does not hold where its coordinates lead"
        for coordinate, twist in zip(chain.twists, S):
            assert abs(J[r] @ twist) < 1e-12, f"joint '{name}': '{labels[r]}' holds what '{coordinate}' leaves"
    both = np.linalg.svd(np.vstack([J[held], S]), compute_uv=False)
    assert (both > 1e-9).sum() == 6 == held.sum() + len(S), (
        f"joint '{name}': {held.sum()} equations and {len(S)} coordinates are {(both > 1e-9).sum()} directions, not 6"
    )
    signs = rows["sign"][~held]
    measured = J[~held] @ S.T * signs[:, None]
    plain = [k for k, one in enumerate(kind.coordinates.values()) if one.side != "ball"]
    assert len(plain) == len(measured), f"joint '{name}': not every coordinate has a row that measures it"
    np.testing.assert_allclose(phi[~held] * signs, q[plain], atol=1e-12, err_msg=f"joint '{name}': measured values")
    np.testing.assert_allclose(np.diag(measured[:, plain]), 1.0, atol=1e-12, err_msg=f"joint '{name}': measured rates")


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("name", TREE_KINDS)
def test_trees_follow_the_chain(name, flipped):
    """Every formulation puts the body where a plain chain of slides and turns does: 1e-12 m is rounding."""
    kind = KINDS[name]
    if flipped and to_world(kind):
        pytest.skip("a joint of the world has no other direction")
    model = tree(kind, "driven", flipped)
    q = np.array([(0.3 + 0.1 * k) * np.sin(0.4) for k in range(len(kind.coordinates))])
    chain = Chain(kind, q)
    R, x = chain.R * TURNED["b"].inv(), chain.x
    if flipped:  # the world moves from the body by the chain: the body from the world by its inverse
        start = POINT if "point" in kind.model_fields else AT["b"]
        shift = x - start - R.apply(AT["b"] - start)
        R, x = R.inv(), start + R.inv().apply(AT["b"] - start - shift)
    for way in accepting(model):
        found = fl.accelerations(model, formulation=way).sel(body="b")
        np.testing.assert_allclose(found["position"], x, atol=1e-9, err_msg=f"joint '{name}' by '{way}'")
        at = Rotation.from_quat(found["orientation"].values, scalar_first=True)
        assert (at.inv() * R * TURNED["b"]).magnitude() < 1e-9, f"joint '{name}' by '{way}' turns otherwise"


def accepting(model):
    return [way for way, formulation in FORMULATIONS.items() if not formulation.accepts(model)]


def apart(one, other, names):
    """The largest difference of each variable, of its size (at least one)."""
    sizes = {name: max(1.0, np.abs(one[name].values).max(initial=0.0)) for name in names}
    return {name: np.abs(one[name].values - other[name].values).max(initial=0.0) / size for name, size in sizes.items()}


def agree(model, name, fewest, run):
    """All that accept the model find the same accelerations and reactions, and the same motion over a short run."""
    ways = accepting(model)
    assert len(ways) >= fewest, f"joint '{name}' is taken by {', '.join(ways) or 'no formulation'} only"
    names = ("acceleration", "angular_acceleration", "joint_force", "joint_moment", "joint_rate")
    first = fl.accelerations(model, formulation=ways[0])
    for way in ways[1:]:
        off = apart(first, fl.accelerations(model, formulation=way), names)
        assert max(off.values()) < 1e-9, f"joint '{name}': '{way}' and '{ways[0]}' differ: {off}"
    if not run:
        return
    motion = ("position", "velocity", "angular_velocity", "joint_position")
    first = fl.simulate(model, 0.3, 0.1, formulation=ways[0], progress=False, **TIGHT)
    for way in ways[1:]:
        off = apart(first, fl.simulate(model, 0.3, 0.1, formulation=way, progress=False, **TIGHT), motion)
        assert max(off.values()) < 1e-9, f"joint '{name}': '{way}' and '{ways[0]}' run apart: {off}"


@pytest.mark.parametrize("roles", ["free", "driven", "mixed"])
@pytest.mark.parametrize("name", TREE_KINDS)
def test_formulations_agree_in_trees(name, roles):
    """1e-9 of the size: runs at rtol 1e-12 over 0.3 s and single solves of small systems leave 1e-11 at most.

    Both directions of the joint, on the world and on a floating body. Free and driven joints must be taken by
    `articulated`, `cloud` and `constrained` at least.
    """
    kind = KINDS[name]
    least = 3 if roles != "mixed" or not kind.ball() else 1
    agree(tree(kind, roles, floating=True), name, least, run=True)
    agree(tree(kind, roles), name, least, run=False)
    if not to_world(kind):
        agree(tree(kind, roles, flipped=True), name, least, run=False)
        agree(tree(kind, roles, flipped=True, floating=True), name, least, run=False)


@pytest.mark.parametrize("name", KINDS)
def test_formulations_agree_in_loops(name):
    agree(loop(KINDS[name]), name, 3, run=True)


@pytest.mark.parametrize("name", KINDS)
def test_internal_loads_are_the_reactions(name):
    """From the recorded motion alone: in a tree by cutting, in a loop by what the record says that joints release.

    The motion is exact to 1e-12 and accelerations are recorded; the loop's matrices are well conditioned: 1e-9.
    """
    kind = KINDS[name]
    models = [loop(kind)] if kind.only_constrains else [tree(kind, "free"), tree(kind, "driven"), loop(kind)]
    for model in models:
        data = fl.simulate(model, 0.2, 0.1, progress=False, **TIGHT)
        found = fl.internal_loads(data)
        assert found.attrs["undetermined"] == "", f"joint '{name}' in a {model.name}: {found.attrs['undetermined']}"
        for word in ("force", "moment"):
            known = data[f"joint_{word}"].values
            off = np.abs(found[word].values - known).max() / max(1.0, np.abs(known).max())
            assert off < 1e-9, f"joint '{name}' in a {model.name}: internal {word}s are off by {off:.2g} of their size"


@pytest.mark.parametrize("name", KINDS)
def test_files_checks_and_documentation(name, tmp_path):
    kind = KINDS[name]
    models = [loop(kind)] if kind.only_constrains else [tree(kind, "mixed", floating=True), loop(kind)]
    for model in models:
        assert [p for p in fl.check(model) if p.severity == "error"] == []
        fl.save(model, tmp_path / "model.yaml")
        assert fl.load(tmp_path / "model.yaml").joints["it"] == model.joints["it"]
    rows = (Path(__file__).parents[2] / "docs" / "joints_and_loads.md").read_text().splitlines()
    row = next((row for row in rows if row.startswith(f"| `{name}` |")), "")
    assert row, f"joint '{name}' has no row in docs/joints_and_loads.md"
    for coordinate in kind.coordinates:
        assert f"`{coordinate}`" in row, f"the row of '{name}' in docs/joints_and_loads.md does not name '{coordinate}'"
    assert name in TRANSFORMED, f"joint '{name}' has no row in tests/transformations/kinds.py"
    said = json_schema()["$defs"][kind.__name__]["description"]
    assert kind.__doc__ and said.strip(), f"joint '{name}' has no docstring"
    for coordinate in kind.coordinates:
        assert re.search(rf"\b{coordinate}: (turn|slide)", said), f"joint '{name}': nothing is said of '{coordinate}'"
