# SPDX-License-Identifier: GPL-3.0-or-later
"""What was measured within a stutter that speaks for the wait that is told of it.

A rule (``CauseSpec.limits``) judges whole seconds of the computer; here a wait is known already,
and a figure is shown where it is large enough to speak for it.
"""

from collections.abc import Iterator

from destutter.core.metric_table import METRIC_BY_ID
from destutter.diagnosis.blame.blame import Blame, WhereTimeWent
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.kernel_time import (
    SOME_SWAPPED,
    is_evicted,
    is_paged,
    paged_ms,
)
from destutter.diagnosis.finding import Evidence, Spike
from destutter.diagnosis.shares import A_GOOD_PART, LIMIT_HITS_PER_S

_MOST = 4  # a card has room for four figures (ui/causes/finding_words.py)
_PART_PCT = 100.0 * A_GOOD_PART
PART_MS_PER_S = 10.0 * _PART_PCT
_REALTIME_MS_PER_S = 300.0  # as nearest_cause.py asks of a real-time program
_LONG_REQUEST_MS = 20.0  # above what any drive needs that is awake and alone: a hard disk 8 to 15
_IN_QUEUE = 1.0  # whoever waits for a drive has one request in it
_FAULTS_PER_S = 20.0  # two in a tick
_STALLS_PER_S = LIMIT_HITS_PER_S  # one in a stutter of 200 ms
_COMPACTIONS_PER_S = 1.0  # each is a wait by itself
# A megabyte a second, in pages of 4 KiB.
_PAGES_PER_S = 256.0
_MINOR_FAULTS_PER_S = 1000.0  # a hundred in a tick


def evidence(spike: Spike, met: Circumstances, told: Blame) -> tuple[Evidence, ...]:
    """What the game waited, and what the drive or the kernel did meanwhile."""
    figures = [*_of_game(met, told), *_of_resource(met, told), *_of_others(met, told)]
    if told.thread and met.waiters.get(told.thread):
        figures.append(("thread.waiting", "", 1.0, 1.0, told.thread))
    # What stayed below its own threshold does not speak for the finding.
    speaking = (each for each in figures if each[2] >= each[3])
    shown = [
        Evidence(metric, unit, value, least, spike.monotonic_ns, name)
        for metric, unit, value, least, name in speaking
    ]
    return tuple(shown[:_MOST])


_Figure = tuple[str, str, float, float, str | None]
"""Metric, unit, value, the least that speaks for the wait, and of what."""


def _of_game(met: Circumstances, told: Blame) -> Iterator[_Figure]:
    """What the game itself was measured to wait."""
    if told.where is not WhereTimeWent.CPU:
        if met.own_ms is not None:
            own = _share_pct(met, met.own_ms.get(_resource(told), 0.0))
            yield "game.pressure_some_pct", "%", own, _PART_PCT, _resource(told)
        return
    thread, delayed_ms = met.delayed
    delay = min(_per_second(met, delayed_ms), 1000.0)  # of one thread
    metric = "worker.run_delay_ms_per_s" if thread else "game.run_delay_ms_per_s"
    yield metric, "ms/s", delay, PART_MS_PER_S, thread or None
    program, ran_ms = met.realtime
    ran = _per_second(met, ran_ms)
    yield "realtime.run_ms_per_s", "ms/s", ran, _REALTIME_MS_PER_S, program or None


def _of_resource(met: Circumstances, told: Blame) -> Iterator[_Figure]:
    """What the drive or the memory that it waited for had to do."""
    if told.where is WhereTimeWent.STORAGE:
        yield from _of_drive(met, told)
    if told.where is WhereTimeWent.MEMORY:
        yield from _of_memory(met)
    if told.where is WhereTimeWent.GPU and met.card is not None:
        worked = _share_pct(met, met.card.ms)
        yield "gpu_stretch.busy_pct", "%", worked, _PART_PCT, met.card.card


def _of_drive(met: Circumstances, told: Blame) -> Iterator[_Figure]:
    """What the drive had to do, or the limit that kept the game's requests from it."""
    limit = met.drive_limit
    if limit is not None and met.is_limited(told.ms):
        if limit.drive:
            yield limit.metric, METRIC_BY_ID[limit.metric].unit, limit.value, 0.0, limit.drive
        return
    if is_evicted(met) and met.span_ms:
        rate = met.refaults / met.span_ms * 1e3
        yield "memory.refault_file_per_s", "pages/s", rate, _PAGES_PER_S, None
    load = met.loads.get(met.drive)
    metric = "disk.write_await_ms" if met.is_write else "disk.read_await_ms"
    yield metric, "ms", met.await_ms, _LONG_REQUEST_MS, met.drive or None
    if load is not None:
        yield "disk.queue_depth", "requests", load.requests, _IN_QUEUE, met.drive
    yield "game.major_faults_per_s", "/s", _of_ticks(met, met.faults), _FAULTS_PER_S, None


def _of_memory(met: Circumstances) -> Iterator[_Figure]:
    """What was brought back from swap, freed and moved."""
    if is_paged(met) and met.span_ms:
        faults = met.minor_faults / met.span_ms * 1e3
        worked = _per_second(met, paged_ms(met))
        yield "game.swap_bytes", "B", met.own_swapped or 0.0, SOME_SWAPPED, None
        yield "game.page_faults_per_s", "/s", faults, _MINOR_FAULTS_PER_S, None
        yield "game.system_ms_per_s", "ms/s", worked, PART_MS_PER_S, None
        swapped = _of_ticks(met, met.swap_outs)
        yield "memory.swap_out_per_s", "pages/s", swapped, _PAGES_PER_S, None
    yield "memory.allocstall_per_s", "/s", _of_ticks(met, met.allocstalls), _STALLS_PER_S, None
    yield "cgroup.limit_events_per_s", "/s", met.limit_hits, _STALLS_PER_S, None
    moved = _of_ticks(met, met.compactions)
    yield "memory.compact_stall_per_s", "/s", moved, _COMPACTIONS_PER_S, None


def _of_others(met: Circumstances, told: Blame) -> Iterator[_Figure]:
    """What somebody on this computer waited for; of a game with its own group it says nothing."""
    if told.where is WhereTimeWent.STORAGE and met.own_ms is not None:
        return
    lost = _share_pct(met, met.lost_ms.get(_resource(told), 0.0))
    yield "pressure.some_pct", "%", lost, _PART_PCT, _resource(told)


def _resource(told: Blame) -> str:
    return "io" if told.where is WhereTimeWent.STORAGE else told.where.value


def _share_pct(met: Circumstances, ms: float) -> float:
    return 100.0 * ms / met.duration_ms if met.duration_ms else 0.0


def _of_ticks(met: Circumstances, count: float) -> float:
    """The rate of what all the ticks that a stutter overlaps have, which are longer than it."""
    return count / max(met.span_ms, met.duration_ms, 1.0) * 1e3


def _per_second(met: Circumstances, count: float) -> float:
    return count / met.duration_ms * 1e3 if met.duration_ms else 0.0
