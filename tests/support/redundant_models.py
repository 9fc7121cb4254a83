"""Looped linkages with redundant equations, in every placement: what the test matrix and scripts run.

    python -m support.redundant_models four-bar floating cloud-rk4    # one line of the matrix, from the folder tests

A linkage is drawn in its own axes on a base called `base`; a placement turns and moves the drawing and says what the
base is: the world, or a platform that floats, spins or is drawn tilted.
"""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

import fairlead as fl
from witness.dense_kkt import System

X, Y, Z = np.eye(3)
DURATION, DT = 5.0, 0.0025  # [s]
EVERY = 0.1  # [s] between the instants compared


@dataclass
class Linkage:
    """Bodies as (mass, inertia, position, R), joints as (kind, parent, child, point, axis), and what starts it."""

    bodies: dict = field(default_factory=dict)
    joints: dict = field(default_factory=dict)
    crank: str = ""
    rate: float = 1.0  # of the crank's joint where it is free
    drive: dict = field(default_factory=dict)  # of the crank's joint where it is driven
    spring: float = 0.0  # [N m/rad] at the crank's joint where it is free: keeps a linkage off its singular places
    size: float = 1.0  # [m] that deviations are measured by
    parallel: tuple = ()  # pairs of bodies that do not turn relative to each other on the branch meant

    def body(self, name, mass, inertia, position, R=None):
        """Add a body; inertia about its mass centre in its own axes."""
        self.bodies[name] = (mass, np.array(inertia, float), np.array(position, float), np.eye(3) if R is None else R)

    def bar(self, name, start, end, mass=None, normal=Z, lean=0.0):
        """Add a bar of 2 kg/m between two points, x along it; `lean` puts its mass centre off the line, along z."""
        start, end = np.array(start, float), np.array(end, float)
        length = np.linalg.norm(end - start)
        mass = 2.0 * length if mass is None else mass
        x = (end - start) / length
        z = np.array(normal, float) - x * (x @ normal)
        z /= np.linalg.norm(z)
        R = np.column_stack([x, np.cross(z, x), z])
        across = mass * length**2 / 12
        self.body(name, mass, (0.1 * across, across, 1.02 * across), (start + end) / 2 + lean * z, R)

    def joint(self, name, kind, parent, child, point, axis=None):
        """Add a joint."""
        self.joints[name] = (kind, parent, child, np.array(point, float), axis)


def four_bar(ball=False):
    """Crank 2 m, coupler 6 m, rocker 7 m on feet 9 m apart in the plane z = 0; four parallel revolutes."""
    one = Linkage(crank="A", rate=2.5, drive={"rate": 2.6}, size=9.0)
    A, B, C, D = (0, 0, 0), (0, 2, 0), (4.8, 5.6, 0), (9, 0, 0)
    one.bar("crank", A, B, mass=20.0)
    one.bar("coupler", B, C)
    one.bar("rocker", C, D)
    one.joint("A", fl.Revolute, "base", "crank", A, Z)
    one.joint("B", fl.Revolute, "crank", "coupler", B, Z)
    one.joint("C", fl.Spherical if ball else fl.Revolute, "coupler", "rocker", C, None if ball else Z)
    one.joint("D", fl.Revolute, "base", "rocker", D, Z)
    return one


def parallelogram():
    """Two cranks of 2 m and a coupler of 3 m: twice per turn all three lie on one line, where it could fold.

    There the equations lose one more rank and the velocities alone say how it goes on; inertia takes it through as a
    parallelogram (the other branch would need a jump of the coupler's turning), so the witness is told that the coupler
    does not turn relative to the base.
    """
    one = Linkage(crank="A", rate=2.0, drive={"rate": 2.6}, size=3.0, parallel=(("base", "coupler"),))
    c, s = 2 * np.cos(1.9), 2 * np.sin(1.9)
    one.bar("left", (0, 0, 0), (c, s, 0))
    one.bar("right", (3, 0, 0), (3 + c, s, 0), mass=5.0)
    one.bar("coupler", (c, s, 0), (3 + c, s, 0))
    one.joint("A", fl.Revolute, "base", "left", (0, 0, 0), Z)
    one.joint("B", fl.Revolute, "left", "coupler", (c, s, 0), Z)
    one.joint("C", fl.Revolute, "coupler", "right", (3 + c, s, 0), Z)
    one.joint("D", fl.Revolute, "base", "right", (3, 0, 0), Z)
    return one


def door():
    """A door of 1 m x 2 m on two hinges about the same line: either hinge alone would do."""
    one = Linkage(crank="lower", rate=1.5, drive={"rate": 2.6}, size=2.0)
    turn = Rotation.from_rotvec((-np.pi / 2, 0, 0)).as_matrix()  # its own z across it
    one.body("door", 20.0, (20 * 4.01 / 12, 20 * 1.01 / 12, 20 * 5.0 / 12), (0.5, 0.1, 0.05), turn)
    one.joint("lower", fl.Revolute, "base", "door", (0, 0, -0.8), Z)
    one.joint("upper", fl.Revolute, "base", "door", (0, 0, 0.7), Z)
    return one


def slider_crank():
    """Crank 1 m, rod 2.5 m, and a slider that two parallel guides hold where one would do."""
    one = Linkage(crank="bearing", rate=1.6, drive={"rate": 2.6}, size=3.5)
    P = np.array([np.cos(0.8), np.sin(0.8), 0])
    Q = np.array([P[0] + np.sqrt(2.5**2 - P[1] ** 2), 0, 0])
    one.bar("crank", (0, 0, 0), P, mass=30.0)
    one.bar("rod", P, Q)
    one.body("slider", 4.0, (0.3, 0.2, 0.25), Q + (0.1, 0.05, 0.1))
    one.joint("bearing", fl.Revolute, "base", "crank", (0, 0, 0), Z)
    one.joint("crank pin", fl.Revolute, "crank", "rod", P, Z)
    one.joint("gudgeon pin", fl.Revolute, "rod", "slider", Q, Z)
    one.joint("near guide", fl.Prismatic, "base", "slider", Q + (0, 0, 0.4), X)
    one.joint("far guide", fl.Prismatic, "base", "slider", Q - (0, 0, 0.3), X)
    return one


def sarrus():
    """Two hinged legs in planes at right angles guide a table straight along z: one equation of six revolutes idle."""
    one = Linkage(crank="A1", rate=0.8, spring=300.0, drive={"amplitude": 0.35, "frequency": 2.6}, size=3.0)
    c, s = 1.5 * np.cos(0.9), 1.5 * np.sin(0.9)
    one.body("table", 12.0, (1.5, 1.4, 2.6), (0.1, -0.05, 2 * s + 0.1))
    for leg, out, axis in (("A", X, Y), ("B", Y, -X)):
        foot, knee, hip = out, out * (1 + c) + Z * s, out + Z * 2 * s
        one.bar(f"lower {leg}", foot, knee, normal=axis)
        one.bar(f"upper {leg}", knee, hip, normal=axis)
        one.joint(f"{leg}1", fl.Revolute, "base", f"lower {leg}", foot, axis)
        one.joint(f"{leg}2", fl.Revolute, f"lower {leg}", f"upper {leg}", knee, axis)
        one.joint(f"{leg}3", fl.Revolute, f"upper {leg}", "table", hip, axis)
    return one


def closed_chain(lengths, twists, angles):
    """Points and axes of a closed chain of revolutes, by Denavit & Hartenberg 1955: turn, go along x, twist about x."""
    at, R, points, axes = np.zeros(3), np.eye(3), [], []
    for a, alpha, theta in zip(lengths, twists, angles):
        points.append(at)
        axes.append(R @ Z)
        R = R @ Rotation.from_rotvec(theta * Z).as_matrix()
        at = at + R @ (a * X)
        R = R @ Rotation.from_rotvec(alpha * X).as_matrix()
    assert np.abs(at).max() < 1e-13 and np.abs(R - np.eye(3)).max() < 1e-13, (at, R)
    return points, axes


def of_chain(one, points, axes):
    """The linkage of a closed chain; its last link is the base."""
    n = len(points)
    for i in range(n - 1):
        one.bar(f"link {i + 1}", points[i], points[i + 1], normal=axes[i], lean=0.05)
    names = ["base", *one.bodies, "base"]
    for i in range(n):
        if i < n - 1:
            one.joint(f"J{i + 1}", fl.Revolute, names[i], names[i + 1], points[i], axes[i])
        else:
            one.joint(f"J{n}", fl.Revolute, "base", names[i], points[i], axes[i])
    return one


def bennett():
    """Bennett's 4R: opposite links alike and a / sin(alpha) = b / sin(beta), none of its axes parallel or meeting.

    tan(theta1 / 2) tan(theta2 / 2) = sin((beta + alpha) / 2) / sin((beta - alpha) / 2) (Bennett 1914).
    """
    a, alpha, beta = 2.0, 0.7, 1.3
    b = a * np.sin(beta) / np.sin(alpha)
    first = 1.2
    ratio = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    second = 2 * np.arctan(ratio / np.tan(first / 2))
    chain = closed_chain((a, b, a, b), (alpha, beta, alpha, beta), (first, second, -first, -second))
    return of_chain(Linkage(crank="J1", rate=2.0, drive={"rate": 2.6}, size=3.0), *chain)


def bricard():
    """The threefold Bricard 6R: links of 1 m, twists of a right angle in turn; its axes meet in none of its points.

    cos(t1) + cos(t2) + cos(t1) cos(t2) = 0 for the angles in turn (from the closure of the chain).
    """
    first = 1.1
    second = np.arccos(-np.cos(first) / (1 + np.cos(first)))
    q = np.pi / 2
    chain = closed_chain((1.0,) * 6, (q, -q) * 3, (first, second) * 3)
    return of_chain(Linkage(crank="J1", rate=1.0, drive={"amplitude": 0.5, "frequency": 2.6}, size=2.0), *chain)


LINKAGES = {
    "four-bar": four_bar,
    "four-bar-ball": functools.partial(four_bar, ball=True),
    "parallelogram": parallelogram,
    "door": door,
    "slider-crank": slider_crank,
    "sarrus": sarrus,
    "bennett": bennett,
    "bricard": bricard,
}


@dataclass(frozen=True)
class Placement:
    """How the drawing is turned and moved, and what its base is."""

    turn: tuple = (0.0, 0.0, 0.0)  # rotation vector of the whole drawing [rad]
    shift: tuple = (0.0, 0.0, 0.0)
    base: str = "world"  # world | floating | spinning
    driven: bool = False
    velocity: tuple = (0.0, 0.0, 0.0)
    angular_velocity: tuple = (0.0, 0.0, 0.0)  # of a floating platform, its own axes
    speed: float = 1.0  # of the crank where it is free, in terms of the linkage's own


TURN, SHIFT = (0.4, -0.7, 0.5), (1.3, -0.6, 2.1)
PLACEMENTS = {
    "grounded": Placement(),
    "tilted": Placement(TURN, SHIFT),
    "floating": Placement(TURN, SHIFT, "floating", False, (0.2, -0.1, 0.3), (0.1, 0.2, -0.15), speed=1.7),
    "crank-driven": Placement(TURN, SHIFT, "floating", driven=True),
    "spinning": Placement(TURN, SHIFT, "spinning"),
    "tumbling": Placement(TURN, SHIFT, "floating", angular_velocity=(0.8, 0.9, -0.6), speed=0.8),
    "crank-driven-on-ground": Placement(TURN, SHIFT, driven=True),
}
# The Moon's, so that 5 s stay gentle enough for rk4 at 0.0025 s by `partition` too, whose errors are about a hundred
# times those by projection: 4.2e-6 for the tilted four-bar on Earth (sixteen times less at half the step), where
# projection had 1.8e-8. The slider-crank was slowed for the same reason, though its 8.4e-6 on the spinning base fell to
# 1.3e-9 at half the step, which is no error of order four: faster motions are not covered for `partition`.
# In the plane of a linkage drawn as it is, off it where tilted.
GRAVITY = (0.0, -1.62, 0.0)


def model_of(linkage, placement):
    """The model of a linkage in a placement, both by name."""
    one, place = LINKAGES[linkage](), PLACEMENTS[placement]
    T, shift = Rotation.from_rotvec(place.turn).as_matrix(), np.array(place.shift)
    base = "world" if place.base == "world" else "platform"
    bodies, joints = {}, {}
    if base == "platform":
        total = sum(mass for mass, *_ in one.bodies.values())
        m, s = 3.0 * total, one.size
        bodies["platform"] = fl.Body(
            m,
            tuple(m * s**2 * np.array([0.20, 0.28, 0.36])),
            tuple(shift + T @ (s * np.array([-0.6, 0.45, -0.5]))),  # the loop is beside its mass centre
            {"matrix": Rotation.from_rotvec((0.2, 0.3, -0.6)).as_matrix().tolist()},
            place.velocity,
            place.angular_velocity,
        )
    if place.base == "spinning":
        point, axis = shift + T @ (one.size * np.array([0.3, -0.4, 0.2])), Rotation.from_rotvec((0.5, 0.3, 0)).apply(Z)
        joints["turntable"] = fl.Revolute("world", base, tuple(point), tuple(axis), motion=fl.Rate(1.2))
    for name, (mass, inertia, position, R) in one.bodies.items():
        bodies[name] = fl.Body(mass, tuple(inertia), tuple(shift + T @ position), {"matrix": (T @ R).tolist()})
    for name, (kind, parent, child, point, axis) in one.joints.items():
        ends = (base if end == "base" else end for end in (parent, child))
        more = {} if axis is None else {"axis": tuple(T @ axis)}
        if name == one.crank:
            more |= {"motion": _motion(one.drive)} if place.driven else {"rate": place.speed * one.rate}
            more |= {"spring": one.spring} if one.spring and not place.driven else {}
        joints[name] = kind(*ends, point=tuple(shift + T @ point), **more)
    return fl.Model(f"{linkage} {placement}", bodies, joints, gravity=GRAVITY)


def _motion(drive):
    return fl.Rate(drive["rate"]) if "rate" in drive else fl.Sine(drive["amplitude"], frequency=drive["frequency"])


@functools.cache
def system_of(linkage, placement):
    """The witness of a linkage in a placement."""
    base = "world" if PLACEMENTS[placement].base == "world" else "platform"
    pairs = [tuple(base if end == "base" else end for end in pair) for pair in LINKAGES[linkage]().parallel]
    return System(model_of(linkage, placement), pairs)


@functools.cache
def witness_of(linkage, placement, duration=DURATION):
    """Times and the witness's states at them."""
    times = np.arange(round(duration / EVERY) + 1) * EVERY
    return times, system_of(linkage, placement).motion(times)


FORMS = {
    "cloud": {"formulation": "cloud"},
    "articulated": {"formulation": "articulated"},
    "projection": {"formulation": "constrained", "closing": "projection"},
    "projection-ep": {"formulation": "constrained", "closing": "projection", "unknowns": "euler-parameters"},
    "partition": {"formulation": "constrained", "closing": "partition"},
    "partition-ep": {"formulation": "constrained", "closing": "partition", "unknowns": "euler-parameters"},
}
VARIANTS = {"default": {}} | {
    f"{form}-{integrator}": options | ({} if integrator == "rk4" else {"integrator": integrator})
    for integrator in ("rk4", "dop853")
    for form, options in FORMS.items()
}


@dataclass(frozen=True)
class Outcome:
    """What a case gave: deviation from the witness, the audit, what was said of redundancy, and a failure if any."""

    deviation: float
    audit: bool
    redundant: tuple = ()
    not_unique: tuple = ()
    failure: str = ""
    data: object = field(default=None, repr=False)

    def __str__(self):
        verdict = "PASS" if self.audit else "FAIL"
        return f"{self.deviation:10.2e}  {verdict}  {len(self.redundant)} redundant  {self.failure}"


def run_case(linkage, placement, variant, duration=DURATION, dt=DT):
    """The outcome of one line of the matrix: (deviation relative to scale, audit passed) and more."""
    model = model_of(linkage, placement)
    try:
        data = fl.simulate(
            model, duration, dt, output_every=round(EVERY / 10 / dt), progress=False, **VARIANTS[variant]
        )
    except fl.NumericalFailure as error:
        return Outcome(np.inf, False, failure=str(error))
    checked = fl.audit(data)
    failure = "; ".join(check.name for check in checked.failures)
    redundant, not_unique = (
        tuple(filter(None, data.attrs.get(name, "").split("; ")))
        for name in ("redundant_equations", "reactions_not_unique")
    )
    found = deviation(data, linkage, placement, duration)
    return Outcome(found, checked.passed, redundant, not_unique, failure, data)


def deviation(data, linkage, placement, duration=DURATION):
    """The largest difference from the witness on the scale of the linkage (`difference`)."""
    times, states = witness_of(linkage, placement, duration)
    x, R, v, w = system_of(linkage, placement).histories(states)
    at = np.searchsorted(data.time.values, times - 1e-9)
    rows = data.isel(time=at).sel(body=system_of(linkage, placement).names)
    assert np.abs(rows.time.values - times).max() < 1e-9
    ours = Rotation.from_quat(rows.orientation.values.reshape(-1, 4), scalar_first=True).as_matrix().reshape(R.shape)
    w_ours = np.einsum("tbij,tbj->tbi", ours, rows.angular_velocity.values)
    return difference((rows.position.values, ours, rows.velocity.values, w_ours), (x, R, v, w), linkage)


def difference(ours, witness, linkage):
    """The largest difference between two histories x, R, v, w of all bodies: of places by the linkage's size L, of
    attitudes by one, of angular velocities by the largest W there is, of velocities by L W."""
    L, W = LINKAGES[linkage]().size, np.linalg.norm(witness[3], axis=-1).max()
    return max(np.abs(a - b).max() / scale for a, b, scale in zip(ours, witness, (L, 1.0, L * W, W)))


if __name__ == "__main__":
    asked = [set(filter(None, part.split(","))) for part in [*sys.argv[1:4], "", "", ""]]  # several by commas, or all
    for linkage in LINKAGES:
        for placement in PLACEMENTS:
            for variant in VARIANTS:
                if all(not want or name in want for want, name in zip(asked, (linkage, placement, variant))):
                    print(
                        f"{linkage:14} {placement:23} {variant:21}", run_case(linkage, placement, variant), flush=True
                    )
