"""URDF files in Fairlead's words: `read_urdf` gives the model and everything worth saying about the file.

A URDF is a chain of local frames; a model is drawn in the world at q = 0, so each link's frame is followed out from the
root's, which lies on the world's. A body's axes are its link's axes.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.errors import Problem
from fairlead.formats.text import read_text
from fairlead.formats.urdf.names import Names, legal, named
from fairlead.formats.urdf.parts import Array, Joint, Link, Pose
from fairlead.formats.urdf.read import AXIAL, Reader, TooMany
from fairlead.formats.urdf.tree import GROUND, Folded, Tree, fold, grow
from fairlead.formats.urdf.xml_tree import Element, read_xml
from fairlead.formats.yaml.tree import Refused
from fairlead.model.bodies import Body
from fairlead.model.checks.all import findings, shown
from fairlead.model.checks.inertia import PHYSICAL, principal_moments
from fairlead.model.checks.partial_model import PartialModel
from fairlead.model.checks.topology import listed
from fairlead.model.fields import WORLD
from fairlead.model.joints import types as words
from fairlead.model.messages import did_you_mean
from fairlead.model.orientation import Orientation
from fairlead.model.relations.words import Relation
from fairlead.model.schema import Model

ROUNDING = 1e-15  # metres or parts of one: below it a number is what is left of a zero
_MACRO = re.compile(r"\$[({]")


def read_urdf(path: str | os.PathLike[str], *, floating_base: bool = False) -> tuple[Model | None, list[Problem]]:
    """Return the model of a URDF file, None if it has errors, and all problems in the order of the file.

    The root link stands on the world, or floats with `floating_base`; without mass it is the world.
    """
    reader = Reader(os.fspath(path))
    model = None
    try:
        root = read_xml(read_text(reader.file))
        if _is_urdf(root, reader):
            model = _model(root, reader, floating_base)
    except Refused as refused:
        wrong = refused.complaint
        reader.problems.append(Problem(wrong.message, "", reader.file, wrong.line, wrong.column))
    except TooMany:
        pass
    reader.problems.sort(key=lambda problem: (problem.line, problem.column))
    return (None if reader.failed else model), reader.problems


def _is_urdf(root: Element, reader: Reader) -> bool:
    """Return whether the file is a URDF without macros, after a complaint if it is not."""
    if root.tag != "robot":
        reader.add(root, "", f"the outermost element is <{root.tag}>; a URDF has <robot>")
        return False
    for element in root.walk():
        if element.tag.startswith("xacro:") or any(_MACRO.search(value) for value in _said(element)):
            message = "holds xacro macros, which are not expanded here; run 'xacro FILE > robot.urdf' and read that"
            reader.add(element, "", message)
            return False
    return True


def _said(element: Element) -> list[str]:
    """Return the attributes of an element but for the names of files, where tools keep their own macros."""
    return [value for name, value in element.attributes.items() if name not in ("filename", "url")]


def _model(root: Element, reader: Reader, floating_base: bool) -> Model | None:
    links = [link for link in map(reader.link, root.all("link")) if link is not None]
    joints = [joint for joint in map(reader.joint, root.all("joint")) if joint is not None]
    if not root.all("link"):
        reader.add(root, "", "has no <link>; a URDF has at least one")
    tree = None if reader.failed else grow(links, joints, reader)
    if tree is None:
        return None
    folded = fold(tree, reader, floating_base=floating_base)
    if reader.failed:
        return None
    _friction(folded, reader)
    names = named(tree, folded, reader)
    if reader.failed:
        return None
    name = legal(root.attributes.get("name", "") or Path(reader.file).stem, "robot")[:64]
    return _words(name, tree, folded, names, reader)


def _friction(folded: Folded, reader: Reader) -> None:
    dry = [joint for joint, _, _ in folded.joints if joint.friction]
    if dry:
        names = listed([joint.name for joint in dry])
        reader.add(
            dry[0].element, "", f"friction is left out (a model has dampers, no dry friction): {names}", "warning"
        )


def _words(name: str, tree: Tree, folded: Folded, names: Names, reader: Reader) -> Model | None:
    """Return the model, after the checks every model passes."""
    poses = tree.drawn()
    bodies = {names.links[link]: _body(tree.links[link], poses[link], reader) for link in names.links}
    joints: dict[str, Any] = {}
    if folded.grounded:
        joints[names.ground] = words.Ground(child=names.links[tree.root], point=_tidy(poses[tree.root].r))
    ends = {**names.links, GROUND: WORLD}
    for joint, parent, child in folded.joints:
        joints[names.joints[joint.name]] = _joint(joint, ends[parent], ends[child], poses[joint.child])
    base = names.links[folded.base] if folded.base else None
    relations = _relations(tree, names, reader)
    model = Model(name=name, bodies=bodies, joints=joints, base=base, relations=relations)
    places = {("bodies", word): tree.links[link].element for link, word in names.links.items()}
    places |= {("joints", word): tree.joints[joint].element for joint, word in names.joints.items()}
    places |= {("relations", f"{word} mimic"): tree.joints[joint].element for joint, word in names.joints.items()}
    for found in findings(PartialModel.of(model)):
        at = places.get(found.path[:2], tree.links[tree.root].element)  # type: ignore[arg-type]
        reader.add(at, shown(found.path), found.message, found.severity)
    return model


def _relations(tree: Tree, names: Names, reader: Reader) -> dict[str, Relation]:
    """Return the joints that mimic others as relations: q - factor q_other = offset."""
    found = {}
    for joint in (one for one in tree.joints.values() if one.mimic is not None):
        mimic, path = joint.mimic, f"joint.{joint.name}"
        assert mimic is not None
        other = tree.joints.get(mimic.joint)
        if other is None:
            hint = did_you_mean(mimic.joint, tree.joints)
            reader.add(mimic.element, path, f"mimics the joint '{mimic.joint}', which is not there{hint}")
        elif other.type not in AXIAL:
            reader.add(mimic.element, path, f"mimics '{other.name}', a {other.type} joint, which has no one coordinate")
        elif joint.name not in names.joints or other.name not in names.joints:
            text = f"<mimic> is left out, since '{joint.name}' or '{other.name}' is: it moves nothing that has mass"
            reader.add(mimic.element, path, text, "warning")
        elif mimic.factor == 0.0:
            reader.add(mimic.element, path, "mimics with a multiplier of 0; make the joint fixed instead")
        else:
            one, two = names.joints[joint.name], names.joints[other.name]
            found[f"{one} mimic"] = Relation(between={one: 1.0, two: -mimic.factor}, offset=mimic.offset)
    return found


def _body(link: Link, pose: Pose, reader: Reader) -> Body:
    """Return a link with mass as a body drawn in the world: R_WL, r_WC_W = r_WL_W + R_WL r_LC_L."""
    R_LC = link.centre.R
    I_LC_L = link.inertia if np.array_equal(R_LC, np.eye(3)) else R_LC @ link.inertia @ R_LC.T
    I_LC_L = (I_LC_L + I_LC_L.T) / 2
    I_LC_L[np.abs(I_LC_L) <= ROUNDING * np.abs(I_LC_L).max()] = 0.0
    body = Body(
        mass=link.mass,
        inertia=I_LC_L.tolist(),
        position=_tidy(pose.then(link.centre).r),
        orientation=_orientation(pose.R),
    )
    low, middle, high = principal_moments(body)
    if low >= -PHYSICAL * high and low + middle - high < -PHYSICAL * high:
        message = f"the principal moments {low:.4g}, {middle:.4g}, {high:.4g} break the triangle inequality"
        reader.add(link.element, f"link.{link.name}", f"{message}; kept as 'idealised'", "warning")
        body = body.model_copy(update={"idealised": True})
    return body


def _joint(joint: Joint, parent: str, child: str, pose: Pose) -> words.Joint:
    """Return a joint drawn in the world; `pose` is its frame, which is that of its child link."""
    place: dict[str, Any] = {"parent": parent, "child": child, "point": _tidy(pose.r)}
    axis = _tidy(pose.R @ joint.axis)
    if joint.type == "fixed":
        return words.Fixed(**place)
    if joint.type == "floating":
        return words.Free(**place)
    if joint.type == "planar":
        return words.Planar(**place, axis=axis, axis2=_tidy(pose.R @ _across(joint.axis)))
    extra: dict[str, Any] = {"damper": joint.damping} if joint.damping else {}
    if joint.limits is not None:
        extra["limits"] = joint.limits
    kind = words.Prismatic if joint.type == "prismatic" else words.Revolute
    return kind(**place, axis=axis, **extra)


def _across(axis: Array) -> Array:
    """Return the direction of x in the plane of a planar joint: the frame's own x, or y where x is the normal."""
    x = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    x = x - axis * (axis @ x)
    return np.asarray(x / np.linalg.norm(x))


def _tidy(vector: Array) -> tuple[float, ...]:
    """Return a vector with zeros where rounding left almost nothing (an angle of pi is never quite pi)."""
    return tuple(0.0 if abs(value) < ROUNDING else float(value) for value in vector)


def _orientation(R: Array) -> Orientation | None:
    """Return axes as a unit quaternion, None for the world's.

    4 q q^T is linear in R; its column with the largest diagonal entry gives q without loss of digits (Shepperd, 1978).
    """
    m = R
    four = np.array(
        [
            [1 + m[0, 0] + m[1, 1] + m[2, 2], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
            [m[2, 1] - m[1, 2], 1 + m[0, 0] - m[1, 1] - m[2, 2], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
            [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], 1 - m[0, 0] + m[1, 1] - m[2, 2], m[1, 2] + m[2, 1]],
            [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], 1 - m[0, 0] - m[1, 1] + m[2, 2]],
        ]
    )
    q = four[:, int(np.argmax(np.diag(four)))]
    w, x, y, z = _tidy(q / np.linalg.norm(q))
    return None if (x, y, z) == (0.0, 0.0, 0.0) else Orientation(quaternion=(w, x, y, z))
