"""Catenary mooring lines from a point on a body to an anchor in the world."""

from __future__ import annotations

import math

from fairlead.core.arrays import NO_LINE, V, rows
from fairlead.core.codes import ABOUT, CODE
from fairlead.core.jit.by_symbol import when_needed
from fairlead.core.jit.kernel import inlined, kernel
from fairlead.core.loads.catenary import SOLVED, catenary
from fairlead.core.vec import add, cross, matvec, put3, sub, v3, v9

LINE = rows("row body bed", r_BP_D=V, anchor_W=V, length=(), EA=(), weight=(), friction=(), depth=())


@inlined
def lines(A, W):
    """Rows of the lines: the fairlead is pulled towards the anchor by H and down by V."""
    for j in range(A.loads.lines.shape[0]):
        line_when_needed(j, A, W)


@kernel
def line_row(j, A, W):
    """Fill the row of line j; one without a solution has an undefined tension and sets the status."""
    M = A.loads.lines[j]
    b, row = W.bodies[M.body], W.rows[M.row]
    s = matvec(v9(b.R), v3(M.r_BP_D))
    d = sub(v3(M.anchor_W), add(v3(b.x), s))
    span = math.sqrt(d[0] * d[0] + d[1] * d[1])
    answer = catenary(span, -d[2], M.length, M.EA, M.weight, M.friction, M.bed, M.depth)
    H, V = answer[1], answer[2]
    along = 1.0 / span if span > 0.0 else 0.0
    f = (H * d[0] * along, H * d[1] * along, -V)
    put3(row.f, f)
    put3(row.n, cross(s, f))
    row.tension = math.sqrt(H * H + V * V)
    if answer[0] != SOLVED:
        row.tension = math.nan
        W.status[CODE], W.status[ABOUT] = NO_LINE, A.bodies[M.body].user


line_when_needed = when_needed(line_row)
