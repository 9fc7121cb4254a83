"""Relations between coordinates against closed forms, a second method, and one formulation against another.

Runs by dop853 at rtol 1e-12 err by less than 1e-11 of what moves, which leaves 1e-10 for the whole.
"""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import fairlead as fl
from fairlead.core.expressions.evaluate import evaluate, pack
from fairlead.model.expressions import parse
from fairlead.model.relations.derivatives import derivative, program_of, tree_of
from fairlead.running.simulation import Simulation

WAYS = ("articulated", "cloud", "constrained")
FINE = {"rtol": 1e-12, "atol": 1e-13, "progress": False}


def axle(child, x=0.0, **words):
    return fl.Revolute("world", child, (x, 0, 0), (0, 0, 1), **words)


def disc(inertia, mass=1.0, x=0.0, y=0.0):
    return fl.Body(mass, (0.6 * inertia, 0.6 * inertia, inertia), (x, y, 0))


def column(data, name, of="joint_position"):
    return data[of].sel(coordinate=name).values


def pushed(data, name):
    return data.relation_force.sel(relation=name).values


def assert_works_balance(data):
    """The power of each relation over its coordinates is zero at every instant, of what one of them has."""
    labels = [str(label).partition(".") for label in data.relation.values]
    for relation in {one for one, _, _ in labels}:
        rows = [i for i, (one, _, _) in enumerate(labels) if one == relation]
        powers = np.array([data.relation_force.values[:, i] * column(data, labels[i][2], "joint_rate") for i in rows])
        assert np.abs(powers.sum(0)).max() <= 1e-10 * max(np.abs(powers).max(), 1e-3), relation
    assert fl.audit(data).passed, fl.audit(data).table()


@pytest.mark.parametrize("formulation", WAYS)
def test_an_epicyclic_train(formulation):
    """Ring fixed: s = (1 + zr/zs) c and p = -(zr/zp) c relative to the carrier, so the planet turns at (1 - zr/zp) c'.

    J s'' = T with J = Js + (Jc + m r^2 + Jp (1 - zr/zp)^2) / (1 + zr/zs)^2; the sun's teeth carry T - Js s''.
    """
    zs, zp, zr, r, T = 20, 15, 50, 0.3, 2.0
    Js, Jc, Jp, m = 0.2, 0.5, 0.06, 1.5
    model = fl.Model(
        "epicyclic",
        {"sun": disc(Js), "carrier": disc(Jc, 2.0), "planet": disc(Jp, m, r)},
        {
            "s": axle("sun", actuator=fl.Actuator(T)),
            "c": axle("carrier"),
            "p": fl.Revolute("carrier", "planet", (r, 0, 0), (0, 0, 1)),
        },
        relations={
            "sun and planet": fl.Relation({"s": zs, "c": -zs, "p": zp}),
            "ring and planet": fl.Relation({"c.angle": zr, "p.angle": zp}),
        },
    )
    data = fl.simulate(model, 3.0, formulation=formulation, **FINE)
    J = Js + (Jc + m * r * r + Jp * (1 - zr / zp) ** 2) / (1 + zr / zs) ** 2
    s = 0.5 * T / J * data.time.values**2
    np.testing.assert_allclose(column(data, "s.angle"), s, atol=1e-10)
    np.testing.assert_allclose(column(data, "c.angle"), s / (1 + zr / zs), atol=1e-10)
    np.testing.assert_allclose(column(data, "p.angle"), -zr / zp * s / (1 + zr / zs), atol=1e-10)
    np.testing.assert_allclose(pushed(data, "sun and planet.s.angle"), Js * T / J - T, atol=1e-9)
    # the ring's teeth hold the planet up: its moment of momentum about its own pin, Jp times its turning
    teeth = Jp * (1 - zr / zp) * T / J / (1 + zr / zs)
    both = pushed(data, "sun and planet.p.angle") + pushed(data, "ring and planet.p.angle")
    np.testing.assert_allclose(both, teeth, atol=1e-9)
    np.testing.assert_allclose(data.joint_moment.sel(joint="s", xyz="z"), Js * T / J, atol=1e-9)  # motor and teeth
    assert_works_balance(data)


@pytest.mark.parametrize("formulation", WAYS)
def test_a_differential(formulation):
    """Shafts l + r = 2 c under dampers: J x'' = T/2 - Jc/4 (l'' + r'') - d x', a linear system in (l', r')."""
    J, Jc, T, dampers = 0.3, 0.5, 4.0, (0.2, 0.7)
    model = fl.Model(
        "differential",
        {"cage": disc(Jc), "left": disc(J), "right": disc(J)},
        {
            "c": axle("cage", actuator=fl.Actuator(T)),
            "l": axle("left", damper=dampers[0]),
            "r": axle("right", damper=dampers[1], rate=1.0),
        },
        relations={"case": fl.Relation({"c": 2, "l": -1, "r": -1})},
    )
    data = fl.simulate(model, 2.0, formulation=formulation, **FINE)
    M = np.array([[J + Jc / 4, Jc / 4], [Jc / 4, J + Jc / 4]])
    A = np.zeros((3, 3))
    A[:2, :2] = -np.linalg.solve(M, np.diag(dampers))
    A[:2, 2] = np.linalg.solve(M, [T / 2, T / 2])
    assert column(data, "r.angle", "joint_rate")[0] == pytest.approx(1.0, abs=1e-12)
    start = [column(data, f"{name}.angle", "joint_rate")[0] for name in "lr"]
    rates = np.array([expm(A * t)[:2] @ [*start, 1.0] for t in data.time.values[::100]])
    for name, rate in zip("lr", rates.T):
        np.testing.assert_allclose(column(data, f"{name}.angle", "joint_rate")[::100], rate, atol=1e-10)
    assert_works_balance(data)


@pytest.mark.parametrize("formulation", WAYS)
def test_a_screw_jack(formulation):
    """z = h a: (J + m h^2) a'' = T - m g h, and the screw lifts with m (g + z'')."""
    J, m, g, h, T = 0.02, 40.0, 9.81, 0.005 / (2 * math.pi), 0.5
    model = fl.Model(
        "jack",
        {"nut": disc(J), "load": fl.Body(m, (1, 1, 1), (0, 0, 0.5))},
        {
            "turn": axle("nut", actuator=fl.Actuator(T)),
            "lift": fl.Prismatic("world", "load", (0, 0, 0.5), (0, 0, 1)),
        },
        gravity=(0, 0, -g),
        relations={"screw": fl.Relation({"lift.length": 1, "turn.angle": -h})},
    )
    data = fl.simulate(model, 2.0, formulation=formulation, **FINE)
    rise = (T - m * g * h) / (J + m * h * h)
    np.testing.assert_allclose(column(data, "turn.angle"), 0.5 * rise * data.time.values**2, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(column(data, "lift.length"), 0.5 * h * rise * data.time.values**2, atol=1e-10)
    np.testing.assert_allclose(pushed(data, "screw.lift.length"), m * (g + h * rise), rtol=1e-10)
    np.testing.assert_allclose(pushed(data, "screw.turn.angle"), -h * m * (g + h * rise), rtol=1e-10)
    assert_works_balance(data)


@pytest.mark.parametrize("formulation", WAYS)
def test_a_cam_by_formula(formulation):
    """x = f(a): (J + m f'^2) a'' + m f' f'' a'^2 = T - c a', by scipy."""
    J, m, T, c = 0.4, 3.0, 1.0, 0.05
    model = fl.Model(
        "cam",
        {"cam": disc(J), "valve": fl.Body(m, (1, 1, 1), (1, 0, 0))},
        {
            "shaft": axle("cam", rate=2.0, damper=c, actuator=fl.Actuator(T)),
            "valve rod": fl.Prismatic("world", "valve", (1, 0, 0), (1, 0, 0)),
        },
        relations={"lobe": fl.Relation(formula="`valve rod`.length - 0.3*sin(shaft.angle)*exp(0.1*shaft.angle)")},
    )
    data = fl.simulate(model, 2.0, formulation=formulation, **FINE)

    def rates(t, y):
        a, w = y
        e = 0.3 * math.exp(0.1 * a)
        slope = e * (math.cos(a) + 0.1 * math.sin(a))
        curve = e * (0.2 * math.cos(a) + (0.01 - 1) * math.sin(a))
        return [w, (T - c * w - m * slope * curve * w * w) / (J + m * slope * slope)]

    found = solve_ivp(rates, (0, 2), [0, 2.0], "DOP853", data.time.values, rtol=1e-12, atol=1e-13).y
    np.testing.assert_allclose(column(data, "shaft.angle"), found[0], atol=2e-10)
    np.testing.assert_allclose(column(data, "shaft.angle", "joint_rate"), found[1], atol=2e-9)
    assert_works_balance(data)


def arm(relations=None, **words):
    """Three links on a floating hull, drawn askew, moving."""
    at = [np.array([0.5, 0.1, 0.0]), np.array([1.2, 0.2, 0.3]), np.array([1.9, -0.1, 0.4])]
    bodies = {"hull": fl.Body(8, (2, 3, 4), angular_velocity=(0.2, -0.1, 0.3), velocity=(0.1, 0, 0.2))}
    bodies |= {f"b{i}": fl.Body(1 + 0.3 * i, (0.1, 0.2, 0.25), tuple(x + [0.3, 0, 0.1])) for i, x in enumerate(at)}
    joints = {
        "j0": fl.Revolute("hull", "b0", tuple(at[0]), (0, 0.6, 0.8), initial=0.2, rate=0.7),
        "j1": fl.Cylindrical("b0", "b1", tuple(at[1]), (0.8, 0, 0.6), initial={"length": 0.1}, damper={"length": 3}),
        "j2": fl.Revolute("b2", "b1", tuple(at[2]), (0, 1, 0), spring=5),  # against the tree's growth
    }
    return fl.Model("arm", bodies, joints, relations=relations or {}, **words)


RELATIONS = {
    "bent": fl.Relation(formula="j2.angle - j0.angle**2 + 0.04 + 0.5*(j1.length - 0.1)*j0.angle"),
    "rack": fl.Relation({"j1.length": 1, "j1.angle": 0.3}, offset=0.1),
}


def test_accelerations_are_those_of_a_second_method():
    """M q'' + G^T mu = F, G q'' = -q'^T H q', with M and F of the model without relations, dense, G by differences."""
    model = arm(RELATIONS)
    data = fl.accelerations(model, formulation="articulated")
    start = {str(c): float(v) for c, v in zip(data.coordinate.values, data.joint_position.values.ravel())}
    rate = {str(c): float(v) for c, v in zip(data.coordinate.values, data.joint_rate.values.ravel())}
    assert start["j0.angle"] == pytest.approx(0.2, abs=1e-12) and rate["j0.angle"] == pytest.approx(0.7, abs=1e-11)
    loose = arm().with_(
        {
            "joints.j0.initial": start["j0.angle"],
            "joints.j0.rate": rate["j0.angle"],
            "joints.j1.initial": {"length": start["j1.length"], "angle": start["j1.angle"]},
            "joints.j1.rate": {"length": rate["j1.length"], "angle": rate["j1.angle"]},
            "joints.j2.initial": start["j2.angle"],
            "joints.j2.rate": rate["j2.angle"],
        }
    )
    hull = {name: tuple(data[name].sel(body="hull").values.ravel()) for name in ("velocity", "angular_velocity")}
    loose = loose.with_({f"bodies.hull.{name}": value for name, value in hull.items()})
    parts = fl.equations(loose, formulation="articulated")
    M, F = parts.mass_matrix.values, parts.forcing.values
    names = [str(c) for c in parts.coordinate.values]
    at = {label: next(i for i, n in enumerate(names) if label in n) for label in start}

    def f(q):
        return np.array(
            [
                q["j2.angle"] - q["j0.angle"] ** 2 + 0.04 + 0.5 * (q["j1.length"] - 0.1) * q["j0.angle"],
                q["j1.length"] + 0.3 * q["j1.angle"] - 0.1,
            ]
        )

    assert np.abs(f(start)).max() < 1e-12
    e, G = 1e-3, np.zeros((2, len(names)))  # second-degree formulas: central differences are exact
    for label in start:
        up, down = ({**start, label: start[label] + s} for s in (e, -e))
        G[:, at[label]] = (f(up) - f(down)) / (2 * e)
    ahead, behind = ({c: start[c] + s * rate[c] for c in start} for s in (e, -e))
    bias = -(f(ahead) - 2 * f(start) + f(behind)) / e**2
    whole = np.block([[M, G.T], [G, np.zeros((2, 2))]])
    found = np.linalg.solve(whole, np.concatenate([F, bias]))
    again = {str(c): float(v) for c, v in zip(data.coordinate.values, data.joint_acceleration.values.ravel())}
    for label, value in again.items():
        assert value == pytest.approx(found[at[label]], rel=1e-8, abs=1e-8), label  # bias by differences: 1e-9
    mu = found[len(names) :]
    for row, (relation, label) in enumerate(str(x).split(".", 1) for x in data.relation.values):
        force = -mu[0 if relation == "bent" else 1] * G[0 if relation == "bent" else 1, at[label]]
        assert data.relation_force.values.ravel()[row] == pytest.approx(force, rel=1e-7, abs=1e-8)


def test_formulations_agree_on_a_floating_arm():
    """Recursion, cloud and absolute coordinates, which is three ways to the same motion."""
    results = [fl.simulate(arm(RELATIONS), 1.0, formulation=way, **FINE) for way in WAYS]
    for other in results[1:]:
        for name in ("joint_position", "joint_rate", "joint_acceleration", "relation_force", "joint_moment"):
            size = np.abs(results[0][name]).max()
            assert np.abs(results[0][name] - other[name]).max() < 1e-8 * max(size, 1), name
    for data in results:
        assert_works_balance(data)
        assert float(data.position_violation.max()) < 1e-12


def test_a_relation_on_a_loop():
    """The crank of a four-bar geared to a flywheel: the angle of the joint that closes the loop, which turns round."""
    pins = {"A": (0, 0, 0), "B": (0, 0.5, 0), "C": (2, 1.5, 0), "D": (2, 0, 0)}
    ends = {"crank": "AB", "coupler": "BC", "rocker": "CD"}
    bodies = {
        name: fl.Body(1, (0.1, 0.1, 0.2), tuple((np.array(pins[a]) + np.array(pins[b])) / 2))
        for name, (a, b) in ends.items()
    }
    joints = {
        "a": fl.Revolute("world", "crank", pins["A"], (0, 0, 1), rate=6.0),
        "b": fl.Revolute("crank", "coupler", pins["B"], (0, 0, 1)),
        "c": fl.Revolute("coupler", "rocker", pins["C"], (0, 0, 1)),
        "spin": axle("wheel", 3.0),
        "d": fl.Revolute("world", "rocker", pins["D"], (0, 0, 1)),
    }
    order = {name: joints[name] for name in ("d", "c", "b", "spin", "a")}  # the crank's own bearing closes the loop
    model = fl.Model(
        "geared four-bar",
        bodies | {"wheel": disc(0.3, 1.0, 3.0)},
        order,
        relations={"gear": fl.Relation({"a": 1, "spin": 2.5})},
    )
    results = [fl.simulate(model, 3.0, formulation=way, **FINE) for way in WAYS]
    for data in results:
        a, w = column(data, "a.angle"), column(data, "spin.angle")
        np.testing.assert_allclose(a, -2.5 * w, atol=1e-11)
        assert abs(a[-1]) > 2 * math.tau
        assert_works_balance(data)
        np.testing.assert_allclose(a, column(results[0], "a.angle"), atol=1e-8)


@pytest.mark.parametrize("formulation", WAYS)
def test_a_driven_coordinate_drives_the_others(formulation):
    """a = 0.5 sin 2t drives b = -2 a: the driver supplies all of d/dt (energy), relation and gravity included."""
    model = fl.Model(
        "driven",
        {"wheel": disc(0.3), "pinion": disc(0.2, 1.0, 1.0)},
        {"a": axle("wheel", motion=fl.Expression("0.5*sin(2*t)")), "b": axle("pinion", 1.0)},
        relations={"gear": fl.Relation({"a": 2, "b": 1})},
    )
    data = fl.simulate(model, 2.0, formulation=formulation, **FINE)
    t = data.time.values
    np.testing.assert_allclose(column(data, "b.angle"), -np.sin(2 * t), atol=1e-11)
    np.testing.assert_allclose(column(data, "a.angle", "driver_force"), -2 * (0.3 + 4 * 0.2) * np.sin(2 * t), atol=1e-9)
    assert_works_balance(data)


@pytest.mark.parametrize("formulation", WAYS)
def test_relations_that_say_the_same_twice(formulation):
    """The motion is that of one of them, in which the other is found out to be redundant."""
    model = fl.Model(
        "twice",
        {"wheel": disc(0.3), "pinion": disc(0.2, 1.0, 1.0)},
        {"a": axle("wheel", actuator=fl.Actuator(1.0)), "b": axle("pinion", 1.0)},
        relations={"one": fl.Relation({"a": 2, "b": 1}), "two": fl.Relation({"a": -4, "b": -2})},
    )
    data = fl.simulate(model, 2.0, formulation=formulation, **FINE)
    np.testing.assert_allclose(column(data, "a.angle"), 0.5 * data.time.values**2 / (0.3 + 4 * 0.2), atol=1e-10)
    assert fl.audit(data).passed


@pytest.mark.parametrize("formulation", WAYS)
def test_a_state_restored_goes_on_with_the_same_bits_after_many_turns(formulation):
    model = fl.Model(
        "spinning",
        {"wheel": disc(0.3), "pinion": disc(0.2, 1.0, 1.0)},
        {"a": axle("wheel", rate=40.0, actuator=fl.Actuator("sin(t)")), "b": axle("pinion", 1.0)},
        relations={"gear": fl.Relation({"a": 3, "b": 1})},
    )
    first, second = (Simulation(model, 4.0, 0.005, formulation=formulation) for _ in range(2))
    first.advance()
    first.advance(512)
    second.restore(first.state())
    one, two = first.advance(100), second.advance(100)
    assert one.tobytes() == two.tobytes()
    assert abs(first.y).max() > 100  # b has turned more than sixteen times


def test_derivatives_are_those_of_the_formulas():
    """Every smooth function, by central differences, which err by 1e-9 of their size."""
    texts = [
        "sin(x)*cos(y)",
        "tan(x) + asin(y/3)",
        "acos(x/2)*atan(y)",
        "atan2(x, 1 + y**2)",
        "sinh(x) - cosh(y)*tanh(x*y)",
    ]
    texts += ["exp(x*y)/log(2 + x)", "sqrt(3 + x*y)", "x**3 - 2*y**-2", "(2 + x)**y", "-x/(1 + x*x) + y/2 - 3"]
    point = np.array([0.0, 0.7, 0.4])
    stack = np.zeros(64)

    def value(program, x):
        return evaluate(pack([program]), 0, x, stack)

    for text in texts:
        formula = text.replace("x", "`q`.x").replace("e`q`.xp", "exp").replace("y", "`q`.y")
        tree = tree_of(parse(formula, lambda name, quantity: 1 if quantity == "x" else 2))
        for k in (1, 2):
            slope = derivative(tree, k)
            for m in (1, 2):
                e = np.zeros(3)
                e[m] = 1e-5
                made = value(program_of(derivative(slope, m)), point)
                again = (value(program_of(slope), point + e) - value(program_of(slope), point - e)) / 2e-5
                assert made == pytest.approx(again, rel=1e-8, abs=1e-8), (text, k, m)
            e = np.zeros(3)
            e[k] = 1e-5
            again = (value(program_of(tree), point + e) - value(program_of(tree), point - e)) / 2e-5
            assert value(program_of(slope), point) == pytest.approx(again, rel=1e-8, abs=1e-8), (text, k)


MISTAKES = {
    "joint": ({"between": {"a": 1, "c": 1}}, "there is no joint 'c'"),
    "coordinate": ({"between": {"a.length": 1, "b": 1}}, "joint 'a' has no coordinate 'length'; it has angle"),
    "twice": ({"between": {"a": 1, "a.angle": 2}}, "names 'a.angle' twice"),
    "one": ({"between": {"a": 1}}, "needs at least two coordinates"),
    "zero": ({"between": {"a": 0, "b": 1}}, "the factor of 'a' is 0"),
    "both": ({"between": {"a": 1, "b": 1}, "formula": "a.angle - b.angle"}, "needs either 'between'"),
    "neither": ({}, "needs either 'between'"),
    "offset": ({"formula": "a.angle - b.angle", "offset": 1}, "has no effect with a formula"),
    "bends": ({"formula": "abs(a.angle) - b.angle"}, "'abs' has jumps or bends"),
    "jumps": ({"formula": "(a.angle > 1) - b.angle"}, "'>' has jumps or bends"),
    "time": ({"formula": "a.angle - b.angle - t"}, "knows nothing of the time t"),
    "rate": ({"formula": "a.angle - b.rate"}, "no coordinate 'rate'"),
    "body": ({"formula": "a.angle - wheel.x"}, "reads joint coordinates alone, and 'wheel' is no joint"),
    "syntax": ({"formula": "a.angle - "}, "expected a number"),
}


def pair(**relation):
    return fl.Model(
        "pair",
        {"wheel": disc(0.3), "pinion": disc(0.2, 1.0, 1.0)},
        {"a": axle("wheel"), "b": axle("pinion", 1.0)},
        relations={"gear": fl.Relation(**relation)} if relation else {},
    )


@pytest.mark.parametrize("what", MISTAKES)
def test_mistakes_have_sentences(what):
    words, said = MISTAKES[what]
    with pytest.raises(fl.InvalidInput) as error:
        fl.simulate(pair(**words) if words else pair(between=None), 0.1, 0.05, progress=False)
    assert said in str(error.value)


def test_what_cannot_be_met_is_refused_by_name():
    model = pair(between={"a": 1, "b": 1}).with_({"joints.a.initial": 1, "joints.b.initial": 1})
    with pytest.raises(fl.NumericalFailure, match="relation 'gear' is off by"):
        fl.simulate(model, 0.1, 0.05, progress=False)
    (problem,) = fl.check(model)
    assert problem.path == "relations.gear"
    for way in ("kane", "three-body"):
        with pytest.raises(fl.InvalidInput, match="takes no relations"):
            fl.simulate(pair(between={"a": 1, "b": 1}), 0.1, 0.05, formulation=way, progress=False)
    with pytest.raises(fl.InvalidInput, match="nothing to hold"):
        pair(between={"a": 1, "b": 1}).with_({"joints.a.locked": True, "joints.b.locked": True})


def test_a_model_with_relations_is_written_and_read(tmp_path):
    model = arm(RELATIONS)
    fl.save(model, tmp_path / "arm.yaml")
    assert fl.load(tmp_path / "arm.yaml") == model and "rack" in (tmp_path / "arm.yaml").read_text()
    assert "Relation" in repr(model.relations["rack"]) and sys.modules["fairlead"] is fl


def test_crosscheck_and_rest_know_relations():
    """A weight on a geared drum hangs at rest where a spring holds it: k b = m g r / 3 with a = 3 b."""
    model = fl.Model(
        "windlass",
        {"drum": disc(0.2), "weight": fl.Body(2, (0.1, 0.1, 0.1), (0.3, 0, 0)), "motor": disc(0.1, 1.0, 2.0)},
        {
            "turn": axle("drum", damper=0.5),
            "rope": fl.Prismatic("world", "weight", (0.3, 0, 0), (0, 0, 1)),
            "shaft": axle("motor", 2.0, spring=4.0),
        },
        relations={"winding": fl.Relation({"rope": 1, "turn": 0.3}), "gear": fl.Relation({"shaft": 1, "turn": -3})},
    )
    rest = fl.equilibrium(model)
    shaft = float(rest.joint_position.sel(coordinate="shaft.angle").squeeze())
    assert shaft == pytest.approx(2 * 9.80665 * 0.3 / 3 / 4.0, abs=1e-9)
    modes = fl.linearize(model, rest)
    inertia = 0.2 + 2 * 0.09 + 9 * 0.1
    assert modes.period.values.max() == pytest.approx(2 * math.pi / math.sqrt(9 * 4.0 / inertia), rel=1e-6)
