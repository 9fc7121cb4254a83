"""Internal loads from the motion alone against what the formulations found on their own way.

`cloud` has its reactions from an inward pass, `constrained` from multipliers; neither is read here but to compare.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fairlead as fl
from support.mechanism_models import example, slider_crank

BALANCES = 1e-8  # of the largest load: what is asked for; rounding alone leaves 1e-12


def sizes(data):
    """The largest force, and a moment that counts as large: force times the size of the system, in a plane too."""
    force = np.abs(data["joint_force"].values).max()
    points = np.concatenate([data["joint_point"].values[0], data["position"].values[0]])
    return force, max(np.abs(data["joint_moment"].values).max(), force * np.ptp(points, axis=0).max())


def differences(found, data):
    """The largest difference of determined forces and moments from the recorded ones, of their largest."""
    worst = []
    for name, size in zip(("force", "moment"), sizes(data)):
        apart = np.abs(found[name].values - data[f"joint_{name}"].values)
        worst.append((apart * found[f"{name}_determined"].values).max() / size)
    return worst


@pytest.mark.parametrize(
    ("name", "formulation", "options"),
    [
        ("six_body_free", "cloud", {"duration": 20.0}),
        ("six_body_free", "constrained", {"duration": 5.0}),
        ("six_body_restoring", "cloud", {"duration": 20.0}),
        ("six_body_restoring", "constrained", {"duration": 5.0}),
        ("03_clock", "cloud", {"duration": 20.0}),
        ("gyroscopic_wheel", "constrained", {"duration": 1.0}),
        ("four_bar", "constrained", {"duration": 2.0}),
        ("slider_crank_dynamic", "constrained", {"duration": 0.4}),
        ("slider_crank_kinematic", "constrained", {"duration": 1.0}),
        ("andrews", "constrained", {"duration": 0.02}),
    ],
)
def test_examples_have_the_loads_their_formulation_found(name, formulation, options):
    data = fl.simulate(example(name), formulation=formulation, progress=False, **options)
    found = fl.internal_loads(data)
    assert max(differences(found, data)) < BALANCES
    assert found.attrs["undetermined"] == "" and found.attrs["route"] == "recorded"
    assert bool(found["force_determined"].all()) and bool(found["moment_determined"].all())
    # Newton for the whole: what floats is balanced by its recorded loads, what is held by its joints.
    assert float(found["imbalance"].max()) < 1e-10 * max(sizes(data)[0], 1.0)


KINDS = (fl.Revolute, fl.Prismatic, fl.Cylindrical, fl.Universal, fl.Spherical, fl.Planar, fl.Free)
KINDS += (fl.RevoluteCylindrical, fl.Distance, fl.AbsoluteX, fl.AbsoluteY, fl.AbsoluteZ, fl.AbsoluteOrientation)
KINDS += (fl.RelativeAngle,)
CARRIED = {fl.Revolute: 5, fl.Prismatic: 5, fl.Cylindrical: 4, fl.Universal: 4, fl.Spherical: 3, fl.Planar: 3}
CARRIED |= {fl.Free: 0, fl.RevoluteCylindrical: 3, fl.Distance: 1, fl.AbsoluteOrientation: 3, fl.Fixed: 6}


def joined(kind, seed, **more):
    """Two bodies at random places joined by `kind` and by a rod, so that the two joints make a loop."""
    rng = np.random.default_rng(seed)
    turns = Rotation.random(2, rng=rng).as_matrix()
    places = rng.normal(size=(2, 3))
    bodies = {
        name: fl.Body(
            2.0 + k, (1.0, 1.2, 1.5), places[k], {"matrix": turns[k].tolist()}, rng.normal(size=3), rng.normal(size=3)
        )
        for k, name in enumerate("ab")
    }
    axis, other, point = rng.normal(size=(3, 3))
    axis /= np.linalg.norm(axis)
    fields = dict(more)
    names = kind.model_fields
    if kind not in (fl.AbsoluteOrientation, fl.RelativeAngle):
        fields["point"] = tuple(point)
    if "axis" in names:
        fields["axis"] = tuple(axis)
    if "axis2" in names:
        across = np.cross(axis, other)
        fields["axis2"] = tuple(across / np.linalg.norm(across))
    if kind is fl.Distance:
        fields["other_point"] = tuple(point + other)
    absolute = kind.__name__.startswith("Absolute")
    parent = "world" if absolute else "a"
    joints = {
        "under test": kind(child="b", **({} if absolute else {"parent": parent}), **fields),
        "rod": fl.Distance(parent, "b", point=tuple(rng.normal(size=3)), other_point=tuple(rng.normal(size=3))),
    }
    loads = {
        "push": fl.Force("b", tuple(rng.normal(size=3)), tuple(10 * rng.normal(size=3)), tuple(rng.normal(size=3)))
    }
    loads["line"] = fl.Spring("a", tuple(places[0]), other="b", other_point=tuple(point), stiffness=30.0, length=0.5)
    return fl.Model("joined", bodies, joints, loads)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_joint_releases_its_own_directions(kind):
    """A joint and a rod share a loop; with at most six directions carried between them, all loads are unique."""
    for seed in range(3):
        data = fl.simulate(joined(kind, seed), 0.05, 0.005, formulation="constrained", progress=False)
        found = fl.internal_loads(data)
        assert max(differences(found, data)) < BALANCES, seed
        assert found.attrs["undetermined"] == ""
        carried = data["joint_force"].sel(joint="rod")
        assert np.abs(carried).max() > 1e-2  # the rod works, or nothing would be shared
        if kind is not fl.Free:
            one = fl.internal_loads(data, "under test")
            assert np.abs(one["force"] - found["force"].sel(joint="under test")).max() == 0


def test_a_driven_coordinate_carries_what_it_must_and_is_then_not_unique_beside_a_rod():
    """Six directions and one: seven unknowns between two bodies, of which one combination is open."""
    model = joined(fl.Revolute, 0, motion=fl.Rate(0.0))
    data = fl.simulate(model, 0.05, 0.005, formulation="constrained", progress=False)
    found = fl.internal_loads(data)
    assert found.attrs["undetermined"].count(":") == 2
    assert not found["force_determined"].sel(joint="rod").all("xyz").any()


def test_redundant_linkage_names_what_is_open_and_still_balances_every_body():
    """Four revolute joints: pins share forces along z and moments across it in ways rigid bodies do not tell."""
    data = fl.simulate(example("four_bar_revolute"), duration=1.0, progress=False)
    found = fl.internal_loads(data)
    assert max(differences(found, data)) < BALANCES
    for joint in "ABCD":
        assert f"{joint}: force z, moment x, moment y" in found.attrs["undetermined"]
    assert found["force_determined"].all(("time", "joint")).values.tolist() == [True, True, False]
    assert found["moment_determined"].all(("time", "joint")).values.tolist() == [False, False, True]
    push = {"z": fl.Force("coupler", force=(0, 0, 70.0), moment=(3.0, 0, 0))}  # loads the directions that are open
    model = example("four_bar_revolute").model_copy(update={"loads": push})
    data = fl.simulate(model, duration=0.5, progress=False)
    found = fl.internal_loads(data)
    f, n, x = (found[name].values for name in ("force", "moment", "joint_point"))
    assert np.abs(f[..., 2]).max() > 10
    for k, body in enumerate(data["body"].values):
        total_f, total_n = 0.0, 0.0
        for j in range(4):
            sign = (data["joint_child"].values[j] == body) * 1.0 - (data["joint_parent"].values[j] == body)
            total_f = total_f + sign * f[:, j]
            total_n = total_n + sign * (n[:, j] + np.cross(x[:, j] - data["position"].values[:, k], f[:, j]))
        own = (data["load_body"] == body).values
        total_f = total_f + data["load_force"].values[:, own].sum(1) + data["mass"].values[k] * data["gravity"].values
        total_n = total_n + data["load_moment"].values[:, own].sum(1)
        R = Rotation.from_quat(data["orientation"].values[:, k], scalar_first=True)
        w, al = data["angular_velocity"].values[:, k], data["angular_acceleration"].values[:, k]
        I = data["inertia"].values[k]
        rate = R.apply(al @ I + np.cross(w, w @ I))
        assert (
            np.abs(total_f - data["mass"].values[k] * data["acceleration"].values[:, k]).max() < 1e-9 * np.abs(f).max()
        )
        assert np.abs(total_n - rate).max() < 1e-9 * np.abs(f).max() * 4.5  # [m] the length of the linkage


def test_least_norm_is_the_smallest_of_all_solutions():
    """Adding any self-stress of the linkage makes the loads larger: they are orthogonal to what is open."""
    push = {"z": fl.Force("coupler", force=(0, 0, 70.0))}
    model = example("four_bar_revolute").model_copy(update={"loads": push})
    data = fl.simulate(model, duration=0.02, progress=False)
    found = fl.internal_loads(data)
    L = found.attrs["least_norm_length"]
    ours = np.concatenate([found["force"].values, found["moment"].values / L], axis=-1)[0]
    theirs = np.concatenate([data["joint_force"].values, data["joint_moment"].values / L], axis=-1)[0]
    stress = theirs - ours  # both balance every body and respect every axis, so the difference is a self-stress
    assert np.abs(stress).max() > 1e-3
    assert abs((stress * ours).sum()) < 1e-9 * np.linalg.norm(stress) * np.linalg.norm(ours)
    assert np.linalg.norm(ours) < np.linalg.norm(theirs)


def test_one_instant_is_enough_where_accelerations_are_known():
    for name in ("andrews", "six_body_restoring"):
        data = fl.accelerations(example(name))
        found = fl.internal_loads(data)
        assert found.sizes["time"] == 1 and found.attrs["undetermined"] == ""
        assert np.abs(found["force"][0] - data["joint_force"]).max() < BALANCES * np.abs(data["joint_force"]).max()


def test_axes_of_parent_and_child_are_the_same_loads_turned():
    data = fl.simulate(example("six_body_restoring"), duration=4.0, progress=False)
    world = fl.internal_loads(data)
    for axes in ("parent", "child"):
        turned = fl.internal_loads(data, axes=axes)
        for j, joint in enumerate(data["joint"].values):
            body = str(data[f"joint_{axes}"].values[j])
            R = Rotation.from_quat(data["orientation"].sel(body=body).values, scalar_first=True)
            for name in ("force", "moment"):
                again = R.apply(turned[name].sel(joint=joint).values)
                size = np.abs(world[name]).max()
                assert np.abs(again - world[name].sel(joint=joint).values).max() < 1e-14 * float(size)
    held = fl.simulate(slider_crank(1.0, bearing={"motion": fl.Rate(3.0)}), 0.1, 0.01, progress=False)
    same, other = (fl.internal_loads(held, "bearing", axes) for axes in ("world", "parent"))
    assert np.array_equal(same["force"], other["force"])  # the parent is the world


def test_blocks_do_not_change_anything():
    data = fl.simulate(example("four_bar"), duration=0.5, progress=False)
    for route in ("recorded", "differentiated"):
        whole, pieces = (fl.internal_loads(data, route=route, block=size) for size in (4096, 50))
        for name in ("force", "moment", "force_determined"):
            # the length of least norm is that of the first instant, the same for both
            assert np.allclose(whole[name], pieces[name], rtol=0, atol=1e-9), (route, name)
