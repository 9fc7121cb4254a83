"""Solids of bodies: closed, of the right volume, outwards; files read as written; guesses that touch their joints."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.view.solids import pieces
from fairlead.view.solids.bodies import looks
from fairlead.view.solids.mesh_files import read_mesh
from page.pages import pendulum

ROUND = 0.5 * pieces.ROUND / math.pi * math.sin(2 * math.pi / pieces.ROUND)  # a polygon's share of its circle
SOLIDS = {
    "box": (pieces.box((1, 2, 3)), 6.0, 1e-12),
    "ball": (pieces.ball(2.0), 4 / 3 * math.pi, 0.02),
    "bar": (pieces.bar((1, 2, 3), (2, 0, 4), 0.5), ROUND * math.pi / 16 * math.sqrt(6), 1e-12),
    "cone": (pieces.bar((0, 0, 0), (0, 0, 3), 2.0, 0.0), ROUND * math.pi, 1e-12),
    "capsule": (pieces.capsule((0, 0, 0), (0, 5, 0), 1.0), math.pi * (5 / 4 + 1 / 6), 0.01),
    "hull": (
        pieces.revolved([(-10, 2.0), (-4, 2.0), (-2, 1.0), (0, 1.0)]),
        ROUND * math.pi * (24 + 2 / 3 * 7 + 2),
        1e-12,
    ),
    "plate": (pieces.plate(np.array([[0, 0, 0], [2, 0, 0], [0, 2, 0.0]]), (0, 0, 1), 0.1), 0.2, 1e-12),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_a_solid_has_its_volume_and_is_closed(name):
    solid, volume, share = SOLIDS[name]
    assert solid.volume() == pytest.approx(volume, rel=share)
    place = np.round(solid.corners, 9)
    _, same = np.unique(place, axis=0, return_inverse=True)  # corners on sharp edges stand twice
    edges = np.concatenate([same[solid.triangles][:, pair] for pair in ((0, 1), (1, 2), (2, 0))])
    there = {tuple(edge) for edge in edges.tolist() if edge[0] != edge[1]}
    assert all((b, a) in there for a, b in there), "an edge has a triangle on one side alone"


def test_a_blade_is_round_at_its_root_and_thin_at_its_tip():
    blade = pieces.blade((0, 0, 1), (0, 0, 11), (0, 1, 0), (2.0, 0.5), 1.0, 0.0)
    ends = [blade.corners[np.isclose(blade.corners[:, 2], z)] for z in (1.0, 1.0 + 10 * 0.98)]
    wide = [np.ptp(end, axis=0) for end in ends]
    assert wide[0][:2] == pytest.approx((1.0, 1.0), rel=0.03) and wide[1][0] < 0.2 * wide[1][1]
    assert blade.volume() > 0


def test_mesh_files_hold_what_was_written(tmp_path: Path):
    solid = pieces.box((1, 2, 3))
    faces = solid.corners[solid.triangles]
    text = "solid box\n" + "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x!r} {y!r} {z!r}\n" for x, y, z in face.tolist())
        + "endloop\nendfacet\n"
        for face in faces
    )
    (tmp_path / "a.stl").write_text(text + "endsolid\n")
    rows = np.zeros(len(faces), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    rows["corners"] = faces
    (tmp_path / "b.stl").write_bytes(b" " * 80 + len(faces).to_bytes(4, "little") + rows.tobytes())
    lines = [f"v {x} {y} {z}" for x, y, z in solid.corners] + [
        f"f {a + 1}/1 {b + 1} {c - 24}" for a, b, c in solid.triangles
    ]
    (tmp_path / "c.obj").write_text("# a box\n" + "\n".join(lines))
    for name in ("a.stl", "b.stl", "c.obj"):
        assert read_mesh(str(tmp_path / name)).volume() == pytest.approx(6.0, rel=1e-6), name
    (tmp_path / "d.stl").write_bytes(b" " * 80 + (9).to_bytes(4, "little"))
    (tmp_path / "e.obj").write_text("v 0 0 0\nf 1 2 3\n")
    for name in ("d.stl", "e.obj"):
        with pytest.raises(fl.InvalidInput, match=name):
            read_mesh(str(tmp_path / name))
    with pytest.raises(fl.FilesFailure, match="cannot read"):
        read_mesh(str(tmp_path / "none.stl"))


def test_shapes_are_drawn_in_the_world_and_follow_their_body(tmp_path: Path):
    """A body drawn turned and moved: its shapes, taken to the world by its pose, are where they were drawn."""
    turned = {"euler123": ("20 deg", "-40 deg", "70 deg")}
    shapes = [
        fl.Cylinder(ends=((1, 2, 3), (4, 5, 6)), diameter=0.5),
        fl.Sphere(diameter=1.0, position=(7, 8, 9)),
        fl.Box(size=(1, 2, 3), position=(-1, 0, 2), orientation={"euler123": (0, 0, 0)}),
        fl.Hull(sections=((0, 1), (5, 2)), x=3.0, y=-2.0),
    ]
    model = fl.Model("turned", {"a": fl.Body(1.0, (1, 1, 1), (5, -3, 2), orientation=turned, geometry=shapes)})
    data = fl.simulate(model, duration=0.01, dt=0.01)
    from fairlead.model.joints.geometry import rotation_of

    R, place = rotation_of(model.bodies["a"]), np.array([5, -3, 2.0])
    drawn = [solid.corners @ R.T + place for solid in looks(data, model)[0].solids]
    middles = [0.5 * (corners.min(axis=0) + corners.max(axis=0)) for corners in drawn]
    assert np.allclose(middles[1], (7, 8, 9)) and np.allclose(middles[2], (-1, 0, 2))
    assert np.allclose(np.ptp(drawn[2], axis=0), (1, 2, 3))
    assert np.allclose(middles[0], (2.5, 3.5, 4.5), atol=0.02) and np.allclose(middles[3], (3, -2, 2.5))


def test_without_geometry_bars_reach_from_joint_to_joint():
    data = fl.simulate(pendulum(), duration=0.01, dt=0.01)
    upper, lower = looks(data)
    assert not upper.given and len(upper.points) == 2
    for point in upper.points:
        assert min(np.linalg.norm(solid.corners - point, axis=1).min() for solid in upper.solids) < 0.05
    assert lower.solids[0].volume() > 0


def test_geometry_changes_no_bit_of_a_run():
    model = pendulum()
    bare = model.with_({"bodies.upper.geometry": None})
    one, other = (fl.simulate(m, duration=0.2, dt=0.01) for m in (model, bare))
    assert np.array_equal(one["position"].values, other["position"].values)
