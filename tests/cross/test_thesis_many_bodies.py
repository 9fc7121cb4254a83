"""What the Dissertation says of Figs. 28-29 and 38-43: three and six bodies on a restoring matrix, internal loads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fairlead as fl
from support.restoring_models import NAMES, YAW, crossings, floating, leaning, six_bodies, steady_start, three_bodies

MACHINES = {"three": (three_bodies, "three-body"), "six": (six_bodies, "cloud")}


def run(model: fl.Model, formulation: str = "auto") -> Any:
    return fl.simulate(model, 300.0, 0.02, output_every=5, formulation=formulation, progress=False)


@pytest.fixture(scope="module")
def from_zero() -> dict[str, Any]:
    """Five minutes, one turn of the nacelle, all six coordinates zero at the start."""
    return {name: run(make(), formulation) for name, (make, formulation) in MACHINES.items()}


@pytest.mark.parametrize("name", list(MACHINES))
def test_another_derivation_is_virtually_indistinguishable(from_zero: dict[str, Any], name: str):
    """Kane's equations, as FAST has them; same steps, so what differs is rounding: seen 1e-12 of the range."""
    model = MACHINES[name][0]()
    one, other = floating(model, from_zero[name]), floating(model, run(model, "kane"))
    assert np.abs(one - other).max() < 1e-9 * np.ptp(one)
    assert fl.audit(from_zero[name]).passed


@pytest.mark.parametrize("name", list(MACHINES))
def test_pitch_and_surge_cross_zero_with_the_nacelle_across(from_zero: dict[str, Any], name: str):
    """At 90 degrees, 75 s. From the steady state only the smooth round is left; from zero the natural swing is on top.

    From zero the times are those that a reader takes from a plot of 300 s.
    """
    model = MACHINES[name][0]()
    steady = leaning(model, steady_start(model))
    calm = run(steady)
    time = calm["time"].values
    for motion, near in ((floating(steady, calm), 0.02), (floating(model, from_zero[name]), 3.0)):
        first = time <= 150  # the nacelle points sideways and its other way round comes after
        for word in ("pitch", "surge"):
            assert np.abs(crossings(time, motion[:, NAMES.index(word)]) - 75).min() < near
        for word in ("roll", "sway"):
            largest = time[first][np.abs(motion[first, NAMES.index(word)]).argmax()]
            assert abs(largest - 75) <= max(near, 0.1)  # samples every 0.1 s


def test_yaw_comes_from_the_gyroscopic_moment_of_spin(from_zero: dict[str, Any]):
    """I_z w_z' less the sea's moment is -(w x h)_z, by the rotor's momentum h turned with roll and pitch, and a rest.

    The rest is the unbalanced topside, S = 94 t m, on a tower that leans and accelerates: -S (n x (a - g))_z.
    """
    model, data = three_bodies(), from_zero["three"]
    tower, time = data.sel(body="tower"), data["time"].values
    R_WT = Rotation.from_quat(tower["orientation"].values, scalar_first=True)
    w, dw = tower["angular_velocity"].values, tower["angular_acceleration"].values
    n_x, n_y = np.cos(YAW * time), np.sin(YAW * time)  # shaft and topside in the tower's axes
    gyroscopic = -3.54e7 * 12.1 * 2 * np.pi / 60 * (w[:, 0] * n_y - w[:, 1] * n_x)
    top = R_WT.inv().apply(tower["acceleration"].values - [0, 0, -9.80665]) + np.cross(dw, [0, 0, 58.67 + 89.5])
    unbalanced = -(240000 * 1.9 - 110000 * 5.0) * (n_x * top[:, 1] - n_y * top[:, 0])
    about = 1.12e8 + 2.61e6 + 1.77e7 + 110000 * 5.0**2  # tower, nacelle and rotor about the yaw axis
    driven = about * dw[:, 2] - R_WT.inv().apply(data["load_moment"].sum("load").values)[:, 2]
    size = np.abs(gyroscopic).max()
    # Left out: products of angles of 0.01 rad, and the nacelle's centre 0.65 m below the rotor's
    assert np.abs(driven - gyroscopic - unbalanced).max() < 0.005 * size
    assert np.abs(unbalanced).max() < 0.2 * size
    spin = model.joints["spin"].model_copy(update={"motion": {"angle": fl.Rate(0.0)}})
    parked = model.model_copy(update={"joints": {**model.joints, "spin": spin}})
    yaw, rest = (np.abs(floating(model, d)[:, NAMES.index("yaw")]).max() for d in (data, run(parked)))
    assert rest < 0.1 * yaw  # seen 0.04 and 0.82 degrees; the gyroscopic moment drives lean and thereby the rest, too


# Internal loads of the six bodies.


def loads(data: Any, joint: str, **options: Any) -> tuple[Any, Any]:
    """Return force and moment of the nacelle on the tower, or of the hub on a blade, in the axes of tower or blade."""
    sign, axes = (-1, "parent") if joint == "yaw" else (1, "child")
    found = fl.internal_loads(data, joint, axes=axes, **options)
    return sign * found["force"].values, sign * found["moment"].values


@pytest.mark.parametrize(("joint", "body"), [("yaw", "tower"), ("pitch 1", "blade 1")])
def test_inverse_dynamics_gives_the_reactions_and_differentiation_nearly(
    from_zero: dict[str, Any], joint: str, body: str
):
    data = from_zero["six"]
    sign = -1 if joint == "yaw" else 1
    R_WB = Rotation.from_quat(data["orientation"].sel(body=body).values, scalar_first=True)
    x, h = data["position"].values, 0.1
    second = (x[2:] - 2 * x[1:-1] + x[:-2]) / h**2
    plain = data.isel(time=slice(1, -1)).assign(acceleration=(data["acceleration"].dims, second))
    # Plain differences flatten a wave of rate w by (w h)^2 / 12; the fastest here is the spin, 1.27 rad/s: 1.3e-3.
    slight = (1.27 * h) ** 2 / 12
    for kind, ours, again, rough in zip(
        ("force", "moment"), loads(data, joint), loads(data, joint, route="differentiated"), loads(plain, joint)
    ):
        recorded = sign * R_WB.inv().apply(data[f"joint_{kind}"].sel(joint=joint).values)
        size = np.ptp(ours, axis=0).max()
        assert np.abs(ours - recorded).max() < 1e-11 * size  # rounding of two different sums
        assert np.abs(ours - again).max() < 1e-6 * size  # order 8 over 0.1 s; most at the two ends
        worst = np.abs(ours[1:-1] - rough).max() / size
        assert worst < 2 * slight  # a force of the blade is half the centrifugal one, which does not count in the range
        if joint == "pitch 1":
            assert worst > 0.1 * slight  # "slightly different"


def test_swing_and_yaw_of_the_nacelle_show_in_loads_on_the_tower(from_zero: dict[str, Any]):
    """Figs. 40-41. Forces are weight across the leaning tower and m a: they have the rhythm of pitch and roll.

    The rest follows the nacelle round (300 s). In the moments it is nearly everything: overhang and gyroscopic moment.
    """
    data = from_zero["six"]
    time = data["time"].values
    waves = np.column_stack([np.cos(YAW * time), np.sin(YAW * time), np.ones_like(time)])

    def parts(values: Any) -> tuple[float, float, Any]:
        slow = waves @ np.linalg.lstsq(waves, values, rcond=None)[0]
        return float(slow.std()), float((values - slow).std()), values - slow

    force, moment = loads(data, "yaw")
    motion = floating(six_bodies(), data)
    for values, word in ((force[:, 0], "pitch"), (force[:, 1], "roll")):
        swing = parts(motion[:, NAMES.index(word)])[2]
        assert abs(np.corrcoef(parts(values)[2], swing)[0, 1]) > 0.99
    slow, swing, _ = parts(force[:, 0])
    assert 0.8 < swing / slow < 1.5  # as much as the round of the nacelle
    for values in moment[:, :2].T:
        slow, swing, _ = parts(values)
        assert swing < 0.1 * slow
    # The weight of the topside, 350 000 kg, "nearly constant"
    assert force[:, 2] == pytest.approx(-350000 * 9.80665, rel=1e-3)


def test_root_forces_dominate_the_blade_s_bending(from_zero: dict[str, Any]):
    """Figs. 42-43: the moment about x is -F_y times 20.475 m, about y F_x times 20.475 m, and the blade's own inertia.

    Weight, the larger part of the force, acts at the mass centre and so has no other moment.
    """
    force, moment = loads(from_zero["six"], "pitch 1")
    for bending, shear in ((moment[:, 0], -20.475 * force[:, 1]), (moment[:, 1], 20.475 * force[:, 0])):
        assert np.std(bending - shear) < 0.15 * np.std(bending)  # seen 12 %
