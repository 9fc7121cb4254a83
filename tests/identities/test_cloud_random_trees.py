"""The momentum cloud on random trees: equal to two other methods, and true to the laws that hold whatever the method.

A case is a seed; `witness.random_models` makes a model of it with every joint, motion and load. Rounding grows with the
length of the tree (velocities and arms add up along it), so differences are measured against the largest quantity of
the same kind in the whole model.
"""

import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.model.topology import topology
from support.random_cases import cases
from witness import rne
from witness.random_models import FLIPPABLE, LOADS, random_model

SEEDS = st.integers(0, 2**31)
TIMES = st.floats(0.0, 4.5, allow_nan=False)
STILL = tuple(kind for kind in LOADS if kind != "formula")  # formulas name world axes and bodies


def rotations(data):
    return Rotation.from_quat(data.orientation.values, scalar_first=True).as_matrix()


def close(found, expected, tolerance, what="", size=None):
    """Assert that arrays agree to `tolerance` of `size`, by default the largest expected entry."""
    found, expected = np.asarray(found), np.asarray(expected)
    size = max(np.abs(expected).max(initial=0.0), 1e-3) if size is None else size
    worst = np.abs(found - expected).max(initial=0.0)
    assert worst <= tolerance * size, f"{what}: {worst:.3g} off, {worst / size:.3g} of {size:.3g}"


def stacked(by_name, names, width=3):
    """What a witness says by name, in the order of a Dataset's labels."""
    return np.array([by_name[str(name)] for name in names.values]).reshape(len(names), width)


def wrench_size(data, model):
    """The largest force and moment that meet anywhere in the model, whose rounding a reaction inherits."""
    inertial = data.mass.values[:, None] * (np.abs(data.acceleration.values) + np.abs(data.gravity.values))
    force = max(inertial.sum(), np.abs(data.load_force.values).sum(), 1.0)
    points = np.concatenate([data.position.values, data.joint_point.values])
    extent = max(np.ptp(points, axis=0).max(), 1.0)
    I, w = data.inertia.values, data.angular_velocity.values
    spin = np.abs(np.einsum("bij,bj->bi", I, data.angular_acceleration.values)).sum()
    spin += (np.linalg.norm(I, axis=(1, 2)) * (w**2).sum(axis=1)).sum()
    return force, max(force * extent, spin, np.abs(data.load_moment.values).sum())


@cases(220)
@given(SEEDS, TIMES)
def test_motion_and_reactions_equal_recursive_newton_euler(seed, t):
    """Second method: recursive Newton-Euler in body axes on exponentials of screws, base from unit accelerations."""
    model = random_model(seed)
    data, answer = fl.accelerations(model, time=t), rne.accelerations(model, t)
    # Positions and velocities are sums along a branch: a hundred roundings or so.
    close(data.position, stacked(answer.position, data.body), 1e-11, "position")
    close(rotations(data).reshape(-1, 9), stacked(answer.rotation, data.body, 9), 1e-11, "orientation")
    close(data.velocity, stacked(answer.velocity, data.body), 1e-11, "velocity")
    close(data.angular_velocity, stacked(answer.angular_velocity, data.body), 1e-11, "angular velocity")
    # A light base under a long fast tree may amplify rounding by the ratio of their inertias, up to 1e4 here.
    close(data.acceleration, stacked(answer.acceleration, data.body), 1e-10, "acceleration")
    close(data.angular_acceleration, stacked(answer.angular_acceleration, data.body), 1e-10, "angular acceleration")
    # A reaction is a small difference of all forces behind it; it is as exact as the largest of them.
    force, moment = wrench_size(data, model)
    close(data.joint_point, stacked(answer.joint_point, data.joint), 1e-11, "joint point")
    close(data.joint_force, stacked(answer.joint_force, data.joint), 1e-10, "joint force", force)
    close(data.joint_moment, stacked(answer.joint_moment, data.joint), 1e-10, "joint moment", moment)
    drivers = stacked(answer.driver_force, data.coordinate, 1)[:, 0]
    close(data.driver_force, drivers, 1e-10, "driver force", max(force, moment))


@pytest.mark.parametrize("bodies", [30, 60])
def test_long_trees_equal_recursive_newton_euler(bodies):
    """The same at the largest sizes, one free tree of sixty bodies among them."""
    for seed in range(4):
        model = random_model(seed, bodies, trees=1 + seed % 2)
        data, answer = fl.accelerations(model, time=0.7), rne.accelerations(model, 0.7)
        close(data.acceleration, stacked(answer.acceleration, data.body), 1e-10, "acceleration")
        close(data.angular_acceleration, stacked(answer.angular_acceleration, data.body), 1e-10, "angular acceleration")
        force, moment = wrench_size(data, model)
        close(data.joint_force, stacked(answer.joint_force, data.joint), 1e-10, "joint force", force)
        close(data.joint_moment, stacked(answer.joint_moment, data.joint), 1e-10, "joint moment", moment)


@cases(60)
@given(SEEDS, TIMES)
def test_printed_momentum_cloud_gives_the_same_base_acceleration(seed, t):
    """Third method: the sums P1, Q1, P2, Q2 as the MCM paper prints them (ERRATA 1, 2, 15), in the base's axes."""
    model = random_model(seed, trees=1, rooted=False)
    found = fl.accelerations(model, time=t, formulation="cloud")
    base, printed = found.sel(body="b0"), fl.equations(model, t, "cloud")
    omega, rho = printed.angular_velocity.values, printed.rho.values
    angular = printed.T_omega.values @ printed.acceleration.values[3:] + printed.RE.values
    # Where the angles come near cos X5 = 0 the paper's own solve loses up to 1 / cos X5, at most 6 here.
    close(base.angular_acceleration, angular, 1e-10, "angular acceleration")
    # Eq. 2 differentiated: the base's velocity and momentum from those of the mass centre of all.
    relative = printed.rho_rate.values[0] + np.cross(omega, rho[0])
    close(base.velocity, printed.speed.values[:3] + printed.T_CsCI.values @ relative, 1e-11, "velocity")
    close(found.angular_momentum, printed.T_CsCI.values @ printed.angular_momentum.values, 1e-12, "momentum")
    mass = found.mass.values
    close(printed.acceleration[:3], mass @ found.acceleration.values / mass.sum(), 1e-11, "mass centre")


@cases(80)
@given(SEEDS, TIMES)
def test_rate_of_momentum_is_the_external_wrench(seed, t):
    """Newton and Euler for the whole: what the bodies gain is what comes from outside, joints to the world included."""
    model = random_model(seed)
    data = fl.accelerations(model, time=t)
    m, R, I = data.mass.values, rotations(data), data.inertia.values
    x, a, w, al = (
        data[name].values for name in ("position", "acceleration", "angular_velocity", "angular_acceleration")
    )
    centre = m @ x / m.sum()
    arm = x - centre
    inner = np.einsum("bij,bj->bi", I, w) + data.wheel_momentum.values
    spin = np.einsum("bij,bj->bi", R, np.einsum("bij,bj->bi", I, al) + np.cross(w, inner))
    force, moment = m.sum() * data.gravity.values, np.zeros(3)
    at = dict(zip(data.body.values, arm))
    outside = data.load_internal.values == 0
    for body, f, n in zip(
        data.load_body.values[outside], data.load_force.values[outside], data.load_moment.values[outside]
    ):
        force, moment = force + f, moment + n + np.cross(at[body], f)
    for joint in data.joint.values:
        one = data.sel(joint=joint)
        ends = (str(one.joint_parent.values), str(one.joint_child.values))
        if "world" in ends:
            sign = 1.0 if ends[0] == "world" else -1.0  # the record acts on the child
            f, n = sign * one.joint_force.values, sign * one.joint_moment.values
            force, moment = force + f, moment + n + np.cross(one.joint_point.values - centre, f)
    sizes = wrench_size(data, model)
    close((m[:, None] * a).sum(axis=0), force, 1e-11, "force", sizes[0])
    close((spin + np.cross(arm, m[:, None] * a)).sum(axis=0), moment, 1e-11, "moment", sizes[1])


@cases(80)
@given(SEEDS, TIMES)
def test_power_of_loads_and_drivers_is_the_rate_of_energy(seed, t):
    """d/dt (m v^2 / 2 + w I w / 2 - m g r) = m v.(a - g) + w I w', as I is constant in body axes; wheels do no work."""
    model = random_model(seed)
    data = fl.accelerations(model, time=t)
    v, a, w, al = (
        data[name].values for name in ("velocity", "acceleration", "angular_velocity", "angular_acceleration")
    )
    m, I = data.mass.values, data.inertia.values
    gained = np.einsum("b,bi,bi->b", m, v, a - data.gravity.values) + np.einsum("bi,bij,bj->b", w, I, al)
    w_W = dict(zip(data.body.values, np.einsum("bij,bj->bi", rotations(data), w)))
    v_W = dict(zip(data.body.values, v))
    rows = zip(data.load_body.values, data.load_force.values, data.load_moment.values)
    power = [f @ v_W[body] + n @ w_W[body] for body, f, n in rows]
    power += list(data.driver_force.values * data.joint_rate.values)
    size = max(np.abs(gained).sum(), np.abs(power).sum(), 1.0)  # the sums cancel, so their terms set the rounding
    close(gained.sum(), sum(power), 1e-11, "power", size)
    kinetic = 0.5 * (m @ (v**2).sum(axis=1) + np.einsum("bi,bij,bj->", w, I, w))
    close(data.kinetic_energy, kinetic, 1e-13, "kinetic energy")


@cases(40)
@given(SEEDS, TIMES)
def test_turning_the_world_turns_the_answer(seed, t):
    """Nothing in mechanics singles out an origin or a direction; gravity, anchors and points are turned along.

    Spherical and free joints are left out: their 1-2-3 angles are about the drawing's own axes.
    """
    joints = ("fixed", "revolute", "prismatic", "cylindrical", "universal", "planar")
    model = random_model(seed, joints=joints, loads=STILL)
    rng = np.random.default_rng(seed)
    Q, d = Rotation.random(random_state=rng).as_matrix(), rng.normal(0, 3, 3)
    here, there = fl.accelerations(model, time=t), fl.accelerations(turned(model, Q, d), time=t)
    close(there.position, here.position.values @ Q.T + d, 1e-11, "position")
    close(
        there.acceleration, here.acceleration.values @ Q.T, 1e-10, "acceleration"
    )  # conditioning as against Newton-Euler
    close(there.angular_acceleration, here.angular_acceleration.values, 1e-10, "angular acceleration")
    force, moment = wrench_size(here, model)
    close(there.joint_force, here.joint_force.values @ Q.T, 1e-10, "joint force", force)
    close(there.joint_moment, here.joint_moment.values @ Q.T, 1e-10, "joint moment", moment)
    close(there.driver_force, here.driver_force.values, 1e-10, "driver force", max(force, moment))


def turned(model, Q, d):
    """The model with its whole drawing turned by Q and moved by d."""
    both = np.kron(np.eye(2), Q)

    def again(word, **fields):
        kept = {name: getattr(word, name) for name in type(word).model_fields if name != "type"}
        return type(word)(**{name: value for name, value in (kept | fields).items() if value is not None})

    def place(word, *names):
        return {n: Q @ np.array(getattr(word, n)) + d for n in names if getattr(word, n, None) is not None}

    def direction(word, *names):
        return {n: Q @ np.array(getattr(word, n)) for n in names if getattr(word, n, None) is not None}

    bodies = {}
    for name, body in model.bodies.items():
        R = Q @ rne.drawn_rotation(body)
        bodies[name] = again(
            body, **place(body, "position"), **direction(body, "velocity"), orientation={"matrix": R.tolist()}
        )
    joints = {n: again(j, **place(j, "point"), **direction(j, "axis", "axis2")) for n, j in model.joints.items()}
    loads = {}
    for name, load in model.loads.items():
        fields = place(load, "point", "anchor", "other_point") | direction(load, "axis")
        if isinstance(load, fl.Force) and load.axes == "world":
            fields |= direction(load, "force", "moment")
        if isinstance(load, fl.Matrix):
            for part in ("stiffness", "damping", "added_mass"):
                if getattr(load, part) is not None:
                    M = both @ np.array(getattr(load, part)) @ both.T
                    fields[part] = (M + M.T) / 2 if part == "added_mass" else M
            fields["preload"] = both @ np.array(load.preload)
        loads[name] = again(load, **fields)
    return fl.Model(model.name, bodies, joints, loads, Q @ np.array(model.gravity), base=model.base)


@cases(40)
@given(SEEDS, TIMES)
def test_names_and_order_change_nothing(seed, t):
    """Names are labels and a model's groups are sets: only sums run in another order, which is rounding."""
    model = random_model(seed, trees=1).model_copy(update={"base": "b0"})
    rng = np.random.default_rng(seed)
    new = {name: f"x{k}" for k, name in enumerate(rng.permutation([*model.bodies, *model.joints, *model.loads]))}
    other = fl.Model.model_validate(renamed(model.model_dump(exclude_none=True, by_alias=True), new))
    shuffled = {}
    for group in ("bodies", "joints", "loads"):
        items = list(getattr(other, group).items())
        shuffled[group] = dict(items[i] for i in rng.permutation(len(items)))
    before, after = fl.accelerations(model, time=t), fl.accelerations(other.model_copy(update=shuffled), time=t)
    order = [new[name] for name in before.body.values]
    after = after.sel(body=order, joint=[new[name] for name in before.joint.values])
    for what in ("position", "velocity", "angular_velocity"):
        close(after[what], before[what].values, 1e-11, what)
    for what in ("acceleration", "angular_acceleration"):
        close(after[what], before[what].values, 1e-10, what)
    force, moment = wrench_size(before, model)
    close(after.joint_force, before.joint_force.values, 1e-10, "joint force", force)
    close(after.joint_moment, before.joint_moment.values, 1e-10, "joint moment", moment)


def renamed(data, new):
    """A model's data with its names replaced wherever they stand, also inside formulas."""
    if isinstance(data, dict):
        return {new.get(key, key): renamed(value, new) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [renamed(value, new) for value in data]
    if isinstance(data, str):
        return re.sub(r"\b[bjl]\d+\b", lambda found: new.get(found[0], found[0]), data)
    return data


@cases(40)
@given(SEEDS)
def test_another_base_gives_the_same_motion(seed):
    """The base is a choice of coordinates; given the other base's own velocity, the same motion follows.

    Every coordinate is zero at t = 0, so the drawing is the configuration for both.
    """
    model = random_model(seed, trees=1, rooted=False, at_drawing=True).model_copy(update={"base": "b0"})
    first = fl.accelerations(model)
    name = str(first.body.values[-1])
    moving = {
        "velocity": first.velocity.sel(body=name).values,
        "angular_velocity": first.angular_velocity.sel(body=name).values,
    }
    bodies = dict(model.bodies)
    bodies[name] = bodies[name].model_copy(update={k: tuple(v.tolist()) for k, v in moving.items()})
    second = fl.accelerations(model.model_copy(update={"bodies": bodies, "base": name}))
    for what in ("position", "velocity", "angular_velocity"):
        close(second[what], first[what].values, 1e-11, what)
    for what in ("acceleration", "angular_acceleration"):
        close(second[what], first[what].values, 1e-10, what)
    force, moment = wrench_size(first, model)
    close(second.joint_force, first.joint_force.values, 1e-10, "joint force", force)
    close(second.joint_moment, first.joint_moment.values, 1e-10, "joint moment", moment)
    close(second.driver_force, first.driver_force.values, 1e-10, "driver force", max(force, moment))


@cases(40)
@given(SEEDS, TIMES)
def test_joints_turned_round_with_negated_motion_give_the_same_motion(seed, t):
    """The parent seen from the child turns the other way; the driver's power is the same, so its force changes sign."""
    model = random_model(seed, joints=FLIPPABLE, loads=STILL)
    joints = {name: reversed_joint(joint) for name, joint in model.joints.items()}
    before, after = (
        fl.accelerations(model, time=t),
        fl.accelerations(model.model_copy(update={"joints": joints}), time=t),
    )
    for what in ("acceleration", "angular_acceleration"):
        close(after[what], before[what].values, 1e-10, what)
    force, moment = wrench_size(before, model)
    close(after.joint_force, -before.joint_force.values, 1e-10, "joint force", force)
    # The moment acts at the child's point, which is another one where the joint slides.
    arm = before.joint_point.values - after.joint_point.values
    close(after.joint_moment, -before.joint_moment.values - np.cross(arm, before.joint_force), 1e-10, "moment", moment)
    pairs = {"angle1": "angle2", "angle2": "angle1"}
    for label in before.coordinate.values:
        joint, coordinate = label.split(".")
        there = after.driver_force.sel(coordinate=f"{joint}.{pairs.get(coordinate, coordinate)}")
        close(there, -before.driver_force.sel(coordinate=label), 1e-10, label, max(force, moment))


def reversed_joint(joint):
    """The same joint from child to parent: every coordinate negated, a universal joint's axes exchanged."""
    swap = {"angle1": "angle2", "angle2": "angle1"} if joint.type == "universal" else {}
    fields = {"parent": joint.child, "child": joint.parent}
    fields["motion"] = {swap.get(name, name): negated(motion) for name, motion in joint.motion.items()}
    fields["initial"] = {swap.get(name, name): -value for name, value in joint.initial.items()}
    fields["locked"] = tuple(swap.get(name, name) for name in joint.locked)
    if swap:
        fields |= {"axis": joint.axis2, "axis2": joint.axis}
    return joint.model_copy(update=fields)


def negated(motion):
    if isinstance(motion, fl.Rate):
        return fl.Rate(-motion.value, -motion.start)
    if isinstance(motion, fl.Ramp):
        return fl.Ramp(-motion.rate, motion.acceleration, -motion.start, motion.begin)
    if isinstance(motion, fl.Sine):
        return motion.model_copy(update={"amplitude": -motion.amplitude, "mean": -motion.mean})
    if isinstance(motion, fl.Polynomial):
        return fl.Polynomial([-c for c in motion.coefficients])
    if isinstance(motion, fl.Table):
        return fl.Table(motion.times, [-value for value in motion.values])
    return fl.Expression(f"-({motion.expression})")


@cases(40)
@given(SEEDS, TIMES)
def test_angles_and_quaternions_give_equal_accelerations(seed, t):
    """How the attitude is written down is no physics; the angles lose at most 1 / cos X5, which is below 1e3."""
    model = random_model(seed)
    assume(not all(tree.rooted for tree in topology(model).trees))  # else there is no attitude to write down
    quaternion = fl.accelerations(model, time=t)
    angles = fl.accelerations(model, time=t, rotation="euler123")
    for what in ("acceleration", "angular_acceleration"):
        close(angles[what], quaternion[what].values, 1e-10, what)


@cases(60)
@given(seed=SEEDS, time=TIMES)
def test_internal_loads_of_random_trees_are_those_of_the_inward_pass(seed, time):
    """Momentum of the part beyond each joint (MCM paper Eqs. 24, 25), for every joint, motion, load and direction."""
    data = fl.accelerations(random_model(seed), time)
    if data.sizes["joint"]:
        found = fl.internal_loads(data).isel(time=0)
        force, moment = wrench_size(data, None)
        close(found.force, data.joint_force, 1e-11, "force", force)
        close(found.moment, data.joint_moment, 1e-11, "moment", moment)
        assert found.attrs["undetermined"] == ""
