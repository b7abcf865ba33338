# SPDX-License-Identifier: GPL-3.0-or-later
"""What the processes did within a stutter for which the game waited, and what that means.

A main thread in a futex that nobody of its own explains may wait for one that shares memory with
the game, and one in a pipe or socket waits for whoever is at its other end. It is told only
where the partner itself was measured to be kept, or to compute, for most of the stutter, and out
of the ordinary: one that is always stopped, or always waits for a core, holds nobody up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from destutter.diagnosis.circumstances.span import StutterSpan
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import LOOK_NS, Tick, TickLog

_AFTER_NS = 1_000_000_000  # who goes on later than that was not what the stutter waited for
_HISTORY_NS = 30_000_000_000  # as long as they are followed after a wait (sampling)
_ENOUGH = 10  # ticks: the lowest quarter of fewer is a single value or two
_RUN, _DELAY = "partner.cpu_ms_per_s", "partner.run_delay_ms_per_s"
_STOPPED, _STORAGE = "partner.stopped", "partner.in_storage"
_BYTES, _AT_END = "partner.io_bytes_per_s", "partner.at_end"
_ASKING, _NAPPING = "partner.asking", "partner.napping"


@dataclass(frozen=True, slots=True)
class Partner:
    """One process; times in ms within the stutter, of the thread that had most, and by share of
    all time what such a thread has anyhow.

    ``looks`` are the ticks within the stutter in which it was followed, of ``of_looks`` in all,
    ``in_storage`` those of them in which one of its threads slept in storage, and ``stopped``
    those of ``stopped_of`` in which it stood still: of these none that only touches the stutter,
    for one that went on ends it at once. ``went_on``: soon after the stutter it was not stopped
    any more.
    ``moved_bytes`` is what it read and wrote in the ticks that the stutter overlaps.
    ``is_at_end``: a pipe or socket joins it to the game, and no memory; ``asking`` and ``napping``
    are the looks that found its first thread asleep for an answer, and on a timer. ``delayed`` and
    ``sleeper`` are the rows of the threads that had most delay, and that slept in storage.
    """

    pid: int
    name: str
    looks: int = 0
    of_looks: int = 0
    stopped: int = 0
    stopped_of: int = 0
    went_on: bool = False
    in_storage: int = 0
    storage_usual: float = 0.0
    delay_ms: float = 0.0
    delay_usual: float = 0.0
    run_ms: float = 0.0
    run_usual: float = 0.0
    moved_bytes: float = 0.0
    is_at_end: bool = False
    asking: int = 0
    napping: int = 0
    delayed: str = ""
    sleeper: str = ""


def partners(
    log: TickLog, spike: Spike, span: StutterSpan, ticks: Sequence[Tick]
) -> tuple[Partner, ...]:
    """Those that were followed within a stutter."""
    threads: dict[int, list[str]] = {}
    for name in sorted({name for tick in ticks for name in tick.instanced.get(_STOPPED, ())}):
        threads.setdefault(_pid(name), []).append(name)
    if not threads:
        return ()
    looks = _Looks(log, spike, span, ticks)
    return tuple(looks.partner(pid, names) for pid, names in threads.items())


class _Looks:
    """What the ticks around one stutter have of partners."""

    def __init__(
        self, log: TickLog, spike: Spike, span: StutterSpan, ticks: Sequence[Tick]
    ) -> None:
        self._span = span
        end_ns = spike.monotonic_ns
        self._spike = spike
        self._inside = [
            tick for tick in ticks if spike.start_ns - LOOK_NS <= tick.end_ns <= end_ns + LOOK_NS
        ]
        self._after = log.between(end_ns, end_ns + _AFTER_NS)
        self._before = log.between(spike.start_ns - _HISTORY_NS, spike.start_ns)
        self._outside_s = max(sum(t.length_s for t in ticks) - spike.duration_ms / 1e3, 0.0)
        self._longest_ms = spike.duration_ms

    def partner(self, pid: int, names: Sequence[str]) -> Partner:
        """One process by the names of its threads."""
        first = next((name for name in names if name.startswith(f"{pid}/{pid} ")), names[0])
        followed = [tick for tick in self._inside if first in tick.instanced.get(_STOPPED, {})]
        whole = [tick for tick in followed if self._is_within(tick)] or followed
        slept = [[*_marked(tick, _STORAGE, names)] for tick in followed]
        sleeper = next((each[0] for each in slept if each), "")
        delay_ms, delay_usual, delayed = self._longest(_DELAY, names)
        run_ms, run_usual, _ = self._longest(_RUN, names)
        return Partner(
            pid,
            first.partition(" ")[2],
            looks=len(followed),
            of_looks=len(self._inside),
            stopped=sum(bool(tick.instanced[_STOPPED][first]) for tick in whole),
            stopped_of=len(whole),
            went_on=any(
                not tick.instanced[_STOPPED][first]
                for tick in self._after
                if first in tick.instanced.get(_STOPPED, {})
            ),
            in_storage=sum(map(bool, slept)),
            storage_usual=self._usual(_STORAGE, sleeper) if sleeper else 0.0,
            delay_ms=delay_ms,
            delay_usual=delay_usual,
            run_ms=run_ms,
            run_usual=run_usual,
            moved_bytes=self._span.total_of(_BYTES, first),
            is_at_end=any(tick.instanced.get(_AT_END, {}).get(first) for tick in followed),
            asking=_looks_with(followed, _ASKING, first),
            napping=_looks_with(followed, _NAPPING, first),
            delayed=delayed,
            sleeper=sleeper,
        )

    def _is_within(self, tick: Tick) -> bool:
        return self._spike.start_ns <= tick.end_ns <= self._spike.monotonic_ns

    def _longest(self, metric: str, names: Sequence[str]) -> tuple[float, float, str]:
        """The most of a time that a thread had within the stutter, its usual share of all, and
        its row.
        """
        found = []
        for name in names:
            usual = self._usual(metric, name)
            beyond_ms = self._span.total_of(metric, name) - usual * self._outside_s
            found.append((min(max(beyond_ms, 0.0), self._longest_ms), usual / 1e3, name))
        return max(found)

    def _usual(self, metric: str, name: str) -> float:
        """What it has while all is well: the lowest quarter of the last half minute ends there.

        Partners are followed only while the game waits for somebody, so that half of what is known
        of one may be of stutters. 0 while too little is known.
        """
        known = [value for tick in self._before if (value := tick.get((metric, name))) is not None]
        return sorted(known)[len(known) // 4] if len(known) >= _ENOUGH else 0.0


def _looks_with(ticks: Sequence[Tick], metric: str, name: str) -> int:
    return sum(bool(tick.instanced.get(metric, {}).get(name)) for tick in ticks)


def _marked(tick: Tick, metric: str, names: Sequence[str]) -> Iterator[str]:
    row = tick.instanced.get(metric, {})
    return (name for name in names if row.get(name))


def _pid(name: str) -> int:
    number = name.partition("/")[0]
    return int(number) if number.isdecimal() else 0
