"""Channels of offshore wind and .outb files: closed forms, scipy's rotations, and a reader of the documented layout."""

from __future__ import annotations

import struct

import numpy as np
import pytest
import xarray as xr
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.errors import InvalidInput
from fairlead.view.plots import plot
from support.mechanism_models import example
from support.turbine_models import DEPTH, turbine


def read_outb(path):
    """Names, units, time and values by the layout of OpenFAST's binary output (FileID 1 to 4)."""
    raw, at = path.read_bytes(), 0

    def take(form):
        nonlocal at
        found = struct.unpack_from("<" + form, raw, at)
        at += struct.calcsize("<" + form)
        return found

    kind = take("h")[0]
    width = take("h")[0] if kind == 4 else 10
    (count, instants), clock = take("ii"), take("dd")
    slope, offset = (np.array(take(f"{count}f")) for _ in range(2)) if kind != 3 else (1.0, 0.0)
    description = take(f"{take('i')[0]}s")[0].decode()
    names, units = ([take(f"{width}s")[0].decode().strip() for _ in range(count + 1)] for _ in range(2))
    time = clock[0] + clock[1] * np.arange(instants)
    if kind == 1:
        time = (np.array(take(f"{instants}i")) - clock[1]) / clock[0]
    numbers = np.array(take(f"{count * instants}{'d' if kind == 3 else 'h'}")).reshape(instants, count)
    assert at == len(raw)
    return kind, description, names, units, time, (numbers - offset) / slope


def tumbling(count=2001, duration=20.0, body="hull"):
    """A body that pitches through two turns while it rolls and yaws; angles and their rates are known throughout."""
    t = np.linspace(0.0, duration, count)
    angles = np.stack([0.4 * np.sin(0.7 * t), 0.3 + 0.65 * t, 1.1 * np.sin(0.5 * t) + 0.9 * t], axis=1)
    rates = np.stack([0.28 * np.cos(0.7 * t), np.full(count, 0.65), 0.55 * np.cos(0.5 * t) + 0.9], axis=1)
    second = np.stack([-0.196 * np.sin(0.7 * t), np.zeros(count), -0.275 * np.sin(0.5 * t)], axis=1)
    turned = Rotation.from_euler("ZYX", angles[:, ::-1])  # intrinsic: R = Rz(yaw) Ry(pitch) Rx(roll)
    q = turned.as_quat(scalar_first=True)
    y, z = (Rotation.from_euler(axis, angles[:, i : i + 1]) for i, axis in ((1, "y"), (2, "z")))
    ex, ey, ez = np.eye(3)

    def spin(r):  # angular velocity, world axes, by adding the rates about the axes they turn about
        return r[:, 2:] * ez + z.apply(r[:, 1:2] * ey) + (z * y).apply(r[:, :1] * ex)

    w_z = rates[:, 2:] * ez
    w_zy = w_z + z.apply(rates[:, 1:2] * ey)
    al = spin(second) + np.cross(w_z, z.apply(rates[:, 1:2] * ey)) + np.cross(w_zy, (z * y).apply(rates[:, :1] * ex))
    w = spin(rates)
    place = np.stack([np.sin(t), 2 * np.cos(0.3 * t), -40 + 0.1 * t], axis=1)
    speed = np.stack([np.cos(t), -0.6 * np.sin(0.3 * t), np.full(count, 0.1)], axis=1)
    pull = np.stack([-np.sin(t), -0.18 * np.cos(0.3 * t), np.zeros(count)], axis=1)
    vectors = {"position": place, "velocity": speed, "acceleration": pull}
    vectors |= {"angular_velocity": turned.inv().apply(w), "angular_acceleration": turned.inv().apply(al)}
    series = {name: (("time", "body", "xyz"), values[:, None]) for name, values in vectors.items()}
    series["orientation"] = (("time", "body", "wxyz"), q[:, None])
    data = xr.Dataset(series, coords={"time": t, "body": [body]})
    return data, turned, angles, rates, second, w, al


def columns(found, *names):
    return np.stack([found[name].values for name in names], axis=1)


def test_angles_go_through_any_attitude_and_their_rates_are_exact():
    data, turned, angles, rates, second, w, al = tumbling()
    found = fl.channels(data)
    rpy = columns(found, "roll", "pitch", "yaw")
    # Near pitch 90 degrees roll and yaw are uncertain by rounding / cos pitch.
    assert np.abs((rpy - angles) * np.cos(angles[:, 1:2])).max() < 1e-14
    back = Rotation.from_euler("ZYX", rpy[:, ::-1])
    assert (back * turned.inv()).magnitude().max() < 1e-14  # yaw makes up for the error of roll: rounding
    assert np.abs(columns(found, *(f"angular_velocity_{k}" for k in "xyz")) - w).max() < 1e-13
    assert np.abs(columns(found, *(f"angular_acceleration_{k}" for k in "xyz")) - al).max() < 1e-13
    away = np.abs(np.cos(angles[:, 1])) > 0.1  # rates divide by cos pitch
    for stem, wanted, bound in (("rate", rates, 1e-12), ("acceleration", second, 1e-10)):
        apart = columns(found, *(f"{k}_{stem}" for k in ("roll", "pitch", "yaw"))) - wanted
        assert np.abs(apart[away]).max() < bound


def test_angles_within_scipys_range_are_scipys():
    data, turned, *_ = tumbling(count=151, duration=1.5)  # pitch from 17 to 73 degrees
    rpy = columns(fl.channels(data), "roll", "pitch", "yaw")
    assert np.abs(rpy[:, ::-1] - turned.as_euler("ZYX")).max() < 1e-12


def test_a_body_released_beyond_ninety_degrees_is_not_upside_down_in_roll_and_yaw():
    data, *_ = tumbling(count=3, duration=0.1)
    q = Rotation.from_euler("y", [[100], [80], [60]], degrees=True).as_quat(scalar_first=True)
    found = fl.channels(data.assign(orientation=(("time", "body", "wxyz"), q[:, None])))
    assert np.degrees(columns(found, "roll", "pitch", "yaw")) == pytest.approx(
        np.array([[0, 100, 0], [0, 80, 0], [0, 60, 0]]), abs=1e-12
    )


def test_the_reference_point_is_fixed_in_the_body_and_its_rates_are_derivatives():
    data, turned, *_ = tumbling()
    point = np.array([1.0, -2.0, 3.0])
    found = fl.channels(data, reference=point, origin=(10, 20, 30))
    place = columns(found, "surge", "sway", "heave") + [10, 20, 30]
    assert place[0] == pytest.approx(point, abs=1e-13)
    arm = turned.inv().apply(place - data["position"].values[:, 0])
    assert np.abs(arm - arm[0]).max() < 1e-12
    h = 0.01
    for lower, upper in (((0, 1, 2), "velocity"), ("velocity", "acceleration")):
        words = ("surge", "sway", "heave")
        f = place if lower == (0, 1, 2) else columns(found, *(f"{k}_{lower}" for k in words))
        slope = (8 * (f[3:-1] - f[1:-3]) - (f[4:] - f[:-4])) / (
            12 * h
        )  # fourth order: h^4 / 30 of the fifth derivative
        # Fifth derivatives stay below 50 m * (3 rad/s)^6: 4e4 * 1e-8 / 30.
        assert np.abs(slope - columns(found, *(f"{k}_{upper}" for k in words))[2:-2]).max() < 1.3e-5


def test_without_rates_in_the_record_there_are_motions_only():
    data, *_ = tumbling(count=5)
    bare = data.drop_vars(["velocity", "acceleration", "angular_velocity", "angular_acceleration"])
    assert list(fl.channels(bare).data_vars) == ["surge", "sway", "heave", "roll", "pitch", "yaw"]


@pytest.fixture(scope="module")
def yaw_drive():
    return fl.simulate(example("turbine_yaw_drive"), duration=4.0, progress=False)


def test_tower_top_loads_are_those_of_inverse_dynamics_on_the_tower(yaw_drive):
    found = fl.channels(yaw_drive)
    assert found.attrs["platform"] == "tower" and found.attrs["tower_top"] == "yaw" and found.attrs["spin"] == "spin"
    loads = fl.internal_loads(yaw_drive, "yaw", axes="parent")
    for kind in ("force", "moment"):
        ours = columns(found, *(f"tower_top_{kind}_{k}" for k in "xyz"))
        # Inverse dynamics sums inertia forces of six bodies: rounding of their largest, 1e-10 of the result.
        assert np.abs(ours + loads[kind].values).max() < 1e-9 * np.abs(ours).max()
    assert found["tower_top_force_x"].attrs["openfast_name"] == "YawBrFxp"
    # The yaw drive is all that turns the tower about its own axis there: spring and damper.
    angle, rate = (yaw_drive[name].sel(coordinate="yaw.angle").values for name in ("joint_position", "joint_rate"))
    drive = 5.0e7 * angle + 7.0e6 * rate
    assert np.abs(found["tower_top_moment_z"] - drive).max() < 1e-9 * np.abs(drive).max()


@pytest.mark.parametrize("backwards", [False, True])
def test_tower_top_loads_at_rest_are_the_weight_above(backwards):
    """Held still with its mass centre (-0.4, 0, 2) from the joint, the tower leaning by 0.2 about y: R^T (0, 0, -W)."""
    lean, weight = 0.2, 3.5e5 * 9.81
    turned = Rotation.from_euler("y", lean)
    place = turned.apply([-0.4, 0.0, 89.6 - 60.0])
    hold = fl.Fixed(parent="world", child="tower", point=(0, 0, 0))
    ends = {"parent": "nacelle", "child": "tower"} if backwards else {"parent": "tower", "child": "nacelle"}
    axes = {"euler123": (0.0, lean, 0.0)}
    model = fl.Model(
        name="at rest",
        gravity=(0, 0, -9.81),
        bodies={
            "tower": fl.Body(mass=1e6, inertia=(1e9, 1e9, 1e8), position=(0, 0, 0), orientation=axes),
            "nacelle": fl.Body(mass=3.5e5, inertia=(4e7, 3e7, 3e7), position=tuple(place), orientation=axes),
        },
        joints={"hold": hold, "yaw": fl.Fixed(**ends, point=tuple(turned.apply([0.0, 0.0, 27.6])))},
    )
    found = fl.channels(fl.simulate(model, duration=0.1, dt=0.05, progress=False), platform="tower")
    force = weight * np.array([np.sin(lean), 0.0, -np.cos(lean)])
    ours = {kind: columns(found, *(f"tower_top_{kind}_{k}" for k in "xyz"))[0] for kind in ("force", "moment")}
    assert ours["force"] == pytest.approx(force, abs=1e-9 * weight)
    assert ours["moment"] == pytest.approx(np.cross([-0.4, 0.0, 2.0], force), abs=1e-8 * weight)
    assert ours["moment"][1] == pytest.approx(weight * (2.0 * np.sin(lean) - 0.4 * np.cos(lean)))


def test_blade_root_loads_in_both_axes_and_the_rotor(yaw_drive):
    found = fl.channels(yaw_drive)
    assert found.attrs["blades"] == "pitch 1, pitch 2, pitch 3"
    for number in (1, 2, 3):
        loads = fl.internal_loads(yaw_drive, f"pitch {number}", axes="child")
        for kind in ("force", "moment"):
            own = columns(found, *(f"blade_{number}_pitched_{kind}_{k}" for k in "xyz"))
            assert np.abs(own + loads[kind].values).max() < 1e-8 * np.abs(own).max()
            fixed = columns(found, *(f"blade_{number}_root_{kind}_{k}" for k in "xyz"))
            assert np.abs(own - fixed).max() < 1e-9 * np.abs(own).max()  # no pitch: printed axes hold nine digits
    assert found["blade_2_root_moment_x"].attrs["openfast_name"] == "RootMxc2"
    # At the start everything but the spin is at rest, so the tips pull with m w^2 r (r across the shaft, 2.5 deg cone).
    pull = 17740 * (12.1 * np.pi / 30) ** 2 * 21.975 * np.cos(np.radians(2.5)) ** 2
    mean = np.mean([found[f"blade_{n}_root_force_z"][0] for n in (1, 2, 3)])
    assert mean == pytest.approx(pull, rel=2e-4)  # the yaw's first swing takes nothing from the mean along the blades
    assert found["rotor_speed"].values == pytest.approx(12.1 * np.pi / 30)
    assert found["azimuth"].values == pytest.approx(np.mod(12.1 * np.pi / 30 * found["time"].values, 2 * np.pi))
    gyroscopic = fl.gyroscopic_moments(yaw_drive)["gyroscopic_moment"].values
    assert np.array_equal(columns(found, *(f"gyroscopic_moment_{k}" for k in "ABC")), gyroscopic)


def test_hub_fixed_axes_do_not_pitch_with_the_blade(yaw_drive):
    """The pitch joint's axis is -z of the blade: from hub-fixed to own axes the components turn by +pitch about z."""
    data = yaw_drive.isel(time=slice(0, 3)).copy(deep=True)
    row = list(data["body"].values).index("blade 1")
    turned = Rotation.from_quat(data["orientation"].values[:, row], scalar_first=True)
    pitched = turned * Rotation.from_euler("z", -0.3)
    data["orientation"].values[:, row] = pitched.as_quat(scalar_first=True)
    found, before = fl.channels(data), fl.channels(yaw_drive.isel(time=slice(0, 3)))
    for kind in ("force", "moment"):
        fixed = columns(found, *(f"blade_1_root_{kind}_{k}" for k in "xyz"))
        assert np.array_equal(fixed, columns(before, *(f"blade_1_root_{kind}_{k}" for k in "xyz")))
        own = columns(found, *(f"blade_1_pitched_{kind}_{k}" for k in "xyz"))
        assert own == pytest.approx(Rotation.from_euler("z", 0.3).apply(fixed), rel=1e-7)


def test_lines_wind_and_rotor_of_the_wind_shift():
    data = fl.simulate(example("wind_shift"), duration=3.0, progress=False)
    found = fl.channels(data)
    assert found.attrs["platform"] == "hull" and found.attrs["spin"] == "" and found.attrs["blades"] == ""
    for number in (1, 2, 3):
        line = found[f"line_{number}_tension"]
        assert np.array_equal(line, data["tension"].sel(load=f"line {number}"))
        assert line.attrs["openfast_name"] == f"FairTen{number}" and line.attrs["openfast_units"] == "N"
        assert f"'line {number}'" in line.attrs["long_name"]
    assert "line_4_tension" not in found
    for name in ("thrust", "power", "hub_wind", "relative_wind"):
        assert np.array_equal(found[name], data[name].sel(load="rotor"))
    weight = 3.5e5 * float(np.linalg.norm(data["gravity"]))
    assert float(found["tower_top_force_z"][0]) == pytest.approx(-weight, rel=0.05)  # pressed down, as OpenFAST says
    only = fl.channels(data, lines=["line 3"], tower_top=False)
    assert np.array_equal(only["line_1_tension"], data["tension"].sel(load="line 3")) and "nacelle_yaw" not in only


def test_waves_and_a_hull_drawn_off_its_place():
    sea = fl.simulate(example("spar_in_waves"), duration=2.0, progress=False)
    assert np.array_equal(fl.channels(sea)["wave_elevation"], sea["wave_elevation"])
    buoy = fl.simulate(example("moored_buoy"), duration=1.0, progress=False)
    found = fl.channels(buoy, reference=(20, 0, 0))
    assert float(found["surge"][0]) == 20.0 and float(found["heave"][0]) == pytest.approx(0.0, abs=1e-12)


def test_the_reference_is_a_point_of_the_drawing_however_the_run_begins():
    """Released leaning by its joint: the reference is a point of the upright drawing, on the axis through the pivot."""
    data = fl.simulate(turbine(start=(0.0, 0.5, 0.0)), duration=0.1, dt=0.05, progress=False)
    found = fl.channels(data, platform="tower")
    lean = [-DEPTH * np.sin(0.5), 0.0, DEPTH - DEPTH * np.cos(0.5)]
    assert columns(found, "surge", "sway", "heave")[0] == pytest.approx(np.array(lean), abs=1e-9)
    assert float(found["pitch"][0]) == pytest.approx(0.5)
    later = fl.channels(data.isel(time=slice(1, None)), platform="tower")
    assert np.array_equal(later["surge"], found["surge"][1:])  # a record cut at its beginning
    foreign = fl.channels(data.drop_vars("drawn_frame"), platform="tower")
    assert float(foreign["surge"][0]) == pytest.approx(0.0, abs=1e-12)  # no drawing: as at the beginning


def test_sentences_where_structure_leaves_a_choice(yaw_drive):
    two = xr.concat([tumbling(3)[0], tumbling(3, body="barge")[0]], "body")
    with pytest.raises(InvalidInput, match="the platform could be any of 'hull', 'barge'; say which with platform='h"):
        fl.channels(two)
    assert fl.channels(two, "barge").attrs["platform"] == "barge"
    with pytest.raises(InvalidInput, match="joints 'spin', 'pitch 1', 'pitch 2', 'pitch 3' all join 'hub'; say"):
        fl.channels(yaw_drive, platform="hub")
    for options, said in (
        ({"platform": "spar"}, "there is no body 'spar' to be the platform; bodies are 'tower', 'nacelle'"),
        ({"tower_top": "jaw"}, "there is no joint 'jaw' for tower_top; joints are 'yaw', 'spin'"),
        ({"reference": (0, 1)}, "reference must be three numbers in metres"),
        ({"lines": ["line 9"]}, "there is no load 'line 9' for lines; loads are sea and mooring"),
    ):
        with pytest.raises(InvalidInput, match=said):
            fl.channels(yaw_drive, **options)
    with pytest.raises(InvalidInput, match="need a record over time with position"):
        fl.channels(yaw_drive.drop_vars("position"))


def test_every_channel_says_unit_meaning_and_name(yaw_drive):
    found = fl.channels(yaw_drive)
    for name, variable in found.data_vars.items():
        assert variable.dims == ("time",)
        assert all(variable.attrs[word] for word in ("units", "long_name", "openfast_units"))
        assert ("openfast_name" in variable.attrs) != name.startswith("gyroscopic"), name
    named = [v.attrs["openfast_name"] for v in found.data_vars.values() if "openfast_name" in v.attrs]
    assert len(named) == len(set(named))


@pytest.mark.parametrize("packed", [True, False])
def test_outb_holds_the_channels_in_openfasts_units(yaw_drive, tmp_path, packed):
    found = fl.channels(yaw_drive)
    fl.write_outb(yaw_drive, tmp_path / "turbine.outb", packed=packed)
    kind, description, names, units, time, values = read_outb(tmp_path / "turbine.outb")
    assert kind == (4 if packed else 3) and "turbine with a free yaw drive" in description
    assert time == pytest.approx(found["time"].values, abs=1e-12) and names[0] == "Time" and units[0] == "(s)"
    factor = {"PtfmPitch": 180 / np.pi, "YawBrMyp": 1e-3, "RotSpeed": 30 / np.pi, "PtfmTAxi": 1, "GyroMomA": 1e-3}
    ours = {"PtfmPitch": "pitch", "YawBrMyp": "tower_top_moment_y", "RotSpeed": "rotor_speed"}
    ours |= {"PtfmTAxi": "surge_acceleration", "GyroMomA": "gyroscopic_moment_A"}
    for name, scale in factor.items():
        wanted = found[ours[name]].values * scale
        # The documented resolution: half a count of 65534 over the range, and of float32 slopes and offsets.
        bound = (
            (np.ptp(wanted) + 5e-7 * np.abs(wanted).max()) / 131068 * 1.001 if packed else 1e-14 * np.abs(wanted).max()
        )
        assert np.abs(values[:, names.index(name) - 1] - wanted).max() <= bound, name
    assert units[names.index("YawBrMyp")] == "(kN-m)" and units[names.index("PtfmPitch")] == "(deg)"
    assert len(names) == len(found.data_vars) + 1


def test_packing_holds_constants_small_ranges_and_zeros(tmp_path):
    t = np.arange(7) * 0.5
    rows = {"zero": 0 * t, "constant": 0 * t + 0.1, "high": 911089 + 1e-3 * t, "tiny": 1e-40 * t, "wide": 1e9 * t - 1e9}
    table = xr.Dataset({k: ("time", v, {"units": "m"}) for k, v in rows.items()}, coords={"time": t + 3})
    fl.write_outb(table, tmp_path / "a.outb")
    _, _, names, _, time, values = read_outb(tmp_path / "a.outb")
    assert names[1:] == list(rows) and time[0] == 3.0
    for k, (name, wanted) in enumerate(rows.items()):
        bound = (np.ptp(wanted) + 5e-7 * np.abs(wanted).max()) / 131068 * 1.001 + 1e-30
        assert np.abs(values[:, k] - wanted).max() <= bound, name


def test_uneven_times_are_written_too(tmp_path):
    t = np.array([0.0, 0.4, 0.8, 1.0])
    wind = {"units": "m/s", "openfast_name": "WindHubVelMag", "openfast_units": "m/s", "outb_name": "HubWind"}
    table = xr.Dataset({"hub_wind": ("time", t**2, wind)}, coords={"time": t})
    fl.write_outb(table, tmp_path / "a.outb")
    kind, _, names, _, time, values = read_outb(tmp_path / "a.outb")
    assert kind == 1 and names == ["Time", "HubWind"]  # this kind of file has ten letters for a name
    assert np.abs(time - t).max() < 1.0 / 2**32 and np.abs(values[:, 0] - t**2).max() < 1.0 / 65534
    with pytest.raises(InvalidInput, match="steps of this record differ; use packed=True"):
        fl.write_outb(table, tmp_path / "b.outb", packed=False)
    table["hub_wind"].values[2] = np.nan
    with pytest.raises(InvalidInput, match=r"HubWind is not finite at t = 0.8 s"):
        fl.write_outb(table, tmp_path / "b.outb")
    with pytest.raises(InvalidInput, match="there are no channels over time"):
        fl.write_outb(xr.Dataset(coords={"time": t}), tmp_path / "b.outb")
    assert [path.name for path in tmp_path.iterdir()] == ["a.outb"]


def test_convert_writes_outb_from_a_result(fairlead, yaw_drive, tmp_path):
    yaw_drive.to_netcdf(tmp_path / "result.nc", engine="h5netcdf")
    done = fairlead("convert", "result.nc", "out.outb", "--reference", "0", "0", "10")
    assert done.returncode == 0 and "channels over 41 instants into out.outb" in done.stdout, done.stderr
    *_, names, _, _, values = read_outb(tmp_path / "out.outb")
    wanted = fl.channels(yaw_drive, reference=(0, 0, 10))["heave"].values
    assert values[:, names.index("PtfmHeave") - 1] == pytest.approx(wanted, abs=1e-5)
    assert fairlead("convert", "result.nc", "out.outb").returncode == 5
    wrong = fairlead("convert", "result.nc", "b.outb", "--platform", "spar")
    assert wrong.returncode == 3 and "there is no body 'spar'" in wrong.stderr
    assert fairlead("convert", "none.nc", "b.outb").returncode == 5
    assert fairlead("convert", "result.nc", "c.outb", "--tower-top", "none").returncode == 0
    assert "YawBrFxp" not in read_outb(tmp_path / "c.outb")[2]
    fl.channels(yaw_drive).to_netcdf(tmp_path / "channels.nc", engine="h5netcdf")  # channels as a file are taken too
    fl.write_outb(tmp_path / "channels.nc", tmp_path / "d.outb")
    assert len(read_outb(tmp_path / "d.outb")[2]) == len(fl.channels(yaw_drive).data_vars) + 1


def test_a_tower_of_several_bodies_has_its_top_where_the_nacelle_is():
    """Platform, two pieces of tower, nacelle, hub: the yaw bearing carries nacelle and hub, not the tower."""
    masses = {"platform": 5e6, "lower": 2e5, "upper": 1e5, "nacelle": 2.4e5, "hub": 1.1e5}
    heights = {"platform": -50, "lower": 30, "upper": 70, "nacelle": 89, "hub": 90}
    bodies = {
        name: fl.Body(mass, (1e7, 1e7, 1e7), position=(-5 if name == "hub" else 0, 0, heights[name]))
        for name, mass in masses.items()
    }
    joints = {
        "held": fl.Fixed("world", "platform", (0, 0, -50)),
        "flange 1": fl.Fixed("platform", "lower", (0, 0, 10)),
        "flange 2": fl.Fixed("lower", "upper", (0, 0, 50)),
        "bearing": fl.Revolute("upper", "nacelle", (0, 0, 87), (0, 0, 1), locked=True),
        "shaft": fl.Revolute("nacelle", "hub", (-5, 0, 90), (1, 0, 0), motion=fl.Rate(1.2)),
    }
    found = fl.channels(fl.simulate(fl.Model("tower", bodies, joints), 0.2, 0.1, progress=False))
    assert (found.attrs["tower_top"], found.attrs["spin"]) == ("bearing", "shaft")
    np.testing.assert_allclose(found.rotor_speed, 1.2)
    np.testing.assert_allclose(found.tower_top_force_z, -3.5e5 * 9.80665, rtol=1e-12)
    joints["bearing"] = fl.Fixed("upper", "nacelle", (0, 0, 87))  # a nacelle that does not yaw
    found = fl.channels(fl.simulate(fl.Model("tower", bodies, joints), 0.2, 0.1, progress=False))
    assert (found.attrs["tower_top"], found.attrs["spin"]) == ("bearing", "shaft")


def test_pictures_take_channels_by_our_name_and_by_openfasts():
    """The lines drawn are those of `fl.channels`, angles in degrees; a name that is neither is refused."""
    data = fl.simulate(turbine(), 1.0, 0.1, progress=False)
    found = fl.channels(data)
    for word, name, factor in (
        ("pitch", "pitch", 180 / np.pi),
        ("PtfmSurge", "surge", 1.0),
        ("QD2_P", "pitch_acceleration", 180 / np.pi),
        ("tower_top_moment_y", "tower_top_moment_y", 1.0),
    ):
        (axes,) = plot(data, what=word).axes
        np.testing.assert_allclose(axes.lines[0].get_ydata(), factor * found[name].values, rtol=1e-12)
        assert axes.get_title("left") == word[:1].upper() + word[1:].replace("_", " ")
    with pytest.raises(InvalidInput, match="there is no 'surg' over time"):
        plot(data, what="surg")
