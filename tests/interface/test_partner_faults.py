"""Partners that fail: exit 7 with name, time and last words, within the limit; a checkpoint from which the run goes on
to the same bits with a healthy partner; nobody left behind. The faults of every kind in every phase are the long test.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import fairlead as fl

FAULTY = Path(__file__).parents[1] / "support" / "faulty_partner.py"
START, ANSWER = 4.0, 0.5  # [s] limits; starting Python takes a while on a busy machine

# Fault -> what must be said of it at the start, in the middle and at a checkpoint.
FAULTS = {
    "die": ("ended before it joined|connection was lost", "connection was lost", "connection was lost"),
    "hang": ("no answer|did not join", "no answer within its limit", "no answer within its limit"),
    "late": ("no answer|did not join", "no answer within its limit", "no answer within its limit"),
    "nan": ("its step is 'nan'", "gave nan for force y", "wrote its state for t = nan"),
    "short": ("'protocol' is 'None'", "1 x 5 numbers", "wrote its state for t = nan"),
    "long": ("announced a body", "1 x 7 numbers", "announced a body"),
    "type": ("'protocol' is 'None'", "a load of text", "wrote its state for t = nan"),
    "sequence": ("answered message 3", "answered message", "answered message"),
    "time": ("goes on from t = .* and this run from t = ", "a load for t =", "wrote its state for t ="),
    "replay": ("HELLO where READY", "LOAD where|answered message", "LOAD where ACKNOWLEDGE"),
    "garbage": ("no message of the protocol", "no message of the protocol", "no message of the protocol"),
    "version": ("version 9", "version 9", "version 9"),
    "drip": ("no answer", "no answer", "no answer"),
    "half-close": ("connection was lost", "connection was lost", "connection was lost"),
    "checksum": ("checksum", "checksum", "checksum"),
}
PHASES = ("start", "middle", "checkpoint")


def model(transport: str = "socket", step: str = "small") -> fl.Model:
    water = fl.Partner(
        body="box",
        command=("python", str(FAULTY)),
        transport=transport,
        step=step,
        every=1 if step == "small" else 4,
        limits=fl.Limits(start=START, answer=ANSWER, stop=1.0),
    )
    spring = fl.Spring("box", (0, 0, 0), (0, 0, 5.0), stiffness=3000.0, length=1.5)
    bodies = {"box": fl.Body(1000.0, (100, 100, 100))}
    run = fl.Run(duration=0.96, dt=0.01)
    return fl.Model("box", bodies, {}, {"spring": spring}, partners={"water": water}, run=run)


def alive(needle: bytes) -> list[int]:
    """Return the processes whose environment has something of ours in it."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if needle in (entry / "environ").read_bytes() and (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def fails(
    fault: str,
    phase: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    transport: str = "socket",
    step: str = "small",
) -> None:
    """Run into a fault, look at what is said and left, and go on with a healthy partner."""
    mark = f"{tmp_path.name}-{fault}"
    monkeypatch.setenv("FAULTY_MARK", mark)
    monkeypatch.setenv("FAULTY_STEP", step)
    monkeypatch.setenv("FAULT_AT", "20" if step == "small" else "6")
    monkeypatch.setattr("fairlead.running.directory.COMMIT_SECONDS", 0.0)  # a checkpoint after every chunk
    one, out = model(transport, step), tmp_path / "faulty.run"
    if phase == "start":  # of a run that goes on: the first one stops in its middle
        monkeypatch.setenv("FAULT", "die")
        monkeypatch.setenv("PHASE", "middle")
        with pytest.raises(fl.PartnerFailure):
            fl.couple(one, out=out, progress=False)
    monkeypatch.setenv("FAULT", fault)
    monkeypatch.setenv("PHASE", phase)
    monkeypatch.setenv("LATE", str(START + 0.5 if phase == "start" else ANSWER + 0.5))
    began = time.monotonic()
    other_time = fault == "time" and phase == "start"  # of a run that goes on: its checkpoint is another one
    kind, code = (fl.CheckpointUnusable, 6) if other_time else (fl.PartnerFailure, 7)
    with pytest.raises(kind, match=FAULTS[fault][PHASES.index(phase)]) as failed:
        fl.couple(one, out=out, progress=False, resume=phase == "start")
    limit = START if phase == "start" else ANSWER
    assert time.monotonic() - began < START + limit + 5.0
    assert failed.value.exit_code == code
    assert "partner 'water'" in str(failed.value) and (" t = " in str(failed.value) or phase == "start")
    assert fault != "die" or "out of particles" in str(failed.value)
    assert alive(mark.encode()) == []
    monkeypatch.delenv("FAULT")
    again = fl.couple(one, out=out, resume=True, progress=False, say=str)
    whole = healthy(tmp_path, transport, step)
    for name in ("position", "velocity", "load_force", "exchange_force", "exchange_interface_energy"):
        assert again[name].values.tobytes() == whole[name].values.tobytes(), name
    assert alive(mark.encode()) == []


_HEALTHY: dict[str, object] = {}


def healthy(tmp_path: Path, transport: str, step: str):
    """Return the run without any fault; in memory, and of the socket, whatever the transport: the bits are the same."""
    if step not in _HEALTHY:
        _HEALTHY[step] = fl.couple(model("socket", step), progress=False)
    return _HEALTHY[step]


# One of each phase: dead, silent, wrong.
QUICK = [("die", "middle"), ("hang", "checkpoint"), ("garbage", "start")]


@pytest.mark.parametrize(("fault", "phase"), QUICK)
def test_a_partner_that_fails(fault: str, phase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fails(fault, phase, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("transport", ["socket", "tcp"])
def test_every_fault(fault: str, phase: str, transport: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fails(fault, phase, tmp_path, monkeypatch, transport)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["die", "hang", "nan", "sequence", "time", "garbage", "half-close"])
def test_faults_of_a_large_step(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fails(fault, "middle", tmp_path, monkeypatch, step="large")
