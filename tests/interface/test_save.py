"""Saved models read back to the same model, bit for bit, and look as a person would have written them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.errors import FilesFailure, InvalidInput
from fairlead.formats.yaml.json_schema import json_schema
from fairlead.formats.yaml.read import load
from fairlead.formats.yaml.tree import read_tree
from fairlead.formats.yaml.write import save, scalar, to_yaml
from fairlead.model.bodies import Body, Orientation, Wheel
from fairlead.model.controllers.baseline_turbine import BaselineTurbine
from fairlead.model.controllers.yaw_follow import YawFollow
from fairlead.model.environment.environment import Environment
from fairlead.model.environment.waves import Current, Jonswap
from fairlead.model.environment.wind import DirectionChange, ExtremeDirectionChange, ExtremeGust, KaimalWind
from fairlead.model.joints.forces import JointSpring
from fairlead.model.joints.types import (
    AbsoluteOrientation,
    AbsoluteX,
    AbsoluteY,
    AbsoluteZ,
    Cylindrical,
    Distance,
    Fixed,
    Free,
    Ground,
    Planar,
    Prismatic,
    RelativeAngle,
    Revolute,
    RevoluteCylindrical,
    Spherical,
    Universal,
)
from fairlead.model.loads.generator import Shaft
from fairlead.model.loads.rotor_curves import Curve, OfCt
from fairlead.model.loads.table import (
    Buoyancy,
    Catenary,
    Force,
    Generator,
    Matrix,
    MoorDyn,
    Morison,
    RotationalSpring,
    Rotor,
    RotorThrust,
    Spring,
    TautLine,
)
from fairlead.model.motions import Expression, Polynomial, Ramp, Rate, Sine, Table
from fairlead.model.reading import TYPES
from fairlead.model.run import Run
from fairlead.model.schema import Model
from fairlead.model.shapes import Blade, Box, Cone, Sphere

finite = st.floats(allow_nan=False, allow_infinity=False, width=64)
positive = st.floats(min_value=1e-300, max_value=1e300)
moderate = st.floats(min_value=-1e6, max_value=1e6)
vectors = st.tuples(moderate, moderate, moderate)
axes = vectors.filter(lambda axis: sum(abs(part) for part in axis) > 1e-6)
texts = st.text(max_size=20)
formulas = st.sampled_from(["t", "-t", "1", "sin(2*t)", "where(t < 1, 0, t**2)", "  t", "(t >= 2)*1e-3", "not t"])
amounts = moderate | st.sampled_from(["1.2 deg", "-3 mrad"])
rates = moderate | st.sampled_from(["1.2 deg/s", "12.1 rpm", "0.1 Hz"])
tables = st.integers(2, 40).flatmap(
    lambda rows: st.builds(
        Table,
        times=st.lists(moderate, min_size=rows, max_size=rows, unique=True).map(sorted),
        values=st.lists(amounts, min_size=rows, max_size=rows),
    )
)
motions = st.one_of(
    st.builds(Rate, value=rates, start=amounts),
    st.builds(Ramp, rate=rates, acceleration=st.just("0.5 deg/s**2") | positive, start=amounts, begin=moderate),
    st.builds(Sine, amplitude=amounts, frequency=moderate, phase=moderate, mean=amounts),
    st.builds(Sine, amplitude=amounts, period=positive),
    st.builds(Polynomial, coefficients=st.lists(moderate, min_size=1, max_size=5)),
    st.builds(Expression, expression=formulas),
    tables,
)
roles = st.one_of(
    st.fixed_dictionaries({"motion": motions}),
    st.fixed_dictionaries({"locked": st.just(True)}, optional={"initial": amounts}),
    st.fixed_dictionaries(
        {},
        optional={
            "rate": rates,
            "initial": amounts,
            "spring": st.builds(JointSpring, stiffness=positive, rest=amounts) | positive,
            "damper": positive,
        },
    ),
)
orientations = st.one_of(
    st.none(),
    st.builds(Orientation, euler123=vectors),
    st.just(Orientation(quaternion=(0.5, -0.5, 0.5, -0.5))),
    st.just(Orientation(matrix=((0, -1, 0), (1, 0, 0), (0, 0, 1)))),
)
shapes = st.one_of(
    st.builds(Sphere, diameter=positive, position=st.none() | vectors, colour=st.sampled_from(["red", "#0a1b2c"])),
    st.builds(Box, size=st.tuples(positive, positive, positive), orientation=orientations),
    st.builds(Cone, ends=st.just(((0, 0, 0), (0, 1, 2))), diameters=st.tuples(positive, st.just(0.0))),
    st.just(Blade(((0, 0, 0), (0, 0, 9)), (0.5, 0.2), (0, 1, 0), twist="13 deg")),
)
bodies = st.builds(
    Body,
    mass=positive,
    inertia=st.tuples(positive, positive, positive).map(lambda moments: (moments[0],) * 3)
    | st.just(((2.0, 0.1, 0.0), (0.1, 2.0, -0.3), (0.0, -0.3, 3.0))),
    position=vectors,
    orientation=orientations,
    velocity=vectors,
    angular_velocity=vectors,
    wheels=st.lists(st.builds(Wheel, axis=axes, inertia=positive, speed=moderate), max_size=2).map(tuple),
    geometry=st.none() | st.lists(shapes, max_size=3),
    idealised=st.booleans(),
)
readings = formulas | st.sampled_from(["a.x - `b`.vz", "-0.3*j.rate"])
components = moderate | st.builds(Expression, expression=readings) | tables
forces = st.builds(
    Force,
    body=st.just("a"),
    point=st.none() | vectors,
    force=st.tuples(components, components, components),
    moment=st.none() | st.tuples(components, components, components),
    axes=st.sampled_from(["world", "body"]),
)


def returns(model: Model, folder: Path) -> Model:
    """Return the model after a visit to the disk."""
    save(model, folder / "m.yaml")
    return load(folder / "m.yaml")


@settings(max_examples=60, deadline=None)
@given(body=bodies, axis=axes, role=roles, force=forces)
def test_any_model_returns_unchanged(
    tmp_path_factory: pytest.TempPathFactory, body: Body, axis: Any, role: dict[str, Any], force: Force
) -> None:
    """A file that reads back to other bits would make a restart differ from the run it continues."""
    solid = Body(1, (1, 1, 1))
    model = Model(
        name="any",
        bodies={"a": body, "b": solid},
        joints={"w": Fixed("world", "a"), "j": Revolute("a", "b", (0, 0, 0), axis, **role)},
        loads={"f": force},
    )
    assert returns(model, tmp_path_factory.mktemp("save")) == model


@given(value=finite)
def test_floats_return_with_the_same_bits(value: float) -> None:
    root = read_tree(f"a: {scalar(value)}").root
    assert root is not None
    assert float(root.data()["a"]).hex() == value.hex()


@given(value=texts)
def test_texts_return_unchanged_in_a_list(value: str) -> None:
    """`no`, `012`, `a: b`, quotes, line ends and surrogates included; a list is where plain texts are most fragile."""
    tree = read_tree(f"[{scalar(value)}, {scalar(value)}]")
    assert tree.complaints == [] and tree.root is not None
    assert tree.root.data() == [value, value]


UP = (0, 0, 1)
RICH = Model(
    name="rich",
    base="b",
    gravity=(0, 0, -1.62),
    bodies={name: Body(1, (1, 1, 1), (0, 0, height)) for height, name in enumerate("abcdefghi")},
    joints={
        "hold": Ground(child="a", point=(1, 2, 3)),
        "turn": Revolute("a", "b", (0, 0, 0), (1, 1, 1), motion=Rate("1.2 deg/s")),
        "slide": Prismatic("a", "c", None, (0, 0, 1), locked=True, initial="3 mm"),
        "screw": Cylindrical(
            "a", "d", UP, UP, motion={"length": Sine("1 m", period=2)}, spring={"angle": 5}, damper={"angle": 1}
        ),
        "cross": Universal("a", "e", UP, (1, 0, 0), (0, 1, 0), locked=("angle1",), rate={"angle2": "1 rpm"}),
        "table": Planar("a", "f", UP, UP, (1, 0, 0), locked={"x": True, "y": True, "angle": False}),
        "weld": Fixed("a", "g"),
        "ball": Spherical("a", "h", UP, motion={name: Polynomial([0, 1]) for name in "abc"}),
        "float": Free("a", "i", spring={"z": JointSpring(7, rest="1 m")}),
        "coupler": RevoluteCylindrical("a", "b", UP, UP, (1, 0, 0)),
        "link": Distance("a", "c", UP, other_point=(1, 0, 0), length="3 m"),
        "legacy": Revolute("b", "c", parent_point=UP, child_point=UP, parent_axis=UP, child_axis=(1, 0, 0)),
        "x": AbsoluteX(child="b", point=UP, motion=Rate(1)),
        "y": AbsoluteY(child="b", point=UP),
        "z": AbsoluteZ(child="b", point=UP),
        "upright": AbsoluteOrientation(child="b"),
        "turned": RelativeAngle("b", "d", UP, motion=Rate("10 deg/s"), parent_axis2=(1, 0, 0), child_axis2=(0, 1, 0)),
    },
    loads={
        "push": Force("b", UP, (0, "5 kN", "10*sin(t)"), (Table((0, 1), (0, 1)), 0, Expression("5"))),
        "pull": Spring("b", UP, other="c", other_point=(1, 0, 0), stiffness="3 kN/m", length=1, tension_only=True),
        "twist": RotationalSpring("b", stiffness=4, axis=(0, 0, 2)),
        "water": Matrix("b", UP, (1, 2, 3, 4, 5, 6), None, (0, 0, 1e7, 0, 0, 0), [[1] * 6] * 6),
        "hull": Buoyancy("b", [(-10, 4), (2, "300 cm")], x=1),
        "waves": Morison("b", [(-10, 4), (2, 3)], 1, 0.6, kinematics="undisplaced", end_cd=0.5),
        "rope": TautLine("b", UP, (0, 0, -9), "3 MN", "8 m", pretension="1 kN", tension_only=True),
        "chain": Catenary("b", UP, (50, 0, -9), 60, 1e6, "700 N/m", 0.3, seabed=False),
        "fan": RotorThrust(
            "b", UP, (1, 0, -0.1), 63, Curve((3, 25), (0.8, 0.1)), OfCt(0.7), torque={"power": 5, "speed": 2}
        ),
        "wheel": Rotor("b", UP, (1, 0, -0.1), 63, "table.csv", "turn.rate", "law.pitch", "cubic"),
        "dynamo": Generator("b", "a", "law.torque", 97, 534, 0.9, Shaft("8.7e8 N m/rad", 6e6)),
        "dynamic": MoorDyn("b", "lines.txt"),
    },
    environment=Environment(
        1000,
        "200 m",
        Jonswap(5, 10, 2, seed=3, direction="30 deg"),
        Current(1, exponent=0.2),
        air_density="1.2 kg/m^3",
        wind=KaimalWind(
            18.2,
            "B",
            7,
            "30 deg",
            exponent=0.14,
            changes=(
                DirectionChange(100, "45 deg"),
                ExtremeGust(9, 1.5, "II", 126),
                ExtremeDirectionChange(3, "A", 126),
            ),
        ),
    ),
    controllers={
        "follow": YawFollow("5 deg", average="30 s"),
        "law": BaselineTurbine("dynamo.generator_speed", "oc3", min_pitch="1 deg", start_pitch="2 deg"),
    },
    run=Run(10, 0.01, "cloud", "dop853", "euler123", 5, 1e-9, 1e-12),
)


def test_every_word_of_the_schema_returns_unchanged(tmp_path: Path) -> None:
    used = {word.type for word in (*RICH.joints.values(), *RICH.loads.values())}
    assert used >= {kind for kinds in TYPES.values() for kind in kinds}  # a new word belongs into the rich model too
    assert returns(RICH, tmp_path) == RICH


def test_saved_files_are_short_and_begin_with_the_version() -> None:
    lines = to_yaml(RICH).splitlines()
    assert lines[:4] == ["fairlead: 1", "name: rich", "bodies:", "  a: {mass: 1, inertia: [1, 1, 1]}"]
    assert max(map(len, lines)) <= 120
    text = "\n".join(lines)
    assert "motion: {rate: 1.2 deg/s}" in text  # one coordinate needs no mapping
    assert "locked: true" in text and "locked: [angle1]" in text
    assert "stiffness: [1, 2, 3, 4, 5, 6]" in text  # a diagonal matrix
    assert "angle: 5" in text  # a spring at rest at zero is its stiffness
    assert "velocity" not in text and "integrator: dop853" in text  # defaults are left out, the rest is not


def test_inertia_products_are_written_as_components() -> None:
    body = Body(1, {"xx": 1, "yy": 2, "zz": 2.5, "xz": -0.25})
    assert "inertia: {xx: 1, yy: 2, zz: 2.5, xz: -0.25}" in to_yaml(Model("m", {"a": body}))


def test_python_functions_cannot_be_saved(tmp_path: Path) -> None:
    model = Model("m", {"a": Body(1, (1, 1, 1))}, loads={"f": Force("a", function=lambda t, motion: [0] * 6)})
    with pytest.raises(InvalidInput, match=r"loads\.f\.function: holds a Python function") as caught:
        save(model, tmp_path / "m.yaml")
    assert caught.value.exit_code == 3
    assert list(tmp_path.iterdir()) == []


def test_a_failed_save_leaves_the_earlier_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "m.yaml"
    save(RICH, file)
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FilesFailure, match="No space left") as caught:
        save(Model("m", {"a": Body(1, (1, 1, 1))}), file)
    assert caught.value.exit_code == 5
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_saving_keeps_permissions_and_links(tmp_path: Path) -> None:
    file, link = tmp_path / "m.yaml", tmp_path / "link.yaml"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    save(RICH, link)
    assert link.is_symlink() and load(file) == RICH
    assert file.stat().st_mode & 0o777 == 0o640


def test_schema_for_editors_has_the_words_of_files() -> None:
    schema = json_schema()
    json.dumps(schema)  # plain data
    assert schema["properties"]["fairlead"]["const"] == 1 and "fairlead" in schema["required"]
    definitions = schema["$defs"]
    assert set(definitions["Rate"]["properties"]) == {"rate", "start"}  # the file's word, not Python's `value`
    assert "polynomial" in definitions["Polynomial"]["properties"]
    assert "function" not in definitions["Force"]["properties"]  # no file can hold one
    for kinds in TYPES.values():
        for kind, word in kinds.items():
            definition = definitions[word.__name__]
            assert definition["properties"]["type"]["const"] == kind and "type" in definition["required"]
            assert definition["additionalProperties"] is False
    single, mapping = definitions["Revolute"]["properties"]["rate"]["anyOf"]
    assert mapping["properties"] == {"angle": single}  # one value, or a mapping by coordinate
    assert set(definitions["Cylindrical"]["properties"]["rate"]["properties"]) == {"angle", "length"}


def test_every_reference_of_the_schema_leads_somewhere() -> None:
    schema = json_schema()

    def references(part: Any) -> list[str]:
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else []
        own = [part["$ref"]] if isinstance(part, dict) and isinstance(part.get("$ref"), str) else []
        return own + [found for item in inner for found in references(item)]

    found = references(schema)
    assert len(found) > 10
    assert all(one.startswith("#/$defs/") and one.removeprefix("#/$defs/") in schema["$defs"] for one in found)
