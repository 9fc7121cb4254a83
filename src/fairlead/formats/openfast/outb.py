"""OpenFAST's binary output files (.outb), written so that the readers in use take them.

Layout, little-endian: int16 FileID; with 4 an int16 length of names (else 10 characters); int32 channels without time;
int32 instants; two float64 of time; with packed values float32 slopes, then float32 offsets; int32 length and text of
the description; names, then units in parentheses, time first, padded with blanks; with 1 the time as int32; values
instant by instant. Packed values are int16: value = (number - offset) / slope. FileID 1 packs time too, 3 has float64
values, 4 packed values; in 3 and 4 the two numbers of time are its start and its step.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fairlead.errors import InvalidInput
from fairlead.results.channels.channels import channels
from fairlead.results.channels.names import FACTORS
from fairlead.results.netcdf import atomically
from fairlead.results.reading import open_data

Array = npt.NDArray[np.float64]
WITH_TIME, NOT_PACKED, LONG_NAMES = 1, 3, 4
NAME = 10  # characters of a name where the file does not say
COUNTS = 65534  # of int16, symmetric about zero
SINGLE = 5e-7  # of the largest value: more than slope and offset lose as float32, so that no number leaves int16
STEEPEST = 1e30  # slope of a channel that is almost zero


def write_outb(data: Any, path: Any, *, packed: bool = True, description: str = "") -> None:
    """Write channels, or the channels of a result, as OpenFAST's binary output, in OpenFAST's units.

    Packed values are good to (max - min + 5e-7 max|value|) / 131068 each; `packed=False` writes doubles. Where steps
    differ (a last shorter one) times are written too, good to the duration / 2^32.
    """
    data = open_data(data)
    table = channels(data) if "orientation" in data.variables else data
    time = np.asarray(table["time"].values, dtype=float)
    even = len(time) < 3 or bool(np.all(np.abs(np.diff(time, 2)) <= 1e-6 * (time[1] - time[0])))
    if not (even or packed):
        raise InvalidInput("doubles are written without times, and the steps of this record differ; use packed=True.")
    kind = NOT_PACKED if not packed else LONG_NAMES if even else WITH_TIME
    names, units, values = _columns(table, NAME if kind != LONG_NAMES else None)
    _refuse_not_finite(names, values, time, packed)
    width = max(NAME, *(len(text) for text in names + units)) if kind == LONG_NAMES else NAME
    long = [text for text in names + units if len(text) > width]
    if long:
        raise InvalidInput(f"'{long[0]}' has more than {NAME} letters, which this kind of file cannot hold; rename it.")
    text = description or f"Fairlead: {table.attrs.get('title', '')}"
    written = _bytes(kind, width, text, names, units, time, values)
    atomically(Path(path), lambda temporary: temporary.write_bytes(written))


def _columns(table: Any, most: int | None) -> tuple[list[str], list[str], Array]:
    """Return names (of at most so many letters) and units, time first, and the values in OpenFAST's units."""
    names, units, columns = ["Time"], ["(s)"], []
    for name, variable in table.data_vars.items():
        if variable.dims != ("time",):
            continue
        own = str(variable.attrs.get("units", "-"))
        wanted = str(variable.attrs.get("openfast_units", own))
        if own != wanted and (own, wanted) not in FACTORS:
            raise InvalidInput(f"channel '{name}' is in {own}, which does not turn into {wanted}.")
        known = [str(variable.attrs[key]) for key in ("openfast_name", "outb_name") if variable.attrs.get(key)]
        short = [text for text in known if most is None or len(text) <= most]
        names.append((short or known or [str(name)])[0])
        units.append(f"({wanted})")
        columns.append(np.asarray(variable.values, dtype=float) * FACTORS.get((own, wanted), 1.0))
    if not columns or len(columns[0]) == 0:
        raise InvalidInput("there are no channels over time to write; give a result or what fl.channels returns.")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidInput(f"two channels are called '{twice[0]}' in OpenFAST; drop or rename one.")
    return names, units, np.stack(columns, axis=1)


def _refuse_not_finite(names: list[str], values: Array, time: Array, packed: bool) -> None:
    bad = np.argwhere(~np.isfinite(values))
    if packed and len(bad):
        row, column = bad[0]
        raise InvalidInput(
            f"{names[column + 1]} is not finite at t = {time[row]:.6g} s, which 16 bits cannot hold; use packed=False "
            "or drop the channel."
        )


def _bytes(kind: int, width: int, text: str, names: list[str], units: list[str], time: Array, values: Array) -> bytes:
    """Return the file."""
    said = text.encode("ascii", "replace")
    step = (time[-1] - time[0]) / max(len(time) - 1, 1)
    scale, shift, ticks = _packed_time(time)
    clock = (scale, shift) if kind == WITH_TIME else (time[0], step)
    parts = [struct.pack("<h", kind)]
    if kind == LONG_NAMES:
        parts.append(struct.pack("<h", width))
    parts.append(struct.pack("<iidd", values.shape[1], len(time), *clock))
    numbers: Any = values.astype("<f8")
    if kind != NOT_PACKED:
        slopes, offsets, numbers = _packed(values)
        parts += [slopes.tobytes(), offsets.tobytes()]
    parts += [struct.pack("<i", len(said)), said]
    parts += [word.encode("ascii", "replace").ljust(width) for word in names + units]
    if kind == WITH_TIME:
        parts.append(ticks.tobytes())
    return b"".join([*parts, numbers.tobytes()])


def _packed(values: Array) -> tuple[Any, Any, Any]:
    """Return slopes, offsets and numbers: number = slope value + offset, symmetric about the middle of the range."""
    low, high = values.min(axis=0), values.max(axis=0)
    span = high - low + SINGLE * np.maximum(np.abs(low), np.abs(high))
    with np.errstate(divide="ignore", over="ignore"):
        slopes = np.where(span > 0, np.minimum(COUNTS / span, STEEPEST), 1.0).astype("<f4")
    offsets = (-(low + high) / 2 * slopes.astype(float)).astype("<f4")
    numbers = np.rint(values * slopes.astype(float) + offsets.astype(float))
    return slopes, offsets, numbers.astype("<i2")


def _packed_time(time: Array) -> tuple[float, float, Any]:
    """Return slope, offset and numbers of the time as int32."""
    length = float(time[-1] - time[0]) or 1.0
    scale = (2.0**32 - 2) / length
    shift = -scale * float(time[0]) - (2.0**31 - 1)
    return scale, shift, np.rint(time * scale + shift).astype("<i4")
