"""A formulation: what it can take, how it starts, its kernels, and what it says when it cannot go on."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cached_property
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from fairlead.core import arrays as ca
from fairlead.core.work import Work
from fairlead.errors import Problem
from fairlead.model.compile import Compiled, compile_model
from fairlead.model.schema import Model
from fairlead.running.formulations.assembled_tree import AssembledTree, needs_assembly
from fairlead.running.formulations.assembly import Assembly
from fairlead.running.formulations.given import Given
from fairlead.running.formulations.start_tree import start_tree

Array = npt.NDArray[np.float64]
OWN = ("before", "after", "drift")  # kernels that every formulation has: the two halves of rhs, between which loads ...
STEPPED = ("rhs", "drift", "project", "begin_step", "observe")  # ... in Python are asked; what the stepping loops call


class Formulation:
    """A way to write the equations of motion. Each is one class, one folder of kernels and one line in the table."""

    name: ClassVar[str]
    folder: ClassVar[str]  # module of its kernels, below core/formulations
    loose: ClassVar[bool] = False  # every body stands alone and all joints are constraint equations
    dense: ClassVar[bool] = False  # the whole mass matrix is formed
    slots: ClassVar[bool] = False  # every body has six relative coordinates
    of_centre: ClassVar[bool] = False  # the point of a base's state is the mass centre of its tree
    rotation: ClassVar[str | None] = None  # the attitude it always uses, where it has one of its own
    rotations: ClassVar[tuple[str, ...]] = (
        "quaternion",
    )  # words for a floating base's attitude; none: angles of its own
    charted: ClassVar[bool] = False  # its state is what `rest/charts.py` reads: rest and modes can be found with it
    variants: ClassVar[dict[str, dict[str, str]]] = {}  # options that write the same equations in another way

    def accepts(self, model: Model) -> list[Problem]:
        """Return the reasons why this formulation cannot run the model; none means it can."""
        raise NotImplementedError

    def compiled(
        self,
        model: Model,
        rotation: str = "quaternion",
        unknowns: str = "omega",
        closing: str = "auto",
        duration: float | None = None,
    ) -> Compiled:
        """Return the model compiled as this formulation needs it; with a `duration` waves are tabled."""
        rotation = self.rotation or rotation
        return compile_model(model, rotation, self.loose, unknowns, closing, self.dense, self.slots, duration)

    def start(self, compiled: Compiled, work: Work, time: float) -> tuple[Array, Assembly | None]:
        """Return the state in which the drawing starts, and how it was assembled where joints do not say it all."""
        if not needs_assembly(compiled):
            return start_tree(compiled, work, self.kernels, time, of_centre=self.of_centre), None
        assembled = AssembledTree(compiled.model, time)
        y = start_tree(compiled, work, self.kernels, time, assembled, of_centre=self.of_centre)
        return y, assembled.assembly

    def start_given(self, compiled: Compiled, work: Work, time: float, given: Given) -> Array:
        """Return the state in which bodies and coordinates are where they are given, loops closed."""
        given.drive(time, compiled, work)
        return start_tree(compiled, work, self.kernels, time, given, of_centre=self.of_centre)

    def advice(self, status: int, body: str, when: str, finer: str = "reduce dt") -> str:
        """Return the sentence about a status of this formulation's own equations, empty if it has none.

        `finer` says how this run takes shorter steps.
        """
        if status == ca.GIMBAL:
            other = "use formulation 'cloud'" if self.rotation else "use rotation 'quaternion'"
            return (
                f"the 1-2-3 angles of '{body}' reach their singular attitude (cos X5 = 0) {when}; {other}, "
                "which has none"
            )
        if status == ca.SINGULAR_MASS:
            return f"the mass matrix of the tree of '{body}' is singular {when}; give its bodies mass and inertia"
        return ""

    def attributes(self, compiled: Compiled, y: Array) -> dict[str, str]:
        """Return what a result says of this formulation's own state at the end of a run."""
        return {}

    @property
    def symbol(self) -> str:
        """Return the name as a part of symbols of compiled functions."""
        return self.name.replace("-", "_")

    @cached_property
    def module(self) -> Any:
        """Return the module with this formulation's own kernels."""
        return importlib.import_module(f"fairlead.core.formulations.{self.folder}")

    @cached_property
    def kernels(self) -> Any:
        """Return this formulation's kernels by name, with the ends that most have where it has none of its own."""
        from fairlead.core.formulations import ends
        from fairlead.core.jit.by_symbol import called
        from fairlead.core.jit.kernel import bind

        halves = {name: called(getattr(self.module, name)) for name in ("before", "after")}
        shared = {name: getattr(ends, name) for name in ("project", "begin_step", "observe")}
        shared["rhs"] = bind(ends.rhs, f"{self.symbol}_rhs", **halves)
        return SimpleNamespace(**{**shared, **vars(self.module)})

    @cached_property
    def loops(self) -> dict[str, Any]:
        """Return the stepping loops bound to this formulation's kernels; each compiles when first used."""
        from fairlead.core.controllers.table import sample_by_symbol
        from fairlead.core.jit.by_symbol import by_symbol
        from fairlead.core.jit.kernel import bind

        own = {name: by_symbol(getattr(self.kernels, name)) for name in STEPPED}
        return stepping_loops(self.symbol, own | {"sample": sample_by_symbol}, bind)


def stepping_loops(symbol: str, own: dict[str, Any], bind: Callable[..., Any]) -> dict[str, Any]:
    """Return the stepping loops with a formulation's own functions in them; `bind` compiles them or not."""
    from fairlead.core import adaptive, stages, stepping
    from fairlead.core.jit.by_symbol import TRUTH, when_needed
    from fairlead.core.jit.kernel import kernel

    helpers = {name: kernel(getattr(adaptive, name)) for name in ("output_time", "step_error", "interpolate")}
    parts: dict[str, Any] = {}
    for name in ("rate_beside", "rate_around", "evaluate", "take_stages"):  # each calls those before it
        parts[name] = bind(getattr(stages, name), f"{symbol}_{name}", **own, **parts)
        if name == "rate_around":  # in singular positions of loops
            parts[name] = when_needed(parts[name], TRUTH)
    helpers["take_samples"] = bind(stepping.take_samples, f"{symbol}_take_samples", **own)
    parts["take_samples"] = helpers["take_samples"]
    for template in (
        stepping.rk_stretch,
        stepping.symplectic_stretch,
        adaptive.attempt,
        adaptive.prepare_dense,
    ):
        helpers[template.__name__] = bind(template, f"{symbol}_{template.__name__}", **own, **parts)
    templates: dict[str, Any] = {
        "first": stepping.first_record,
        "rk": stepping.rk_steps,
        "symplectic": stepping.symplectic_steps,
        "adaptive": adaptive.adaptive_steps,
    }
    return {
        name: bind(template, f"{symbol}_{template.__name__}", **own, **helpers) for name, template in templates.items()
    }
