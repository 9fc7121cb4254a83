"""Planar mechanisms with loops for Exudyn and MuJoCo, taken from a Fairlead model of bars and pins about z."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

import fairlead as fl

Array = np.ndarray
SOLIMP = "0.9999 0.9999 0.001 0.5 2"  # the hardest loops that MuJoCo allows
MANY = 20  # links from which Exudyn is faster with its sparse solver


@dataclass
class Link:
    """A bar in the drawing: where its first pin is, on which link, and where and how its mass moves."""

    start: Array
    parent: int  # -1 is the ground
    centre: Array
    mass: float
    inertia: float
    velocity: tuple[float, float, float]  # of its mass centre, and its rate of turn


@dataclass
class Planar:
    """Links, the pins that close loops as (link, link, point), the point to watch on link 0, and what acts."""

    links: list[Link]
    loops: list[tuple[int, int, Array]]
    watched: Array
    gravity: float
    torque: float  # on link 0
    spring: tuple[int, Array, Array, float, float] | None  # link, point, anchor, stiffness, free length


def planar(model: fl.Model, watched: Array) -> Planar:
    """Return a model's bars and pins; a pin on a bar that hangs on another already closes a loop."""
    names = list(model.bodies)
    start = fl.accelerations(model, formulation="constrained")
    hung: dict[str, tuple[str, Array]] = {}
    loops = []
    for joint in model.joints.values():
        point = np.array(joint.point[:2], float)
        if joint.child in hung:
            loops.append((names.index(joint.parent), names.index(joint.child), point))
        else:
            hung[joint.child] = (joint.parent, point)
    links = []
    for name, body in model.bodies.items():
        parent, point = hung[name]
        (vx, vy, _), w = start.velocity.sel(body=name).values, start.angular_velocity.sel(body=name).values
        number = names.index(parent) if parent in names else -1
        centre = np.array(body.position[:2], float)
        inertia = float(np.array(body.inertia)[2, 2])
        links.append(Link(point, number, centre, body.mass, inertia, (float(vx), float(vy), float(w[2]))))
    torque, spring = 0.0, None
    for load in model.loads.values():
        if isinstance(load, fl.Spring):
            ends = (np.array(load.point[:2], float), np.array(load.anchor[:2], float))
            spring = (names.index(load.body), *ends, load.stiffness, load.length)
        else:
            torque = load.moment[2]
    return Planar(links, loops, watched, -model.gravity[1], torque, spring)


def exudyn_run(planar: Planar, duration: float, every: float, solver: str, divisor: int) -> tuple[Array, float]:
    """Return the watched point at multiples of `every`, and the CPU seconds of the solver with `divisor` steps each."""
    import exudyn as exu
    from exudyn import itemInterface as ii

    system = exu.SystemContainer().AddSystem()
    ground = system.AddObject(ii.ObjectGround())
    bodies = []
    for link in planar.links:
        node = system.AddNode(
            ii.NodeRigidBody2D(referenceCoordinates=[*link.centre, 0.0], initialVelocities=list(link.velocity))
        )
        bodies.append(
            system.AddObject(ii.ObjectRigidBody2D(physicsMass=link.mass, physicsInertia=link.inertia, nodeNumber=node))
        )
        if planar.gravity:
            heavy = system.AddMarker(ii.MarkerBodyMass(bodyNumber=bodies[-1]))
            system.AddLoad(ii.LoadMassProportional(markerNumber=heavy, loadVector=[0, -planar.gravity, 0]))

    def marker(link: int, point: Array) -> Any:
        origin = planar.links[link].centre if link >= 0 else np.zeros(2)
        body = bodies[link] if link >= 0 else ground
        return system.AddMarker(ii.MarkerBodyPosition(bodyNumber=body, localPosition=[*(point - origin), 0.0]))

    pins = [(link.parent, number, link.start) for number, link in enumerate(planar.links)] + planar.loops
    for a, b, point in pins:
        system.AddObject(ii.ObjectJointRevolute2D(markerNumbers=[marker(a, point), marker(b, point)]))
    if planar.torque:
        turned = system.AddMarker(ii.MarkerBodyRigid(bodyNumber=bodies[0]))
        system.AddLoad(ii.LoadTorqueVector(markerNumber=turned, loadVector=[0, 0, planar.torque]))
    if planar.spring:
        link, point, anchor, stiffness, length = planar.spring
        ends = [marker(-1, anchor), marker(link, point)]
        system.AddObject(
            ii.ObjectConnectorSpringDamper(markerNumbers=ends, stiffness=stiffness, damping=0.0, referenceLength=length)
        )
    sensor = system.AddSensor(
        ii.SensorBody(
            bodyNumber=bodies[0],
            localPosition=[*(planar.watched - planar.links[0].centre), 0.0],
            storeInternal=True,
            outputVariableType=exu.OutputVariableType.Position,
        )
    )
    system.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(duration / every) * divisor
    settings.timeIntegration.endTime = duration
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = every
    settings.parallel.numberOfThreads = 1
    if len(bodies) > MANY:
        settings.linearSolverType = exu.LinearSolverType.EigenSparse
    start = time.process_time()
    system.SolveDynamic(settings, solverType=getattr(exu.DynamicSolverType, solver), showHints=False)
    seconds = time.process_time() - start
    return system.GetSensorStoredData(sensor)[:, 1:3], seconds


def mujoco_model(planar: Planar, step: float, integrator: str) -> Any:
    """Return the MuJoCo model: a tree of hinges and stiff `connect` equalities."""
    import mujoco

    children: dict[int, list[int]] = {}
    for number, link in enumerate(planar.links):
        children.setdefault(link.parent, []).append(number)

    def body(number: int, origin: Array) -> str:
        link = planar.links[number]
        x, y = link.start - origin
        cx, cy = link.centre - link.start
        inertia = f"{link.inertia / 2:.17g} {link.inertia / 2:.17g} {link.inertia:.17g}"
        text = f'<body name="b{number}" pos="{x:.17g} {y:.17g} 0"><joint type="hinge" axis="0 0 1"/>'
        text += f'<inertial pos="{cx:.17g} {cy:.17g} 0" mass="{link.mass:.17g}" diaginertia="{inertia}"/>'
        text += site(number, 0, planar.watched, "watched", link.start)
        if planar.spring:
            text += site(number, *planar.spring[:2], "pulled", link.start)
        return text + "".join(body(child, link.start) for child in children.get(number, [])) + "</body>"

    def site(number: int, owner: int, point: Array, name: str, origin: Array) -> str:
        x, y = point - origin
        return f'<site name="{name}" pos="{x:.17g} {y:.17g} 0"/>' if owner == number else ""

    world = "".join(body(number, np.zeros(2)) for number in children[-1])
    tendon = ""
    if planar.spring:
        _, _, (x, y), stiffness, length = planar.spring
        world += f'<site name="anchor" pos="{x} {y} 0"/>'
        tendon = f'<tendon><spatial stiffness="{stiffness}" springlength="{length}">'
        tendon += '<site site="anchor"/><site site="pulled"/></spatial></tendon>'
    loops = ""
    for a, b, point in planar.loops:
        x, y = point - planar.links[a].start
        loops += f'<connect body1="b{a}" body2="b{b}" anchor="{x:.17g} {y:.17g} 0" '
        loops += f'solref="{2 * step:.17g} 1" solimp="{SOLIMP}"/>'
    option = f'<option timestep="{step:.17g}" integrator="{integrator}" gravity="0 {-planar.gravity} 0">'
    option += '<flag contact="disable"/></option>'
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian" boundmass="0" boundinertia="0"/>{option}'
        f"<worldbody>{world}</worldbody>{tendon}<equality>{loops}</equality></mujoco>"
    )


def mujoco_run(planar: Planar, duration: float, every: float, integrator: str, divisor: int) -> tuple[Array, float]:
    """Return the watched point at multiples of `every`, and the CPU seconds of stepping with `divisor` steps each."""
    import mujoco

    mujoco.set_mju_user_warning(lambda _: None)  # too coarse a step is tried on purpose; no log file of it
    model = mujoco_model(planar, every / divisor, integrator)
    data = mujoco.MjData(model)
    for number, link in enumerate(planar.links):
        turning = planar.links[link.parent].velocity[2] if link.parent >= 0 else 0.0
        at = model.body(f"b{number}").dofadr[0]
        data.qvel[at] = link.velocity[2] - turning
    data.qfrc_applied[model.body("b0").dofadr[0]] = planar.torque
    mujoco.mj_forward(model, data)
    watched = model.site("watched").id
    points = [data.site_xpos[watched, :2].copy()]
    seconds = 0.0
    for _ in range(round(duration / every)):
        start = time.process_time()
        mujoco.mj_step(model, data, nstep=divisor)
        seconds += time.process_time() - start
        mujoco.mj_kinematics(model, data)
        points.append(data.site_xpos[watched, :2].copy())
    return np.array(points), seconds
