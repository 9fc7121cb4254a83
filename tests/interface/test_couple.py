"""`fairlead couple`: partners in Python, C and Fortran, joined and refused, their numbers and their states."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.running.partners import protocol
from fairlead.running.partners.protocol import HEADER, Kind, Message, ProtocolError, pack, unpack

INCLUDE = Path(protocol.__file__).parent / "include"
MODEL = """
fairlead: 1
name: floating box
bodies:
  box: {mass: 1000, inertia: [100, 100, 100]}
loads:
  spring: {type: spring, body: box, point: [0, 0, 0], anchor: [0, 0, 5], stiffness: 3000, length: 1.5}
partners:
  water: {command: COMMAND, body: box, limits: {start: 60 s, answer: 10 s, stop: 5 s}}
run: {duration: 0.5 s, dt: 0.01 s}
"""
PYTHON = """
import math, struct, sys
import fairlead as fl

class Water(fl.PartnerProgram):
    asked = 0

    def load(self, t, motion):
        self.asked += 1
        v = motion.velocity[2]
        return [0, 0, -300 * v * abs(v) + 50 * math.sin(t) + 1e-3 * self.asked, 0, 0, 0]

    def save(self):
        return struct.pack("<q", self.asked)

    def restore(self, state):
        (self.asked,) = struct.unpack("<q", state)

sys.exit(Water().run())
"""
C = """
#include "fairlead_partner.h"
#include <math.h>
static int64_t asked;
static int load(double t, const double *motion, int n, double step, int flags, double out[6], void *mine) {
    double v = motion[9];
    (void)n; (void)step; (void)flags; (void)mine;
    asked++;
    memset(out, 0, 6 * sizeof *out);
    out[2] = -300 * v * fabs(v) + 50 * sin(t) + 1e-3 * (double)asked;
    return 0;
}
int main(void) {
    struct fl_partner me = {.name = "water", .step = "small", .answers = "start", .load = load};
    me.state = &asked;
    me.size = sizeof asked;
    return fl_serve(&me);
}
"""
FORTRAN = """
module water
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int64_t), target :: asked = 0
contains
  integer(c_int) function load(t, motion, n, step, flags, out, mine) bind(c)
    real(c_double), value :: t, step
    integer(c_int), value :: n, flags
    real(c_double), intent(in) :: motion(*)
    real(c_double), intent(out) :: out(6)
    type(c_ptr), value :: mine
    asked = asked + 1
    out = 0
    out(3) = -300 * motion(10) * abs(motion(10)) + 50 * sin(t) + 1d-3 * real(asked, c_double)
    load = 0
  end function
end module
program main
  use fairlead_partner
  use water
  use, intrinsic :: iso_c_binding
  integer :: code
  code = serve("water", "small", "start", 0d0, c_funloc(load), c_loc(asked), 8_c_size_t)
  if (code /= 0) stop 7
end program
"""


@pytest.fixture
def case(tmp_path: Path):
    """Give a function that writes the model with a command and returns its path."""

    def write(command: str) -> Path:
        path = tmp_path / "box.yaml"
        path.write_text(MODEL.replace("COMMAND", command))
        (tmp_path / "water.py").write_text(PYTHON)
        return path

    return write


def coupled(path: Path, name: str):
    return fl.couple(fl.load(path), out=path.with_name(name), folder=path.parent, progress=False)


def test_partners_in_c_and_python_give_the_same_bits(case, tmp_path: Path):
    python = coupled(case("[python, water.py]"), "python.run")
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("NO C COMPILER: the partner in C was not tried")
    (tmp_path / "water.c").write_text(C)
    words = ["-O1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", f"-I{INCLUDE}", "water.c", "-o", "water", "-lm"]
    subprocess.run([compiler, *words], cwd=tmp_path, check=True)
    c = coupled(case("[./water]"), "c.run")
    for name in ("position", "velocity", "exchange_force"):
        assert python[name].values.tobytes() == c[name].values.tobytes(), name
    # The state of both is eight bytes behind the time, so their checkpoints are the same files.
    kept = {where: sorted(tmp_path.glob(f"{where}.run.partners/water.checkpoint.*")) for where in ("python", "c")}
    assert kept["python"][-1].read_bytes() == kept["c"][-1].read_bytes()


def test_a_partner_in_fortran_gives_the_same_motion(case, tmp_path: Path):
    compiler = shutil.which("gfortran")
    if compiler is None:
        pytest.skip("NO FORTRAN COMPILER (gfortran): the partner in Fortran was not tried")
    (tmp_path / "water.f90").write_text(FORTRAN)
    sources = [str(INCLUDE / "fairlead_partner.c"), str(INCLUDE / "fairlead_partner.f90"), "water.f90"]
    subprocess.run([compiler, f"-I{INCLUDE}", *sources, "-o", "water"], cwd=tmp_path, check=True)
    fortran, python = coupled(case("[./water]"), "f.run"), coupled(case("[python, water.py]"), "python.run")
    assert np.abs(fortran["position"].values - python["position"].values).max() < 1e-12


def test_the_command_runs_and_goes_on(case, fairlead, tmp_path: Path):
    path = case("[python, water.py]")
    refused = fairlead("run", str(path))
    assert refused.returncode == 3 and "fairlead couple" in refused.stderr
    done = fairlead("couple", str(path))
    assert done.returncode == 0 and "51 instants" in done.stdout and "coupling created" in done.stdout
    again = fairlead("couple", str(path), "box.run")
    assert again.returncode == 0 and "complete already" in again.stderr
    picture = fairlead("plot", "box.run", "interface_energy", "--out", "energy.png")
    assert picture.returncode == 0 and (tmp_path / "energy.png").stat().st_size > 5000
    assert fairlead("check", str(path)).returncode == 0


def test_what_cannot_be_started_is_said_before_anything_is(case, fairlead):
    missing = fairlead("couple", str(case("[./no-such-program]")))
    assert missing.returncode == 3 and "'./no-such-program' is not found" in missing.stderr
    text = fairlead("couple", str(case("water.py --fast")))
    assert text.returncode == 3 and "[water.py, --fast]" in text.stderr
    early = fairlead("couple", str(case("[python, -c, 'import sys; sys.exit(\"no grid\")']")))
    assert early.returncode == 7 and "ended before it joined" in early.stderr and "no grid" in early.stderr


def test_another_state_of_a_partner_is_a_mismatch(case, fairlead, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("fairlead.running.directory.COMMIT_SECONDS", 0.0)
    path = case("[python, water.py]")
    (tmp_path / "water.py").write_text(PYTHON.replace("self.asked += 1", "self.asked += 1; self.asked < 45 or 1 / 0"))
    failed = fairlead("couple", str(path))
    assert failed.returncode == 7 and "ZeroDivisionError" in failed.stderr and "t = 0.44 s" in failed.stderr
    (tmp_path / "water.py").write_text(PYTHON)
    for kept in (tmp_path / "box.run.partners").glob("water.checkpoint.*"):
        kept.write_bytes(kept.read_bytes()[:8] + (7).to_bytes(8, "little"))
    other = fairlead("couple", str(path), "box.run")
    assert other.returncode == 6 and "its hash differs" in other.stderr and "--accept-mismatch" in other.stderr
    assert fairlead("couple", str(path), "box.run", "--accept-mismatch").returncode == 0


def test_a_partner_may_join_by_itself(case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    place = tmp_path / "door"
    path = case("[python, water.py]")
    path.write_text(path.read_text().replace("command: [python, water.py]", f"address: {place}"))
    monkeypatch.setenv("FAIRLEAD_PARTNER", f"unix:{place}")
    monkeypatch.setenv("FAIRLEAD_PARTNER_NAME", "water")
    ended = []

    def join() -> None:
        while not place.exists():
            time.sleep(0.02)
        ended.append(subprocess.run([sys.executable, "water.py"], cwd=tmp_path, timeout=60).returncode)

    thread = threading.Thread(target=join)
    thread.start()
    data = coupled(path, "joined.run")
    thread.join(60)
    assert data.sizes["time"] == 51 and ended == [0]


def test_numbers_without_dimension_become_si_and_axes_turn():
    """A large step told its motion in chords and inflow velocities; its load rho U^2 C^2 (C^3) times what it says."""
    seen = []

    def load(t, motion):
        seen.append((t, motion))
        return [0.0, 2e-3, 0.0, 0.0, 0.0, 3e-4]

    scale = fl.Scale(rpm=8.836, speed=11, density=1.225, chord=6.206, radius=89.1)
    turned = fl.Orientation(euler123=(0, 0, np.pi / 2))  # the partner's y is the world's -x
    air = fl.Partner(
        "rotor",
        transport="in-process",
        step="large",
        every=10,
        scale=scale,
        axes=turned,
        sends=("orientation", "velocity", "angular_velocity"),
    )
    rotor = fl.Body(1e5, (1e7, 1e7, 1e7), velocity=(1.1, 0, 0), angular_velocity=(0, 0, 0.1))
    model = fl.Model("rotor", {"rotor": rotor}, partners={"air": air}, gravity=(0, 0, 0))
    program = fl.PartnerProgram(load, step="large", answers="end", units="scaled")
    data = fl.couple(model, 1.0, 0.01, programs={"air": program}, progress=False)
    force = 2e-3 * 1.225 * 11**2 * 6.206**2
    assert data["load_force"].values[0, 0] == pytest.approx([-force, 0, 0], rel=1e-14, abs=1e-12)
    assert data["load_moment"].values[0, 0] == pytest.approx([0, 0, 3e-4 * 1.225 * 11**2 * 6.206**3], rel=1e-14)
    t, motion = seen[0]
    assert motion.position is None and t == 0.0
    assert motion.velocity == pytest.approx([0, -0.1, 0], abs=1e-15)  # 1.1 m/s along x is -y over there, over U
    assert motion.angular_velocity == pytest.approx([0, 0, 0.1 * 6.206 / 11])
    assert seen[1][1].step == pytest.approx(0.1 * 11 / 6.206) and len(seen) == 11  # one for the start, ten steps


def test_partners_of_both_kinds_run_together():
    """Loads that are constant leave nothing to the scheme: a body under both is one under their sum."""
    words = {"body": "box", "transport": "in-process"}
    partners = {"water": fl.Partner(**words, exchanges=2), "air": fl.Partner(**words, step="large", every=5)}
    model = fl.Model("box", {"box": fl.Body(10.0, (1, 1, 1))}, partners=partners, gravity=(0, 0, 0))
    air = fl.PartnerProgram(lambda t, motion: [3.0, 0, 0, 0, 0, 0], step="large", answers="end")
    programs = {"water": lambda t, motion: [0, 4.0, 0, 0, 0, 0], "air": air}
    data = fl.couple(model, 1.0, 0.02, programs=programs, progress=False)
    assert data["position"].values[-1, 0] == pytest.approx([0.15, 0.2, 0.0], rel=1e-12)
    names, counts = np.unique(data["exchange_partner"].values.astype(str), return_counts=True)
    assert dict(zip(names, counts.tolist())) == {"air": 11, "water": 51}


def test_a_constant_step_of_a_partner_is_that_of_the_run():
    partners = {"water": fl.Partner("box", transport="in-process")}
    model = fl.Model("box", {"box": fl.Body(10.0, (1, 1, 1))}, partners=partners)
    still = lambda t, motion: [0.0] * 6  # noqa: E731
    data = fl.couple(model, 1.0, programs={"water": fl.PartnerProgram(still, dt=0.02)}, progress=False)
    assert data.attrs["step"] == 0.02
    with pytest.raises(fl.InvalidInput, match=r"0\.02 s, and the run has 0\.01"):
        fl.couple(model, 1.0, 0.01, programs={"water": fl.PartnerProgram(still, dt=0.02)}, progress=False)


def test_damaged_messages_are_never_taken():
    """Any change of a few bytes of a message is a ProtocolError, never another message or another error."""
    random = np.random.default_rng(5)
    messages = [
        Message(Kind.LOAD, 7, 1.5, values=random.normal(size=(1, 6))),
        Message(Kind.HELLO, text="protocol: 1\nname: water\n"),
    ]
    for message in messages:
        whole = pack(message)
        read = unpack(whole[: HEADER.size], whole[HEADER.size :])
        assert (read.kind, read.sequence, read.time, read.text) == (
            message.kind,
            message.sequence,
            message.time,
            message.text,
        )
        for _ in range(4000):
            content = bytearray(whole)
            for at in random.integers(0, len(content), random.integers(1, 4)):
                content[at] ^= int(random.integers(1, 256))
            if bytes(content) == whole:
                continue
            cut = content[: random.integers(HEADER.size, len(content) + 1)] if random.random() < 0.2 else content
            with pytest.raises(ProtocolError):
                unpack(bytes(cut[: HEADER.size]), bytes(cut[HEADER.size :]))


def test_partners_of_a_killed_run_end_by_themselves(case, tmp_path: Path):
    path = case("[python, water.py]")
    path.write_text(path.read_text().replace("duration: 0.5 s", "duration: 5000 s"))
    (tmp_path / "water.py").write_text(
        PYTHON.replace("self.asked += 1", "self.asked += 1; open('pid', 'w').write(str(__import__('os').getpid()))")
    )
    words = [sys.executable, "-m", "fairlead", "couple", "box.yaml", "-q"]
    run = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not (tmp_path / "pid").exists() and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(0.3)
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    partner = int((tmp_path / "pid").read_text())
    end = time.monotonic() + 20
    while time.monotonic() < end and Path(f"/proc/{partner}").exists() and "Z" not in _state(partner):
        time.sleep(0.1)
    assert not Path(f"/proc/{partner}").exists() or "Z" in _state(partner)


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def test_a_wrong_model_says_what_is_wrong(fairlead, tmp_path: Path):
    def said(partner: str) -> str:
        path = tmp_path / "m.yaml"
        path.write_text(
            MODEL.replace("{command: COMMAND, body: box, limits: {start: 60 s, answer: 10 s, stop: 5 s}}", partner)
        )
        found = fairlead("check", str(path))
        assert found.returncode == 3
        return found.stdout + found.stderr

    assert "no body is called 'bx'; the nearest names are box" in said("{command: [a], body: bx}")
    assert "needs either a 'command' to start or an 'address'" in said("{body: box}")
    assert "with transport 'mpi' alone" in said("{command: [a], body: box, processes: 2}")
    assert "make its step 'small'" in said("{command: [a], body: box, step: large, exchanges: 2}")
    assert "leave one of them out" in said("{command: [a], body: box, extrapolation: 1, exchanges: 2}")
    assert "must be symmetric" in said(
        "{command: [a], body: box, added_mass: [[1,2,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],"
        "[0,0,0,0,1,0],[0,0,0,0,0,1]]}"
    )


def test_others_refuse_a_coupled_model():
    partners = {"water": fl.Partner("box", transport="in-process")}
    model = fl.Model("box", {"box": fl.Body(10.0, (1, 1, 1))}, partners=partners)
    for ask in (lambda: fl.simulate(model, 1.0, 0.1), lambda: fl.equilibrium(model), lambda: fl.linearize(model)):
        with pytest.raises(fl.InvalidInput, match="fairlead couple"):
            ask()
    with pytest.raises(fl.InvalidInput, match=r"programs=\{'water'"):
        fl.couple(model, 1.0, 0.1)
