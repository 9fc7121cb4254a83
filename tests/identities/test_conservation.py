"""Ten minutes of free flight: momentum stays, energy is what the drivers put in, and looking changes nothing."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import fairlead as fl

FREE_TURBINE = Path(__file__).parents[2] / "examples" / "six_body_free.yaml"
STATE = ("position", "velocity", "angular_velocity", "kinetic_energy", "driver_work", "external_impulse")


@pytest.fixture(scope="module")
def flight():
    """Tower, nacelle, hub and three blades, all joints driven, nothing from outside: 600 s of 0.02 s."""
    return fl.simulate(fl.load(FREE_TURBINE), 600, 0.02, output_every=1)


def recomputed(data):
    """Momentum and angular momentum about the mass centre from the motion alone, as a reader of the results would."""
    m, x, v = data.mass.values, data.position.values, data.velocity.values
    R = Rotation.from_quat(data.orientation.values.reshape(-1, 4), scalar_first=True).as_matrix()
    R = R.reshape(*data.orientation.shape[:2], 3, 3)
    inner = np.einsum("bij,tbj->tbi", data.inertia.values, data.angular_velocity.values) + data.wheel_momentum.values
    centre, drift = (np.einsum("b,tbi->ti", m, part)[:, None] / m.sum() for part in (x, v))
    orbital = np.einsum("b,tbi->tbi", m, np.cross(x - centre, v - drift))
    return np.einsum("b,tbi->ti", m, v), (np.einsum("tbij,tbj->tbi", R, inner) + orbital).sum(axis=1)


def test_momentum_stays(flight):
    """Without external forces both momenta are constant. The tower moves slowly and the rates of the joints are exact,

    so 30 000 steps of rk4 leave rounding (4e-14 was seen); 1e-10 is far below what any wrong term would give.
    """
    P, H = recomputed(flight)
    largest = np.einsum("b,tbi->tb", flight.mass.values, np.abs(flight.velocity.values)).sum(axis=1).max()
    assert np.abs(P - P[0]).max() < 1e-10 * largest
    assert np.abs(H - H[0]).max() < 1e-10 * np.linalg.norm(H[0])
    # The formulation's own account is the same one.
    np.testing.assert_allclose(flight.angular_momentum, H, atol=1e-11 * np.linalg.norm(H[0]))
    np.testing.assert_allclose(flight.external_impulse, 0.0, atol=1e-9 * largest)


def test_energy_is_what_the_drivers_put_in(flight):
    """Kinetic energy changes by the work of the drivers, integrated with the state's own tableau."""
    work = flight.driver_work.values
    assert np.abs(work).max() > 0  # they do exchange energy
    exchanged = np.abs(np.diff(work, axis=0)).sum()
    gained = flight.kinetic_energy.values - flight.kinetic_energy.values[0]
    assert np.abs(gained - work.sum(axis=1)).max() < 1e-10 * exchanged  # seen: 5e-14


def test_observation_does_not_change_the_motion(flight):
    """A record is a look at the state; the states between are the same bits whether they are recorded or not."""
    seldom = fl.simulate(fl.load(FREE_TURBINE), 600, 0.02, output_every=100)
    often = flight.isel(time=slice(None, None, 100))
    for name in ("time", *STATE):
        np.testing.assert_array_equal(seldom[name], often[name], err_msg=name)
    # A quaternion and its negative are one attitude, and the sign is made continuous from record to record.
    q, p = seldom.orientation.values, often.orientation.values
    assert ((q == p).all(axis=-1) | (q == -p).all(axis=-1)).all()


PROGRAM = """
import sys, hashlib, fairlead as fl
model = fl.load(sys.argv[1])
data = fl.simulate(model, 20, 0.02, integrator=sys.argv[2], progress=False)
digest = hashlib.sha256()
for name in sorted(data.data_vars):
    digest.update(data[name].values.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.parametrize("integrator", ["rk4", pytest.param("dop853", marks=pytest.mark.slow)])
def test_fresh_processes_give_the_same_bytes(integrator):
    """No clock, address, thread or hash seed enters a result: two processes and this one agree to the bit."""
    command = [sys.executable, "-c", PROGRAM, str(FREE_TURBINE), integrator]
    runs = [subprocess.run(command, capture_output=True, text=True) for _ in range(2)]
    assert [run.returncode for run in runs] == [0, 0], runs[0].stderr + runs[1].stderr
    answers = {run.stdout.strip() for run in runs}
    here = hashlib.sha256()
    data = fl.simulate(fl.load(FREE_TURBINE), 20, 0.02, integrator=integrator)
    for name in sorted(data.data_vars):
        here.update(data[name].values.tobytes())
    assert answers == {here.hexdigest()}
