"""The random tree with free joints in Pinocchio, MuJoCo and Drake: their accelerations, and what one evaluation is.

Everyone has the base in its drawn attitude, joints at q = c0 with rates c1, gravity, and no force on any joint.
A peer gives `accelerations()`: of the base (its mass centre, then angular; all axes coincide), then of joints in order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pinocchio_tree
from trees import GRAVITY, Tree

Array = np.ndarray
Timed = dict[str, tuple[Callable[[], Any], int]]  # what to call, and how many evaluations a call holds
BATCH = 64
LARGEST_BATCHED, LARGEST_PINOCCHIO = 200, 400  # its Data holds tensors of nv^3: 0.3 GiB, 2.1 GiB; 30 GiB at 1000


class Pinocchio:
    """The articulated-body algorithm `aba`: per call from Python, and batched in C++ on one thread."""

    def __init__(self, tree: Tree) -> None:
        import pinocchio

        self.tree, self.pin = tree, pinocchio
        self.model = pinocchio_tree.pinocchio_model(tree)
        self.q, self.v, _ = pinocchio_tree.state(tree, 0.0)
        self.data = self.model.createData()

    def accelerations(self) -> Array:
        found = np.array(self.pin.aba(self.model, self.data, self.q, self.v, np.zeros(self.model.nv)))
        found[:3] += np.cross(self.tree.w, self.tree.v)  # from the spatial to the usual acceleration
        return found

    def timed(self, n: int) -> Timed:
        aba, none = self.pin.aba, np.zeros(self.model.nv)

        def calls() -> None:
            for _ in range(n):
                aba(self.model, self.data, self.q, self.v, none)

        found: Timed = {"aba calls": (calls, n)}
        if len(self.tree.parent) <= LARGEST_BATCHED:
            found["aba"] = self._batched(max(1, n // BATCH))
        return found

    def _batched(self, times: int) -> tuple[Callable[[], Any], int]:
        pool = self.pin.ModelPool(self.model, 1)
        states = [pinocchio_tree.state(self.tree, t)[:2] for t in np.linspace(0.0, 1.0, BATCH)]
        Q, V = (np.asfortranarray(np.array(column).T) for column in zip(*states))
        tau, out = np.zeros_like(V), np.zeros_like(V)

        def batches() -> None:
            for _ in range(times):
                self.pin.abaInParallel(1, pool, Q, V, tau, out)

        return batches, times * BATCH


class Mujoco:
    """`mj_forward` per call (forward dynamics, no integration), and `mj_step` with Euler, many in one call in C.

    Contacts, constraints and what else a tree does not need are switched off.
    """

    def __init__(self, tree: Tree) -> None:
        import mujoco

        self.tree, self.mujoco = tree, mujoco
        spec = mujoco.MjSpec()
        spec.option.gravity, spec.option.timestep = GRAVITY, 1e-7  # many steps stay at the same place
        off = mujoco.mjtDisableBit
        spec.option.disableflags = int(off.mjDSBL_CONTACT | off.mjDSBL_CONSTRAINT | off.mjDSBL_EULERDAMP)
        bodies = [spec.worldbody]
        for i, p in enumerate(tree.parent):
            arm = np.zeros(3) if p < 0 else tree.to_centre[i]
            at = np.zeros(3) if p < 0 else tree.to_joint[i] + (tree.to_centre[p] if p > 0 else 0.0)
            I = tree.inertia[i]
            six = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
            body = bodies[p + 1].add_body(name=f"b{i}", pos=at, mass=tree.mass[i], ipos=arm, fullinertia=six)
            body.explicitinertial = True
            if p < 0:
                body.add_freejoint(name="base")
            else:
                body.add_joint(name=f"j{i}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=tree.axis[i])
            bodies.append(body)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        numbers = [self.model.joint(f"j{i}").id for i in range(1, len(tree.parent))]
        self.places, self.rates = self.model.jnt_qposadr[numbers], self.model.jnt_dofadr[numbers]
        self.start()

    def start(self) -> None:
        d = self.data
        d.qpos[:7], d.qvel[:3], d.qvel[3:6] = (0, 0, 0, 1, 0, 0, 0), self.tree.v, self.tree.w
        d.qpos[self.places], d.qvel[self.rates] = self.tree.motion[1:, 0], self.tree.motion[1:, 1]

    def accelerations(self) -> Array:
        self.mujoco.mj_forward(self.model, self.data)
        return np.concatenate([self.data.qacc[:6], self.data.qacc[self.rates]])

    def timed(self, n: int) -> Timed:
        forward = self.mujoco.mj_forward

        def calls() -> None:
            for _ in range(n):
                forward(self.model, self.data)

        def steps() -> None:
            self.start()
            self.mujoco.mj_step(self.model, self.data, nstep=n)

        return {"mujoco": (calls, n), "mujoco step": (steps, n)}


class Drake:
    """`CalcTimeDerivatives` of a continuous plant per call, the state set anew each time so that nothing is cached."""

    def __init__(self, tree: Tree) -> None:
        from pydrake.math import RigidTransform
        from pydrake.multibody.plant import MultibodyPlant
        from pydrake.multibody.tree import RevoluteJoint, RotationalInertia, SpatialInertia

        self.tree = tree
        plant = self.plant = MultibodyPlant(time_step=0.0)
        plant.mutable_gravity_field().set_gravity_vector(GRAVITY)
        bodies, joints = [], []
        for i, p in enumerate(tree.parent):
            arm = np.zeros(3) if p < 0 else tree.to_centre[i]
            I = tree.inertia[i]
            about = RotationalInertia(I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
            inertia = SpatialInertia.MakeFromCentralInertia(mass=tree.mass[i], p_PScm_E=arm, I_SScm_E=about)
            bodies.append(plant.AddRigidBody(f"b{i}", inertia))
            if p >= 0:
                at = RigidTransform(tree.to_joint[i] + (tree.to_centre[p] if p > 0 else 0.0))
                joint = RevoluteJoint(
                    f"j{i}",
                    plant.AddFrame(_offset_frame(bodies[p], at, f"f{i}")),
                    bodies[i].body_frame(),
                    tree.axis[i],
                )
                joints.append(plant.AddJoint(joint))
        plant.Finalize()
        self.context = plant.CreateDefaultContext()
        for joint, (c0, c1, _) in zip(joints, tree.motion[1:]):
            joint.set_angle(self.context, c0)
            joint.set_angular_rate(self.context, c1)
        base = bodies[0]
        first = base.floating_velocities_start_in_v()
        v = plant.GetVelocities(self.context).copy()
        v[first : first + 3], v[first + 3 : first + 6] = tree.w, tree.v
        plant.SetVelocities(self.context, v)
        self.base, self.rates = first, [joint.velocity_start() for joint in joints]
        self.state = self.context.get_continuous_state_vector().CopyToVector()
        self.derivatives = plant.AllocateTimeDerivatives()

    def accelerations(self) -> Array:
        self.plant.CalcTimeDerivatives(self.context, self.derivatives)
        dv = self.derivatives.get_generalized_velocity().CopyToVector()
        b = self.base
        return np.concatenate([dv[b + 3 : b + 6], dv[b : b + 3], dv[self.rates]])

    def timed(self, n: int) -> Timed:
        set_state, derive = self.context.SetContinuousState, self.plant.CalcTimeDerivatives

        def calls() -> None:
            for _ in range(n):
                set_state(self.state)
                derive(self.context, self.derivatives)

        return {"drake": (calls, n)}


def _offset_frame(body: Any, place: Any, name: str) -> Any:
    from pydrake.multibody.tree import FixedOffsetFrame

    return FixedOffsetFrame(name, body.body_frame(), place)


PEERS: dict[str, tuple[str, Callable[[Tree], Any], int]] = {  # module to import, class, largest number of bodies
    "Pinocchio": ("pinocchio", Pinocchio, LARGEST_PINOCCHIO),
    "MuJoCo": ("mujoco", Mujoco, 1000),
    "Drake": ("pydrake", Drake, 1000),
}
