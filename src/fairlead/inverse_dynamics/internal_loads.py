"""Internal loads: force and moment through joints by inverse dynamics, from a recorded motion alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.errors import InvalidInput
from fairlead.inverse_dynamics.answer import AXES, Sums, answer
from fairlead.inverse_dynamics.cut import Cut, Loop, cuts_and_loops, edges_of, noise_through_cut, reach, through_cut
from fairlead.inverse_dynamics.loops import known_part, length_of, solve_loop
from fairlead.inverse_dynamics.motion import Motion, demand, demand_noise, motions
from fairlead.inverse_dynamics.read import Record, read_record
from fairlead.inverse_dynamics.released import Joints
from fairlead.results.reading import open_data

if TYPE_CHECKING:
    import xarray as xr

RANK = 1e-8


def internal_loads(
    data: Any,
    joint: str | None = None,
    axes: str = "world",
    *,
    route: str | None = None,
    rank: float = RANK,
    block: int = 4096,
) -> xr.Dataset:
    """Return `force` and `moment` on the child at a joint, over time and xyz; of every joint if none is named.

    `data` is a Dataset, a run directory or a NetCDF file. `axes` are those of the world, of the joint's parent or of
    its child. `route` takes accelerations as "recorded" or "differentiated" from the motion (the default is to
    differentiate those that are absent); then `force_error` and `moment_error` say what that costs.
    `force_determined` and `moment_determined` are False where rigid bodies leave a component open: it is then given
    with least norm. In loops, singular values of the balances below `rank` of the largest count as zero.
    """
    if axes not in AXES:
        raise InvalidInput(f"axes must be {', '.join(AXES[:-1])} or {AXES[-1]}, got {axes!r}.")
    record = read_record(open_data(data), route)
    if joint is not None and joint not in record.joints:
        raise InvalidInput(f"there is no joint '{joint}'; joints are {', '.join(record.joints)}.")
    wanted = range(len(record.joints)) if joint is None else [record.joints.index(joint)]
    _refuse_axes(record, wanted, axes)
    sums, plan, length = Sums(record), None, 1.0
    for motion in motions(record, max(int(block), 16)):
        joints = Joints(record, motion)
        if plan is None:
            plan, length = Plan(record, joints, wanted), length_of(motion)
        _fill(sums, plan, motion, joints, length, rank)
    found = answer(sums, axes)
    found.attrs |= {"least_norm_length": length, "rank": rank}
    return found if joint is None else found.sel(joint=joint)


def _refuse_axes(record: Record, wanted: Any, axes: str) -> None:
    known = record.data["attitude_known"].values if "attitude_known" in record.data else np.ones(len(record.bodies))
    for joint in wanted if axes != "world" else ():
        body = (record.parent if axes == "parent" else record.child)[joint]
        if body >= 0 and not known[body]:
            raise InvalidInput(
                f"axes of the {axes} of joint '{record.joints[joint]}' need the orientation of '{record.bodies[body]}'."
            )


class Plan:
    """How each wanted joint is found: known beforehand, by a cut, or in a loop; and which parts float."""

    def __init__(self, record: Record, joints: Joints, wanted: Any):
        carrying = np.array([_carries(joints, joint) for joint in range(len(record.joints))])
        self.known = [int(j) for j in np.flatnonzero(~carrying)]
        cuts, loops = cuts_and_loops(record, carrying)
        self.loops: list[Loop] = [loop for loop in loops if set(wanted) & set(loop.joints.tolist())]
        for joint in {int(joint) for loop in self.loops for joint in loop.joints}:
            joints.refuse_undescribed(joint)
        self.cuts: list[Cut] = cuts if self.loops else [cut for cut in cuts if cut.joint in wanted]
        edges = edges_of(record, carrying)
        parts = {frozenset(reach(edges, body)) for body in range(len(record.bodies))}
        self.floating = [np.array(sorted(part)) for part in parts if -1 not in part]


def _carries(joints: Joints, joint: int) -> bool:
    """Return whether a joint carries anything but what is recorded for its free coordinates."""
    C, _ = joints.released(joint)
    return int(np.linalg.matrix_rank(C[0])) < 6 if C.shape[1] else True


def _fill(sums: Sums, plan: Plan, motion: Motion, joints: Joints, length: float, rank: float) -> None:
    """Add the loads of one block: what bodies demand, less what known joints and cuts give, left to the loops."""
    record = sums.record
    f_W, n_W = demand(record, motion)
    noise_f, noise_n = demand_noise(record, motion)
    for joint in plan.known:
        u0, _ = known_part(*joints.released(joint), 1.0)
        wrench = np.broadcast_to(u0[:, :3], f_W[:, :, 0].shape), np.broadcast_to(u0[:, 3:], f_W[:, :, 0].shape)
        sums.put(motion.rows, joint, *wrench)
        _take_off(record, motion, joint, *wrench, f_W, n_W)
    for part in plan.floating:
        left_n = n_W[0][:, part] + np.cross(motion.r_WB_W[:, part] - motion.r_WB_W[:, part[:1]], f_W[0][:, part])
        sums.leave(motion.rows, f_W[0][:, part].sum(1), left_n.sum(1) / length)
    cut_wrenches = [through_cut(cut, motion, f_W, n_W) for cut in plan.cuts]
    for cut, wrench in zip(plan.cuts, cut_wrenches):
        sums.put(motion.rows, cut.joint, *wrench, *noise_through_cut(cut, motion, noise_f, noise_n))
        _take_off(record, motion, cut.joint, *wrench, f_W, n_W)
    for loop in plan.loops:
        sums.looped = True
        noise = (noise_f + noise_n / length).sum(1)
        solved = solve_loop(loop, record, motion, joints, f_W, n_W, noise, length, rank)
        for at, joint in enumerate(loop.joints):
            wrench = solved.f_W[:, :, at], solved.n_W[:, :, at]
            sums.put(motion.rows, int(joint), *wrench, solved.noise, length * solved.noise)
            sums.open_f[motion.rows, joint], sums.open_n[motion.rows, joint] = (
                solved.open_f[:, at],
                solved.open_n[:, at],
            )
        sums.leave(motion.rows, solved.left[:, None], 0 * solved.left[:, None])


def _take_off(
    record: Record, motion: Motion, joint: int, f: np.ndarray, n: np.ndarray, f_W: np.ndarray, n_W: np.ndarray
) -> None:
    """Take the wrench of a joint off what its two bodies demand."""
    for body, sign in ((record.child[joint], 1.0), (record.parent[joint], -1.0)):
        if body >= 0:
            arm = motion.r_WJ_W[:, joint] - motion.r_WB_W[:, body]
            f_W[:, :, body] -= sign * f
            n_W[:, :, body] -= sign * (n + np.cross(arm, f))
