"""Random models: trees of every joint, motion and load, drawn from a seed."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

import fairlead as fl

JOINTS = ("fixed", "revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "free")
FLIPPABLE = ("fixed", "revolute", "prismatic", "cylindrical", "universal")  # the reversed joint is one of the same kind
MOTIONS = ("rate", "ramp", "sine", "polynomial", "table", "expression")
LOADS = ("force", "table", "formula", "spring", "line", "rotational", "matrix")
LAST = 6.0  # tables reach to this time [s]


class Draw:
    """Draws the parts of a model from one stream of random numbers."""

    def __init__(self, seed, at_drawing=False):
        self.rng = np.random.default_rng(seed)
        self.at_drawing = at_drawing  # whether every coordinate is zero at t = 0

    def may_flip(self, kind):
        """Whether a joint of this kind may be drawn against the direction in which the tree grows."""
        return True

    def pick(self, items):
        return items[int(self.rng.integers(len(items)))]

    def chance(self, p):
        return bool(self.rng.random() < p)

    def vec(self, size=1.0):
        return tuple(float(x) for x in self.rng.normal(0, size, 3))

    def axis(self):
        v = self.rng.normal(size=3)
        return v / np.linalg.norm(v)

    def number(self, size=1.0):
        return float(self.rng.uniform(-size, size))

    def spd(self, size):
        """A symmetric positive definite 6x6 matrix."""
        a = self.rng.normal(size=(6, 6))
        return (size * (a @ a.T / 6 + 0.1 * np.eye(6))).tolist()

    def orientation(self):
        turn = Rotation.from_rotvec(self.axis() * self.rng.uniform(0, 3.1))
        form = self.pick(("none", "matrix", "quaternion", "euler123"))
        if form == "none":
            return None
        if form == "matrix":
            return {"matrix": turn.as_matrix().tolist()}
        if form == "quaternion":
            return {"quaternion": turn.as_quat(scalar_first=True).tolist()}
        angles = turn.as_euler("XYZ")
        return {"euler123": np.clip(angles, [-4, -1.4, -4], [4, 1.4, 4]).tolist()}

    def body(self, position, free=False):
        """A cloud of eight point masses: whatever they are, their inertia is one a body can have."""
        points = self.rng.normal(0, 10 ** self.rng.uniform(-1, 0), (8, 3)) * self.rng.uniform(0.3, 1.0, 3)
        mass = self.rng.uniform(0.1, 1.0, 8) * 10 ** self.rng.uniform(-0.5, 1)
        points = points - mass @ points / mass.sum()
        inertia = np.einsum("i,ij,ij->", mass, points, points) * np.eye(3) - np.einsum(
            "i,ij,ik->jk", mass, points, points
        )
        wheels = [
            fl.Wheel(self.axis(), float(self.rng.uniform(0, 0.2)), self.number(40))
            for _ in range(self.pick((1, 2)) if self.chance(0.25) else 0)
        ]
        moving = {"velocity": self.vec(), "angular_velocity": self.vec()} if free else {}
        return fl.Body(float(mass.sum()), inertia, position, self.orientation(), wheels=wheels, **moving)

    def motion(self, size=1.0):
        """A motion of random kind whose value, rate and acceleration are of the order of `size` up to LAST."""
        kind, offset = self.pick(MOTIONS), 0.0 if self.at_drawing else self.number(size)
        if kind == "rate":
            return fl.Rate(self.number(size), offset)
        if kind == "ramp":
            begin = 0.0 if self.at_drawing else self.number(1.5)
            return fl.Ramp(self.number(size), float(self.rng.uniform(0.2, 2)) * size, offset, begin)
        if kind == "sine":
            phase = 0.0 if self.at_drawing else self.number(3)
            return fl.Sine(self.number(size), frequency=self.number(2), phase=phase, mean=offset)
        if kind == "polynomial":
            return fl.Polynomial([offset, *(self.number(size) / k**2 for k in range(1, self.pick((2, 3, 4, 5))))])
        if kind == "table":
            times = np.concatenate([[0.0], np.sort(self.rng.uniform(0.2, LAST - 0.2, 6)), [LAST]])
            times += 0.05 * np.arange(8)  # at least 0.05 s apart
            values = offset + self.rng.normal(0, 0.3 * size, 8)
            values[0] = offset
            return fl.Table(times, values)
        a, b, c = self.number(size), self.number(2), self.number()
        form = self.pick(("{a}*sin({b}*t)", "{a}*t*exp({c}*t/5)", "{a}*tanh(t*cos({b}*t))", "{a}*t**3/(1 + t**2)"))
        text = form.format(a=repr(a), b=repr(b), c=repr(c))
        return fl.Expression(text if self.at_drawing else f"{offset!r} + {text}")

    def joint(self, kind, parent, child, point):
        """A joint of the given kind with every coordinate driven or locked."""
        word = getattr(fl, kind.capitalize())
        roles, motion, locked, initial = word.coordinates, {}, [], {}
        for label, what in roles.items():
            if self.chance(0.8):
                motion[label] = self.motion(1.0 if what.kind == "angle" else 0.5)
            else:
                locked.append(label)
                if not self.at_drawing and self.chance(0.5):
                    initial[label] = self.number()
        given = {"point": point, "motion": motion, "locked": locked, "initial": initial}
        if kind in ("prismatic", "free") and self.chance(0.5):
            given.pop("point")
        if kind in ("revolute", "prismatic", "cylindrical", "universal", "planar"):
            given["axis"] = axis = self.axis()
        if kind in ("universal", "planar"):
            across = np.cross(axis, self.axis())
            given["axis2"] = across / np.linalg.norm(across)
        return word(parent, child, **given)

    def floating(self, body, point):
        """A free joint to the world: the body starts moved from its drawing, with rates of the joint's own."""
        labels = list(fl.Free.coordinates)
        initial = {label: self.number() for label in labels if self.chance(0.7)}
        rate = {label: self.number() for label in labels if self.chance(0.5)}
        return fl.Free("world", body, point=point, initial=initial, rate=rate)

    def load(self, kind, bodies, joints, springs):
        """A load of the given kind on random bodies."""
        names = list(bodies)
        name = self.pick(names)
        near = np.array(bodies[name].position)
        point = near + self.vec(0.5)
        if kind == "force":
            return fl.Force(name, point, self.vec(5), self.vec(2), axes=self.pick(("world", "body")))
        if kind == "table":
            times = np.linspace(0.0, LAST, 7)
            parts = [fl.Table(times, self.rng.normal(0, 3, 7)) for _ in range(2)]
            return fl.Force(name, force=(parts[0], self.number(), 0.0), moment=(0.0, 0.0, parts[1]), axes="body")
        if kind == "formula":
            return fl.Force(name, point, [self.formula(bodies, joints, springs) for _ in range(3)], axes="world")
        if kind in ("spring", "line"):
            other = self.pick([None, *(n for n in names if n != name)])
            far = point + self.vec(1.5)
            ends = {"anchor": far} if other is None else {"other": other, "other_point": far}
            length = float(np.linalg.norm(far - point) * self.rng.uniform(0.3, 1.4))
            damping = float(self.rng.uniform(0, 3))
            return fl.Spring(
                name, point, **ends, stiffness=20.0, damping=damping, length=length, tension_only=kind == "line"
            )
        if kind == "rotational":
            other = self.pick([None, *(n for n in names if n != name)])
            axis = self.axis() if self.chance(0.5) else None
            return fl.RotationalSpring(name, other, stiffness=2.0, damping=0.5, axis=axis)
        added = self.spd(2.0) if self.chance(0.6) else None
        stiffness = self.rng.normal(0, 3, (6, 6))  # any 6x6, symmetric or not
        return fl.Matrix(name, point, stiffness, self.spd(0.5), [self.number(3) for _ in range(6)], added)

    def formula(self, bodies, joints, springs):
        """A formula of time, of a body, of a joint coordinate or of a tension."""
        body, a = self.pick(list(bodies)), repr(self.number(2))
        forms = [f"{a}*sin(3*t) + 0.1*{body}.vx", f"{a}*{body}.y - 0.2*{body}.vz", f"{a}*{body}.wy*{body}.roll"]
        forms += [f"where({body}.z > 0.3, {a}, -{a})*{body}.pitch", f"{a}*{body}.yaw + 0.1*{body}.x**2"]
        turning = [(name, label) for name, joint in joints.items() if name[0] == "j" for label in joint.coordinates]
        if turning:
            name, label = self.pick(turning)
            forms += [f"{a}*{name}.{label}", f"{a}*{name}.{label}_rate"]
        if springs:
            forms.append(f"0.1*{self.pick(springs)}.tension")
        return self.pick(forms)


def random_model(
    seed,
    bodies=None,
    *,
    joints=JOINTS,
    loads=LOADS,
    trees=3,
    rooted=True,
    flipped=True,
    at_drawing=False,
    gravity=True,
    draw=Draw,
):
    """A random model of up to `trees` trees, some of them joined to the world where `rooted` allows it."""
    draw = draw(seed, at_drawing)
    count = bodies or draw.pick((1, 2, 3, 5, 8, 13, 21))
    forest = min(count, draw.pick(range(1, trees + 1)))
    held = [rooted and draw.chance(0.35) for _ in range(forest)]
    placed, found, home = {}, {}, []
    for i in range(count):
        name = f"b{i}"
        tree = i if i < forest else int(draw.rng.integers(forest))
        home.append(tree)
        before = [k for k in range(i) if home[k] == tree]
        inboard = "world" if not before and held[tree] else None
        if before:
            inboard = f"b{before[-1] if draw.chance(0.5) else draw.pick(before)}"
        near = np.zeros(3) if inboard in (None, "world") else np.array(placed[inboard].position)
        position = near + draw.vec()
        placed[name] = draw.body(position, free=inboard is None)
        if inboard is not None:
            pair = (name, inboard) if flipped and draw.chance(0.4) else (inboard, name)
            kind = draw.pick(joints)
            pair = pair if draw.may_flip(kind) else (inboard, name)
            found[f"j{i}"] = draw.joint(kind, *pair, near + draw.vec(0.7))
        elif "free" in joints and not at_drawing and draw.chance(0.4):
            found[f"f{i}"] = draw.floating(name, near + draw.vec(0.7))
    acting, springs = {}, []
    for i in range(draw.pick(range(6)) if loads else 0):
        kind = draw.pick(loads)
        acting[f"l{i}"] = draw.load(kind, placed, found, springs)
        if kind in ("spring", "line"):
            springs.append(f"l{i}")
    weight = draw.vec(5) if gravity else (0.0, 0.0, 0.0)
    return fl.Model(f"random {seed}", placed, found, acting, weight)
