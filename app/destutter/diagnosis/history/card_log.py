# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a graphics card worked within a stutter, from the stretches that its driver counts.

Read once a second, a card's load says nothing of a stutter of 300 ms: of eleven frames that the
card drew for 311 ms each, the load showed three. The driver keeps the mean of each fifth of a
second (NVML's samples), and what of those lies within the stutter can be told as for ticks.
"""

import statistics
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from destutter.core.metrics import Metrics
from destutter.diagnosis.finding import Spike

_KEPT_NS = 60_000_000_000  # as the ticks (tick_log.py)
_USUAL = 150  # stretches: half a minute of five a second
_ENOUGH = 10  # two seconds; of fewer a stutter is what is usual
# Deviations that a stretch beside the stutter may have by chance: the frames of a game differ, and
# a short stutter is only a part of the stretches that it overlaps.
_BY_CHANCE = 3.0
_APART_NS = 20_000_000  # NVML's stamps are some ms off


@dataclass(frozen=True, slots=True)
class CardWork:
    """What a graphics card did within a stutter.

    ``ms`` is how long it worked at least, ``usual`` the share of time that it works anyhow.
    ``others`` are the programs besides the game that had work on it in that second, as "PID NAME"
    with their percent of it, the one with most first.
    """

    card: str
    ms: float
    usual: float
    others: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Stretch:
    """How much of a stretch of time a card worked, as a share."""

    start_ns: int
    end_ns: int
    busy: float

    @property
    def length_ms(self) -> float:
        return (self.end_ns - self.start_ns) / 1e6


class CardLog:
    """The stretches of the last minute, and who had work on a card."""

    def __init__(self) -> None:
        self._cards: dict[str, deque[Stretch]] = {}
        self._users: deque[tuple[int, Mapping[str, float]]] = deque()

    def accept_metrics(self, metrics: Metrics) -> None:
        """Take in a reading of the cards, where a sample carries one."""
        if "gpu_stretch.busy_pct" in metrics.instanced:
            for card, stretch in stretches_of(metrics.instanced):
                known = self._cards.setdefault(card, deque())
                # Each reading has some of the stretches of the one before as well.
                if not known or stretch.end_ns > known[-1].end_ns + _APART_NS:
                    known.append(stretch)
        if users := metrics.instanced.get("gpu_process.used_pct"):
            found = {name: used for name, used in users.items() if used is not None}
            self._users.append((metrics.monotonic_ns, found))
        oldest_ns = metrics.monotonic_ns - _KEPT_NS
        for stretches in self._cards.values():
            while stretches and stretches[0].end_ns < oldest_ns:
                stretches.popleft()
        while self._users and self._users[0][0] < oldest_ns:
            self._users.popleft()

    def work(self, spike: Spike, game_pid: str, known_within_ns: int) -> CardWork | None:
        """What the card that worked longest did; None where not all of the stutter is counted.

        Who used it is read up to ``known_within_ns`` after the end of the stutter.
        """
        found = [
            work
            for card, stretches in self._cards.items()
            if (work := _work(card, stretches, spike)) is not None
        ]
        if not found:
            return None
        most = max(found, key=lambda each: each.ms)
        until_ns = spike.monotonic_ns + known_within_ns
        return CardWork(
            most.card, most.ms, most.usual, self._others(spike.start_ns, until_ns, game_pid)
        )

    def _others(self, start_ns: int, end_ns: int, game_pid: str) -> tuple[tuple[str, float], ...]:
        most: dict[str, float] = {}
        for at_ns, users in self._users:
            if start_ns <= at_ns <= end_ns:
                for name, used in users.items():
                    most[name] = max(most.get(name, 0.0), used)
        others = (pair for pair in most.items() if pair[0].partition(" ")[0] != game_pid)
        return tuple(sorted(others, key=lambda pair: -pair[1]))


def stretches_of(
    instanced: Mapping[str, Mapping[str, float | None]],
) -> Iterator[tuple[str, Stretch]]:
    """Card and stretch of a reading, the oldest first; some were in the one before as well."""
    ends = instanced.get("gpu_stretch.end_s", {})
    lengths = instanced.get("gpu_stretch.length_ms", {})
    rows = []
    for name, busy in instanced["gpu_stretch.busy_pct"].items():
        end_s, length_ms = ends.get(name), lengths.get(name)
        if busy is None or end_s is None or length_ms is None:
            continue
        end_ns = round(end_s * 1e9)
        start_ns = end_ns - round(length_ms * 1e6)
        rows.append((name.rpartition("/")[0], Stretch(start_ns, end_ns, busy / 100.0)))
    yield from sorted(rows, key=lambda row: row[1].end_ns)


def _work(card: str, stretches: Sequence[Stretch], spike: Spike) -> CardWork | None:
    met = [
        each
        for each in stretches
        if each.end_ns > spike.start_ns and each.start_ns < spike.monotonic_ns
    ]
    latest = [each.busy for each in list(stretches)[-_USUAL:]]
    if len(latest) < _ENOUGH or not _is_whole(met, spike):
        return None
    usual = statistics.median(latest)
    spread = statistics.median(abs(each - usual) for each in latest)
    worked_ms = sum(each.busy * each.length_ms for each in met)
    outside_ms = max(sum(each.length_ms for each in met) - spike.duration_ms, 0.0)
    beside_ms = min(usual + _BY_CHANCE * spread, 1.0) * outside_ms
    ms = min(max(worked_ms - beside_ms, 0.0), spike.duration_ms)
    return CardWork(card, ms, usual)


def _is_whole(met: Sequence[Stretch], spike: Spike) -> bool:
    """Whether the stretches cover the stutter, one after the other."""
    if not met or met[0].start_ns > spike.start_ns or met[-1].end_ns < spike.monotonic_ns:
        return False
    return all(later.start_ns - each.end_ns <= _APART_NS for each, later in pairwise(met))
