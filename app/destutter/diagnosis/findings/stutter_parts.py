# SPDX-License-Identifier: GPL-3.0-or-later
"""The milliseconds of one stutter, divided among what the game waited for and what it did.

Where the kernel's trace has what the main thread did, these parts also decide which causes the
stutter can have: whoever reads "own work 151 of 157 ms" is not told of a drive above it.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from destutter.core.traced import CORE, DIRTY_PAUSE, REQUEST, SPLIT_LOCK, WBT
from destutter.diagnosis.blame.own_work import frees
from destutter.diagnosis.blame.stutter_answer import GROUP_OF, Blame, Certainty, WhereTimeWent
from destutter.diagnosis.blame.traced_blame import is_awaited
from destutter.diagnosis.circumstances.circumstances import Circumstances
from destutter.diagnosis.circumstances.kernel_time import is_evicted, is_paged, work
from destutter.diagnosis.circumstances.main_work import MainWork
from destutter.diagnosis.circumstances.traced_waits import (
    MEMORY_KINDS,
    TracedWaits,
    WaitInside,
)
from destutter.diagnosis.finding import Group, Spike
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.shares import BEYOND_USUAL, CLEARLY_MOST, TRACED_PART
from destutter.diagnosis.stutters.spikes import STUTTER_MS

OWN, ELSE, UNKNOWN = "own", "else", "unknown"
"""What is none of the groups: the game's own work, another wait that has a name, nothing known."""

_KINDS = {
    Group.MEMORY.value: MEMORY_KINDS,
    Group.STORAGE.value: (REQUEST, DIRTY_PAUSE, WBT),
    Group.CPU.value: (CORE, SPLIT_LOCK),
}
_BESIDE = 0.5  # of the largest part: a wait that is shorter is not what made the stutter
_RUNS = (WhereTimeWent.OWN_WORK, WhereTimeWent.OWN_CROWD)
_Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Divided:
    """The parts of a stutter by name, in milliseconds, and how much of them the kernel told."""

    parts: Mapping[str, float]
    traced_ms: float = 0.0


def divided(spike: Spike, each: Explained | None) -> Divided:
    """A stutter with the long frames that are felt as one with it."""
    spans = {} if each is None else _traced(spike, each.met.traced)
    traced = _each_once(spans)
    if each is not None and each.met.traced is not None and each.met.main is not None:
        traced = _in_full(spike, each.met.traced, each.met.main)
    elif each is not None and _has_run(each):
        traced = _shortened(traced, spike.duration_ms - each.met.runner[1])
    parts = _parts(spike, each, traced, spans)
    others = [] if each is None else _of_frames(each)
    times = _whole(spike, sum(map(_sum, others)))
    whole = Counter({name: part_ms * times for name, part_ms in parts.items()})
    for other in others:
        whole.update(other)
    return Divided(whole, sum(traced.values()) + sum(map(_told_ms, others)))


def decide(each: Explained) -> None:
    """Bring the answers to a stutter into line with its parts, where its main thread is traced.

    A wait for a drive or a core is its cause where it has at least a third of it, and half of what
    has most. Where the main thread ran for most of what is known, that is the answer.
    """
    main = each.met.main
    if main is None or each.spike.duration_ms < STUTTER_MS:
        return
    whole = divided(each.spike, each).parts
    each.contradicted = _with_little(each.met, whole)
    # What is only possible is of the longest frame, and is not where that had no time for it.
    little = _with_little(each.met, divided(each.spike, replace(each, others=())).parts)
    left = [
        one
        for one in each.blames
        if one.certainty > Certainty.POSSIBLE or GROUP_OF.get(one.where) not in little
    ]
    own = tuple(_own_work(each.met, left, _least_ms(whole, 1.0)))
    own = (*own, *_own_sleep(each.met, left, _least_ms(whole, 1.0)))
    told = (*own, *left, *_of_others(each, left, whole.get(Group.STORAGE.value, 0.0)))
    told = (*told, *_of_core(each, told, whole))
    known = {name: ms for name, ms in whole.items() if name != UNKNOWN}
    most = max(known, key=lambda name: known[name], default="")
    alone = divided(each.spike, replace(each, others=(), blames=tuple(told))).parts
    each.parts = {name: min(ms, each.spike.duration_ms) for name, ms in alone.items()}
    each.blames = tuple(
        sorted(told, key=lambda one: (each.is_contradicted(one), _name(one.where) != most))
    )


def _of_others(each: Explained, told: Sequence[Blame], part_ms: float) -> Iterator[Blame]:
    """A drive that has its part in the frames beside the longest, which has another answer."""
    is_told = any(one.where is WhereTimeWent.STORAGE for one in told)
    if each.others and each.met.drive in (each.drives or ()) and not is_told:
        ms = min(part_ms, each.spike.duration_ms)
        blame = Blame(WhereTimeWent.STORAGE, Certainty.MEASURED, ms, kind=REQUEST)
        yield from () if each.is_contradicted(blame) else (blame,)


def _of_core(
    each: Explained, told: Sequence[Blame], whole: Mapping[str, float]
) -> Iterator[Blame]:
    """The waits for a core of the main thread and of those for which it slept, many of them short,
    where nothing else has more.
    """
    is_told = any(one.where is WhereTimeWent.CPU for one in told)
    ready_ms = 0.0 if each.met.main is None else each.met.main.core_ms
    if ready_ms and not is_told and whole[Group.CPU.value] >= _least_ms(whole, 1.0):
        yield Blame(WhereTimeWent.CPU, Certainty.MEASURED, ready_ms, kind=CORE)


def _with_little(met: Circumstances, parts: Mapping[str, float]) -> frozenset[Group]:
    """Those of drives and cores that are no cause of a stutter with these parts: with less than
    the game's own work has, too.
    """
    least_ms = max(_least_ms(parts, _BESIDE), parts.get(OWN, 0.0))
    return frozenset(
        group
        for group in (Group.STORAGE, Group.CPU)
        if parts.get(group.value, 0.0) < least_ms and not _may_be_more(group, met, least_ms)
    )


def _least_ms(parts: Mapping[str, float], of_most: float) -> float:
    """A third of all, or so much of the largest part that is known."""
    most_ms = max((ms for name, ms in parts.items() if name != UNKNOWN), default=0.0)
    return max(TRACED_PART * _sum(parts), of_most * most_ms)


def _may_be_more(group: Group, met: Circumstances, least_ms: float) -> bool:
    """Whether there may be so much more of a group than its part has: reads too short to be told
    one by one, in which the main thread sleeps so that no signal wakes it; a host that took the
    core.
    """
    if group is Group.CPU:
        return met.share(met.steal_ms) >= BEYOND_USUAL
    return met.main is not None and met.main.deep_ms >= least_ms


def _own_work(met: Circumstances, told: Sequence[Blame], most_ms: float) -> Iterator[Blame]:
    """What the main thread ran, where that is the largest part and no answer so far.

    Not where the kernel may have run for memory in its name.
    """
    ran_ms = 0.0 if met.main is None else min(met.main.ran_ms, met.duration_ms)
    is_told = any(one.where in _RUNS for one in told)
    crowd_ms = _crowd_ms(met)
    if crowd_ms > ran_ms and crowd_ms >= most_ms and not is_told:
        yield Blame(WhereTimeWent.OWN_CROWD, Certainty.MEASURED, crowd_ms)
        return
    is_kernel = is_paged(met) or is_evicted(met) or frees(met)
    if ran_ms >= most_ms and not is_told and not is_kernel:
        kernel = work(met, ran_ms)
        yield Blame(WhereTimeWent.OWN_WORK, Certainty.MEASURED, ran_ms, kernel=kernel)


def _crowd_ms(met: Circumstances) -> float:
    """How much of a stutter in which the game's own threads filled the cores they and the main
    thread worked, or stood in each other's way.
    """
    main = met.main
    if main is None or not (main.is_crowd or main.filled_more_ms):
        return 0.0
    return min(main.own_ms + main.filled_more_ms, met.duration_ms)


def _own_sleep(met: Circumstances, told: Sequence[Blame], most_ms: float) -> Iterator[Blame]:
    """The main thread's sleep on its own timer, where that is the largest part and no answer yet:
    of freezes of 2 s with a sleep of 1 nothing was told.
    """
    slept_ms = min(_on_timer_ms(met), met.duration_ms)
    if slept_ms and slept_ms >= most_ms and not any(_name(one.where) == ELSE for one in told):
        yield Blame(WhereTimeWent.TIMER, Certainty.SEEN, slept_ms)


def _whole(spike: Spike, known_ms: float) -> float:
    """How much longer all frames that are felt as one stutter took than the longest of them, but
    for ``known_ms`` of those that were measured.

    That one speaks for them, here as everywhere: a game that lost 8.4 s in chains of frames of
    200 ms was told 2.5 s, by the longest of each chain alone.
    """
    more_ms = max(spike.more_ms - known_ms, 0.0)
    return (spike.duration_ms + more_ms) / spike.duration_ms if spike.duration_ms else 1.0


def _of_frames(each: Explained) -> list[dict[str, float]]:
    """The frames beside the longest, but for those of which nothing is known where a limit kept
    that one: the kernel makes no request of a read that waits for its turn.
    """
    found = [_of_frame(*other) for other in each.others]
    is_kept = any(
        one.where is WhereTimeWent.STORAGE and each.met.is_limited(one.ms) for one in each.blames
    )
    return [one for one in found if not is_kept or _sum(one) > 2 * one[UNKNOWN]]


def _of_frame(frame: Spike, waits: TracedWaits) -> dict[str, float]:
    """The parts of a long frame beside the longest, of which only the trace tells."""
    if waits.main is None:
        return {UNKNOWN: frame.duration_ms}
    found = _in_full(frame, waits, waits.main)
    found[OWN] = min(waits.main.own_ms, frame.duration_ms)
    left_ms = max(frame.duration_ms - _sum(found), 0.0)
    found[OWN] += min(waits.main.filled_more_ms, left_ms)
    found[UNKNOWN] = max(frame.duration_ms - _sum(found), 0.0)
    return found


def _sum(parts: Mapping[str, float]) -> float:
    return sum(parts.values())


def _told_ms(parts: Mapping[str, float]) -> float:
    return sum(part_ms for name, part_ms in parts.items() if name not in (OWN, UNKNOWN))


def _parts(
    spike: Spike,
    each: Explained | None,
    traced: Mapping[str, float],
    spans: Mapping[str, Sequence[_Span]],
) -> dict[str, float]:
    """What the trace told, then what counters have beyond that, as far as there is time left.

    While the main thread ran it waited for nothing, whoever else did; nor did one for which it
    slept while that one ran.
    """
    found = dict(traced)
    if each is not None and each.met.main is not None:
        found[OWN] = min(each.met.main.own_ms, spike.duration_ms)
        left_ms = max(spike.duration_ms - sum(found.values()), 0.0)
        found[OWN] += min(each.met.main.filled_more_ms, left_ms)
    left_ms = spike.duration_ms - sum(found.values())
    for name, part_ms, thread in () if each is None else _answers(each):
        told_ms = max(_length_ns(spans.get(name, ())) / 1e6, found.get(name, 0.0))
        more_ms = min(max(part_ms - told_ms, 0.0), left_ms, _beyond_trace(each, name, thread))
        found[name] = found.get(name, 0.0) + more_ms
        left_ms -= more_ms
    slept_ms = 0.0 if each is None else min(_on_timer_ms(each.met), left_ms)
    if slept_ms > found.get(ELSE, 0.0):
        left_ms -= slept_ms - found.get(ELSE, 0.0)
        found[ELSE] = slept_ms
    found[UNKNOWN] = left_ms
    return found


def _on_timer_ms(met: Circumstances) -> float:
    """How long the main thread slept until its own timer let it go on, by the trace, where a look
    found it on one.
    """
    return met.main.let_go_ms if met.main is not None and met.timed_looks else 0.0


def _has_run(each: Explained) -> bool:
    """Whether the main thread's own work is the answer: then what it ran is measured, and what
    others of the game's threads waited for meanwhile is no part of the stutter.
    """
    first = each.blames[0] if each.blames else None
    is_own = first is not None and first.where is WhereTimeWent.OWN_WORK and not first.thread
    return is_own and not each.met.runner[0]


def _shortened(parts: Mapping[str, float], left_ms: float) -> dict[str, float]:
    """As much of each, in their order, as there is time for."""
    found = {}
    for name, part_ms in parts.items():
        found[name] = min(part_ms, max(left_ms, 0.0))
        left_ms -= found[name]
    return {name: part_ms for name, part_ms in found.items() if part_ms}


def _in_full(frame: Spike, waits: TracedWaits, main: MainWork) -> dict[str, float]:
    """What the trace told of a frame of which it has the main thread."""
    held_up = replace(waits, waits=tuple(_while_it_slept(waits)))
    found = _beside(_each_once(_traced(frame, held_up)), main, frame.duration_ms)
    left_ms = frame.duration_ms - min(main.own_ms, frame.duration_ms) - _sum(found)
    short_ms = min(_short_reads(frame, waits, main), max(left_ms, 0.0))
    storage = Group.STORAGE.value
    return {**found, storage: found.get(storage, 0.0) + short_ms} if short_ms else found


def _while_it_slept(waits: TracedWaits) -> Iterator[WaitInside]:
    """The waits, of others than a main thread that ran for most of it only while that slept for
    long.

    It may spin for who reads, but the pause before its frame was due is none of that one's: beside
    own loaders whom nobody waited for 41 of 50 stutters of computing had 10 to 16 ms of a drive.
    """
    for wait in waits.waits:
        if waits.slept is None or waits.is_of_main(wait):
            yield wait
            continue
        for begin_ns, end_ns in waits.slept:
            first_ns, last_ns = max(begin_ns, wait.begin_ns), min(end_ns, wait.end_ns)
            if first_ns < last_ns:
                yield replace(wait, begin_ns=first_ns, end_ns=last_ns)


def _short_reads(frame: Spike, waits: TracedWaits, main: MainWork) -> float:
    """How long the main thread waited for requests too short to be told one by one.

    It slept so that no signal wakes it, beside what is told of it, and the game had as much of
    such requests: of reads of 2 to 3 ms a half was not known.
    """
    own = replace(waits, waits=tuple(filter(waits.is_of_main, waits.waits)))
    spans = _traced(frame, own)
    deep = (span for group in (Group.STORAGE, Group.MEMORY) for span in spans[group.value])
    asked_ms = (waits.short_ms or {}).get(REQUEST, 0.0)
    return min(max(main.deep_ms - _length_ns(_apart(deep)) / 1e6, 0.0), asked_ms)


def _beside(parts: Mapping[str, float], main: MainWork, duration_ms: float) -> dict[str, float]:
    """The parts, as far as they fit to what the main thread did all the while, and those for which
    it slept.

    While it was ready it waited for a core and nothing else: beside a worker that read, 101 ms of
    that were told as a wait for the drive.
    """
    core = Group.CPU.value
    ready_ms = min(main.core_ms, max(duration_ms - main.own_ms, 0.0))
    others = {
        name: max(part_ms - (ready_ms if name == core else 0.0), 0.0)
        for name, part_ms in parts.items()
    }
    found = _shortened(others, duration_ms - main.own_ms - ready_ms)
    if ready_ms:
        found[core] = found.get(core, 0.0) + ready_ms
    return found


def _answers(each: Explained) -> list[tuple[str, float, str]]:
    """What was measured or seen, the surest first, with whose it was, and behind it how long the
    game ran.

    The work of a thread that let the main thread go on is surer than a look that found another one
    reading: beside who unpacked for 120 of 128 ms a reader on a quick drive had "128 ms", of
    requests too short to be told one by one.
    """
    work = tuple(blame for blame in each.blames if _is_awaited_work(blame, each.met))
    told = [
        (_name(blame.where), blame.ms, blame.thread)
        for blame in (*work, *(one for one in each.blames if one not in work))
        if blame.certainty > Certainty.POSSIBLE
        and GROUP_OF.get(blame.where) not in each.doubted
        and not any(_is_beside_work(blame, one, each.met) for one in work)
    ]
    return [*told, (OWN, each.met.runner[1], "")]


def _is_awaited_work(blame: Blame, met: Circumstances) -> bool:
    is_work = blame.where in _RUNS and blame.certainty is Certainty.MEASURED
    return is_work and is_awaited(blame, met)


def _is_beside_work(blame: Blame, work: Blame, met: Circumstances) -> bool:
    """Whether a look found another thread reading while work filled the stutter."""
    is_look = blame.certainty is Certainty.SEEN and blame.thread not in ("", work.thread)
    is_read = is_look and blame.where is WhereTimeWent.STORAGE
    return is_read and met.share(work.ms) >= CLEARLY_MOST


def _beyond_trace(each: Explained | None, name: str, thread: str) -> float:
    """How much more than the trace told the others may have of a main thread that is traced.

    Counters have what nobody waited for as well: beside one that unpacked they had 140 ms of
    reads, and so has a look at a ``thread`` beside one that ran. Of that only the short ones may
    be more, what the kernel's workers did for it, and what it slept so that no signal wakes it.
    """
    kinds, waits = _KINDS.get(name, ()), None if each is None else each.met.traced
    if waits is None or waits.main is None:
        return math.inf
    has_run = bool(kinds and thread) and waits.slept is not None
    if not (has_run or waits.beside.intersection(kinds)):
        return math.inf
    if waits.short_ms is None:
        return math.inf
    kernel_ms = waits.kernel_ms if REQUEST in kinds else 0.0
    deep_ms = waits.main.deep_ms if has_run else 0.0
    return sum(waits.short_ms.get(kind, 0.0) for kind in kinds) + kernel_ms + deep_ms


def _name(where: WhereTimeWent) -> str:
    group = GROUP_OF.get(where)
    if group is not None:
        return group.value
    is_own = where in _RUNS
    return OWN if is_own else ELSE


def _traced(spike: Spike, traced: TracedWaits | None) -> dict[str, list[_Span]]:
    """When within the stutter any thread of the game waited, by what for, by the trace's word."""
    if traced is None:
        return {}
    return {
        name: _apart(
            (max(wait.begin_ns, spike.start_ns), min(wait.end_ns, spike.monotonic_ns))
            for wait in traced.of(kinds)
        )
        for name, kinds in _KINDS.items()
        if not (name == Group.CPU.value and traced.main is not None and traced.main.is_crowd)
    }


def _each_once(spans: Mapping[str, Sequence[_Span]]) -> dict[str, float]:
    """Milliseconds of each, no moment twice.

    Where threads waited for different things at once, the one for which they waited longest has
    it: that is what the frame would have missed first.
    """
    covered: list[_Span] = []
    found = {}
    for name in sorted(spans, key=lambda each: -_length_ns(spans[each])):
        with_it = _apart([*covered, *spans[name]])
        part_ns = _length_ns(with_it) - _length_ns(covered)
        covered = with_it
        if part_ns:
            found[name] = part_ns / 1e6
    return found


def _apart(spans: Iterable[_Span]) -> list[_Span]:
    """The same times, in order and none twice."""
    apart: list[_Span] = []
    for begin, end in sorted(spans):
        if end <= begin:
            continue
        if apart and begin <= apart[-1][1]:
            apart[-1] = apart[-1][0], max(apart[-1][1], end)
        else:
            apart.append((begin, end))
    return apart


def _length_ns(spans: Iterable[_Span]) -> int:
    return sum(end - begin for begin, end in spans)
