"""`couple`: a model run together with the programs that compute loads on its bodies."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairlead.errors import InvalidInput, Problem
from fairlead.model.checks.checked import checked
from fairlead.model.schema import Model
from fairlead.running.directory import resume_directory, run_in_directory
from fairlead.running.options import run_options
from fairlead.running.partners.session import Session, joined
from fairlead.running.run import simulate
from fairlead.units import short

if TYPE_CHECKING:
    import xarray as xr

OURS = (".stderr", ".exchanges")


def couple(
    model: Model,
    duration: float | str | None = None,
    dt: float | str | None = None,
    *,
    programs: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    folder: str | Path | None = None,
    resume: bool = False,
    accept_mismatch: bool = False,
    say: Callable[[str], Any] | None = None,
    progress: Any = None,
    **options: Any,
) -> xr.Dataset:
    """Return the motion of `model` run together with its partners, as an xarray Dataset.

    `programs` gives, by their names, the partners with transport "in-process": functions `(t, motion) -> six numbers`
    or instances of `fl.PartnerProgram`. Commands are started in `folder`, the present one unless given. `out` is a run
    directory, without which nothing is kept; with `resume` the run in `out` goes on from its checkpoint, and
    `accept_mismatch` lets it do so though a partner's state is another than it wrote then. `say` gets remarks.
    The options of `fl.simulate` are taken as well. A partner's constant step becomes `dt`.
    """
    model = checked(model)
    tell = say or (lambda sentence: warnings.warn(sentence, stacklevel=3))
    given = {"duration": duration, "dt": dt, **options}
    if resume and out is None:
        raise InvalidInput([Problem("goes on with a run directory; give it as out", "resume")])
    if resume and (named := [name for name, value in given.items() if value is not None]):
        raise InvalidInput([Problem("is that of the run that goes on; leave it out", named[0])])
    if str(options.get("start") or (model.run.start if model.run is not None else "drawing")) == "equilibrium":
        raise InvalidInput([Problem("'equilibrium' is not known of what partners do; start in the drawing", "start")])
    place = Path(folder or os.getcwd()).resolve()
    with tempfile.TemporaryDirectory(prefix="fairlead-") as scratch:
        kept = Path(scratch) if out is None else kept_beside(Path(out))
        session = Session(model, programs or {}, place, kept, out is not None)
        session.accept_mismatch = accept_mismatch
        if out is not None and not resume and (overwrite or not Path(out).exists()):
            _clear(kept, list(model.partners))
        with joined(session):
            if resume:
                data, notes = resume_directory(Path(str(out)), progress=progress)
                for note in notes:
                    tell(note)
            else:
                given["dt"] = common_step(session, model, given["dt"])
                if out is None:
                    data = simulate(model, progress=progress, **given)
                else:
                    data = run_in_directory(
                        model, run_options(model, given), Path(out), progress=progress, overwrite=overwrite, say=tell
                    )
        for sentence in session.closed:
            tell(f"at the end, {sentence}")
    return data


def kept_beside(out: Path) -> Path:
    """Return the folder with what partners write: their states, their stderr and what was exchanged."""
    return out.with_name(f"{out.name}.partners")


def _clear(kept: Path, names: list[str]) -> None:
    """Remove what the partners of an earlier run left."""
    for name in names:
        for path in kept.glob(f"{name}.*"):
            if path.suffix in OURS or ".checkpoint." in path.name:
                path.unlink(missing_ok=True)


def common_step(session: Session, model: Model, given: Any) -> Any:
    """Return the step of the run: that of the partners which have one; InvalidInput where they or the run differ."""
    from fairlead.units import to_si

    asked = given if given is not None else (model.run.dt if model.run is not None else None)
    own = dict(session.steps)
    if asked is not None:
        own = {"the run": to_si(asked, "s"), **own}
    if not own:
        return given
    first, dt = next(iter(own.items()))
    for name, other in own.items():
        if abs(other - dt) > 1e-9 * dt:
            text = (
                f"of partner '{name}' asks for steps of {other:.9g} s, and {first} has {short(dt)} s; they must agree"
            )
            raise InvalidInput([Problem(f"the constant step {text}", "dt")])
    return dt
