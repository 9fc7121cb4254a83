"""`fairlead loads` and `fl.internal_loads` as a user meets them: tables, files, exit codes and sentences."""

from __future__ import annotations

import json

import numpy as np
import pytest
import xarray as xr

import fairlead as fl
from fairlead.errors import InvalidInput
from support.mechanism_models import example

SIX = ("position", "velocity", "angular_velocity")


def table_of(data, path, form="%.17g"):
    """A result as another program would write it, columns and map: motion and loads, no accelerations, no reactions."""
    columns = {"t": data["time"].values}
    plan = {"time": "t", "gravity": data["gravity"].values.tolist(), "bodies": {}, "loads": {}, "joints": {}}

    def add(stem, values):
        names = [f"{stem} {k}" for k in range(values.shape[1])]
        columns.update(zip(names, values.T))
        return names

    for k, body in enumerate(data["body"].values):
        given = {name: add(f"{body} {name}", data[name].values[:, k]) for name in SIX}
        given["angular_velocity"] = {"columns": given["angular_velocity"], "axes": "body"}
        given["orientation"] = {"quaternion": add(f"{body} q", data["orientation"].values[:, k])}
        given |= {"mass": float(data["mass"][k]), "inertia": data["inertia"].values[k].tolist()}
        plan["bodies"][str(body)] = given
    for k, load in enumerate(data["load"].values):
        given = {word: add(f"{load} {word}", data[f"load_{word}"].values[:, k]) for word in ("force", "moment")}
        plan["loads"][str(load)] = {"body": str(data["load_body"].values[k]), **given}
    for k, joint in enumerate(data["joint"].values):
        given = {"parent": str(data["joint_parent"].values[k]), "child": str(data["joint_child"].values[k])}
        given["point"] = {"columns": add(f"{joint} point", data["joint_point"].values[:, k])}
        given["type"] = str(data["joint_type"].values[k])
        given["axis"] = data["joint_parent_frame"].values[k, :, 2].tolist()
        plan["joints"][str(joint)] = given
    values = np.stack(list(columns.values()), axis=1)
    np.savetxt(path, values, delimiter=",", header=",".join(columns), comments="", fmt=form)
    return plan


@pytest.fixture(scope="module")
def four_bar():
    return fl.simulate(example("four_bar"), duration=0.4, dt=0.002, progress=False)


def test_a_table_with_a_loop_gives_the_loads_within_the_error_it_reports(four_bar, tmp_path):
    """Motion alone, no accelerations: joint types in the column map say what each pin gives way to."""
    plan = table_of(four_bar, tmp_path / "bars.csv")
    found = fl.internal_loads(tmp_path / "bars.csv", columns=plan)
    assert found.attrs["route"] == "differentiated" and found.attrs["undetermined"] == ""
    apart = np.linalg.norm(found["force"].values - four_bar["joint_force"].values, axis=-1)
    size = np.abs(four_bar["joint_force"].values).max()
    # RK4 itself leaves dt^4 between the rate of the recorded velocities and the recorded accelerations: 1e-9 here.
    assert (apart <= found["force_error"].values + 1e-8 * size).all()
    assert found["force_error"][12:-12].max() < 1e-5 * size
    del plan["joints"]["C"]["type"]  # a joint of which nothing is known carries everything: too many unknowns
    assert "C: force" in fl.internal_loads(tmp_path / "bars.csv", columns=plan).attrs["undetermined"]


def test_a_point_may_be_given_in_the_axes_of_the_child(tmp_path):
    data = fl.simulate(example("03_clock"), duration=4.0, progress=False)
    plan = table_of(data, tmp_path / "clock.csv")
    by_columns = fl.internal_loads(tmp_path / "clock.csv", columns=plan)
    model = example("03_clock")
    ((name, joint),) = model.joints.items()
    child = model.bodies[joint.child]
    plan["joints"][name]["point"] = (np.array(joint.point) - child.position).tolist()  # drawn with the world's axes
    by_axes = fl.internal_loads(tmp_path / "clock.csv", columns=plan)
    assert np.abs(by_columns["moment"] - by_axes["moment"]).max() < 1e-12 * np.abs(by_columns["moment"]).max()


def test_loads_prints_the_largest_of_each_joint_and_writes_the_series(fairlead, four_bar, tmp_path):
    four_bar.to_netcdf(tmp_path / "bars.nc", engine="h5netcdf")
    done = fairlead("loads", "bars.nc", "--out", "loads.nc")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["joint", "force", "[N]", "at", "t", "[s]", "moment", "[N", "m]", "at", "t", "[s]"]
    size = np.linalg.norm(four_bar["joint_force"].sel(joint="B").values, axis=-1)
    row = next(line.split() for line in lines if line.startswith("B "))
    assert float(row[1]) == pytest.approx(size.max(), rel=1e-5)
    assert float(row[2]) == pytest.approx(float(four_bar["time"][size.argmax()]))
    with xr.open_dataset(tmp_path / "loads.nc", engine="h5netcdf") as stored:
        assert stored["force"].dims == ("time", "joint", "xyz") and stored["force"].attrs["units"] == "N"
        assert stored["force_determined"].dtype == bool
    again = fairlead("loads", "bars.nc", "--out", "loads.nc")
    assert again.returncode == 5 and "loads.nc exists" in again.stderr
    one = fairlead("loads", "bars.nc", "--joint", "B", "--axes", "child", "--json", "--out", "loads.csv")
    given = json.loads(one.stdout)
    assert list(given["joints"]) == ["B"] and given["axes"] == "child"
    assert given["joints"]["B"]["force"]["size"] == pytest.approx(size.max(), rel=1e-9)
    assert (tmp_path / "loads.csv").read_text().startswith("time,force:x")


def test_loads_marks_what_is_not_determined(fairlead, tmp_path):
    data = fl.simulate(example("four_bar_revolute"), duration=0.1, progress=False)
    data.to_netcdf(tmp_path / "bars.nc", engine="h5netcdf")
    said = fairlead("loads", "bars.nc").stdout
    assert "* not determined by rigid bodies" in said and "A: force z, moment x, moment y" in said
    assert "error up to" in fairlead("loads", "bars.nc", "--route", "differentiated").stdout


def test_loads_of_a_run_directory_and_of_loads_left_out(fairlead, two_bodies, tmp_path):
    assert fairlead("run", "two.yaml", "-q").returncode == 0
    assert "hinge" in fairlead("loads", "two.run").stdout
    with xr.open_dataset(tmp_path / "two.run" / "result.nc", engine="h5netcdf") as data:
        bare = data.drop_dims("load").load()
    bare.to_netcdf(tmp_path / "bare.nc", engine="h5netcdf")
    assert "is balanced by nothing; are all loads in the record?" in fairlead("loads", "bare.nc").stdout


def test_mistakes_are_one_sentence_with_an_exit_code(fairlead, four_bar, tmp_path):
    four_bar.to_netcdf(tmp_path / "bars.nc", engine="h5netcdf")
    for words, said, code in (
        (("bars.nc", "--joint", "E"), "there is no joint 'E'; joints are A, B, C, D.", 3),
        (("bars.nc", "--axes", "body"), "axes must be world, parent or child, got 'body'.", 3),
        (("bars.nc", "--route", "guessed"), "route must be recorded or differentiated, got 'guessed'.", 3),
        (("none.nc",), "none.nc: no such file", 5),
        (("bars.nc", "--out", "loads.txt"), "--out: must end in .nc or .csv; got 'loads.txt'", 3),
        (("bars.nc", "--out", "none/loads.nc"), "cannot write none/loads.nc: there is no directory 'none'", 5),
        (("bars.nc", "--nonsense"), "--nonsense", 2),
    ):
        done = fairlead("loads", *words)
        assert done.returncode == code and said in done.stderr, done.stderr
        assert "Traceback" not in done.stderr


def test_sentences_for_what_a_record_lacks(four_bar):
    for data, said in (
        (four_bar.drop_vars("mass"), "cannot be found without mass"),
        (four_bar.drop_vars(["joint_point", "joint_parent"]), "says nothing of joints"),
        (fl.simulate(example("01_free_body"), duration=0.1, progress=False), "no joints"),
        (four_bar.drop_vars("acceleration").isel(time=slice(0, 5)), "need 9 instants, not 5"),
        (
            four_bar.assign(position=four_bar["position"].where(four_bar["time"] < 0.2)),
            "position of body 'crank' is not",
        ),
    ):
        with pytest.raises(InvalidInput, match=said):
            fl.internal_loads(data)
    with pytest.raises(InvalidInput, match="no acceleration; leave `route` out to differentiate"):
        fl.internal_loads(four_bar.drop_vars("acceleration"), route="recorded")
    loads = fl.simulate(example("andrews"), duration=0.001, progress=False).drop_vars("load_moment")
    with pytest.raises(InvalidInput, match="has loads but no load_moment"):
        fl.internal_loads(loads)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"parent": "crnk"}, "parent 'crnk' is none of crank, coupler, rocker, world"),
        ({"parent": "coupler"}, "parent and child are the same"),
        ({"type": "hinge"}, "type 'hinge' is none of fixed, ground, revolute"),
        ({"axis": [0, 0, 0]}, "a direction is three numbers, not all zero"),
        ({"point": [1, 2]}, "a point is three numbers"),
        ({"driven": "angle"}, "'angle' is no coordinate of this joint; it has a, b, c"),
        ({"stiffness": 3}, "'stiffness' is not a word of the column map"),
    ],
)
def test_sentences_for_joints_of_a_column_map(four_bar, tmp_path, change, said):
    plan = table_of(four_bar, tmp_path / "bars.csv")
    plan["joints"]["B"] |= {"type": "spherical"} | change
    with pytest.raises(InvalidInput, match=said.replace("[", r"\[")):
        fl.internal_loads(tmp_path / "bars.csv", columns=plan)


def test_child_axes_need_an_orientation(four_bar, tmp_path):
    plan = table_of(four_bar, tmp_path / "bars.csv")
    inertia = {"columns": ["crank velocity 0"] * 6, "axes": "world"}  # what stands there does not matter here
    spin = plan["bodies"]["crank"]["angular_velocity"] | {"axes": "world"}
    del plan["bodies"]["crank"]["orientation"]
    plan["bodies"]["crank"] |= {"inertia": inertia, "angular_velocity": spin}
    with pytest.raises(InvalidInput, match="axes of the child of joint 'A' need the orientation of 'crank'"):
        fl.internal_loads(tmp_path / "bars.csv", "A", "child", columns=plan)
