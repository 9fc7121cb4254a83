"""Tables of a channel: a motor's curve over its speed, a spring over its angle, and what is said of mistakes."""

import numpy as np
import pytest

import fairlead as fl
from fairlead.errors import InvalidInput
from fairlead.results.findings import findings

WAYS = ("articulated", "cloud", "constrained")
INERTIA, TORQUE, SPEED = 0.5, 2.0, 40.0


def wheel(actuator=None, load=None, **joint):
    """Return a disc of 0.5 kg m2 about z."""
    given = {"actuator": {"command": actuator}} if actuator is not None else {}
    axle = fl.Revolute("world", "disc", (0, 0, 0), (0, 0, 1), **given, **joint)
    disc = fl.Body(1.0, (0.3, 0.3, INERTIA))
    return fl.Model("wheel", {"disc": disc}, {"axle": axle}, {} if load is None else {"push": load}, gravity=(0, 0, 0))


def curve(of="axle.rate", *, points=((0, TORQUE), (12.0, TORQUE * 0.7), (SPEED, 0.0))):
    """Return a motor's torque that falls with its speed on one straight line, unless other points are given."""
    return {"of": of, "points": points}


@pytest.mark.parametrize("formulation", WAYS)
def test_a_motor_runs_up_along_its_curve(formulation):
    """I w' = T (1 - w / W) from rest: w = W (1 - exp(-T t / (I W))); h^5 of rk4 is below rounding here."""
    data = fl.simulate(wheel(curve()), 5.0, 0.01, formulation=formulation)
    expected = SPEED * (1.0 - np.exp(-TORQUE / (INERTIA * SPEED) * data.time.values))
    np.testing.assert_allclose(data.joint_rate.sel(coordinate="axle.angle"), expected, rtol=1e-9)
    assert fl.audit(data).passed


@pytest.mark.parametrize("of", ["axle.rate", "disc.wz"])
@pytest.mark.parametrize("formulation", WAYS)
def test_a_load_follows_a_channel_of_a_joint_or_a_body(formulation, of):
    push = fl.Force("disc", moment=(0, 0, fl.ChannelTable(of, [(0, TORQUE), (SPEED, 0.0)])))
    data = fl.simulate(wheel(load=push), 5.0, 0.01, formulation=formulation)
    expected = SPEED * (1.0 - np.exp(-TORQUE / (INERTIA * SPEED) * data.time.values))
    np.testing.assert_allclose(data.joint_rate.sel(coordinate="axle.angle"), expected, rtol=1e-9)


ANGLES, MOMENTS = np.array([-1.0, -0.4, 0.3, 1.1]), np.array([3.0, 0.5, -0.2, -4.0])


def stored(q):
    """Return the energy of the spring of ANGLES and MOMENTS at q: minus the integral of its moment from 0, exactly."""
    knots = np.sort(np.concatenate([[0.0, q], ANGLES[(min(0, q) < ANGLES) & (max(0, q) > ANGLES)]]))
    values = np.interp(knots, ANGLES, MOMENTS)
    return -np.sign(q) * float(np.sum(np.diff(knots) * (values[1:] + values[:-1]) / 2))


@pytest.mark.parametrize("formulation", WAYS)
def test_a_spring_over_its_angle_keeps_its_energy(formulation):
    """Linear between points: the moment is continuous and its energy is known piece by piece."""
    model = wheel(curve("axle.angle", points=list(zip(ANGLES, MOMENTS))), rate=1.5)
    data = fl.simulate(model, 6.0, rtol=1e-11, atol=1e-12, formulation=formulation)
    q, dq = (data[name].sel(coordinate="axle.angle").values for name in ("joint_position", "joint_rate"))
    energy = 0.5 * INERTIA * dq**2 + np.array([stored(angle) for angle in q])
    assert q.max() > 0.4 and q.min() < -0.5  # over kinks on both sides
    # No step ends at a kink: where the tolerance lets it pass whole it errs by h^2 of a millisecond's step at most
    np.testing.assert_allclose(energy, energy[0], rtol=1e-8)
    assert fl.audit(data).passed


def test_values_carry_units_of_the_channel_and_of_the_force():
    plain = wheel(curve(points=[(0, 2.0), (np.pi, 1.0)]))
    given = wheel(curve(points=[("0 rpm", "2 N m"), ("30 rpm", "0.001 kN m")]))
    rates = [fl.simulate(model, 1.0, 0.01).joint_rate.values for model in (plain, given)]
    np.testing.assert_array_equal(*rates)


def test_outside_of_its_points_a_table_is_held_and_that_is_said():
    data = fl.simulate(wheel(curve(points=[(0, 2.0), (1.0, 1.0)])), 2.0, 0.01)
    last = data.isel(time=-1)
    assert float(last.joint_rate[0]) > 1.0 and float(last.driver_force[0]) == 1.0
    assert "the channel left the points of its table, which is held at its ends: axle.angle" in findings(data.attrs)[-1]
    push = fl.Force("disc", moment=(0, 0, fl.ChannelTable("axle.rate", [(0, 2.0), (1.0, 1.0)])))
    assert "push" in fl.simulate(wheel(load=push), 2.0, 0.01).attrs["beyond_points"]
    assert "beyond_points" not in fl.simulate(wheel(curve()), 2.0, 0.01).attrs


def test_a_nan_channel_is_passed_on():
    model = wheel(curve(), load=fl.Force("disc", moment=(0, 0, "log(0.5 - t)")))
    with pytest.raises(fl.NumericalFailure, match="load 'push' gives a moment of"):
        fl.simulate(model, 2.0, 0.01)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (curve("axle.speed"), "joint 'axle' has no quantity 'speed'"),
        (curve("motor.rate"), "there is no body, joint, load or controller 'motor'"),
        (curve("2*axle.rate"), "expected one channel, name.quantity, such as motor.rate; got the formula"),
        (curve("t"), "a table of the time is written as times and values"),
        (curve(points=[(0, 1), (0, 2)]), "the channel's values must grow; point 2 is at 0 after 0"),
        (curve(points=[(0, 1), ("1 m", 2)]), "unit 'm' does not measure what is needed here; use rad/s"),
        (curve(points=[(0, 1), (1, "2 N")]), "unit 'N' does not measure what is needed here; use N m"),
        (curve(points=[(0, 1)]), "needs at least 2 points; got 1"),
        (curve(points=[(0, 1), (1, float("nan"))]), "expected a finite number"),
        ({"of": "axle.rate"}, "points"),
    ],
)
def test_a_mistake_is_one_sentence(given, said):
    with pytest.raises(InvalidInput) as error:
        fl.simulate(wheel(given), 1.0, 0.1)
    assert said in str(error.value) and len(error.value.problems) == 1
    with pytest.raises(InvalidInput) as error:
        fl.simulate(wheel(load=fl.Force("disc", moment=(0, 0, given))), 1.0, 0.1)
    assert said in str(error.value) and len(error.value.problems) == 1


def test_a_file_holds_it(tmp_path):
    model = wheel(curve(), load=fl.Force("disc", moment=(0, 0, curve("disc.wz"))))
    fl.save(model, tmp_path / "wheel.yaml")
    assert "of: axle.rate" in (tmp_path / "wheel.yaml").read_text()
    assert fl.load(tmp_path / "wheel.yaml") == model
