# SPDX-License-Identifier: GPL-3.0-or-later
"""For how long of a stutter anything was measured."""

from collections.abc import Iterator, Sequence

from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import Tick

_AT_ONCE_NS = 1_000_000  # between two ticks that follow each other, whose times are rounded
_OFF_NS = 100_000_000
"""The clock of a game's frames may be off by a tick."""


def covered_ms(spike: Spike, ticks: Sequence[Tick]) -> float:
    """What of a stutter lies in ticks. The rest is lost from a damaged recording, or was before
    its begin.
    """
    return (
        sum(
            max(0, min(end + _OFF_NS, spike.monotonic_ns) - max(start - _OFF_NS, spike.start_ns))
            for start, end in _spans(ticks)
        )
        / 1e6
    )


def _spans(ticks: Sequence[Tick]) -> Iterator[tuple[int, int]]:
    """Begin and end of ticks that follow each other at once."""
    start_ns = end_ns = None
    for tick in ticks:
        if start_ns is None or end_ns is None:
            start_ns = tick.start_ns
        elif tick.start_ns > end_ns + _AT_ONCE_NS:
            yield start_ns, end_ns
            start_ns = tick.start_ns
        end_ns = tick.end_ns
    if start_ns is not None and end_ns is not None:
        yield start_ns, end_ns
