"""Tables of other programs: the four procedures of the Momentum tests, units, and sentences for what is wrong."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import xarray as xr
from scipy.spatial.transform import Rotation

from fairlead.auditing.audit import ATTITUDE, PLACE
from fairlead.errors import FilesFailure, InvalidInput
from fairlead.formats.foreign.questions import audit
from fairlead.formats.foreign.table import KINDS, read_table
from support.audit_data import clock, integrate, matrix, sprung

G = (1.0, 0.0, -9.8)
TIME = np.arange(0, 150) * 0.02


@pytest.fixture(scope="module")
def data():
    """A driven two-body clock with a wheel in uniform gravity, from momentum conservation (support/audit_data.py)."""
    return clock(TIME, g=G)


def names(stem, count):
    return [f"{stem}{k}" for k in range(1, count + 1)]


def write(path, columns, form="%.17g"):
    table = np.stack(list(columns.values()), axis=1)
    np.savetxt(path, table, delimiter=",", header=",".join(columns), comments="", fmt=form)
    return path


def add(columns, stem, values):
    for name, column in zip(names(stem, values.shape[1]), values.T):
        columns[name] = column
    return names(stem, values.shape[1])


def table_of(data, kind):
    """The columns and the map of a table of this kind, each by the definition in the document.

    Base kinds hold everything in axes of body 1, without orientations of the other bodies, and inertias per row.
    """
    r, v = data["position"].values, data["velocity"].values
    m = data["mass"].values
    C = np.array([[matrix(q) for q in row] for row in data["orientation"].values])
    C1 = C[:, 0]
    R, Rdot = np.einsum("b,tbx->tx", m, r) / m.sum(), np.einsum("b,tbx->tx", m, v) / m.sum()
    w_W = np.einsum("tbij,tbj->tbi", C, data["angular_velocity"].values)
    based = kind.startswith("base-")
    hinge = np.array([0.5, 0.1, 0.2])  # joint 1 is a point of body 1
    origin, speed = R, Rdot
    if kind == "absolute":
        origin, speed = 0 * R, 0 * R
    elif kind == "base-joint":
        arm = C1 @ hinge
        origin, speed = r[:, 0] + arm, v[:, 0] + np.cross(w_W[:, 0], arm)
    write_in = np.swapaxes(C1, 1, 2) if based else np.broadcast_to(np.eye(3), C1.shape)
    columns = {"t": data["time"].values}
    plan = {"kind": kind, "time": "t", "gravity": list(G), "bodies": {}}
    for k, name in enumerate(("case", "hand")):
        body = {"mass": float(m[k])}
        body["position"] = add(columns, f"{name}_r", np.einsum("tij,tj->ti", write_in, r[:, k] - origin))
        body["velocity"] = add(columns, f"{name}_v", np.einsum("tij,tj->ti", write_in, v[:, k] - speed))
        rates = np.einsum("tij,tj->ti", write_in, w_W[:, k])
        axes = "base" if based else "world"
        body["angular_velocity"] = {"columns": add(columns, f"{name}_w", rates), "axes": axes}
        if k == 0 or not based:
            body["orientation"] = {"quaternion": add(columns, f"{name}_q", data["orientation"].values[:, k])}
        inertia = data["inertia"].values[k]
        if based:
            turned = write_in @ C[:, k] @ inertia @ np.swapaxes(write_in @ C[:, k], 1, 2)
            body["inertia"] = {"columns": add(columns, f"{name}_I", turned.reshape(-1, 9)), "axes": "base"}
        else:
            body["inertia"] = inertia.tolist()
        plan["bodies"][name] = body
    plan["bodies"]["case"]["wheels"] = data["wheel_momentum"].values[0].tolist()
    if kind != "absolute":
        plan["mass_centre"] = {"position": add(columns, "R", R), "velocity": add(columns, "Rdot", Rdot)}
    columns["work"] = data["driver_work"].values[:, 0]
    plan["work"] = "work"
    return columns, plan


@pytest.mark.parametrize("kind", KINDS)
def test_right_tables_of_every_procedure_pass(data, kind, tmp_path):
    """The four procedures are the same momentum in other coordinates, so all are constant, and the energy too."""
    columns, plan = table_of(data, kind)
    found = audit(write(tmp_path / "table.csv", columns), columns=plan)
    assert found.case == "gravity"
    assert found.passed and not found.undecided, found.table()
    np.testing.assert_allclose(found.momentum["H_sys"], data["angular_momentum"], atol=1e-12)
    np.testing.assert_allclose(found.momentum["P_sys"], data["momentum"], atol=1e-11)


@pytest.mark.parametrize("kind", KINDS[1:])
def test_without_the_mass_centre_linear_momentum_is_undecided(data, kind, tmp_path):
    """p_sys is zero by construction then; H is constant all the same, and gravity does no work about the centre."""
    columns, plan = table_of(data, kind)
    del plan["mass_centre"]
    found = audit(write(tmp_path / "table.csv", columns), columns=plan)
    assert found.passed and [check.name for check in found.undecided] == ["momentum"]
    assert found["angular momentum is constant"].value < 1e-9


def _column(stem, make):
    def change(columns, plan):
        for name in [name for name in columns if name.startswith(stem)]:
            columns[name] = make(columns[name])

    return change


def _swap(columns, plan):
    columns["case_q1"], columns["case_q2"] = columns["case_q2"], columns["case_q1"]


def _plan(*path, value):
    def change(columns, plan):
        part = plan
        for word in path[:-1]:
            part = part[word]
        part[path[-1]] = value

    return change


MUTATIONS = {
    "mass": _plan("bodies", "hand", "mass", value=1.21),
    "velocity sign": _column("hand_v", lambda v: -v),
    "one velocity component": _column("hand_v2", lambda v: -v),
    "angular velocity sign": _column("hand_w", lambda w: -w),
    "wheel": _plan("bodies", "case", "wheels", value=[0.4, -0.3, 0.8]),
    "no wheel": _plan("bodies", "case", "wheels", value=None),
    "quaternion order": _swap,
    "driver work sign": _column("work", lambda w: -w),
    "gravity ignored": _plan("gravity", value=[0, 0, 0]),
    "angular velocity axes": _plan("bodies", "case", "angular_velocity", "axes", value="body"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MUTATIONS)
def test_every_mutation_of_every_procedure_is_seen(data, kind, name, tmp_path):
    """One wrong column or constant leaves no momentum constant; base axes are body 1's axes, so there the last
    mutation is none."""
    columns, plan = table_of(data, kind)
    plan = copy.deepcopy(plan)
    MUTATIONS[name](columns, plan)
    found = audit(write(tmp_path / "table.csv", columns), columns=plan)
    same = name == "angular velocity axes" and kind.startswith("base-")
    assert found.passed == same, found.table()


def test_inertia_mutations_are_seen(data, tmp_path):
    """A constant inertia breaks H; one per row must also turn with its body, I1 = E I0 E^T."""
    columns, plan = table_of(data, "absolute")
    plan["bodies"]["hand"]["inertia"][0][0] *= 1.01
    assert not audit(write(tmp_path / "one.csv", columns), columns=plan).passed
    columns, plan = table_of(data, "base-mass-centre")
    columns["hand_I5"] = 1.01 * columns["hand_I5"]
    found = audit(write(tmp_path / "two.csv", columns), columns=plan)
    assert {ATTITUDE, "angular momentum is constant"} <= {check.name for check in found.failures}


@pytest.mark.parametrize("kind", KINDS[1:])
def test_a_wrong_mass_centre_is_seen(data, kind, tmp_path):
    """Rdot must be the rate of R and change by g t."""
    columns, plan = table_of(data, kind)
    columns["Rdot3"] = 1.001 * columns["Rdot3"]
    found = audit(write(tmp_path / "table.csv", columns), columns=plan)
    assert PLACE in {check.name for check in found.failures}


@pytest.mark.parametrize("form", ["matrix", "euler123"])
def test_orientations_in_other_forms(data, form, tmp_path):
    """Nine matrix columns and 1-2-3 angles (R = Rx Ry Rz, scipy's intrinsic XYZ) give the same audit."""
    columns, plan = table_of(data, "absolute")
    for k, name in enumerate(("case", "hand")):
        turn = Rotation.from_quat(data["orientation"].values[:, k], scalar_first=True)
        if form == "matrix":
            given = {"matrix": add(columns, f"{name}_C", turn.as_matrix().reshape(-1, 9))}
        else:
            given = {"euler123": add(columns, f"{name}_e", turn.as_euler("XYZ", degrees=True)), "unit": "deg"}
        plan["bodies"][name]["orientation"] = given
    found = audit(write(tmp_path / "table.csv", columns), columns=plan)
    assert found.passed and not found.undecided, found.table()


def test_units_and_a_map_in_a_file(data, tmp_path):
    """Columns in mm, ms, deg/s and grams are the same motion; the map may be a YAML file."""
    columns, plan = table_of(data, "absolute")
    columns["t"] = columns["t"] * 1e3
    for name in list(columns):
        if name.startswith("hand_r"):
            columns[name] = columns[name] * 1e3
        if name.startswith("hand_w"):
            columns[name] = np.rad2deg(columns[name])
    plan["time"] = {"columns": "t", "unit": "ms"}
    plan["bodies"]["hand"]["position"] = {"columns": names("hand_r", 3), "unit": "mm"}
    plan["bodies"]["hand"]["angular_velocity"]["unit"] = "deg/s"
    plan["bodies"]["hand"]["mass"] = "1200 g"
    from ruamel.yaml import YAML

    with (tmp_path / "map.yaml").open("w") as file:
        YAML(typ="safe", pure=True).dump(plan, file)
    found = audit(write(tmp_path / "table.csv", columns), columns=tmp_path / "map.yaml")
    assert found.passed and not found.undecided, found.table()


def test_a_netcdf_file_of_columns(data, tmp_path):
    """The same columns as one-dimensional variables of a NetCDF file."""
    columns, plan = table_of(data, "base-joint")
    table = xr.Dataset({name: ("row", values) for name, values in columns.items()})
    table.to_netcdf(tmp_path / "table.nc", engine="h5netcdf")
    assert audit(tmp_path / "table.nc", columns=plan).passed
    assert audit(table, columns=plan).passed


@pytest.mark.parametrize("form", ["%.6f", "%.6e", "%.8g"])
def test_printed_digits_do_not_fail_but_errors_still_do(data, form, tmp_path):
    """Six decimals over a step of 0.02 s leave 1e-4 m/s open; the limit knows the digits, and a sign is far beyond."""
    columns, plan = table_of(data, "absolute")
    found = audit(write(tmp_path / "table.csv", columns, form), columns=plan)
    assert found.passed, found.table()
    for name in MUTATIONS:
        columns, plan = table_of(data, "absolute")
        plan = copy.deepcopy(plan)
        MUTATIONS[name](columns, plan)
        assert not audit(write(tmp_path / "table.csv", columns, form), columns=plan).passed, name


def test_external_loads_of_a_table(tmp_path):
    """Momentum changes by the impulse of the tabulated load, energy by the works."""
    data = integrate(sprung(anchored=True), np.arange(0, 200) * 0.01)
    columns, plan = {"t": data["time"].values}, {"time": "t", "bodies": {}, "loads": {}}
    for k, name in enumerate(("a", "b")):
        plan["bodies"][name] = {
            "mass": float(data["mass"][k]),
            "inertia": data["inertia"].values[k].tolist(),
            "position": add(columns, f"{name}_r", data["position"].values[:, k]),
            "velocity": add(columns, f"{name}_v", data["velocity"].values[:, k]),
            "orientation": {"quaternion": add(columns, f"{name}_q", data["orientation"].values[:, k])},
            "angular_velocity": {
                "columns": add(columns, f"{name}_w", data["angular_velocity"].values[:, k]),
                "axes": "body",
            },
        }
    columns |= {"W": data["load_work"].values[:, 2], "Wi": data["load_work"].values[:, :2].sum(1)}
    plan["loads"]["line"] = {
        "body": "a",
        "force": add(columns, "f", data["load_force"].values[:, 2]),
        "moment": add(columns, "n", data["load_moment"].values[:, 2]),
        "work": "W",
    }
    plan["work"] = "Wi"
    found = audit(write(tmp_path / "table.csv", columns), columns=plan)
    assert found.case == "general" and found.passed and not found.undecided, found.table()
    columns["f3"] = 1.01 * columns["f3"]
    assert not audit(write(tmp_path / "table.csv", columns), columns=plan).passed
    del plan["work"], plan["loads"]["line"]["work"]
    assert "energy changes by the recorded work" in {
        c.name for c in audit(tmp_path / "table.csv", columns=plan).undecided
    }


WRONG = {
    "no column 'hand_r9'": _plan("bodies", "hand", "position", value=["hand_r1", "hand_r2", "hand_r9"]),
    "expected 3 column names": _plan("bodies", "hand", "velocity", value=["hand_v1"]),
    "'velocities' is not a word": _plan("bodies", "hand", "velocities", value=[]),
    "kind must be one of": _plan("kind", value="relative"),
    "say in which axes": _plan("bodies", "hand", "angular_velocity", value=names("hand_w", 3)),
    "mass must be positive": _plan("bodies", "hand", "mass", value=-1.0),
    "unit 'parsnip' is not known": _plan("time", value={"columns": "t", "unit": "parsnip"}),
    "`mass` is missing": lambda c, p: p["bodies"]["hand"].pop("mass"),
    "time does not grow at row 4": lambda c, p: c["t"].__setitem__(3, 0.01),
    "needs `time` and at least one entry": lambda c, p: p.pop("bodies"),
    "inertia is three moments": _plan("bodies", "hand", "inertia", value=[1.0, 2.0]),
    "base axes need": _plan("bodies", "hand", "angular_velocity", "axes", value="base"),
    "expected one of quaternion": _plan("bodies", "hand", "orientation", value={"rpy": ["a"]}),
    "is none of case, hand": _plan("loads", value={"push": {"body": "tail"}}),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_wrong_maps_are_refused_with_file_and_place(data, sentence, tmp_path):
    """Every mistake of a map ends in one sentence that names the file and the word."""
    columns, plan = table_of(data, "absolute")
    columns = {name: values.copy() for name, values in columns.items()}
    plan = copy.deepcopy(plan)
    WRONG[sentence](columns, plan)
    with pytest.raises(InvalidInput, match=sentence) as error:
        read_table(write(tmp_path / "table.csv", columns), plan)
    assert "table.csv" in str(error.value)


def test_wrong_cells_are_named_by_row_and_column(data, tmp_path):
    """A text where a number belongs, a short line and a short table are found before anything is computed."""
    columns, plan = table_of(data, "absolute")
    path = write(tmp_path / "table.csv", columns)
    lines = path.read_text().splitlines()
    spoilt = lines.copy()
    cells = spoilt[7].split(",")
    cells[list(columns).index("case_v2")] = "n/a"
    spoilt[7] = ",".join(cells)
    path.write_text("\n".join(spoilt))
    with pytest.raises(InvalidInput, match=r"table.csv:8: column 'case_v2', row 7: 'n/a' is not a number"):
        read_table(path, plan)
    path.write_text("\n".join([*lines[:5], "1,2,3"]))
    with pytest.raises(InvalidInput, match=r"table.csv:6: has 3 cells"):
        read_table(path, plan)
    path.write_text("\n".join(lines[:4]))
    with pytest.raises(InvalidInput, match="has 3 rows of data; an audit of a table needs at least 5"):
        read_table(path, plan)
    path.write_text("")
    with pytest.raises(InvalidInput, match="is empty"):
        read_table(path, plan)


def test_a_nan_in_a_table_fails_the_audit(data, tmp_path):
    """A written nan is a number that is not finite: the audit names it, and does not pass."""
    columns, plan = table_of(data, "absolute")
    columns["hand_v1"] = columns["hand_v1"].copy()
    columns["hand_v1"][10] = np.nan
    found = audit(write(tmp_path / "table.csv", columns), columns=plan)
    assert not found.passed and "velocity of body 'hand' is not finite at t = 0.2 s" in found.table()


def test_files_that_are_not_there(tmp_path, data):
    """A missing file is a matter of files; a table without a map is one of input."""
    columns, plan = table_of(data, "absolute")
    with pytest.raises(FilesFailure, match="no such file"):
        audit(tmp_path / "none.csv", columns=plan)
    with pytest.raises(FilesFailure, match="no such file"):
        audit(tmp_path / "none.nc")
    with pytest.raises(FilesFailure, match="column map cannot be read"):
        audit(write(tmp_path / "table.csv", columns), columns=tmp_path / "none.yaml")
    with pytest.raises(InvalidInput, match="needs a column map"):
        audit(tmp_path / "table.csv")
    (tmp_path / "map.yaml").write_text("time: [t\nbodies: 3")
    with pytest.raises(InvalidInput, match=r"map.yaml:2"):
        audit(tmp_path / "table.csv", columns=tmp_path / "map.yaml")
