# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured waits of the game's threads against its frames: does a frame wait for them?

Each tick of a cause says how long a thread of the game stood still in it. A thread that loads
ahead, or that writes a log, may wait for seconds and no frame is late; that its wait falls into a
stutter now and then says nothing then.
"""

from collections.abc import Iterable, Sequence

from destutter.diagnosis.causes.detector import Moment
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import LATE_NS
from destutter.diagnosis.stutters.spikes import FRAMELESS_ORIGINS

_AS_LONG = 0.8  # ticks cut waits anywhere: one that reads a fifth less is still as long
_SAME_WAIT_NS = 150_000_000  # ticks are 100 ms apart
_CLUSTER_NS = 1_250_000_000  # long frames of a second are one stutter, and its end may be later
_FEW = 3  # an engine that loads ahead hides one wait and another

Stall = tuple[int, float]
"""The end of a tick, and how many milliseconds of it were waited."""


def within(moments: Iterable[Moment], spike: Spike) -> list[float]:
    """The stalls of the ticks that overlap a stutter; a wait may be read one tick after it."""
    end_ns = spike.monotonic_ns + LATE_NS
    return [
        ms
        for moment in moments
        for at_ns, ms in moment.signal.stalls
        if spike.start_ns <= at_ns <= end_ns
    ]


def are_felt(
    direct: Sequence[tuple[Spike, Sequence[Moment]]],
    moments: Iterable[Moment],
    felt: Sequence[Spike],
) -> bool:
    """Whether waits as long as those within stutters make a frame late wherever they are.

    No, when more of them met neither stutter nor hitch between the first and the last of those
    than met a stutter. Always yes where frames are not known, and of less than three such waits:
    an engine that loads ahead hides one.
    """
    if not felt or any(spike.origin in FRAMELESS_ORIGINS for spike in felt):
        return True
    inside = [found for spike, overlapping in direct if (found := within(overlapping, spike))]
    if not inside:
        return True
    least_tick_ms = _AS_LONG * min(max(found) for found in inside)
    least_ms = _AS_LONG * min(sum(found) for found in inside)
    waits = _waits(moments, least_tick_ms)
    unfelt = sum(
        sum(ms for _, ms in wait) >= least_ms and not _meets_any(wait, felt) for wait in waits
    )
    return unfelt < _FEW or unfelt <= len(inside)


def _waits(moments: Iterable[Moment], least_ms: float) -> list[list[Stall]]:
    """The waits of ticks that each have so much; those that follow each other are one."""
    ticks = {at_ns: ms for moment in moments for at_ns, ms in moment.signal.stalls}
    waits: list[list[Stall]] = []
    for at_ns, ms in sorted(ticks.items()):
        if ms < least_ms:
            continue
        if waits and at_ns - waits[-1][-1][0] <= _SAME_WAIT_NS:
            waits[-1].append((at_ns, ms))
        else:
            waits.append([(at_ns, ms)])
    return waits


def _meets_any(wait: Sequence[Stall], felt: Sequence[Spike]) -> bool:
    begin_ns, end_ns = wait[0][0] - _CLUSTER_NS, wait[-1][0] + _CLUSTER_NS
    if begin_ns < felt[0].start_ns or end_ns > felt[-1].monotonic_ns:
        return True  # while the game loads there is no frame that could be late
    return any(spike.start_ns <= end_ns and spike.monotonic_ns >= begin_ns for spike in felt)
