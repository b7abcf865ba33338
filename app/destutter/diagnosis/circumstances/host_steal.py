# SPDX-License-Identifier: GPL-3.0-or-later
"""What the host of a virtual machine took from the game within one stutter."""

from collections.abc import Sequence

from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import LATE_NS, LOOK_NS, Tick, TickLog

_LOOK_BACK_NS = 10_000_000_000  # a host that has taken for longer takes without any crowd
_NO_STEAL_PCT = 1.0  # where the rule for steal begins (causes/kernel_work.py)
_REST_TICKS = (
    3  # steal that comes and goes within 300 ms is one: what it left to do crowds between
)
_CROWDED_TICKS = 2  # a single one may have begun within it
_FULL_PCT = 75.0  # of all processors; below it those in line could have run on another one
_IN_LINE_PCT = 50.0  # of a tick; less is a wake-up that queues for a moment, and no crowd
_BEYOND_USUAL_PCT = 25.0  # frames were in time beside a crowd that is always there


def stolen_ms(log: TickLog, spike: Spike, ticks: Sequence[Tick]) -> float:
    """How long the host kept a thread from running that wanted to run all through a stutter.

    A processor without work is not taken from anybody, so the host's part of the time in which
    processors were wanted is what such a thread lost, and never more than was taken of all of them
    together. Of a tick that reaches beyond the stutter only that part counts: a host that takes
    its share all the time took it outside as well. Where the counter may be read late, that span
    counts which has most.

    Nothing where steal began after a crowd had stood in line without any. Such a host takes no
    more than the crowd asked for beyond what it grants to the whole virtual machine (a quota of
    its group, or another machine's equal share), and without the crowd would have taken nothing.
    """
    offsets = {
        0,
        *(tick.start_ns - spike.start_ns for tick in ticks),
        *(tick.end_ns - spike.monotonic_ns for tick in ticks),
    }
    # Steal is booked when the processor runs again, and read up to a tick later.
    near = [each for each in offsets if -LOOK_NS <= each <= LATE_NS]
    most = max(_within(ticks, spike, offset, log.cores) for offset in near)
    return 0.0 if most <= 0.0 or _follows_a_crowd(log, spike) else most


def _within(ticks: Sequence[Tick], spike: Spike, offset_ns: int, cores: int) -> float:
    start_ns, end_ns = spike.start_ns + offset_ns, spike.monotonic_ns + offset_ns
    return sum(
        _share(tick, cores) * max(min(tick.end_ns, end_ns) - max(tick.start_ns, start_ns), 0) / 1e6
        for tick in ticks
    )


def _share(tick: Tick, cores: int) -> float:
    """The part of a tick that a thread lost which wanted to run in all of it."""
    steal, busy = tick.values.get("cpu.steal_pct", 0.0), tick.values.get("cpu.busy_pct", 0.0)
    # The time of work includes what was taken meanwhile.
    of_wanted = steal / busy if busy > 0.0 else 0.0
    return min(of_wanted, steal / 100.0 * max(cores, 1), 1.0)


def _follows_a_crowd(log: TickLog, spike: Spike) -> bool:
    """Whether somebody stood in line for a full computer before the host began to take time.

    A crowd that is there all the time says nothing: frames were in time beside it.
    """
    ticks = log.between(spike.start_ns - _LOOK_BACK_NS, spike.monotonic_ns)
    is_taken = [tick.values.get("cpu.steal_pct", 0.0) >= _NO_STEAL_PCT for tick in ticks]
    if True not in is_taken:
        return False
    begin = len(ticks) - 1 - is_taken[::-1].index(True)
    while True in is_taken[max(begin - _REST_TICKS, 0) : begin]:
        begin -= 1
    before = ticks[max(begin - _CROWDED_TICKS, 0) : begin]
    usual = log.usual(("pressure.some_pct", "cpu")) or 0.0
    least = max(_IN_LINE_PCT, usual + _BEYOND_USUAL_PCT)
    return len(before) == _CROWDED_TICKS and all(
        tick.values.get("cpu.busy_pct", 0.0) >= _FULL_PCT
        and (tick.get(("pressure.some_pct", "cpu")) or 0.0) >= least
        for tick in before
    )
