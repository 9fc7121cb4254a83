"""Channels as they are found: values and the row that describes them, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.results.channels.machine import Machine
from fairlead.results.channels.names import CHANNELS, Channel, numbered

if TYPE_CHECKING:
    import xarray as xr

Array = npt.NDArray[np.float64]


class ChannelRows:
    """Rows by name, in the order in which they were put."""

    def __init__(self) -> None:
        self.rows: dict[str, tuple[Array, Channel]] = {}

    def put(self, name: str, values: Array, number: int = 0) -> None:
        name, row = numbered(name, number) if "#" in name else (name, CHANNELS[name])
        self.rows[name] = (np.asarray(values, dtype=float), row)

    def vector(self, names: Sequence[str], values: Array, number: int = 0) -> None:
        for name, column in zip(names, values.T):
            self.put(name, column, number)

    def dataset(self, data: Any, machine: Machine, reference: Any) -> xr.Dataset:
        import xarray as xr

        series = {name: ("time", values, row.attributes()) for name, (values, row) in self.rows.items()}
        said = {"title": data.attrs.get("title", ""), "platform": machine.platform}
        said |= {"tower_top": machine.tower_top.name if machine.tower_top else ""}
        said |= {
            "spin": machine.spin.name if machine.spin else "",
            "blades": ", ".join(held.name for held in machine.blades),
        }
        said |= {"reference": np.asarray(reference, dtype=float)}
        time = ("time", data["time"].values, {"units": "s", "long_name": "time"})
        return xr.Dataset(series, coords={"time": time}, attrs=said)
