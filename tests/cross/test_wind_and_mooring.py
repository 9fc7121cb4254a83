"""Lines, rotor and driven yaw give the same motion in every formulation that can run them."""

import numpy as np

import fairlead as fl


def turbine():
    """A floating turbine without added mass (which 'constrained' does not take), whose nacelle yaws at once."""
    bodies = {
        "hull": fl.Body(7.7e6, (8.6e9, 8.6e9, 1.6e8), position=(0, 0, -85), velocity=(0.5, 0.2, 0)),
        "nacelle": fl.Body(3.5e5, (4.4e7, 2.6e7, 2.5e7), position=(-0.4, 0, 89.6)),
    }
    yaw = fl.Revolute("hull", "nacelle", (0, 0, 87.6), (0, 0, 1), motion=fl.Controlled("follow"))
    water = {"stiffness": [0, 0, 332941, -5e9, -5e9, 9.8e7], "preload": [0, 0, 8.07e7, 0, 0, 0]}
    loads = {
        "water": fl.Matrix("hull", (0, 0, 0), **water),
        "rotor": fl.RotorThrust("nacelle", (-5, 0, 90), (1, 0, -0.087), 63.0, fl.Curve([0, 17, 30], [0.8, 0.2, 0.03])),
    }
    for number, angle in enumerate(np.radians([0, 120, 240])):
        c, s = float(np.cos(angle)), float(np.sin(angle))
        point, anchor = (5.2 * c, 5.2 * s, -70.0), (853.87 * c, 853.87 * s, -320.0)
        loads[f"line {number}"] = fl.Catenary("hull", point, anchor, 902.2, 3.84243e8, 698.094)
    wind = fl.KaimalWind(15.0, "B", 3, duration=30, exponent=0.14, changes=(fl.DirectionChange(2.33, "20 deg"),))
    return fl.Model(
        "turbine",
        bodies,
        {"yaw": yaw},
        loads,
        environment=fl.Environment(wind=wind),
        controllers={"follow": fl.YawFollow(lag=3.0, rate="2 deg/s", acceleration_time=1.5)},
    )


def test_cloud_and_constrained_agree():
    cloud, constrained = (fl.simulate(turbine(), 20.0, 0.05, formulation=name) for name in ("cloud", "constrained"))
    # The same loads and an integrator of the same order on other unknowns: what rk4 leaves on periods beyond 5 s,
    # and the constraint's projection, of motions of metres and forces of meganewtons.
    np.testing.assert_allclose(constrained.position, cloud.position, atol=1e-7)
    np.testing.assert_allclose(constrained.joint_position, cloud.joint_position, atol=1e-9)
    np.testing.assert_allclose(constrained.thrust.sel(load="rotor"), cloud.thrust.sel(load="rotor"), rtol=1e-7)
    np.testing.assert_allclose(constrained.tension, cloud.tension, rtol=1e-7)
    assert float(cloud.joint_position[-1, 0]) > np.radians(19.9)
