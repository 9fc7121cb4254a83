"""One partner of a run, seen from our side: when it is asked, what its loads are in between, what the coupling creates.

The scheme is the staggered one of the MBDM note (section 8.4, Fig. 22). A small-step partner answers a motion at once,
with the load of that instant; a large-step partner goes on for `every` steps while we do, and both meet at its end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairlead.core.stepping import output_time
from fairlead.errors import CheckpointUnusable, InvalidInput, NumericalFailure, Problem
from fairlead.model.joints.geometry import rotation_of
from fairlead.model.partners import SENT, Partner
from fairlead.numeric import quaternion_of, turned
from fairlead.running.partners.exchanged import Exchanged
from fairlead.running.partners.protocol import Flag, Kind, as_text, from_text
from fairlead.running.partners.session import Channel, present
from fairlead.running.steppers.tableaux import ADAPTIVE

if TYPE_CHECKING:
    from fairlead.running.simulation import Simulation

Array = npt.NDArray[np.float64]
KEPT = 4  # instants whose motion is remembered
GROWTHS = 10  # exchanges in a row in which a load turned round and grew, after which the scheme is called unstable
SAMPLE, PLACE = 7, 20  # floats of a load with its time, and of a motion with time and work


def coupled_of(simulation: Simulation) -> list[CoupledPartner]:
    """Return the partners of a simulation, each filling its row of the loads."""
    model, index = simulation.compiled.model, simulation.compiled.index
    if not model.partners:
        return []
    session = present()
    assert session is not None  # models with partners are not compiled without
    if simulation.integrator in (*ADAPTIVE, "generalised-alpha"):
        name = next(iter(model.partners))
        text = f"is needed for partner '{name}', with rk4 or symplectic-euler: exchanges are at steps"
        raise InvalidInput([Problem(text, "dt")])
    if simulation.partners and any(word.iterate is not None for word in model.partners.values()):
        name = next(name for name, word in model.partners.items() if word.iterate is not None)
        text = "takes steps again, which MoorDyn cannot; leave it out, or put the lines behind the protocol"
        raise InvalidInput([Problem(text, f"partners.{name}.iterate")])
    found = []
    for name, word in model.partners.items():
        partner = CoupledPartner(session.channels[name], word, simulation, index.loads.index(name))
        partner.exchanged = Exchanged(session.exchanges(name))
        index.outside[partner.row] = partner.wrench
        found.append(partner)
    return found


def meeting_steps(partners: Sequence[CoupledPartner]) -> int:
    """Return after how many steps all partners are at one instant again."""
    return math.lcm(1, *(partner.word.every for partner in partners))


class CoupledPartner:
    """A partner whose load on one body is known at the instants of its exchanges, and extrapolated between them."""

    exchanged: Exchanged

    def __init__(self, channel: Channel, word: Partner, simulation: Simulation, row: int) -> None:
        self.channel, self.word, self.row, self.name = channel, word, row, channel.name
        self.simulation = simulation
        body = simulation.compiled.model.bodies[word.body]
        point = body.position if word.point is None else word.point
        self.arm_B = (np.array(point) - np.array(body.position)) @ rotation_of(body)
        self.R_WP = None if word.axes is None else rotation_of(SimpleNamespace(orientation=word.axes))  # type: ignore[arg-type]
        self.A = None if word.added_mass is None else np.array(word.added_mass)
        scale = word.scale
        self.length: float = 1.0 if scale is None else scale.chord
        self.speed: float = 1.0 if scale is None else scale.speed
        self.pressure = 1.0 if scale is None else scale.pressure
        self.welcomed, self.count, self.number = False, 0, 0  # exchanges so far, and the last checkpoint
        self.digest = b""
        self.until = -math.inf  # the next exchange
        self.samples: list[tuple[float, Array]] = []  # the last loads and the instants they are for
        self.raw: tuple[float, Array] | None = None  # the last load as it was given
        self.fixed: Array | None = None  # what acts until the next exchange, where that is not extrapolated
        self.places: list[
            Array
        ] = []  # time, place, attitude (3 x 3), velocity, rate and our work, at the last exchanges
        self.unsent: Array | None = None  # the motion that a large-step partner goes on from, as soon as we do
        self.pending: tuple[float, float] | None = None  # instant and step of what it is busy with
        self.ready: tuple[float, Array] | None = None  # its answer, where a checkpoint asked for it early
        self.partner_work, self.gross, self.created = 0.0, 0.0, 0.0
        self.carried = 0.0  # our work before the integrals of the run began anew
        self.turns, self.change = 0, np.zeros(6)  # of the exchanged loads: growing changes of sign, and the last change

    # What acts

    def wrench(self, t: float, motion: Any) -> Array:
        """Return force and moment about the mass centre from the load that acts at the point."""
        load = self.load_at(t) if self.fixed is None else self.fixed
        arm = motion[self.word.body][1] @ self.arm_B
        return np.concatenate([load[:3], load[3:] + np.cross(arm, load[:3])])

    def load_at(self, t: float) -> Array:
        """Return the load at t: Lagrange's polynomial of the order asked for, as far as there are loads for it."""
        known = self.samples[-1 - self.word.extrapolation :]
        if len(known) == 1:
            return known[0][1]
        total = np.zeros(6)
        for i, (t_i, load) in enumerate(known):
            total += load * math.prod((t - t_j) / (t_i - t_j) for j, (t_j, _) in enumerate(known) if j != i)
        return total

    # When it is asked

    @property
    def near(self) -> float:
        return 1e-9 * self.simulation.clock.dt

    def due(self, t: float) -> bool:
        """Return whether an exchange is due at t."""
        return self.until - t < self.near

    def exchange_time(self, number: int) -> float:
        """Return the instant of an exchange."""
        clock = self.simulation.clock
        return float(output_time(min(number * self.word.every, clock.steps), clock))

    def meet(self, t: float, y: Array, motion: Any) -> None:
        """Exchange the motion at t for the load that acts from there on."""
        if not self.welcomed:
            there = self._time_in(self._welcome(t, 0))
            if not abs(there - t) <= 1e-6 * self.simulation.clock.dt:
                raise self.channel.failure(f"is ready at t = {there:.9g} s where t = {t:.9g} s was due")
        place = self.place_of(t, y, motion)
        self.places = [*self.places[1 - KEPT :], place]
        later = self.exchange_time(self.count + 1)
        step = later - t
        self.fixed = None
        if self.word.step == "small":
            self._push(t, self._ask(place, step, 0))
        else:
            if self.count == 0:
                self._push(t, self._ask(place, 0.0, Flag.FIRST))
            elif self.pending is not None:
                self.drain()
                assert self.ready is not None
                self._push(*self.ready)
                self.ready = self.pending = None
            self.unsent = place if step > 0 else None
        self.count += 1
        self.until = later if step > 0 else math.inf

    def go_on(self) -> None:
        """Let a large-step partner start on its next step, now that we do."""
        if self.unsent is not None:
            t = float(self.unsent[0])
            self.pending = (t, self.until - t)
            self._tell(self.unsent, self.until - t, 0)
            self.unsent = None

    def drain(self) -> None:
        """Wait until a large-step partner has done its step, and keep its answer."""
        if self.pending is None or self.ready is not None:
            return
        t, step = self.pending
        due = t + step if self.channel.said["answers"] == "end" else t
        self.ready = (due, self._load(self.channel.hear(Kind.LOAD), due))

    def carry(self, y: Array) -> None:
        """Keep the work done so far, where the integrals of the run begin anew."""
        first = self.simulation.arrays.states + self.row
        self.carried += float(y[first]) + (0.0 if self.A is None else float(y[first + 1]))

    def place_of(self, t: float, y: Array, motion: Any) -> Array:
        """Return the motion of the point with its time and the work our side has done, as a row."""
        x, R_WB, u, w = motion[self.word.body]
        arm = R_WB @ self.arm_B
        first = self.simulation.arrays.states + self.row
        work = self.carried + float(y[first]) + (0.0 if self.A is None else float(y[first + 1]))
        return np.concatenate([[t], x + arm, R_WB.ravel(), u + np.cross(w, arm), w, [work]])

    def answer_to(self, place: Array, flag: Flag) -> Array:
        """Return the load for a motion that is not that of an exchange: in the middle of a step, or a trial."""
        return self._applied(place, self._ask(place, self.until - float(place[0]), flag))

    def _ask(self, place: Array, step: float, flag: int) -> Array:
        self._tell(place, step, flag)
        t = float(place[0])
        return self._load(self.channel.hear(Kind.LOAD), t)

    def _tell(self, place: Array, step: float, flag: int) -> None:
        """Send a motion in the partner's axes and units."""
        t, x, R, v, w = (
            float(place[0]),
            place[1:4] - np.array(self.word.origin),
            place[4:13],
            place[13:16],
            place[16:19],
        )
        R_WB = R.reshape(3, 3)
        if self.R_WP is not None:
            x, R_WB, v, w = self.R_WP.T @ x, self.R_WP.T @ R_WB, self.R_WP.T @ v, self.R_WP.T @ w
        per_time = self.length / self.speed
        parts = {
            "position": x / self.length,
            "orientation": quaternion_of(R_WB),
            "velocity": v / self.speed,
            "angular_velocity": w * per_time,
        }
        values = np.concatenate([parts[name] for name in SENT if name in self.word.sends])
        self.channel.tell(Kind.MOTION, t / per_time, step=step / per_time, flags=int(flag), values=values)
        self.channel.time = t

    def _load(self, message: Any, t: float) -> Array:
        """Return a partner's load in SI and world axes."""
        per_time = self.length / self.speed
        given = self.channel.load(message, t / per_time, self.near / per_time + 1e-12 * abs(t) / per_time)
        area = self.pressure * self.length**2
        load = given if area == 1.0 else given * np.repeat([area, area * self.length], 3)
        if self.R_WP is not None:
            load = np.concatenate([self.R_WP @ load[:3], self.R_WP @ load[3:]])
        return np.asarray(load)

    # What its answer means

    def _push(self, t: float, load: Array) -> None:
        """Take a load for the instant t."""
        place = next((one for one in reversed(self.places) if abs(one[0] - t) <= self.near), None)
        assert place is not None
        if self.samples and t - self.samples[-1][0] <= self.near:
            return  # the load of the start, once more
        self._watch(load)
        self._balance(t, load, place)
        self.samples = [*self.samples[-2:], (t, self._applied(place, load))]

    def _applied(self, place: Array, load: Array) -> Array:
        """Return the load with the added mass that our side takes over: A times the acceleration it is for."""
        before = [one for one in self.places if one[0] < place[0] - self.near]
        if self.A is None or not before:
            return load
        return np.asarray(load + self.A @ (place[13:19] - before[-1][13:19]) / (place[0] - before[-1][0]))

    def _balance(self, t: float, load: Array, place: Array) -> None:
        """Sum the partner's work by the trapezoidal rule over its own loads, and keep what was exchanged."""
        if self.raw is not None:
            t0, before = self.raw
            start = next((one for one in self.places if abs(one[0] - t0) <= self.near), None)
            assert start is not None
            moved = np.concatenate([place[1:4] - start[1:4], turned(start[4:13], place[4:13])])
            done = float(0.5 * (before + load) @ moved)
            self.partner_work, self.gross = self.partner_work + done, self.gross + abs(done)
        self.raw = (t, load)
        self.created = float(place[19]) - self.partner_work
        q = quaternion_of(place[4:13].reshape(3, 3))
        energies = [place[19], self.partner_work, self.created]
        self.exchanged.add(np.concatenate([[t], load, place[1:4], q, place[13:19], energies]))

    def _watch(self, load: Array) -> None:
        """Raise NumericalFailure where the loads turn round and grow from exchange to exchange."""
        if self.raw is None:
            return
        change = load - self.raw[1]
        size, before = np.linalg.norm(change), np.linalg.norm(self.change)
        turns = float(change @ self.change) < 0.0 and size > before and size > 1e-9 * np.linalg.norm(load)
        self.turns, self.change = self.turns + 1 if turns else 0, change
        if self.turns >= GROWTHS and self.word.iterate is None:
            growth = f"by {size / before:.3g} at t = {self.channel.time:.6g} s"
            raise NumericalFailure(
                f"the loads of partner '{self.name}' turn round and grow from exchange to exchange ({growth}): the "
                f"added mass of its fluid is more than this scheme bears on '{self.word.body}'; give "
                f"partners.{self.name} an 'added_mass' (an estimate taken to our side) or 'iterate'"
            )

    # Start, checkpoints, words

    def _welcome(self, t: float, restart: int) -> dict[str, str]:
        """Tell the partner what it is to do; return where it stands."""
        if self.welcomed:
            return {}
        self.welcomed = True
        session = present()
        assert session is not None
        clock, per_time = self.simulation.clock, self.length / self.speed
        words: dict[str, Any] = {"name": self.name, "body": self.word.body, "step": self.word.step}
        words |= {"units": "SI" if self.word.scale is None else "scaled", "restart": restart}
        words |= {"axes": "world" if self.R_WP is None else "partner", "exchanges": self.word.exchanges}
        words |= {"sends": " ".join(name for name in SENT if name in self.word.sends)}
        words |= {"iterates": "no" if self.word.iterate is None else "yes", "folder": session.kept.resolve()}
        words |= {"time": t / per_time, "end": clock.end / per_time, "dt": clock.dt / per_time}
        words |= {"every": self.word.every, "interval": clock.dt * self.word.every / per_time}
        words |= {"patience": max(3600.0, 10 * self.word.limits.answer)}
        if self.word.scale is not None:
            words |= self.word.scale.model_dump()
        self.channel.tell(Kind.WELCOME, t / per_time, text=as_text(words))
        self.channel.time = t
        return from_text(self.channel.hear(Kind.READY, self.word.limits.start).text)

    def order_checkpoint(self) -> None:
        """Tell the partner to write its state at the instant reached."""
        self.drain()
        t = self.simulation.time
        self.channel.tell(Kind.CHECKPOINT, t * self.speed / self.length, flags=self.number + 1)
        self.channel.time = t

    def await_checkpoint(self) -> None:
        """Wait until the partner has written its state."""
        said = from_text(self.channel.hear(Kind.ACKNOWLEDGE).text)
        there, t = self._time_in(said), self.simulation.time
        if not abs(there - t) <= 1e-6 * self.simulation.clock.dt:
            raise self.channel.failure(f"wrote its state for t = {there:.9g} s where t = {t:.9g} s was due")
        try:
            self.next_digest = bytes.fromhex(said.get("sha256", ""))
        except ValueError:
            self.next_digest = b""
        if len(self.next_digest) != 32:
            raise self.channel.failure("acknowledged a checkpoint without the hash of what it wrote")

    def _time_in(self, said: dict[str, str]) -> float:
        """Return the time that a partner says it is at, in our seconds; nan if it says none."""
        try:
            return float(said.get("time", "nan")) * self.length / self.speed
        except ValueError:
            return math.nan

    def switch(self) -> None:
        """Count the checkpoint that everyone has written as the last good one."""
        self.number, self.digest = self.number + 1, self.next_digest
        self.exchanged.flush()

    def memory(self) -> Array:
        """Return everything of the exchange that a resumed run needs."""
        digest = np.frombuffer((self.digest or bytes(32)), dtype="<u4").astype(float)
        flags = [self.count, self.number, self.until, self.partner_work, self.gross, self.created, self.turns]
        flags.append(self.carried)
        held = [float(self.fixed is not None), float(self.ready is not None), float(self.unsent is not None)]
        pending = self.pending or (math.nan, math.nan)
        ready = np.zeros(SAMPLE) if self.ready is None else np.concatenate([[self.ready[0]], self.ready[1]])
        raw = np.full(SAMPLE, np.nan) if self.raw is None else np.concatenate([[self.raw[0]], self.raw[1]])
        samples = np.full((3, SAMPLE), np.nan)
        for number, (t, load) in enumerate(self.samples):
            samples[number] = [t, *load]
        places = np.full((KEPT, PLACE), np.nan)
        places[: len(self.places)] = self.places or places[:0]
        fixed = np.zeros(6) if self.fixed is None else self.fixed
        parts = [flags, [self.exchanged.count], held, pending, ready, raw, samples.ravel(), places.ravel(), fixed]
        return np.concatenate([*parts, self.change, digest])

    def restore(self, memory: Array) -> None:
        """Continue from `memory()`; the partner loads its state, and its time and hash are held against ours."""
        sizes = [8, 1, 3, 2, SAMPLE, SAMPLE, 3 * SAMPLE, KEPT * PLACE, 6, 6, 8]
        flags, count, held, pending, ready, raw, samples, places, fixed, change, digest = np.split(
            memory, np.cumsum(sizes)[:-1]
        )
        self.count, self.number, self.turns = int(flags[0]), int(flags[1]), int(flags[6])
        self.until, self.partner_work, self.gross, self.created = (float(one) for one in flags[2:6])
        self.carried = float(flags[7])
        self.exchanged.back_to(int(count[0]))
        self.fixed = fixed.copy() if held[0] else None
        self.pending = (float(pending[0]), float(pending[1])) if np.isfinite(pending).all() else None
        self.ready = (float(ready[0]), ready[1:].copy()) if held[1] else None
        self.raw = (float(raw[0]), raw[1:].copy()) if np.isfinite(raw[0]) else None
        self.samples = [(float(row[0]), row[1:].copy()) for row in samples.reshape(3, SAMPLE) if np.isfinite(row[0])]
        self.places = [row.copy() for row in places.reshape(KEPT, PLACE) if np.isfinite(row[0])]
        self.unsent = self.places[-1] if held[2] else None
        self.change, self.digest = change.copy(), digest.astype("<u4").tobytes()
        if self.until == math.inf and self.exchange_time(self.count) > self.places[-1][0]:  # a run made longer
            self.until = self.exchange_time(self.count)
            self.unsent = self.places[-1] if self.word.step == "large" else None

    def rejoin(self, t: float) -> None:
        """Let the partner go on from its checkpoint; CheckpointUnusable if it is not the one that belongs to ours."""
        found = self._welcome(t, self.number)
        session = present()
        assert session is not None
        there = self._time_in(found)
        same_time = abs(there - t) <= 1e-6 * self.simulation.clock.dt
        if (same_time and found.get("sha256", "") == self.digest.hex()) or session.accept_mismatch:
            return
        what = "its state is another than it wrote then (its hash differs)" if same_time else "the times differ"
        raise CheckpointUnusable(
            f"partner '{self.name}' goes on from t = {there:.9g} s and this run from t = {t:.9g} s: {what}; give it "
            "the checkpoint that belongs to this one, or go on all the same with --accept-mismatch"
        )

    @property
    def statement(self) -> str:
        """Return how the partner was coupled and what the coupling created, in words."""
        word = self.word
        how = ("loads held", "loads extrapolated by a line", "loads extrapolated by a parabola")[word.extrapolation]
        how = "predictor and corrector" if word.exchanges > 1 else how
        how = "iterated within the step" if word.iterate is not None else how
        every = "every step" if word.every == 1 else f"every {word.every} steps"
        return (
            f"partner '{self.name}' on '{word.body}' ({word.step} step, exchanged {every}, {how}): "
            f"{self.count} exchanges, coupling created {self.created:.3g} J beside {self.gross:.3g} J of the partner"
        )
