"""Relations as rows of constraint equations: one row for each coordinate, all of them with one multiplier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fairlead.core import arrays as ca
from fairlead.model.relations.words import equation_of


def add_relations(rows: Any, model: Any, index: Any, coordinates: Any) -> Any:
    """Add the rows of all relations to those of the joints, and return the records of the relations."""
    found = []
    for name, relation in model.relations.items():
        labels, programs = equation_of(relation, model.joints)
        record = np.zeros((), ca.RELATION)
        record["head"], record["program"] = len(rows.rows), len(coordinates.pools.programs)
        for label in labels:
            joint, _, coordinate = label.rpartition(".")
            word = model.joints[joint]
            rows.measure(joint, word, coordinate)
            row = rows.rows[-1]
            row["coordinate"], row["of"], row["head"] = -1, rows.number[label], record["head"]
            row["active"] = int(len(rows.rows) - 1 == record["head"])
            row["next"] = len(rows.rows) if label != labels[-1] else -1
            rows.labels[-1] = f"{name}: relation"
            index.relations.append(f"{name}.{label}")
        record["last"] = len(rows.rows)
        coordinates.pools.programs += programs
        found.append(record)
    return np.array(found, ca.RELATION) if found else np.zeros(0, ca.RELATION)


def rows_of(constraints: Any, r: int) -> Iterator[int]:
    """Give a row and those that share its multiplier with it."""
    while r >= 0:
        yield r
        r = int(constraints["next"][r])
