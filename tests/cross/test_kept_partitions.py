"""A partition that is kept while it serves gives the motion of one chosen at every step."""

import numpy as np

import fairlead as fl
from fairlead.running.simulation import Simulation
from support.mechanism_models import andrews, example


def test_kept_partitions_lose_no_accuracy():
    """Against dop853 the error of both is RK4's own, within a factor of two: where U^-1 V grows by 5 % a new partition
    is chosen, so what differs is the error constant alone. The slider-crank passes its dead points."""
    for model, duration, dt in ((andrews(-0.062), 0.02, 1e-4), (example("slider_crank_dynamic"), 0.5, 1e-3)):
        last = {"formulation": "constrained", "output_every": round(duration / dt)}
        exact = fl.simulate(model, duration, dt, integrator="dop853", rtol=1e-11, atol=1e-12, **last).isel(time=-1)
        errors = []
        for closing in ("partition", "partition-every-step"):
            data = fl.simulate(model, duration, dt, closing=closing, **last).isel(time=-1)
            errors.append(float(np.abs(data["velocity"] - exact["velocity"]).max()))
        assert errors[0] < 2 * errors[1] + 1e-12, (model.name, errors)


def test_a_resumed_run_takes_the_same_partitions():
    """Chunks start with a new partition: a run restored from the end of one goes on to the same bits."""
    options = {"formulation": "constrained", "closing": "partition", "output_every": 256}
    whole, half = (Simulation(example("four_bar"), 1.024, 0.001, **options) for _ in range(2))
    whole.advance(), whole.advance(), whole.advance()
    half.advance(), half.advance()
    again = Simulation(example("four_bar"), 1.024, 0.001, **options)
    again.restore(half.state())
    again.advance()
    assert whole.y.tobytes() == again.y.tobytes()
