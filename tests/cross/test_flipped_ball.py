"""A free ball whose joint's child is inboard, turned away from the drawing: its axes stay fixed in that child."""

import numpy as np

import fairlead as fl


def test_accelerations_equal_constrained():
    """The witness has no tree and so no inboard body; both solve the same few equations, hence 1e-12 of the largest."""
    model = fl.Model(
        name="flipped ball",
        bodies={
            "a": fl.Body(mass=2, inertia=(1, 2, 2.5), position=(0.5, 0, 0), angular_velocity=(0.3, 0.1, 0.2)),
            "b": fl.Body(mass=1, inertia=(0.3, 0.2, 0.4), position=(1.5, 0.2, 0.3)),
        },
        joints={
            "ball": fl.Spherical(
                parent="b",
                child="a",
                point=(1, 0, 0.1),
                initial={"a": 0.5, "b": -0.4, "c": 0.8},
                rate={"a": 0.3, "b": -0.5, "c": 1.0},
                damper={"a": 0.2, "b": 0.3, "c": 0.1},
            )
        },
        base="a",
    )
    ours, witness = (fl.accelerations(model, formulation=name) for name in ("articulated", "constrained"))
    for name in ("acceleration", "angular_acceleration", "joint_acceleration", "joint_force", "joint_moment"):
        scale = np.abs(witness[name].values).max()
        np.testing.assert_allclose(ours[name], witness[name], rtol=0, atol=1e-12 * max(scale, 1.0), err_msg=name)
