"""Coupled legacy cases: `.expert.solvers` as in Table 8 of the MBDM note, its paths those of small partners."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from interface.test_legacy_runs import CASES, contents

MAIN = (CASES / "spring" / "mbdm").read_text()
BODY = MAIN[MAIN.index("Body 1") :]
SOLVERS = (CASES / "coupled" / "mbdm.expert.solvers").read_text()
# HMB knows no position and no dimension: a thrust against the velocity along x. SPH damps and counts what it was asked.
PARTNERS = {
    "hmb": """
class Partner(fl.PartnerProgram):
    step, answers, units = "large", "end", "scaled"
    asked = 0

    def load(self, t, motion):
        assert motion.position is None and sys.argv[1:] == ["st", "uns", "none", "checkpoint/DTU_11ms_uns"]
        self.asked += 1
        return [1e-4 - 1e-3 * motion.velocity[0] + 1e-6 * self.asked, 0, 0, 0, 0, 1e-5]
""",
    "sph": """
class Partner(fl.PartnerProgram):
    dt = 0.002
    asked = 0

    def load(self, t, motion):
        self.asked += 1
        FAULT
        return [0, 0, 60 * 9.81 - 80 * motion.velocity[2] - 200 * motion.position[2] + 1e-3 * self.asked, 0, 0, 0]
""",
}


def case_in(folder: Path, fault: str = "pass", end: float = 0.4) -> Path:
    """Write the case of two bodies and its partners."""
    (folder / "bin").mkdir(parents=True)
    main = MAIN.replace("Number of bodies: 1", "Number of bodies: 2").replace("t_end: 1\n", f"t_end: {end}\n")
    main = main.replace("Save checkpoint every (n) steps: 100", "Save checkpoint every (n) steps: 50")
    second = BODY.replace("Body 1", "Body 2").replace("name: body", "name: float").replace("r: 0, 0, 0", "r: 5, 0, 0")
    (folder / "mbdm").write_text(main.rstrip() + "\n\n" + second)
    text = SOLVERS.replace("bin/hmb_parallel_method3", "./bin/hmb").replace("bin/sph", "./bin/sph")
    text = text.replace("hmb nproc: 16", "hmb nproc: 1").replace("sph nproc: 32", "sph nproc: 2")
    (folder / "mbdm.expert.solvers").write_text(text.replace("MBDM steps: 100", "MBDM steps: 25"))
    for name, words in PARTNERS.items():
        program = folder / "bin" / name
        memory = """
    def save(self):
        return struct.pack("<q", self.asked)

    def restore(self, state):
        (self.asked,) = struct.unpack("<q", state)

sys.exit(Partner().run())
"""
        head = f"#!{sys.executable}\nimport struct, sys\nimport fairlead as fl\n"
        program.write_text(head + words.replace("FAULT", fault) + memory)
        program.chmod(0o755)
    return folder


def test_a_case_as_in_table_8_runs_and_goes_on(fairlead, tmp_path: Path):
    case_in(tmp_path / "case")
    whole = fairlead("couple", "case", "none", "-o", "whole")
    assert whole.returncode == 0, whole.stderr
    for words in (
        "the step of SPH, 0.002 s, is taken in place of 0.001 s",
        "spoolup 120 is kept and not used",
        "t start coupling 0 is kept and not used",
        "sph nproc 2 has no effect over a socket",
    ):
        assert words in whole.stderr
    kept = tmp_path / "whole" / "MBDM_checkpoint"
    # Exchange vectors of SPH, then of HMB, at the end; each begins with force and moment. U = 11 m/s, C = 6.206 m.
    lines = (kept / "TestCase_1_checkpoint").read_text().splitlines()
    sph, hmb = (np.array(line.split(), float) for line in lines[-2:])
    assert len(lines) == 4 + 2 + 2 and sph[2] > 100 and sph[0] == 0
    scale = 1.225 * 11**2 * 6.206**2
    assert 1e-4 * scale < hmb[0] < 2e-4 * scale and hmb[5] == pytest.approx(1e-5 * scale * 6.206)
    time, step = map(float, (kept / "HMB.RESTART").read_text().split())
    assert time == pytest.approx(0.4 * 11 / 6.206) and step == pytest.approx(25 * 0.002 * 11 / 6.206)
    assert (kept / "HMB.RESTART_old").exists() and (kept / "TestCase_1_checkpoint_old").exists()
    # SPH dies after three checkpoints; the run goes on from the last one to the same bytes.
    case_in(tmp_path / "dies", "self.asked < 330 or 1 / 0")
    failed = fairlead("couple", "dies", "none", "-o", "cut")
    assert failed.returncode == 7 and "partner 'sph' reports: ZeroDivisionError" in failed.stderr
    checkpoint = "cut/MBDM_checkpoint/TestCase_1_checkpoint"
    assert checkpoint in failed.stderr
    again = fairlead("couple", "case", checkpoint, "-o", "cut")
    assert again.returncode == 0, again.stderr
    a, b = contents(tmp_path / "whole"), contents(tmp_path / "cut")
    outputs = [name for name in a if name.endswith(".dat")]
    assert len(outputs) >= 2 and all(a[name] == b[name] for name in outputs), outputs
    for name in ("HMB.RESTART", "TestCase_1_checkpoint"):
        assert (tmp_path / "cut" / "MBDM_checkpoint" / name).read_bytes() == (kept / name).read_bytes(), name


def test_a_restart_of_another_time_is_refused(fairlead, tmp_path: Path):
    case_in(tmp_path / "case", end=0.2)
    assert fairlead("couple", "case", "none", "-o", "out").returncode == 0
    kept = tmp_path / "out" / "MBDM_checkpoint"
    case_in(tmp_path / "longer", end=0.4)
    (kept / "HMB.RESTART").write_text("0.1 0.05\n")
    words = ("couple", "longer", "out/MBDM_checkpoint/TestCase_1_checkpoint", "-o", "out")
    refused = fairlead(*words)
    assert (
        refused.returncode == 6 and "HMB.RESTART is of t = 0.0564" in refused.stderr and "t = 0.2 s" in refused.stderr
    )
    assert fairlead(*words, "--accept-mismatch").returncode == 0
