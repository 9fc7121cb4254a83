"""The arrays that kernels write: scratch of one evaluation, and how it is made for a model's arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairlead.core.arrays import BALL, EULER_PARAMETERS, PROJECTION, Arrays, R, S, V, rows
from fairlead.core.codes import CLOSING, LOOSE, UNKNOWNS
from fairlead.core.loads.outputs import OUTPUTS

BODY_WORK = rows("", R=R, w=V, al=V, r=V, v=V, a=V, x=V, u=V, I=S, f=V, n=V, joint_x=V, joint_f=V, joint_n=V)
# beyond: evaluations in which a curve or table was left behind its range; since: when that was first
COORDINATE_WORK = rows("", q=(), dq=(), ddq=(), cos=(), sin=(), drive=(), axis_W=V, x_axis=V, force=(), beyond=())
FREE_WORK = rows("", lin=V, ang=V, Uf=V, Un=V, D=(), u=())  # per coordinate: its axis about O, and its elimination
# Per body about O: inertia of what it carries (linear, coupling, angular), bias wrench, acceleration found
CARRIED_WORK = rows("", A=S, H=R, I=S, f=V, n=V, a=V, al=V)
TREE_WORK = rows("", G=V, dG=V, ddG=V)
ROW_WORK = rows("", f=V, n=V, **dict.fromkeys(OUTPUTS, ()), beyond=(), since=())
JOINT_WORK = rows("", x=V, f=V, n=V)
# Of Kane's equations, per body K of lower body J: [JR_K]; partial angular velocities of the angles and their rates, in
# the joint frame; relative rate, in K; arm O_J to O_K and its rate, in J; rates and known accelerations, in K
KANE_WORK = rows("", R=R, P=R, dP=R, w_rel=V, arm_J=V, ds_J=V, w=V, v=V, al=V, a=V, x_O=V)


class ConstraintWork(NamedTuple):
    """Scratch of the constrained formulation: m equations, N bodies, 7 N coordinates."""

    phi: np.ndarray  # (m,)
    J: np.ndarray  # (m, 12) of (v, w) of body i, then of body j
    nu: np.ndarray  # (m,)
    gamma: np.ndarray  # (m,)
    lam: np.ndarray  # (m,) multipliers
    active: np.ndarray  # (m,) rows that are equations; the others only measure
    S: np.ndarray  # Schur complement and its factors, inside the envelope
    T: np.ndarray  # J J^T, or S before it was factorised, the same
    in_order: np.ndarray  # factors of the equations that are independent in their order, put aside, the same
    skip: np.ndarray  # (m,) 1 where others imply an equation, or it only measures
    choose: np.ndarray  # (1,) 1 where the next factorisation chooses independent equations anew
    frail: np.ndarray  # (m,) 1 for active rows that are almost implied because a singular position is near ...
    near: np.ndarray  # (1,) ... and their number
    first: np.ndarray  # (m,) pivots of active rows at the closed state with which a step starts, 0 where not kept
    weakest: np.ndarray  # (2,) smallest pivots kept, on the system's scale
    top: np.ndarray  # (1,) what makes `scale` the system's: the largest diagonal of S in terms of it
    # (4,) 1 where stages are closed before they are evaluated; 1 where a pivot has changed much since the step began;
    # the most equations kept so far; 1 where the last choice kept fewer
    stages: np.ndarray
    bias: np.ndarray  # (m,) J a - gamma of the accelerations that are known before the equations are solved
    scale: np.ndarray  # (m,) diagonal of S if all bodies were free, 0 where that is S itself
    held: np.ndarray  # (m,) of active rows: what the equation moves, without what a light body may add to it
    rounding: np.ndarray  # (m,) of active rows: what rounding may make of the pivot, when equations are chosen
    y: np.ndarray  # (13 N,) the state brought onto the constraints
    D: np.ndarray  # (m + N, 7 N) Jacobian by coordinates and its elimination
    rows: np.ndarray  # (m + N,) independent equations first
    columns: np.ndarray  # (7 N,) dependent coordinates first
    weight: np.ndarray  # (7 N,) how readily a coordinate becomes dependent
    # (6,) rank of the partition, least amplification of one so far, highest rank so far, smallest pivot when it was
    # made (0: not yet known) and now, and the largest that it has been
    rank: np.ndarray
    U: np.ndarray  # (m + N, m + N) dependent part
    b: np.ndarray  # (7 N + m,) right-hand sides
    worst: np.ndarray  # (3,) violation of position and velocity, Newton steps of the last closing
    K: np.ndarray  # (8 N + m, 8 N + m) of Eq. 69, empty otherwise
    k: np.ndarray
    Y: np.ndarray  # (m, 12) M^-1 J^T by rows
    head: np.ndarray  # (m,) of rows of relations: the one that has the multiplier, -1 elsewhere; and the next of them
    next: np.ndarray
    slope: np.ndarray  # (m,) df/dq of relations by their rows, empty without any
    values: np.ndarray  # (1 + m,) coordinates of one relation, as its programs read them
    rates: np.ndarray
    ends: np.ndarray  # (m, 2) the two bodies of each row
    live: np.ndarray  # (m,) the active rows, closed up
    skyline: np.ndarray  # (m, 2) of each active row: the first that shares a body with it, and where it starts in S
    lowest: np.ndarray  # (N + 1,) first active row of each body; last, their number
    c: np.ndarray  # (m,) right-hand side over active rows
    step: np.ndarray  # (N, 6) what multipliers give each body
    soft: np.ndarray  # (N,) [kg m2] that keeps a singular inertia invertible, 0 where it is regular
    inverse: np.ndarray  # (N, 6) inverse inertia, world axes
    inverse6: np.ndarray  # (N, 6, 6) inverse mass matrix with added mass, empty where no load has any
    pivots: np.ndarray  # (m + N,) row exchanges of the dependent part
    order: np.ndarray  # (8 N + m,) row exchanges of Eq. 69
    # (6,) violation that is not accepted, most steps, growth of amplification that ends a partition, pivot of zero,
    # pivot below which a projection moves nothing, change of a doubtful pivot within a step that is much
    newton: np.ndarray


class FreeWork(NamedTuple):
    """Scratch of free joint coordinates in trees, empty where all are driven."""

    axes: np.ndarray  # FREE_WORK per coordinate
    carried: np.ndarray  # CARRIED_WORK per body
    balls: np.ndarray  # (b, 9) rotation of each free ball
    base: np.ndarray  # (trees, 6, 7) factors of each free base and its right-hand side
    M: np.ndarray  # (n, n) mass matrix and its factors
    x: np.ndarray  # (n,) accelerations, or a change of the state
    Y: np.ndarray  # rows of loop equations through the square root of the mass matrix
    z: np.ndarray  # (n,)


class KaneWork(NamedTuple):
    """Scratch of Kane's equations: N bodies, 6 N speeds y = (angle rates of all bodies, then s' of all bodies)."""

    bodies: np.ndarray  # KANE_WORK
    w: np.ndarray  # (N, 3, 3 N) partial angular velocities, in K
    dw: np.ndarray  # their rates
    vO: np.ndarray  # (N, 3, 6 N) partial velocities of origins, in J
    dvO: np.ndarray
    vG: np.ndarray  # (N, 3, 6 N) partial velocities of mass centres, in K
    dvG: np.ndarray
    x: np.ndarray  # (6 N,) relative coordinates
    y: np.ndarray  # (6 N,) speeds
    dy: np.ndarray  # (6 N,) their rates
    A: np.ndarray  # (6 N, 6 N) generalised mass matrix
    f: np.ndarray  # (6 N,)


class Work(NamedTuple):
    """Scratch of one evaluation; nothing carries over to the next but the rows of outside loads. World axes.

    Of a body: r, v, a are relative to the base's mass centre (the world origin for rooted trees), and a, al leave out
    the base's own acceleration until it is known; x, u are absolute; f, n sum its loads without gravity; joint_f and
    joint_n act on it at joint_x (relative) through its inboard joint. Of a tree: its mass centre relative to the base.
    """

    bodies: np.ndarray
    coordinates: np.ndarray
    trees: np.ndarray
    rows: np.ndarray
    row_values: np.ndarray  # (loads, fields) the same memory as plain floats, to be read by number
    joints: np.ndarray
    constraint: ConstraintWork
    free: FreeWork
    kane: KaneWork
    added: np.ndarray  # (N, 6, 6) added mass about each mass centre, empty where no load has any
    channels: np.ndarray
    stack: np.ndarray
    jets: np.ndarray
    window: np.ndarray  # (2,) the stretch of time being stepped over: at a kink, the side its middle is on counts
    status: np.ndarray  # (2,) code and the user's number of a body
    levels: np.ndarray  # (levels, 5) wave kinematics and pressure where a member passes each level
    sums: np.ndarray  # (20,) of four stations
    along: np.ndarray  # (K,) of each Gauss node of members, its l ...
    places: np.ndarray  # (K,) ... and where it is among the levels
    morison: np.ndarray  # (n, 6, 6) added mass of each Morison load about its mass centre


def new_work(arrays: Arrays, dense: bool = False) -> Work:
    """Return scratch arrays of the right sizes; `dense` for formulations that form the mass matrix."""
    rows = np.zeros(len(arrays.rows), ROW_WORK)
    for name in OUTPUTS:
        rows[name] = np.nan
    return Work(
        bodies=np.zeros(len(arrays.bodies), BODY_WORK),
        coordinates=np.zeros(len(arrays.coordinates), COORDINATE_WORK),
        trees=np.zeros(len(arrays.trees), TREE_WORK),
        rows=rows,
        row_values=rows.view(float).reshape(len(rows), ROW_WORK.itemsize // 8),
        joints=np.zeros(len(arrays.joints), JOINT_WORK),
        constraint=new_constraint_work(arrays),
        free=new_free_work(arrays, dense),
        kane=new_kane_work(len(arrays.slots)),
        added=np.zeros((len(arrays.bodies) if has_added_mass(arrays) else 0, 6, 6)),
        channels=np.zeros(len(arrays.channels)),
        stack=np.zeros(64),
        jets=np.zeros((64, 3)),
        window=np.zeros(2),
        status=np.zeros(2, dtype=np.int64),
        levels=np.zeros((len(arrays.sea.levels), 5)),
        sums=np.zeros(20),
        along=np.zeros(len(arrays.sea.nodes)),
        places=np.zeros(len(arrays.sea.nodes)),
        morison=np.zeros((len(arrays.loads.morison), 6, 6)),
    )


def new_free_work(arrays: Arrays, dense: bool) -> FreeWork:
    """Return the scratch of free joint coordinates; only bases of trees without any stay empty."""
    n = arrays.freedoms if arrays.options[LOOSE] == 0 else 0
    return FreeWork(
        axes=np.zeros(len(arrays.coordinates), FREE_WORK),
        carried=np.zeros(len(arrays.bodies) if arrays.options[LOOSE] == 0 else 0, CARRIED_WORK),
        balls=np.zeros((int((arrays.coordinates["kind"] == BALL).sum()), 9)),
        base=np.zeros((len(arrays.trees), 6, 7)),
        M=np.zeros((n, n) if dense else (0, 0)),
        x=np.zeros(n),
        Y=np.zeros(len(arrays.loop_columns)),
        z=np.zeros(n),
    )


def new_kane_work(n: int) -> KaneWork:
    """Return the scratch of Kane's equations of n bodies. Blocks of bodies that are not inboard stay zero."""
    return KaneWork(
        bodies=np.zeros(n, KANE_WORK),
        **{name: np.zeros((n, 3, 3 * n)) for name in ("w", "dw")},
        **{name: np.zeros((n, 3, 6 * n)) for name in ("vO", "dvO", "vG", "dvG")},
        **{name: np.zeros(6 * n) for name in ("x", "y", "dy", "f")},
        A=np.zeros((6 * n, 6 * n)),
    )


def has_added_mass(arrays: Arrays) -> bool:
    """Return whether any load has added mass."""
    return bool(arrays.bodies["wet"].any())


def new_constraint_work(arrays: Arrays) -> ConstraintWork:
    """Return the scratch of the constrained formulation, empty where nothing is constrained."""
    m = len(arrays.constraints)
    n = len(arrays.bodies) if arrays.options[LOOSE] else 0
    parameters = arrays.options[UNKNOWNS] == EULER_PARAMETERS  # whose equations are made of the rows of D
    # Small drawings are assembled by partitioning in any case.
    parts = int(arrays.options[CLOSING]) != PROJECTION or parameters or n <= 10
    entries = int(arrays.envelope[-1].sum() + m) if m else 0
    size = 8 * n + m if parameters else 0
    return ConstraintWork(
        **{name: np.zeros(m) for name in ("phi", "nu", "gamma", "lam", "scale", "held", "rounding", "bias")},
        J=np.zeros((m, 12)),
        active=np.ascontiguousarray(arrays.constraints["active"]),
        S=np.zeros(entries),
        T=np.zeros(entries),
        in_order=np.zeros(entries),
        skip=np.zeros(m, dtype=np.int64),
        choose=np.ones(1, dtype=np.int64),
        frail=np.zeros(m, dtype=np.int64),
        near=np.zeros(1, dtype=np.int64),
        first=np.zeros(m),
        weakest=np.ones(2),
        top=np.ones(1),
        stages=np.zeros(4, dtype=np.int64),
        y=np.zeros(13 * n),
        D=np.zeros((m + n, 7 * n) if parts else (0, 0)),
        rows=np.arange(m + n),
        columns=np.arange(7 * n),
        weight=np.ones(7 * n),
        rank=np.zeros(6),
        U=np.zeros((m + n, m + n) if parts else (0, 0)),
        b=np.zeros(7 * n + m),
        worst=np.zeros(3),
        K=np.zeros((size, size)),
        k=np.zeros(size),
        Y=np.zeros((m, 12)),
        head=np.ascontiguousarray(arrays.constraints["head"]),
        next=np.ascontiguousarray(arrays.constraints["next"]),
        slope=np.zeros(m if len(arrays.relations) else 0),
        values=np.zeros(1 + m),
        rates=np.zeros(m),
        ends=np.stack([arrays.constraints["i"], arrays.constraints["j"]], axis=1),
        live=np.zeros(m, dtype=np.int64),
        skyline=np.zeros((m, 2), dtype=np.int64),
        lowest=np.zeros(n + 1, dtype=np.int64),
        c=np.zeros(m),
        step=np.zeros((n, 6)),
        soft=soft_inertias(arrays, n),
        inverse=np.zeros((n, 6)),
        inverse6=np.zeros((n if has_added_mass(arrays) else 0, 6, 6)),
        pivots=np.zeros(m + n, dtype=np.int64),
        order=np.zeros(size, dtype=np.int64),
        newton=np.array([1e-10, 20.0, 1.05, 1e-11, 0.0, MUCH]),  # what large coordinates may leave of a constraint
    )


MUCH, MUCH_WITH_STEP_CONTROL = 16.0, 2.0  # change of a pivot within a step: controlled steps are long
SINGULAR, SOFT = 1e-10, 1e-6  # of a body's own scale: the larger of its moments and of its mass at its joints' arm


def soft_inertias(arrays: Arrays, n: int) -> np.ndarray:
    """Return the inertia lent to bodies that have none about some axis (rods, point masses), 0 for the others."""
    arm = np.zeros(n)
    for row in arrays.constraints if n else ():
        for body, point in ((row["i"], row["si_D"]), (row["j"], row["sj_D"])):
            if body >= 0:
                arm[body] = max(arm[body], float(np.linalg.norm(point)))
    soft = np.zeros(n)
    for b in range(n):
        xx, yy, zz, xy, xz, yz = arrays.bodies["I_BB_D"][b]
        moments = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        scale = max(moments[2], arrays.bodies["mass"][b] * (arm[b] ** 2 or 1.0))
        soft[b] = SOFT * scale if moments[0] <= SINGULAR * moments[2] or moments[2] == 0.0 else 0.0
    return soft
