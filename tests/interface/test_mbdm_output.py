"""Output files and checkpoints of the original MBDM program: the note's columns, readable zones, nothing damaged in."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import xarray as xr
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.errors import CheckpointUnusable, InvalidInput
from fairlead.formats.mbdm.case import MbdmBody, MbdmCase, MooringLine, Parameters, Solvers, TracerGroup
from fairlead.formats.mbdm.checkpoint import (
    checkpoint_path,
    old_path,
    read_checkpoint,
    sidecar,
    write_checkpoint,
)
from fairlead.formats.mbdm.convert import load_mbdm
from fairlead.formats.mbdm.files import read_case
from fairlead.formats.mbdm.output import BODY_COLUMNS, body_table, timer_line, write_output
from fairlead.formats.mbdm.output_file import rows_every

REFERENCE = Path(__file__).parents[1] / "reference" / "mbdm"
UNIT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
ZERO = (0.0, 0.0, 0.0)
# Table 21 of the note, typed from it.
TABLE_21 = [
    *("t", "x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "Eangx", "Eangy", "Eangz"),
    *("LCSomegax", "LCSomegay", "LCSomegaz", "LCSepsx", "LCSepsy", "LCSepsz"),
    *("angx", "angy", "angz", "omegax", "omegay", "omegaz", "epsx", "epsy", "epsz"),
]
RATE, DT = 3.0, 0.01


def case_of(**more) -> MbdmCase:
    body = MbdmBody("top", ZERO, ZERO, ZERO, (0.0, 0.0, RATE), 2.0, UNIT)
    times = {"t_start": 5.0, "t_end": 9.0, "dt": DT}
    saving = {"save_output": 5, "save_checkpoint": 100, "save_tracers": 10}
    fields = {"name": "Spin", "dynamic": True, "accuracy": 1e-8, "iterations": 100, "bodies": (body,)}
    return MbdmCase(**{**fields, **times, **saving, **more})


def spinning(seconds: float = 4.0, every: int = 5) -> xr.Dataset:
    """Give the result of a body that turns about z at a constant rate while its centre runs on a circle of radius 2."""
    t = np.arange(0, round(seconds / DT) + 1, every) * DT
    zero = np.zeros_like(t)
    circle = 2 * np.stack([np.cos(t), np.sin(t), zero], axis=-1)
    turn = np.stack([np.cos(RATE * t / 2), zero, zero, np.sin(RATE * t / 2)], axis=-1)
    spin = np.stack([zero, zero, zero + RATE], axis=-1)
    force = np.stack([zero + 1.0, zero, t], axis=-1)
    series = {
        "position": circle,
        "velocity": 2 * np.stack([-np.sin(t), np.cos(t), zero], axis=-1),
        "acceleration": -circle,
        "angular_velocity": spin,
        "angular_acceleration": 0 * spin,
    }
    data = {name: (("time", "body", "xyz"), values[:, None]) for name, values in series.items()}
    data["orientation"] = (("time", "body", "wxyz"), turn[:, None])
    data["load_force"] = (("time", "load", "xyz"), force[:, None])
    data["load_moment"] = (("time", "load", "xyz"), 2 * force[:, None])
    data["mass"] = (("body",), np.array([2.0]))
    data["gravity"] = (("xyz",), np.array([0.0, 0.0, -9.81]))
    coordinates = {"time": t, "body": ["top"], "load": ["line"], "load_body": ("load", ["top"])}
    return xr.Dataset(data, coords=coordinates, attrs={"step": DT, "output_every": every, "wall_time": 0.5})


def columns(path: Path) -> dict[str, np.ndarray]:
    names = path.read_text().split("\n", 1)[0].removeprefix("# ").split()
    table = np.loadtxt(path, ndmin=2)
    assert table.shape[1] == len(names)
    return dict(zip(names, table.T))


def test_body_files_have_the_columns_of_table_21(tmp_path: Path):
    paths = write_output(spinning(), case_of(), tmp_path)
    assert [path.name for path in paths] == ["Spin_body_1.dat"]
    found = columns(paths[0])
    assert list(found) == TABLE_21 == BODY_COLUMNS
    assert len(found) == 28
    t = found["t"]
    assert (t[0], t[-1], len(t)) == (5.0, 9.0, 81)  # from t_start on, every fifth step
    s = t - 5.0
    wanted = {
        "x": 2 * np.cos(s),
        "vy": 2 * np.cos(s),
        "ax": -2 * np.cos(s),
        "Eangz": np.angle(np.exp(1j * RATE * s)),  # within half a turn
        "angz": RATE * s,  # runs on past 2 pi
        "omegaz": RATE + 0 * s,
        "LCSomegaz": RATE + 0 * s,
        "epsz": 0 * s,
        "angx": 0 * s,
    }
    for name, values in wanted.items():
        away = found[name] - values
        away = np.angle(np.exp(1j * away)) if name == "Eangz" else away  # half a turn is +-pi
        assert np.abs(away).max() < 1e-13, name  # sums of 80 intervals, 17 digits
    assert found["angz"][-1] == pytest.approx(12.0, rel=1e-14) and found["angz"][-1] > 2 * math.pi


def test_angles_give_the_matrix_and_world_rates_follow_from_body_rates(tmp_path: Path):
    """Columns 11-13 with the note's Eq. 91 must rebuild the matrix file; scipy's extrinsic 'xyz' is that product."""
    rng = np.random.default_rng(1)
    data = spinning()
    turns = Rotation.random(len(data["time"]), random_state=2)
    data["orientation"].values[:, 0] = np.roll(turns.as_quat(), 1, axis=-1)
    data["angular_velocity"].values[:, 0] = rng.normal(size=(len(data["time"]), 3))
    case = case_of(parameters=Parameters(store_a_matrix=True))
    body, matrix = (columns(path) for path in write_output(data, case, tmp_path))
    euler = np.stack([body[name] for name in ("Eangx", "Eangy", "Eangz")], axis=-1)
    stored = np.stack([matrix[f"a{i}{j}"] for i in "123" for j in "123"], axis=-1).reshape(-1, 3, 3)
    assert list(matrix) == ["t", "a11", "a12", "a13", "a21", "a22", "a23", "a31", "a32", "a33"]
    assert np.abs(stored - turns.as_matrix()).max() < 1e-14
    assert np.abs(Rotation.from_euler("xyz", euler).as_matrix() - stored).max() < 1e-14
    local = np.stack([body[f"LCSomega{axis}"] for axis in "xyz"], axis=-1)
    world = np.stack([body[f"omega{axis}"] for axis in "xyz"], axis=-1)
    assert np.abs(turns.apply(local) - world).max() < 1e-14


@pytest.mark.parametrize("sign", [1, -1])
def test_angles_hold_where_the_middle_one_is_a_right_angle(sign: int, tmp_path: Path):
    data = spinning()
    turn = Rotation.from_euler("xyz", (0.4, sign * math.pi / 2, 0.9))
    data["orientation"].values[:, 0] = np.roll(turn.as_quat(), 1)
    found = columns(write_output(data, case_of(), tmp_path)[0])
    euler = [found[name][0] for name in ("Eangx", "Eangy", "Eangz")]
    assert np.abs(Rotation.from_euler("xyz", euler).as_matrix() - turn.as_matrix()).max() < 1e-12
    assert euler[1] == pytest.approx(sign * math.pi / 2, abs=1e-7)


def test_integrated_angles_are_of_fourth_order():
    """A rate that swings: the integral is known, and halving the interval must divide the error by about 16."""
    errors = []
    for count in (41, 81):
        t = np.linspace(0, 4, count)
        data = spinning(4.0, every=400 // (count - 1))
        data["angular_velocity"].values[:, 0, 2] = np.cos(2 * t)
        data["angular_acceleration"].values[:, 0, 2] = -2 * np.sin(2 * t)
        found = body_table(data, case_of(), 1)[:, BODY_COLUMNS.index("angz")]
        errors.append(np.abs(found - np.sin(2 * t) / 2).max())
    assert 12 < errors[0] / errors[1] < 20


def test_rows_are_those_the_case_asks_for():
    data = spinning(every=5)
    assert np.array_equal(rows_every(data, case_of(), 10), np.arange(0, 81, 2))
    with pytest.raises(InvalidInput, match="output_every=3"):
        rows_every(data, case_of(), 3)


def test_a_result_of_another_case_is_refused(tmp_path: Path):
    with pytest.raises(InvalidInput, match="not of case 'Spin'"):
        write_output(spinning().assign_coords(body=["wheel"]), case_of(), tmp_path)


def test_zero_means_not_to_store(tmp_path: Path):
    assert write_output(spinning(), case_of(save_output=0, save_tracers=0, tracers=(CUBE,)), tmp_path) == []


def test_names_lead_to_no_other_folder(tmp_path: Path):
    inner = tmp_path / "in"
    paths = write_output(spinning(), case_of(name="../up/Spin"), inner)
    assert paths == [inner / ".._up_Spin_body_1.dat"]
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


CORNERS = [(x, y, z) for z in (-1.0, 1.0) for y in (-2.0, 2.0) for x in (-3.0, 3.0)]  # I fastest, as section 7.1.2
CUBE = TracerGroup(1, tuple(CORNERS))
ROD = TracerGroup(1, ((0.0, 0.0, -1.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
LINE = MooringLine("line", 1, (9.0, 0.0, 0.0), (1.0, 0.0, 0.0), ZERO, 1.0, 10.0, 0.0)


class Zone(NamedTuple):
    title: str
    shape: tuple[int, int, int]
    strand: int
    time: float
    points: np.ndarray


def read_tecplot(path: Path) -> tuple[list[str], list[Zone]]:
    """A small reader of ordered point zones, after the Tecplot data format guide."""
    lines = path.read_text().splitlines()
    assert lines[0].startswith("TITLE = ")
    variables = [name.strip('"') for name in lines[1].removeprefix("VARIABLES = ").split()]
    zones, at = [], 2
    while at < len(lines):
        assert lines[at].startswith("ZONE ")
        title = lines[at].split('"')[1]
        words = lines[at].split('"')[2] + ", " + lines[at + 1]
        head = dict(word.strip().split("=") for word in words.split(",") if "=" in word)
        assert head["DATAPACKING"] == "POINT"
        shape = (int(head["I"]), int(head["J"]), int(head["K"]))
        count = math.prod(shape)
        points = np.array([line.split() for line in lines[at + 2 : at + 2 + count]], dtype=float)
        assert points.shape == (count, len(variables))
        zones.append(Zone(title, shape, int(head["STRANDID"]), float(head["SOLUTIONTIME"]), points))
        at += 2 + count
    return variables, zones


def test_tracers_are_zones_that_move_with_their_bodies(tmp_path: Path):
    case = case_of(tracers=(CUBE, ROD), mooring=(LINE,))
    paths = {path.name: path for path in write_output(spinning(), case, tmp_path)}
    assert set(paths) == {
        *("Spin_body_1.dat", "Spin_mooring_1.dat"),
        *("Spin_tracers.dat", "Spin_cog.dat", "Spin_mooring.dat"),
    }
    variables, zones = read_tecplot(paths["Spin_tracers.dat"])
    assert paths["Spin_tracers.dat"].parent.name == "tracers"
    assert variables == ["x", "y", "z"]
    assert len(zones) == 2 * 41  # two groups, every tenth step of 400
    assert [zone.shape for zone in zones[:2]] == [(2, 2, 2), (3, 1, 1)]
    assert [zone.strand for zone in zones[:4]] == [1, 2, 1, 2]
    last = zones[-2]
    assert last.time == 9.0
    turn = Rotation.from_rotvec([0, 0, RATE * 4.0])
    wanted = turn.apply(np.array(CORNERS)) + [2 * math.cos(4.0), 2 * math.sin(4.0), 0.0]
    assert np.abs(last.points - wanted).max() < 1e-13


def test_mass_centres_carry_applied_force_and_moment(tmp_path: Path):
    case = case_of(tracers=(ROD,), mooring=(LINE,))
    paths = {path.name: path for path in write_output(spinning(), case, tmp_path)}
    variables, zones = read_tecplot(paths["Spin_cog.dat"])
    assert variables == ["x", "y", "z", "Fx", "Fy", "Fz", "Mx", "My", "Mz"]
    # gravity 2 kg * 9.81 and the line's (1, 0, t), moment twice the force
    assert zones[-1].points[0, 3:] == pytest.approx([1.0, 0.0, 4.0 - 19.62, 2.0, 0.0, 8.0], rel=1e-14)
    _, lines = read_tecplot(paths["Spin_mooring.dat"])
    assert lines[0].points.tolist() == [[9.0, 0.0, 0.0], [3.0, 0.0, 0.0]]
    force = columns(paths["Spin_mooring_1.dat"])
    assert list(force) == ["t", "Fx", "Fy", "Fz", "Mx", "My", "Mz"]
    assert force["Mz"][-1] == 8.0


def test_debug_state_holds_the_vectors_and_their_rates(tmp_path: Path):
    """q' and q'' of the file must be the finite differences of q: central, so of second order in the step."""
    case = case_of(save_output=1, parameters=Parameters(debug=True))
    paths = write_output(spinning(every=1), case, tmp_path)
    rows = [np.array(line.split(), dtype=float) for line in paths[-1].read_text().splitlines()]
    assert paths[-1].name == "DEBUG_state.dat"
    assert len(rows) == 4 * 401
    t, q, qd, qdd = (np.array(rows[part::4]) for part in range(4))
    assert q.shape == (401, 7) and t[0] == 5.0
    for values, rates in ((q, qd), (qd, qdd)):
        slope = (values[2:] - values[:-2]) / (2 * DT)
        assert np.abs(slope - rates[1:-1]).max() < 2 * RATE**3 * DT**2 / 6


def test_the_timer_says_seconds_per_step():
    assert timer_line(spinning(), case_of()) == "Spin: 400 steps in 0.500 s, 1.25 ms per step"


def test_output_of_a_legacy_run(tmp_path: Path):
    case = read_case(REFERENCE / "spring")
    data = fl.simulate(load_mbdm(REFERENCE / "spring"), progress=False)
    found = {path.name: path for path in write_output(data, case, tmp_path)}
    assert set(found) >= {"TestCase_1_body_1.dat", "TestCase_1_mooring_1.dat"}
    force, body = columns(found["TestCase_1_mooring_1.dat"]), columns(found["TestCase_1_body_1.dat"])
    assert np.abs(force["Fz"] + 1e4 * body["z"]).max() < 1e-6  # Eq. 84 along the vertical, to rounding of 1e4 * 2 m


def state(bodies: int = 2) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    names = ("q", "q_rate", "q_acceleration")
    odd = {name: rng.normal(size=7 * bodies) * 10.0 ** rng.integers(-300, 300, 7 * bodies) for name in names}
    odd["q"][:3] = [-0.0, 5e-324, 0.1]
    return odd | {"angles": rng.normal(size=(bodies, 3))}


def two(**more) -> MbdmCase:
    return case_of(bodies=(*case_of().bodies, *case_of().bodies), **more)


def test_checkpoints_read_back_to_the_same_bits(tmp_path: Path):
    given = state()
    path = write_checkpoint(tmp_path, two(), 0.1 + 0.2, 30, **given)
    assert path == tmp_path / "MBDM_checkpoint" / "Spin_checkpoint"
    found, problems = read_checkpoint(path, two())
    assert problems == []
    assert (found.time, found.step) == (0.1 + 0.2, 30)
    for name, values in given.items():
        assert np.asarray(getattr(found, name)).tobytes() == values.tobytes(), name
    lines = path.read_text().splitlines()
    assert [len(line.split()) for line in lines] == [1, 14, 14, 14, 3, 3]  # the layout of section 9


def test_exchange_vectors_are_kept(tmp_path: Path):
    solvers = Solvers(1, "h", "a", 1, "s", 1, *(1.0 for _ in range(5)), 1, 2, 10)
    path = write_checkpoint(tmp_path, two(), 1.0, 1, **state(), sph=np.arange(6.0), hmb=np.arange(3.0) / 3)
    found, _ = read_checkpoint(path)
    assert found.sph.tolist() == list(range(6))
    assert found.hmb.tolist() == [0.0, 1 / 3, 2 / 3]
    path = write_checkpoint(tmp_path, two(), 1.0, 1, **state(), hmb=np.arange(3.0))
    sidecar(path).unlink()
    found, _ = read_checkpoint(path, two(solvers=solvers))
    assert (found.sph.tolist(), found.hmb.tolist()) == ([], [0, 1, 2])


def test_the_checkpoint_before_is_kept_and_offered(tmp_path: Path):
    write_checkpoint(tmp_path, two(), 1.0, 100, **state())
    path = write_checkpoint(tmp_path, two(), 2.0, 200, **state())
    assert read_checkpoint(path, two())[0].time == 2.0
    assert read_checkpoint(old_path(path), two())[0].time == 1.0
    assert path.with_name("Spin_checkpoint_old").exists()
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(CheckpointUnusable, match=r"cut off.*Spin_checkpoint_old, is whole and at t = 1 s"):
        read_checkpoint(path, two())


def test_damage_is_detected_wherever_it_is(tmp_path: Path):
    path = write_checkpoint(tmp_path, two(), 1.0, 100, **state())
    good = path.read_bytes()
    for at in range(0, len(good), 37):
        path.write_bytes(good[:at] + (b"7" if good[at : at + 1] != b"7" else b"8") + good[at + 1 :])
        with pytest.raises(CheckpointUnusable, match="damaged"):
            read_checkpoint(path, two())
    for length in range(0, len(good), 53):
        path.write_bytes(good[:length])
        with pytest.raises(CheckpointUnusable, match="cut off"):
            read_checkpoint(path, two())


def test_foreign_and_older_checkpoints_are_refused(tmp_path: Path):
    path = write_checkpoint(tmp_path, two(), 1.0, 100, **state())
    heavier = replace(two(), bodies=(two().bodies[0], replace(two().bodies[1], mass=3.0)))
    with pytest.raises(CheckpointUnusable, match="of another system"):
        read_checkpoint(path, heavier)
    assert read_checkpoint(path, two(t_end=99.0))[0].step == 100  # a longer run of the same system goes on
    about = json.loads(sidecar(path).read_text())
    sidecar(path).write_text(json.dumps({**about, "format": 0, "fairlead": "0.0.1"}))
    with pytest.raises(CheckpointUnusable, match=r"format 0 \(of Fairlead 0.0.1\); this version reads 1"):
        read_checkpoint(path, two())
    sidecar(path).write_text("{")
    with pytest.raises(CheckpointUnusable, match="cannot be trusted"):
        read_checkpoint(path, two())


def test_a_checkpoint_of_the_original_program_is_taken_with_a_warning(tmp_path: Path):
    path = write_checkpoint(tmp_path, two(), 1.5, 100, **state())
    sidecar(path).unlink()
    found, problems = read_checkpoint(path, two())
    assert (found.time, found.step) == (1.5, -1)
    assert [problem.severity for problem in problems] == ["warning"]
    assert "no sidecar" in problems[0].message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a whole checkpoint"),
        (b"\x89HDF\r\n", "something else than numbers"),
        (b"1\n1 2 3\n1 2 3\n1 2 3\n0 0 0\n", "2 bodies need 14 each"),
        (b"0\n" + 3 * (b"1 " * 14 + b"\n") + b"0 0 0\n", "3 of 6 integrated angles"),
        (b"0\n" + 3 * (b"nan " * 14 + b"\n") + b"0 0 0\n0 0 0\n", "all finite"),
    ],
)
def test_files_that_are_no_checkpoints_are_refused(content: bytes, words: str, tmp_path: Path):
    path = tmp_path / "Spin_checkpoint"
    path.write_bytes(content)
    with pytest.raises(CheckpointUnusable, match=words):
        read_checkpoint(path, two())
    with pytest.raises(CheckpointUnusable, match="cannot be read"):
        read_checkpoint(tmp_path / "none", two())


def test_a_checkpoint_that_is_not_finite_is_not_written(tmp_path: Path):
    broken = state()
    broken["q"][3] = math.nan
    with pytest.raises(InvalidInput, match="14 finite numbers for 'q'"):
        write_checkpoint(tmp_path, two(), 1.0, 1, **broken)
    assert not checkpoint_path(tmp_path, two()).exists()
