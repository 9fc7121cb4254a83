"""The common record: what every formulation leaves behind at a recorded instant, in the user's order and axes."""

from __future__ import annotations

from fairlead.core import arrays
from fairlead.core.compiled import kernel
from fairlead.core.inverse import energy_and_momentum
from fairlead.core.rotation import to_quaternion
from fairlead.core.vec import add, cross, matmul, matvec, scale, sub, tmatvec, v3, v9

# The place of each variable in the layout, as constants the kernels see.
(
    POSITION,
    VELOCITY,
    ACCELERATION,
    ORIENTATION,
    ANGULAR_VELOCITY,
    ANGULAR_ACCELERATION,
    JOINT_POSITION,
    JOINT_RATE,
    JOINT_ACCELERATION,
    DRIVER_FORCE,
    JOINT_POINT,
    JOINT_FORCE,
    JOINT_MOMENT,
    LOAD_FORCE,
    LOAD_MOMENT,
    TENSION,
    LOAD_WORK,
    DRIVER_WORK,
    IMPULSE,
    ANGULAR_IMPULSE,
    MOMENTUM,
    ANGULAR_MOMENTUM,
    KINETIC,
    POTENTIAL,
) = range(1, len(arrays.RECORDED))


@kernel
def put(out, start, i, a):
    """Write a vector as the i-th of a variable that starts at `start`."""
    out[start + 3 * i] = a[0]
    out[start + 3 * i + 1] = a[1]
    out[start + 3 * i + 2] = a[2]


@kernel
def write_record(t, y, A, W, out):
    """Write one row of the record from an evaluation that has just filled W."""
    at = A.layout
    out[0] = t
    write_bodies(A, W, out)
    write_joints(A, W, out)
    write_loads(y, A, W, out)
    kinetic, potential, p, H = energy_and_momentum(A, W)
    out[at[KINETIC]] = kinetic
    out[at[POTENTIAL]] = potential
    put(out, at[MOMENTUM], 0, p)
    put(out, at[ANGULAR_MOMENTUM], 0, H)


@kernel
def write_bodies(A, W, out):
    at = A.layout
    for i in range(A.bodies.shape[0]):
        b, o = A.bodies[i].user, W.bodies[i]
        R_WB = matmul(v9(o.R), v9(A.bodies[i].R_DB))
        put(out, at[POSITION], b, v3(o.x))
        put(out, at[VELOCITY], b, v3(o.u))
        put(out, at[ACCELERATION], b, v3(o.a))
        put(out, at[ANGULAR_VELOCITY], b, tmatvec(R_WB, v3(o.w)))
        put(out, at[ANGULAR_ACCELERATION], b, tmatvec(R_WB, v3(o.al)))
        q = to_quaternion(R_WB)
        start = at[ORIENTATION] + 4 * b
        out[start], out[start + 1], out[start + 2], out[start + 3] = q


@kernel
def write_joints(A, W, out):
    at = A.layout
    for k in range(A.coordinates.shape[0]):
        c, o = A.coordinates[k].user, W.coordinates[k]
        out[at[JOINT_POSITION] + c] = o.q
        out[at[JOINT_RATE] + c] = o.dq
        out[at[JOINT_ACCELERATION] + c] = o.ddq
        out[at[DRIVER_FORCE] + c] = o.drive
    for i in range(A.bodies.shape[0]):
        b, o = A.bodies[i], W.bodies[i]
        if b.joint < 0:
            continue
        x_base = sub(v3(o.x), v3(o.r))
        f, n, x = v3(o.joint_f), v3(o.joint_n), add(x_base, v3(o.joint_x))
        if b.flip:  # the joint's own child is inboard: opposite wrench, at the point fixed in the inboard body
            x_in = inboard_point(i, A, W)
            f, n = scale(-1.0, f), scale(-1.0, add(n, cross(sub(x, x_in), f)))
            x = x_in
        put(out, at[JOINT_POINT], b.joint, x)
        put(out, at[JOINT_FORCE], b.joint, f)
        put(out, at[JOINT_MOMENT], b.joint, n)


@kernel
def inboard_point(i, A, W):
    """Return where body i's inboard joint is on the inboard body (in the world for a root)."""
    b = A.bodies[i]
    if b.parent < 0:
        return v3(b.r_PJ_D)
    p = W.bodies[b.parent]
    return add(v3(p.x), matvec(v9(p.R), v3(b.r_PJ_D)))


@kernel
def write_loads(y, A, W, out):
    at, s = A.layout, A.states
    for k in range(A.rows.shape[0]):
        o = W.rows[k]
        put(out, at[LOAD_FORCE], k, v3(o.f))
        put(out, at[LOAD_MOMENT], k, v3(o.n))
        out[at[TENSION] + k] = o.tension
        out[at[LOAD_WORK] + k] = y[s + k]
    s += A.rows.shape[0]
    for k in range(A.coordinates.shape[0]):
        out[at[DRIVER_WORK] + A.coordinates[k].user] = y[s + k]
    s += A.coordinates.shape[0]
    put(out, at[IMPULSE], 0, v3(y[s:]))
    put(out, at[ANGULAR_IMPULSE], 0, v3(y[s + 3 :]))
