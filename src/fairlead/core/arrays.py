"""What kernels read and write: a few record arrays in a NamedTuple, no strings.

A record array holds everything about one kind of thing row by row, so a kernel takes a handful of arguments and a row
is one stretch of memory. (Hundreds of separate arrays are passed one pointer at a time: minutes of compilation.)

Bodies stand in tree order, parents before children. Each tree has drawing axes D: the axes of its free base in the
drawing, or the world's for a tree that is joined to the world. Inside kernels every body's axes are D at q = 0, so no
constant rotations are needed between neighbours; `R_DB` brings a body's own axes back for the record.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairlead.core.expressions import Programs

ROTATION, TRANSLATION = 0, 1
CONSTANT, POLYNOMIAL, RAMP, SINE, SPLINE, PROGRAM = 0, 1, 2, 3, 4, 5
QUATERNION, EULER123 = 0, 1
OMEGA, EULER_PARAMETERS = 0, 1
PARTITION, PROJECTION = 0, 1
NUMBER, LINEAR_TABLE, FORMULA = 0, 1, 2
POINT, DOT, ALONG, DISTANCE, ANGLE = 0, 1, 2, 3, 4
TIME, OF_BODY, OF_COORDINATE, OF_LOAD = 0, 1, 2, 3
OK, NOT_FINITE, GIMBAL, SINGULAR_MASS, STEP_TOO_SMALL, NOT_CLOSED = 0, 1, 2, 3, 4, 5
NO_LINE = 6  # a mooring line has no solution
UNIFORM, POWER_LAW, LOGARITHMIC = 0, 1, 2  # shear of the wind


def _rows(whole: str, **real: tuple[int, ...]) -> np.dtype:
    """Return a record type of integer fields and float fields of the given shapes."""
    fields = [(name, "i8") for name in whole.split()]
    return np.dtype(
        fields + [(name, "f8", shape) if shape else (name, "f8") for name, shape in real.items()], align=True
    )


V, S, R, M = (3,), (6,), (9,), (6, 6)

BODY = _rows(
    "parent tree first last joint flip user",  # inboard body (-1: none); coordinates first..last of its inboard joint
    mass=(),  # [kg]
    I_BB_D=S,  # inertia about the mass centre, xx yy zz xy xz yz [kg m2]
    h_D=V,  # stored momentum of wheels [kg m2/s]
    r_PJ_D=V,  # inboard mass centre (world origin for a rooted root) to joint [m]
    r_JB_D=V,  # joint to mass centre [m]
    R_DB=R,  # the body's own axes in D
)
TREE = _rows("first last rooted state", mass=(), R_WD=R)  # bodies first..last; where its state starts, -1 if none
COORDINATE = _rows("kind user code start stop driven", axis_D=V, par=(4,))  # start..stop: rows of knot and coef
SPRING = _rows("row near far tension_only", r_near_D=V, r_far_D=V, stiffness=(), damping=(), length=())
ROTATIONAL = _rows("row near far", axis_D=V, stiffness=(), damping=())  # axis in the far body's axes, zero: all
MATRIX = _rows("row body has_A", r_BP_D=V, x_WP_W=V, preload=S, K=M, C=M, A=M)
FORCE = np.dtype(
    [(name, "i8") for name in ("row", "body", "turning")]
    + [(name, "i8", (6,)) for name in ("code", "start", "stop")]
    + [("r_BP_D", "f8", V), ("value", "f8", S)],
    align=True,
)
CONSTRAINT = _rows(  # one equation between body i and body j (-1: the world)
    "code i j joint coordinate active turn",  # the coordinate it drives or measures; turn: first of three driven angles
    a_D=V,  # vectors in the axes of i (world axes for POINT) ...
    b_D=V,
    h_D=V,
    f_D=V,  # ... and of j
    si_D=V,
    sj_D=V,
    value=(),
    sign=(),
)
JOINT = _rows("parent child turn", s_D=V)  # bodies; first of three free angles or -1; its point on the child
ROW = _rows("body external")  # per load row: the body it acts on, 1 if it comes from outside the system
LINE = _rows("row body bed", r_BP_D=V, anchor_W=V, length=(), EA=(), weight=(), friction=(), depth=())
# Speed, direction, lateral and vertical part over time: rows start..stop of knot and coef, cubic pieces.
WIND = np.dtype(
    [("shear", "i8"), ("start", "i8", (4,)), ("stop", "i8", (4,)), ("density", "f8"), ("height", "f8"), ("par", "f8")],
    align=True,
)
ROTOR = np.dtype(  # curves of the relative wind speed: rows start..stop of knot and coef, C_T then C_P
    [("row", "i8"), ("body", "i8"), ("start", "i8", (2,)), ("stop", "i8", (2,))]
    + [("r_BP_D", "f8", V), ("axis_D", "f8", V), ("area", "f8"), ("torque", "f8")],
    align=True,
)
CHANNEL = _rows("source number part")  # per channel a formula reads; channel 0 is the time


class Arrays(NamedTuple):
    """Everything constant during a run."""

    bodies: np.ndarray
    trees: np.ndarray
    coordinates: np.ndarray
    rows: np.ndarray
    springs: np.ndarray
    rotational: np.ndarray
    matrices: np.ndarray
    forces: np.ndarray
    lines: np.ndarray
    wind: np.ndarray  # one row, or none
    rotors: np.ndarray
    channels: np.ndarray
    constraints: np.ndarray
    joints: np.ndarray
    envelope: np.ndarray  # (m, 2) of each equation: the first that shares a body with it, and where its row starts
    programs: Programs
    knot: np.ndarray  # (K,) times of splines and tables [s]
    coef: np.ndarray  # (K, 4) cubic pieces, highest power first; polynomials and linear tables use column 0
    kinks: np.ndarray  # (n,) times at which a driven acceleration jumps, growing [s]
    gravity: np.ndarray  # (3,) [m/s2]
    # QUATERNION or EULER123; 1 if every body stands alone; OMEGA or EULER_PARAMETERS; PARTITION or PROJECTION
    options: np.ndarray
    layout: np.ndarray  # where each variable of the record starts
    states: int  # length of the formulation's part of the state


BODY_WORK = _rows("", R=R, w=V, al=V, r=V, v=V, a=V, x=V, u=V, I=S, f=V, n=V, joint_x=V, joint_f=V, joint_n=V)
COORDINATE_WORK = _rows("", q=(), dq=(), ddq=(), cos=(), sin=(), drive=(), axis_W=V, x_axis=V)
TREE_WORK = _rows("", G=V, dG=V, ddG=V)
# beyond: evaluations in which a curve was left behind its range
ROW_WORK = _rows("", f=V, n=V, tension=(), thrust=(), power=(), hub_wind=(), relative_wind=(), beyond=())
JOINT_WORK = _rows("", x=V, f=V, n=V)


class ConstraintWork(NamedTuple):
    """Scratch of the constrained formulation: m equations, N bodies, 7 N coordinates."""

    phi: np.ndarray  # (m,)
    J: np.ndarray  # (m, 12) of (v, w) of body i, then of body j
    nu: np.ndarray  # (m,)
    gamma: np.ndarray  # (m,)
    lam: np.ndarray  # (m,) multipliers
    active: np.ndarray  # (m,) rows that are equations; the others only measure
    S: np.ndarray  # Schur complement and its factors, inside the envelope
    T: np.ndarray  # J J^T, the same
    skip: np.ndarray  # (m,) 1 where a pivot vanished: a redundant equation
    y: np.ndarray  # (13 N,) the state brought onto the constraints
    D: np.ndarray  # (m + N, 7 N) Jacobian by coordinates and its elimination
    rows: np.ndarray  # (m + N,) independent equations first
    columns: np.ndarray  # (7 N,) dependent coordinates first
    weight: np.ndarray  # (7 N,) how readily a coordinate becomes dependent
    rank: np.ndarray  # (1,) rank of the partition
    U: np.ndarray  # (m + N, m + N) dependent part
    b: np.ndarray  # (7 N + m,) right-hand sides
    worst: np.ndarray  # (3,) violation of position and velocity, Newton steps of the last closing
    K: np.ndarray  # (8 N + m, 8 N + m) of Eq. 69, empty otherwise
    k: np.ndarray


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
    joints: np.ndarray
    C: ConstraintWork
    added: np.ndarray  # (N, 6, 6) added mass about each mass centre, empty where no load has any
    K: np.ndarray  # (6, 7) of the coupled solve
    channels: np.ndarray
    stack: np.ndarray
    jets: np.ndarray
    window: np.ndarray  # (2,) the stretch of time being stepped over: at a kink, the side its middle is on counts
    status: np.ndarray  # (2,) code and the user's number of a body


def new_work(arrays: Arrays) -> Work:
    """Return scratch arrays of the right sizes."""
    rows = np.zeros(len(arrays.rows), ROW_WORK)
    for channel in ("tension", "thrust", "power", "hub_wind", "relative_wind"):
        rows[channel] = np.nan
    return Work(
        bodies=np.zeros(len(arrays.bodies), BODY_WORK),
        coordinates=np.zeros(len(arrays.coordinates), COORDINATE_WORK),
        trees=np.zeros(len(arrays.trees), TREE_WORK),
        rows=rows,
        joints=np.zeros(len(arrays.joints), JOINT_WORK),
        C=new_constraint_work(arrays),
        added=np.zeros((len(arrays.bodies) if arrays.matrices["has_A"].any() else 0, 6, 6)),
        K=np.zeros((6, 7)),
        channels=np.zeros(len(arrays.channels)),
        stack=np.zeros(64),
        jets=np.zeros((64, 3)),
        window=np.zeros(2),
        status=np.zeros(2, dtype=np.int64),
    )


def new_constraint_work(arrays: Arrays) -> ConstraintWork:
    """Return the scratch of the constrained formulation, empty where nothing is constrained."""
    m = len(arrays.constraints)
    n = len(arrays.bodies) if m or arrays.options[1] else 0
    parts = int(arrays.options[3]) == PARTITION or n <= 10  # small drawings are assembled by partitioning in any case
    entries = int(arrays.envelope[-1].sum() + m) if m else 0
    size = 8 * n + m if arrays.options[2] == EULER_PARAMETERS else 0
    return ConstraintWork(
        **{name: np.zeros(m) for name in ("phi", "nu", "gamma", "lam")},
        J=np.zeros((m, 12)),
        active=np.ascontiguousarray(arrays.constraints["active"]),
        S=np.zeros(entries),
        T=np.zeros(entries),
        skip=np.zeros(m, dtype=np.int64),
        y=np.zeros(13 * n),
        D=np.zeros((m + n, 7 * n) if parts else (0, 0)),
        rows=np.arange(m + n),
        columns=np.arange(7 * n),
        weight=np.ones(7 * n),
        rank=np.zeros(1),
        U=np.zeros((m + n, m + n) if parts else (0, 0)),
        b=np.zeros(7 * n + m),
        worst=np.zeros(3),
        K=np.zeros((size, size)),
        k=np.zeros(size),
    )


# The record is one row of floats per instant: each variable in order, per what it is counted, and its width.
RECORDED = {
    "time": ("", 1),
    "position": ("body", 3),
    "velocity": ("body", 3),
    "acceleration": ("body", 3),
    "orientation": ("body", 4),
    "angular_velocity": ("body", 3),
    "angular_acceleration": ("body", 3),
    "joint_position": ("coordinate", 1),
    "joint_rate": ("coordinate", 1),
    "joint_acceleration": ("coordinate", 1),
    "driver_force": ("coordinate", 1),
    "joint_point": ("joint", 3),
    "joint_force": ("joint", 3),
    "joint_moment": ("joint", 3),
    "load_force": ("load", 3),
    "load_moment": ("load", 3),
    "tension": ("load", 1),
    "load_work": ("load", 1),
    "driver_work": ("coordinate", 1),
    "external_impulse": ("", 3),
    "external_angular_impulse": ("", 3),
    "momentum": ("", 3),
    "angular_momentum": ("", 3),
    "kinetic_energy": ("", 1),
    "potential_energy": ("", 1),
    "position_violation": ("", 1),
    "velocity_violation": ("", 1),
    "thrust": ("rotor", 1),  # per load where there is a rotor, else not at all
    "power": ("rotor", 1),
    "hub_wind": ("rotor", 1),
    "relative_wind": ("rotor", 1),
}


def record_layout(counts: dict[str, int]) -> np.ndarray:
    """Return where each variable of the record starts, and last its whole width."""
    widths = [counts.get(per, 1) * width for per, width in RECORDED.values()]
    return np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
