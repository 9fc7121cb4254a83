"""An event somewhere in a model changes nothing elsewhere: states carried over it are those of the motion."""

import json

import numpy as np
import pytest

import fairlead as fl

WAYS = {
    "articulated": {"formulation": "articulated"},
    "articulated, 1-2-3 angles": {"formulation": "articulated", "rotation": "euler123"},
    "cloud": {"formulation": "cloud"},
    "constrained": {"formulation": "constrained"},
    "constrained, partition": {"formulation": "constrained", "closing": "partition"},
    "constrained, euler parameters": {"formulation": "constrained", "unknowns": "euler-parameters"},
    "dop853": {"formulation": "articulated", "dt": None, "rtol": 1e-11, "atol": 1e-13},
}
COMPARED = ("position", "velocity", "orientation", "angular_velocity", "joint_position", "joint_rate", "driver_work")


def body(mass, at, **more):
    return fl.Body(mass, (0.3 * mass, 0.5 * mass, 0.6 * mass), position=at, **more)


def model(events):
    """Return a floating tree with joints of many kinds and a wheel, and beside it a gate on a hinge with its drive."""
    bodies = {
        "hull": body(
            8.0,
            (0, 0, 0),
            velocity=(0.2, 0.1, 0),
            angular_velocity=(0.3, 0.2, -0.4),
            wheels=[fl.Wheel((0, 0, 1), 0.5, 9.0)],
        ),
        "arm": body(2.0, (1, 0, 0)),
        "ball": body(1.0, (2, 0.2, 0)),
        "cross": body(1.5, (-1, 0, 0.3)),
        "spinner": body(0.7, (0, 1, 0)),
        "gate": body(3.0, (20, 0, 0)),
        "bolt": body(0.4, (20.5, 0, 0.2)),
    }
    joints = {
        "elbow": fl.Revolute("arm", "hull", (0.5, 0, 0), (0, 0, 1), rate=0.7, spring=4.0),  # against its direction
        "socket": fl.Spherical("arm", "ball", (1.5, 0.1, 0), rate={"a": 0.5, "c": -0.3}),
        "gimbal": fl.Universal("hull", "cross", (-0.5, 0, 0), (0, 1, 0), (0, 0, 1), rate={"angle1": 0.4}),
        "shaft": fl.Revolute(
            "hull", "spinner", (0, 0.6, 0), (0, 1, 0), rate=11.0, actuator={"command": "sin(3*t)", "time_constant": 0.4}
        ),
        "hinge": fl.Revolute("world", "gate", (19.5, 0, 0), (0, 0, 1), motion=fl.Rate(0.8)),
        "slot": fl.Prismatic("gate", "bolt", (20.4, 0, 0.2), (1, 0, 0), locked=True),
    }
    loads = {
        "pull": fl.Force("ball", force=(0, "2*cos(t)", 0.5)),
        "rope": fl.Spring("gate", (20, 0, 0), (20, 3, 0), stiffness=2, length=1),
    }
    return fl.Model("two trees", bodies, joints, loads, gravity=(0, 0, 0), events=events)


EVENTS = {
    "loose": fl.Event(at=0.4137, release="slot"),
    "slack": fl.Event(at=0.7, cut="rope"),
    "open": fl.Event(when="t - 0.9312", release="hinge"),
    "shut": fl.Event(at=1.3, lock=["hinge", "slot"]),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_tree_beside_the_events_moves_as_without_them(way):
    """Free rotations, counted turns, responses of actuators, wheels and floating bases are carried over as they are."""
    options = {"dt": 0.005} | way
    with_events, without = (fl.simulate(model(events), 2.0, **options) for events in (EVENTS, {}))
    assert [one["event"] for one in json.loads(with_events.attrs["events"])] == list(EVENTS)
    assert fl.audit(with_events).passed
    same = with_events.sel(time=without.time)
    floating = ["hull", "arm", "ball", "cross", "spinner"]
    coordinates = [label for label in same.coordinate.values if label.split(".")[0] not in ("hinge", "slot")]
    assert float(without.joint_position.sel(coordinate="shaft.angle").max()) > 20  # three turns
    # The truncation of one step divided in two: h^5 of rk4; what tolerances allow
    limit = 1e-7 if options["dt"] else 1e-9
    for name in COMPARED:
        choice = {"body": floating} if "body" in same[name].dims else {"coordinate": coordinates}
        one, other = same[name].sel(choice).values, without[name].sel(choice).values
        np.testing.assert_allclose(one, other, atol=limit * max(1.0, np.abs(other).max()), err_msg=name)


@pytest.mark.parametrize("place", ["elbow", "gimbal.angle2", "shaft"])
def test_a_lock_within_the_tree_keeps_its_momentum(place):
    """Rooted nowhere, a tree keeps its momentum whatever locks within it, with wheels and free rotations."""
    lock = {"lock": fl.Event(at=0.5137, lock=place)}
    runs = {}
    for name, way in WAYS.items():
        data = fl.simulate(model(lock), 1.0, **({"dt": 0.002} | way))
        (found,) = json.loads(data.attrs["events"])
        np.testing.assert_allclose(found["external_impulse"], 0, atol=1e-11)
        label = place if "." in place else f"{place}.angle"
        assert (
            found["impulse"][label] and not data.joint_rate.sel(coordinate=label, time=slice(0.514, None)).values.any()
        )
        assert fl.audit(data).passed, name
        runs[name] = data.sel(time=0.52)
    for name in ("velocity", "angular_velocity"):
        for data in runs.values():
            # rk4 at 2 ms, every formulation by its own state
            np.testing.assert_allclose(data[name].values, runs["dop853"][name].values, atol=2e-6)
