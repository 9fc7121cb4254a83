"""Trajectories for the audit's tests, integrated here by scipy from Newton's and Euler's equations.

Nothing of the simulator is used: bodies move by m a = f and I al = n - w x (I w + h), works and impulses are extra
states of the same integration (DOP853, rtol 1e-12), so a right Dataset is right to about 1e-10.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

WORLD = -1


@dataclass
class Rigid:
    """A body: mass [kg], inertia [kg m2] (3, 3) body axes, wheel momentum [kg m2/s] body axes, and its start."""

    mass: float
    inertia: np.ndarray
    r: tuple = (0.0, 0.0, 0.0)
    v: tuple = (0.0, 0.0, 0.0)
    q: tuple = (1.0, 0.0, 0.0, 0.0)
    w: tuple = (0.0, 0.0, 0.0)
    h: tuple = (0.0, 0.0, 0.0)


@dataclass
class Line:
    """A spring and damper from point `p` of body `a` (body axes) to point `s` of body `b`, or of the world."""

    a: int
    p: tuple
    b: int
    s: tuple
    stiffness: float = 20.0
    length: float = 0.5
    damping: float = 0.0


@dataclass
class Case:
    """Bodies, lines and gravity [m/s2]."""

    bodies: list[Rigid]
    lines: list[Line] = field(default_factory=list)
    g: tuple = (0.0, 0.0, 0.0)


def matrix(q):
    """Rotation matrix of a quaternion, scalar first."""
    w, x, y, z = np.asarray(q, float) / math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2 + q[3] ** 2)
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


def cross(a, b):
    """The vector product of two vectors of three, faster than numpy's for such small ones."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def quaternion_rate(q, w_B):
    """q' = 1/2 q (0, w) with w in body axes."""
    s, e = q[0], q[1:]
    return 0.5 * np.concatenate([[-e @ w_B], s * w_B + cross(e, w_B)])


def _point(case, y, body, p):
    """Position, velocity and arm from the mass centre of point p (body axes) of a body, in the world."""
    if body == WORLD:
        return np.asarray(p, float), np.zeros(3), np.zeros(3)
    s = y[13 * body : 13 * body + 13]
    R = matrix(s[6:10])
    arm = R @ np.asarray(p, float)
    return s[:3] + arm, s[3:6] + cross(R @ s[10:13], arm), arm


def _ends(case):
    """Rows of the load record: (line, body, point, sign of the pull, internal)."""
    rows = []
    for line in case.lines:
        inside = line.b != WORLD
        rows.append((line, line.a, line.p, 1.0, inside))
        if inside:
            rows.append((line, line.b, line.s, -1.0, inside))
    return rows


def _wrench(case, y, row):
    line, body, p, sign, _ = row
    xa, va, _ = _point(case, y, line.a, line.p)
    xb, vb, _ = _point(case, y, line.b, line.s)
    d = xb - xa
    n = d / np.linalg.norm(d)
    f = sign * n * (line.stiffness * (np.linalg.norm(d) - line.length) + line.damping * (vb - va) @ n)
    _, v, arm = _point(case, y, body, p)
    return f, cross(arm, f), f @ v


def observe(case, y):
    """Accelerations, load rows and powers at one state."""
    B, g = len(case.bodies), np.asarray(case.g, float)
    rows = _ends(case)
    wrenches = [_wrench(case, y, row) for row in rows]
    a, al = np.zeros((B, 3)), np.zeros((B, 3))
    for k, body in enumerate(case.bodies):
        s = y[13 * k : 13 * k + 13]
        f = sum((w[0] for w, row in zip(wrenches, rows) if row[1] == k), np.zeros(3))
        n = sum((w[1] for w, row in zip(wrenches, rows) if row[1] == k), np.zeros(3))
        a[k] = f / body.mass + g
        w = s[10:13]
        n_B = matrix(s[6:10]).T @ n - cross(w, body.inertia @ w + np.asarray(body.h))
        al[k] = np.linalg.solve(body.inertia, n_B)
    return a, al, rows, wrenches


def integrate(case, time):
    """A Dataset of the case with everything a simulation records, at these instants."""
    B, m = len(case.bodies), np.array([body.mass for body in case.bodies])
    g, rows = np.asarray(case.g, float), _ends(case)
    L = len(rows)

    def rate(_, y):
        a, al, rows, wrenches = observe(case, y)
        dy = np.zeros_like(y)
        r_S = sum(mk * y[13 * k : 13 * k + 3] for k, mk in enumerate(m)) / m.sum()
        force, moment = m.sum() * g, np.zeros(3)
        for k in range(B):
            s = y[13 * k : 13 * k + 13]
            dy[13 * k : 13 * k + 13] = np.concatenate([s[3:6], a[k], quaternion_rate(s[6:10], s[10:13]), al[k]])
        for i, ((f, n, power), row) in enumerate(zip(wrenches, rows)):
            dy[13 * B + i] = power
            if not row[4]:
                force = force + f
                moment = moment + n + cross(y[13 * row[1] : 13 * row[1] + 3] - r_S, f)
        dy[13 * B + L :] = np.concatenate([force, moment])
        return dy

    start = np.concatenate([np.concatenate([b.r, b.v, b.q, b.w]) for b in case.bodies] + [np.zeros(L + 6)])
    y = solve_ivp(rate, (time[0], time[-1]), start, "DOP853", t_eval=time, rtol=1e-12, atol=1e-13).y.T
    s = y[:, : 13 * B].reshape(len(time), B, 13)
    seen = [observe(case, row) for row in y]
    record = {
        "position": s[:, :, :3],
        "velocity": s[:, :, 3:6],
        "orientation": s[:, :, 6:10] / np.linalg.norm(s[:, :, 6:10], axis=-1, keepdims=True),
        "angular_velocity": s[:, :, 10:13],
        "acceleration": np.array([o[0] for o in seen]),
        "angular_acceleration": np.array([o[1] for o in seen]),
    }
    extra = {
        "external_impulse": (("time", "xyz"), y[:, 13 * B + L : 13 * B + L + 3]),
        "external_angular_impulse": (("time", "xyz"), y[:, 13 * B + L + 3 :]),
    }
    coords = {}
    if L:
        extra["load_force"] = ("time", "load", "xyz"), np.array([[w[0] for w in o[3]] for o in seen])
        extra["load_moment"] = ("time", "load", "xyz"), np.array([[w[1] for w in o[3]] for o in seen])
        extra["load_work"] = ("time", "load"), y[:, 13 * B : 13 * B + L]
        coords = {
            "load_body": ("load", [f"b{row[1] + 1}" for row in rows]),
            "load_internal": ("load", [int(row[4]) for row in rows]),
        }
    return dataset(time, record, case, extra, coords)


def dataset(time, record, case, extra=None, coords=None):
    """The Dataset of body records, with constants and the momentum and energy a simulation would report."""
    last = {"orientation": "wxyz"}
    variables = {n: (("time", "body", last.get(n, "xyz")), np.array(v)) for n, v in record.items()}
    inertia = np.array([b.inertia for b in case.bodies], float)
    m, h = np.array([b.mass for b in case.bodies]), np.array([b.h for b in case.bodies], float)
    variables |= {
        "mass": ("body", m),
        "inertia": (("body", "xyz", "column"), inertia),
        "wheel_momentum": (("body", "xyz"), h),
        "gravity": ("xyz", np.asarray(case.g, float)),
    }
    names = [f"b{k + 1}" for k in range(len(m))]
    data = xr.Dataset(variables | (extra or {}), coords={"time": time, "body": names} | (coords or {}))
    return data.assign(reported(data))


def reported(data):
    """Momentum and energy by plain loops: the 'simulation's own' figures, an independent second coding."""
    P, H, T, V = [], [], [], []
    m, I, h, g = (data[n].values for n in ("mass", "inertia", "wheel_momentum", "gravity"))
    for r, v, q, w in zip(*(data[n].values for n in ("position", "velocity", "orientation", "angular_velocity"))):
        R, Rd = m @ r / m.sum(), m @ v / m.sum()
        P.append(m @ v)
        H.append(sum(matrix(q[k]) @ (I[k] @ w[k] + h[k]) + m[k] * cross(r[k] - R, v[k] - Rd) for k in range(len(m))))
        T.append(sum(0.5 * m[k] * v[k] @ v[k] + 0.5 * w[k] @ I[k] @ w[k] for k in range(len(m))))
        V.append(-m @ (r @ g))
    return {
        "momentum": (("time", "xyz"), np.array(P)),
        "angular_momentum": (("time", "xyz"), np.array(H)),
        "kinetic_energy": ("time", np.array(T)),
        "potential_energy": ("time", np.array(V)),
    }


def clock(time, g=(0.0, 0.0, 0.0), wheel=(0.4, -0.3, 0.9)):
    """Two free bodies on a driven hinge, from momentum conservation: a clock's case and its hand.

    The case turns as H = const demands: w1 solves P w1 + H_rel(phi, phi') = R^T H. Only its attitude and the driver's
    work are integrated. The driver's moment is that of Newton and Euler for the hand, at the hinge, about its axis.
    """
    case = Case(
        [
            Rigid(3.0, np.diag([0.5, 0.8, 1.1]), h=wheel),
            Rigid(1.2, np.array([[0.30, 0.02, 0.0], [0.02, 0.25, -0.03], [0.0, -0.03, 0.12]])),
        ],
        g=g,
    )
    one, two = case.bodies
    M, g = one.mass + two.mass, np.asarray(g, float)
    axis, d, c = np.array([0.0, 0.6, 0.8]), np.array([0.5, 0.1, 0.2]), np.array([0.1, 0.0, 0.7])
    R0, Rd0 = np.array([1.0, 2.0, 3.0]), np.array([0.2, -0.1, 0.3])

    def drive(t):
        return 0.5 * t + 0.4 * np.sin(2 * t), 0.5 + 0.8 * np.cos(2 * t)

    def motion(t, q, H_W):
        phi, rate = drive(t)
        R1, R12 = matrix(q), matrix((math.cos(phi / 2), *(math.sin(phi / 2) * axis)))
        I2 = R12 @ two.inertia @ R12.T
        r12 = d + R12 @ c  # hand's mass centre from the case's, case axes
        v12 = rate * cross(axis, R12 @ c)
        rho1, rho2 = -two.mass / M * r12, one.mass / M * r12
        mu = one.mass * two.mass / M
        P = one.inertia + I2 + mu * (r12 @ r12 * np.eye(3) - np.outer(r12, r12))
        rel = I2 @ axis * rate + mu * cross(r12, v12) + np.asarray(wheel)
        w1 = np.linalg.solve(P, R1.T @ H_W - rel)
        w2 = w1 + axis * rate
        r_S, v_S = R0 + Rd0 * t + g * t * t / 2, Rd0 + g * t
        turn = cross(w1, r12) + v12
        v1, v2 = v_S - R1 @ (two.mass / M * turn), v_S + R1 @ (one.mass / M * turn)
        return (
            np.array([r_S + R1 @ rho1, r_S + R1 @ rho2]),
            np.array([v1, v2]),
            np.array([R1, R1 @ R12]),
            np.array([w1, R12.T @ w2]),
        )

    def full(t, q, H_W):
        """The motion with accelerations, by Richardson differences along the flow (error of order step^4)."""
        r, v, R, w = motion(t, q, H_W)
        spin = Rotation.from_quat(q, scalar_first=True)

        def along(step):
            moved = (spin * Rotation.from_rotvec(w[0] * step)).as_quat(scalar_first=True)
            _, v, _, w_ = motion(t + step, moved, H_W)
            return np.array([v, w_])

        e = 2e-3
        change = (8 * (along(e) - along(-e)) - (along(2 * e) - along(-2 * e))) / (12 * e)
        return r, v, R, w, change[0], change[1]

    def moment(t, q, H_W):
        r, _, R, w, a, al = full(t, q, H_W)
        f = two.mass * (a[1] - g)
        n = R[1] @ (two.inertia @ al[1] + cross(w[1], two.inertia @ w[1]))
        hinge = r[0] + R[0] @ d
        return (n + cross(r[1] - hinge, f)) @ (R[0] @ axis)

    H_W = np.array([0.9, 1.4, -0.8])

    def rate(t, y):
        q = y[:4] / np.linalg.norm(y[:4])
        w1 = motion(t, q, H_W)[3][0]
        return np.concatenate([quaternion_rate(y[:4], w1), [moment(t, q, H_W) * drive(t)[1]]])

    start = np.array([1.0, 0.0, 0.0, 0.0, 0.0])
    y = solve_ivp(rate, (time[0], time[-1]), start, "DOP853", t_eval=time, rtol=1e-10, atol=1e-12).y.T
    q = y[:, :4] / np.linalg.norm(y[:, :4], axis=1, keepdims=True)
    parts = [full(t, qk, H_W) for t, qk in zip(time, q)]
    r, v, R, w, a, al = (np.array([part[k] for part in parts]) for k in range(6))
    quaternions = Rotation.from_matrix(R.reshape(-1, 3, 3)).as_quat(scalar_first=True).reshape(len(time), 2, 4)
    record = {
        "position": r,
        "velocity": v,
        "acceleration": a,
        "orientation": quaternions,
        "angular_velocity": w,
        "angular_acceleration": al,
    }
    extra = {"driver_work": (("time", "coordinate"), y[:, 4:])}
    coords = {
        "coordinate_role": ("coordinate", ["driven"]),
        "joint_parent": ("joint", ["b1"]),
        "joint_child": ("joint", ["b2"]),
    }
    return dataset(time, record, case, extra, coords)


def pendulum(time, reverse=False):
    """A rigid pendulum on a hinge to the world (th'' = -m g l sin th / (I + m l^2)), with the hinge's force.

    With `reverse` the joint is recorded from the body to the world, so that its wrench has the other sign.
    """
    case = Case([Rigid(2.0, np.diag([0.4, 0.3, 0.2]))], g=(0.0, 0.0, -9.8))
    m, l, g, I = 2.0, 0.7, 9.8, 0.4
    k = m * g * l / (I + m * l * l)
    y = solve_ivp(lambda t, y: [y[1], -k * np.sin(y[0])], (time[0], time[-1]), [1.1, 0.4], "DOP853", t_eval=time,
                  rtol=1e-12, atol=1e-13).y.T  # fmt: skip
    th, om = y.T
    al = -k * np.sin(th)
    zero = np.zeros_like(th)
    pivot = np.array([3.0, -2.0, 5.0])
    arm = l * np.stack([zero, np.sin(th), -np.cos(th)], 1)
    along, inward = l * np.stack([zero, np.cos(th), np.sin(th)], 1), -arm
    a = along * al[:, None] + inward * (om**2)[:, None]
    record = {
        "position": (pivot + arm)[:, None],
        "velocity": (along * om[:, None])[:, None],
        "acceleration": a[:, None],
        "orientation": np.stack([np.cos(th / 2), np.sin(th / 2), zero, zero], 1)[:, None],
        "angular_velocity": np.stack([om, zero, zero], 1)[:, None],
        "angular_acceleration": np.stack([al, zero, zero], 1)[:, None],
    }
    sign = -1.0 if reverse else 1.0
    force = m * (a - np.array([0.0, 0.0, -g]))
    extra = {
        "joint_point": (("time", "joint", "xyz"), np.tile(pivot, (len(time), 1, 1))),
        "joint_force": (("time", "joint", "xyz"), sign * force[:, None]),
        "joint_moment": (("time", "joint", "xyz"), np.zeros((len(time), 1, 3))),
    }
    ends = ("b1", "world") if reverse else ("world", "b1")
    coords = {"joint_parent": ("joint", [ends[0]]), "joint_child": ("joint", [ends[1]])}
    return dataset(time, record, case, extra, coords)


def asymmetric(w=(0.3, 1.2, -0.5), g=(0.0, 0.0, 0.0), h=(0.0, 0.0, 0.0)):
    """One free body with three different moments of inertia."""
    return Case([Rigid(2.0, np.diag([1.0, 2.0, 2.5]), v=(0.4, -0.2, 1.0), w=w, h=h)], g=g)


def sprung(g=(0.0, 0.0, 0.0), anchored=False, damping=0.0):
    """Two bodies joined by a spring off their mass centres; anchored by another to the world if asked."""
    bodies = [
        Rigid(2.0, np.diag([1.0, 2.0, 2.5]), v=(0.1, 0.2, 0.0), w=(0.3, 0.6, -0.5)),
        Rigid(
            1.0, np.array([[0.5, 0.05, 0.0], [0.05, 0.4, 0.0], [0.0, 0.0, 0.3]]), r=(1.5, 0.3, 0.2), w=(-0.4, 0.2, 0.7)
        ),
    ]
    lines = [Line(0, (0.4, 0.1, 0.0), 1, (-0.3, 0.0, 0.1), damping=damping)]
    if anchored:
        lines.append(Line(0, (-0.3, 0.2, 0.1), WORLD, (-1.0, 0.0, 1.5), stiffness=30.0, damping=damping))
    return Case(bodies, lines, g)
