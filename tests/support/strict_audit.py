"""The audit of the floating turbines, stricter than by default."""

from __future__ import annotations

import xarray as xr

import fairlead as fl


def assert_strict(run: xr.Dataset) -> None:
    """Assert that a run passes its audit with what RK4 at 0.05 s leaves of each deviation."""
    found = fl.audit(run)
    assert found.passed, found.table()
    value = {check.name: check.value for check in found.checks}
    # At an instant only rounding is left. Impulse and work are integrated with the motion by the same tableau: linear
    # impulse is the momentum's own equation, the others are as good as the integrator (RK4 at 0.05 s).
    assert value["sum m a is the external force"] < 1e-12
    assert value["rate of angular momentum is the external moment"] < 1e-12
    assert value["momentum changes by the reported impulse"] < 1e-8
    assert value["angular momentum changes by the reported impulse"] < 1e-8
    assert value["energy changes by the recorded work"] < 1e-6
