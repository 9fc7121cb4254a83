"""Every kind of load can be cut and added again: its rows stay, and nothing fills them in between."""

import numpy as np
import pytest

import fairlead as fl
from generated.load_examples import EXAMPLES, example

KINDS = [kind for kind in EXAMPLES if kind != "moordyn"]  # which refuses events, as tests of their words hold


@pytest.mark.parametrize("kind", KINDS)
def test_a_load_is_gone_between_its_cut_and_its_return(kind):
    plain = example(kind)
    events = {"cut": fl.Event(at=0.333, cut="load"), "back": fl.Event(at=0.7, add="load")}
    there, cut = (fl.simulate(model, 1.0, 0.01) for model in (plain, plain.with_({"events": events})))
    grid = cut.sel(time=there.time)
    early = slice(0, 0.33)
    for name in ("position", "velocity", "load_force", "load_moment", "load_work"):
        np.testing.assert_array_equal(grid.sel(time=early)[name], there.sel(time=early)[name])
    gone = cut.sel(time=slice(0.333, 0.699))
    assert there.load_force.values.any() or there.load_moment.values.any(), f"load type '{kind}' does nothing"
    left = gone.load_force.values.any() or gone.load_moment.values.any() or np.ptp(gone.load_work.values, axis=0).any()
    assert not left, f"load type '{kind}' acts on though it is cut: something fills its row without its record"
    for name in plain.loads["load"].outputs:
        assert not gone[name].values.any(), f"load type '{kind}' records {name} though it is cut"
    back = cut.sel(time=slice(0.7, None))
    works = np.ptp(back.load_work.values, axis=0).max() > 0.0
    assert works, f"load type '{kind}' does not come back when it is added again"
    assert fl.audit(cut).passed, f"load type '{kind}': {fl.audit(cut).table()}"
