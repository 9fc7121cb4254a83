"""A partner with one fault, for tests: FAULT names it and PHASE when it happens (start, middle, checkpoint).

Healthy without them: a damper with a memory, so that a restart from a wrong state would be seen. It speaks over raw
bytes, so that it can also say what the class for partners would not.
"""

from __future__ import annotations

import math
import os
import struct
import sys
import time

from fairlead.running.partners.program import WHERE, PartnerProgram, connect
from fairlead.running.partners.protocol import Kind, pack

FAULT, PHASE = os.environ.get("FAULT", ""), os.environ.get("PHASE", "")
WHEN = {"start": Kind.HELLO, "middle": Kind.LOAD, "checkpoint": Kind.ACKNOWLEDGE}
MIDDLE = int(os.environ.get("FAULT_AT", "20"))  # which load is faulty; a checkpoint's the second


class Damper(PartnerProgram):
    """A damper whose force also counts how often it was asked; as a large step it says so."""

    count = 0
    step = os.environ.get("FAULTY_STEP", "small")
    answers = "start" if step == "small" else "end"

    def load(self, t, motion):
        self.count += 1
        return [0.0, 0.0, -300.0 * motion.velocity[2] + 40.0 * math.sin(t) + 1e-3 * self.count, 0.0, 0.0, 0.0]

    def save(self) -> bytes:
        return struct.pack("<q", self.count)

    def restore(self, state: bytes) -> None:
        (self.count,) = struct.unpack("<q", state)


def broken(message, content: bytes, before: bytes, link) -> bytes | None:
    """Return the faulty bytes of a message; None if they were sent, or not, already."""
    change = lambda **fields: pack(message._replace(**fields))  # noqa: E731
    numbers = message.values is not None
    if FAULT == "die":
        print("out of particles", file=sys.stderr, flush=True)
        os._exit(3)
    if FAULT == "hang":
        time.sleep(600)
    if FAULT == "late":
        time.sleep(float(os.environ["LATE"]))
        return content
    if FAULT == "nan":
        values = message.values.copy() if numbers else None
        if numbers:
            values[0, 1] = math.nan
            return change(values=values)
        return change(text=message.text.replace("dt: 0", "dt: nan").replace("time: ", "time: nan "))
    if FAULT == "short":
        return change(values=message.values[:, :5]) if numbers else change(text="")
    if FAULT == "long":
        return change(values=list(message.values[0]) + [0.0]) if numbers else change(text="name: x\n" * 9000)
    if FAULT == "type":
        return change(values=None, text="a text") if numbers else change(values=[[1.0]])
    if FAULT == "sequence":
        return change(sequence=message.sequence + 3)
    if FAULT == "time":
        if numbers:
            return change(time=message.time + 0.5)
        return change(text=message.text.replace("time: ", "time: 1"))
    if FAULT == "replay":
        return before or content + content
    if FAULT == "garbage":
        return bytes((37 * k) % 256 for k in range(200))
    if FAULT == "version":
        return content[:8] + struct.pack("<H", 9) + content[10:]
    if FAULT == "checksum":
        return content[:-1] + bytes([content[-1] ^ 1])
    if FAULT in ("drip", "half-close") and not hasattr(link, "socket"):  # MPI has no parts of messages and no halves
        time.sleep(600)
    if FAULT == "drip":
        link.socket.setblocking(True)
        for byte in content:
            link.socket.send(bytes([byte]))
            time.sleep(0.1)
        return None
    if FAULT == "half-close":
        link.socket.shutdown(1)
        time.sleep(600)
    raise SystemExit(f"no fault is called '{FAULT}'")


def put(link, content: bytes) -> None:
    """Send bytes as they are."""
    if hasattr(link, "socket"):
        link.socket.setblocking(True)
        link.socket.sendall(content)
        link.socket.setblocking(False)
    else:
        link.communicator.Send([content, link.MPI.BYTE], dest=0, tag=7)


def main() -> int:
    program, link = Damper(), connect(os.environ[WHERE])
    seen, before = dict.fromkeys(Kind, 0), b""
    due = {"start": 1, "middle": MIDDLE, "checkpoint": 2}.get(PHASE, 0)
    answer = program.hello()
    while answer is not None:
        content = pack(answer)
        seen[answer.kind] += 1
        of = Kind.READY if PHASE == "start" and FAULT in ("time", "replay") else WHEN.get(PHASE)
        sent = content
        if FAULT and answer.kind == of and seen[answer.kind] == due:
            sent = broken(answer, content, before, link)
        if sent is not None:
            put(link, sent)
        before = content
        if program.ended:
            link.close()
            return 0
        answer = program.answer(link.receive(30.0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
