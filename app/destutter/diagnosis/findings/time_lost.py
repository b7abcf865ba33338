# SPDX-License-Identifier: GPL-3.0-or-later
"""The milliseconds of stutters, divided among what the game waited for and what it did.

Each millisecond counts once, whatever waited at the same time, so that the parts are the whole.
Only what was measured or seen has a part; what merely may have been is not known. Of several long
frames that are felt as one stutter each is divided by itself where the kernel's trace has it. Else
only the longest is: the others are taken to have gone the same way, which is an assumption, and is
not in ``traced_ms``.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from destutter.core.statement import Statement, Value
from destutter.core.traced import CORE, DIRTY_PAUSE, REQUEST, SPLIT_LOCK, WBT
from destutter.diagnosis.blame.stutter_answer import GROUP_OF, Certainty, WhereTimeWent
from destutter.diagnosis.circumstances.main_work import MainWork
from destutter.diagnosis.circumstances.traced_waits import MEMORY_KINDS, TracedWaits
from destutter.diagnosis.finding import Group, Spike, TimeLost
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN

OWN, ELSE, UNKNOWN = "own", "else", "unknown"
"""What is none of the groups: the game's own work, another wait that has a name, nothing known."""

_KINDS = {
    Group.MEMORY.value: MEMORY_KINDS,
    Group.STORAGE.value: (REQUEST, DIRTY_PAUSE, WBT),
    Group.CPU.value: (CORE, SPLIT_LOCK),
}
_ORDER = (*_KINDS, Group.GPU.value, ELSE, OWN, UNKNOWN)
_MUCH = 0.25  # of what was lost: with less nobody misses it in the sum
_Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Lost:
    """One stutter's, and what it was found by."""

    spike: Spike
    each: Explained | None
    doubted: frozenset[Group]
    lost: TimeLost


class TimeLostTally:
    """Adds up stutters, and keeps the parts of each until it is explained anew.

    Summed up from nothing each second, 2,400 stutters cost 19 to 83 ms.
    """

    def __init__(self) -> None:
        self._kept: dict[int, _Lost] = {}

    def of(self, spikes: Sequence[Spike], known: Iterable[Explained]) -> TimeLost:
        """What these lost; of one of which nothing is known all is unknown."""
        by_end = {each.spike.monotonic_ns: each for each in known}
        found = [self._part(spike, by_end.get(spike.monotonic_ns)) for spike in spikes]
        self._kept = {one.spike.monotonic_ns: one for one in found}
        parts: defaultdict[str, float] = defaultdict(float)
        losses = [one.lost for one in found]
        for lost in losses:
            for name, part_ms in lost.parts.items():
                parts[name] += part_ms
        sums = (
            sum(lost.total_ms for lost in losses),
            _ordered(parts),
            sum(lost.traced_ms for lost in losses),
            sum(lost.more_ms for lost in losses),
        )
        return TimeLost(*sums, tuple(losses))

    def _part(self, spike: Spike, each: Explained | None) -> _Lost:
        if spike.origin == WAKEUP_ORIGIN:
            # The probe was late, and it does nothing that could be divided; what the game did
            # meanwhile held nobody up.
            each = None
        kept = self._kept.get(spike.monotonic_ns)
        doubted = frozenset() if each is None else each.doubted
        is_same = kept is not None and kept.each is each and kept.doubted == doubted
        if kept is not None and is_same and kept.spike == spike:
            return kept
        spans = {} if each is None else _traced(spike, each.met.traced)
        traced = _each_once(spans)
        if each is not None and each.met.main is not None:
            traced = _beside(traced, each.met.main, spike.duration_ms)
        elif each is not None and _has_run(each):
            traced = _shortened(traced, spike.duration_ms - each.met.runner[1])
        parts = _parts(spike, each, traced, spans)
        others = [] if each is None else [_of_frame(*other) for other in each.others]
        times = _whole(spike, sum(map(_sum, others)))
        whole = Counter({name: part_ms * times for name, part_ms in parts.items()})
        for other in others:
            whole.update(other)
        traced_ms = sum(traced.values()) + sum(map(_told_ms, others))
        total_ms = spike.duration_ms + spike.more_ms
        lost = TimeLost(total_ms, _ordered(whole), traced_ms, spike.more_ms)
        return _Lost(spike, each, doubted, lost)


def _ordered(parts: Mapping[str, float]) -> dict[str, float]:
    return {name: parts[name] for name in _ORDER if parts.get(name)}


def _whole(spike: Spike, known_ms: float) -> float:
    """How much longer all frames that are felt as one stutter took than the longest of them, but
    for ``known_ms`` of those that were measured.

    That one speaks for them, here as everywhere: a game that lost 8.4 s in chains of frames of
    200 ms was told 2.5 s, by the longest of each chain alone.
    """
    more_ms = max(spike.more_ms - known_ms, 0.0)
    return (spike.duration_ms + more_ms) / spike.duration_ms if spike.duration_ms else 1.0


def _of_frame(frame: Spike, waits: TracedWaits) -> dict[str, float]:
    """The parts of a long frame beside the longest, of which only the trace tells."""
    if waits.main is None:
        return {UNKNOWN: frame.duration_ms}
    found = _beside(_each_once(_traced(frame, waits)), waits.main, frame.duration_ms)
    found[OWN] = min(waits.main.ran_ms, frame.duration_ms)
    found[UNKNOWN] = max(frame.duration_ms - _sum(found), 0.0)
    return found


def _sum(parts: Mapping[str, float]) -> float:
    return sum(parts.values())


def _told_ms(parts: Mapping[str, float]) -> float:
    return sum(part_ms for name, part_ms in parts.items() if name not in (OWN, UNKNOWN))


def told_as_lost(lost: TimeLost) -> Statement | None:
    """The sentence; None where nothing was lost, or nothing but that is known.

    Where much of it lies in other frames than the longest of each stutter, that is said: 13.1 s
    of 13 stutters, the longest of 196 ms, read as if it could not be.
    """
    if not lost.parts.keys() - {UNKNOWN}:
        return None
    values = _said(lost)
    told = "verdict.lost.rows" if lost.more_ms >= _MUCH * lost.total_ms else "verdict.lost"
    if not lost.traced_ms:
        return Statement(told, values)
    return Statement(f"{told}.traced", {**values, "traced_ms": lost.traced_ms})


def told_as_lost_in_one(lost: TimeLost) -> Statement | None:
    """The same of a single stutter, which a list tells by its longest frame alone."""
    if not lost.parts.keys() - {UNKNOWN}:
        return None
    if lost.more_ms:
        return Statement("verdict.lost.one.rows", _said(lost))
    return Statement("verdict.lost.one", _said(lost))


def _said(lost: TimeLost) -> dict[str, Value]:
    parts = tuple(
        Statement(f"verdict.lost.{name}", {"part_ms": part_ms})
        for name, part_ms in lost.parts.items()
    )
    return {"lost_ms": lost.total_ms, "parts": parts}


def _parts(
    spike: Spike,
    each: Explained | None,
    traced: Mapping[str, float],
    spans: Mapping[str, Sequence[_Span]],
) -> dict[str, float]:
    """What the trace told, then what counters have beyond that, as far as there is time left.

    While the main thread ran it waited for nothing, whoever else did.
    """
    found = dict(traced)
    if each is not None and each.met.main is not None:
        found[OWN] = min(each.met.main.ran_ms, spike.duration_ms)
    left_ms = spike.duration_ms - sum(found.values())
    for name, part_ms in () if each is None else _answers(each):
        told_ms = max(_length_ns(spans.get(name, ())) / 1e6, found.get(name, 0.0))
        more_ms = min(max(part_ms - told_ms, 0.0), left_ms)
        found[name] = found.get(name, 0.0) + more_ms
        left_ms -= more_ms
    found[UNKNOWN] = left_ms
    return found


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


def _beside(parts: Mapping[str, float], main: MainWork, duration_ms: float) -> dict[str, float]:
    """The parts, as far as they fit to what the main thread did all the while.

    While it was ready it waited for a core and nothing else: beside a worker that read, 101 ms of
    that were told as a wait for the drive.
    """
    core = Group.CPU.value
    ready_ms = min(main.ready_ms, max(duration_ms - main.ran_ms, 0.0))
    others = {
        name: max(part_ms - (ready_ms if name == core else 0.0), 0.0)
        for name, part_ms in parts.items()
    }
    found = _shortened(others, duration_ms - main.ran_ms - ready_ms)
    if ready_ms:
        found[core] = found.get(core, 0.0) + ready_ms
    return found


def _answers(each: Explained) -> list[tuple[str, float]]:
    """What was measured or seen, the surest first, and behind it how long the game ran."""
    told = [
        (_name(blame.where), blame.ms)
        for blame in each.blames
        if blame.certainty > Certainty.POSSIBLE and GROUP_OF.get(blame.where) not in each.doubted
    ]
    return [*told, (OWN, each.met.runner[1])]


def _name(where: WhereTimeWent) -> str:
    group = GROUP_OF.get(where)
    if group is not None:
        return group.value
    is_own = where in (WhereTimeWent.OWN_WORK, WhereTimeWent.OWN_CROWD)
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
