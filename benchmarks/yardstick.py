"""What the momentum cloud costs at the least: one outward sweep over a tree of revolute joints, written out by hand.

No other joints, loads, wheels, reactions or integrals, no generality and nothing shared with `fairlead.core`: scalars,
plain arrays and the formulas below in axes C1 of the base. Per body, relative to the base: `w` its angular velocity,
`al` the local derivative of w, `r, v, a` its mass centre from G1 and the local derivatives, `A = R I R^T`.

    w = w_p + e q',  al = al_p + e q'' + w_p x e q',  W = omega + w,  rho = r - r_G
    P = sum A + m (rho^2 1 - rho rho^T),  H = sum A W + m rho x (rho' + omega x rho)
    P omega' = -omega x H - sum [w x A W + A (al - w x omega) + m (rho' x (omega x rho) + rho x (rho'' + omega x rho'))]

Gravity has no moment about G. The sums are taken about G1, with r, v, a for rho and its derivatives, and moved to G
at the end by sum m rho x (..rho..) = sum m r x (..r..) - M r_G x (..r_G..), so one sweep is enough.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

# Columns of `body`: mass 0, inertia xx yy zz xy xz yz 1-6, to joint 7-9, to centre 10-12, axis 13-15, motion 16-18.
# Columns of `work`: R 0-8, w 9-11, al 12-14, r 15-17, v 18-20, a 21-23.
plain = njit(cache=True, error_model="numpy", nogil=True)


@plain
def base_accelerations(t, parent, body, work, omega, g, out):
    """Write the base's acceleration and angular acceleration, both in base axes, for gravity g in base axes."""
    ox, oy, oz = omega[0], omega[1], omega[2]
    mass = 0.0
    rx = ry = rz = vx = vy = vz = ax = ay = az = 0.0  # sums of m r, m v, m a
    pxx = pyy = pzz = pxy = pxz = pyz = 0.0  # P about G1
    hx = hy = hz = 0.0  # H about G1
    kx = ky = kz = 0.0  # the bracketed sum about G1
    for i in range(parent.shape[0]):
        b, o = body[i], work[i]
        if i == 0:
            r0, r1, r2, r3, r4, r5, r6, r7, r8 = 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
            wx = wy = wz = lx = ly = lz = sx = sy = sz = ux = uy = uz = cx = cy = cz = 0.0
        else:
            p = work[parent[i]]
            q = b[16] + t * (b[17] + t * b[18])
            dq = b[17] + 2.0 * t * b[18]
            ddq = 2.0 * b[18]
            m0, m1, m2, m3, m4, m5, m6, m7, m8 = p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]
            wx, wy, wz, lx, ly, lz = p[9], p[10], p[11], p[12], p[13], p[14]
            # d, from the inboard mass centre to the joint
            dx = m0 * b[7] + m1 * b[8] + m2 * b[9]
            dy = m3 * b[7] + m4 * b[8] + m5 * b[9]
            dz = m6 * b[7] + m7 * b[8] + m8 * b[9]
            fx, fy, fz = wy * dz - wz * dy, wz * dx - wx * dz, wx * dy - wy * dx
            sx, sy, sz = p[15] + dx, p[16] + dy, p[17] + dz
            ux, uy, uz = p[18] + fx, p[19] + fy, p[20] + fz
            cx = p[21] + (ly * dz - lz * dy) + (wy * fz - wz * fy)
            cy = p[22] + (lz * dx - lx * dz) + (wz * fx - wx * fz)
            cz = p[23] + (lx * dy - ly * dx) + (wx * fy - wy * fx)
            # the joint: R = R_p times the rotation by q about e
            e0, e1, e2 = b[13], b[14], b[15]
            ex, ey, ez = m0 * e0 + m1 * e1 + m2 * e2, m3 * e0 + m4 * e1 + m5 * e2, m6 * e0 + m7 * e1 + m8 * e2
            co, si = math.cos(q), math.sin(q)
            k = 1.0 - co
            r0 = co * m0 + k * ex * e0 + si * (m1 * e2 - m2 * e1)
            r1 = co * m1 + k * ex * e1 + si * (m2 * e0 - m0 * e2)
            r2 = co * m2 + k * ex * e2 + si * (m0 * e1 - m1 * e0)
            r3 = co * m3 + k * ey * e0 + si * (m4 * e2 - m5 * e1)
            r4 = co * m4 + k * ey * e1 + si * (m5 * e0 - m3 * e2)
            r5 = co * m5 + k * ey * e2 + si * (m3 * e1 - m4 * e0)
            r6 = co * m6 + k * ez * e0 + si * (m7 * e2 - m8 * e1)
            r7 = co * m7 + k * ez * e1 + si * (m8 * e0 - m6 * e2)
            r8 = co * m8 + k * ez * e2 + si * (m6 * e1 - m7 * e0)
            lx += ddq * ex + dq * (wy * ez - wz * ey)
            ly += ddq * ey + dq * (wz * ex - wx * ez)
            lz += ddq * ez + dq * (wx * ey - wy * ex)
            wx, wy, wz = wx + dq * ex, wy + dq * ey, wz + dq * ez
            # c, from the joint to the mass centre
            dx = r0 * b[10] + r1 * b[11] + r2 * b[12]
            dy = r3 * b[10] + r4 * b[11] + r5 * b[12]
            dz = r6 * b[10] + r7 * b[11] + r8 * b[12]
            fx, fy, fz = wy * dz - wz * dy, wz * dx - wx * dz, wx * dy - wy * dx
            sx, sy, sz = sx + dx, sy + dy, sz + dz
            ux, uy, uz = ux + fx, uy + fy, uz + fz
            cx += (ly * dz - lz * dy) + (wy * fz - wz * fy)
            cy += (lz * dx - lx * dz) + (wz * fx - wx * fz)
            cz += (lx * dy - ly * dx) + (wx * fy - wy * fx)
        o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], o[8] = r0, r1, r2, r3, r4, r5, r6, r7, r8
        o[9], o[10], o[11], o[12], o[13], o[14] = wx, wy, wz, lx, ly, lz
        o[15], o[16], o[17], o[18], o[19], o[20], o[21], o[22], o[23] = sx, sy, sz, ux, uy, uz, cx, cy, cz
        # A = R I R^T
        ixx, iyy, izz, ixy, ixz, iyz = b[1], b[2], b[3], b[4], b[5], b[6]
        t0, t1, t2 = ixx * r0 + ixy * r1 + ixz * r2, ixy * r0 + iyy * r1 + iyz * r2, ixz * r0 + iyz * r1 + izz * r2
        t3, t4, t5 = ixx * r3 + ixy * r4 + ixz * r5, ixy * r3 + iyy * r4 + iyz * r5, ixz * r3 + iyz * r4 + izz * r5
        t6, t7, t8 = ixx * r6 + ixy * r7 + ixz * r8, ixy * r6 + iyy * r7 + iyz * r8, ixz * r6 + iyz * r7 + izz * r8
        axx, ayy, azz = r0 * t0 + r1 * t1 + r2 * t2, r3 * t3 + r4 * t4 + r5 * t5, r6 * t6 + r7 * t7 + r8 * t8
        axy, axz, ayz = r3 * t0 + r4 * t1 + r5 * t2, r6 * t0 + r7 * t1 + r8 * t2, r6 * t3 + r7 * t4 + r8 * t5
        # A W and A (al - w x omega)
        gx, gy, gz = ox + wx, oy + wy, oz + wz
        jx, jy, jz = axx * gx + axy * gy + axz * gz, axy * gx + ayy * gy + ayz * gz, axz * gx + ayz * gy + azz * gz
        gx, gy, gz = lx - (wy * oz - wz * oy), ly - (wz * ox - wx * oz), lz - (wx * oy - wy * ox)
        # omega x r, omega x v
        dx, dy, dz = oy * sz - oz * sy, oz * sx - ox * sz, ox * sy - oy * sx
        fx, fy, fz = cx + (oy * uz - oz * uy), cy + (oz * ux - ox * uz), cz + (ox * uy - oy * ux)
        m = b[0]
        kx += wy * jz - wz * jy + axx * gx + axy * gy + axz * gz + m * (uy * dz - uz * dy + sy * fz - sz * fy)
        ky += wz * jx - wx * jz + axy * gx + ayy * gy + ayz * gz + m * (uz * dx - ux * dz + sz * fx - sx * fz)
        kz += wx * jy - wy * jx + axz * gx + ayz * gy + azz * gz + m * (ux * dy - uy * dx + sx * fy - sy * fx)
        dx, dy, dz = dx + ux, dy + uy, dz + uz
        hx += jx + m * (sy * dz - sz * dy)
        hy += jy + m * (sz * dx - sx * dz)
        hz += jz + m * (sx * dy - sy * dx)
        pxx += axx + m * (sy * sy + sz * sz)
        pyy += ayy + m * (sx * sx + sz * sz)
        pzz += azz + m * (sx * sx + sy * sy)
        pxy, pxz, pyz = pxy + axy - m * sx * sy, pxz + axz - m * sx * sz, pyz + ayz - m * sy * sz
        rx, ry, rz = rx + m * sx, ry + m * sy, rz + m * sz
        vx, vy, vz = vx + m * ux, vy + m * uy, vz + m * uz
        ax, ay, az = ax + m * cx, ay + m * cy, az + m * cz
        mass += m
    # From G1 to G
    inv = 1.0 / mass
    rx, ry, rz, vx, vy, vz = rx * inv, ry * inv, rz * inv, vx * inv, vy * inv, vz * inv
    ax, ay, az = ax * inv, ay * inv, az * inv
    dx, dy, dz = oy * rz - oz * ry, oz * rx - ox * rz, ox * ry - oy * rx
    gx, gy, gz = oy * vz - oz * vy, oz * vx - ox * vz, ox * vy - oy * vx
    fx, fy, fz = ax + gx, ay + gy, az + gz
    kx -= mass * (vy * dz - vz * dy + ry * fz - rz * fy)
    ky -= mass * (vz * dx - vx * dz + rz * fx - rx * fz)
    kz -= mass * (vx * dy - vy * dx + rx * fy - ry * fx)
    jx, jy, jz = dx + vx, dy + vy, dz + vz
    hx -= mass * (ry * jz - rz * jy)
    hy -= mass * (rz * jx - rx * jz)
    hz -= mass * (rx * jy - ry * jx)
    pxx -= mass * (ry * ry + rz * rz)
    pyy -= mass * (rx * rx + rz * rz)
    pzz -= mass * (rx * rx + ry * ry)
    pxy, pxz, pyz = pxy + mass * rx * ry, pxz + mass * rx * rz, pyz + mass * ry * rz
    # P omega' = -omega x H - k, by cofactors
    kx, ky, kz = -kx - (oy * hz - oz * hy), -ky - (oz * hx - ox * hz), -kz - (ox * hy - oy * hx)
    c0, c1, c2 = pyy * pzz - pyz * pyz, pxz * pyz - pxy * pzz, pxy * pyz - pxz * pyy
    c3, c4, c5 = pxx * pzz - pxz * pxz, pxy * pxz - pxx * pyz, pxx * pyy - pxy * pxy
    inv = 1.0 / (pxx * c0 + pxy * c1 + pxz * c2)
    lx, ly, lz = (
        (c0 * kx + c1 * ky + c2 * kz) * inv,
        (c1 * kx + c3 * ky + c4 * kz) * inv,
        (c2 * kx + c4 * ky + c5 * kz) * inv,
    )
    # a_1 = g - (omega' x r_G + omega x (omega x r_G) + 2 omega x r_G' + r_G'')
    out[0] = g[0] - (ly * rz - lz * ry + oy * dz - oz * dy + 2.0 * gx + ax)
    out[1] = g[1] - (lz * rx - lx * rz + oz * dx - ox * dz + 2.0 * gy + ay)
    out[2] = g[2] - (lx * ry - ly * rx + ox * dy - oy * dx + 2.0 * gz + az)
    out[3], out[4], out[5] = lx, ly, lz


@plain
def many(n, parent, body, work, omega, g, out):
    """Evaluate n times, at times from 0 to 1 s over and over."""
    for i in range(n):
        base_accelerations(1e-3 * (i % 1000), parent, body, work, omega, g, out)


def pack(tree):
    """Return the arrays `parent, body, work` of a tree (see `trees.Tree`)."""
    n = len(tree.parent)
    six = tree.inertia[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    body = np.hstack([tree.mass[:, None], six, tree.to_joint, tree.to_centre, tree.axis, tree.motion])
    return tree.parent, np.ascontiguousarray(body), np.zeros((n, 24))


def check(sizes=(1, 2, 3, 6, 50, 1000), shapes=("chain", "binary"), tolerance=1e-10):
    """Compare with Fairlead's cloud in a turned attitude and away from t = 0; return the largest relative difference.

    The two share no code, no axes and no order of sums: only rounding may differ, which grows with the sums' length.
    """
    from trees import GRAVITY, compiled, fairlead_model, random_tree

    from fairlead.running.formulations.table import FORMULATIONS

    worst = 0.0
    for shape in shapes:
        for n in sizes:
            tree = random_tree(n, shape, seed=n)
            y, A, W = compiled(fairlead_model(tree))
            y[3:7] = (0.5, -0.1, 0.7, 0.5)
            dy, out = np.zeros_like(y), np.zeros(6)
            FORMULATIONS["cloud"].kernels.rhs(0.7, y, dy, A, W)
            R_WB = W.bodies[0]["R"].reshape(3, 3)
            ours = np.hstack([R_WB.T @ W.bodies[0]["a"], dy[10:13]])
            base_accelerations(0.7, *pack(tree), y[10:13], R_WB.T @ np.array(GRAVITY), out)
            for half in (slice(0, 3), slice(3, 6)):
                worst = max(worst, np.linalg.norm(out[half] - ours[half]) / np.linalg.norm(ours[half]))
    assert worst < tolerance, f"yardstick and cloud differ by {worst:.1e}, more than {tolerance:.0e}"
    return worst


if __name__ == "__main__":
    print(f"largest relative difference from Fairlead's cloud: {check():.1e}")
