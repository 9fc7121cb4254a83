"""Through the singular attitude of 1-2-3 angles: the reference of a free rotation moves and the run goes on."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fairlead as fl
from fairlead.errors import NumericalFailure
from fairlead.running.checkpoint import pack_checkpoint, unpack_checkpoint
from fairlead.running.simulation import Simulation

TIGHT = {"integrator": "dop853", "rtol": 1e-12, "atol": 1e-13, "progress": False}


def tumbling(attitude=(0.3, math.pi / 2, 0.2)):
    """A free asymmetric body that starts in the singular attitude and turns about its middle axis."""
    body = fl.Body(2.0, (1.0, 2.0, 2.5), orientation={"euler123": attitude}, angular_velocity=(0.1, 6.0, 0.2))
    return fl.Model("tumbling", {"craft": body}, gravity=(0, 0, 0))


def swinging():
    """Two bodies on ball joints, the second joint drawn from the outer body, thrown over the top.

    The elbow is near the outer body's mass centre, or the throw would hold the two in one line.
    """
    return fl.Model(
        "swinging",
        {
            "upper": fl.Body(2.0, (0.1, 0.2, 0.25), (0, 0, -0.5)),
            "lower": fl.Body(1.0, (0.1, 0.2, 0.25), (0, 0, -1.05)),
        },
        {
            "top": fl.Spherical(
                "world", "upper", (0, 0, 0), initial={"a": 0.4, "b": 1.5}, rate={"a": 3, "b": 6, "c": 1}
            ),
            "elbow": fl.Spherical("lower", "upper", (0, 0, -1), rate={"a": 3, "b": -9, "c": 1}, damper={"b": 0.05}),
        },
    )


def counts(data):
    """How often each reference moved, by joint or body."""
    return {name: int(n) for name, n in (item.rsplit(" ", 1) for item in data.attrs["reorientations"].split("; "))}


def differences(one, other, names):
    found = [float(np.abs(one[name] - other[name]).max()) for name in names]
    sign = np.sign((one["orientation"] * other["orientation"]).sum("wxyz"))  # q and -q are one attitude
    return max(*found, float(np.abs(one["orientation"] - sign * other["orientation"]).max()))


def test_a_free_body_tumbles_through_it():
    runs = [fl.simulate(tumbling(), 6.0, 0.1, formulation=name, **TIGHT) for name in ("kane", "articulated")]
    assert counts(runs[0])["craft"] >= 10  # six turns, twice per turn at least, less those it starts with
    # Both integrate to 1e-12 per step over some 500 steps of a rotation that amplifies errors.
    names = ("angular_velocity", "angular_acceleration", "position", "velocity", "angular_momentum")
    assert differences(*runs, names) < 1e-8
    assert fl.audit(runs[0]).passed


def test_a_pendulum_on_balls_swings_through_it():
    runs = [fl.simulate(swinging(), 3.0, 0.1, formulation=name, **TIGHT) for name in ("kane", "articulated")]
    assert counts(runs[0])["top"] >= 3 and counts(runs[0])["elbow"] >= 3
    # The motion is chaotic: errors of 1e-12 per step grow a thousandfold in three seconds.
    names = ("position", "velocity", "angular_velocity", "joint_position", "joint_rate", "joint_force")
    assert differences(*runs, names) < 1e-8
    assert fl.audit(runs[0]).passed


def test_reorientation_changes_neither_place_nor_velocity():
    sim = Simulation(swinging(), 1.0, 1.0, formulation="kane")
    kernels, rng = sim.formulation.kernels, np.random.default_rng(1)
    slots, y = sim.arrays.slots, sim.y.copy()
    for slot in slots:
        y[slot["state"][:3]] = rng.uniform(-1, 1), 1.2, rng.uniform(-1, 1)  # cos 1.2 = 0.36
        y[slot["rate"][:3]] = rng.normal(size=3)
    kernels.before(0.0, y, sim.arrays, sim.work)
    before = {name: sim.work.bodies[name].copy() for name in ("R", "x", "w", "u")}
    kernels.project(0.0, y, sim.arrays, sim.work)
    assert [y[slot["reference"] + 4] for slot in slots] == [1.0, 1.0]
    assert not y[slots["state"][:, :3]].any()
    kernels.before(0.0, y, sim.arrays, sim.work)
    for name, value in before.items():
        assert np.allclose(sim.work.bodies[name], value, rtol=0, atol=1e-14), name  # rounding of one product


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_a_resumed_run_has_the_same_bits(integrator):
    """The state carries references and counts, so a checkpoint between two re-orientations loses nothing."""
    given = {"formulation": "kane", "integrator": integrator}
    whole, first = (Simulation(swinging(), 2.0, 0.005, **given) for _ in range(2))
    rows = []
    while not whole.finished:
        rows.append(whole.advance(100))
    head = [first.advance(), first.advance(100)]
    state = first.state()
    header, arrays = unpack_checkpoint(
        pack_checkpoint({key: state[key] for key in ("step", "started")}, {key: state[key] for key in ("y", "memory")}),
        "checkpoint",
    )
    moved = first.arrays.slots["reference"] + 4
    assert state["y"][moved].sum() > 0
    second = Simulation(swinging(), 2.0, 0.005, **given)
    second.restore({**header, **arrays})
    tail = []
    while not second.finished:
        tail.append(second.advance(100))
    assert second.y[moved].sum() > state["y"][moved].sum()
    assert np.concatenate(head + tail).tobytes() == np.concatenate(rows).tobytes()
    assert second.y.tobytes() == whole.y.tobytes()


def test_a_step_that_turns_too_far_says_so():
    model = fl.Model(
        "fast", {"top": fl.Body(1.0, (1.0, 1.0, 1.0), angular_velocity=(0, 10 * math.pi, 0))}, gravity=(0, 0, 0)
    )
    with pytest.raises(NumericalFailure, match=r"'top' turns so far within one step .* reduce dt"):
        fl.simulate(model, 1.0, 0.1, formulation="kane", progress=False)


def test_angles_that_are_driven_in_part_have_no_singularity():
    """With the first angle driven the other two axes stay perpendicular: nothing to move, nothing to stop for."""
    joints = {
        "hook": fl.Spherical(
            "world", "upper", (0, 0, 0), motion={"a": fl.Rate(1.0)}, initial={"b": 1.4}, rate={"b": 5.0, "c": 1.0}
        )
    }
    model = fl.Model("hook", {"upper": fl.Body(2.0, (0.1, 0.2, 0.25), (0, 0, -0.5))}, joints)
    runs = [fl.simulate(model, 1.0, 0.1, formulation=name, **TIGHT) for name in ("kane", "articulated")]
    assert float(runs[0]["joint_position"].sel(coordinate="hook.b").max()) > math.pi / 2
    assert differences(*runs, ("position", "velocity", "joint_rate", "driver_force")) < 1e-8
