"""Modes of a linearised model as the scene of a page animates them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.errors import FilesFailure, InvalidInput
from fairlead.view.page.buffers import Buffers

if TYPE_CHECKING:
    import xarray as xr

MOST_MODES = 60


def modes_of(given: Any, data: xr.Dataset, buffers: Buffers) -> list[dict[str, Any]]:
    """Return the modes of a Dataset of `linearize` or its file: name, period, damping and shape of every body."""
    if given is None:
        return []
    found = _opened(given)
    if "body_shape" not in found.variables or "mode" not in found.dims:
        raise InvalidInput("this holds no modes with the shapes of bodies; make it with `fairlead modes MODEL --out`")
    bodies = [str(name) for name in data["body"].values]
    if [str(name) for name in found["body"].values] != bodies:
        raise InvalidInput("these modes are of other bodies than the result; linearise the same model")
    modes = []
    for number in range(min(found.sizes["mode"], MOST_MODES)):
        one = found.isel(mode=number)
        period, damping = float(one["period"]), float(one["damping_ratio"])
        shape = np.stack([one["body_shape"].values, one["body_shape_imag"].values])
        place = np.concatenate([found["position"].values, found["orientation"].values[:, [1, 2, 3, 0]]], axis=1)
        modes.append(
            {
                "name": str(one["mode"].values),
                "period": period if np.isfinite(period) else None,
                "damping": damping if np.isfinite(damping) else None,
                "shape": buffers.add(shape),
                "rest": place.tolist(),
            }
        )
    return modes


def _opened(given: Any) -> xr.Dataset:
    import xarray as xr

    if isinstance(given, xr.Dataset):
        return given
    if not isinstance(given, str | os.PathLike):
        raise InvalidInput(f"expected a Dataset of modes or its file; got {given!r:.60}")
    try:
        with xr.open_dataset(given, engine="h5netcdf") as found:
            return found.load()
    except (OSError, ValueError) as error:
        raise FilesFailure(f"{given} cannot be read as NetCDF: {error}") from None
