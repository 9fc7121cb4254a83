"""Every equation of every joint: Jacobian, velocity and acceleration sides against differences of its own value.

The bodies are carried along motions that are polynomials in time (positions, and quaternions before they are brought
to length one), so their velocities and accelerations are known exactly, and phi is differenced with a nine-point
formula. With phi of order one the second difference at h = 0.01 rounds to some 1e-11 and its own error is h^8 = 1e-16
of an eighth derivative of up to 1e6: both far below the 1e-8 that is asked.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.core import arrays as ca
from fairlead.core.formulations.constrained import pipeline as constrained
from fairlead.core.motions import move
from fairlead.core.work import new_work
from fairlead.model.compile import compile_model
from fairlead.model.reading import TYPES

H = 0.01
FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280]) / H
SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560]) / H**2
KINDS = tuple(TYPES["joints"].values())
TO_WORLD = tuple(kind for kind in KINDS if kind.model_fields["parent"].default == "world")
T = 0.3  # [s] the instant looked at


def unit(rng):
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def turn(rng):
    return Rotation.from_rotvec(rng.uniform(0, 3) * unit(rng))


def product(p, q):
    """Quaternion product, scalar first."""
    w = p[0] * q[0] - p[1:] @ q[1:]
    return np.array([w, *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def jet(coefficients, t):
    """Value and two derivatives of a polynomial with vector coefficients c0 + c1 t + c2 t^2."""
    c0, c1, c2 = coefficients
    return c0 + c1 * t + c2 * t**2, c1 + 2 * c2 * t, 2 * c2


def times(p, q):
    """Value and two derivatives of a product of quaternions."""
    return (
        product(p[0], q[0]),
        product(p[1], q[0]) + product(p[0], q[1]),
        product(p[2], q[0]) + 2 * product(p[1], q[1]) + product(p[0], q[2]),
    )


def pose(x, p):
    """Unit quaternion and rates of a body, from jets of its position and of its quaternion of any length.

    w = 2 Im(p* p') / |p|^2 in body axes, whatever the length of p does.
    """
    conjugate = p[0] * [1, -1, -1, -1]
    size = p[0] @ p[0]
    first, second = product(conjugate, p[1])[1:], product(conjugate, p[2])[1:]
    w, al = 2 * first / size, 2 * second / size - 4 * first * (p[0] @ p[1]) / size**2
    return SimpleNamespace(x=x[0], v=x[1], a=x[2], q=p[0] / np.sqrt(size), w=w, al=al)


class Case:
    """Two bodies and one joint, drawn at random, with a motion that need not satisfy it.

    The angle of a joint has a meaning only while the two axes it is seen about are parallel (of a universal joint:
    perpendicular), and its row is differenced along motions that keep that, `obedient`: the child's rotation relative
    to the parent's is about the joint's axis, then axis2. All other rows are differenced along any motion.
    """

    def __init__(self, kind, seed, role, flipped=False):
        rng = self.rng = np.random.default_rng(seed)
        self.kind = kind
        self.at = {name: (rng.normal(size=3), turn(rng)) for name in ("i", "j")}
        bodies = {
            name: fl.Body(1.0, (1, 1, 1), x, {"matrix": R.as_matrix().tolist()}) for name, (x, R) in self.at.items()
        }
        self.axis = unit(rng)
        across = np.cross(self.axis, unit(rng))
        self.axis2 = across / np.linalg.norm(across)
        self.ends = ("j", "i") if flipped else ("i", "j")
        if kind in TO_WORLD:
            self.ends = ("world", "j")
        elif role == "world":
            self.ends = ("j", "world") if flipped else ("world", "j")
        given = self.given(rng, role)
        self.model = fl.Model("row", bodies, {"it": kind(parent=self.ends[0], child=self.ends[1], **given)})
        self.compiled = compile_model(self.model, "quaternion", loose=True)
        self.work = new_work(self.compiled.arrays)
        self.paths = {name: [rng.normal(size=3) for _ in range(3)] for name in self.at}
        self.turns = {
            name: [R.as_quat(scalar_first=True), *rng.normal(0, 0.25, (2, 4))] for name, (_, R) in self.at.items()
        }
        self.about = rng.normal(0, 0.3, (2, 2, 2))  # of the two relative rotations: cos-like and sin-like growth

    def given(self, rng, role):
        kind, given = self.kind, {}
        if "point" in kind.model_fields:
            given["point"] = tuple(rng.normal(size=3))
        if "axis" in kind.model_fields:
            given["axis"] = tuple(self.axis)
        if "axis2" in kind.model_fields:
            given["axis2"] = tuple(self.axis2)
        if "other_point" in kind.model_fields:
            given["other_point"] = tuple(rng.normal(size=3))
        if role != "free":
            given["motion"] = {
                name: fl.Polynomial([rng.normal(0, 0.3) for _ in range(4)]) if i % 2 else fl.Sine(0.4, frequency=2.0)
                for i, name in enumerate(kind.coordinates)
            }
        return given

    def relative(self, axis, growth, t):
        """A rotation about an axis that grows with time, as a quaternion of any length."""
        start = np.array([1.0, 0, 0, 0])
        first, second = (np.array([c, *(s * axis)]) for c, s in growth)
        return jet([start, first, second], t)

    def motion(self, name, t, obedient):
        x, q = jet(self.paths[name], t), jet(self.turns[name], t)
        parent, child = self.ends
        if not obedient or name != child or child == "world":
            if obedient and child == "world" and name == parent:  # the parent turns back under a fixed child
                back = [part * [1, -1, -1, -1] for part in self.between(t)]
                return pose(x, times(back, self.constant(name)))
            return pose(x, q)
        inner = (np.array([1.0, 0, 0, 0]), np.zeros(4), np.zeros(4))
        if parent != "world":
            drawn = self.at[parent][1].inv().as_quat(scalar_first=True)
            inner = times(jet(self.turns[parent], t), (drawn, np.zeros(4), np.zeros(4)))
        return pose(x, times(times(inner, self.between(t)), self.constant(child)))

    def between(self, t):
        first = self.relative(self.axis, self.about[0], t)
        return times(first, self.relative(self.axis2, self.about[1], t)) if self.kind.arm() else first

    def constant(self, name):
        return self.at[name][1].as_quat(scalar_first=True), np.zeros(4), np.zeros(4)

    def look(self, t, obedient):
        """Evaluate the rows at time t; return phi and the rates and accelerations of the bodies."""
        arrays, work = self.compiled.arrays, self.work
        move(t, arrays, work)
        found = {}
        for name, number in self.compiled.index.tree_order.items():
            o = found[number] = self.motion(name, t, obedient)
            work.constraint.y[13 * number : 13 * number + 13] = np.concatenate([o.x, o.q, o.v, o.w])
        constrained.place(arrays, work)
        return work.constraint.phi.copy(), found

    def rows(self):
        return self.compiled.arrays.constraints

    def times_rows(self, found, velocity):
        """J times velocities or accelerations, in world axes."""
        out = np.zeros(len(self.rows()))
        for r, row in enumerate(self.rows()):
            for side, body in enumerate((row["i"], row["j"])):
                if body >= 0:
                    o, J = found[int(body)], self.work.constraint.J[r, 6 * side : 6 * side + 6]
                    R = Rotation.from_quat(o.q, scalar_first=True)
                    linear, angular = (o.v, o.w) if velocity else (o.a, o.al)
                    out[r] += J[:3] @ linear + J[3:] @ R.apply(angular)
        return out


@pytest.mark.parametrize("role", ["driven", "free", "world"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_rows_equal_differences_of_their_own_value(kind, role):
    """J q' - nu = dphi/dt and J q'' - gamma = d2phi/dt2, driven rows with their driver and free ones as measures."""
    for seed in range(6):
        case = Case(kind, [seed, KINDS.index(kind)], role, flipped=seed % 2 == 1)
        angles = case.rows()["code"] == ca.ANGLE
        for obedient in (False, True):
            phi = np.array([case.look(T + k * H, obedient)[0] for k in range(-4, 5)])
            phi[:, angles] = np.unwrap(phi[:, angles], axis=0)  # a full turn is no change of an angle
            _, found = case.look(T, obedient)
            C = case.work.constraint
            rate, rise = case.times_rows(found, True) - C.nu, case.times_rows(found, False) - C.gamma
            counted = slice(None) if obedient else ~angles
            size = 1 + np.abs(rise).max(initial=0.0)
            np.testing.assert_allclose(rate[counted], (FIRST @ phi)[counted], atol=1e-8 * size)
            np.testing.assert_allclose(rise[counted], (SECOND @ phi)[counted], atol=1e-8 * size)


def test_every_code_of_a_row_occurs():
    """The test above sees every kind of row there is, and rows turned by driven angles."""
    rows = [row for kind in KINDS for row in Case(kind, 0, "driven").rows()]
    assert {int(row["code"]) for row in rows} == {ca.POINT, ca.DOT, ca.ALONG, ca.DISTANCE, ca.ANGLE}
    assert any(row["turn"] >= 0 for row in rows)


def test_number_of_equations_is_six_less_the_freedoms():
    """Each joint leaves its coordinates; each driver takes one of them (MBDM note Table 11 and section 2.4)."""
    held = {fl.Distance: 1, fl.AbsoluteOrientation: 3, fl.RevoluteCylindrical: 3}
    held |= dict.fromkeys((fl.AbsoluteX, fl.AbsoluteY, fl.AbsoluteZ, fl.RelativeAngle), 1)  # driven or locked by itself
    for kind in KINDS:
        free, driven = (int(Case(kind, 1, role).rows()["active"].sum()) for role in ("free", "driven"))
        coordinates = len(kind.coordinates)
        if kind.only_constrains:
            assert free == driven == held.get(kind, sum(equation.rows for equation in kind.equations))
        else:
            assert free == 6 - coordinates
            assert driven == free + coordinates
