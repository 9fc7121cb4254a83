"""The audit accepts right trajectories and refuses every single wrong thing that momentum and energy can show."""

from __future__ import annotations

import json
import math
import time as clock_time

import numpy as np
import pytest

from fairlead.auditing.audit import ATTITUDE, PLACE
from fairlead.auditing.motion import integral, magnus
from fairlead.errors import InvalidInput
from fairlead.formats.foreign.questions import audit
from fairlead.numeric import rates_of
from support.audit_data import Case, Rigid, asymmetric, clock, dataset, integrate, matrix, pendulum, sprung

G = (1.0, 0.0, -9.8)
TIME = np.append(np.arange(0, 300) * 0.02, 5.993)  # ends with one shorter step
OWN = ["momentum", "angular_momentum", "kinetic_energy", "potential_energy"]
SECOND = ["acceleration", "angular_acceleration"]


@pytest.fixture(scope="module")
def clocks():
    """A driven two-body clock with a wheel, without and with gravity."""
    return {"free": clock(TIME), "gravity": clock(TIME, g=G)}


RIGHT = {
    "free body": (lambda: integrate(asymmetric(), TIME), "free"),
    "free body with a wheel": (lambda: integrate(asymmetric(h=(0.5, -1.0, 0.3)), TIME), "free"),
    "projectile": (lambda: integrate(asymmetric(g=G), TIME), "gravity"),
    "two bodies on a spring": (lambda: integrate(sprung(), TIME[::4]), "free"),
    "spring and gravity": (lambda: integrate(sprung(g=G, damping=0.2), TIME[::4]), "gravity"),
    "anchored": (lambda: integrate(sprung(g=G, anchored=True, damping=0.3), TIME[::2]), "general"),
    "pendulum": (lambda: pendulum(TIME), "general"),
    "pendulum from body to world": (lambda: pendulum(TIME, reverse=True), "general"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_trajectories_pass(name):
    """Newton and Euler hold to 1e-10 in these data, so every check must, in all three cases, with nothing left open."""
    make, case = RIGHT[name]
    found = audit(make())
    assert found.case == case
    assert found.passed and not found.undecided, found.table()


@pytest.mark.parametrize("case", ["free", "gravity"])
@pytest.mark.parametrize("without", [[], OWN, SECOND, OWN + SECOND])
def test_the_clock_passes_with_less_recorded(clocks, case, without):
    """Figures of the simulation itself and accelerations help, but the audit stands without them."""
    found = audit(clocks[case].drop_vars(without))
    assert found.case == case
    assert found.passed and not found.undecided, found.table()


def test_figures_are_those_of_the_data(clocks):
    """p_sys is zero by construction, H and P equal a second coding of Momentum tests Eq. 10 by plain loops."""
    data = clocks["gravity"]
    found = audit(data)
    series = found.momentum
    scale = np.abs(data["angular_momentum"].values).max()
    np.testing.assert_allclose(series["H_sys"], data["angular_momentum"], atol=1e-13 * scale)
    np.testing.assert_allclose(series["P_sys"], data["momentum"], atol=1e-11)
    np.testing.assert_allclose(series["p_sys"], 0, atol=1e-12)
    np.testing.assert_allclose(series["kinetic_energy"], data["kinetic_energy"], rtol=1e-13)
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["passed"] is True and plain["case"] == "gravity"
    assert "PASS" in found.table() and "kg m2/s" in found.table()


def _scaled(name, body, factor, *at):
    def change(data):
        values = data[name].values.copy()
        values[(body, *at)] *= factor
        if len(at) == 2 and at[0] != at[1]:
            values[(body, *at[::-1])] *= factor
        return data.assign({name: (data[name].dims, values)})

    return change


def _body_rows(name, body, make):
    def change(data):
        values = data[name].values.copy()
        values[:, body] = make(data, values[:, body])
        return data.assign({name: (data[name].dims, values)})

    return change


def _to_world(data, w):
    return np.array([matrix(q) @ row for q, row in zip(data["orientation"].values[:, 1], w)])


MUTATIONS = {
    "mass": _scaled("mass", 1, 1.001),
    "inertia moment": _scaled("inertia", 1, 1.001, 0, 0),
    "inertia product": _scaled("inertia", 1, 1.01, 0, 1),
    "inertia of the base": _scaled("inertia", 0, 0.999, 2, 2),
    "velocity sign": _body_rows("velocity", 1, lambda d, v: -v),
    "one velocity component": _body_rows("velocity", 1, lambda d, v: v * [1, 1, -1]),
    "velocity in body axes": _body_rows(
        "velocity", 1, lambda d, v: np.array([matrix(q).T @ x for q, x in zip(d["orientation"].values[:, 1], v)])
    ),
    "angular velocity in world axes": _body_rows("angular_velocity", 1, _to_world),
    "angular velocity sign": _body_rows("angular_velocity", 0, lambda d, w: -w),
    "wheel left out": _scaled("wheel_momentum", 0, 0.0),
    "wheel momentum": _scaled("wheel_momentum", 0, 1.001),
    "quaternion scalar last": _body_rows("orientation", 1, lambda d, q: np.roll(q, -1, axis=-1)),
    "quaternion world to body": _body_rows("orientation", 0, lambda d, q: q * [1, -1, -1, -1]),
    "positions mirrored": _body_rows("position", 1, lambda d, r: r * [1, -1, 1]),
    "driver work sign": lambda d: d.assign(driver_work=-d["driver_work"]),
    "driver work left out": lambda d: d.assign(driver_work=0 * d["driver_work"]),
    "time in another unit": lambda d: d.assign_coords(time=d["time"] * 1.001),
    "one spoilt row": lambda d: d.assign(
        position=d["position"] + 1e-3 * (np.arange(len(d["time"])) == 45)[:, None, None]
    ),
}


@pytest.mark.parametrize("without", [OWN + SECOND, SECOND, []])
@pytest.mark.parametrize("name", MUTATIONS)
def test_every_mutation_is_seen(clocks, name, without):
    """One wrong thing breaks H = const, P = const, a rate or the energy, whether or not the simulation's own
    figures are there to compare with; it does so by far more than the tolerance."""
    found = audit(MUTATIONS[name](clocks["free"].drop_vars(without)))
    assert not found.passed, found.table()
    assert max(check.value / check.tolerance for check in found.failures) > 3


@pytest.mark.parametrize("name", MUTATIONS)
def test_mutations_are_seen_in_gravity_and_in_a_coarse_table(clocks, name):
    """At five times the step the sampling limit is wider (fourth order: 625 times), and still far below an error."""
    coarse = clocks["gravity"].isel(time=slice(None, None, 5)).drop_vars(OWN + SECOND)
    assert audit(coarse).passed
    assert not audit(MUTATIONS[name](coarse)).passed


def test_ignored_gravity_is_seen(clocks):
    """A falling system that claims no gravity gains momentum from nowhere, and one that claims it does not fall."""
    falling = clocks["gravity"].drop_vars(OWN)
    assert not audit(falling.assign(gravity=0 * falling["gravity"])).passed
    floating = clocks["free"].drop_vars(OWN)
    found = audit(floating.assign(gravity=floating["gravity"] + [0, 0, -9.8]))
    assert {"momentum changes by M g t", "mass centre moves on a parabola"} <= {c.name for c in found.failures}


@pytest.mark.parametrize(
    "name", ["load_force", "load_moment", "load_work", "external_impulse", "external_angular_impulse"]
)
def test_wrong_external_wrench_is_seen(name):
    """In the general case the change of momentum must be the impulse, and the change of energy the work."""
    data = integrate(sprung(g=G, anchored=True), TIME[:100])
    assert audit(data).passed
    assert not audit(data.assign({name: 1.001 * data[name]})).passed


def test_wrong_reaction_is_seen():
    """The reaction of a joint to the world is external: its sign and its point carry the pendulum's momentum."""
    data = pendulum(TIME)
    assert not audit(data.assign(joint_force=-data["joint_force"])).passed
    assert not audit(data.assign(joint_point=data["joint_point"] + [0, 0, 0.01])).passed
    silent = audit(data.drop_vars("joint_force"))
    assert "momentum changes by the recorded wrench" in {c.name for c in silent.undecided}


def _drifting(data, drift):
    """The same motion seen from a frame that moves steadily the other way."""
    shift = data["time"].values[:, None, None] * drift
    return data.assign(position=data["position"] + shift, velocity=data["velocity"] + drift)


# What no test of momentum and energy can see, and why.
UNSEEN = {
    "mass of a single free body": (  # P = m v and 1/2 m v^2 are constant for any m when v is
        lambda: integrate(asymmetric(), TIME),
        _scaled("mass", 0, 3.0),
    ),
    "mass of a single falling body": (  # m g t and m g z scale with m as P and T do
        lambda: integrate(asymmetric(w=(0, 0, 0), g=G), TIME),
        _scaled("mass", 0, 3.0),
    ),
    "inertia of a body that does not turn": (  # I w is zero for any I
        lambda: integrate(asymmetric(w=(0, 0, 0)), TIME),
        _scaled("inertia", 0, 3.0, 1, 1),
    ),
    "moments across the axis of a steady spin": (  # only the moment about the axis enters I w
        lambda: integrate(asymmetric(w=(0, 0, 1.3)), TIME),
        _scaled("inertia", 0, 3.0, 0, 0),
    ),
    "all masses, inertias and works together": (  # every sum is linear in them
        lambda: clock(TIME[:60], wheel=(0, 0, 0)),
        lambda d: d.assign(**{n: 2 * d[n] for n in ("mass", "inertia", "driver_work")}),
    ),
    "the origin": (  # rho = r - R and changes of potential energy do not know it
        lambda: clock(TIME[:60]),
        lambda d: d.assign(position=d["position"] + [10.0, -20.0, 30.0]),
    ),
    "a steady drift of the frame": (  # Galilean invariance
        lambda: integrate(asymmetric(), TIME),
        lambda d: _drifting(d, np.array([3.0, 0.0, 0.0])),
    ),
    "an internal force with its reaction": (  # it cancels in P and H; only its work, left alone here, is balanced
        lambda: integrate(sprung(), TIME[:60]),
        lambda d: d.assign(load_force=3 * d["load_force"], load_moment=3 * d["load_moment"]),
    ),
    "attitude of a spherical body by a fixed turn": (  # R I R^T = I
        lambda: integrate(Case([Rigid(1.0, np.eye(3), w=(0, 0, 0))]), TIME),
        _body_rows("orientation", 0, lambda d, q: np.tile([0.6, 0.8, 0.0, 0.0], (len(q), 1))),
    ),
}


@pytest.mark.parametrize("name", UNSEEN)
def test_what_no_momentum_test_can_see(name):
    """These changes leave every balance true; the documentation lists them so that nobody relies on the audit here."""
    make, change = UNSEEN[name]
    data = make().drop_vars([*OWN, "external_impulse", "external_angular_impulse"], errors="ignore")
    changed = change(data)
    assert not changed.identical(data)
    found = audit(changed)
    assert found.passed, found.table()


def test_coarse_sampling_is_undecided_not_wrong():
    """At 0.5 s a spring of 0.7 s period cannot be judged from samples; momentum and energy still can."""
    found = audit(integrate(sprung(), np.arange(0, 40) * 0.5))
    assert found.passed
    assert {PLACE, ATTITUDE} <= {check.name for check in found.undecided}
    assert found["angular momentum is constant"].passed and found["energy changes by the recorded work"].passed


def test_a_spin_faster_than_the_sampling_is_undecided():
    """A body that turns exactly once per sample seems to stand still: an alias, not an error."""
    time = np.arange(0.0, 20.0)
    turns = Case([Rigid(1.0, np.diag([1.0, 1.0, 2.0]), w=(0.0, 0.0, 2 * np.pi))])
    zero = np.zeros((20, 1, 3))
    record = {
        "position": zero,
        "velocity": zero,
        "orientation": np.tile([1.0, 0, 0, 0], (20, 1, 1)),
        "angular_velocity": zero + [0, 0, 2 * np.pi],
    }
    assert audit(dataset(time, record, turns))[ATTITUDE].status == "undecided"


def test_kinks_do_not_fail():
    """A force that jumps leaves exact parabolas with a kink in the velocity, at whatever point of an interval.

    The Hermite rule then errs by up to h^2/12 times the jump of the acceleration, which its own estimate bounds.
    """
    for jump in np.linspace(0.50, 0.51, 23):
        time = np.arange(0, 101) * 0.01
        late = np.maximum(time - jump, 0)
        z, v, a = 0.5 * time + 2 * late**2, 0.5 + 4 * late, 4.0 * (time > jump)
        along = np.array([0.0, 0.0, 1.0])
        record = {
            "position": (z[:, None] * along)[:, None],
            "velocity": (v[:, None] * along)[:, None],
            "acceleration": (a[:, None] * along)[:, None],
            "orientation": np.tile([1.0, 0, 0, 0], (101, 1, 1)),
            "angular_velocity": np.zeros((101, 1, 3)),
            "angular_acceleration": np.zeros((101, 1, 3)),
        }
        case = Case([Rigid(2.0, np.eye(3))])
        found = audit(dataset(time, record, case), case="general")
        assert found[PLACE].passed, found.table()


def test_loads_held_over_a_step_are_second_order():
    """With a force held over each step r1 = r0 + h v0 + h^2/2 a0 exactly, so the fourth-order rule is off by
    h^2/12 (a1 - a0) and needs the wider limit of `held`; a wrong sign still fails by far."""
    h = 0.05
    time = np.arange(0, 201) * h
    a = np.sin(time)
    v = np.concatenate([[0.0], np.cumsum(a[:-1] * h)])
    r = np.concatenate([[0.0], np.cumsum(v[:-1] * h + a[:-1] * h * h / 2)])

    def pile(x):
        return np.stack([x, 0 * x, 0 * x], 1)[:, None]

    record = {"position": pile(r), "velocity": pile(v), "acceleration": pile(a), "angular_velocity": pile(0 * a)}
    record |= {"orientation": np.tile([1.0, 0, 0, 0], (201, 1, 1)), "angular_acceleration": pile(0 * a)}
    data = dataset(time, record, Case([Rigid(1.0, np.eye(3))]))
    assert audit(data, case="general")[PLACE].status == "fail"
    assert audit(data, case="general", held=True)[PLACE].passed
    assert audit(data.assign_attrs(held_loads=1), case="general")[PLACE].passed
    assert audit(data.assign(velocity=-data["velocity"]), case="general", held=True)[PLACE].status == "fail"


def test_a_system_at_rest_passes():
    """Everything is zero and no scale may divide by it; rounding of 1e-17 is not a failure either."""
    rest = integrate(Case([Rigid(1.0, np.eye(3)), Rigid(2.0, np.eye(3), r=(1, 0, 0))]), TIME[:50])
    assert audit(rest).passed
    noise = np.random.default_rng(1).normal(size=rest["velocity"].shape) * 1e-17
    moving = integrate(asymmetric(), TIME[:50])
    assert audit(moving.assign(acceleration=moving["acceleration"] + noise[:, :1])).passed


def test_a_fast_drift_hides_nothing():
    """Momentum is measured in the frame in which the mass centre starts at rest (ERRATA 14)."""
    data = clock(TIME[:100]).drop_vars(OWN)
    fast = _drifting(data, np.array([5000.0, 0.0, 0.0]))
    assert audit(fast).passed, audit(fast).table()
    for name in ("mass", "driver work sign", "inertia moment"):
        assert not audit(MUTATIONS[name](fast)).passed


@pytest.mark.parametrize("name", ["velocity", "orientation", "angular_acceleration", "mass"])
def test_values_that_are_not_finite_fail_by_name(clocks, name):
    """The first such value is named with its time and body, and nothing else is claimed."""
    data = clocks["free"].copy(deep=True)
    if name == "mass":
        data[name][1] = np.nan
        assert "mass" in audit(data).checks[0].sentence
        return
    data[name][30:, 1, 2] = np.nan
    found = audit(data)
    assert not found.passed
    assert f"{name} of body 'b2' is not finite at t = 0.6 s." in found.table()


def test_the_tolerance_can_be_set(clocks):
    """An error of 1e-5 in the wheel is seen at 1e-6 and allowed at 1e-3."""
    spoilt = _scaled("wheel_momentum", 0, 1 + 1e-4)(clocks["free"].drop_vars(OWN))
    assert not audit(spoilt).passed
    assert audit(spoilt, tolerance=1e-3).passed
    with pytest.raises(InvalidInput, match="tolerance"):
        audit(spoilt, tolerance=-1.0)


def test_blocks_change_nothing_and_files_are_read_lazily(clocks, tmp_path):
    """Sums over an instant do not know the block it is in; only the estimates near an edge may differ a little."""
    data = clocks["gravity"]
    whole, parts = audit(data), audit(data, block=50)
    for one, two in zip(whole.checks, parts.checks):
        assert one.status == two.status and (one.name in (PLACE, ATTITUDE) or one.value == two.value)
    path = tmp_path / "run.nc"
    data.to_netcdf(path, engine="h5netcdf")
    assert audit(path).to_dict() == whole.to_dict()


def steady(rows):
    """Six bodies that move and turn steadily, in so many rows."""
    time = np.arange(rows) * 0.01
    turn = Rotations(time)
    bodies = [Rigid(1.0 + k, np.eye(3) * (1 + k)) for k in range(6)]
    place = np.arange(6.0)[None, :, None] * [1.0, 2.0, 3.0] + time[:, None, None] * [0.1, 0.0, 0.2]
    record = {
        "position": place,
        "velocity": np.broadcast_to([0.1, 0.0, 0.2], place.shape),
        "orientation": np.repeat(turn[:, None], 6, axis=1),
        "angular_velocity": np.broadcast_to([0.0, 0.0, 1.0], place.shape),
    }
    data = dataset(time[:2], {name: values[:2] for name, values in record.items()}, Case(bodies)).drop_vars(OWN)
    dims = {name: data[name].dims for name in record}
    data = data.drop_vars([*record, "time"]).assign({name: (dims[name], values) for name, values in record.items()})
    return data.assign_coords(time=time)


def test_the_audit_costs_in_proportion_to_the_rows():
    """Eight times the rows take about eight times the CPU time, not sixty-four; a busy machine has room."""

    def cost(rows):
        data, best = steady(rows), math.inf
        for _ in range(3):
            start = clock_time.process_time()
            found = audit(data)
            best = min(best, clock_time.process_time() - start)
            assert found.passed, found.table()
        return best

    assert cost(32_000) < 24 * cost(4_000)


def Rotations(angle):
    """Quaternions of a steady turn about z."""
    zero = 0 * angle
    return np.stack([np.cos(angle / 2), zero, zero, np.sin(angle / 2)], axis=1)


def test_missing_parts_are_named(clocks):
    """A Dataset without what the sums need is refused by the names of what is missing."""
    with pytest.raises(InvalidInput, match="velocity, mass"):
        audit(clocks["free"].drop_vars(["velocity", "mass"]))
    backwards = clocks["free"].isel(time=slice(None, None, -1))
    with pytest.raises(InvalidInput, match="time must grow"):
        audit(backwards)


@pytest.mark.parametrize("order, rule", [(4, "magnus"), (4, "integral"), (4, "rates")])
def test_order_of_the_rules(order, rule):
    """Fourth order globally, on uneven grids as well: halving the step divides the error by about 16."""
    errors = []
    for n in (40, 80, 160):
        s = np.linspace(0, 1, n + 1)
        t = s + 0.05 * np.sin(2 * np.pi * s)
        w = np.stack([np.sin(3 * t), np.cos(2 * t), 0.5 + t**2], 1)[:, None]
        al = np.stack([3 * np.cos(3 * t), -2 * np.sin(2 * t), 2 * t], 1)[:, None]
        if rule == "rates":
            errors.append(np.abs(rates_of(t, w) - al).max())
        elif rule == "integral":
            exact = np.array([(1 - np.cos(3)) / 3, np.sin(2) / 2, 0.5 + 1 / 3])
            errors.append(np.abs(integral(t, w, al).sum(0)[0] - exact).max())
        else:
            product = np.eye(3)
            for E in magnus(t, w, al)[:, 0]:
                product = product @ E
            errors.append(product)
    if rule == "magnus":  # against the next finer product, whose error is 16 times smaller
        errors = [np.abs(errors[0] - errors[1]).max(), np.abs(errors[1] - errors[2]).max()]
    fitted = np.log2(errors[-2] / errors[-1])
    assert fitted == pytest.approx(order, abs=0.3)
