"""Commented models to begin with, one of each kind; each runs as it is and passes its audit."""

from __future__ import annotations

DRAFTS = {
    "mechanism": """\
# NAME: a four-bar linkage whose crank is driven by a motor.
#
#   fairlead run NAME.yaml && fairlead report NAME.run
#
# Everything is drawn in the world at t = 0; plain numbers are SI, texts may have units.
fairlead: 1
name: NAME
gravity: [0, 0, -9.80665] # [m/s2]

bodies: # mass, inertia about the mass centre, and where that is
  crank: {mass: 2 kg, inertia: [0.01, 0.03, 0.03], position: [0, 0, 0.1]}
  coupler: {mass: 4 kg, inertia: [0.02, 0.2, 0.2], position: [0.35, 0, 0.35]}
  rocker: {mass: 3 kg, inertia: [0.02, 0.1, 0.1], position: [0.7, 0, 0.25]}

joints: # from parent to child, at a point, about an axis; the last one closes the loop
  bearing:
    type: revolute
    parent: world
    child: crank
    point: [0, 0, 0]
    axis: [0, 1, 0]
    motion: {rate: 60 rpm} # take this out, and the crank swings freely
  crank pin: {type: revolute, parent: crank, child: coupler, point: [0, 0, 0.2], axis: [0, 1, 0]}
  rocker pin: {type: revolute, parent: coupler, child: rocker, point: [0.7, 0, 0.5], axis: [0, 1, 0]}
  foot: {type: revolute, parent: world, child: rocker, point: [0.7, 0, 0], axis: [0, 1, 0]}

loads: # forces, springs, dampers; formulas read channels such as rocker.vx or t
  brake: {type: force, body: rocker, point: [0.7, 0, 0.5], force: ["-40 * rocker.vx", 0, 0]}

run: {duration: 3 s, dt: 0.001 s, output_every: 5}
""",
    "spacecraft": """\
# NAME: a spacecraft that turns itself with a wheel; nothing from outside acts on it.
#
#   fairlead run NAME.yaml && fairlead report NAME.run
#
# The audit holds that momentum and angular momentum stay what they were.
fairlead: 1
name: NAME
gravity: [0, 0, 0] # none, as in orbit

bodies:
  craft:
    mass: 400 kg
    inertia: [120, 170, 210] # [kg m2] about the mass centre
    angular_velocity: [0, 0, 0.02] # [rad/s] at the start, body axes
    geometry: # for pictures alone
      - {type: box, size: [1.4, 1, 1], colour: yellow}
      - {type: box, size: [0.7, 4, 0.04], colour: blue}
  wheel: {mass: 10 kg, inertia: [0.05, 0.05, 0.09], position: [0.3, 0, 0.3], geometry: {type: sphere, diameter: 0.3}}

joints:
  spin: # a wheel as a body of its own; `wheels:` of a body stores momentum at a constant speed instead
    type: revolute
    parent: craft
    child: wheel
    point: [0.3, 0, 0.3]
    axis: [0, 0, 1]
    motion: {ramp: 60 rad/s, acceleration: 0.5 rad/s^2} # up to 60 rad/s, then steady

run: {duration: 200 s, dt: 0.02 s, output_every: 10}
""",
    "robot": """\
# NAME: an arm of two links, hanging, with a motor in each joint that holds it against gravity.
#
#   fairlead run NAME.yaml && fairlead report NAME.run
#
# A URDF file is read as it is: fairlead run robot.urdf --duration 5
fairlead: 1
name: NAME
gravity: [0, 0, -9.80665] # [m/s2]

bodies:
  upper: {mass: 8 kg, inertia: [0.3, 0.3, 0.02], position: [0, 0, -0.3]}
  lower: {mass: 4 kg, inertia: [0.1, 0.1, 0.01], position: [0, 0, -0.85]}

joints:
  shoulder:
    type: revolute
    parent: world
    child: upper
    point: [0, 0, 0]
    axis: [0, 1, 0]
    damper: 1 N m s/rad
    actuator: {controller: shoulder motor}
  elbow: {type: revolute, parent: upper, child: lower, point: [0, 0, -0.6], axis: [0, 1, 0], damper: 0.5 N m s/rad}

controllers: # what commands the actuators; it reads any channel
  shoulder motor: {type: pid, input: shoulder.angle, target: 0.8, kp: 200, ki: 50, kd: 40, derivative_filter: 0.02 s}

run: {duration: 8 s, dt: 0.002 s, output_every: 10}
""",
    "floating": """\
# NAME: a spar in waves on three mooring lines.
#
#   fairlead run NAME.yaml && fairlead report NAME.run
#   fairlead modes NAME.yaml            natural periods
#
# Origin on the still water, z up, x with the waves.
fairlead: 1
name: NAME
gravity: [0, 0, -9.80665] # [m/s2]

bodies:
  spar:
    mass: 7.9e6 kg # with the lines' pull, what the water carries
    inertia: [1.6e10, 1.6e10, 2.0e8] # [kg m2]
    position: [0, 0, -78] # the mass centre, below that of the water it displaces

environment:
  depth: 320 m
  waves: {type: jonswap, height: 4 m, period: 10 s, seed: 1} # height: significant; period: of the peak

loads:
  buoyancy: {type: buoyancy, body: spar, sections: [[-120, 9.4], [-12, 9.4], [-4, 6.5], [10, 6.5]]} # z, diameter [m]
  waves: {type: morison, body: spar, sections: [[-120, 9.4], [-12, 9.4], [-4, 6.5], [10, 6.5]], ca: 0.97, cd: 0.6}
  line 1: {type: catenary, body: spar, point: [5.2, 0, -70], anchor: [853.87, 0, -320],
    length: 902.2, EA: 3.84e8, weight: 698} # [m], [N], [N/m] in water
  line 2: {type: catenary, body: spar, point: [-2.6, 4.503, -70], anchor: [-426.935, 739.473, -320],
    length: 902.2, EA: 3.84e8, weight: 698}
  line 3: {type: catenary, body: spar, point: [-2.6, -4.503, -70], anchor: [-426.935, -739.473, -320],
    length: 902.2, EA: 3.84e8, weight: 698}
  yaw: {type: matrix, body: spar, point: [0, 0, 0], stiffness: [0, 0, 0, 0, 0, 9.8e7],
    damping: [1e5, 1e5, 1e5, 0, 0, 1e7]}

run: {duration: 600 s, dt: 0.1 s, output_every: 2, ramp: 20 s, discard: 100 s}
""",
}
