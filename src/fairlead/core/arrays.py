"""The arrays kernels read: a few record arrays in a NamedTuple, no strings. Those they write are in `core/work.py`.

The records of loads stand with their kernels in `core/loads`, those of water and air in `core/environment`.

A record array holds everything about one kind of thing row by row, so a kernel takes a handful of arguments and a row
is one stretch of memory. (Hundreds of separate arrays are passed one pointer at a time: minutes of compilation.)

Bodies stand in tree order, parents before children. Each tree has drawing axes D: the axes of its free base in the
drawing, or the world's for a tree that is joined to the world. Inside kernels every body's axes are D at q = 0, so no
constant rotations are needed between neighbours; `R_DB` brings a body's own axes back for the record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fairlead.core.expressions.evaluate import Programs

if TYPE_CHECKING:
    from fairlead.core.environment.sea import Sea

ROTATION, TRANSLATION, BALL, BALL_REST = 0, 1, 2, 3  # a free ball is three coordinates, the first of which is BALL
CONSTANT, POLYNOMIAL, RAMP, SINE, SPLINE, PROGRAM, FREE, COMMANDED = 0, 1, 2, 3, 4, 5, 6, 7
QUATERNION, EULER123 = 0, 1
OMEGA, EULER_PARAMETERS = 0, 1
PARTITION, PROJECTION, PARTITION_EVERY_STEP = 0, 1, 2
NUMBER, LINEAR_TABLE, FORMULA, OUTPUT, CHANNEL_TABLE = 0, 1, 2, 3, 4  # OUTPUT is a controller's
POINT, DOT, ALONG, DISTANCE, ANGLE = 0, 1, 2, 3, 4
TIME, OF_BODY, OF_COORDINATE, OF_LOAD, OF_CONTROLLER = 0, 1, 2, 3, 4
UNREAD, RATES_READ, ANGLES_READ = 0, 1, 2  # of free rotations, by springs, actuators and formulas
OK, NOT_FINITE, GIMBAL, SINGULAR_MASS, STEP_TOO_SMALL, NOT_CLOSED = 0, 1, 2, 3, 4, 5
NO_LINE = 6  # a mooring line has no solution


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
    inertia=(),  # that is turned through a gear and resists q'' alone [kg m2]
)
SPRUNG = rows(  # spring, damper and stop on a coordinate; all zero where there is an actuator alone
    "coordinate", stiffness=(), rest=(), damping=(), lower=(), upper=(), hardness=(), absorption=(), width=()
)
# order of its response; the channel that a table is of
ACTUATOR = rows("coordinate code start stop channel order state", value=(), limit=(), par=(2,))
CONSTRAINT = rows(  # one equation between body i and body j (-1: the world)
    # the coordinate it drives or measures; turn: first of three driven angles; of a relation's row the coordinate, the
    # row that has its multiplier, and the next row that shares this (-1: none)
    "code i j joint coordinate active turn of head next",
    a_D=V,  # vectors in the axes of i (world axes for POINT) ...
    b_D=V,
    h_D=V,
    f_D=V,  # ... and of j
    si_D=V,
    sj_D=V,
    value=(),
    sign=(),
)
# Equation between coordinates: rows head..last of the constraints; the first of its programs: value, slopes, curvatures
RELATION = rows("head last program")
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
CHANNEL = rows("source number part")  # per channel a formula reads; channel 0 is the time


class Arrays(NamedTuple):
    """Everything constant during a run."""

    bodies: np.ndarray
    trees: np.ndarray
    coordinates: np.ndarray
    rows: np.ndarray
    loads: Any  # `core/loads/table.Loads`: of each kind of load its records
    wind: np.ndarray  # one row, or none
    channels: np.ndarray
    sprung: np.ndarray
    actuators: np.ndarray
    controllers: Any  # `core/controllers/table.Controllers`: in the order of evaluation, and of each kind its records
    commands: np.ndarray  # coordinates that follow controllers
    memory: np.ndarray  # start of what these remember: the last of the formulation's part of the state
    constraints: np.ndarray
    relations: np.ndarray
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
    states: int  # length of the formulation's part of the state, actuators and controllers included
    freedoms: int  # degrees of freedom of trees: six per free base and one per free coordinate
    sea: Sea
