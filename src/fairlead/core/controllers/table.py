"""All controllers of a model: what they give out at an instant, how their states change, and what is due at a sample.

A kind is two files of one name: its record type and kernels beside this file, its word in `model/controllers`. Here it
has a row in RECORDS, and its kernels stand in the lists of calls: `give` writes outputs, `write_rates` the rates of the
states of a continuous one, `update` both outputs and states of a sampled one, `begin` states that start as measured.

Everything a controller remembers is part of the state y, so that checkpoints, rejected steps and dense output know it:
how often it was sampled, the outputs it holds if it is sampled, and its own states. What is held has no rate.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from fairlead.core.arrays import rows
from fairlead.core.controllers.baseline_turbine import (
    BASELINE,
    baseline_begin,
    baseline_output,
    baseline_rates,
    baseline_update,
)
from fairlead.core.controllers.expression import EXPRESSION, expression_output, expression_rates, expression_update
from fairlead.core.controllers.outside import OUTSIDE, outside_output
from fairlead.core.controllers.pid import PID, pid_begin, pid_output, pid_rates, pid_update
from fairlead.core.controllers.schedule import SCHEDULE, schedule_output
from fairlead.core.controllers.sensor import SENSOR, sensor_begin, sensor_output, sensor_rates, sensor_update
from fairlead.core.controllers.state_feedback import FEEDBACK, feedback_output
from fairlead.core.controllers.yaw_follow import YAW_FOLLOW, yaw_follow_output, yaw_follow_update
from fairlead.core.jit.by_symbol import when_needed
from fairlead.core.jit.kernel import kernel

RECORDS = {
    "pids": PID,
    "expressions": EXPRESSION,
    "feedbacks": FEEDBACK,
    "sensors": SENSOR,
    "outsides": OUTSIDE,
    "schedules": SCHEDULE,
    "baselines": BASELINE,
    "yaw_follows": YAW_FOLLOW,
}
# the same order
PIDS, EXPRESSIONS, FEEDBACKS, SENSORS, OUTSIDES, SCHEDULES, BASELINES, YAW_FOLLOWS = range(8)
# Of each, in the order of evaluation: its kind and record; its first channel, those of outputs and behind them of
# states that formulas read; its memory in y from `memory` to `stop`: samples so far (-1: it has begun and is
# continuous), the outputs that a sampled one holds, its states; where its outputs stand in the record; seconds between
# samples, 0 where it is continuous
CONTROLLER = rows("kind record channel outputs shown memory held state stop place", period=())
Controllers: Any = NamedTuple("Controllers", [(name, np.ndarray) for name in ("rows", *RECORDS)])
NEAR, ROUNDING = 1e-9, 2e-14  # of the period and of the time: an instant this near is the sample


@kernel
def give(C, y, A, W):
    """Write the outputs of a controller."""
    if C.kind == PIDS:
        pid_output(C, A.controllers.pids[C.record], y, A, W)
    elif C.kind == EXPRESSIONS:
        expression_output(C, A.controllers.expressions[C.record], y, A, W)
    elif C.kind == FEEDBACKS:
        feedback_output(C, A.controllers.feedbacks[C.record], y, A, W)
    elif C.kind == SENSORS:
        sensor_output(C, A.controllers.sensors[C.record], y, A, W)
    elif C.kind == OUTSIDES:
        outside_output(C, A.controllers.outsides[C.record], y, A, W)
    elif C.kind == SCHEDULES:
        schedule_output(C, A.controllers.schedules[C.record], y, A, W)
    elif C.kind == BASELINES:
        baseline_output(C, A.controllers.baselines[C.record], y, A, W)
    elif C.kind == YAW_FOLLOWS:
        yaw_follow_output(C, A.controllers.yaw_follows[C.record], y, A, W)


@kernel
def write_rates(C, y, dy, A, W):
    """Write the rates of a continuous controller's states."""
    if C.kind == PIDS:
        pid_rates(C, A.controllers.pids[C.record], y, dy, A, W)
    elif C.kind == EXPRESSIONS:
        expression_rates(C, A.controllers.expressions[C.record], y, dy, A, W)
    elif C.kind == SENSORS:
        sensor_rates(C, A.controllers.sensors[C.record], y, dy, A, W)
    elif C.kind == BASELINES:
        baseline_rates(C, A.controllers.baselines[C.record], y, dy, A, W)


@kernel
def begin(C, y, A, W):
    """Start the states of a continuous controller that begin at what it measures."""
    if C.kind == PIDS:
        pid_begin(C, A.controllers.pids[C.record], y, A, W)
    elif C.kind == SENSORS:
        sensor_begin(C, A.controllers.sensors[C.record], y, A, W)
    elif C.kind == BASELINES:
        baseline_begin(C, A.controllers.baselines[C.record], y, A, W)


@kernel
def update(C, y, A, W):
    """Write the outputs of a sampled controller at a sample, and its states for the next one."""
    if C.kind == PIDS:
        pid_update(C, A.controllers.pids[C.record], y, A, W)
    elif C.kind == EXPRESSIONS:
        expression_update(C, A.controllers.expressions[C.record], y, A, W)
    elif C.kind == FEEDBACKS:
        feedback_output(C, A.controllers.feedbacks[C.record], y, A, W)
    elif C.kind == SENSORS:
        sensor_update(C, A.controllers.sensors[C.record], y, A, W)
    elif C.kind == OUTSIDES:
        outside_output(C, A.controllers.outsides[C.record], y, A, W)
    elif C.kind == SCHEDULES:
        schedule_output(C, A.controllers.schedules[C.record], y, A, W)
    elif C.kind == BASELINES:
        baseline_update(C, A.controllers.baselines[C.record], y, A, W)
    elif C.kind == YAW_FOLLOWS:
        yaw_follow_update(C, A.controllers.yaw_follows[C.record], y, A, W)


@kernel
def show_all(y, A, W):
    """Let formulas read the states of controllers, and the outputs that sampled ones hold."""
    for r in range(A.controllers.rows.shape[0]):
        show(A.controllers.rows[r], y, W)


@kernel
def controllers(y, dy, A, W):
    """Fill the outputs of continuous controllers, each after those it reads, and the rates of what all remember."""
    for r in range(A.controllers.rows.shape[0]):
        if A.controllers.rows[r].period == 0.0:
            give(A.controllers.rows[r], y, A, W)
    for r in range(A.controllers.rows.shape[0]):
        C = A.controllers.rows[r]
        for m in range(C.memory, C.stop):
            dy[m] = 0.0
        if C.period == 0.0:
            write_rates(C, y, dy, A, W)


@kernel
def show(C, y, W):
    """Let formulas read the states of a controller, and the outputs that it holds."""
    for i in range(C.shown):
        W.channels[C.channel + C.outputs + i] = y[C.state + i]
    if C.period > 0.0:
        for i in range(C.outputs):
            W.channels[C.channel + i] = y[C.held + i]


@kernel
def near(C, t):
    """Return how far an instant may be from a sample that it is meant to be."""
    return max(NEAR * C.period, ROUNDING * abs(t))


@kernel
def is_due(C, t, y):
    """Return whether a controller is to be sampled at t, or to begin."""
    if y[C.memory] == 0.0:
        return True
    return C.period > 0.0 and t >= y[C.memory] * C.period - near(C, t)


@kernel
def any_due(t, y, A):
    """Return whether any controller is to be sampled at t, or to begin."""
    for r in range(A.controllers.rows.shape[0]):  # noqa: SIM110
        if is_due(A.controllers.rows[r], t, y):
            return True
    return False


@kernel
def next_sample(t, t_next, y, A):
    """Return where a stretch from t towards t_next must end so that no sample lies inside it."""
    for r in range(A.controllers.rows.shape[0]):
        C = A.controllers.rows[r]
        s = y[C.memory] * C.period
        if C.period > 0.0 and t + near(C, t) < s < t_next - near(C, t):
            t_next = s
    return t_next


@kernel
def sample(t, y, A, W):
    """Sample what is due at t, from the channels of an evaluation there that has just filled W.

    In the order of evaluation: what comes later reads what was sampled before it.
    """
    for r in range(A.controllers.rows.shape[0]):
        C = A.controllers.rows[r]
        if is_due(C, t, y):
            if C.period > 0.0:
                update(C, y, A, W)
                for i in range(C.outputs):
                    y[C.held + i] = W.channels[C.channel + i]
                y[C.memory] = math.floor((t + near(C, t)) / C.period) + 1.0
            else:
                begin(C, y, A, W)
                y[C.memory] = -1.0
        if C.period == 0.0:
            give(C, y, A, W)


@kernel
def hold_as(source, target, A):
    """Give a state what sampled controllers remember in another."""
    for r in range(A.controllers.rows.shape[0]):
        C = A.controllers.rows[r]
        if C.period > 0.0:
            for m in range(C.memory, C.stop):
                target[m] = source[m]


controllers_by_symbol = when_needed(controllers)
sample_by_symbol = when_needed(sample)
