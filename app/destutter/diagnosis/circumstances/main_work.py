# SPDX-License-Identifier: GPL-3.0-or-later
"""What the main thread did within one stutter, where the kernel's trace has each of its switches.

Counters are read ten times a second: a main thread that computed in the frame before a sleep of
127 ms had "computed for 95 ms" of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from destutter.core.kernel_names import RING
from destutter.core.traced import MAIN_BIN_NS, Awaited, MainBin, TracedSleep, TraceLook
from destutter.diagnosis.shares import CLEARLY_MOST

_UNKNOWN_PART = 0.1
_AT_ONCE_NS = 1_000_000  # from a sleep to the next one: it only looked whether that is to go on
_FILLED = 0.75  # of all cores: below it one was free for who wanted it (own_crowd.py)
_SOME_NS = 1_000_000
_BUSY = 0.95  # of a bin: the rest of it is too short to be told as anybody's wait


@dataclass(frozen=True, slots=True)
class MainWork:
    """How long it ran, was ready and had no core, slept so that no signal wakes it, and slept.

    ``for_ran_ms`` and ``for_ready_ms`` are how long of its sleep the threads of the game for which
    it slept ran and had no core, as far as that is known. ``let_go_ms`` is how long it slept until
    an interrupt let it go on, as its own timer does, but for sleeps that no signal wakes, as for a
    drive, and those of which one followed the other at once. ``own_share`` is how much of all
    cores the game's own threads had while one of these had none, None where that is not known;
    ``filled_ms`` how long it slept while they had nearly all.
    """

    ran_ms: float = 0.0
    ready_ms: float = 0.0
    deep_ms: float = 0.0
    slept_ms: float = 0.0
    for_ran_ms: float = 0.0
    for_ready_ms: float = 0.0
    let_go_ms: float = 0.0
    own_share: float | None = None
    filled_ms: float = 0.0

    @property
    def is_crowd(self) -> bool:
        """Whether it was the game's own threads that kept the cores from it, and from those."""
        return self.own_share is not None and self.own_share >= CLEARLY_MOST

    @property
    def own_ms(self) -> float:
        """How long it computed, or others for it, or stood behind the game's own threads."""
        crowd_ms = self.ready_ms + self.for_ready_ms if self.is_crowd else 0.0
        return self.ran_ms + self.for_ran_ms + crowd_ms

    @property
    def core_ms(self) -> float:
        """How long it had no core, or those others, but for such a crowd."""
        return 0.0 if self.is_crowd else self.ready_ms + self.for_ready_ms

    @property
    def filled_more_ms(self) -> float:
        """How long it slept while the game's own threads filled the cores, whoever of them it
        waited for, beyond what is known of those.
        """
        for_ms = self.for_ran_ms + (self.for_ready_ms if self.is_crowd else 0.0)
        return max(self.filled_ms - for_ms, 0.0)


def main_work(looks: Iterable[TraceLook], begin_ns: int, end_ns: int) -> MainWork | None:
    """What looks tell of this time; None where of a good part of it that is not known.

    Bins at its ends are taken in part, as if the thread had done the same all through them. Of a
    freeze of 2 s with 60 reads now and then a switch is not told: a few bins are taken to be like
    those beside them, and nothing is known of the whole only where they are more.
    """
    known = [
        (first_ns, one)
        for first_ns, one in _bins(looks, begin_ns, end_ns)
        if begin_ns - MAIN_BIN_NS < first_ns < end_ns
    ]
    unknown = sum(one is None for _, one in known)
    if unknown > _UNKNOWN_PART * len(known):
        return None
    covered_ns = 0
    times = [0.0, 0.0, 0.0]
    for at, (first_ns, one) in enumerate(known):
        inside_ns = min(first_ns + MAIN_BIN_NS, end_ns) - max(first_ns, begin_ns)
        covered_ns += inside_ns
        for which, length_ns in enumerate(one or _like_neighbours(known, at)):
            times[which] += length_ns * inside_ns / MAIN_BIN_NS
    if covered_ns != end_ns - begin_ns or not covered_ns:
        return None
    ran_ms, ready_ms, deep_ms = (each / 1e6 for each in times)
    slept_ms = max(covered_ns / 1e6 - ran_ms - ready_ms - deep_ms, 0.0)
    return MainWork(ran_ms, ready_ms, deep_ms, slept_ms)


def with_own_cores(
    main: MainWork,
    sleeps: Sequence[TracedSleep],
    begin_ns: int,
    end_ns: int,
    looks: Iterable[TraceLook],
) -> MainWork:
    """The same, with how much of the cores the game's own threads had meanwhile."""
    looks = tuple(looks)
    shares = {at: share for look in looks if look.own is not None for at, share in look.own.bins()}
    ready_ns = own_ns = filled_ns = 0.0
    for first_ns, one in _bins(looks, begin_ns, end_ns):
        inside_ns = min(first_ns + MAIN_BIN_NS, end_ns) - max(first_ns, begin_ns)
        share = shares.get(first_ns)
        if one is not None and share is not None and inside_ns > 0:
            part = inside_ns / MAIN_BIN_NS
            ready_ns += one[1] * part
            own_ns += one[1] * part * share
            filled_ns += max(MAIN_BIN_NS - sum(one), 0) * part if share >= _FILLED else 0.0
    for each in _awaited(sleeps, begin_ns, end_ns):
        inside = [
            share
            for first_ns, share in shares.items()
            if each.begin_ns - MAIN_BIN_NS < first_ns < each.end_ns
        ]
        if inside:
            ready_ns += each.ready_ns
            own_ns += each.ready_ns * sum(inside) / len(inside)
    share = own_ns / ready_ns if ready_ns >= _SOME_NS else None
    return replace(main, own_share=share, filled_ms=filled_ns / 1e6)


def _awaited(sleeps: Iterable[TracedSleep], begin_ns: int, end_ns: int) -> Iterator[Awaited]:
    """What of these sleeps within that time was for threads of the game itself."""
    for sleep in sleeps:
        own = (each for each in sleep.woken_by if each.pid == sleep.thread.pid)
        mine = {each.tid for each in own if not each.name.startswith(RING)}
        for each in sleep.awaited:
            if each.tid in mine and each.end_ns > begin_ns and each.begin_ns < end_ns:
                yield each


def with_awaited(
    main: MainWork,
    sleeps: Sequence[TracedSleep],
    begin_ns: int,
    end_ns: int,
    looks: Iterable[TraceLook] = (),
) -> MainWork:
    """The same, with what the threads of the game did in this time for which it slept, and how
    long it slept for none of them, by these ``looks``.

    Of a sleep that lies in it in part as much of it, as if it had been the same all through. Of
    threads of others the trace has not each switch, and one of the kernel that looks for requests
    runs while it waits for them.
    """
    ran = ready = 0.0
    for each in _awaited(sleeps, begin_ns, end_ns):
        inside_ns = min(each.end_ns, end_ns) - max(each.begin_ns, begin_ns)
        part = inside_ns / (each.end_ns - each.begin_ns) / 1e6
        ran += each.ran_ns * part
        ready += each.ready_ns * part
    slept_ms = main.slept_ms + main.deep_ms
    fits = min(slept_ms / (ran + ready), 1.0) if ran + ready else 1.0
    let_go_ns = sum(
        min(each.begin_ns + each.duration_ns, end_ns) - max(each.begin_ns, begin_ns)
        for each in _let_go(looks, sleeps)
    )
    let_go_ms = min(let_go_ns / 1e6, main.slept_ms)
    return replace(
        main, for_ran_ms=ran * fits, for_ready_ms=ready * fits, let_go_ms=max(let_go_ms, 0.0)
    )


def _let_go(looks: Iterable[TraceLook], sleeps: Sequence[TracedSleep]) -> Iterator[TracedSleep]:
    """The sleeps that an interrupt ended, each by itself, and whole bins tell to be none for a
    drive.
    """
    looks = tuple(looks)
    light = [each for each in sleeps if _is_light(looks, each)]
    ends = [each.begin_ns + each.duration_ns for each in light]
    for each, end_ns in zip(light, ends, strict=True):
        is_slice = any(abs(each.begin_ns - other_ns) < _AT_ONCE_NS for other_ns in ends) or any(
            abs(other.begin_ns - end_ns) < _AT_ONCE_NS for other in light
        )
        if not (each.woken_by or is_slice):
            yield each


def _is_light(looks: Sequence[TraceLook], sleep: TracedSleep) -> bool:
    """Whether signals would have woken it all the while, and it did not look now and then whether
    to sleep on, as who waits for somebody in naps of 2 ms, as far as whole bins tell.
    """
    end_ns = sleep.begin_ns + sleep.duration_ns
    inside = [
        any(known)
        for first_ns, known in _bins(looks, sleep.begin_ns, end_ns)
        if known is not None and sleep.begin_ns <= first_ns <= end_ns - MAIN_BIN_NS
    ]
    return bool(inside) and not any(inside)


def _like_neighbours(bins: Sequence[tuple[int, MainBin | None]], at: int) -> Sequence[float]:
    """The middle of the nearest bins before and behind this one that are known."""
    before = next((one for _, one in reversed(bins[:at]) if one is not None), None)
    behind = next((one for _, one in bins[at:] if one is not None), before)
    pairs = zip(before or behind or (0, 0, 0), behind or (0, 0, 0), strict=True)
    return [(first + last) / 2 for first, last in pairs]


def busy(looks: Iterable[TraceLook], begin_ns: int, end_ns: int) -> Iterator[tuple[int, int]]:
    """When the main thread did not sleep, from when until when: it waited for nobody then."""
    for first_ns, known in _bins(looks, begin_ns, end_ns):
        if known is not None and known[0] + known[1] >= _BUSY * MAIN_BIN_NS:
            yield first_ns, first_ns + MAIN_BIN_NS


def _bins(
    looks: Iterable[TraceLook], begin_ns: int, end_ns: int
) -> Iterator[tuple[int, MainBin | None]]:
    for look in looks:
        main = look.main
        if main is not None and main.begin_ns < end_ns and main.end_ns > begin_ns:
            for at, known in enumerate(main.bins()):
                yield main.begin_ns + at * MAIN_BIN_NS, known
