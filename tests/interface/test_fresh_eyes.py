"""What first users tripped over: inputs that were passed over in silence, and causes that were named wrongly."""

from __future__ import annotations

import json

import numba
import numpy as np
import pytest

import fairlead as fl

WORLD = {"parent": "world", "point": (0, 0, 0)}
FORMULATIONS = ("articulated", "cloud", "kane", "constrained")


def door_and_frame(base=None, **drawn):
    """Return a door hinged about z at x = 0.5 to a frame whose mass centre is the origin; the door is listed first."""
    bodies = {
        "door": fl.Body(mass=1, inertia=(1, 1, 1), position=(1, 0, 0), **drawn.get("door", {})),
        "frame": fl.Body(mass=5, inertia=(1, 1, 1), **drawn.get("frame", {})),
    }
    hinge = fl.Revolute(parent="frame", child="door", point=(0.5, 0, 0.3), axis=(0, 0, 1), **drawn.get("hinge", {}))
    return fl.Model("order", bodies, {"hinge": hinge}, gravity=(0, 0, 0), base=base)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("base", [None, "frame"])
def test_drawn_velocity_counts_whichever_body_is_the_base(formulation, base):
    """v + w x r of one rigid body: (0, 0, 2) + (0, 1, 0) x (1, 0, 0) at the door; none moved with the door as base."""
    model = door_and_frame(base, frame={"velocity": (0, 0, 2), "angular_velocity": (0, 1, 0)})
    now = fl.accelerations(model, formulation=formulation)
    np.testing.assert_allclose(now.velocity.sel(body="frame"), (0, 0, 2), atol=1e-12)
    np.testing.assert_allclose(now.velocity.sel(body="door"), (0, 0, 1), atol=1e-12)
    np.testing.assert_allclose(now.angular_velocity, [(0, 1, 0)] * 2, atol=1e-12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("formulation", ["articulated", "constrained"])
def test_drawn_velocities_that_the_hinge_allows_are_met(formulation):
    """Both bodies drawn, the door swinging: the frame moves by (0, 0, 2), the door's centre by 3 * 0.5 along y more."""
    drawn = {"velocity": (0, 1.5, 2), "angular_velocity": (0, 0, 3)}
    model = door_and_frame(door=drawn, frame={"velocity": (0, 0, 2)})
    now = fl.accelerations(model, formulation=formulation)
    np.testing.assert_allclose(now.velocity, [(0, 1.5, 2), (0, 0, 2)], atol=1e-12)
    np.testing.assert_allclose(now.joint_rate, [3.0], atol=1e-12)


@pytest.mark.filterwarnings("error")
def test_body_welded_to_the_base_carries_it_along():
    """A carried body of a tree without any free joint: its velocity had no effect at all."""
    model = door_and_frame(frame={"velocity": (0, 0, 2)}, hinge={"locked": True})
    now = fl.accelerations(model, formulation="cloud")
    np.testing.assert_allclose(now.velocity, [(0, 0, 2)] * 2, atol=1e-12)


def test_drawn_velocities_that_contradict_the_joints_are_told():
    """About y the hinge holds both as one: between 3 and 1 rad/s, equal inertias, the least energy is missed at 2."""
    model = door_and_frame(door={"angular_velocity": (0, 3, 0)}, frame={"angular_velocity": (0, 1, 0)})
    with pytest.warns(UserWarning, match=r"cannot be as drawn.*off it by 1 rad/s") as caught:
        now = fl.accelerations(model, formulation="articulated")
    np.testing.assert_allclose(now.angular_velocity, [(0, 2, 0)] * 2, atol=1e-9)
    paths = ["bodies.door.angular_velocity", "bodies.frame.angular_velocity"]
    assert [str(one.message).split()[0] for one in caught] == paths
    assert [problem.path for problem in fl.check(model) if problem.severity == "warning"] == paths


def test_velocity_drawn_for_a_driven_body_is_told():
    """The driver turns it at 2 rad/s whatever is drawn."""
    hinge = fl.Revolute(parent="world", child="arm", point=(0, 0, 0), axis=(0, 0, 1), motion=fl.Rate(2.0))
    model = fl.Model(
        "driven", {"arm": fl.Body(mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, 5))}, {"hinge": hinge}
    )
    with pytest.warns(UserWarning, match="bodies.arm.angular_velocity cannot be as drawn.*off it by 3 rad/s"):
        fl.accelerations(model)


@pytest.mark.parametrize(
    "beside",
    [
        {"force": (5, 0, 0)},
        {"moment": (0, 0, 7)},
        {"point": (0, 1, 0)},
        {"axes": "body"},
        {"force": (1, 0, 0), "axes": "body"},
    ],
)
def test_what_stands_beside_a_function_is_refused(beside):
    """Six numbers at the mass centre in world axes are all that a function gives; the rest was passed over."""
    with pytest.raises(fl.InvalidInput, match=" and ".join(f"'{name}'" for name in beside) + " would have no effect"):
        fl.Force("kite", function=lambda t, motion: [0.0] * 6, **beside)


@pytest.mark.parametrize("options", [{"dt": 0.01}, {"dt": 0.1}, {"dt": 0.01, "integrator": "symplectic-euler"}, {}])
def test_motion_with_a_pole_is_named(options):
    """At t = 0.5 s exactly, on a step: the power on the way to the pole is large, but the motion is the cause."""
    joint = fl.Revolute(**WORLD, child="a", axis=(0, 0, 1), motion=fl.Expression("1/(t-0.5)"))
    model = fl.Model("pole", {"a": fl.Body(mass=1, inertia=(1, 1, 1))}, {"j": joint}, gravity=(0, 0, 0))
    with pytest.raises(
        fl.NumericalFailure, match=r"the motion of joint 'j' has the \w+ (nan|-?inf|-?[0-9.]+e.[0-9]+) at t = 0.5 s"
    ) as error:
        fl.simulate(model, 1.0, progress=False, **options)
    assert np.isfinite(error.value.data.orientation).all()
    assert "reduce dt" not in str(error.value)


@pytest.mark.parametrize("command", ["0/(t-1)", "sqrt(1-t)"])
def test_command_without_a_value_is_named_where_the_method_chooses_its_steps(command):
    """At t = 1 s, a recorded instant that no stage of a step need meet; a run without dt is not told to reduce it."""
    joint = fl.Prismatic(**WORLD, child="cart", axis=(1, 0, 0), actuator=fl.Actuator(command=command))
    model = fl.Model("cart", {"cart": fl.Body(mass=2, inertia=(1, 1, 1))}, {"p": joint}, gravity=(0, 0, 0))
    with pytest.raises(
        fl.NumericalFailure, match=r"the command of the actuator at 'p.length' is nan at t = 1"
    ) as error:
        fl.simulate(model, 2.0, progress=False)
    assert "dt" not in str(error.value)
    assert float(error.value.data.time[-1]) < 1.0


def kite(function):
    """Return a free body with a function as its load."""
    body = fl.Body(mass=1, inertia=(1, 1, 1))
    return fl.Model("kite", {"kite": body}, loads={"wind": fl.Force("kite", function=function)}, gravity=(0, 0, 0))


class Unshown:
    """A value that cannot even be shown."""

    def __array__(self, *_, **__):
        raise RuntimeError

    def __repr__(self):
        raise RuntimeError


def _leave(t, motion):
    raise SystemExit(3)


FAR = [{"formulation": "articulated"}, {"formulation": "constrained"}]
FAR += [{"formulation": "constrained", "dt": 0.01, "integrator": "generalised-alpha"}]


@pytest.mark.parametrize("options", FAR)
def test_mechanisms_run_far_from_the_origin(options):
    """A door on two hinges 1000 km away moves as at the origin, to the 1e-10 m that coordinates there have digits for.

    Roundings of 1e-10 m over arms of a metre are angles of 1e-10, which grow with the swing's 2 s to some 1e-8.
    """
    ends = []
    for away in (0.0, 1e6):
        hinge = {"parent": "world", "child": "door", "axis": (0.1, 0, 1)}
        low = fl.Revolute(**hinge, point=(away, 0, 0.3), rate=1)
        high = fl.Revolute(**hinge, point=(away + 0.1, 0, 1.3))
        door = fl.Body(mass=20, inertia=(5, 6, 2), position=(away + 0.5, 0.05, 1))
        model = fl.Model("door", {"door": door}, {"low": low, "high": high})
        data = fl.simulate(model, 2.0, progress=False, **options)
        ends.append(data.position.values[-1, 0] - (away, 0, 0))
    # The implicit method has its speeds from places: 8 roundings of 2e-10 m within 0.01 s, kept for the swing's 2 s.
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-6 if "integrator" in options else 1e-7)


ANSWERS = {
    "overflow": lambda t: [10**400, 0, 0, 0, 0, 0],
    "too long to show": lambda t: [10**5000, 0, 0, 0, 0, 0],
    "texts": lambda t: ["1", "0", "0", "0", "0", "0"],
    "masked": lambda t: np.ma.masked_array([1.0] * 6, [True] + [False] * 5),
    "complex": lambda t: [1j, 0, 0, 0, 0, 0],
    "unshown": lambda t: Unshown(),
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_function_that_gives_no_six_numbers_is_named(answer, tmp_path):
    """From t = 0.5 s on; what was computed before is kept, and no run says for ever that it is running."""
    model = kite(lambda t, motion: [1.0, 0, 0, 0, 0, 0] if t < 0.5 else answer(t))
    with pytest.raises(fl.NumericalFailure, match=r"the function of load 'wind' gave .* at t = 0.5 s"):
        fl.simulate(model, 1.0, 0.1, progress=False, out=tmp_path / "x.run")
    assert json.loads((tmp_path / "x.run" / "status.json").read_text())["state"] == "failed"
    with fl.open_result(tmp_path / "x.run" / "result.nc") as data:
        assert float(data.time[-1]) == pytest.approx(0.4)


def test_function_that_leaves_is_named():
    """sys.exit in a function is a failure of that function, not the end of the session."""
    with pytest.raises(fl.NumericalFailure, match="the function of load 'wind' failed at t = 0 s: SystemExit"):
        fl.simulate(kite(_leave), 1.0, 0.1, progress=False)


def test_error_of_the_users_own_progress_leaves_a_failed_run(tmp_path):
    """Whatever is raised while a run goes on, its status says so."""

    def report(time, duration):
        raise KeyError("mine")

    with pytest.raises(KeyError):
        fl.simulate(kite(lambda t, motion: [0.0] * 6), 1.0, 0.1, progress=report, out=tmp_path / "x.run")
    status = json.loads((tmp_path / "x.run" / "status.json").read_text())
    assert (status["state"], status["reason"]) == ("failed", "KeyError: 'mine'")


@pytest.mark.parametrize("formulation", ["articulated", "kane"])
def test_axes_that_coincide_are_named(formulation):
    """Driven b reaches 90 deg at t = 1 s, where a and c turn about one axis; the body has mass and inertia enough."""
    ball = fl.Spherical(**WORLD, child="a", motion={"b": fl.Rate("90 deg/s")}, rate={"a": 0.3})
    model = fl.Model("gimbal", {"a": fl.Body(mass=1, inertia=(1, 1, 1))}, {"ball": ball}, gravity=(0, 0, 0))
    with pytest.raises(fl.NumericalFailure, match=r"a and c of joint 'ball' coincide \(b = 90 deg\) at t = "):
        fl.simulate(model, 1.5, 0.01, formulation=formulation, progress=False)


def test_function_is_offered_where_it_is_misspelt():
    """No file holds a function, but whoever writes Python may mean it."""
    with pytest.raises(fl.InvalidInput, match="did you mean 'function'"):
        fl.Force("kite", functon=lambda t, motion: [0.0] * 6)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("1e400", "expected a finite number, got '1e400'"),
        (None, "is required and missing"),
    ],
)
def test_command_that_is_none_is_told_what_it_may_be(command, said):
    """Without quotes 1e400 would be refused again, and a command may be a controller's."""
    with pytest.raises(fl.InvalidInput, match=said):
        fl.Actuator(command=command)


def test_compiled_function_that_raises_is_named_by_the_implicit_method():
    """Its own error was lost behind a step that did not converge."""

    @numba.njit
    def wind(t, position, rotation, velocity, angular_velocity):
        if t > 0.45:
            raise ValueError("no wind")
        return (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    options = {"formulation": "constrained", "integrator": "generalised-alpha"}
    with pytest.raises(fl.NumericalFailure, match=r"the function of load 'wind' failed at t = 0.5 s: ValueError"):
        fl.simulate(kite(wind), 1.0, 0.1, progress=False, **options)


def test_resume_names_the_function_that_the_run_does_not_know(tmp_path):
    """A misspelt name is the likelier mistake than a missing function."""

    def steady(t, motion):
        return [1.0, 0, 0, 0, 0, 0] if t < 0.5 else None

    with pytest.raises(fl.NumericalFailure):
        fl.simulate(kite(steady), 1.0, 0.1, progress=False, out=tmp_path / "x.run")
    with pytest.raises(fl.InvalidInput, match="no function of a load or controller 'wnid'"):
        fl.resume(tmp_path / "x.run", functions={"wnid": steady})


def test_audit_of_our_own_run_names_the_step():
    """Symplectic Euler moves by the speed at a step's end: an error of dt, not of anybody's columns."""
    spring = fl.Force("b", force=("-30*b.x", 0, 0))
    body = fl.Body(mass=3, inertia=(1, 1.5, 2), position=(0.3, 0, 0))
    model = fl.Model("swing", {"b": body}, loads={"spring": spring}, gravity=(0, 0, 0))
    options = {"integrator": "symplectic-euler", "formulation": "articulated", "progress": False}
    checks = fl.audit(fl.simulate(model, 1.0, 0.01, **options)).checks
    (failed,) = [check for check in checks if check.name == "velocity is the rate of position"]
    assert failed.status == "fail" and failed.advice.startswith("In a result as Fairlead wrote it")
    assert "take dt = " in failed.advice and "(now 0.01 s)" in failed.advice
