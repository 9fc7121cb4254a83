"""`audit` and `internal_loads` of anything: a result of ours, or a table of another program with its column map."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairlead.auditing.audit import Audit
from fairlead.auditing.audit import audit as audit_data
from fairlead.formats.foreign.table import read_table
from fairlead.inverse_dynamics.internal_loads import RANK
from fairlead.inverse_dynamics.internal_loads import internal_loads as internal_loads_of

if TYPE_CHECKING:
    import xarray as xr

Columns = Mapping[str, Any] | str | Path


def audit(
    data: Any,
    *,
    tolerance: float | None = None,
    columns: Columns | None = None,
    case: str = "auto",
    held: bool | None = None,
    block: int = 4096,
) -> Audit:
    """Return the momentum and energy audit of a Dataset, a run directory, a NetCDF file, or a table with a column map.

    `columns` says what a foreign table holds (docs/audit.md). `tolerance` is relative to the system's own scales; left
    out, it is the one that the run asked for (`run: {audit: {tolerance: ...}}`), else 1e-6. `case` is found from the
    record unless given: "free", "gravity" or "general". `held` says that loads were held constant over each step; the
    record says so itself if left out. `block` rows are in memory at a time.
    """
    table = data if columns is None else read_table(data, columns)
    return audit_data(table, tolerance=tolerance, case=case, held=held, block=block)


def internal_loads(
    data: Any,
    joint: str | None = None,
    axes: str = "world",
    *,
    route: str | None = None,
    columns: Columns | None = None,
    rank: float = RANK,
    block: int = 4096,
) -> xr.Dataset:
    """Return `force` and `moment` on the child at a joint, over time and xyz; of every joint if none is named.

    `data` is a Dataset, a run directory, a NetCDF file, or a table whose column map `columns` names its joints. `axes`
    are those of the world, of the joint's parent or of its child. `route` takes accelerations as "recorded" or
    "differentiated" from the motion (the default is to differentiate those that are absent); then `force_error` and
    `moment_error` say what that costs. `force_determined` and `moment_determined` are False where rigid bodies
    leave a component open: it is then given with least norm. In loops, singular values of the balances below `rank`
    of the largest count as zero.
    """
    table = data if columns is None else read_table(data, columns)
    return internal_loads_of(table, joint, axes, route=route, rank=rank, block=block)
