# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel's trace told of the last minutes' stutters: who waited, and which requests.

In constant memory: of each look only what was long is in the stream, and of that the last so many
are kept.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from destutter.core.traced import SlowRequest, TracedWait, TraceLook
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import LOOK_NS

_MOST_KEPT = 4000
"""Of each kind: ten minutes of a game that waits seven times a second."""
_MOST_TOLD = 8
_Told = TypeVar("_Told", TracedWait, SlowRequest)


@dataclass(frozen=True, slots=True)
class TracedInside:
    """What lies within some stutters, the longest first."""

    waits: tuple[TracedWait, ...] = ()
    requests: tuple[SlowRequest, ...] = ()


class LongestWaits:
    """Keeps waits of the game's threads and requests of anybody to drives."""

    def __init__(self) -> None:
        self._waits: deque[TracedWait] = deque(maxlen=_MOST_KEPT)
        self._requests: deque[SlowRequest] = deque(maxlen=_MOST_KEPT)

    def accept_looks(self, looks: Iterable[TraceLook], game_pid: str) -> None:
        """Take in what was found while the game had this number; empty: there was none."""
        for look in looks:
            self._requests.extend(look.requests)
            if game_pid:
                self._waits.extend(each for each in look.waits if str(each.thread.pid) == game_pid)

    def within(self, spikes: Sequence[Spike]) -> TracedInside:
        """What overlaps with any of these stutters."""
        spans = _apart(spikes)
        ends_ns = [end_ns for _, end_ns in spans]

        def is_inside(each: TracedWait | SlowRequest) -> bool:
            at = bisect_right(ends_ns, each.begin_ns)
            return at < len(spans) and spans[at][0] < each.begin_ns + each.duration_ns

        return TracedInside(
            _longest(filter(is_inside, self._waits)), _longest(filter(is_inside, self._requests))
        )


def _apart(spikes: Sequence[Spike]) -> list[tuple[int, int]]:
    """Begin and end of each in order, those that touch as one."""
    spans: list[tuple[int, int]] = []
    for begin_ns, end_ns in sorted(
        (spike.start_ns - LOOK_NS, spike.monotonic_ns + LOOK_NS) for spike in spikes
    ):
        if spans and begin_ns <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], end_ns)
        else:
            spans.append((begin_ns, end_ns))
    return spans


def _longest(found: Iterable[_Told]) -> tuple[_Told, ...]:
    return tuple(sorted(found, key=lambda each: -each.duration_ns)[:_MOST_TOLD])
