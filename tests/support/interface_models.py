"""Models that several interface tests share."""

TWO_BODIES = """\
fairlead: 1
name: two bodies
bodies:
  base: {mass: 3, inertia: [1, 2, 2.5], angular_velocity: [0.05, 1, 0.1]}
  arm: {mass: 1, inertia: [0.1, 0.4, 0.4], position: [1, 0, 0]}
joints:
  hinge: {type: revolute, parent: base, child: arm, point: [0.5, 0, 0], axis: [0, 0, 1], motion: {rate: 30 deg/s}}
loads:
  line: {type: spring, body: base, point: [0, 0, 1], anchor: [0, 0, 6], stiffness: 3, damping: 0.1}
run: {duration: 2 s, dt: 0.01 s}
"""
