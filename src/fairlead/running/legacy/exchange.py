"""Exchange vectors at the end of a legacy checkpoint, and HMB.RESTART beside it: MBDM note sections 8.4.3 and 9.

The vector of a partner begins with the force and moment that act; what else a restart needs follows them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from fairlead.errors import CheckpointUnusable
from fairlead.formats.mbdm.case import MbdmCase
from fairlead.formats.mbdm.checkpoint import FOLDER
from fairlead.results.atomic import atomically
from fairlead.running.partners.coupled import CoupledPartner

Array = npt.NDArray[np.float64]
HMB_TIME = "HMB.RESTART"
NONE, LATER, EARLIER = 9e307, 8e307, -8e307  # for nan and the infinities, which the layout has no words for


def packed(partner: CoupledPartner) -> Array:
    """Return the exchange vector of a partner, and let its energies go on though the integrals of work begin anew."""
    partner.carry(partner.simulation.y)
    memory = np.nan_to_num(partner.memory(), nan=NONE, posinf=LATER, neginf=EARLIER)
    return np.concatenate([partner.samples[-1][1], memory])


def unpacked(vector: Array, name: str) -> Array:
    """Return the memory of a partner from its exchange vector."""
    memory = vector[6:].copy()
    if len(memory) < 7:
        text = f"the checkpoint has no exchange vector of {name.upper()} that Fairlead wrote; start the case anew"
        raise CheckpointUnusable(text)
    for sign, value in ((NONE, np.nan), (LATER, np.inf), (EARLIER, -np.inf)):
        memory[memory == sign] = value
    return memory


def hmb_time(case: MbdmCase, time: float) -> str:
    """Return the content of HMB.RESTART: time and step of HMB without dimension, section 8.4.3."""
    assert case.solvers is not None
    per_time = case.solvers.largest_chord / case.solvers.wind_speed
    return f"{time / per_time:.17g} {case.dt * case.solvers.hmb_every / per_time:.17g}\n"


def write_hmb_time(case: MbdmCase, folder: Path, time: float) -> None:
    """Write HMB.RESTART beside the checkpoint, the one before kept as `_old`."""
    if case.solvers is None or case.solvers.coupling == 2:
        return
    path = folder / FOLDER / HMB_TIME
    if path.exists():
        before = path.read_bytes()
        atomically(path.with_name(f"{HMB_TIME}_old"), lambda file: file.write_bytes(before))
    atomically(path, lambda file: file.write_text(hmb_time(case, time)))
