"""Wind: profiles, tables, IEC gusts, Kaimal turbulence and the files of other programs."""

import math
import struct

import numpy as np
import pytest

import fairlead as fl
from fairlead.model.environment import kaimal
from fairlead.model.environment.compile_wind import wind_in_time
from fairlead.model.environment.wind_files import read_bts

HUB = 90.0


def rotor_in(wind, *, height=HUB, radius=10.0, **options):
    """A rotor so heavy that it stays where it is; its channels show the wind."""
    body = fl.Body(1e22, (1e26, 1e26, 1e26), position=(0, 0, height))
    rotor = fl.RotorThrust("b", (0, 0, height), (1, 0, 0), radius, 1.0, **options)
    return fl.Model("windy", {"b": body}, loads={"r": rotor}, gravity=(0, 0, 0), environment=fl.Environment(wind=wind))


def hub_wind(wind, duration, dt, **options):
    data = fl.simulate(rotor_in(wind, **options), duration, dt)
    return data.time.values, data.hub_wind.sel(load="r").values, data.relative_wind.sel(load="r").values


def test_profiles_over_height():
    """Power law V (z/zr)^a and logarithmic V ln(z/z0) / ln(zr/z0); no wind below the water."""
    for height in (90.0, 150.0, 20.0):
        power = fl.accelerations(rotor_in(fl.SteadyWind(10.0, height=90, exponent=0.14), height=height))
        assert float(power.hub_wind[0]) == pytest.approx(10 * (height / 90) ** 0.14, rel=1e-14)
        log = fl.accelerations(rotor_in(fl.SteadyWind(10.0, height=90, roughness=0.03), height=height))
        assert float(log.hub_wind[0]) == pytest.approx(10 * math.log(height / 0.03) / math.log(90 / 0.03), rel=1e-14)
    assert float(fl.accelerations(rotor_in(fl.SteadyWind(10.0, exponent=0.14), height=-5.0)).hub_wind[0]) == 0


def test_direction_and_air_density():
    """A wind towards +y does not push along x; thrust is 1/2 rho A C_T V^2 of the part along the shaft."""
    wind = fl.SteadyWind(8.0, "30 deg")
    model = rotor_in(wind).model_copy(update={"environment": fl.Environment(air_density=1.1, wind=wind)})
    data = fl.accelerations(model)
    along = 8 * math.cos(math.radians(30))
    assert float(data.relative_wind[0]) == pytest.approx(along, rel=1e-14)
    assert float(data.thrust[0]) == pytest.approx(0.5 * 1.1 * math.pi * 100 * along**2, rel=1e-14)


def test_tables():
    times, speeds, degrees = [0, 2, 5, 9], [8, 12, 6, 7], [350, 10, 20, 60]
    directions = [f"{value} deg" for value in degrees]
    t, speed, along = hub_wind(fl.WindTable(times, speeds, directions), 9.0, 0.25)
    expected = np.interp(t, times, speeds)
    np.testing.assert_allclose(speed, expected, rtol=1e-13)
    turned = np.interp(t, times, np.radians([-10, 10, 20, 60]))  # through north, not all the way round
    np.testing.assert_allclose(along, expected * np.cos(turned), rtol=1e-12)
    from scipy.interpolate import CubicSpline

    t, speed, _ = hub_wind(fl.WindTable(times, speeds, interpolation="spline"), 9.0, 0.25)
    np.testing.assert_allclose(speed, CubicSpline(times, speeds)(t), rtol=1e-13)


def test_a_record_shorter_than_the_run_is_refused_before_it_starts():
    table = fl.WindTable([0, 5], [8, 9])
    with pytest.raises(fl.InvalidInput, match=r"environment.wind: the table covers 0 s to 5 s, but 0 s to 6 s"):
        fl.simulate(rotor_in(table), 6.0, 0.5)
    with pytest.raises(fl.InvalidInput, match=r"covers 0 s to 600 s"):
        fl.simulate(rotor_in(fl.KaimalWind(10, "B", 1)), 700.0, 0.5)


def test_step_and_ramp_of_direction():
    """At the jump the recorded value is the one that follows; a ramp turns evenly."""
    step = fl.SteadyWind(10.0, changes=(fl.DirectionChange(1.0, "45 deg"),))
    t, speed, along = hub_wind(step, 2.0, 0.25)
    np.testing.assert_allclose(speed, 10.0, rtol=1e-14)
    np.testing.assert_allclose(along, np.where(t < 1, 10.0, 10 * math.sqrt(0.5)), rtol=1e-14)
    ramp = fl.SteadyWind(10.0, changes=(fl.DirectionChange(0.5, "45 deg", 1.0),))
    t, _, along = hub_wind(ramp, 2.0, 0.25)
    np.testing.assert_allclose(along, 10 * np.cos(np.radians(45) * np.clip(t - 0.5, 0, 1)), rtol=1e-13)


def test_a_step_inside_a_time_step_keeps_the_order():
    """m v' = k (V cos a)^2 with a jump at t = 0.73: constant force on each side, so the motion is known."""
    wind = fl.SteadyWind(10.0, changes=(fl.DirectionChange(0.73, "60 deg"),))
    body = fl.Body(1e12, (1e15, 1e15, 1e15), position=(0, 0, HUB))
    rotor = fl.RotorThrust("b", (0, 0, HUB), (1, 0, 0), 10.0, 1.0)
    model = fl.Model("step", {"b": body}, loads={"r": rotor}, gravity=(0, 0, 0), environment=fl.Environment(wind=wind))
    data = fl.simulate(model, 2.0, 0.25)
    force = 0.5 * 1.225 * math.pi * 100 * 100
    expected = force * (0.73 + 0.25 * 1.27) / 1e12
    # The body's own speed, 4e-9 of the wind's, is all that is neglected.
    assert float(data.velocity[-1, 0, 0]) == pytest.approx(expected, rel=1e-8)


def test_extreme_operating_gust():
    """Class IB, 11.4 m/s at 90 m, rotor 126 m: sigma_1 = 0.14 (0.75 11.4 + 5.6) = 1.981 m/s and Lambda_1 = 42 m give
    V_gust = 3.3 sigma_1 / 1.3 = 5.0287 m/s; it peaks 0.74 V_gust above the mean in its middle."""
    gust = fl.SteadyWind(11.4, changes=(fl.ExtremeGust(2.0, "B", "I", 126.0),))
    speed = wind_in_time(rotor_in(gust)).speed
    assert float(speed(2 + 5.25)) - 11.4 == pytest.approx(0.74 * 5.02869, rel=1e-5)
    t = np.linspace(0, 10.5, 1001)
    formula = 11.4 - 0.37 * 5.0286923 * np.sin(3 * np.pi * t / 10.5) * (1 - np.cos(2 * np.pi * t / 10.5))
    np.testing.assert_allclose(speed(2 + t), formula, atol=1e-6)  # the spline of 200 pieces
    np.testing.assert_allclose(speed(np.array([0.0, 1.9, 12.6, 50.0])), 11.4, rtol=1e-14)
    strong = kaimal.gust(np.array([5.25]), 50.0, "A", 90.0, 126.0, 50.0)  # 1.35 (0.8 1.4 50 - 50) is the lesser one
    assert strong[0] == pytest.approx(0.74 * 1.35 * 6.0, rel=1e-12)


def test_extreme_direction_change():
    """theta_e = 4 atan(sigma_1 / (V (1 + 0.1 D / Lambda_1))) = 4 atan(1.981 / (11.4 1.3)) = 30.45 deg, over 6 s."""
    turned = fl.SteadyWind(11.4, changes=(fl.ExtremeDirectionChange(3.0, "B", 126.0, "right"),))
    direction = wind_in_time(rotor_in(turned)).direction
    whole = 4 * math.atan(1.981 / (11.4 * 1.3))
    assert math.degrees(whole) == pytest.approx(30.4545, abs=1e-4)
    np.testing.assert_allclose(direction(np.array([0, 3, 6, 9, 99.0])), [0, 0, -whole / 2, -whole, -whole], atol=1e-9)


def test_kaimal_spectrum():
    """The spectrum integrates to sigma_k^2 (its closed form), and classes give sigma_1 as Table 1 says."""
    for letter, intensity in {"A+": 0.18, "A": 0.16, "B": 0.14, "C": 0.12}.items():
        assert kaimal.deviation(15.0, letter) == pytest.approx(intensity * (0.75 * 15 + 5.6))
    from scipy.integrate import quad

    for component, share in (("u", 1.0), ("v", 0.8), ("w", 0.5)):
        whole = quad(
            lambda f, c=component: float(kaimal.kaimal(f, c, 15.0, 2.0, 90.0)), 0, np.inf, epsabs=0, epsrel=1e-9
        )
        assert whole[0] == pytest.approx((share * 2.0) ** 2, rel=1e-7)
    assert float(kaimal.kaimal(0.0, "u", 15.0, 2.0, 90.0)) == pytest.approx(4 * 4 * 8.1 * 42 / 15)


def test_averaging_over_the_rotor():
    """The filter is the mean coherence of two points of the disc: drawn at random, and in its limits."""
    random = np.random.Generator(np.random.PCG64(5))
    points = 63 * np.sqrt(random.uniform(size=(2, 400_000))) * np.exp(2j * np.pi * random.uniform(size=(2, 400_000)))
    r = np.abs(points[0] - points[1])
    for f in (0.0, 0.02, 0.1, 0.5):
        coherence = np.exp(-12 * np.sqrt((f * r / 15) ** 2 + (0.12 * r / (8.1 * 42)) ** 2))
        found = kaimal.rotor_filter(np.array([f]), 15.0, 90.0, 63.0)[0]
        assert found == pytest.approx(coherence.mean(), abs=4 * coherence.std() / math.sqrt(400_000))
    assert kaimal.rotor_filter(np.array([0.3]), 15.0, 90.0, 1e-6)[0] == pytest.approx(1.0, abs=1e-6)
    assert kaimal.rotor_filter(np.array([0.3]), 15.0, 90.0, 0.0)[0] == 1.0
    # Far above V / R only points within V / 12 f of each other move together: 2 pi (V / 12 f)^2 / (pi R^2).
    assert kaimal.rotor_filter(np.array([20.0]), 15.0, 90.0, 63.0)[0] == pytest.approx(
        2 * (15 / 240 / 63) ** 2, rel=0.01
    )


def test_kaimal_series():
    """Variance is the sum of S df to rounding, the same seed gives the same wind, and u does not depend on v and w."""
    wind = fl.KaimalWind(15.0, "B", 7, duration=600, dt=0.1)
    found = wind_in_time(rotor_in(wind, radius=63.0))
    t = 0.1 * np.arange(6001)
    u = found.speed(t)
    f = np.arange(1, 3001) / 600.1
    power = kaimal.kaimal(f, "u", 15.0, kaimal.deviation(15.0, "B"), 90.0) * kaimal.rotor_filter(f, 15.0, 90.0, 63.0)
    assert u.mean() == pytest.approx(15.0, rel=1e-13)
    assert u.var() == pytest.approx(power.sum() / 600.1, rel=1e-12)
    # numpy's PCG64 stream is fixed by its documentation: the phases start as these do on every machine.
    phases = np.random.Generator(np.random.PCG64(7)).uniform(0, 2 * np.pi, 3000)
    one = 15 + np.sqrt(2 * power / 600.1) @ np.cos(2 * np.pi * f * 123.4 + phases)
    assert float(found.speed(123.4)) == pytest.approx(one, rel=1e-11)
    three = wind_in_time(rotor_in(wind.model_copy(update={"components": "uvw"}), radius=63.0))
    np.testing.assert_array_equal(three.speed(t), u)
    assert three.lateral(t).std() > 1.6 * three.vertical(t).std() > 0  # 0.8 / 0.5, and longer eddies survive
    other = wind_in_time(rotor_in(wind.model_copy(update={"seed": 8}), radius=63.0))
    assert np.abs(other.speed(t) - u).max() > 0.5
    point = wind_in_time(rotor_in(wind.model_copy(update={"radius": 0.0}), radius=63.0))
    # At a point nearly all of sigma_1: what is left out lies below 1/600 Hz and above 5 Hz.
    assert point.speed(t).std() == pytest.approx(kaimal.deviation(15.0, "B"), rel=0.1)


def write_bts(path, velocity, dt, dy, dz, bottom, towers=2):
    """Write velocity (time, height, width, 3) as TurbSim does; the scales use all of 16 bits."""
    nt, nz, ny, _ = velocity.shape
    low, high = velocity.min(axis=(0, 1, 2)), velocity.max(axis=(0, 1, 2))
    slope = np.float32(65535 / np.maximum(high - low, 1e-3)).astype(float)
    offset = np.float32(-32768 - slope * low).astype(float)
    text = b"made by a test"
    scales = [value for pair in zip(slope, offset) for value in pair]
    with open(path, "wb") as file:
        file.write(struct.pack("<h4i6f", 7, nz, ny, towers, nt, dz, dy, dt, 10.0, HUB, bottom))
        file.write(struct.pack("<6f", *scales) + struct.pack("<i", len(text)) + text)
        for plane in velocity:
            stored = np.clip(np.rint(plane * slope + offset), -32768, 32767).astype("<i2")
            file.write(stored.tobytes() + bytes(6 * towers))
    return 0.5 / slope  # what rounding may cost


def box(nt=41, dt=0.5):
    """A wind that varies linearly over the box: averages over a disc and interpolation are its value in the middle."""
    t = dt * np.arange(nt)[:, None, None]
    z, y = (np.arange(9) * 20.0 + 10.0)[None, :, None], (np.arange(11) * 16.0 - 80)[None, None, :]
    u = 10 + np.sin(t) + 0.01 * (z - HUB) + 0.02 * y
    v, w = 0.5 * np.cos(t) + 0 * y + 0 * z, 0.2 + 0 * t + 0.001 * (z - HUB) + 0 * y
    return np.stack([u, v, w], axis=-1)


def test_turbsim_box(tmp_path):
    path = tmp_path / "wind.bts"
    near = write_bts(path, box(), 0.5, 16.0, 20.0, 10.0)
    read = read_bts(str(path))
    assert (read.y[0], read.y[-1], read.z[0], read.z[-1], read.times[-1]) == (-80, 80, 10, 170, 20)
    for take in ("rotor", "hub"):
        wind = fl.WindFile(str(path), take=take, direction="90 deg")
        found = wind_in_time(rotor_in(wind, radius=50.0))
        t = read.times
        np.testing.assert_allclose(found.speed(t), 10 + np.sin(t), atol=near[0] + 1e-5)  # float32 scales
        np.testing.assert_allclose(found.lateral(t), 0.5 * np.cos(t), atol=near[1] + 1e-5)
        np.testing.assert_allclose(found.vertical(t), 0.2, atol=near[2] + 1e-5)
    _, speed, along = hub_wind(fl.WindFile(str(path), direction="90 deg"), 10.0, 0.5, radius=50.0)
    np.testing.assert_allclose(along, -0.5 * np.cos(0.5 * np.arange(21)), atol=1e-3)  # its v, turned to -x
    assert speed.min() > 8.9


def test_boxes_that_do_not_fit_are_refused(tmp_path):
    path = tmp_path / "wind.bts"
    write_bts(path, box(), 0.5, 16.0, 20.0, 10.0)
    with pytest.raises(
        fl.InvalidInput, match=r"environment.wind.file: the box covers y -80 to 80 m and z 10 to 170 m, but"
    ):
        fl.simulate(rotor_in(fl.WindFile(str(path)), radius=85.0), 1.0, 0.5)
    with pytest.raises(fl.InvalidInput, match="covers 0 s to 20 s"):
        fl.simulate(rotor_in(fl.WindFile(str(path)), radius=50.0), 30.0, 0.5)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(fl.InvalidInput, match=r"cut off: its head says 41 planes, 20 are there"):
        fl.simulate(rotor_in(fl.WindFile(str(path)), radius=50.0), 1.0, 0.5)
    path.write_bytes(b"no box at all, but long enough to hold a head of seventy bytes and some more")
    with pytest.raises(fl.InvalidInput, match="not a TurbSim box"):
        fl.simulate(rotor_in(fl.WindFile(str(path)), radius=50.0), 1.0, 0.5)
    with pytest.raises(fl.InvalidInput, match="cannot read"):
        fl.simulate(rotor_in(fl.WindFile(str(tmp_path / "none.bts"))), 1.0, 0.5)


def test_hub_height_file(tmp_path):
    """InflowWind's columns; its direction is meteorological, towards -y, and turns round here."""
    path = tmp_path / "gust.wnd"
    rows = ["! Time Speed Dir Vert HorShr PwrShr LinShr Gust", "0.0 10 0 0 0 0.2 0 0", "5.0 10 0 0 0 0.2 0 0"]
    path.write_text("\n".join([*rows, "10.0 12 45 0 0 0.2 0 1"]) + "\n")
    t, speed, along = hub_wind(fl.WindFile(str(path), height=90), 10.0, 0.5)
    np.testing.assert_allclose(speed, np.interp(t, [0, 5, 10], [10, 10, 13]), rtol=1e-13)
    found = wind_in_time(rotor_in(fl.WindFile(str(path))))
    assert float(found.direction(10.0)) == pytest.approx(-math.pi / 4)
    np.testing.assert_allclose(along, speed * np.cos(found.direction(t)), rtol=1e-12)
    assert float(fl.accelerations(rotor_in(fl.WindFile(str(path)), height=45.0)).hub_wind[0]) == pytest.approx(
        10 * 0.5**0.2
    )
    path.write_text("0.0 10 0 0 0.1 0.2 0 0\n")
    with pytest.raises(fl.InvalidInput, match="horizontal or linear shear"):
        fl.simulate(rotor_in(fl.WindFile(str(path))), 1.0, 0.5)
    path.write_text("0.0 10 0 0 0 0.2 0 0 0\n5.0 10 0 0 0 0.2 0 0 8\n")  # the ninth column of newer files
    with pytest.raises(fl.InvalidInput, match="an upflow angle"):
        fl.simulate(rotor_in(fl.WindFile(str(path))), 1.0, 0.5)
    path.write_text("0.0 10 0 0\n")
    with pytest.raises(fl.InvalidInput, match="line 1 has 4 columns"):
        fl.simulate(rotor_in(fl.WindFile(str(path))), 1.0, 0.5)
