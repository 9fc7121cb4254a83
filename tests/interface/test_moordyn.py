"""MoorDyn lines: their file, their stable step, and the way they are advanced, by a stand-in for the library.

The stand-in answers as MoorDyn's Python module does (Create, Init, Step, Serialize ...): springs at the coupled points
whose force follows with a lag, so that it has a state of its own. It prints, as the library does.
"""

import os
import struct
import sys
import types

import numpy as np
import pytest

import fairlead as fl
from fairlead.model.loads.moordyn_file import read_moordyn
from fairlead.running.steppers.tableaux import ADAPTIVE

FILE = """--------------------- MoorDyn Input File ------------------------------------
OC3-Hywind lines as in the OpenFAST r-test
---------------------- LINE TYPES -------------------------------------------
Name  Diam   MassDen  EA         BA/-zeta  EI   Cd   Ca   CdAx  CaAx
(-)   (m)    (kg/m)   (N)        (N-s/-)   (-)  (-)  (-)  (-)   (-)
main  0.09   77.7066  384.243E6  -0.8      0    1.6  1.0  0.1   0.0
---------------------- POINTS ------------------------------------------------
ID  Attachment  X        Y        Z     M  V  CdA  CA
(#) (word)      (m)      (m)      (m)   (kg) (m^3) (m^2) (-)
1   Fixed       853.87   0.0      -320  0  0  0  0
2   Vessel      5.2      0.0      -70   0  0  0  0
3   Fixed       -426.935 739.473  -320  0  0  0  0
4   Vessel      -2.6     4.503    -70   0  0  0  0
---------------------- LINES -------------------------------------------------
ID  LineType  AttachA  AttachB  UnstrLen  NumSegs  Outputs
(#) (name)    (#)      (#)      (m)       (-)      (-)
1   main      1        2        902.2     20       -
2   main      3        4        902.2     20       -
---------------------- OPTIONS -----------------------------------------------
0.005  dtM       time step
3.0e6  kbot      bottom stiffness
3.0e5  cbot      bottom damping
rk4    tScheme   time scheme
------------------------- need this line -------------------------------------
"""
STIFF, LAG = 4e4, 2.0


def tolerances(integrator):
    """Tolerances where they count: a fixed step refuses them."""
    return {"rtol": 1e-10, "atol": 1e-10} if integrator in ADAPTIVE else {}


class Springs:
    """Springs to where the points were at first; the force moves towards -k (x - x0) with a lag."""

    def __init__(self, path):
        self.points = len(read_moordyn(path).points)
        self.x0 = self.f = None


def stand_in():
    module = types.ModuleType("moordyn")
    module.LEVEL_NONE, module.made = 4096, []

    def create(path):
        os.write(1, b"MoorDyn says hello\n")
        module.made.append(Springs(path))
        return module.made[-1]

    def init(system, x, v):
        system.x0, system.f = np.array(x), np.zeros(len(x))
        return 0

    def step(system, x, v, t, dt):
        os.write(1, b"a line per step\n")
        target = -STIFF * (np.array(x) + dt * np.array(v) - system.x0)
        system.f = target + (system.f - target) * np.exp(-dt / LAG)
        return system.f.tolist()

    module.Create, module.Init, module.Init_NoIC, module.Step = create, init, init, step
    module.NCoupledDOF = lambda system: 3 * system.points
    module.SetVerbosity = lambda system, level: 0
    module.SetDt = lambda system, dt: setattr(system, "dt", dt)
    module.Close = lambda system: 0
    module.Serialize = lambda system: np.concatenate([system.x0, system.f]).tobytes() + struct.pack("<b", 7)
    module.Deserialize = lambda system, data: (
        setattr(system, "x0", np.frombuffer(data[:-1])[: 3 * system.points].copy()),
        setattr(system, "f", np.frombuffer(data[:-1])[3 * system.points :].copy()),
    )
    return module


@pytest.fixture
def lines(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "moordyn", stand_in())
    path = tmp_path / "lines.txt"
    path.write_text(FILE)
    return path


def moored(path):
    hull = fl.Body(8e6, (4e9, 4e9, 1.6e8), position=(0, 0, -78), velocity=(1.0, 0.3, 0))
    return fl.Model("moored", {"hull": hull}, loads={"lines": fl.MoorDyn("hull", str(path))}, gravity=(0, 0, 0))


def test_file_and_stable_step(lines):
    """OC3's lines of 20 segments, RK4: seen to fail at 0.01 s and to run at 0.005 s; the bed's damping decides."""
    about = read_moordyn(str(lines))
    assert about.points == {2: (5.2, 0.0, -70.0), 4: (-2.6, 4.503, -70.0)}
    assert about.dt == 0.005 and about.scheme == "rk4"
    assert 0.005 < about.stable < 0.01
    lines.write_text(FILE.replace("3.0e5  cbot", "0.0    cbot").replace("3.0e6  kbot", "0.0    kbot"))
    # Without the bed the axial waves: |s| = 2 sqrt(EA / m) / l, damped below critical.
    rate = 2 * np.sqrt(384.243e6 / 77.7066) / (902.2 / 20)
    assert read_moordyn(str(lines)).stable == pytest.approx(2.7 / rate, rel=1e-12)


def test_a_file_without_a_step_gets_half_the_stable_one(lines):
    lines.write_text(FILE.replace("0.005  dtM       time step\n", ""))
    about = read_moordyn(str(lines))
    assert about.dt is None and about.step == about.stable / 2
    data = fl.simulate(moored(lines), 0.2, 0.1)
    assert "dtM 0.00435 s (chosen here), stable below 0.0087 s (rk4)" in data.attrs["partners"]
    assert sys.modules["moordyn"].made[-1].dt == about.step
    lines.write_text(FILE.replace("rk4    tScheme", "beuler5 tScheme"))
    assert "what is stable with beuler5 is not known" in fl.simulate(moored(lines), 0.2, 0.1).attrs["partners"]


def test_tensions_are_channels_one_for_each_line(lines):
    data = fl.simulate(moored(lines), 2.0, 0.1)
    found = fl.channels(data, lines=None)
    for number, label in ((1, "lines@2"), (2, "lines@4")):
        np.testing.assert_array_equal(found[f"line_{number}_tension"], data.tension.sel(load=label))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("1   main      1        2        902.2     20", "1   main      1        2        902.2", "line 17: column 6"),
        ("902.2     20       -\n2", "-902.2    20       -\n2", "line 17: needs a length above zero"),
        ("902.2     20       -\n2", "902.2     -3       -\n2", "line 17: needs a length above zero"),
        ("902.2     20       -\n2", "nan       20       -\n2", "line 17: column 5 must be a number; it is 'nan'"),
        ("main  0.09 ", "main  thin ", "line 6: column 2 must be a number; it is 'thin'"),
        ("main  0.09 ", "main  -0.09", "line 6: diameter, mass and EA of a line type must be above zero"),
        ("  0.1   0.0", "  0.1", "line 6: a line type has 10 columns"),
        ("2   Vessel      5.2 ", "2   Vessel      east", "line 11: column 3 must be a number; it is 'east'"),
        ("0.005  dtM", "0      dtM", "line 20: dtM must be above zero"),
        ("0.005  dtM", "tiny   dtM", "line 20: column 1 must be a number; it is 'tiny'"),
        ("rk4    tScheme", "rk3    tScheme", "line 23: MoorDyn knows no tScheme 'rk3'; use rk4 or rk2"),
    ],
)
def test_wrong_rows_are_told_with_their_line(lines, old, new, said):
    assert old in FILE
    lines.write_text(FILE.replace(old, new, 1))
    with pytest.raises(fl.InvalidInput) as error:
        fl.simulate(moored(lines), 1.0, 0.1)
    assert str(error.value).startswith("loads.lines.file: 'lines.txt' line ")
    assert said in str(error.value) and "\n" not in str(error.value)


def test_runs_silently_and_states_its_step(lines, capfd):
    data = fl.simulate(moored(lines), 5.0, 0.1, progress=False)
    assert capfd.readouterr().out == ""
    assert data.attrs["partners"].startswith(
        "load 'lines' by MoorDyn, advanced once per step from the motion at its start, its forces held over the next "
        "step, dtM 0.005 s, stable below 0.00"
    )
    assert data.attrs["held_loads"] == 1
    # Held over each step: the recorded force is that of the points' places one step before, filtered.
    assert list(data["load"].values) == ["lines@2", "lines@4"]
    force = data.load_force.values
    assert np.all(force[0] == 0) and force[-1, :, 0].max() < -1e4
    np.testing.assert_allclose(data.tension, np.linalg.norm(force, axis=-1), rtol=1e-14)
    energy, work = data.kinetic_energy.values, data.load_work.sum("load").values
    np.testing.assert_allclose(energy - energy[0], work, atol=1e-9 * energy[0])  # rk4 on a force held over a step


def test_forces_follow_the_points(lines):
    """The same springs written by hand, advanced as the partner is, give the same rows."""
    data = fl.simulate(moored(lines), 1.0, 0.1)
    system = sys.modules["moordyn"].made[-1]
    points = np.array(list(read_moordyn(str(lines)).points.values()))
    from scipy.spatial.transform import Rotation

    f = np.zeros_like(points)
    for k in range(11):
        R = Rotation.from_quat(data.orientation[k, 0].values, scalar_first=True)
        arms = R.apply(points - [0, 0, -78])
        x = data.position[k, 0].values + arms
        v = data.velocity[k, 0].values + np.cross(R.apply(data.angular_velocity[k, 0].values), arms)
        np.testing.assert_allclose(data.load_force[k], f, atol=1e-6)
        np.testing.assert_allclose(data.load_moment[k], np.cross(arms, f), atol=1e-4)
        target = -STIFF * (x + 0.1 * v - points)
        f = target + (f - target) * np.exp(-0.1 / LAG)
    assert system.points == 2


def test_a_restart_goes_on_to_the_same_bit(lines):
    from fairlead.running.simulation import Simulation

    first = Simulation(moored(lines), 60.0, 0.1)
    first.advance()
    first.advance()
    state = first.state()
    second = Simulation(moored(lines), 60.0, 0.1)
    second.restore(state)
    rows = [one.advance() for one in (first, second)]
    np.testing.assert_array_equal(*rows)
    assert len(rows[0]) > 20


@pytest.mark.parametrize("integrator", ["rk45", "dop853"])
def test_an_adaptive_run_restarts_between_two_exchanges(lines, integrator):
    """Its steps end where they like: what MoorDyn answered for the end of the present dt belongs to the state."""
    from fairlead.running.simulation import Simulation

    def run():
        return Simulation(moored(lines), 60.0, 5.0, integrator=integrator, **tolerances(integrator))

    first, second = run(), run()
    first.advance()
    for most in (3, 5, 4):
        first.advance(most)
    assert first.time % 5.0 > 0.1  # between two exchanges, which the next line needs to show anything
    second.restore(first.state())
    np.testing.assert_array_equal(first.advance(), second.advance())
    np.testing.assert_array_equal(first.y, second.y)


@pytest.mark.parametrize("integrator", ["symplectic-euler", "rk45", "dop853"])
def test_every_method_advances_the_lines_once_per_dt(lines, integrator, monkeypatch):
    """Forces are held between exchanges, so all methods solve the same equations; a pair never steps over an exchange.

    The exchanges are at every dt whatever steps the method takes: their times are those of rk4 to rounding.
    """
    module = sys.modules["moordyn"]
    asked, step = [], module.Step
    monkeypatch.setattr(module, "Step", lambda s, x, v, t, dt: asked.append((t, t + dt)) or step(s, x, v, t, dt))
    exact = fl.simulate(moored(lines), 7.95, 0.1)
    times, asked[:] = np.array(asked), []
    found = fl.simulate(moored(lines), 7.95, 0.1, integrator=integrator, output_every=7, **tolerances(integrator))
    np.testing.assert_allclose(asked, times, atol=1e-13)
    assert len(times) == 81  # the start, and 80 steps of which the last is shorter
    at = exact.sel(time=found.time, method="nearest")
    # Symplectic Euler leaves (dt / 2) v' of the velocity; the others are exact but for the attitude's slow turning.
    size = np.abs(exact.acceleration).max().item() if integrator == "symplectic-euler" else 1e-8
    np.testing.assert_allclose(found.velocity, at.velocity, atol=0.1 * size)
    np.testing.assert_allclose(found.load_force, at.load_force, atol=STIFF * size)


def test_mistakes_are_told(lines, monkeypatch):
    lines.write_text(FILE.replace("0.005  dtM", "0.01   dtM"))
    with pytest.raises(
        fl.InvalidInput, match=r"loads.lines.file: dtM 0.01 s is beyond the stable step of its lines, 0.008"
    ):
        fl.simulate(moored(lines), 1.0, 0.1)
    lines.write_text(FILE.replace("Vessel", "Fixed "))
    with pytest.raises(fl.InvalidInput, match="no coupled point"):
        fl.simulate(moored(lines), 1.0, 0.1)
    lines.write_text(FILE)
    with pytest.raises(fl.InvalidInput, match="takes no Python functions and no other programs"):
        fl.simulate(moored(lines), 1.0, 0.1, formulation="constrained", integrator="generalised-alpha")
    lines.unlink()
    with pytest.raises(fl.InvalidInput, match="cannot read"):
        fl.simulate(moored(lines), 1.0, 0.1)
    lines.write_text(FILE)
    monkeypatch.setitem(sys.modules, "moordyn", None)
    with pytest.raises(fl.InvalidInput, match=r"not installed; install it with: pip install 'fairlead\[moordyn\]'"):
        fl.simulate(moored(lines), 1.0, 0.1)
