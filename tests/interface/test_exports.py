"""Results in files of other programs read back to what was recorded."""

from __future__ import annotations

import base64
import csv
import json
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.formats.columns import write_columns
from fairlead.view.exports.gltf import write_gltf
from fairlead.view.exports.vtk import write_pvd
from page.pages import pendulum

NAMES = ["position:lower:z", "joint_rate:elbow.angle", "joint_force:pin:x"]


@pytest.fixture(scope="module")
def model():
    return pendulum()


@pytest.fixture(scope="module")
def data(model):
    return fl.simulate(model, duration=1.0, dt=0.005)


def test_csv_has_names_units_and_every_bit(data, tmp_path: Path):
    assert write_columns(data, tmp_path / "a.csv", NAMES) == 4
    names, units, *rows = list(csv.reader((tmp_path / "a.csv").open()))
    assert names == ["time", *NAMES] and units == ["[s]", "[m]", "[rad/s]", "[N]"]
    values = np.array(rows, dtype=float)
    assert np.array_equal(values[:, 0], data["time"].values)
    assert np.array_equal(values[:, 1], data["position"].sel(body="lower", xyz="z").values)
    assert np.array_equal(values[:, 2], data["joint_rate"].sel(coordinate="elbow.angle").values)


def test_parquet_has_the_same_with_units_beside_it(data, tmp_path: Path):
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'fairlead[parquet]'")
    write_columns(data, tmp_path / "a.parquet", NAMES)
    table = pq.read_table(tmp_path / "a.parquet")
    assert table.column_names == ["time", *NAMES]
    assert table.schema.field(NAMES[1]).metadata[b"units"] == b"rad/s"
    assert np.array_equal(table.column(NAMES[0]).to_numpy(), data["position"].sel(body="lower", xyz="z").values)


def glb(path: Path) -> tuple[dict, bytes]:
    content = path.read_bytes()
    magic, version, size = struct.unpack_from("<4sII", content)
    assert (magic, version, size) == (b"glTF", 2, len(content))
    length, kind = struct.unpack_from("<I4s", content, 12)
    assert kind == b"JSON"
    assert struct.unpack_from("<I4s", content, 20 + length)[1] == b"BIN\0"
    return json.loads(content[20 : 20 + length]), content[28 + length :]


def test_gltf_moves_every_body_as_recorded(model, data, tmp_path: Path):
    assert write_gltf(data, tmp_path / "a.glb", model) == data.sizes["time"]
    whole, content = glb(tmp_path / "a.glb")

    def array(number: int) -> np.ndarray:
        accessor = whole["accessors"][number]
        view = whole["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        kind = "<f4" if accessor["componentType"] == 5126 else "<u4"
        found = np.frombuffer(content, kind, accessor["count"] * width, view["byteOffset"])
        return found.reshape(accessor["count"], width).astype(float)

    moves = whole["animations"][0]
    for channel in moves["channels"]:
        body = whole["nodes"][channel["target"]["node"]]["name"]
        sampler = moves["samplers"][channel["sampler"]]
        values = array(sampler["output"])
        assert np.allclose(array(sampler["input"])[:, 0], data["time"].values, atol=1e-7)
        if channel["target"]["path"] == "translation":
            assert np.allclose(values, data["position"].sel(body=body).values, atol=1e-6)
        else:
            assert np.allclose(np.linalg.norm(values, axis=1), 1, atol=1e-6)
            assert np.all(np.sum(values[1:] * values[:-1], axis=1) > 0)  # the short way between instants
            q = data["orientation"].sel(body=body).values[:, [1, 2, 3, 0]]
            assert np.allclose(np.abs(np.sum(values * q, axis=1)), 1, atol=1e-6)
    for mesh in whole["meshes"]:
        for part in mesh["primitives"]:
            corners = array(part["attributes"]["POSITION"])
            said = whole["accessors"][part["attributes"]["POSITION"]]
            assert np.allclose(corners.min(axis=0), said["min"]) and np.allclose(corners.max(axis=0), said["max"])
            assert array(part["indices"]).max() < len(corners)


def test_vtk_has_world_points_and_velocities_at_each_instant(model, data, tmp_path: Path):
    part = data.isel(time=slice(0, 20))
    assert write_pvd(part, tmp_path / "a.pvd", model) == 20
    sets = ET.parse(tmp_path / "a.pvd").getroot().findall("Collection/DataSet")
    assert [float(one.get("timestep")) for one in sets] == part["time"].values.tolist()
    piece = ET.parse(tmp_path / sets[7].get("file")).getroot().find("PolyData/Piece")

    def array(name: str, kind: str) -> np.ndarray:
        (element,) = [one for one in piece.iter("DataArray") if one.get("Name") == name]
        content = base64.b64decode(element.text)
        assert int.from_bytes(content[:8], "little") == len(content) - 8
        return np.frombuffer(content[8:], kind)

    points, faces = array("Points", "<f4").reshape(-1, 3), array("connectivity", "<i4").reshape(-1, 3)
    bodies, velocity = array("body", "<i4"), array("velocity", "<f4").reshape(-1, 3)
    assert len(points) == int(piece.get("NumberOfPoints")) and faces.max() < len(points)
    upper = np.unique(faces[bodies == 0])
    place = part["position"].values[7, 0]
    assert np.allclose(0.5 * (points[upper].min(axis=0) + points[upper].max(axis=0)), place, atol=0.01)
    ahead = np.unique(faces[bodies == 1])
    later = np.frombuffer(
        base64.b64decode(
            next(
                one
                for one in ET.parse(tmp_path / sets[8].get("file")).getroot().iter("DataArray")
                if one.get("Name") == "Points"
            ).text
        )[8:],
        "<f4",
    ).reshape(-1, 3)
    assert np.allclose((later - points)[ahead], 0.005 * velocity[ahead], atol=3e-4)  # second order in a step of 5 ms


def test_the_command_writes_each_and_refuses_what_is_not_meant(fairlead, two_bodies: Path, tmp_path: Path):
    assert fairlead("run", str(two_bodies), "--out", "a.run", "-q").returncode == 0
    done = fairlead("convert", "a.run", "a.csv", "--columns", "joint_position:hinge.angle, position:base:x")
    assert done.returncode == 0 and "3 columns" in done.stdout, done.stderr
    for name in ("a.glb", "a.pvd"):
        assert fairlead("convert", "a.run", name).returncode == 0
    assert fairlead("convert", "a.run", "a.csv").returncode == 5
    assert (
        "is no" in (said := fairlead("convert", "a.run", "b.csv", "--columns", "ptch").stderr) or "there is no" in said
    )
    assert fairlead("convert", "a.run", "b.glb", "--columns", "pitch").returncode == 3
