"""The quasi-static elastic catenary, resting on the bed or not: tensions from the place of its two ends.

Unknowns are the horizontal force H and the vertical force V at the upper end (the fairlead). With Va = V - w s the
vertical force where the hanging part begins, s its unstretched length, T and Ta the tensions at its two ends:
    z = s r (1 + (T + Ta) / (2 EA)),   r = (V + Va) / (T + Ta),
    x = H/w [asinh(V/H) - asinh(Va/H)] + H s/EA + (what rests on the bed).
Irvine, Cable Structures, section 1.5; with the bed and its friction Jonkman, NREL/TP-500-41958 Eqs. 2-35 to 2-38 (the
same equations; here written without differences of large numbers, so that a taut line keeps its digits).

For each H the vertical force follows (in closed form on the bed), and the span grows with H, so that one bracketed
unknown, ln H, remains. The answer depends on the geometry alone: nothing is carried from one call to the next.
"""

from __future__ import annotations

import math

from fairlead.core.jit.kernel import kernel

SOLVED, BELOW_BED, TOUCHES_BED, UNSOLVED = 0, 1, 2, 3
MOST, MOST_INNER = 200, 100
SMALL = 1e-8  # of ln H: a Newton step whose square is rounding
CLOSE = 1e-9  # of the length: what the two ends may miss before the answer is refused


@kernel
def hang(H, V, s, w, EA):
    """Return (x, z) and the derivatives (x_H, x_V, z_V; z_H = x_V) of a part of length s hanging free.

    The difference of asinh is a log1p of positive terms: d = ln[(V + T)/(Va + Ta)], mirrored where V + Va < 0.
    """
    Va = V - w * s
    T, Ta = math.sqrt(H * H + V * V), math.sqrt(H * H + Va * Va)
    r = (V + Va) / (T + Ta)
    low, T_low = (Va, Ta) if r >= 0.0 else (-V, T)
    start = low + T_low if low >= 0.0 else H * H / (T_low - low)
    d = math.log1p(w * s * (1.0 + abs(r)) / start)
    x = H * d / w + H * s / EA
    z = s * r * (1.0 + 0.5 * (T + Ta) / EA)
    return x, z, (d + Va / Ta - V / T) / w + s / EA, (H / T - H / Ta) / w, (V / T - Va / Ta) / w + s / EA


@kernel
def rest(H, V, s, w, EA, friction):
    """Return x and (x_H, x_V) of a part of length s on the bed, pulled by H at its end; friction holds it back.

    Tension falls by friction * w per length down to zero: stretch = integral of max(H - friction w l, 0) / EA.
    Its length s = L - V/w gives way to the hanging part as V grows.
    """
    tight = s
    if friction * w * s > H:
        tight = H / (friction * w)
    end = H - friction * w * tight
    return s + 0.5 * (H + end) * tight / EA, tight / EA, -1.0 / w - end / (w * EA)


@kernel
def excess(H, rise, w, EA):
    """Return T - H at the fairlead when the line leaves the bed level: (EA + T)^2 = (EA + H)^2 + 2 EA w z."""
    return 2.0 * EA * w * rise / (math.sqrt((EA + H) * (EA + H) + 2.0 * EA * w * rise) + EA + H)


@kernel
def on_bed(H, rise, w, EA):
    """Return V at the fairlead when the line leaves the bed level."""
    more = excess(H, rise, w, EA)
    return math.sqrt(more * (more + 2.0 * H))


@kernel
def vertical_force(H, rise, L, w, EA, guess):
    """Return V at which a hanging line of given H reaches `rise`: it grows with V, so Newton inside a bracket."""
    reach = EA * (abs(rise) / L + 1.0) + H + w * L  # T beyond any answer: the straight line stretched to `rise`
    lo, hi = -reach, reach + w * L
    V = min(max(guess, lo), hi)
    for _ in range(MOST_INNER):
        Va = V - w * L
        T, Ta = math.sqrt(H * H + V * V), math.sqrt(H * H + Va * Va)
        gap = L * (V + Va) / (T + Ta) * (1.0 + 0.5 * (T + Ta) / EA) - rise
        if gap > 0.0:
            hi = V
        else:
            lo = V
        slope = _slope(H, V, Va, T, Ta, w, L) + L / EA
        new = V - gap / slope
        if abs(new - V) <= 1e-15 * (abs(V) + w * L):
            return new
        V = new if lo < new < hi else 0.5 * (lo + hi)
    return V


@kernel
def _slope(H, V, Va, T, Ta, w, L):
    """Return (V/T - Va/Ta)/w without its cancellation: the tangents' difference, positive."""
    # sin a - sin b = 2 cos((a+b)/2) sin((a-b)/2); with tan = V/H it is H^2 (V^2 - Va^2) / (T Ta (V Ta + Va T)).
    both = V * Ta + Va * T
    if V * Va > 0.0:
        return H * H * L * (V + Va) / (T * Ta * both)
    return (V / T - Va / Ta) / w


@kernel
def span_of(H, rise, L, w, EA, friction, bed, guess):
    """Return the span of a line pulled by H, V, how both grow with H at constant rise, and the length on the bed."""
    if bed:
        V = on_bed(H, rise, w, EA)
        if w * L >= V:
            resting = L - V / w
            x, _, x_H, x_V, _ = hang(H, V, V / w, w, EA)
            T = math.sqrt(H * H + V * V)
            lie, lie_H, lie_V = rest(H, V, resting, w, EA, friction)
            # The hanging part grows with V: its own derivatives at fixed length, and those of its length V/w.
            x_H, x_V = x_H + lie_H, x_V + (1.0 + H / EA) / w + lie_V
            z_H, z_V = (H / T - 1.0) / w, V / (w * T) + V / (w * EA)
            V_H = -z_H / z_V if z_V > 0.0 else 0.0
            return x + lie, V, x_H + x_V * V_H, V_H, resting
    V = vertical_force(H, rise, L, w, EA, guess)
    x, _, x_H, x_V, z_V = hang(H, V, L, w, EA)
    V_H = -x_V / z_V
    return x, V, x_H + x_V * V_H, V_H, 0.0


@kernel
def first_guess(span, rise, L, w, EA):
    """Return H to begin with: of the inextensible line by Peyrot and Goulois, or of the stretched straight one."""
    chord = math.hypot(span, rise)
    slack = (L * L - rise * rise) / (span * span) - 1.0
    half = math.sqrt(3.0 * slack) if chord < L and slack > 0.0 else 0.2
    H = 0.5 * w * span / half
    return max(H, EA * (chord / L - 1.0) * span / chord)


@kernel
def slack_vertical(rise, L, w, EA, bed):
    """Return (V, length on the bed) of a line with no horizontal force: it hangs straight down from the fairlead."""
    if bed:
        V = on_bed(0.0, rise, w, EA)
        if w * L >= V:
            return V, L - V / w
    V = (rise + L + 0.5 * w * L * L / EA) / (2.0 / w + L / EA)  # both legs of a loop
    if w * L < V:
        V = (rise - L) * EA / L + 0.5 * w * L
    elif V < 0.0:
        V = (rise + L) * EA / L + 0.5 * w * L
    return V, 0.0


@kernel
def catenary(span, rise, L, EA, w, friction, bed, depth):
    """Return (status, H, V, Ha, Va, length on the bed, misclosure) of a line from its anchor to the fairlead.

    span, rise: the fairlead from the anchor, along and up. bed: 1 if there is one, `depth` below the anchor (contact
    is followed where the anchor lies on it, depth 0). H, V: pull of the line at the fairlead, inwards and down;
    Ha, Va at the anchor (Va > 0 lifts it).
    """
    contact = bed and depth == 0.0
    if bed and rise < -depth:
        return BELOW_BED, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if w == 0.0:
        return _string(span, rise, L, EA)
    V, resting = slack_vertical(rise, L, w, EA, contact)
    if span <= resting or span <= 1e-12 * L:
        if bed and not contact and _lowest(0.0, V - w * L, w, EA, L) < -depth:
            return TOUCHES_BED, 0.0, V, 0.0, V - w * L, 0.0, 0.0
        return SOLVED, 0.0, V, 0.0, 0.0 if contact and resting > 0.0 else V - w * L, resting, 0.0
    H, V, resting, miss = _solve(span, rise, L, EA, w, friction, contact)
    if not miss <= CLOSE * max(L, math.hypot(span, rise)):
        return UNSOLVED, H, V, H, V - w * L, resting, miss
    if resting > 0.0:
        return SOLVED, H, V, max(H - friction * w * resting, 0.0), 0.0, resting, miss
    if bed and not contact and _lowest(H, V - w * L, w, EA, L) < -depth:
        return TOUCHES_BED, H, V, H, V - w * L, 0.0, miss
    return SOLVED, H, V, H, V - w * L, 0.0, miss


@kernel
def _resting(span, rise, L, EA, w, friction, H):
    """Return H, V, the length on the bed, how far the ends miss and True, of a line that leaves the bed level.

    There Ta = H and T - H is known from the rise, so one logarithm and two roots give the span and its slope. False
    where nothing rests or Newton's steps in ln H do not shrink: then the bracket decides.
    """
    per_w, per_EA, last = 1.0 / w, 1.0 / EA, 1.0
    for _ in range(12):
        more = excess(H, rise, w, EA)
        V, per_T = math.sqrt(more * (more + 2.0 * H)), 1.0 / (H + more)
        resting = L - V * per_w
        if not (resting > 0.0 and V > 0.0):
            break
        d = math.log1p((V + more) / H)
        lie, lie_H, lie_V = rest(H, V, resting, w, EA, friction)
        V_H = (1.0 - H * per_T) / (V * (per_T + per_EA))
        slope = (d - V * per_T + V * per_EA) * per_w + lie_H + (H * (per_T + per_EA) * per_w + lie_V) * V_H
        gap = H * (d + V * per_EA) * per_w + lie - span
        step = -gap / (slope * H)
        if abs(step) <= SMALL:  # the last step: what it leaves is its square
            V += V_H * H * step
            return H * (1.0 + step), V, L - V * per_w, abs(gap * step), w * L > V
        if not abs(step) < last:
            break
        last = abs(step)
        H *= math.exp(step)
    return H, 0.0, 0.0, 0.0, False


@kernel
def _solve(span, rise, L, EA, w, friction, contact):
    """Return H, V, the length on the bed and how far the ends miss, by Newton in ln H inside a bracket."""
    guess = max(first_guess(span, rise, L, w, EA), 1e-290)
    if contact:
        H, V, resting, miss, found = _resting(span, rise, L, EA, w, friction, guess)
        if found:
            return H, V, resting, miss
    h = math.log(guess)
    lo, hi, V = -300.0, 300.0, 0.5 * w * L
    for _ in range(MOST):
        H = math.exp(h)
        x, V, slope, V_H, resting = span_of(H, rise, L, w, EA, friction, contact, V)
        gap = x - span
        if gap > 0.0:
            hi = h
        else:
            lo = h
        step = -gap / (slope * H)
        if abs(step) <= SMALL and resting != 0.0 and V + V_H * H * step < w * L:
            V += V_H * H * step  # the last step: what it leaves is its square
            return H * (1.0 + step), V, L - V / w, abs(gap * step)
        if abs(step) <= SMALL and resting == 0.0:
            return H * (1.0 + step), V + V_H * H * step, 0.0, abs(gap * step)
        if abs(gap) <= 2e-16 * (span + L) or hi - lo <= 4e-16 * abs(h):
            return H, V, resting, abs(gap)
        if not abs(step) < 3.0:
            step = math.copysign(3.0, -gap)
        h += step
        if not lo < h < hi:
            h = 0.5 * (lo + hi)
    H = math.exp(h)
    x, V, slope, V_H, resting = span_of(H, rise, L, w, EA, friction, contact, V)
    return H, V, resting, abs(x - span)


@kernel
def _string(span, rise, L, EA):
    """A line without weight: straight and taut, or slack without any force."""
    chord = math.hypot(span, rise)
    T = EA * (chord / L - 1.0)
    if T <= 0.0:
        return SOLVED, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    H, V = T * span / chord, T * rise / chord
    return SOLVED, H, V, H, V, 0.0, 0.0


@kernel
def _lowest(H, Va, w, EA, L):
    """Return the height of the lowest point of a hanging line above its anchor, at most zero or that of its ends."""
    if Va >= 0.0:
        return 0.0
    s = min(-Va / w, L)
    Tb = math.sqrt(H * H + Va * Va)
    Ve = Va + w * s
    Te = math.sqrt(H * H + Ve * Ve)
    return s * (Va + Ve) / (Tb + Te) * (1.0 + 0.5 * (Tb + Te) / EA)


@kernel
def stiffness(H, V, resting, L, EA, w, friction):
    """Return (H_x, H_z, V_x, V_z), how the fairlead's pull grows as it moves away and up: the flexibility inverted."""
    if resting > 0.0:
        T = math.sqrt(H * H + V * V)
        _, _, x_H, x_V, _ = hang(H, V, V / w, w, EA)
        _, lie_H, lie_V = rest(H, V, resting, w, EA, friction)
        x_H, x_V = x_H + lie_H, x_V + (1.0 + H / EA) / w + lie_V
        z_H, z_V = (H / T - 1.0) / w, V / (w * T) + V / (w * EA)
    else:
        _, _, x_H, x_V, z_V = hang(H, V, L, w, EA)
        z_H = x_V
    det = x_H * z_V - x_V * z_H
    return z_V / det, -x_V / det, -z_H / det, x_H / det
