"""Every kind of controller: one line each. Files, checks, formulas, results and tests read this table."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fairlead.model.controllers.base import Controller
from fairlead.model.controllers.baseline_turbine import BaselineTurbine
from fairlead.model.controllers.discon import Discon
from fairlead.model.controllers.expression import ExpressionController
from fairlead.model.controllers.outside import PythonController
from fairlead.model.controllers.pid import Pid
from fairlead.model.controllers.schedule import Schedule
from fairlead.model.controllers.sensor import Sensor
from fairlead.model.controllers.state_feedback import StateFeedback
from fairlead.model.controllers.yaw_follow import YawFollow
from fairlead.model.environment.wind import _tagged

KINDS: tuple[type[Controller], ...] = (
    YawFollow,
    Pid,
    ExpressionController,
    StateFeedback,
    Sensor,
    PythonController,
    Schedule,
    BaselineTurbine,
    Discon,
)
if TYPE_CHECKING:  # told apart by `type`
    AnyController: TypeAlias = (
        YawFollow
        | Pid
        | ExpressionController
        | StateFeedback
        | Sensor
        | PythonController
        | Schedule
        | BaselineTurbine
        | Discon
    )
else:
    AnyController = _tagged(*KINDS)
CONTROLLERS: dict[str, type[Controller]] = {kind.model_fields["type"].default: kind for kind in KINDS}
