"""What the momentum cloud costs at the least: one outward sweep over a tree of revolute joints, written out by hand.

No other joints, loads, wheels, reactions or integrals, no generality and nothing shared with `fairlead.core`: scalars,
plain arrays and the formulas below in axes C1 of the base. Per body, relative to the base: `w` its angular velocity,
`al` the local derivative of w, `r, v, a` its mass centre from G1 and the local derivatives, `A = R I R^T`.

    w = w_p + e q',  al = al_p + e q'' + w_p x e q',  W = omega + w,  rho = r - r_G
    P = sum A + m (rho^2 1 - rho rho^T),  H = sum A W + m rho x (rho' + omega x rho)
    P omega' = -omega x H - sum [w x A W + A (al - w x omega) + m (rho' x (omega x rho) + rho x (rho'' + omega x rho'))]

Gravity has no moment about G. One sweep is enough because the sums are taken about G1 and moved to G at the end: for
any vectors x, y of a body, sum m (r - r_G) x (y - y_G) = sum m r x y - M r_G x y_G.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

WIDTH = 30  # R (9), w (3), al (3), r (3), v (3), a (3) and padding to whole cache lines of 80 bytes
