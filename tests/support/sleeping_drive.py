# SPDX-License-Identifier: GPL-3.0-or-later
"""A simulated drive that falls asleep, a game that reads from it, and what is measured of both.

The drive has power states: after so long a rest it needs so long to wake up. Its counters are
those of /proc/diskstats: whole milliseconds cut off from a running sum, the busy time in jiffies.
Times are seconds from the start.
"""

import random
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from destutter.core.catalog import SOURCES
from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.metrics import Deriver
from destutter.core.sample import Frames, Layout, RawValue, Reading, Sample
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.causes.registry import remembered_metrics, watched_metrics
from destutter.diagnosis.finding import Assessment
from destutter.diagnosis.history.idle_waits import IDLE_METRICS

START_NS = 1_000_000_000_000
READ_BYTES = 65_536
DRIVE = "nvme0n1"

_FRAME_S = 1 / 60
_FELT_S = 0.005
_CHANNELS = 4
_PRESSURES = ("pressure", "game_pressure")
_METRICS = tuple(
    METRIC_BY_ID[each]
    for each in sorted({*watched_metrics(), *remembered_metrics(), *IDLE_METRICS})
)


@dataclass(frozen=True)
class PowerState:
    """Entered after ``idle_s`` of rest; waking from it takes ``exit_ms``."""

    idle_s: float
    exit_ms: float


@dataclass(frozen=True)
class Burst:
    """Reads that are asked for together (a queue) or one after the other; or one write.

    ``is_games``: the game asked, and its frame waits for all of them.
    """

    at_s: float
    reads: int = 1
    is_queued: bool = True
    is_games: bool = True
    write_ms: float = 0.0


@dataclass(frozen=True)
class Request:
    """What was asked of the drive, and when it was answered."""

    start_s: float
    end_s: float
    is_write: bool = False


ServiceTime = Callable[[random.Random, float], float]
"""Milliseconds that one read takes of a drive that is awake, after a rest of so many seconds."""


def quick(rng: random.Random, _rest_s: float) -> float:
    """A flash drive: 0.2 ms, now and then twice that."""
    return rng.lognormvariate(-1.6, 0.3)


@dataclass(frozen=True)
class SimulatedDrive:
    """``jitter`` is the standard deviation of a wake-up over its length."""

    states: tuple[PowerState, ...] = ()
    service_ms: ServiceTime = quick
    jitter: float = 0.02
    jiffy_ms: int = 4

    def serve(
        self, rng: random.Random, bursts: Iterable[Burst]
    ) -> tuple[list[Request], list[tuple[float, float]]]:
        """All requests in order of their ends, and the spans that the game waited."""
        requests: list[Request] = []
        waits: list[tuple[float, float]] = []
        free_s = -10.0
        for burst in sorted(bursts, key=lambda each: each.at_s):
            rest_s = max(burst.at_s - free_s, 0.0)
            ready_s = burst.at_s + self._wake_ms(rng, rest_s) / 1e3
            if burst.write_ms:
                done = [Request(burst.at_s, ready_s + burst.write_ms / 1e3, is_write=True)]
            elif burst.is_queued:
                done = self._queued(rng, burst, ready_s, rest_s)
            else:
                done = self._in_turn(rng, burst, ready_s, rest_s)
            requests += done
            end_s = max(each.end_s for each in done)
            free_s = max(free_s, end_s)
            if burst.is_games:
                waits.append((burst.at_s, end_s))
        return sorted(requests, key=lambda each: each.end_s), waits

    def _wake_ms(self, rng: random.Random, rest_s: float) -> float:
        entered = [state.exit_ms for state in self.states if rest_s >= state.idle_s]
        deepest_ms = max(entered, default=0.0)
        return deepest_ms * max(rng.gauss(1.0, self.jitter), 0.5)

    def _queued(
        self, rng: random.Random, burst: Burst, ready_s: float, rest_s: float
    ) -> list[Request]:
        free = [ready_s] * _CHANNELS
        done = []
        for number in range(burst.reads):
            channel = number % _CHANNELS
            free[channel] += self.service_ms(rng, rest_s) / 1e3
            done.append(Request(burst.at_s, free[channel]))
        return done

    def _in_turn(
        self, rng: random.Random, burst: Burst, ready_s: float, rest_s: float
    ) -> list[Request]:
        done, start_s, end_s = [], burst.at_s, ready_s
        for _ in range(burst.reads):
            end_s += self.service_ms(rng, rest_s) / 1e3
            done.append(Request(start_s, end_s))
            start_s = end_s = end_s + 5e-5
            rest_s = 0.0
        return done


@dataclass(frozen=True)
class Watched:
    """What is measured of the game, and what its frames do.

    ``group``: it has a control group of its own, whose pressure tells its waits. ``bytes``: what
    it reads is known. ``after_ms``: what a frame that waited still has to do when it goes on.
    """

    group: bool = False
    bytes: bool = True
    after_ms: float = 0.0


def play(
    drive: SimulatedDrive,
    bursts: Sequence[Burst],
    seconds: float,
    seed: int,
    game: Watched = Watched(),
) -> Assessment:
    """What is said at the end of a stream of so many seconds."""
    rng = random.Random(seed)  # noqa: S311  the same drive for the same seed
    requests, waits = drive.serve(rng, bursts)
    assessor = Assessor(None, None)
    deriver = Deriver(_METRICS)
    stream = _Stream(drive, requests, waits, game, bursts)
    for layout in stream.layouts:
        deriver.accept_layout(layout)
        assessor.accept_layout(layout)
    frames = _frames(rng, waits, seconds, game)
    for number in range(round(seconds * 10)):
        at_s = number / 10 + min(rng.expovariate(1 / 0.0004), 0.02)
        assessor.accept_metrics(deriver.derive(stream.sample(number, at_s)))
        ended = []
        while frames and frames[0][0] <= at_s:
            ended.append(frames.popleft())
        if ended:
            ends = tuple(START_NS + round(end * 1e9) for end, _ in ended)
            assessor.accept_frames(
                Frames("mangohud", ends, tuple(round(length * 1e6) for _, length in ended))
            )
    return assessor.assess()


def _frames(
    rng: random.Random, waits: Sequence[tuple[float, float]], seconds: float, game: Watched
) -> deque[tuple[float, float]]:
    """End and length of each frame: one in which the game waits is longer by that."""
    frames: deque[tuple[float, float]] = deque()
    now_s, left = 0.0, deque(waits)
    while now_s < seconds:
        length_s = rng.gauss(_FRAME_S, 0.0004)
        while left and left[0][0] < now_s + length_s:
            start_s, end_s = left.popleft()
            waited_s = max(end_s - max(start_s, now_s), 0.0)
            length_s += waited_s + (game.after_ms / 1e3 if waited_s >= _FELT_S else 0.0)
        now_s += length_s
        frames.append((now_s, length_s))
    return frames


class _Stream:
    """The counters of the drive and of the game at any moment, which only goes on."""

    def __init__(
        self,
        drive: SimulatedDrive,
        requests: Sequence[Request],
        waits: Sequence[tuple[float, float]],
        game: Watched,
        bursts: Sequence[Burst],
    ) -> None:
        self._drive, self._game = drive, game
        self._ended = list(requests)
        self._started = sorted(requests, key=lambda each: each.start_s)
        self._busy = _Union((each.start_s, each.end_s) for each in requests)
        self._waited = _Union(waits)
        self._asked = sorted(
            (burst for burst in bursts if burst.is_games), key=lambda burst: burst.at_s
        )
        self._done = {False: 0, True: 0}
        self._spent_ms = {False: 0.0, True: 0.0}
        self._begun = {False: 0, True: 0}
        self._read_bytes = 0
        disk = SOURCES["disk"].fields
        self.layouts = [Layout("disk", disk, (DRIVE,))]
        for source in _PRESSURES if game.group else _PRESSURES[:1]:
            self.layouts.append(Layout(source, SOURCES[source].fields, ("cpu", "io", "memory")))
        if game.bytes:
            self.layouts.append(Layout("game_status", SOURCES["game_status"].fields))

    def sample(self, number: int, at_s: float) -> Sample:
        """What is read at that moment; the game's bytes once a second."""
        now_ns = START_NS + round(at_s * 1e9)
        readings = [Reading("disk", now_ns, _row("disk", self._disk(at_s)))]
        waited_us = round(self._waited.until(at_s) * 1e6)
        for source in _PRESSURES if self._game.group else _PRESSURES[:1]:
            rows = [_row(source, {"some_us": each}) for each in (0, waited_us, 0)]
            readings.append(Reading(source, now_ns, (*rows[0], *rows[1], *rows[2])))
        if self._game.bytes and number % 10 == 0:
            while self._asked and self._asked[0].at_s <= at_s:
                self._read_bytes += READ_BYTES * self._asked.pop(0).reads
            status = {"read_bytes": self._read_bytes, "write_bytes": 0}
            readings.append(Reading("game_status", now_ns, _row("game_status", status)))
        return Sample(now_ns, 0, 500, 10, tuple(readings))

    def _disk(self, at_s: float) -> dict[str, int]:
        while self._ended and self._ended[0].end_s <= at_s:
            request = self._ended.pop(0)
            self._done[request.is_write] += 1
            self._spent_ms[request.is_write] += (request.end_s - request.start_s) * 1e3
        while self._started and self._started[0].start_s <= at_s:
            self._begun[self._started.pop(0).is_write] += 1
        reads, writes = self._done[False], self._done[True]
        jiffy_ms = self._drive.jiffy_ms
        return {
            "reads": reads,
            "sectors_read": reads * (READ_BYTES // 512),
            "read_ms": int(self._spent_ms[False]),
            "writes": writes,
            "sectors_written": writes * (READ_BYTES // 512),
            "write_ms": int(self._spent_ms[True]),
            "io_ms": round(self._busy.until(at_s, jiffy_ms / 1e3) * 1e3),
            "weighted_ms": int(self._spent_ms[False] + self._spent_ms[True]),
            "reads_in_flight": self._begun[False] - reads,
            "writes_in_flight": self._begun[True] - writes,
        }


class _Union:
    """How long at least one of the spans lasted until a moment; moments only go on."""

    def __init__(self, spans: Iterable[tuple[float, float]]) -> None:
        self._spans: list[list[float]] = []
        for start_s, end_s in sorted(spans):
            if self._spans and start_s <= self._spans[-1][1]:
                self._spans[-1][1] = max(self._spans[-1][1], end_s)
            else:
                self._spans.append([start_s, end_s])
        self._passed_s = 0.0

    def until(self, at_s: float, step_s: float = 1e-9) -> float:
        """The sum until then, in whole steps of a clock that counts both ends of a span."""
        while self._spans and self._spans[0][1] <= at_s:
            start_s, end_s = self._spans.pop(0)
            self._passed_s += (end_s // step_s - start_s // step_s) * step_s
        if self._spans and self._spans[0][0] < at_s:
            return self._passed_s + (at_s // step_s - self._spans[0][0] // step_s) * step_s
        return self._passed_s


def _row(source: str, values: dict[str, int]) -> tuple[RawValue, ...]:
    return tuple(values.get(field, 0) for field in SOURCES[source].fields)
