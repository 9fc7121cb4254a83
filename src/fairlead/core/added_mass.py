"""Added mass in the six equations of a floating tree: it multiplies unknown accelerations, so it stands on the left."""

from __future__ import annotations

from fairlead.core.compiled import kernel
from fairlead.core.loads.matrices import half, unit6
from fairlead.core.vec import add, cross, scale


@kernel
def gather_added_mass(added, rho, a, al, K):
    """Add Y^T A Y to the left and -Y^T A (bias acceleration) to the right; Y takes (a_Gs, w') to the body."""
    for c in range(7):
        lin, ang = unit6(c)
        lin = add(lin, cross(ang, rho))
        if c == 6:
            lin, ang = scale(-1.0, a), scale(-1.0, al)
        f = half(added, 0, lin, ang)
        n = add(half(added, 3, lin, ang), cross(rho, f))
        for i in range(3):
            K[i, c] += f[i]
            K[3 + i, c] += n[i]


@kernel
def solve6(K):
    """Solve the 6x6 system K[:, :6] x = K[:, 6] in place by elimination with pivoting; False if singular."""
    for c in range(6):
        p = c
        for i in range(c + 1, 6):
            if abs(K[i, c]) > abs(K[p, c]):
                p = i
        if not abs(K[p, c]) > 0.0:
            return False
        if p != c:
            for j in range(7):
                K[c, j], K[p, j] = K[p, j], K[c, j]
        for i in range(6):
            if i != c:
                s = K[i, c] / K[c, c]
                for j in range(c, 7):
                    K[i, j] -= s * K[c, j]
    for i in range(6):
        K[i, 6] /= K[i, i]
    return True
