"""Free joints on random trees: four derivations of the same accelerations, and the laws that hold whatever the method.

A case is a seed; `witness.random_free_models` makes a model of it: every joint with free, driven and locked
coordinates, moved and moving, with springs, dampers, stops, actuators and loads.
"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import fairlead as fl
from fairlead.running.formulations.table import FORMULATIONS
from support.random_cases import cases
from witness.random_free_models import random_free_model

SEEDS = st.integers(0, 2**31)
TIMES = st.floats(0.0, 4.5, allow_nan=False)
WITHOUT_BALLS = ("fixed", "revolute", "prismatic", "cylindrical", "universal", "planar")


def drawn(seed):
    """The model of a seed; a formula may read the joint of a floating base, which has no coordinates: another seed."""
    model = random_free_model(seed, slides_flipped=False)
    floats = any(joint.type == "free" and not joint.motion and not joint.locked for joint in model.joints.values())
    assume(not (floats and any("expression" in str(load.model_dump()) for load in model.loads.values())))
    return model


def largest(*arrays):
    return max((float(np.abs(a).max(initial=0.0)) for a in arrays), default=0.0)


@cases(300)
@given(seed=SEEDS, t=TIMES)
def test_accelerations_of_every_formulation_are_equal(seed, t):
    """1e-9 of the largest acceleration; 1e-7 for constrained, whose positions are assembled to 1e-11 first."""
    model = drawn(seed)
    found = {
        name: fl.accelerations(model, t, formulation=name)
        for name in ("articulated", "cloud", "kane", "constrained")
        if not FORMULATIONS[name].accepts(model)
    }
    assert {"articulated", "cloud", "kane"} <= set(found)
    first = found.pop("articulated")
    names = ("acceleration", "angular_acceleration", "joint_acceleration")
    size = max(largest(*(first[name].values for name in names)), 1.0)
    for way, other in found.items():
        tolerance = 1e-7 if way == "constrained" else 1e-9
        for name in names:
            worst = largest(first[name].values - other[name].values)
            assert worst <= tolerance * size, f"{way} {name}: {worst / size:.2g} of {size:.3g}"


@pytest.mark.parametrize("seed", range(12))
def test_motions_of_every_formulation_are_equal(seed):
    """Half a second at rtol 1e-12, up to six bodies: 1e-8 of each variable's size."""
    model = random_free_model(400 + seed, 1 + seed % 6, slides_flipped=False)
    found = fl.crosscheck(model, 0.5, 0.1, tolerance=1e-8)
    assert {"articulated", "cloud", "kane"} <= set(found.formulations)
    motion = [
        v
        for v in found.differences["variable"].values
        if v in ("position", "velocity", "orientation", "angular_velocity", "joint_rate")
    ]
    assert not found.failed, found.table()
    assert float(found.differences["relative"].sel(variable=motion).max()) <= 1e-8, found.table()


@cases(60)
@given(seed=SEEDS, t=TIMES)
def test_rate_of_momentum_is_the_external_wrench(seed, t):
    """Sums over the record alone: m a, and I al + w x (I w + h), against loads, gravity and joints to the world."""
    for way in ("articulated", "cloud", "kane"):
        data = fl.accelerations(drawn(seed), t, formulation=way)
        rate, moment, sizes = momentum_rate(data)
        force, twist = external_wrench(data)
        assert largest(rate - force) <= 1e-10 * sizes[0], way
        assert largest(moment - twist) <= 1e-10 * sizes[1], way


def rotation_matrices(data):
    from scipy.spatial.transform import Rotation

    return Rotation.from_quat(data.orientation.values, scalar_first=True).as_matrix()


def momentum_rate(data):
    """Rate of linear momentum, and of angular momentum about the world's origin; the size of their terms."""
    m, x, a = data.mass.values, data.position.values, data.acceleration.values
    I, w, al = data.inertia.values, data.angular_velocity.values, data.angular_acceleration.values
    h = data.wheel_momentum.values
    spin = np.einsum("bij,bj->bi", I, al) + np.cross(w, np.einsum("bij,bj->bi", I, w) + h)
    spin = np.einsum("bij,bj->bi", rotation_matrices(data), spin)
    push = m[:, None] * a
    sizes = (max(np.abs(push).sum(), 1.0), max(np.abs(np.cross(x, push)).sum() + np.abs(spin).sum(), 1.0))
    return push.sum(0), (np.cross(x, push) + spin).sum(0), sizes


def external_wrench(data):
    m, x = data.mass.values, data.position.values
    weight = m[:, None] * data.gravity.values
    force, moment = weight.sum(0), np.cross(x, weight).sum(0)
    at = dict(zip(data.body.values, x))
    for row, body in enumerate(data.load_body.values):
        f, n = data.load_force.values[row], data.load_moment.values[row]
        force, moment = force + f, moment + n + np.cross(at[body], f)
    for row, (parent, child) in enumerate(zip(data.joint_parent.values, data.joint_child.values)):
        sign = (parent == "world") * 1.0 - (child == "world") * 1.0
        f, n = data.joint_force.values[row], data.joint_moment.values[row]
        force, moment = force + sign * f, moment + sign * (n + np.cross(data.joint_point.values[row], f))
    return force, moment


@cases(60)
@given(seed=SEEDS, t=TIMES)
def test_power_of_loads_and_drivers_is_the_rate_of_energy(seed, t):
    """dT/dt = sum m v.a + w.(I al) equals what gravity, loads, drivers and joint forces put in."""
    for way in ("articulated", "cloud", "kane"):
        data = fl.accelerations(drawn(seed), t, formulation=way)
        m, v, a = data.mass.values, data.velocity.values, data.acceleration.values
        w = data.angular_velocity.values
        spin = np.einsum("bi,bij,bj->b", w, data.inertia.values, data.angular_acceleration.values)
        rise = m * np.einsum("bi,bi->b", v, a)
        w_world = np.einsum("bij,bj->bi", rotation_matrices(data), w)
        power = [*(m * (v @ data.gravity.values))]
        index = {name: row for row, name in enumerate(data.body.values)}
        for row, body in enumerate(data.load_body.values):
            b = index[body]
            power.append(data.load_force.values[row] @ v[b] + data.load_moment.values[row] @ w_world[b])
        power += [*(data.driver_force.values * data.joint_rate.values)]
        size = max(np.abs(rise).sum() + np.abs(spin).sum(), np.abs(power).sum(), 1.0)
        assert abs(rise.sum() + spin.sum() - np.sum(power)) <= 1e-9 * size, way


def with_push(model, label, amount):
    """The model with a constant moment or force along one free coordinate in place of its actuator."""
    name, _, coordinate = label.rpartition(".")
    joint = model.joints[name]
    changed = joint.model_copy(update={"actuator": {**joint.actuator, coordinate: fl.Actuator(amount)}})
    return model.model_copy(update={"joints": {**model.joints, name: changed}})


@pytest.mark.parametrize("way", ["articulated", "cloud", "kane"])
@pytest.mark.parametrize("seed", range(6))
def test_the_inverse_mass_matrix_is_symmetric_and_definite(seed, way):
    """Its columns are the accelerations that a unit push along each free coordinate adds."""
    model = random_free_model(700 + seed, 4, forces=False, loads=(), slides_flipped=False)
    free = [
        f"{name}.{coordinate}"
        for name, joint in model.joints.items()
        for coordinate in joint.coordinates
        if joint.role(coordinate) == "free"
    ]
    free = [label for label in free if label in fl.accelerations(model, formulation=way).coordinate.values]
    start = fl.accelerations(model, formulation=way).joint_acceleration
    columns = [
        (fl.accelerations(with_push(model, label, 1.0), formulation=way).joint_acceleration - start).sel(
            coordinate=free
        )
        for label in free
    ]
    inverse = np.array(columns).reshape(len(free), len(free))
    if not free:
        pytest.skip("this tree has no free coordinate")
    # The difference of two accelerations: rounding of the accelerations themselves, not of the columns.
    noise = 1e-12 * max(largest(start.values), largest(inverse))
    assert largest(inverse - inverse.T) <= noise
    assert np.linalg.eigvalsh((inverse + inverse.T) / 2).min() > 0


@pytest.mark.parametrize("way", ["articulated", "cloud", "kane"])
@pytest.mark.parametrize("seed", range(8))
def test_forward_then_inverse_dynamics_returns_the_forces(seed, way):
    """Drive every free coordinate as it just accelerated: the drivers must give what springs and actuators gave."""
    t = 0.3
    model = random_free_model(800 + seed, 5, joints=WITHOUT_BALLS, slides_flipped=False)
    ahead = fl.accelerations(model, t, formulation=way)
    joints = {}
    for name, joint in model.joints.items():
        if joint.type == "free":
            joints[name] = joint
            continue
        motion = dict(joint.motion)
        for c in joint.coordinates:
            if joint.role(c) == "free":
                q, dq, ddq = (
                    float(ahead[v].sel(coordinate=f"{name}.{c}"))
                    for v in ("joint_position", "joint_rate", "joint_acceleration")
                )
                motion[c] = fl.Polynomial([q - dq * t + ddq * t * t / 2, dq - ddq * t, ddq / 2])
        kept = {c: value for c, value in joint.initial.items() if c in joint.locked}
        bare = {field: {} for field in ("rate", "spring", "damper", "stop", "actuator")}
        joints[name] = joint.model_copy(update={"motion": motion, "initial": kept, **bare})
    driven = fl.accelerations(model.model_copy(update={"joints": joints}), t, formulation="cloud")
    for name in ("acceleration", "angular_acceleration"):
        size = max(largest(ahead[name].values), 1.0)
        assert largest((driven[name] - ahead[name]).values) <= 1e-9 * size, name
    size = max(largest(ahead.joint_force.values, ahead.joint_moment.values), 1.0)
    for name in ("driver_force", "joint_force", "joint_moment"):
        assert largest((driven[name] - ahead[name]).values) <= 1e-9 * size, name
