"""A URDF means to us what it means to Pinocchio: the same mass matrix from the same text.

Ours is computed by a witness from the drawing of the loaded model, so reading, frames, inertias and folding are tested,
not the simulator. Frozen matrices: tests/reference/urdf; `write_reference` below makes them again where Pinocchio is.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import block_diag
from scipy.spatial.transform import Rotation

import fairlead as fl
from fairlead.formats.urdf.convert import read_urdf
from support.urdf_texts import ARM, MESSY
from witness.mass_matrix import mass_matrix, weights
from witness.spatial import hat

REFERENCE = Path(__file__).parents[1] / "reference" / "urdf"
FROZEN, FROZEN_DYNAMICS = REFERENCE / "mass_matrices.json", REFERENCE / "arm_dynamics.json"
SAME = 1e-12  # of the largest entry: products of ten 4x4 poses in double precision, and 16 digits in the file

TEXTS = {"arm": ARM, "messy": MESSY, "floating": ARM}
# Attitude of the drone's link in the drawing: base.joint, then flight (rpy as written in the text).
DRONE = Rotation.from_euler("xyz", (0.1, 0.2, 0.3)) * Rotation.from_euler("xyz", (0.3, 0.4, 0.5))
NAMES = {
    "1st finger": "joint_1st finger",
    "slider": "slider_joint",
    "root_joint": "link_0",
}  # what URDF joints are called in the model
JOINTS = {
    "arm": {f"joint_{number}": ["angle"] for number in range(1, 8)},
    "messy": {
        "turret": ["angle"],
        "1st finger": ["angle"],
        "slider": ["length"],
        "table": ["x", "y", "angle"],
        "flight": ["x", "y", "z", "a", "b", "c"],
    },
    "floating": {"root_joint": ["x", "y", "z", "a", "b", "c"]}
    | {f"joint_{number}": ["angle"] for number in range(1, 8)},
}


def configurations(case: str) -> list[dict[str, float]]:
    """Coordinates by `joint.coordinate` in the URDF's names: the drawing and two more; floating joints do not turn."""
    labels = [f"{joint}.{c}" for joint, coordinates in JOINTS[case].items() for c in coordinates]
    still = ("flight.a", "flight.b", "flight.c", *(f"root_joint.{c}" for c in "xyzabc"))
    moving = [label for label in labels if label not in still]
    some = [{label: round(1.3 * math.sin(k * (i + 1.7)), 3) for i, label in enumerate(moving)} for k in (1.0, 2.3)]
    return [dict.fromkeys(labels, 0.0), *some]


def to_pinocchio(joint: str, q: dict[str, float]) -> tuple[list[float], np.ndarray]:
    """Pinocchio's coordinates of a joint, and the matrix from our rates to its velocities.

    Planar: (x, y, cos, sin), velocity in the child's axes. Floating: position in the joint's own axes, quaternion with
    the scalar last, velocity in the child's axes.
    """
    if joint == "table":
        angle = q["table.angle"]
        c, s = math.cos(angle), math.sin(angle)
        return [q["table.x"], q["table.y"], c, s], np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    if joint == "flight":
        R = DRONE.as_matrix()
        place = R.T @ [q.get(f"flight.{c}", 0.0) for c in "xyz"]
        return [*place, 0, 0, 0, 1], block_diag(R.T, R.T)
    if joint == "root_joint":  # at the origin of link_0, whose mass centre is where our rates are
        r_LC_L = (-0.1, 0.0, 0.07)
        return [0, 0, 0, 0, 0, 0, 1], np.block([[np.eye(3), hat(r_LC_L)], [np.zeros((3, 3)), np.eye(3)]])
    (value,) = (value for label, value in q.items() if label.rpartition(".")[0] == joint)
    return [value], np.eye(1)


def ours(case: str, q: dict[str, float], tmp_path: Path) -> np.ndarray:
    """The witness's matrix of the loaded model in Pinocchio's velocities, joints in the order of JOINTS."""
    path = tmp_path / f"{case}.urdf"
    path.write_text(TEXTS[case])
    model, _ = read_urdf(path, floating_base=case == "floating")
    called = {f"{NAMES.get(joint, joint)}.{c}": f"{joint}.{c}" for joint, all_c in JOINTS[case].items() for c in all_c}
    labels, M = mass_matrix(model, {mine: q.get(label, 0.0) for mine, label in called.items()})
    assert sorted(labels) == sorted(called)
    order = [labels.index(label) for label in called]
    back = np.linalg.inv(block_diag(*(to_pinocchio(joint, q)[1] for joint in JOINTS[case])))
    return back.T @ M[np.ix_(order, order)] @ back


def pinocchios(case: str, q: dict[str, float]) -> np.ndarray:
    """Pinocchio's own matrix, joints in the order of JOINTS; joints that move nothing with mass are left out."""
    pin = pytest.importorskip("pinocchio")
    root = [pin.JointModelFreeFlyer()] if case == "floating" else []
    model = pin.buildModelFromXML(TEXTS[case], *root)
    at, rows = pin.neutral(model), []
    for name in JOINTS[case]:
        joint = model.joints[model.getJointId(name)]
        at[joint.idx_q : joint.idx_q + joint.nq] = to_pinocchio(name, q)[0]
        rows += range(joint.idx_v, joint.idx_v + joint.nv)
    M = np.array(pin.crba(model, model.createData(), at))
    M = np.triu(M) + np.triu(M, 1).T
    return M[np.ix_(rows, rows)]


# Of the arm: a point of its last link, in that link's frame, and rates and accelerations of the joints
TIP = (0.05, -0.03, 0.12)
RATES = [round(0.8 * math.cos(1.3 * i), 3) for i in range(7)]
ASKED = [round(2.0 * math.sin(0.7 * i + 0.4), 3) for i in range(7)]


def pinocchios_dynamics(q: dict[str, float]) -> dict[str, list]:
    """Pinocchio's bias, gravity, inverse dynamics and the Jacobian of the tip (world axes) of the fixed arm."""
    pin = pytest.importorskip("pinocchio")
    model = pin.buildModelFromXML(ARM)
    model.gravity.linear = np.array([0, 0, -9.80665])
    data, at, v = model.createData(), np.array(list(q.values())), np.array(RATES)
    place = pin.SE3(np.eye(3), np.array(TIP))
    tip = model.addFrame(pin.Frame("tip", model.getJointId("joint_7"), place, pin.FrameType.OP_FRAME))
    data = model.createData()
    J = pin.computeFrameJacobian(model, data, at, tip, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED).copy()
    pin.framesForwardKinematics(model, data, at)
    found = {
        "gravity": -pin.computeGeneralizedGravity(model, data, at),
        "bias": pin.nonLinearEffects(model, data, at, v),
        "tau": pin.rnea(model, data, at, v, np.array(ASKED)),
        "tip": data.oMf[tip].translation,
        "J": J,
    }
    return {name: np.array(value).tolist() for name, value in found.items()}


def write_reference() -> None:
    """Write the frozen matrices, and the dynamics of the arm."""
    found = {case: [{"q": q, "M": pinocchios(case, q).tolist()} for q in configurations(case)] for case in TEXTS}
    FROZEN.write_text(json.dumps(found, indent=1) + "\n")
    write_dynamics()


def write_dynamics() -> None:
    """Write the frozen dynamics of the arm."""
    found = [{"q": q, **pinocchios_dynamics(q)} for q in configurations("arm")]
    FROZEN_DYNAMICS.write_text(json.dumps(found, indent=1) + "\n")


def equations_of_the_arm(q: dict[str, float], tmp_path: Path, **words: Any) -> Any:
    """`fl.equations` of the arm at coordinates and RATES, in Pinocchio's order of joints."""
    path = tmp_path / "arm.urdf"
    path.write_text(ARM)
    model = fl.load(path)
    starts = {f"joints.joint_{k}.initial": q[f"joint_{k}.angle"] for k in range(1, 8)}
    model = model.with_(starts | {f"joints.joint_{k}.rate": RATES[k - 1] for k in range(1, 8)})
    data = fl.equations(model, formulation="articulated", **words)
    assert list(data.coordinate.values) == list(q)
    return data


@pytest.mark.parametrize("number", range(3))
def test_the_equations_written_out_are_pinocchios(number: int, tmp_path: Path):
    """M (crba), h (nonLinearEffects), gravity, the Jacobian of a point, and inverse dynamics (rnea)."""
    frozen = json.loads(FROZEN_DYNAMICS.read_text())
    one, torque = frozen[number], max(np.abs(case["gravity"]).max() for case in frozen)
    q, M = one["q"], np.array(json.loads(FROZEN.read_text())["arm"][number]["M"])
    # The tip in the drawing: Pinocchio's at q = 0 is a world point of the drawing.
    tip = frozen[0]["tip"]
    asked = dict(zip(q, ASKED))
    found = equations_of_the_arm(q, tmp_path, points={"tip": ("link_7", tip)}, accelerations=asked)
    J = np.concatenate([found.jacobian.sel(point="tip"), found.angular_jacobian.sel(point="tip")])
    ours = {"bias": found.bias, "gravity": found.gravity_force, "tau": found.inverse_dynamics, "J": J}
    ours |= {"tip": found.point_position.sel(point="tip")}
    assert np.abs(found.mass_matrix.values - M).max() < SAME * M.max()
    for name, value in ours.items():
        expected = np.array(one[name])
        # Upright the torques of the weights cancel: their size is that in the other postures.
        size = torque if name in ("bias", "gravity", "tau") else np.abs(expected).max()
        assert np.abs(np.asarray(value) - expected).max() < SAME * size, name


def test_the_frozen_dynamics_are_those_of_pinocchio_installed_here():
    pytest.importorskip("pinocchio")
    for one in json.loads(FROZEN_DYNAMICS.read_text()):
        for name, value in pinocchios_dynamics(one["q"]).items():
            assert np.allclose(value, one[name], rtol=0, atol=SAME * np.abs(one[name]).max()), name


@pytest.mark.parametrize("case", TEXTS)
def test_the_mass_matrix_is_pinocchios(case: str, tmp_path: Path):
    frozen = json.loads(FROZEN.read_text())[case]
    assert len(frozen) == 3
    for one in frozen:
        expected = np.array(one["M"])
        assert np.abs(ours(case, one["q"], tmp_path) - expected).max() < SAME * expected.max()


@pytest.mark.parametrize("case", TEXTS)
def test_the_mass_matrix_is_that_of_pinocchio_installed_here(case: str, tmp_path: Path):
    pytest.importorskip("pinocchio")
    for q in configurations(case):
        expected = pinocchios(case, q)
        assert np.abs(ours(case, q, tmp_path) - expected).max() < SAME * expected.max()


def test_the_simulator_starts_the_arm_as_the_mass_matrix_says(tmp_path: Path):
    """Released at rest from two postures: q'' = M^-1 (weight), the arm's dampers left out."""
    path = tmp_path / "arm.urdf"
    path.write_text(ARM.replace('<dynamics damping="0.5"/>', ""))
    model = fl.load(path)
    for q in configurations("arm")[1:]:
        posed = {
            name: made.model_copy(update={"initial": {"angle": q[f"{name}.angle"]}}) if made.coordinates else made
            for name, made in model.joints.items()
        }
        labels, M = mass_matrix(model, q)
        expected = np.linalg.solve(M, weights(model, q))
        found = fl.accelerations(fl.Model(model.name, model.bodies, posed))["joint_acceleration"]
        # Constraint equations lose digits with the condition of M, here about 1e3.
        assert found.sel(coordinate=labels).values == pytest.approx(expected, abs=1e-10 * np.abs(expected).max())
