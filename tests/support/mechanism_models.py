"""Mechanisms that several tests share, and the reference motions they are held against."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import fairlead as fl

ROOT = Path(__file__).parents[2]
REFERENCE = Path(__file__).parents[1] / "reference" / "mechanisms"
EXAMPLES = ROOT / "examples"
Z = (0, 0, 1)
CRANK, ROD = 2.0, 3.5  # lengths of the slider-crank [m]
SLENDER = 1e-4  # [kg m2] about the long axis of a bar in a plane: its size has no effect there


def example(name):
    """A model of the examples folder."""
    return fl.load(EXAMPLES / f"{name}.yaml")


def changed(model, **fields):
    """The model with some fields replaced; mappings are merged."""
    merged = {
        name: {**getattr(model, name), **value} if isinstance(value, dict) else value for name, value in fields.items()
    }
    return model.model_copy(update=merged)


def all_revolute(model):
    """The model with a revolute joint at every pin of the plane, so that equations of its loops are redundant."""
    pins = {
        name: fl.Revolute(joint.parent, joint.child, point=joint.point, axis=Z)
        if isinstance(joint, (fl.Spherical, fl.Cylindrical))
        else joint
        for name, joint in model.joints.items()
    }
    return changed(model, joints=pins)


def reference(name):
    """A reference motion as a mapping from column to array."""
    with (REFERENCE / f"{name}.csv").open() as file:
        columns = file.readline().strip().split(",")
        return dict(zip(columns, np.loadtxt(file, delimiter=",").T))


def bar(mass, start, end, across=None):
    """A slender bar between two points of the plane z = 0, its x axis along it."""
    start, end = np.array(start, float), np.array(end, float)
    length = np.linalg.norm(end - start)
    c, s = (end - start) / length
    inertia = mass * length**2 / 12 if across is None else across
    turn = {"matrix": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}
    return fl.Body(mass, (SLENDER, inertia, inertia), (*(start + end) / 2, 0), turn)


def pin(kind, parent, child, point, **more):
    """A joint about z at a point of the plane."""
    axis = {} if kind is fl.Spherical else {"axis": Z}
    return kind(parent, child, point=(*point, 0), **axis, **more)


def n_four_bar(count, loops=(fl.Spherical, fl.Cylindrical)):
    """Problem A02: cranks upright at x = 0, 1, ... and couplers between their tops; started at 1 rad/s towards +x."""
    bodies, joints = {}, {}
    for i in range(count + 1):
        bodies[f"crank {i}"] = bar(1.0, (i, 0), (i, 1))
        joints[f"A{i}"] = pin(fl.Revolute, "world", f"crank {i}", (i, 0), **({} if i else {"rate": -1.0}))
        if i:
            bodies[f"coupler {i}"] = bar(1.0, (i - 1, 1), (i, 1))
            joints[f"B{i}"] = pin(loops[0], f"crank {i - 1}", f"coupler {i}", (i - 1, 1))
            joints[f"C{i}"] = pin(loops[1], f"coupler {i}", f"crank {i}", (i, 1))
    return fl.Model("n four bar", bodies, joints, gravity=(0, -9.81, 0))


def slider_crank(angle, *, bearing=None, guide=None):
    """The slider-crank of the examples drawn at the crank's `angle`, with fields for the joints of crank and slider."""
    crank_end = CRANK * np.array([np.cos(angle), np.sin(angle)])
    slider = np.array([crank_end[0] + np.sqrt(ROD**2 - crank_end[1] ** 2), 0])
    bodies = {
        "crank": fl.Body(200.0, (450, 450, 450), orientation={"euler123": (0, 0, angle)}),
        "rod": bar(35.0, crank_end, slider, across=35.0),
        "slider": fl.Body(25.0, (0.02, 0.02, 0.02), (*slider, 0)),
    }
    joints = {
        "bearing": pin(fl.Revolute, "world", "crank", (0, 0), **(bearing or {})),
        "crank pin": pin(fl.Spherical, "crank", "rod", crank_end),
        "gudgeon pin": pin(fl.Cylindrical, "rod", "slider", slider),
        "guide": fl.Prismatic("world", "slider", axis=(1, 0, 0), **(guide or {})),
    }
    return fl.Model("slider crank", bodies, joints, gravity=(0, 0, 0))


def circles(P, a, Q, b, side):
    """The point at distance a from P and b from Q, left (+1) or right (-1) of the way from P to Q."""
    way = np.array(Q) - P
    length = np.hypot(*way)
    n = way / length
    along = (length**2 + a**2 - b**2) / (2 * length)
    return P + along * n + side * np.sqrt(a**2 - along**2) * np.array([-n[1], n[0]])


ANDREWS = {  # from, to, mass [kg], moment of inertia [kg m2], mass centre in axes along the bar [m]
    "crank": ("O", "F", 0.04325, 2.194e-06, (0.00092, 0)),
    "FE": ("F", "E", 0.00365, 4.41e-07, (0.0115, 0)),
    "BDE": ("B", "E", 0.02373, 5.255e-06, (0.01874, 0.01043)),
    "EG": ("E", "G", 0.00706, 5.667e-07, (0.01421, 0)),
    "AG": ("A", "G", 0.0705, 1.169e-05, (0.02308, 0.00916)),
    "EH": ("E", "H", 0.00706, 5.667e-07, (0.01421, 0)),
    "AH": ("A", "H", 0.05498, 1.912e-05, (0.01228, -0.00449)),
}


def andrews(beta):
    """Problem A03 at the crank's angle `beta`, from its data: seven bars drawn where circles put them."""
    P = {"O": np.zeros(2), "A": np.array([-0.06934, -0.00227]), "B": np.array([-0.03635, 0.03273])}
    P["F"] = 0.007 * np.array([np.cos(beta), np.sin(beta)])
    P["E"] = circles(P["F"], 0.028, P["B"], 0.035, 1)
    P["G"], P["H"] = (circles(P["E"], 0.02, P["A"], 0.04, side) for side in (-1, 1))
    bodies = {}
    for name, (start, end, mass, inertia, centre) in ANDREWS.items():
        c, s = (P[end] - P[start]) / np.hypot(*(P[end] - P[start]))
        R = np.array([[c, -s], [s, c]])
        turn = {"matrix": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}
        place = P[start] + R @ centre
        bodies[name] = fl.Body(mass, (inertia / 2, inertia / 2, inertia), (*place, 0), turn)
        if name == "BDE":
            P["D"] = P["B"] + R @ (0.018, 0.02)
    joints = {"O": pin(fl.Revolute, "world", "crank", P["O"]), "B": pin(fl.Revolute, "world", "BDE", P["B"])}
    for end in "GH":
        joints[f"A of {end}"] = pin(fl.Revolute, "world", f"A{end}", P["A"])
        joints[f"E to {end}"] = pin(fl.Spherical, "BDE", f"E{end}", P["E"])
        joints[end] = pin(fl.Cylindrical, f"E{end}", f"A{end}", P[end])
    joints["F"] = pin(fl.Spherical, "crank", "FE", P["F"])
    joints["E"] = pin(fl.Cylindrical, "FE", "BDE", P["E"])
    loads = {
        "motor": fl.Force("crank", moment=(0, 0, 0.033)),
        "spring": fl.Spring("BDE", (*P["D"], 0), anchor=(0.014, 0.072, 0), stiffness=4530, length=0.07785),
    }
    return fl.Model("andrews", bodies, joints, loads, (0, 0, 0))


def rotations(data, body):
    """R_WB of a body over time."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_quat(data.orientation.sel(body=body).values, scalar_first=True)


def point_on(data, model, body, point):
    """Where a world point of the drawing, fixed in a body, goes over time."""
    start = rotations(fl.accelerations(model, formulation="constrained").expand_dims("time"), body)[0]
    from_centre = start.inv().apply(np.array(point) - model.bodies[body].position)
    return data.position.sel(body=body).values + rotations(data, body).apply(from_centre)


def simple_pendulum():
    """Problem A01: a mass on a massless bar; the bar pulls through the mass centre, its own inertia has no effect."""
    bodies = {"mass": fl.Body(1.0, (1, 1, 1), (-1, 0, 0))}
    rod = fl.Distance("world", "mass", point=(0, 0, 0), other_point=(-1, 0, 0))
    return fl.Model("pendulum", bodies, {"bar": rod}, gravity=(0, -9.81, 0))


def double_pendulum():
    """The spatial double pendulum with crossed hinges, drawn hanging at q = 0 and started elsewhere by its joints."""
    bodies = {
        "upper": fl.Body(2.0, (0.34 / 3, 0.325 / 3, 0.025 / 3), (0, 0.05, -0.4)),
        "lower": fl.Body(1.0, (0.0925 / 3, 0.1 / 3, 0.0125 / 3), (0.05, 0.1, -1.1)),
    }
    joints = {
        "first": fl.Revolute("world", "upper", (0, 0, 0), (0, 1, 0), initial=0.6, rate=0.0),
        "second": fl.Revolute("upper", "lower", (0, 0.1, -0.8), (1, 0, 0), initial=0.5, rate=1.0),
    }
    return fl.Model("double pendulum", bodies, joints, gravity=(0, 0, -9.81))


def heavy_top(slow=False):
    """A symmetric top on a fixed point: the literature's fast one, or a slow one that nods widely."""
    c, s = np.cos(0.6), np.sin(0.6)
    R = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]) if slow else np.eye(3)
    mass, inertia = (1.0, (0.02, 0.02, 0.01)) if slow else (15.0, (0.234375, 0.46875, 0.234375))
    centre = R @ ((0, 0, 0.3) if slow else (0, 1, 0))
    w = np.array((0, 0, 150.0) if slow else (0, 150, -4.61538))
    top = fl.Body(mass, inertia, centre, {"matrix": R.tolist()}, np.cross(R @ w, centre), w)
    return fl.Model("top", {"top": top}, {"tip": fl.Spherical("world", "top", (0, 0, 0))}, gravity=(0, 0, -9.81))


PINS = (fl.Revolute, fl.Cylindrical)  # hold a rod about its own axis; spherical ones at both ends would not


def as_rods(model, about=0.0):
    """The model with bars that have no inertia about their own long axis, or that little."""
    bodies = {
        name: body.model_copy(
            update={
                "inertia": ((about, 0, 0), (0, body.inertia[1][1], 0), (0, 0, body.inertia[2][2])),
                "idealised": True,
            }
        )
        for name, body in model.bodies.items()
    }
    return model.model_copy(update={"bodies": bodies})


def with_added_mass(model, body, seed=0):
    """The model with a full, definite added mass of the size of a body's own at a point off its mass centre."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(6, 6))
    size = model.bodies[body].mass * np.outer(*[[1, 1, 1, 0.5, 0.5, 0.5]] * 2)
    matrix = (root @ root.T / 6 + 0.3 * np.eye(6)) * size
    point = np.array(model.bodies[body].position) + (0.1, 0.2, -0.1)
    load = fl.Matrix(body, tuple(point), added_mass=(0.5 * (matrix + matrix.T)).tolist())
    return model.model_copy(update={"loads": {**model.loads, "water": load}})
