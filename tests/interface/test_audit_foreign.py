"""Tables as other simulators write them: any Euler order, wheels by axis and speed, inertia in columns, few digits.

The tables are made from our own results (the clock example with a wheel), turned into each form by scipy's Rotation.
"""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.auditing.audit import ATTITUDE, PLACE
from fairlead.errors import InvalidInput
from fairlead.formats.foreign.questions import audit
from fairlead.formats.foreign.table import read_table

EXAMPLES = Path(__file__).parents[2] / "examples"
ENERGY = "energy changes by the recorded work"
AXIS, WHEEL, SPEED = np.array([2.0, 1.0, 2.0]) / 3, 40.0, 30.0


@functools.cache
def result():
    """The clock, its tower fitted with a wheel, tumbling: 4 s at 0.02 s."""
    model = fl.load(EXAMPLES / "03_clock.yaml")
    wheel = fl.Wheel(tuple(AXIS), WHEEL, SPEED)
    tower = model.bodies["tower"].model_copy(update={"wheels": (wheel,), "angular_velocity": (0.8, -0.5, 1.1)})
    model = model.model_copy(update={"bodies": {**model.bodies, "tower": tower}})
    return fl.simulate(model, 4, 0.02, output_every=1, progress=False)


def add(columns, stem, values):
    names = [f"{stem}{k + 1}" for k in range(values.shape[1])]
    columns.update(zip(names, values.T))
    return names


def turns(name):
    return Rotation.from_quat(result()["orientation"].sel(body=name).values, scalar_first=True)


def table(**changes):
    """Columns and map of the result with quaternions; `changes` map a body's name to a function of (columns, name)."""
    data = result()
    columns = {"t": data["time"].values}
    plan = {"time": "t", "bodies": {}, "work": "work"}
    for name in ("tower", "hand"):
        one = data.sel(body=name)
        plan["bodies"][name] = {
            "mass": float(one["mass"]),
            "inertia": one["inertia"].values.tolist(),
            "position": add(columns, f"{name}_r", one["position"].values),
            "velocity": add(columns, f"{name}_v", one["velocity"].values),
            "orientation": {"quaternion": add(columns, f"{name}_q", one["orientation"].values)},
            "angular_velocity": {"columns": add(columns, f"{name}_w", one["angular_velocity"].values), "axes": "body"},
        }
        plan["bodies"][name].update(changes.get("every", lambda c, n: {})(columns, name))
    plan["bodies"]["tower"]["wheels"] = (AXIS * WHEEL * SPEED).tolist()
    plan["bodies"]["tower"].update(changes.get("tower", lambda c, n: {})(columns, "tower"))
    columns["work"] = data["driver_work"].values[:, 0]
    return columns, plan


def write(path, columns, form="%.17g"):
    np.savetxt(
        path, np.stack(list(columns.values()), 1), delimiter=",", header=",".join(columns), comments="", fmt=form
    )
    return path


def verdict(tmp_path, columns, plan, form="%.17g", **options):
    return audit(write(tmp_path / "table.csv", columns, form), columns=plan, **options)


ORDERS = ["ZYX", "zyx", "ZXZ", "XYZ", "xyz", "YXY", "zxz", "YZX"]


@pytest.mark.parametrize("order, unit", [*((order, "deg") for order in ORDERS), ("ZYX", "rad")])
@pytest.mark.filterwarnings("ignore:Gimbal lock")  # the first row, upright: scipy then puts the whole turn in one angle
def test_any_euler_order(order, unit, tmp_path):
    """Capitals are scipy's intrinsic turns and small letters its extrinsic ones, so its angles must pass; the same
    angles read in another order must not."""

    def angles(columns, name):
        values = turns(name).as_euler(order, degrees=unit == "deg")
        return {"orientation": {"euler": add(columns, f"{name}_e", values), "order": order, "unit": unit}}

    columns, plan = table(every=angles)
    found = verdict(tmp_path, columns, plan)
    assert found.passed and not found.undecided, found.table()
    other = {"ZYX": "XYZ", "zyx": "xyz"}.get(order, "ZYX")
    for body in plan["bodies"].values():
        body["orientation"]["order"] = other
    assert not audit(tmp_path / "table.csv", columns=plan).passed


@pytest.mark.parametrize(
    "order, about, scipy_order", [("3-1-3", None, "ZXZ"), ("313", "world", "zxz"), ("z-y-x", "body", "ZYX")]
)
@pytest.mark.filterwarnings("ignore:Gimbal lock")
def test_orders_by_numbers_and_whose_axes(order, about, scipy_order, tmp_path):
    """3-1-3 is ZXZ about the body's axes; `about: world` makes it extrinsic; `about` wins over the letters' size."""
    given = {"order": order, "unit": "deg"} | ({"about": about} if about else {})

    def angles(columns, name):
        return {"orientation": {"euler": add(columns, f"{name}_e", turns(name).as_euler(scipy_order, True))} | given}

    found = verdict(tmp_path, *table(every=angles))
    assert found.passed and not found.undecided, found.table()


def world_axes(columns, name):
    """Everything of a body in world axes, and no orientation at all."""
    one, R = result().sel(body=name), turns(name)
    inertia = R.as_matrix() @ one["inertia"].values @ np.swapaxes(R.as_matrix(), 1, 2)
    six = inertia.reshape(-1, 9)[:, [0, 4, 8, 1, 2, 5]]
    return {
        "inertia": {"columns": add(columns, f"{name}_I", six), "axes": "world"},
        "angular_velocity": {
            "columns": add(columns, f"{name}_wW", R.apply(one["angular_velocity"].values)),
            "axes": "world",
        },
    }


def test_energy_with_inertia_and_wheels_in_columns(tmp_path):
    """1/2 w.I w and w.h' are the same in any axes, so a table without orientations has an energy too; it was undecided
    as soon as wheels and inertias came in columns."""
    columns, plan = table(every=world_axes)
    for name in ("tower", "hand"):
        del plan["bodies"][name]["orientation"]
    stored = turns("tower").apply(AXIS * WHEEL * SPEED)
    plan["bodies"]["tower"]["wheels"] = {"columns": add(columns, "h", stored), "axes": "world"}
    found = verdict(tmp_path, columns, plan)
    assert found.passed and not found.undecided, found.table()
    assert found[ENERGY].value < 1e-6
    coarse = {name: values[::5] for name, values in columns.items()}  # differences of h then err by more than 1e-6
    assert verdict(tmp_path, coarse, plan).passed
    columns["hand_I3"] = 1.001 * columns["hand_I3"]
    assert ATTITUDE in {check.name for check in verdict(tmp_path, columns, plan).failures}


WHEELS = {
    "constant": lambda c: [{"axis": [2, 1, 2], "inertia": WHEEL, "speed": SPEED}],
    "with units": lambda c: [{"axis": [2, 1, 2], "inertia": "40 kg m**2", "speed": f"{SPEED * 30 / np.pi} rpm"}],
    "two of them": lambda c: [
        {"axis": [2, 1, 2], "inertia": WHEEL / 2, "speed": SPEED},
        {"axis": [-2, -1, -2], "inertia": WHEEL / 4, "speed": -2 * SPEED},
    ],
    "speed in a column": lambda c: [
        {
            "axis": [2, 1, 2],
            "inertia": WHEEL,
            "speed": {"columns": add(c, "s", SPEED * 30 / np.pi * one()), "unit": "rpm"},
        }
    ],
    "axis in world axes": lambda c: {
        "axis": {"columns": add(c, "g", turns("tower").apply(AXIS)), "axes": "world"},
        "inertia": WHEEL,
        "speed": SPEED,
    },
}


def one():
    return np.ones((result().sizes["time"], 1))


@pytest.mark.parametrize("name", WHEELS)
def test_wheels_as_axis_inertia_and_speed(name, tmp_path):
    """h = axis * inertia * speed, however it is written; one per cent of speed too much is seen."""
    columns, plan = table()
    plan["bodies"]["tower"]["wheels"] = WHEELS[name](columns)
    found = verdict(tmp_path, columns, plan)
    assert found.passed and not found.undecided, found.table()
    if name == "constant":
        plan["bodies"]["tower"]["wheels"][0]["speed"] = 1.01 * SPEED
        assert not verdict(tmp_path, columns, plan).passed


def test_wheels_that_change_their_speed(tmp_path):
    """A body with a wheel spun up by its motor, integrated here: I w' = -w x (I w + h) - h'. H stays, and 1/2 w.I w
    takes the integral of -w.h', which the audit finds from the columns; with the wrong sign it fails."""
    I, g = np.diag([3.0, 4.0, 5.0]), np.array([0.6, 0.0, 0.8])
    time = np.arange(0, 201) * 0.02

    def rates(t, y):
        w, h, dh = y[4:], 0.5 * (3 + 2 * np.sin(t)) * g, 0.5 * 2 * np.cos(t) * g
        q = y[:4]
        dq = 0.5 * np.r_[-q[1:] @ w, q[0] * w + np.cross(q[1:], w)]
        return np.r_[dq, np.linalg.solve(I, -np.cross(w, I @ w + h) - dh)]

    y = solve_ivp(rates, (0, 4), [1, 0, 0, 0, 0.4, 0.7, -0.3], "DOP853", t_eval=time, rtol=1e-12, atol=1e-13).y.T
    columns = {"t": time, "zero": 0 * time, "speed": 3 + 2 * np.sin(time)}
    body = {
        "mass": 2.0,
        "inertia": [3.0, 4.0, 5.0],
        "position": ["zero"] * 3,
        "velocity": ["zero"] * 3,
        "orientation": {"quaternion": add(columns, "q", y[:, :4] / np.linalg.norm(y[:, :4], axis=1)[:, None])},
        "angular_velocity": {"columns": add(columns, "w", y[:, 4:]), "axes": "body"},
        "wheels": [{"axis": g.tolist(), "inertia": 0.5, "speed": "speed"}],
    }
    plan = {"time": "t", "bodies": {"craft": body}}
    found = verdict(tmp_path, columns, plan)
    assert found.passed and not found.undecided, found.table()
    assert found[ENERGY].value < 1e-6 < np.ptp(found.momentum["kinetic_energy"].values) / found[ENERGY].scale
    columns["speed"] = -columns["speed"]
    assert not verdict(tmp_path, columns, plan).passed


@pytest.mark.parametrize("form, digits", [("%.5e", 1e-6), ("%.7f", 1e-7), ("%.9g", 1e-9)])
def test_rounding_is_counted_openly(form, digits, tmp_path):
    """Rounded to so many digits the right table fails at 1e-12 by rounding alone; the audit says how much of each
    deviation the printed digits explain, and that bounds the deviation. 0.1 % of mass is far beyond it."""
    columns, plan = table()
    found = verdict(tmp_path, columns, plan, form, tolerance=1e-12)
    assert found.passed, found.table()
    rounded = [check for check in found.checks if check.by_digits(1e-12) and "is the rate of" not in check.name]
    assert {"angular momentum is constant", ENERGY} <= {check.name for check in rounded}
    for check in rounded:
        assert check.value <= check.rounding and check.rounding < 2e4 * digits, check
    assert "within the printed digits only, above 1e-12: " in found.table()
    assert found.to_dict()["checks"][-1]["rounding"] == found[ENERGY].rounding
    assert found[ENERGY].scale == pytest.approx(
        verdict(tmp_path, columns, plan, tolerance=1e-12)[ENERGY].scale, rel=1e-3
    )
    plan["bodies"]["hand"]["mass"] *= 1.001
    assert not verdict(tmp_path, columns, plan, "%.9g").passed


def test_too_few_digits_are_undecided_and_said(tmp_path):
    """With two digits 0.02 s apart positions hardly change: that is no verdict, and the reason is the digits."""
    columns, plan = table()
    found = verdict(tmp_path, columns, plan, ["%.2f", *["%.1e"] * (len(columns) - 1)])
    assert found.undecided and not found.failures, found.table()
    assert "the printed digits are too few" in found.table() and "record more often" not in found.table()


@pytest.mark.parametrize("form", ["%.2e", "%.3e"])
def test_fewer_digits_never_turn_undecided_into_pass(form, tmp_path):
    """A body spins at 1 rad/s, its angle [deg] printed with three or four digits every 0.02 s: the digits alone may do
    5 or 0.5 rad/s, so nothing is decided. A jump by 60 degrees (52 rad/s) is beyond both, and fails."""
    t = np.arange(101) / 50
    columns = {"t": t, "zero": 0 * t, "one": 0 * t + 1, "angle": 100 + np.rad2deg(t)}
    body = {"mass": 1, "inertia": [1, 1, 1], "position": ["zero"] * 3, "velocity": ["zero"] * 3}
    body["orientation"] = {"euler": ["zero", "zero", "angle"], "order": "XYZ", "unit": "deg"}
    body["angular_velocity"] = {"columns": ["zero", "zero", "one"], "axes": "body"}
    plan = {"time": "t", "bodies": {"wheel": body}}
    forms = ["%.2f", "%.1e", "%.1e", form]
    found = verdict(tmp_path, columns, plan, forms)
    assert found[ATTITUDE].status == "undecided", found.table()
    columns["angle"][50:] += 60
    assert verdict(tmp_path, columns, plan, forms)[ATTITUDE].status == "fail"


def test_the_digits_of_time_count_where_its_steps_are_uneven(tmp_path):
    """Three steps of 0.02 s printed as 0.06, 0.12 are exact; 1/37 s printed with three digits is not: up to 0.5 ms of
    27 ms, which alone would make a body of 1 m/s seem to move 2 % too fast."""
    columns, plan = table()
    even = verdict(tmp_path, {name: values[::3] for name, values in columns.items()}, plan)
    assert even.passed and all(check.rounding == 0 for check in even.checks)
    model_time = columns["t"] + 0.004 * np.sin(40 * columns["t"])  # uneven instants of the same motion
    uneven = {"t": np.sort(model_time)[5:-5]}
    for name, values in columns.items():
        if name != "t":
            uneven[name] = CubicSpline(columns["t"], values)(uneven["t"])
    found = verdict(tmp_path, uneven, plan, ["%.4f", *["%.8e"] * (len(uneven) - 1)])
    assert not found.failures, found.table()
    assert found[PLACE].rounding > 1e-4


def test_exact_tables_have_no_rounding(tmp_path):
    """17 digits carry every bit: nothing is put down to rounding."""
    assert all(check.rounding == 0 for check in verdict(tmp_path, *table()).checks)


WRONG = {
    "`order` must be three axes": {"order": "ZZX"},
    "got ''": {"order": ""},
    "got 'ZyX'": {"order": "ZyX"},
    "`about` must be body": {"order": "ZYX", "about": "inertial"},
    "'sequence' is not a word": {"order": "ZYX", "sequence": 1},
}


@pytest.mark.parametrize("sentence", WRONG)
def test_wrong_angles_are_refused(sentence, tmp_path):
    """One sentence that names the word."""
    columns, plan = table()
    names = add(columns, "e", turns("hand").as_euler("ZYX"))
    plan["bodies"]["hand"]["orientation"] = {"euler": names} | WRONG[sentence]
    with pytest.raises(InvalidInput, match=sentence):
        read_table(write(tmp_path / "table.csv", columns), plan)


WRONG_WHEELS = {
    "`speed` is missing": [{"axis": [1, 0, 0], "inertia": 1}],
    "may not be zero": [{"axis": [0, 0, 0], "inertia": 1, "speed": 1}],
    "not negative": [{"axis": [1, 0, 0], "inertia": -1, "speed": 1}],
    "'mass' is not a word": [{"axis": [1, 0, 0], "inertia": 1, "speed": 1, "mass": 2}],
    "expected three numbers": [1.0, 2.0],
}


@pytest.mark.parametrize("sentence", WRONG_WHEELS)
def test_wrong_wheels_are_refused(sentence, tmp_path):
    """One sentence that names the word, its place and what is expected."""
    columns, plan = table()
    plan["bodies"]["tower"]["wheels"] = WRONG_WHEELS[sentence]
    with pytest.raises(InvalidInput, match=sentence) as error:
        read_table(write(tmp_path / "table.csv", columns), plan)
    assert "bodies.tower.wheels" in str(error.value)
