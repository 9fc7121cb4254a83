"""Motion of bodies held by joints, loops and redundant equations included, in maximal coordinates by dense SVD.

Every joint is written as scalar equations of two kinds, from its definition alone:

- dot:   s . r = 0, with s fixed in the parent (turned about its axis by the driven angle) and r fixed in the child,
- slide: e . d = q(t), with e fixed in the parent and d the way from the parent's point to the child's.

Accelerations solve min |M^(1/2) (a - a_free)| under A a = b (Gauss 1829; the KKT system
[M A^T; A 0] [a; lambda] = [f; b]), by the SVD of A M^(-1/2) (Udwadia & Kalaba 1992, Eq. 14), which needs no choice
of independent equations. The rank is found once, where the drawing is closed to rounding and its singular values have
a gap of many orders; later the same number of singular values is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import DOP853
from scipy.spatial.transform import Rotation

from witness.spatial import drawn_rotation

RANK = 1e-8  # of the largest singular value; a drawing closed to rounding has its redundant ones near 1e-15
GAP = 1e2  # that singular values kept and left must stay apart along the motion


@dataclass(frozen=True)
class Driver:
    """A coordinate given over time as q, its rate and its acceleration."""

    rate: float = 0.0
    amplitude: float = 0.0
    frequency: float = 0.0

    def __call__(self, t):
        a, w = self.amplitude, self.frequency
        sine, cosine = np.sin(w * t), np.cos(w * t)
        return self.rate * t + a * sine, self.rate + a * w * cosine, -a * w * w * sine


STILL = Driver()


def driver_of(motion):
    """The driver of a model's motion: a rate, or a sine without phase and mean."""
    if motion is None:
        return STILL
    if type(motion).__name__ == "Rate":
        return Driver(rate=float(motion.value))
    assert type(motion).__name__ == "Sine" and not motion.phase and not motion.mean
    return Driver(amplitude=float(motion.amplitude), frequency=float(motion.frequency))


def across(axis):
    """Two unit vectors that make a right-handed triad with an axis."""
    axis = np.array(axis, float) / np.linalg.norm(axis)
    first = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    first /= np.linalg.norm(first)
    return axis, first, np.cross(axis, first)


def cross(a, b):
    """a x b row by row (np.cross takes several times as long for a few rows)."""
    out = np.empty((len(a), 3))
    (a0, a1, a2), (b0, b1, b2) = a.T, b.T
    out[:, 0], out[:, 1], out[:, 2] = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
    return out


def dot(a, b):
    """a . b row by row."""
    return (a * b).sum(axis=1)


def matrices(q):
    """R of unit quaternions, scalar first (normalised here)."""
    q = q / np.sqrt((q * q).sum(axis=1))[:, None]
    w, x, y, z = q.T
    R = np.empty((len(q), 3, 3))
    R[:, 0, 0], R[:, 1, 1], R[:, 2, 2] = 1 - 2 * (y * y + z * z), 1 - 2 * (x * x + z * z), 1 - 2 * (x * x + y * y)
    R[:, 0, 1], R[:, 1, 0] = 2 * (x * y - w * z), 2 * (x * y + w * z)
    R[:, 0, 2], R[:, 2, 0] = 2 * (x * z + w * y), 2 * (x * z - w * y)
    R[:, 1, 2], R[:, 2, 1] = 2 * (y * z - w * x), 2 * (y * z + w * x)
    return R


class Rows:
    """The scalar equations of one kind as arrays; the world is the last body."""

    def __init__(self, rows, bodies):
        self.joint = [row["joint"] for row in rows]
        self.parent = np.array([row["parent"] for row in rows], int)
        self.child = np.array([row["child"] for row in rows], int)
        self.drivers = [(number, row["driver"]) for number, row in enumerate(rows) if row["driver"] is not STILL]
        self.vectors = {
            name: np.array([row[name] for row in rows], float).reshape(-1, 3) for name in rows[0] if name[1:] == "_B"
        }
        self.bodies = bodies

    def driven(self, t):
        """q, its rate and its acceleration of every row."""
        out = np.zeros((3, len(self.joint)))
        for number, driver in self.drivers:
            out[:, number] = driver(t)
        return out

    def turned(self, name, R):
        """Vectors fixed in parents (p, s, e, a) or children (c, r) in world axes."""
        body = self.child if name in "cr" else self.parent
        return (R[body] @ self.vectors[f"{name}_B"][:, :, None])[:, :, 0]

    def jacobian(self, at_parent, at_child, along=None):
        """The dense rows of angular (and linear) coefficients; columns of a body: linear, then angular."""
        n = len(self.joint)
        A = np.zeros((n, self.bodies + 1, 6))
        number = np.arange(n)
        A[number, self.parent, 3:] += at_parent
        A[number, self.child, 3:] += at_child
        if along is not None:
            A[number, self.parent, :3] -= along
            A[number, self.child, :3] += along
        return A[:, :-1].reshape(n, -1)


class Dots(Rows):
    """s . r = 0; the rate is (w_s - w_c) . (s x r) with w_s = w_p + q' a."""

    def at(self, t, x, R, v, w):
        """Residual, Jacobian, right side of the velocities and of the accelerations."""
        q, dq, ddq = self.driven(t)
        a, r = self.turned("a", R), self.turned("r", R)
        s = self.turned("s", R)
        s = np.cos(q)[:, None] * s + np.sin(q)[:, None] * cross(a, s)  # s is across a where q is not zero
        w_p, w_c = w[self.parent], w[self.child]
        w_s = w_p + dq[:, None] * a
        normal = cross(s, r)
        turning = cross(cross(w_s, s), r) + cross(s, cross(w_c, r))
        given = ddq[:, None] * a + dq[:, None] * cross(w_p, a)
        bias = dot(w_s - w_c, turning) + dot(given, normal)
        rate = dq * dot(a, normal)
        return dot(s, r), self.jacobian(normal, -normal), -rate, -bias


class Slides(Rows):
    """e . d = q; the rate is e . (v_c + w_c x c - v_p - w_p x p) + (w_p x e) . d."""

    def at(self, t, x, R, v, w):
        """Residual, Jacobian, right side of the velocities and of the accelerations."""
        q, dq, ddq = self.driven(t)
        e, p, c = (self.turned(name, R) for name in "epc")
        w_p, w_c = w[self.parent], w[self.child]
        d = x[self.child] + c - x[self.parent] - p
        dd = v[self.child] + cross(w_c, c) - v[self.parent] - cross(w_p, p)
        de = cross(w_p, e)
        bias = dot(e, cross(w_c, cross(w_c, c)) - cross(w_p, cross(w_p, p)))
        bias += 2 * dot(de, dd) + dot(cross(w_p, de), d)
        A = self.jacobian(-cross(p + d, e), cross(c, e), e)
        return dot(e, d) - q, A, dq, ddq - bias


class System:
    """A model's bodies and joints as equations; `parallel` lists pairs of bodies that keep their relative attitude.

    Such a pair is no joint of the model: it names the branch a linkage stays on where it could fold (the coupler of a
    parallelogram does not turn), so that the equations keep their rank there. Its reactions are zero on that branch.
    """

    def __init__(self, model, parallel=()):
        self.names = list(model.bodies)
        self.joints = list(model.joints)
        self.number = {name: number for number, name in enumerate([*self.names, "world"])}
        self.count = len(self.names)
        bodies = list(model.bodies.values())
        self.mass = np.array([body.mass for body in bodies])
        self.gravity = np.array(model.gravity)
        size, axes = np.linalg.eigh([body.inertia for body in bodies])
        self.inertia = np.array([body.inertia for body in bodies], float)
        self.root = np.einsum("nij,nj,nkj->nik", axes, size**-0.5, axes)  # I^(-1/2) in body axes
        self.x0 = np.array([body.position for body in bodies], float)
        self.R0 = np.array([drawn_rotation(body) for body in bodies])
        self.dots, self.slides, self.started, self.springs = [], [], [], []
        for name, joint in model.joints.items():
            self._add(name, joint)
        for parent, child in parallel:
            self._hold_attitude("", parent, child, (0, 0, 1), STILL)  # a row without a joint's name
        self.kinds = [kind(rows, self.count) for kind, rows in ((Dots, self.dots), (Slides, self.slides)) if rows]
        self.velocity0 = self._start(model)

    def _pose(self, body):
        return (self.x0[body], self.R0[body]) if body < self.count else (np.zeros(3), np.eye(3))

    def _dot(self, name, parent, child, s, r, axis=(0, 0, 1), driver=STILL):
        R_p, R_c = self._pose(parent)[1], self._pose(child)[1]
        row = {"joint": name, "parent": parent, "child": child, "driver": driver}
        self.dots.append({**row, "s_B": R_p.T @ s, "a_B": R_p.T @ np.array(axis), "r_B": R_c.T @ r})

    def _slide(self, name, parent, child, e, point, driver=STILL):
        (x_p, R_p), (x_c, R_c) = self._pose(parent), self._pose(child)
        row = {"joint": name, "parent": parent, "child": child, "driver": driver, "e_B": R_p.T @ e}
        self.slides.append({**row, "p_B": R_p.T @ (point - x_p), "c_B": R_c.T @ (point - x_c)})

    def _hold_attitude(self, name, parent, child, axis, driver):
        axis, first, second = across(axis)
        parent, child = (self.number.get(one, one) for one in (parent, child))
        self._dot(name, parent, child, first, axis)
        self._dot(name, parent, child, second, axis)
        self._dot(name, parent, child, first, second, axis, driver)

    def _add(self, name, joint):
        """The equations of a joint from its definition; a driven coordinate adds one."""
        kind = type(joint).__name__
        parent, child = self.number[joint.parent], self.number[joint.child]
        point = np.array(joint.point if joint.point is not None else self._pose(child)[0], float)
        if kind == "Spherical":
            for e in np.eye(3):
                self._slide(name, parent, child, e, point)
            return
        motion = next(iter(joint.motion.values()), None)
        axis, first, second = across(joint.axis)
        if kind == "Prismatic":
            self._hold_attitude(name, parent, child, axis, STILL)
            held = (first, second)
        else:
            self._dot(name, parent, child, first, axis)
            self._dot(name, parent, child, second, axis)
            held = {"Revolute": (first, second, axis), "Cylindrical": (first, second)}[kind]
            if motion is not None:
                self._dot(name, parent, child, first, second, axis, driver_of(motion))
        for e in held:
            self._slide(name, parent, child, e, point)
        if kind == "Prismatic" and motion is not None:
            self._slide(name, parent, child, axis, point, driver_of(motion))
        for spring in joint.spring.values():
            vectors = [self._pose(parent)[1].T @ part for part in (axis, first, second)]
            stiffness, rest = float(spring.stiffness), float(spring.rest)
            self.springs.append((parent, child, vectors, self._pose(child)[1].T @ first, stiffness, rest))
        for rate in joint.rate.values():
            if float(rate):
                self.started.append((kind, parent, child, axis, point, float(rate)))

    def equations(self, t, x, R, v, w):
        """Residual, Jacobian and right sides of all rows."""
        ground = (np.zeros((1, 3)), np.eye(3)[None], np.zeros((1, 3)), np.zeros((1, 3)))
        state = [np.concatenate([own, still]) for own, still in zip((x, R, v, w), ground)]
        parts = [kind.at(t, *state) for kind in self.kinds]
        return tuple(np.concatenate([part[k] for part in parts]) for k in range(4))

    def scaled(self, A, R):
        """A M^(-1/2), and M^(-1/2) as blocks."""
        roots = np.zeros((self.count, 6, 6))
        roots[:, range(3), range(3)] = self.mass[:, None] ** -0.5
        roots[:, 3:, 3:] = R @ self.root @ R.transpose(0, 2, 1)
        return (A.reshape(len(A), self.count, 1, 6) @ roots).reshape(A.shape), roots

    def smallest(self, B, roots, right):
        """The smallest change in the sense of mass that answers the right side, with the rank of the drawing."""
        U, size, V = np.linalg.svd(B, full_matrices=False)
        if not hasattr(self, "rank"):
            self.rank = int((size > RANK * size[0]).sum())
        k = self.rank
        if k < len(size) and size[k - 1] < GAP * size[k]:
            raise ArithmeticError(f"rank is not clear: {size}")
        answer = V[:k].T @ ((U[:, :k].T @ right) / size[:k])
        return np.einsum("bij,bj->bi", roots, answer.reshape(self.count, 6))

    def _start(self, model):
        """Velocities: those of floating bases as drawn, of everything else by the joints and the given rates."""
        x, R = self.x0, self.R0
        zero = np.zeros((self.count, 3))
        phi, A, rate, _ = self.equations(0.0, x, R, zero, zero)
        assert np.abs(phi).max() < 1e-12, f"the drawing is open by {np.abs(phi).max():.3g}"
        self.smallest(*self.scaled(A, R), rate)  # sets the rank
        more, right = [A], [rate]
        for kind, parent, child, axis, _, value in self.started:
            row = np.zeros((1, self.count + 1, 6))
            part = slice(0, 3) if kind == "Prismatic" else slice(3, 6)
            row[0, parent, part], row[0, child, part] = -axis, axis
            assert kind != "Prismatic" or parent == self.count
            more.append(row[:, :-1].reshape(1, -1))
            right.append([value])
        floats = all("world" not in (joint.parent, joint.child) for joint in model.joints.values())
        for number, body in enumerate(model.bodies.values()):
            if floats and number == 0:  # the base, at rest too
                row = np.zeros((6, self.count, 6))
                row[range(6), number, range(6)] = 1.0
                more.append(row.reshape(6, -1))
                right.append(np.concatenate([body.velocity, R[number] @ body.angular_velocity]))
        A, right = np.concatenate(more), np.concatenate(right)
        found = np.linalg.lstsq(A, right, rcond=RANK)[0]
        assert np.abs(A @ found - right).max() < 1e-10, "rates contradict the joints"
        return found.reshape(self.count, 6)

    @property
    def redundant(self):
        """How many of the joints' own equations follow from the others."""
        return self._idle()[0].shape[1]

    @property
    def not_unique(self):
        """The joints whose reaction changes with multipliers that put no force on any body."""
        idle, A = self._idle()
        names = np.array([name for kind in self.kinds for name in kind.joint])
        names = names[names != ""]
        found = []
        for joint in self.joints:
            rows = names == joint
            wrench = np.einsum("mk,mc->kc", idle[rows], A[rows]).reshape(-1, self.count, 6)
            if rows.any() and np.abs(wrench).max(initial=0.0) > 1e-9:
                found.append(joint)
        return found

    def _idle(self):
        zero = np.zeros((self.count, 3))
        A = self.equations(0.0, self.x0, self.R0, zero, zero)[1]
        names = np.array([name for kind in self.kinds for name in kind.joint])
        A = A[names != ""]
        U, size, _ = np.linalg.svd(A)
        return U[:, int((size > RANK * size[0]).sum()) :], A

    # The motion ----------------------------------------------------------------------------------------------------

    def unpack(self, y):
        """x, R, v, w (world axes) of all bodies from the state."""
        parts = y.reshape(self.count, 13)
        return parts[:, :3], matrices(parts[:, 3:7]), parts[:, 7:10], parts[:, 10:13]

    def pack(self, x, R, v, w):
        """The state: position, unit quaternion, velocity, angular velocity in world axes, per body."""
        q = Rotation.from_matrix(R).as_quat(scalar_first=True)
        return np.concatenate([x, q, v, w], axis=1).ravel()

    def accelerations(self, t, x, R, v, w):
        """Linear and angular acceleration of every body."""
        _, A, _, b = self.equations(t, x, R, v, w)
        inertia = R @ self.inertia @ R.transpose(0, 2, 1)
        h = np.einsum("nij,nj->ni", inertia, w)
        free = np.empty((self.count, 6))
        free[:, :3] = self.gravity
        free[:, 3:] = np.linalg.solve(inertia, (self.moments(R) - cross(w, h))[:, :, None])[:, :, 0]
        return free + self.smallest(*self.scaled(A, R), b - A @ free.ravel())

    def angles(self, R):
        """Axis in the world and angle of every joint spring, within half a turn."""
        R = np.concatenate([R, np.eye(3)[None]])
        for parent, child, vectors, mark_B, stiffness, rest in self.springs:
            axis, first, second = (R[parent] @ part for part in vectors)
            mark = R[child] @ mark_B
            yield parent, child, axis, np.arctan2(mark @ second, mark @ first) - rest, stiffness

    def moments(self, R):
        """Moments of the joints' springs on every body."""
        moment = np.zeros((self.count + 1, 3))
        for parent, child, axis, angle, stiffness in self.angles(R):
            moment[child] -= stiffness * angle * axis
            moment[parent] += stiffness * angle * axis
        return moment[:-1]

    def rhs(self, t, y):
        """The rate of the state."""
        x, R, v, w = self.unpack(y)
        a = self.accelerations(t, x, R, v, w)
        q = y.reshape(self.count, 13)[:, 3:7]
        dq = np.empty_like(q)
        dq[:, 0] = -0.5 * dot(q[:, 1:], w)  # q' = w q / 2, w in world axes
        dq[:, 1:] = 0.5 * (q[:, :1] * w + cross(w, q[:, 1:]))
        return np.concatenate([v, dq, a], axis=1).ravel()

    def project(self, t, y):
        """The state brought onto its equations by the smallest change, positions first, then velocities."""
        x, R, v, w = (part.copy() for part in self.unpack(y))
        for _ in range(8):
            phi, A, _, _ = self.equations(t, x, R, v, w)
            if np.abs(phi).max() < 1e-14 * max(1.0, np.abs(x).max()):
                break
            change = self.smallest(*self.scaled(A, R), -phi)
            x = x + change[:, :3]
            R = Rotation.from_rotvec(change[:, 3:]).as_matrix() @ R
        _, A, rate, _ = self.equations(t, x, R, v, w)
        u = np.concatenate([v, w], axis=1)
        u = u + self.smallest(*self.scaled(A, R), rate - A @ u.ravel())
        return self.pack(x, R, u[:, :3], u[:, 3:])

    def energy(self, y):
        """Kinetic and potential energy."""
        x, R, v, w = self.unpack(y)
        w_B = np.einsum("nji,nj->ni", R, w)
        kinetic = 0.5 * (self.mass @ np.sum(v * v, axis=1) + np.einsum("ni,nij,nj->", w_B, self.inertia, w_B))
        stored = sum(0.5 * stiffness * angle**2 for *_, angle, stiffness in self.angles(R))
        return kinetic + stored - self.mass @ (x @ self.gravity)

    def motion(self, times, rtol=1e-11, atol=1e-13):
        """The states at the given times: DOP853 between them, projected after every step."""
        y = self.pack(self.x0, self.R0, self.velocity0[:, :3], self.velocity0[:, 3:])
        y, t, step, found = self.project(times[0], y), times[0], None, []
        for end in times:
            while t < end:
                first = None if step is None else min(step, end - t)
                solver = DOP853(self.rhs, t, y, end, first_step=first, rtol=rtol, atol=atol)
                solver.step()
                y, t = self.project(solver.t, solver.y), solver.t
                step = min(solver.h_abs, 0.1)
            found.append(y)
        return np.array(found)

    def histories(self, states):
        """x, R, v, w of every body over time."""
        parts = [self.unpack(y) for y in states]
        return tuple(np.array([part[k] for part in parts]) for k in range(4))
