"""Internal loads in loops: balances of single bodies and released directions, solved rank-revealing (ERRATA 16).

Unknown is the wrench on each joint's child, (f, n / L) with a length L of the system. Released directions leave of it
u = u0 + P x, u0 = C^+ d, P = 1 - C^+ C; the balances of the bodies are A u = b. Then x = (A P)^+ (b - A u0) is the
solution of least norm, and P - (A P)^+ (A P) spans what the balances do not determine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.inverse_dynamics.cut import Loop
from fairlead.inverse_dynamics.motion import Motion
from fairlead.inverse_dynamics.read import Record
from fairlead.inverse_dynamics.released import Joints

INDEPENDENT = 1e-9  # a released direction is a combination of others below this singular value
ENTRIES = 4_000_000  # numbers in a stack of matrices solved at once


@dataclass(frozen=True)
class Solution:
    """The wrenches of a loop's joints, what is not determined of them, and what no joint can carry."""

    f_W: np.ndarray  # [N] (k, n, joints, 3)
    n_W: np.ndarray  # [N m]
    open_f: np.ndarray  # (n, joints, 3, 3) projector on forces the balances leave open
    open_n: np.ndarray  # the same of moments
    noise: np.ndarray  # [N] (n) size of the error in (f, n / L) from noise in the motion
    left: np.ndarray  # [N] (n) largest force, or moment over L, that is left unbalanced
    length: float  # L [m]


def skew(v: np.ndarray) -> np.ndarray:
    """Return v~ with v~ x = v x x over all leading dimensions."""
    m = np.zeros((*v.shape, 3))
    m[..., 0, 1], m[..., 0, 2], m[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    return m - np.swapaxes(m, -1, -2)


def known_part(C: np.ndarray, d: np.ndarray, length: float) -> tuple[np.ndarray, np.ndarray]:
    """Return u0 (n, 6) and P (n, 6, 6) of one joint from its released rows."""
    scaled = C * np.r_[1, 1, 1, length, length, length]
    size = np.maximum(np.linalg.norm(scaled, axis=-1, keepdims=True), 1e-300)
    inverse = np.linalg.pinv(scaled / size, rcond=INDEPENDENT)
    u0 = (inverse @ (d / size[..., 0])[..., None])[..., 0]
    return u0, np.eye(6) - inverse @ (scaled / size)


def length_of(motion: Motion) -> float:
    """Return a length of the system: the largest distance of a joint from the mean of all at the first instant."""
    points = np.concatenate([motion.r_WJ_W[0], motion.r_WB_W[0]])
    return float(np.linalg.norm(points - points.mean(0), axis=1).max()) or 1.0


def solve_loop(
    loop: Loop,
    record: Record,
    motion: Motion,
    joints: Joints,
    f_W: np.ndarray,
    n_W: np.ndarray,
    noise: np.ndarray,
    length: float,
    rank: float,
) -> Solution:
    """Return the wrenches in a loop from what its bodies demand (k, n, B, 3); `noise` (n) is that of the demands."""
    A = balances(loop, record, motion, length)
    parts = [known_part(*joints.released(joint), length) for joint in loop.joints]
    u0 = np.concatenate([part[0] for part in parts], axis=1)
    AP = A.copy()
    for at, (_, P) in enumerate(parts):
        AP[:, :, 6 * at : 6 * at + 6] = A[:, :, 6 * at : 6 * at + 6] @ P
    b = np.concatenate([f_W[:, :, loop.bodies], n_W[:, :, loop.bodies] / length], axis=-1)
    b = np.moveaxis(b.reshape(*b.shape[:2], -1), 0, -1) - (A @ u0[..., None])
    x, open_u, smallest = _least(AP, b, rank)
    left = np.abs(b - AP @ x).max((1, 2))
    u = np.moveaxis(x + u0[..., None], -1, 0).reshape(x.shape[-1], len(x), len(loop.joints), 6)
    for at, (_, P) in enumerate(parts):
        open_u[:, at] += P
    return Solution(
        f_W=u[..., :3],
        n_W=length * u[..., 3:],
        open_f=open_u[..., :3, :3],
        open_n=open_u[..., 3:, 3:],
        noise=noise / smallest,
        left=left,
        length=length,
    )


def balances(loop: Loop, record: Record, motion: Motion, length: float) -> np.ndarray:
    """Return A (n, 6 bodies, 6 joints): what wrenches (f, n / L) on the children do at the bodies' mass centres."""
    count = len(motion.r_WB_W)
    A = np.zeros((count, 6 * len(loop.bodies), 6 * len(loop.joints)))
    row = {int(body): 6 * at for at, body in enumerate(loop.bodies)}
    for at, joint in enumerate(loop.joints):
        columns = slice(6 * at, 6 * at + 6)
        for body, sign in ((int(record.child[joint]), 1.0), (int(record.parent[joint]), -1.0)):
            if body not in row:
                continue
            part = np.broadcast_to(np.eye(6), (count, 6, 6)).copy()
            part[:, 3:, :3] = skew(motion.r_WJ_W[:, joint] - motion.r_WB_W[:, body]) / length
            A[:, row[body] : row[body] + 6, columns] += sign * part
    return A


def _least(AP: np.ndarray, b: np.ndarray, rank: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the solution of least norm (n, 6 joints, k), minus its row space's joint blocks, and the smallest kept.

    Singular values below `rank` of the largest count as zero.
    """
    from threadpoolctl import threadpool_limits

    count, _, columns = AP.shape
    x = np.empty((count, columns, b.shape[-1]))
    blocks = np.empty((count, columns // 6, 6, 6))
    smallest = np.empty(count)
    stack = max(1, ENTRIES // (AP.shape[1] * columns))
    for first in range(0, count, stack):
        some = slice(first, first + stack)
        with threadpool_limits(limits=1):  # many small matrices: threads only wait for each other
            U, s, Vt = np.linalg.svd(AP[some], full_matrices=False)
        kept = s > rank * s[:, :1]
        inverse = np.where(kept, 1 / np.maximum(s, 1e-300), 0.0)
        x[some] = np.swapaxes(Vt, 1, 2) @ (inverse[:, :, None] * (np.swapaxes(U, 1, 2) @ b[some]))
        rows = (Vt * kept[:, :, None]).reshape(len(s), -1, columns // 6, 6)
        blocks[some] = -np.einsum("nrji,nrjk->njik", rows, rows)
        smallest[some] = np.where(kept, s, np.inf).min(1)
    return x, blocks, smallest
