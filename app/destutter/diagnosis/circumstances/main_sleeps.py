# SPDX-License-Identifier: GPL-3.0-or-later
"""For whom the main thread of the game slept, by who woke it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

from destutter.core.kernel_names import KWORKER, RING
from destutter.core.traced import LONG_SLEEP_NS, TracedSleep, TracedThread
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import LOOK_NS

Times: TypeAlias = tuple[int, int]
"""From when until when, in ns."""

USUAL_NS = 2_000_000_000
"""Before a stutter: so long it is looked at whether a thread waits or sleeps anyhow."""

_FAR_NS = 30_000_000_000  # and no further back, where stutters fill that
_SELDOM = 0.25  # of that: a main thread that draws at 30 Hz may sleep for 20 ms of each frame
_MOST_OF_IT = 0.5  # of a wait: one beside which the main thread slept for less is not judged by it
_AT_ONCE_NS = 500_000  # from the end of a request to the thread that it wakes


def parts_for(
    sleeps: Sequence[TracedSleep],
    thread: TracedThread,
    wait: Times,
    stutter: Spike,
    busy: Iterable[Times],
) -> list[Times]:
    """When of its wait the main thread may have waited for a thread.

    Not while that was ``busy``, nor in a sleep which was for others just then: a reader that woke
    who unpacks went on reading for itself, and 120 ms of unpacking were told as a wait for its
    drive 19 times of 19. Who fills a ring of requests may nap until it has the answer.
    """
    begin_ns, end_ns = wait
    tid = thread.tid
    if thread.name.startswith(RING):
        sleeps = [each for each in sleeps if each.woken_by]
    if not _may_be_for(sleeps, tid, begin_ns, end_ns, stutter):
        return []
    told = [each for each in sleeps if each.awaited]
    alone = (each for each in sleeps if not each.woken_by and not _ends_at(each, end_ns))
    asleep = ((each.begin_ns, _end_of(each)) for each in (*told, *alone))
    left = without([wait], (*asleep, *busy))
    mine = {
        (max(own.begin_ns, begin_ns), min(own.end_ns, end_ns))
        for each in told
        for own in each.awaited
        if own.tid == tid
    }
    return sorted((*left, *((first, last) for first, last in mine if first < last)))


def each_once(told: Iterable[TracedSleep]) -> list[TracedSleep]:
    """Of sleeps that are told again while they last, from the same begin on, the last one, with
    the looks of all.
    """
    found: dict[int, TracedSleep] = {}
    for each in told:
        before = found.get(each.begin_ns)
        looks = {look.end_ns: look for look in (*(before.looks if before else ()), *each.looks)}
        in_order = tuple(looks[at_ns] for at_ns in sorted(looks))
        found[each.begin_ns] = replace(each, looks=in_order)
    return list(found.values())


def until_the_end(sleep: TracedSleep, end_ns: int) -> Iterator[TracedSleep]:
    """The sleep, or if a frame ended in one of its looks the sleeps before and behind that.

    The kernel does not tell what the main thread looks for. One that leaves all work to others
    is woken by the last of them, and sleeps until its next frame is due: by itself that looks like
    a reader that tells of each piece beside a main thread which has a time of its own.
    """
    look = min(sleep.looks, key=lambda each: abs(each.end_ns - end_ns), default=None)
    if look is None or abs(look.end_ns - end_ns) >= _end_of(sleep) - end_ns:
        yield sleep
        return
    until_ns, rest_ns = look.end_ns - sleep.begin_ns, _end_of(sleep) - look.end_ns
    yield TracedSleep(sleep.thread, sleep.begin_ns, until_ns, look.woken_by, look.awaited)
    awaited = tuple(
        replace(each, begin_ns=max(each.begin_ns, look.end_ns))
        for each in sleep.awaited
        if each.end_ns > look.end_ns
    )
    yield TracedSleep(sleep.thread, look.end_ns, rest_ns, sleep.woken_by, awaited)


def sleeps_anyhow(sleeps: Iterable[TracedSleep], begin_ns: int, stutters: Iterable[Times]) -> bool:
    """Whether the main thread slept for long all the time until then, but for those stutters.

    Where one follows the other that is further back: of 70 ms between freezes of 2 s it slept for
    50, and for whom it had slept in those was not known any more.
    """
    spans = ((first - LOOK_NS, last + LOOK_NS) for first, last in stutters)
    usual = _latest(without([(begin_ns - _FAR_NS, begin_ns)], spans), USUAL_NS)
    told = tuple(sleeps)
    slept_ns = sum(_long_at_once_ns(told, first, last) for first, last in usual)
    return slept_ns >= _SELDOM * sum(last - first for first, last in usual)


def _latest(times: Sequence[Times], length_ns: int) -> list[Times]:
    """So much of the last of these."""
    found: list[Times] = []
    for first, last in reversed(times):
        found.append((max(first, last - length_ns), last))
        length_ns -= found[-1][1] - found[-1][0]
        if not length_ns:
            break
    return found


def _long_at_once_ns(sleeps: Iterable[TracedSleep], begin_ns: int, end_ns: int) -> int:
    """How much of that time it slept for long without a look at what others had done."""
    total_ns = 0
    for sleep in sleeps:
        ends = (sleep.begin_ns, *(each.end_ns for each in sleep.looks), _end_of(sleep))
        for first_ns, last_ns in pairwise(ends):
            if last_ns - first_ns >= LONG_SLEEP_NS:
                total_ns += max(0, min(last_ns, end_ns) - max(first_ns, begin_ns))
    return total_ns


def _end_of(sleep: TracedSleep) -> int:
    return sleep.begin_ns + sleep.duration_ns


def without(times: Iterable[Times], gone: Iterable[Times]) -> list[Times]:
    """The same times but for others."""
    left = list(times)
    for gone_ns, back_ns in gone:
        left = [
            (first, last)
            for begin_ns, end_ns in left
            for first, last in ((begin_ns, min(end_ns, gone_ns)), (max(begin_ns, back_ns), end_ns))
            if first < last
        ]
    return left


def _may_be_for(
    sleeps: Iterable[TracedSleep], tid: int, begin_ns: int, end_ns: int, stutter: Spike
) -> bool:
    """Whether the main thread may have waited for a thread that waited itself at that time.

    Not where it slept all the while until a thread woke it that had nothing to do with that one,
    nor where an interrupt did, as of its own timer, unless that was the end of this very wait:
    beside a worker that read all the time a sleep of 120 ms was told as a wait for the drive 19
    times of 19. Where it did not sleep, it may have asked again and again.
    """
    first_ns, last_ns = max(begin_ns, stutter.start_ns), min(end_ns, stutter.monotonic_ns)
    least_ns = max(_MOST_OF_IT * (last_ns - first_ns), 1)
    beside = [each for each in sleeps if inside_ns(each, first_ns, last_ns) >= least_ns]
    return not beside or any(_is_for(each, tid, first_ns, end_ns) for each in beside)


def for_kernel_ms(sleeps: Iterable[TracedSleep], stutter: Spike) -> float:
    """How long of a stutter the main thread slept, at first or last hand, for a worker of the
    kernel: a file system has one write, or end, what a thread of the game waits for.
    """
    left = [(stutter.start_ns, stutter.monotonic_ns)]
    for sleep in sleeps:
        workers = {each.tid for each in sleep.woken_by if each.name.startswith(KWORKER)}
        mine = ((one.begin_ns, one.end_ns) for one in sleep.awaited if one.tid in workers)
        left = without(left, mine)
    return stutter.duration_ms - sum(last - first for first, last in left) / 1e6


def inside_ns(sleep: TracedSleep, begin_ns: int, end_ns: int) -> int:
    """How much of a sleep lies within that time."""
    return max(0, min(_end_of(sleep), end_ns) - max(sleep.begin_ns, begin_ns))


def _is_for(sleep: TracedSleep, tid: int, begin_ns: int, end_ns: int) -> bool:
    if sleep.awaited:
        mine = (each for each in sleep.awaited if each.tid == tid)
        return any(each.begin_ns < end_ns and each.end_ns > begin_ns for each in mine)
    if sleep.woken_by:
        return any(thread.tid == tid for thread in sleep.woken_by)
    return _ends_at(sleep, end_ns)


def _ends_at(sleep: TracedSleep, end_ns: int) -> bool:
    """Whether the end of that wait may have ended it."""
    return abs(_end_of(sleep) - end_ns) <= _AT_ONCE_NS
