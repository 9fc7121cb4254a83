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

ROTATION, TRANSLATION, BALL, BALL_REST = 0, 1, 2, 3  # a free ball is three coordinates, the first of which is BALL
CONSTANT, POLYNOMIAL, RAMP, SINE, SPLINE, PROGRAM, FREE = 0, 1, 2, 3, 4, 5, 6
QUATERNION, EULER123 = 0, 1
OMEGA, EULER_PARAMETERS = 0, 1
PARTITION, PROJECTION, PARTITION_EVERY_STEP = 0, 1, 2
NUMBER, LINEAR_TABLE, FORMULA = 0, 1, 2
POINT, DOT, ALONG, DISTANCE, ANGLE = 0, 1, 2, 3, 4
TIME, OF_BODY, OF_COORDINATE, OF_LOAD = 0, 1, 2, 3
UNREAD, RATES_READ, ANGLES_READ = 0, 1, 2  # of free rotations, by springs, actuators and formulas
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
    # inboard body (-1: none); coordinates first..last of its inboard joint; 1 if one of them is driven or locked;
    # 1 if a load gives it added mass
    "parent tree first last joint flip user drives wet",
    mass=(),  # [kg]
    I_BB_D=S,  # inertia about the mass centre, xx yy zz xy xz yz [kg m2]
    h_D=V,  # stored momentum of wheels [kg m2/s]
    r_PJ_D=V,  # inboard mass centre to joint, zero for a root [m]
    r_JB_D=V,  # joint to mass centre [m]
    R_DB=R,  # the body's own axes in D
)
# bodies first..last; where its state starts, -1 if none; its first degree of freedom; where a rooted one is joined
TREE = _rows("first last rooted state dof", mass=(), R_WD=R, x_O=V)
COORDINATE = _rows(  # start..stop: rows of knot and coef; of a free one: its places in the state and in the equations
    "kind user code start stop driven state rate dof ball flip",
    axis_D=V,  # of a ball: fixed in the joint's child
    par=(4,),
)
SPRUNG = _rows(  # spring, damper and stop on a coordinate; all zero where there is an actuator alone
    "coordinate", stiffness=(), rest=(), damping=(), lower=(), upper=(), hardness=(), absorption=(), width=()
)
ACTUATOR = _rows("coordinate code start stop order state", value=(), limit=(), par=(2,))  # order of its response
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
# bodies; first of three free angles or -1; whether it grows a tree; its point on the child
JOINT = _rows("parent child turn in_tree", s_D=V)
SLOT = np.dtype(  # of Kane's equations, per body: its six relative coordinates, three angles then three lengths
    # lower body (-1: the world); where its reference attitude and their count stand in the state, -1 if none;
    # first of the three coordinates of a free ball, -1 if none
    [(name, "i8") for name in ("lower", "reference", "ball")]
    # joint coordinate of each slot (-1: none, held at zero); of a free one its places in state and equations
    + [(name, "i8", (6,)) for name in ("coordinate", "state", "rate", "dof")]
    # joint frame in the axes of the lower body and of the body; from the lower origin to the joint; origin to centre
    + [("R_JF", "f8", R), ("R_KF", "f8", R), ("q_J", "f8", V), ("r_K", "f8", V)],
    align=True,
)
ROW = _rows("body external spring")  # of each load row: its body, 1 if it comes from outside the system, 1 of springs
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

NO_STRETCHING, VERTICAL, WHEELER = 0, 1, 2
WATER = _rows(  # one row: the water, its current, and how its waves are looked up
    "stretching tabled",
    rho=(),  # [kg/m3]
    g=(),  # [m/s2]
    depth=(),  # [m], infinite for deep water
    cos=(),  # direction the waves travel to
    sin=(),
    current=V,  # at the surface [m/s]
    exponent=(),  # of the power law of the current over the height above the seabed
    end=(),  # tables hold from t = 0 to here [s] ...
    per_dt=(),  # ... with so many steps per second
    per_scale=(),  # levels are at z = scale (1 - (1 + x)^4), x in steps of dx, two of them above the still water
    per_dx=(),
)
COMPONENT = _rows("", omega=(), k=(), amplitude=(), phase=(), image=(), inverse=())  # exp(-2 k d), 1/(1 - image)
LEVEL = _rows("first count", z=(), s=(), per_ds=())  # stations along the waves at s, s + ds, ...: first, first + 1, ...
SEGMENT = _rows("first last", low=(), high=(), r_low=(), r_high=())  # drawn z, radii; Gauss nodes first..last
BUOYANCY = _rows("row body first last", r_BO_D=V, e_D=V)  # O: where the axis meets drawn z = 0; segments first..last
MORISON = _rows(
    "row body first last displaced instantaneous fixed pressure has_A",
    r_BO_D=V,
    e_D=V,
    x_WO_W=V,  # O in the drawing
    ca=(),
    cd=(),
    cm=(),
    end_ca=(),
    end_cd=(),
)


class Sea(NamedTuple):
    """The water, its waves and what they load."""

    water: np.ndarray
    components: np.ndarray
    levels: np.ndarray
    table: np.ndarray  # (times, 5 stations): U, U_t, W, W_t, P of each station
    segments: np.ndarray
    nodes: np.ndarray  # (K, 2) Gauss nodes on 0..1 and weights
    buoyancy: np.ndarray
    morison: np.ndarray


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
    sprung: np.ndarray
    actuators: np.ndarray
    constraints: np.ndarray
    joints: np.ndarray
    loop_at: np.ndarray  # (m + 1,) of each loop equation in a tree: its degrees of freedom in loop_columns
    loop_columns: np.ndarray
    envelope: np.ndarray  # (m, 2) of each equation: the first that shares a body with it, and where its row starts
    programs: Programs
    knot: np.ndarray  # (K,) times of splines and tables [s]
    coef: np.ndarray  # (K, 4) cubic pieces, highest power first; polynomials and linear tables use column 0
    kinks: np.ndarray  # (n,) times at which a driven acceleration jumps, growing [s]
    gravity: np.ndarray  # (3,) [m/s2]
    # QUATERNION or EULER123; 1 if every body stands alone; OMEGA or EULER_PARAMETERS; how loops are closed;
    # what of free rotations must be known before loads; 1 if trees have free coordinates or loops
    options: np.ndarray
    layout: np.ndarray  # where each variable of the record starts
    slots: np.ndarray  # of Kane's equations, empty in other formulations
    states: int  # length of the formulation's part of the state, actuators included
    freedoms: int  # degrees of freedom of trees: six per free base and one per free coordinate
    sea: Sea


BODY_WORK = _rows("", R=R, w=V, al=V, r=V, v=V, a=V, x=V, u=V, I=S, f=V, n=V, joint_x=V, joint_f=V, joint_n=V)
COORDINATE_WORK = _rows("", q=(), dq=(), ddq=(), cos=(), sin=(), drive=(), axis_W=V, x_axis=V, force=())
FREE_WORK = _rows("", lin=V, ang=V, Uf=V, Un=V, D=(), u=())  # per coordinate: its axis about O, and its elimination
# Per body about O: inertia of what it carries (linear, coupling, angular), bias wrench, acceleration found
CARRIED_WORK = _rows("", A=S, H=R, I=S, f=V, n=V, a=V, al=V)
TREE_WORK = _rows("", G=V, dG=V, ddG=V)
# beyond: evaluations in which a curve was left behind its range
ROW_WORK = _rows("", f=V, n=V, tension=(), thrust=(), power=(), hub_wind=(), relative_wind=(), beyond=())
JOINT_WORK = _rows("", x=V, f=V, n=V)
# Of Kane's equations, per body K of lower body J: [JR_K]; partial angular velocities of the angles and their rates, in
# the joint frame; relative rate, in K; arm O_J to O_K and its rate, in J; rates and known accelerations, in K
KANE_WORK = _rows("", R=R, P=R, dP=R, w_rel=V, arm_J=V, ds_J=V, w=V, v=V, al=V, a=V, x_O=V)


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
    rank: np.ndarray  # (3,) rank of the partition, least amplification of one so far, highest rank so far
    U: np.ndarray  # (m + N, m + N) dependent part
    b: np.ndarray  # (7 N + m,) right-hand sides
    worst: np.ndarray  # (3,) violation of position and velocity, Newton steps of the last closing
    K: np.ndarray  # (8 N + m, 8 N + m) of Eq. 69, empty otherwise
    k: np.ndarray
    Y: np.ndarray  # (m, 12) M^-1 J^T by rows
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
    newton: np.ndarray  # (3,) violation that is not accepted, most steps, growth of amplification that ends a partition


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
    joints: np.ndarray
    C: ConstraintWork
    F: FreeWork
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
    for channel in ("tension", "thrust", "power", "hub_wind", "relative_wind"):
        rows[channel] = np.nan
    return Work(
        bodies=np.zeros(len(arrays.bodies), BODY_WORK),
        coordinates=np.zeros(len(arrays.coordinates), COORDINATE_WORK),
        trees=np.zeros(len(arrays.trees), TREE_WORK),
        rows=rows,
        joints=np.zeros(len(arrays.joints), JOINT_WORK),
        C=new_constraint_work(arrays),
        F=new_free_work(arrays, dense),
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
        morison=np.zeros((len(arrays.sea.morison), 6, 6)),
    )


def new_free_work(arrays: Arrays, dense: bool) -> FreeWork:
    """Return the scratch of free joint coordinates; only bases of trees without any stay empty."""
    n = arrays.freedoms if arrays.options[1] == 0 else 0
    return FreeWork(
        axes=np.zeros(len(arrays.coordinates), FREE_WORK),
        carried=np.zeros(len(arrays.bodies) if arrays.options[1] == 0 else 0, CARRIED_WORK),
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
    n = len(arrays.bodies) if arrays.options[1] else 0
    parts = int(arrays.options[3]) != PROJECTION or n <= 10  # small drawings are assembled by partitioning in any case
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
        rank=np.zeros(3),
        U=np.zeros((m + n, m + n) if parts else (0, 0)),
        b=np.zeros(7 * n + m),
        worst=np.zeros(3),
        K=np.zeros((size, size)),
        k=np.zeros(size),
        Y=np.zeros((m, 12)),
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
        newton=np.array([1e-10, 20.0, 1.05]),  # what large coordinates may leave of a constraint
    )


SINGULAR, SOFT = 1e-10, 1e-6  # of a body's own scale: the larger of its moments and of its mass at its joints' arm


def soft_inertias(arrays: Arrays, n: int) -> np.ndarray:
    """Return what is lent to bodies that have no inertia about some axis (rods, point masses), 0 for the others."""
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
    "wave_elevation": ("sea", 1),  # recorded where there is one
    "thrust": ("rotor", 1),  # per load where there is a rotor, else not at all
    "power": ("rotor", 1),
    "hub_wind": ("rotor", 1),
    "relative_wind": ("rotor", 1),
}


def record_layout(counts: dict[str, int]) -> np.ndarray:
    """Return where each variable of the record starts, and last its whole width."""
    widths = [counts.get(per, 1) * width for per, width in RECORDED.values()]
    return np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
