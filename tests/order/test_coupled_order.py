"""Coupled against computed at once: the truncated turbine with its hydrodynamics and its thrust as partners.

The difference falls with the first power of the exchange step where loads are held and with the second with a line
through the last two or with predictor and corrector: Taylor's theorem for what the held load leaves out. 0.15 is what
the terms of the next order make at steps of up to 0.4 s.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.partners.loads_of import LoadsOf

ROOT = Path(__file__).parents[2]
STEPS, DURATION, EVERY = (0.4, 0.2, 0.1, 0.05), 12.0, 0.4
HULL = {"sections": ((-84.4, 9.4), (-12, 9.4), (-4, 6.5), (10, 6.5))}
# Morison's equation is linear in its coefficients: the body's own added mass stays with the run, as it must.
HYDRO = fl.Morison(body="tower", **HULL, ca=0.0, cm=2.0, cd=0.6)
ADDED = fl.Morison(body="tower", **HULL, ca=1.0, cm=0.0, cd=0.0)
THRUST = fl.RotorThrust(body="rotor", point=(-5, 0, 90), axis=(1, 0, 0), radius=63, ct=0.15)
PARTS = {"S": ("water", "tower", "hydro", HYDRO), "A": ("air", "rotor", "thrust", THRUST)}


@cache
def parts() -> fl.Model:
    """Return the turbine without what partners compute, in a regular wave and steady wind, which are smooth."""
    changes = {
        "environment.waves": {"type": "regular-wave", "height": 5, "period": 10},
        "environment.wind": {"type": "steady", "speed": 18.2, "height": 90, "exponent": 0.14},
        "controllers": {},
        "joints.yaw.motion": None,
        "joints.yaw.locked": True,
        "loads.waves and drag": ADDED,
        "loads.thrust": None,
    }
    return fl.load(ROOT / "models" / "truncated_spar.yaml").with_(changes)


def turbine(which: str, **words) -> fl.Model:
    """Return the turbine with the hydrodynamics (S), the thrust (A) or both as partners, the rest as its loads."""
    base = parts()
    own = {load: word for key, (_, _, load, word) in PARTS.items() if key not in which}
    partners = {PARTS[key][0]: fl.Partner(body=PARTS[key][1], transport="in-process", **words) for key in which}
    fields = {name: getattr(base, name) for name in ("bodies", "joints", "gravity", "environment")}
    return fl.Model(base.name, loads={**base.loads, **own}, partners=partners, **fields)


@cache
def at_once():
    data = fl.simulate(turbine(""), DURATION, 0.0125, output_every=round(EVERY / 0.0125), progress=False)
    return data["position"].sel(body="tower").values


def difference(which: str, dt: float, **words) -> float:
    """Return the largest difference of the tower's place from that of the run at once [m]."""
    programs = {PARTS[key][0]: LoadsOf(turbine(""), PARTS[key][1], [PARTS[key][2]]) for key in which}
    options = {"programs": programs, "progress": False, "output_every": round(EVERY / dt)}
    data = fl.couple(turbine(which, **words), DURATION, dt, **options)
    return float(np.abs(data["position"].sel(body="tower").values - at_once()).max())


SCHEMES = {"held": ({}, 1), "line": ({"extrapolation": 1}, 2), "predictor and corrector": ({"exchanges": 2}, 2)}


def falls(which: str, scheme: str) -> float:
    """Assert the order of a scheme and return the difference at the smallest step as a share of the motion."""
    words, order = SCHEMES[scheme]
    found = [difference(which, dt, **words) for dt in STEPS]
    fitted = float(np.polyfit(np.log(STEPS), np.log(found), 1)[0])
    assert abs(fitted - order) < 0.15, (found, fitted)
    return found[-1] / float(np.abs(at_once() - at_once()[0]).max())


@pytest.mark.parametrize("scheme", SCHEMES)
def test_both_partners(scheme: str):
    share = falls("SA", scheme)
    if scheme == "predictor and corrector":  # at the step of the model file, 0.05 s
        assert share < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("which", ["S", "A"])
def test_one_partner(which: str, scheme: str):
    falls(which, scheme)


def test_held_over_every_step_is_a_function_in_this_process_to_the_bit():
    def force(t, velocity):
        return [0.0, 0.0, -300.0 * velocity[2] * abs(velocity[2]) - 100.0 * velocity[2] + 50.0 * np.sin(t), 0, 0, 0]

    bodies = {"box": fl.Body(1000.0, (100, 100, 100))}
    loads = {"spring": fl.Spring("box", (0, 0, 0), (0, 0, 5.0), stiffness=3000.0, length=1.5)}
    partners = {"water": fl.Partner(body="box", transport="in-process")}
    coupled = fl.Model("box", bodies, {}, loads, partners=partners)
    # Symplectic Euler asks at the start of each step, which is what a partner answers for. Rk4 asks in its middle and
    # at its end as well, where its function gives what it gave at the start: a new step begins when a time comes again.
    last: dict[str, object] = {"t": -1.0}

    def held(t, motion):
        if "load" not in last or abs(t - last["t"]) < 1e-9:
            at_middle = round(t / 0.025) % 2
            last["load"] = last["load"] if at_middle else force(t, motion["box"][2])
        last["t"] = t
        return last["load"]

    functions = {"symplectic-euler": lambda t, motion: force(t, motion["box"][2]), "rk4": held}
    for method, function in functions.items():
        at_once = fl.Model("box", bodies, {}, {**loads, "water": fl.Force("box", function=function)})
        options = {"integrator": method, "progress": False}
        one = fl.couple(coupled, 3.0, 0.05, programs={"water": lambda t, m: force(t, m.velocity)}, **options)
        other = fl.simulate(at_once, 3.0, 0.05, **options)
        for name in ("position", "velocity", "orientation", "load_force"):
            assert one[name].values.tobytes() == other[name].values.tobytes(), (method, name)


def test_the_symplectic_predictor_and_corrector_is_of_second_order():
    """One body on a spring with quadratic damping; the reference is rk4 of a tenth of the step."""
    bodies = {"box": fl.Body(1000.0, (100, 100, 100))}
    loads = {"spring": fl.Spring("box", (0, 0, 0), (0, 0, 5.0), stiffness=3000.0, length=1.5)}
    model = fl.Model("box", bodies, {}, loads, partners={"w": fl.Partner("box", transport="in-process", exchanges=2)})

    def force(t, motion):
        v = motion.velocity[2]
        return [0.0, 0.0, -300.0 * v * abs(v) + 50.0 * np.sin(t), 0.0, 0.0, 0.0]

    def end(dt: float, method: str) -> float:
        data = fl.couple(model, 4.0, dt, programs={"w": force}, integrator=method, progress=False)
        return float(data["position"][-1, 0, 2])

    reference, steps = end(0.005, "rk4"), (0.2, 0.1, 0.05, 0.025)
    found = [abs(end(dt, "symplectic-euler") - reference) for dt in steps]
    assert abs(np.polyfit(np.log(steps), np.log(found), 1)[0] - 2) < 0.15


def test_iteration_closes_the_energy_of_the_interface():
    bodies = {"box": fl.Body(1000.0, (100, 100, 100))}
    loads = {"spring": fl.Spring("box", (0, 0, 0), (0, 0, 5.0), stiffness=3000.0, length=1.5)}

    def created(**words) -> float:
        partners = {"w": fl.Partner("box", transport="in-process", **words)}
        model = fl.Model("box", bodies, {}, loads, partners=partners)
        data = fl.couple(model, 4.0, 0.05, programs={"w": lambda t, m: [0, 0, -400.0 * m.velocity[2], 0, 0, 0]})
        titles = {check.name: check for check in fl.audit(data).checks}
        assert fl.audit(data).passed and titles["exchange with 'w' is the one reported"].value < 1e-12
        assert ("energy of the interface of 'w' closes" in titles) == ("iterate" in words)
        data["exchange_force"][3] *= 1.001  # what is not as it was is found
        assert not fl.audit(data).passed
        energy = np.abs(data["exchange_interface_energy"].values).max()
        return float(energy / np.abs(np.diff(data["exchange_partner_work"].values)).sum())

    assert created(iterate=fl.Iterate(tolerance=1e-12)) < 1e-9
    assert 1e-3 < created() < 0.2  # held loads: of the order of the step over the period


HEAVY = 1.5  # times the mass of the body


def heavy(**words):
    """Return the run of a body in a fluid whose added mass is 1.5 times its own, which takes steps by differences."""

    class Fluid(fl.PartnerProgram):
        last = (0.0, 0.0)

        def load(self, t, motion):
            t0, v0 = self.last
            v = motion.velocity[2]
            force = -HEAVY * 1000.0 * (v - v0) / (t - t0) if t > t0 else 0.0
            self.last = (t, v)
            return [0.0, 0.0, force, 0.0, 0.0, 0.0]

        def save(self):
            return np.array(self.last).tobytes()

        def restore(self, state):
            self.last = tuple(np.frombuffer(state))

    bodies = {"box": fl.Body(1000.0, (100, 100, 100), position=(0, 0, -0.1))}
    spring = {"spring": fl.Spring("box", (0, 0, -0.1), (0, 0, 5.0), stiffness=3000.0, length=1.5)}
    partners = {"water": fl.Partner("box", transport="in-process", **words)}
    model = fl.Model("box", bodies, {}, spring, partners=partners)
    return fl.couple(model, 4.0, 0.01, programs={"water": Fluid()}, progress=False)


def test_too_heavy_a_fluid_is_found_out_and_cured():
    with pytest.raises(fl.NumericalFailure, match="turn round and grow") as failed:
        heavy()
    assert "added_mass" in str(failed.value) and "iterate" in str(failed.value)
    assert float(str(failed.value).split("at t = ")[1].split(" s")[0]) <= 20 * 0.01
    # Closed form: a body of 2.5 times the mass on the spring, from where it is drawn; g - k (z0 - rest) drives it.
    for words in ({"iterate": fl.Iterate()}, {"added_mass": (1500, 1500, 1500, 0, 0, 0)}):
        data = heavy(**words)
        z = data["position"].values[:, 0, 2]
        rest = 5.0 - 1.5 - 1000.0 * 9.80665 / 3000.0
        exact = rest + (-0.1 - rest) * np.cos(np.sqrt(3000.0 / 2500.0) * data["time"].values)
        # The fluid's own differences are of first order: half a step of the swing.
        assert np.abs(z - exact).max() < 0.02 * np.abs(exact - exact[0]).max(), words
