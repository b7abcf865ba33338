# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel's trace tells of one stutter: which threads of the game waited, and for what.

It is only taken for the truth where it was measured in full: looks at the trace follow each other
from before the stutter to behind it, nothing was lost and nothing left out. Then what it does not
tell did not happen, and what only fell together with the stutter is no reason. Memory, drives and
cores are recorded apart, so that a flood of requests costs only what the drives would tell.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from destutter.core.kernel_names import KSOFTIRQD, is_realtime
from destutter.core.sample import Facts, Trouble
from destutter.core.traced import (
    COMPACTION,
    CORE,
    LONG_WAIT_NS,
    MEMCG_RECLAIM,
    MISSING,
    RECLAIM,
    REQUEST,
    SOURCE,
    THROTTLED,
    WBT,
    SlowRequest,
    TracedSleep,
    TracedThread,
    TracedWait,
    TraceLook,
)
from destutter.diagnosis.circumstances.commits import (
    CommitInside,
    awaited_commits,
    commits_inside,
)
from destutter.diagnosis.circumstances.drives_below import DrivesBelow, held_long
from destutter.diagnosis.circumstances.followed import FollowedGames
from destutter.diagnosis.circumstances.main_sleeps import (
    USUAL_NS,
    each_once,
    for_kernel_ms,
    inside_ns,
    parts_for,
    sleeps_anyhow,
    until_the_end,
)
from destutter.diagnosis.circumstances.main_work import (
    MainWork,
    busy,
    main_work,
    with_awaited,
    with_own_cores,
)
from destutter.diagnosis.circumstances.traced_kinds import kinds_lost, kinds_told
from destutter.diagnosis.circumstances.traced_requests import of_others, times, was_held
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import LOOK_NS
from destutter.diagnosis.shares import CLEARLY_MOST
from destutter_helper.api.tracing import GAME

MEMORY_KINDS = (RECLAIM, MEMCG_RECLAIM, COMPACTION, THROTTLED)
_LONG_MS = LONG_WAIT_NS / 1e6  # of a longer wait as much has to lie within the stutter

_STEP_NS = 1_000_000_000  # writers are held back for some time behind a step (1 s was measured)
_KEPT_NS = 60_000_000_000  # as long as ticks are (tick_log.py)
_AS_USUAL = 0.5  # of how much a thread waited in the stutter


@dataclass(frozen=True, slots=True)
class WaitInside:
    """What of a wait of a thread of the game lies within a stutter, from ``begin_ns`` on.

    ``behind`` is who had the core, with the kernel's priority.
    """

    thread: TracedThread
    kind: str
    begin_ns: int
    end_ns: int
    device: str = ""
    behind: TracedThread | None = None
    behind_priority: int | None = None

    @property
    def ms(self) -> float:
        return (self.end_ns - self.begin_ns) / 1e6

    @property
    def is_behind_realtime(self) -> bool:
        return is_realtime(self.behind_priority)


@dataclass(frozen=True, slots=True)
class TracedWaits:
    """The waits of the game within one stutter that was measured in full.

    ``told`` are the kinds that would be among them; ``others`` the requests of programs that are
    not the game, as far as anybody knows whose they were; ``softirqs`` the waits for a core of the
    threads that finish interrupts (ksoftirqd), empty where waits for a core are not told;
    ``commits`` those of file systems, but of btrfs, of which the kernel tells no length;
    ``awaited`` the threads that woke the main thread from a long sleep, and who woke those.
    ``short_ms`` is how long at most its threads waited in all that was too short to be told, by
    kind: what the looks have that the stutter lies in. None where that was not added up.
    ``main`` is what the main thread did all the while, None where that is not known in full, and
    ``lead`` the thread that is meant by it where another one shows the frames, else 0.
    ``beside`` are the kinds of long waits of its threads that nobody waited for, ``drives`` those
    of the waits, with what they lie on: no other drive held the game up. Empty: none is known.
    ``kernel_ms`` is how long it slept for workers of the kernel, which may be at a drive for it.
    ``slept`` is when it slept for long, where it ran for most of the stutter, else None, and
    ``programs`` are the processes of those that are ``awaited``.
    """

    told: frozenset[str]
    waits: tuple[WaitInside, ...] = ()
    others: tuple[SlowRequest, ...] = ()
    softirqs: tuple[WaitInside, ...] = ()
    commits: tuple[CommitInside, ...] = ()
    awaited: frozenset[int] = frozenset()
    short_ms: Mapping[str, float] | None = None
    main: MainWork | None = None
    beside: frozenset[str] = frozenset()
    drives: frozenset[str] = frozenset()
    lead: int = 0
    kernel_ms: float = 0.0
    slept: tuple[tuple[int, int], ...] | None = None
    programs: frozenset[int | None] = frozenset()

    def at_most_ms(self, kinds: Iterable[str]) -> float | None:
        """How long these waits were, the short ones among them, at most; None: not known."""
        wanted = frozenset(kinds)
        if self.short_ms is None or not wanted <= self.told:
            return None
        short_ms = sum(ms for kind, ms in self.short_ms.items() if kind in wanted)
        kernel_ms = self.kernel_ms if REQUEST in wanted else 0.0
        return together_ms(self.of(wanted)) + short_ms + kernel_ms

    def is_of_main(self, wait: WaitInside) -> bool:
        """Whether it is a wait of the main thread, or of one of the kernel that worked for it."""
        return wait.thread.tid == (self.lead or wait.thread.pid)

    def of(self, kinds: Iterable[str]) -> list[WaitInside]:
        wanted = frozenset(kinds)
        return [each for each in self.waits if each.kind in wanted]


class TraceLog:
    """The looks at the trace of the last minute, and what a trace of this stream can tell."""

    def __init__(self) -> None:
        self._looks: deque[TraceLook] = deque()
        self._missing: set[str] = set()
        self._followed = FollowedGames()
        self._below = DrivesBelow()

    def accept_look(self, look: TraceLook) -> None:
        self._looks.append(look)
        while self._looks[0].end_ns < look.end_ns - _KEPT_NS:
            self._looks.popleft()

    def accept_facts(self, facts: Facts) -> None:
        """Take in whose waits for a core are recorded from now on, and what the kernel lacks."""
        self._followed.accept_facts(facts)
        self._below.accept_facts(facts.facts)
        self._missing.update(filter(None, facts.facts.get(MISSING, "").split(",")))

    def accept_trouble(self, trouble: Trouble) -> None:
        """Take in that an event of this kernel is not understood."""
        if trouble.source == SOURCE and trouble.reason is not None:
            self._missing.add(str(trouble.reason.values.get("event", "")))

    def is_behind(self, spike: Spike) -> bool:
        """Whether there is a trace that has not yet been looked at behind a stutter."""
        end_ns = max(each.monotonic_ns for each in (spike, *spike.others))
        return bool(self._looks) and self._looks[-1].end_ns < end_ns + LOOK_NS

    def within(
        self, spike: Spike, game_pid: str, late: Iterable[Spike] = ()
    ) -> TracedWaits | None:
        """What the game waited for; None where that was not measured in full.

        ``late`` are the stutters that are known: how the main thread sleeps in those is no habit.
        """
        begin_ns, end_ns = spike.start_ns - LOOK_NS, self._end_around(spike)
        if not game_pid or not self._is_full(begin_ns, end_ns):
            return None
        is_followed = self._followed.is_followed(game_pid, begin_ns)
        losing = self._losing(begin_ns, end_ns)
        recorded = kinds_told(self._missing, is_followed=is_followed)
        told = recorded - kinds_lost(self._around(begin_ns, end_ns), losing)
        if not told:
            return None
        # What began within the stutter may be told of by any look behind it.
        looks = [each for each in self._looks if each.end_ns > begin_ns]
        held = self._held(begin_ns, end_ns) if WBT in told else frozenset()
        # That a look left out waits of which there were very many costs nothing of these.
        has_all = CORE in recorded and not losing & {"", GAME}
        sleeps = self._sleeps(spike, late) if has_all else ()
        awaited = frozenset(thread.tid for each in sleeps for thread in each.woken_by)

        def is_mine(thread: TracedThread) -> bool:
            return thread.pid == int(game_pid) or thread.tid in awaited

        commits = (
            WaitInside(thread, REQUEST, max(first_ns, begin_ns), min(last_ns, end_ns), drive)
            for thread, drive, first_ns, last_ns in awaited_commits(looks, sleeps)
        )
        found = (each for look in looks for each in _inside(look, is_mine, begin_ns, end_ns, held))
        waits = [
            each for each in chain(found, commits) if each.kind in told and each.ms >= _LONG_MS
        ]
        main = self._main(spike, game_pid, sleeps)
        waits, beside = self._held_up(waits, spike, sleeps, (main, int(game_pid)), is_mine)
        others = tuple(of_others(looks, is_mine, begin_ns, end_ns))
        softirqs = tuple(_softirqs(looks, begin_ns, end_ns)) if CORE in told else ()
        inside = tuple(commits_inside(looks, begin_ns, end_ns))
        main = None if main is None else _without_realtime(main, waits)
        short_ms = _short_ms(self._around(begin_ns, end_ns))
        drives = held_long(((w.device, w.begin_ns, w.end_ns) for w in waits), spike)
        told_of = (told, tuple(waits), others, softirqs, inside, awaited, short_ms, main, beside)
        lead = self._followed.lead(begin_ns)
        below, kernel_ms = self._below.with_below(drives), for_kernel_ms(sleeps, spike)
        slept = tuple((each.begin_ns, each.begin_ns + each.duration_ns) for each in sleeps)
        has_run = main is not None and _has_run(main, spike)
        programs = frozenset(thread.pid for each in sleeps for thread in each.woken_by)
        return TracedWaits(*told_of, below, lead, kernel_ms, slept if has_run else None, programs)

    def _held_up(
        self,
        waits: Sequence[WaitInside],
        spike: Spike,
        sleeps: Sequence[TracedSleep],
        known: tuple[MainWork | None, int],
        is_mine: Callable[[TracedThread], bool],
    ) -> tuple[list[WaitInside], frozenset[str]]:
        """What of these waits the main thread may have waited for, and the kinds of the rest.

        ``known`` are what it did and its process, which is its number where no other one leads.
        """
        main, game = known
        has_run = main is not None and _has_run(main, spike)
        times = spike.start_ns - LOOK_NS, spike.monotonic_ns + LOOK_NS
        ran = () if main is None or has_run else tuple(busy(self._looks, *times))
        main_tid = self._followed.lead(times[0]) or game
        found: list[WaitInside] = []
        beside = set()
        for wait in waits:
            thread, mine = wait.thread, [(wait.begin_ns, wait.end_ns)]
            if thread.tid != main_tid:
                is_usual = has_run and self._waits_anyhow(wait, spike, is_mine)
                mine = [] if is_usual else parts_for(sleeps, thread, mine[0], spike, ran)
            found += (replace(wait, begin_ns=first, end_ns=last) for first, last in mine)
            if (
                sum(last - first for first, last in mine)
                < wait.end_ns - wait.begin_ns - LONG_WAIT_NS
            ):
                beside.add(wait.kind)
        return found, frozenset(beside)

    def _waits_anyhow(
        self, wait: WaitInside, spike: Spike, is_mine: Callable[[TracedThread], bool]
    ) -> bool:
        """Whether that thread had waited so before the stutter as well, or half as much.

        A main thread that spins for a worker runs, and one that computes beside a worker which
        reads all the time does too: 18 of 18 of those were told as a slow drive.
        """
        begin_ns, tid = spike.start_ns - USUAL_NS, wait.thread.tid
        held = self._held(begin_ns, spike.monotonic_ns)
        waits = [
            each
            for look in self._looks
            for each in _inside(look, is_mine, begin_ns, spike.monotonic_ns, held)
            if each.kind == wait.kind
        ]
        usual = _share(waits, tid, begin_ns, spike.start_ns)
        now = _share(waits, tid, spike.start_ns, spike.monotonic_ns)
        return now > 0.0 and usual >= _AS_USUAL * now

    def _main(self, spike: Spike, game_pid: str, sleeps: Sequence[TracedSleep]) -> MainWork | None:
        """What the main thread did, and who it slept for, where none of its records was lost.

        That a look left out waits of which there were very many costs nothing of this.
        """
        begin_ns, end_ns = spike.start_ns, spike.monotonic_ns
        if not self._followed.is_followed(game_pid, begin_ns):
            return None
        if self._losing(begin_ns, end_ns) & {"", GAME}:
            return None
        main = main_work(self._looks, begin_ns, end_ns)
        times = sleeps, begin_ns, end_ns, self._looks
        return main and with_own_cores(with_awaited(main, *times), *times)

    def _sleeps(self, spike: Spike, late: Iterable[Spike]) -> Sequence[TracedSleep]:
        """Those of the main thread that lie within the stutter, in which it waited for others.

        None of a main thread that sleeps all the time, and may only take in events while another
        one draws: nothing is known then of whom that one waits for.
        """
        told = each_once(each for look in self._looks for each in look.sleeps)
        begin_ns, end_ns = spike.start_ns - LOOK_NS, spike.monotonic_ns + LOOK_NS
        known = [(each.start_ns, each.monotonic_ns) for each in late]
        is_sure = self._followed.is_lead_known(begin_ns)
        if not is_sure and sleeps_anyhow(told, begin_ns, known):
            return ()
        parts = (until_the_end(each, spike.monotonic_ns) for each in told)
        return [each for part in parts for each in part if inside_ns(each, begin_ns, end_ns)]

    def _end_around(self, spike: Spike) -> int:
        """A little behind a stutter, or where the looks end: a recording may end with it."""
        last_ns = self._looks[-1].end_ns if self._looks else 0
        return min(spike.monotonic_ns + LOOK_NS, max(last_ns, spike.monotonic_ns))

    def _is_full(self, begin_ns: int, end_ns: int) -> bool:
        looks = self._around(begin_ns, end_ns)
        if not looks or looks[0].begin_ns > begin_ns or looks[-1].end_ns < end_ns:
            return False
        return all(after.begin_ns <= before.end_ns for before, after in pairwise(looks))

    def _around(self, begin_ns: int, end_ns: int) -> list[TraceLook]:
        return [each for each in self._looks if each.end_ns > begin_ns and each.begin_ns < end_ns]

    def _losing(self, begin_ns: int, end_ns: int) -> set[str]:
        """Where records were lost meanwhile."""
        return {
            loss.instance
            for look in self._looks
            for loss in look.losses
            if loss.end_ns > begin_ns and loss.begin_ns < end_ns
        }

    def _held(self, begin_ns: int, end_ns: int) -> frozenset[str]:
        """The drives whose writers the kernel held further back shortly before or meanwhile."""
        return frozenset(
            moment.device
            for look in self._looks
            for moment in look.moments
            if moment.kind == WBT and begin_ns - _STEP_NS < moment.at_ns < end_ns
        )


def _has_run(main: MainWork, spike: Spike) -> bool:
    return main.ran_ms >= CLEARLY_MOST * spike.duration_ms


def _softirqs(looks: Iterable[TraceLook], begin_ns: int, end_ns: int) -> Iterator[WaitInside]:
    """The long waits for a core of the threads that finish interrupts."""
    for look in looks:
        for each in look.waits:
            wait = _cut(each, begin_ns, end_ns)
            if each.thread.name.startswith(KSOFTIRQD) and wait.ms >= _LONG_MS:
                yield wait


def _without_realtime(main: MainWork, waits: Iterable[WaitInside]) -> MainWork:
    """The same; behind a real-time task whoever else had the other cores is no matter."""
    of_core = [each for each in waits if each.kind == CORE]
    first = [each for each in of_core if each.is_behind_realtime]
    is_most = 2 * sum(each.ms for each in first) > sum(each.ms for each in of_core)
    return replace(main, own_share=None) if is_most else main


def _short_ms(looks: Iterable[TraceLook]) -> Mapping[str, float] | None:
    total: Counter[str] = Counter()
    for look in looks:
        if look.short_ns is None:
            return None
        total.update(look.short_ns)
    return {kind: waited_ns / 1e6 for kind, waited_ns in total.items()}


def longest(waits: Iterable[WaitInside]) -> WaitInside | None:
    """One wait for all of the thread that waited longest, with who stood before it longest.

    It begins with the first of them and is as long as all of them together.
    """
    by_thread: dict[int, list[WaitInside]] = {}
    for each in waits:
        by_thread.setdefault(each.thread.tid, []).append(each)
    if not by_thread:
        return None
    mine = max(by_thread.values(), key=together_ms)
    worst = max(mine, key=lambda each: each.ms)
    begin_ns = min(each.begin_ns for each in mine)
    return WaitInside(
        worst.thread,
        worst.kind,
        begin_ns,
        begin_ns + int(together_ms(mine) * 1e6),
        worst.device,
        worst.behind,
        worst.behind_priority,
    )


def together_ms(waits: Iterable[WaitInside]) -> float:
    """How long any of them lasted: a thread that is held back while it frees memory waits once."""
    total_ns = covered_ns = 0
    for begin_ns, end_ns in sorted((each.begin_ns, each.end_ns) for each in waits):
        total_ns += max(end_ns - max(begin_ns, covered_ns), 0)
        covered_ns = max(covered_ns, end_ns)
    return total_ns / 1e6


def _share(waits: Iterable[WaitInside], tid: int, begin_ns: int, end_ns: int) -> float:
    """For how much of that time a thread waited, from 0 to 1."""
    mine = (each for each in waits if each.thread.tid == tid)
    inside = (min(each.end_ns, end_ns) - max(each.begin_ns, begin_ns) for each in mine)
    return sum(each for each in inside if each > 0) / (end_ns - begin_ns)


def _inside(
    look: TraceLook,
    is_mine: Callable[[TracedThread], bool],
    begin_ns: int,
    end_ns: int,
    held: AbstractSet[str],
) -> Iterator[WaitInside]:
    for wait in look.waits:
        if is_mine(wait.thread):
            yield _cut(wait, begin_ns, end_ns)
    for request in look.requests:
        by = None if request.is_written_back else request.thread
        if by is not None and is_mine(by):
            first_ns, last_ns = times(request)
            yield WaitInside(
                by,
                WBT if request.device in held and was_held(request) else REQUEST,
                max(first_ns, begin_ns),
                min(last_ns, end_ns),
                request.device,
            )


def _cut(wait: TracedWait, begin_ns: int, end_ns: int) -> WaitInside:
    return WaitInside(
        wait.thread,
        wait.kind,
        max(wait.begin_ns, begin_ns),
        min(wait.begin_ns + wait.duration_ns, end_ns),
        wait.device,
        wait.behind,
        wait.behind_priority,
    )
