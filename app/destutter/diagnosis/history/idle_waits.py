# SPDX-License-Identifier: GPL-3.0-or-later
"""How long drives took for reads just after a rest, and for reads without one.

A tick tells how many reads were answered and how long they took together, not when each began.
So a rest is as long as the ticks in which a drive did nothing at all, which is at most two ticks
less than it was; a lone read in the tick after another may have had a rest or none. A read that
is answered a tick after it began is told with the rest before it.
"""

import math
from collections import deque
from dataclasses import dataclass, replace

from destutter.core.metrics import Metrics

SPAN_NS = 300_000_000_000  # five minutes
# The X-Plane study counted slower requests, and its drive took 10 to 11 ms to wake up.
SLOW_READ_MS = 5.0

LONGEST_TICK_S = 0.2
"""A longer tick is no measurement of one pause."""

UNSURE_S = 0.2
"""Two ticks: by so much a rest may have been longer than is known."""

_RESTS_BELOW_PCT = 0.5  # diskstats tells whole milliseconds: one is 0.5 % of a tick of 200 ms
_MOST = 240  # of each kind and drive: bounds memory, and what the search for a pattern costs

_QUEUED_SHARE = 0.75
"""From this share of the reads on all are taken to have waited at once: jiffies tell no better."""

_IN_TURN = 1.5  # reads at once: one after the other has 1, and two beside each other 2
_PARALLEL = 2.0
"""A drive that answers so many reads at once is as quick as one that answers one in half of it."""

_NO_REST_IN = 4
"""So many ticks in a row in which reads were answered: hardly more than a tick between two."""

IDLE_METRICS = (
    "disk.reads_per_s",
    "disk.writes_per_s",
    "disk.busy_pct",
    "disk.read_await_ms",
    "disk.reads_in_flight",
    "game.pressure_some_pct",
    "pressure.some_pct",
)


@dataclass(frozen=True, slots=True)
class Waking:
    """The reads that ended a rest of at least ``rest_s``, at most ``UNSURE_S`` longer.

    ``reads`` took ``read_ms`` together, in which the drive was busy for ``busy_ms``. They began
    after ``start_ns`` and were answered until ``monotonic_ns``; meanwhile programs of the game's
    own group waited for drives for ``game_ms``, and programs of the whole computer for
    ``anybody_ms`` (None: not measured).
    """

    monotonic_ns: int
    start_ns: int
    rest_s: float
    reads: int
    read_ms: float
    busy_ms: float
    game_ms: float | None = None
    anybody_ms: float | None = None

    @property
    def queued(self) -> float:
        """How many reads waited at once while the drive was busy."""
        return self.read_ms / self.busy_ms if self.busy_ms > 0 else float(self.reads)

    @property
    def is_queue(self) -> bool:
        """Whether all its reads waited at once; a lone one does."""
        return self.reads == 1 or self.queued >= _QUEUED_SHARE * self.reads

    @property
    def is_in_turn(self) -> bool:
        """Whether there were several reads, one after the other."""
        return self.reads > 1 and self.queued < _IN_TURN

    def wait_ms(self, usual_ms: float | None) -> float | None:
        """How long the first read took; None where that cannot be told from the others.

        Those queued with it wait as long as it does, those asked for later take ``usual_ms``. The
        busy time tells how many it were: n that wait at once are n times their length together.
        It is counted in jiffies (``update_io_ticks`` in block/blk-core.c), up to 10 ms, so it
        decides how many, and the length comes from the sum. One after the other, a slow first
        read and several slow reads look the same as long as no usual time is known.
        """
        if self.is_queue:
            return self.read_ms / self.reads
        if usual_ms is None:
            return None
        waiting = max(round(self.queued), 1)
        return (self.read_ms - (self.reads - waiting) * usual_ms) / waiting


@dataclass(frozen=True, slots=True)
class RestHistory:
    """The last five minutes of a drive: reads after a rest, and times of reads without one, ms."""

    wakings: tuple[Waking, ...] = ()
    unrested_ms: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class _Tick:
    """What a drive did in one tick."""

    start_ns: int
    end_ns: int
    reads: int
    read_ms: float
    busy_ms: float
    has_reads_in_flight: bool
    has_writes: bool
    game_ms: float | None
    anybody_ms: float | None


class _Drive:
    """Follows one drive from rest to rest."""

    def __init__(self) -> None:
        self._rest_since: int | None = None
        self._begun: Waking | None = None
        self._had_reads_in_flight = False
        self._has_woken = False
        self._ticks_with_reads = 0
        self.wakings: deque[Waking] = deque(maxlen=_MOST)
        self.unrested: deque[tuple[int, float]] = deque(maxlen=_MOST)

    def interrupt(self) -> None:
        """Something was not measured: whether the drive rested is not known."""
        self._rest_since = None
        self._begun = None
        self._had_reads_in_flight = False
        self._has_woken = False
        self._ticks_with_reads = 0

    def rest(self, now_ns: int) -> None:
        """A tick in which it did nothing."""
        if self._rest_since is None:
            self.interrupt()
            self._rest_since = now_ns

    def work(self, tick: _Tick) -> None:
        """A tick in which it did something."""
        self._ticks_with_reads = self._ticks_with_reads + 1 if tick.reads else 0
        if self._begun is None and not self._had_reads_in_flight:
            since_ns = self._rest_since
            rest_s = 0.0 if since_ns is None else (tick.end_ns - since_ns) / 1e9
            self._begun = Waking(tick.end_ns, tick.start_ns, rest_s, 0, 0.0, 0.0)
        self._rest_since = None
        is_behind, self._has_woken = self._has_woken and self._had_reads_in_flight, False
        self._had_reads_in_flight = tick.has_reads_in_flight
        if tick.has_writes or not (tick.reads or tick.has_reads_in_flight):
            # A write or a flush may have woken it, and reads beside them take longer for that.
            self._begun = None
        elif self._begun is not None:
            self._begun = _longer(self._begun, tick)
            if tick.reads:
                self._answered(self._begun, tick)
                self._begun = None
        elif not is_behind or tick.read_ms < SLOW_READ_MS * tick.reads or _in_turn(tick):
            # What was queued behind a wake-up and is answered a tick later says nothing of reads
            # without a rest: it took longer than the drive was busy in this tick. With one read
            # that cannot be told, as busy time is counted in jiffies of up to 10 ms.
            self._note(tick)

    def _answered(self, waking: Waking, tick: _Tick) -> None:
        is_close = tick.reads > 1 or self._ticks_with_reads >= _NO_REST_IN
        if waking.rest_s > 0 or not is_close:
            self.wakings.append(waking)
            self._has_woken = True
        else:
            self._note(tick)

    def _note(self, tick: _Tick) -> None:
        """Keep what a read took without a rest; in a long queue they only wait for each other."""
        if not tick.reads:
            return
        await_ms = tick.read_ms / tick.reads
        if await_ms >= SLOW_READ_MS:
            await_ms = min(await_ms, _PARALLEL * tick.busy_ms / tick.reads)
        self.unrested.append((tick.end_ns, await_ms))


def _in_turn(tick: _Tick) -> bool:
    """Whether one read after the other was asked for and answered within a tick."""
    return tick.reads > 1 and tick.read_ms <= tick.busy_ms + 1.0


class IdleWaits:
    """Keeps for the last five minutes how each drive answered after a rest, and without one."""

    def __init__(self) -> None:
        self._drives: dict[str, _Drive] = {}
        self._before_ns = 0
        self.now_ns = 0

    def accept_metrics(self, metrics: Metrics) -> None:
        """Take in one tick of the drives; ticks without them are ignored."""
        rates = metrics.instanced.get("disk.reads_per_s")
        if rates is None:
            return
        self._before_ns, self.now_ns = self.now_ns, metrics.monotonic_ns
        is_known = metrics.gap is None and metrics.elapsed_s <= LONGEST_TICK_S
        for name, rate in rates.items():
            drive = self._drives.get(name)
            if drive is None:
                drive = self._drives[name] = _Drive()
            if not rate and _rests(metrics, name):
                drive.rest(self.now_ns)
            elif is_known and rate is not None:
                drive.work(_tick(metrics, name, self._before_ns))
            else:
                drive.interrupt()

    def history(self, name: str) -> RestHistory:
        """That of a drive, in order of time."""
        drive = self._drives.get(name)
        if drive is None:
            return RestHistory()
        since_ns = self.now_ns - SPAN_NS
        while drive.wakings and drive.wakings[0].monotonic_ns < since_ns:
            drive.wakings.popleft()
        while drive.unrested and drive.unrested[0][0] < since_ns:
            drive.unrested.popleft()
        return RestHistory(tuple(drive.wakings), tuple(ms for _, ms in drive.unrested))

    def newest(self, name: str) -> Waking | None:
        """The last time that a drive was asked after a rest."""
        drive = self._drives.get(name)
        return drive.wakings[-1] if drive is not None and drive.wakings else None


def _rests(metrics: Metrics, name: str) -> bool:
    if _value(metrics, "disk.writes_per_s", name) > 0:
        return False
    is_asked = _value(metrics, "disk.reads_in_flight", name) > 0
    return not is_asked and _value(metrics, "disk.busy_pct", name) < _RESTS_BELOW_PCT


def _tick(metrics: Metrics, name: str, before_ns: int) -> _Tick:
    elapsed_s = metrics.elapsed_s
    reads = round(_value(metrics, "disk.reads_per_s", name) * elapsed_s)
    return _Tick(
        before_ns,
        metrics.monotonic_ns,
        reads,
        _value(metrics, "disk.read_await_ms", name) * reads,
        _value(metrics, "disk.busy_pct", name) * elapsed_s * 10.0,
        _value(metrics, "disk.reads_in_flight", name) > 0,
        _value(metrics, "disk.writes_per_s", name) > 0,
        _waited_ms(metrics, "game.pressure_some_pct"),
        _waited_ms(metrics, "pressure.some_pct"),
    )


def _value(metrics: Metrics, metric: str, name: str) -> float:
    """A measurement of one drive; 0 where there is none, as for a drive that does nothing."""
    value = metrics.instanced.get(metric, {}).get(name)
    return value if value is not None and math.isfinite(value) and value > 0 else 0.0


def _waited_ms(metrics: Metrics, metric: str) -> float | None:
    share_pct = metrics.instanced.get(metric, {}).get("io")
    if share_pct is None or not math.isfinite(share_pct):
        return None
    return share_pct * metrics.elapsed_s * 10.0


def _longer(begun: Waking, tick: _Tick) -> Waking:
    """The same with one more tick."""
    return replace(
        begun,
        monotonic_ns=tick.end_ns,
        reads=tick.reads,
        read_ms=tick.read_ms,
        busy_ms=begun.busy_ms + tick.busy_ms,
        game_ms=_sum(begun.game_ms, tick.game_ms),
        anybody_ms=_sum(begun.anybody_ms, tick.anybody_ms),
    )


def _sum(before: float | None, more: float | None) -> float | None:
    return more if before is None else before if more is None else before + more
