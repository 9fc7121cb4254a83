"""Generators: a torque of command on the fast side of a gearbox, and the drive train between it and a joint's body.

Rigid: the shaft feels -N T and the inertia N^2 J, which resists the joint's acceleration alone (`inertia` of its
coordinate). With a torsional spring, the generator's side (speed w, counted on the slow side) has a state of its own:
Q = K d + C (q' - w), d' = q' - w, N^2 J w' = Q - N T, and the shaft feels -Q. Jonkman, NREL/TP-500-38060, section 3 and
FAST's drivetrain torsion. The spin momentum J N q' on the carrier is left out.
"""

from __future__ import annotations

from fairlead.core.arrays import V, rows
from fairlead.core.expressions.evaluate import evaluate
from fairlead.core.jit.kernel import kernel
from fairlead.core.vec import dot, matvec, put3, scale, sub, v3, v9

# Bodies; program of the torque; where its energy stands in the state: given to the grid, then lost; where twist and
# speed do, -1 if it is rigid; sign: -1 where the joint's child is the other body
GENERATOR = rows(
    "row body other torque energy twist",
    axis_D=V,
    sign=(),
    ratio=(),
    inertia=(),
    stiffness=(),
    damping=(),
    efficiency=(),
)


@kernel
def shaft(G, W):
    """Return the joint's axis in the world, and the rate of its coordinate."""
    b = W.bodies[G.body]
    axis = matvec(v9(b.R), v3(G.axis_D))
    return axis, G.sign * dot(axis, sub(v3(b.w), v3(W.bodies[G.other].w)))


@kernel
def measure_generators(y, A, W):
    """Write the speed of every generator, which controllers read."""
    for j in range(A.loads.generators.shape[0]):
        G = A.loads.generators[j]
        if G.twist >= 0:
            W.rows[G.row].generator_speed = G.ratio * y[G.twist + 1]
        else:
            W.rows[G.row].generator_speed = G.ratio * shaft(G, W)[1]


@kernel
def generators(y, dy, A, W):
    """Fill the rows of generators, and the rates of their states."""
    for j in range(A.loads.generators.shape[0]):
        G = A.loads.generators[j]
        row = W.rows[G.row]
        axis, rate = shaft(G, W)
        T = evaluate(A.programs, G.torque, W.channels, W.stack)
        power = T * row.generator_speed
        row.generator_torque = T
        row.electrical_power = power * G.efficiency if power >= 0.0 else power / G.efficiency
        row.electrical_energy, row.lost_energy = y[G.energy], y[G.energy + 1]
        dy[G.energy], dy[G.energy + 1] = row.electrical_power, power - row.electrical_power
        Q = G.ratio * T
        if G.twist >= 0:
            slip = rate - y[G.twist + 1]
            Q = G.stiffness * y[G.twist] + G.damping * slip
            dy[G.twist], dy[G.twist + 1] = slip, (Q - G.ratio * T) / G.inertia
            dy[G.energy + 1] += G.damping * slip * slip
        put3(row.n, scale(-G.sign * Q, axis))
        put3(W.rows[G.row + 1].n, scale(G.sign * Q, axis))
