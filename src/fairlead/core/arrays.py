"""The arrays kernels read: a few record arrays in a NamedTuple, no strings. Those they write are in `core/work.py`.

A record array holds everything about one kind of thing row by row, so a kernel takes a handful of arguments and a row
is one stretch of memory. (Hundreds of separate arrays are passed one pointer at a time: minutes of compilation.)

Bodies stand in tree order, parents before children. Each tree has drawing axes D: the axes of its free base in the
drawing, or the world's for a tree that is joined to the world. Inside kernels every body's axes are D at q = 0, so no
constant rotations are needed between neighbours; `R_DB` brings a body's own axes back for the record.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairlead.core.expressions.evaluate import Programs

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
POWER_LAW, LOGARITHMIC = 1, 2  # shear of the wind; without any it is 0


def rows(whole: str, **real: tuple[int, ...]) -> np.dtype:
    """Return a record type of integer fields and float fields of the given shapes."""
    fields = [(name, "i8") for name in whole.split()]
    return np.dtype(
        fields + [(name, "f8", shape) if shape else (name, "f8") for name, shape in real.items()], align=True
    )


V, S, R, M = (3,), (6,), (9,), (6, 6)

BODY = rows(
    # inboard body (-1: none); coordinates first..last of its inboard joint; 1 if one of them is driven or locked;
    # 1 if a load gives it added mass; 1 if bodies hang on it; 1 if it is the last of those on its inboard body
    "parent tree first last joint flip user drives wet carries youngest",
    mass=(),  # [kg]
    I_BB_D=S,  # inertia about the mass centre, xx yy zz xy xz yz [kg m2]
    h_D=V,  # stored momentum of wheels [kg m2/s]
    r_PJ_D=V,  # inboard mass centre to joint, zero for a root [m]
    r_JB_D=V,  # joint to mass centre [m]
    R_DB=R,  # the body's own axes in D
)
# bodies first..last; where its state starts, -1 if none; its first degree of freedom; where a rooted one is joined
TREE = rows("first last rooted state dof", mass=(), R_WD=R, x_O=V)
COORDINATE = rows(  # start..stop: rows of knot and coef; of a free one: its places in the state and in the equations
    "kind user code start stop driven state rate dof ball flip",
    axis_D=V,  # of a ball: fixed in the joint's child
    par=(4,),
)
SPRUNG = rows(  # spring, damper and stop on a coordinate; all zero where there is an actuator alone
    "coordinate", stiffness=(), rest=(), damping=(), lower=(), upper=(), hardness=(), absorption=(), width=()
)
ACTUATOR = rows("coordinate code start stop order state", value=(), limit=(), par=(2,))  # order of its response
SPRING = rows("row near far tension_only", r_near_D=V, r_far_D=V, stiffness=(), damping=(), length=())
ROTATIONAL = rows("row near far", axis_D=V, stiffness=(), damping=())  # axis in the far body's axes, zero: all
MATRIX = rows("row body has_A", r_BP_D=V, x_WP_W=V, preload=S, K=M, C=M, A=M)
FORCE = np.dtype(
    [(name, "i8") for name in ("row", "body", "turning")]
    + [(name, "i8", (6,)) for name in ("code", "start", "stop")]
    + [("r_BP_D", "f8", V), ("value", "f8", S)],
    align=True,
)
FUNCTION = rows("row body address")  # compiled functions of the user, called by address
CONSTRAINT = rows(  # one equation between body i and body j (-1: the world)
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
JOINT = rows("parent child turn in_tree", s_D=V)
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
ROW = rows("body external spring")  # of each load row: its body, 1 if it comes from outside the system, 1 of springs
LINE = rows("row body bed", r_BP_D=V, anchor_W=V, length=(), EA=(), weight=(), friction=(), depth=())
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
CHANNEL = rows("source number part")  # per channel a formula reads; channel 0 is the time

NO_STRETCHING, VERTICAL, WHEELER = 0, 1, 2
WATER = rows(  # one row: the water, its current, and how its waves are looked up
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
COMPONENT = rows("", omega=(), k=(), amplitude=(), phase=(), image=(), inverse=())  # exp(-2 k d), 1/(1 - image)
LEVEL = rows("first count", z=(), s=(), per_ds=())  # stations along the waves at s, s + ds, ...: first, first + 1, ...
SEGMENT = rows("first last", low=(), high=(), r_low=(), r_high=())  # drawn z, radii; Gauss nodes first..last
BUOYANCY = rows("row body first last", r_BO_D=V, e_D=V)  # O: where the axis meets drawn z = 0; segments first..last
MORISON = rows(
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
    functions: np.ndarray
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
