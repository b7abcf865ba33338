# SPDX-License-Identifier: GPL-3.0-or-later
"""The milliseconds of stutters, divided among what the game waited for and what it did.

What is lost is the time beyond usual frames, as in a comparison and in the score. Counted whole,
40.1 s were lost in the list and 27 s in ten minutes in the table beside it.

Each millisecond counts once, whatever waited at the same time, so that the parts are the whole.
Only what was measured or seen has a part; what merely may have been is not known. Of several long
frames that are felt as one stutter each is divided by itself where the kernel's trace has it. Else
only the longest is: the others are taken to have gone the same way, which is an assumption, and is
not in ``traced_ms``.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from destutter.core.statement import Statement, Value
from destutter.diagnosis.blame.stutter_answer import GROUP_OF, Blame, Certainty
from destutter.diagnosis.finding import Group, Spike
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.stutter_parts import ELSE, OWN, UNKNOWN, divided
from destutter.diagnosis.lost_time import TimeLost, weight_ms
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN

_GROUPS = (Group.MEMORY, Group.STORAGE, Group.CPU, Group.GPU)
_ORDER = (*(group.value for group in _GROUPS), ELSE, OWN, UNKNOWN)
_MUCH = 0.25  # of what was lost: with less nobody misses it in the sum


@dataclass(frozen=True, slots=True)
class _Lost:
    """One stutter's, and what it was found by."""

    spike: Spike
    each: Explained | None
    doubted: frozenset[Group]
    blames: tuple[Blame, ...]
    lost: TimeLost


class TimeLostTally:
    """Adds up stutters, and keeps the parts of each until it is explained anew, or told to have
    another cause.

    Summed up from nothing each second, 2,400 stutters cost 19 to 83 ms.
    """

    def __init__(self) -> None:
        self._kept: dict[int, _Lost] = {}

    def of(self, spikes: Sequence[Spike], known: Iterable[Explained]) -> TimeLost:
        """What these lost; of one of which nothing is known all is unknown."""
        parts: defaultdict[str, float] = defaultdict(float)
        of_each = self.of_each(spikes, known)
        losses = tuple(of_each[spike.monotonic_ns] for spike in spikes)
        for lost in losses:
            for name, part_ms in lost.parts.items():
                parts[name] += part_ms
        sums = (
            sum(lost.total_ms for lost in losses),
            _ordered(parts),
            sum(lost.traced_ms for lost in losses),
            sum(lost.more_ms for lost in losses),
        )
        return TimeLost(*sums, losses)

    def of_each(self, spikes: Sequence[Spike], known: Iterable[Explained]) -> dict[int, TimeLost]:
        """What each of these lost, by its end."""
        by_end = {each.spike.monotonic_ns: each for each in known}
        found = [self._part(spike, by_end.get(spike.monotonic_ns)) for spike in spikes]
        self._kept = {one.spike.monotonic_ns: one for one in found}
        return {at: one.lost for at, one in self._kept.items()}

    def _part(self, spike: Spike, each: Explained | None) -> _Lost:
        if spike.origin == WAKEUP_ORIGIN:
            # The probe was late, and it does nothing that could be divided; what the game did
            # meanwhile held nobody up.
            each = None
        kept = self._kept.get(spike.monotonic_ns)
        doubted = frozenset() if each is None else each.doubted
        blames = () if each is None else each.blames
        is_same = kept is not None and kept.each is each and kept.blames is blames
        if kept is not None and is_same and (kept.spike, kept.doubted) == (spike, doubted):
            return kept
        found = divided(spike, None if each is None else _as_told(spike, each))
        total_ms = lost_ms(spike)
        parts = _beyond_usual(found.parts, spike.duration_ms + spike.more_ms - total_ms)
        more_ms = _lost_beside(spike)
        lost = TimeLost(total_ms, _ordered(parts), min(found.traced_ms, total_ms), more_ms)
        return _Lost(spike, each, doubted, blames, lost)


def lost_ms(spike: Spike) -> float:
    """What a player lost in a stutter: its time beyond as many usual frames."""
    return max(spike.duration_ms - spike.usual_ms, 0.0) + _lost_beside(spike)


def spike_weight_ms(spike: Spike) -> float:
    """What a stutter weighs beside others."""
    return weight_ms(lost_ms(spike))


def _lost_beside(spike: Spike) -> float:
    """The same in the long frames beside the longest."""
    return max(spike.more_ms - sum(each.usual_ms for each in spike.others), 0.0)


def _beyond_usual(parts: Mapping[str, float], usual_ms: float) -> dict[str, float]:
    """Without what usual frames would have taken: of that nothing is known, or the game worked in
    it as it always does. A wait that was measured is only less where there was nothing else.
    """
    left = dict(parts)
    others = sorted(left.keys() - {UNKNOWN, OWN}, key=lambda name: -left[name])
    for name in (UNKNOWN, OWN, *others):
        taken_ms = min(left.get(name, 0.0), usual_ms)
        left[name] = left.get(name, 0.0) - taken_ms
        usual_ms -= taken_ms
    return left


def _as_told(spike: Spike, each: Explained) -> Explained:
    """Without what only looks speak for, where its cause is told as a guess: "Possibly: Slow
    drive" stood beside "63.7 ms waiting for drives". What was measured is no guess of its time.
    """
    if not spike.is_guess or each.met.main is not None:
        return each
    told = (
        one
        for one in each.blames
        if GROUP_OF.get(one.where) is not spike.group or one.certainty is Certainty.MEASURED
    )
    return replace(each, blames=tuple(told))


def _ordered(parts: Mapping[str, float]) -> dict[str, float]:
    return {name: parts[name] for name in _ORDER if parts.get(name)}


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
