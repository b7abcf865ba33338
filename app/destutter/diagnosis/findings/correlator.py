# SPDX-License-Identifier: GPL-3.0-or-later
"""Do stutters fall together with a cause, or would they anyway?

A cause that is there all the time meets every stutter and explains none. So the share of stutters
that it meets is compared with the share that it would meet by chance, which follows from how much
of the time it is there, as strong as at the weakest of those stutters. That n stutters fall into
the strongest share s of the time by chance happens once in s to the minus n, wherever that mark
lies. Only a measurement of the wait itself is taken without that comparison.
"""

import bisect
import itertools
import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from destutter.core.statement import Statement
from destutter.diagnosis.causes.cause import CauseSpec, Signal
from destutter.diagnosis.causes.detector import CauseDetector, Moment
from destutter.diagnosis.chance import binomial_tail
from destutter.diagnosis.finding import (
    MOST_CULPRITS,
    Confidence,
    Culprit,
    Evidence,
    Finding,
    Spike,
    at_its_worst,
    weighty,
)
from destutter.diagnosis.findings import stalls
from destutter.diagnosis.history.tick_log import LATE_NS
from destutter.diagnosis.stutters.periods import find_period, period_kind
from destutter.diagnosis.stutters.spikes import WAKEUP_LIMIT_MS

_LIFT = 2.0  # nearer to 1, and a cause that is there most of the time explains whatever happens
# With fewer stutters the weakest of them would lie anywhere; of so many it marks the lowest fifth
# on average, where chance decides.
_ENOUGH_FOR_A_MARK = 4
_UNLIKELY = 0.01  # some thirty causes are tried: at 0.05 one or two would meet by chance
_RATHER_UNLIKELY = 0.05  # enough only beside an amount that is out of the ordinary by itself
_WAITED_SHARE = 0.5  # of the stutter; ticks cut off the rest
_TICK_MS = 100.0  # nobody waits for more in one tick


@dataclass(frozen=True, slots=True)
class Known:
    """What is known beside the stutters that a cause is matched with.

    ``excused`` are stutters, by their end, of which is known that their time went elsewhere: only
    a measurement of the wait itself ties the cause to them. ``denied`` are those that not even
    that does, for somebody was held up whom nobody waited for. ``felt`` are all stutters and
    hitches in order of time. ``drives`` are those that the game waited for in a stutter, by its
    end, where the kernel's trace tells: what another one did meanwhile held nobody up.
    """

    observed_s: float
    excused: AbstractSet[int] = frozenset()
    denied: AbstractSet[int] = frozenset()
    felt: Sequence[Spike] = ()
    drives: Mapping[int, AbstractSet[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Match:
    """Which stutters a cause explains, and how little chance would explain.

    ``met`` counts the stutters that fell together with it, ``explained`` are those that count,
    ``direct`` counts those of them in which the wait itself was measured. ``share`` is the chance
    of a stutter to meet it anyhow, ``chance`` that so many or more do.
    """

    explained: tuple[Spike, ...]
    moments: tuple[Moment, ...]
    met: int
    direct: int
    share: float
    chance: float

    @property
    def is_direct(self) -> bool:
        """Whether the wait itself was measured in any of them."""
        return self.direct > 0


def match(spikes: Sequence[Spike], moments: Sequence[Moment], known: Known) -> Match:
    """Match stutters with the moments of one cause, both in order of time."""
    entered = [moment for moment in moments if moment.is_entered]
    ends = [moment.end_ns for moment in entered]
    met: list[tuple[Spike, list[Moment]]] = []
    for spike in spikes:
        overlapping = _awaited(_overlapping(spike, entered, ends), spike, known)
        if overlapping and spike.monotonic_ns not in known.denied:
            met.append((spike, overlapping))
    direct = [pair for pair in met if _is_direct(*pair)]
    if not stalls.are_felt(direct, moments, known.felt):
        direct = []
    loose = known.excused - {spike.monotonic_ns for spike, _ in direct}
    met = [pair for pair in met if pair[0].monotonic_ns not in loose]
    share = _share_by_chance(spikes, _as_strong(moments, met), known.observed_s)
    counted = met if _stands_out(len(met), len(spikes), share) else direct
    found = {id(moment): moment for _, overlapping in counted for moment in overlapping}
    return Match(
        tuple(spike for spike, _ in counted),
        tuple(found.values()),
        len(met),
        len(direct),
        share,
        binomial_tail(len(met), len(spikes), share),
    )


def _stands_out(met: int, total: int, share: float) -> bool:
    """Whether far more stutters met the cause than chance explains."""
    return met > 0 and met / total >= _LIFT * share


def _as_strong(
    moments: Sequence[Moment], met: Sequence[tuple[Spike, list[Moment]]]
) -> list[Moment]:
    """The moments in which the cause was as strong as at each stutter that it met.

    With few stutters all of them: the mark would lie anywhere.
    """
    if len(met) < _ENOUGH_FOR_A_MARK:
        return list(moments)
    mark = min(max(each.signal.strength for each in overlapping) for _, overlapping in met)
    return [moment for moment in moments if moment.signal.strength >= mark]


def find(
    detector: CauseDetector, spikes: Sequence[Spike], known: Known
) -> tuple[Finding, Match] | None:
    """What a cause has to do with the stutters; None when it was never there."""
    entered = [moment for moment in detector.moments if moment.is_entered]
    if not entered:
        return None
    found = match(spikes, detector.moments, known)
    told_by = found.moments or tuple(entered)
    worst = max(told_by, key=lambda moment: moment.signal.strength)
    explained = found.explained
    finding = Finding(
        cause=detector.spec.id,
        group=detector.spec.group,
        confidence=how_sure(detector.spec, found, worst, len(spikes)),
        stutters_explained=len(explained),
        stutters_total=len(spikes),
        first_ns=min(moment.start_ns for moment in told_by),
        last_ns=max(moment.end_ns for moment in told_by),
        evidence=_evidence(_shown(worst, found), explained),
        culprits=_culprits(told_by, worst),
        reasons=_reasons(found, len(spikes)),
        is_active=detector.is_active,
        worst_ms=max((spike.duration_ms for spike in explained), default=None),
        kind=worst.signal.kind,
    )
    return finding, found


def find_beat(
    spec: CauseSpec, spikes: Sequence[Spike], watchers: tuple[Culprit, ...]
) -> tuple[Finding, Match] | None:
    """The finding that stutters come in a beat; None when they do not."""
    period = find_period(spikes)
    if period is None:
        return None
    found = Match(
        explained=period.spikes,
        moments=(),
        met=len(period.spikes),
        direct=0,
        share=0.0,
        chance=period.chance,
    )
    values = {"met": period.met, "total": period.of, "period_s": period.period_s}
    kind = period_kind(period.period_s)
    finding = Finding(
        cause=spec.id,
        group=spec.group,
        # A game that saves or streams at a pace of its own has a beat too, and it can be of two
        # seconds: only a program that was seen in it, at a pace such programs have, is more.
        confidence=Confidence.LOW if kind == "other" or not watchers else Confidence.MEDIUM,
        stutters_explained=len(period.spikes),
        stutters_total=len(spikes),
        first_ns=period.spikes[0].start_ns,
        last_ns=period.spikes[-1].monotonic_ns,
        evidence=(),
        culprits=watchers,
        reasons=(
            Statement("reason.period", {**values, "expected": period.expected}),
            Statement(f"reason.period.{kind}"),
        ),
        worst_ms=max(spike.duration_ms for spike in period.spikes),
    )
    return finding, found


def _overlapping(spike: Spike, moments: Sequence[Moment], ends: Sequence[int]) -> list[Moment]:
    found = []
    for index in range(bisect.bisect_left(ends, spike.start_ns), len(moments)):
        if moments[index].start_ns > spike.monotonic_ns + LATE_NS:
            break
        found.append(moments[index])
    return found


def _awaited(moments: list[Moment], spike: Spike, known: Known) -> list[Moment]:
    """Those of drives that the game waited for in a stutter; all where that is not known."""
    drives = known.drives.get(spike.monotonic_ns)
    if drives is None:
        return moments
    return [each for each in moments if each.signal.subject in (None, *drives)]


def _share_by_chance(
    spikes: Sequence[Spike], moments: Sequence[Moment], observed_s: float
) -> float:
    """How likely a stutter at any other time would have met the cause too."""
    if not spikes or not moments or observed_s <= 0:
        return 0.0
    there_s = sum(moment.end_ns - moment.start_ns for moment in moments) / 1e9
    runs = 1 + sum(after.start_ns > before.end_ns for before, after in itertools.pairwise(moments))
    spike_s = sum(spike.duration_ms for spike in spikes) / len(spikes) / 1e3
    reach_s = runs * (spike_s + LATE_NS / 1e9)
    return min((there_s + reach_s) / observed_s, 1.0)


def _is_direct(spike: Spike, moments: Sequence[Moment]) -> bool:
    """Whether the wait itself was measured, and was a good part of the stutter.

    A thread that is woken waits up to a time slice (0.7 to 2.8 ms, ``sched_base_slice`` in
    kernel/sched/fair.c) behind whoever runs, in every frame; in a second that adds up to as much
    as a stutter lasts. So the worst tick must show the wait too: the kernel books it when the
    thread gets its core (``sched_info_arrive`` in kernel/sched/stats.h), so that a long wait
    stands in one tick or fills several. Where the ticks are known only those of the stutter
    itself count: a game that was stopped for a moment may have waited just before.
    """
    if any(moment.signal.proves_origin == spike.origin for moment in moments):
        return True
    signals = [moment.signal for moment in moments]
    if any(signal.stalls for signal in signals):
        inside = stalls.within(moments, spike)
        waited_ms, longest_ms = sum(inside), max(inside, default=0.0)
    else:
        waited_ms = sum(
            (moment.signal.stall_ms or 0.0) * (moment.end_ns - moment.start_ns) / 1e9
            for moment in moments
        )
        peaks = [signal.stall_peak_ms for signal in signals]
        longest_ms = max((math.inf if peak is None else peak for peak in peaks), default=0.0)
    needed_ms = _WAITED_SHARE * min(spike.duration_ms, _TICK_MS)
    return longest_ms >= needed_ms and waited_ms >= _WAITED_SHARE * spike.duration_ms


def how_sure(spec: CauseSpec, found: Match, worst: Moment, total: int) -> Confidence:
    """How sure a finding is; the help of the page of causes tells this rule.

    A wait that was measured in a few of many stutters is true of those, and may be a tick of
    the frame beside: only most of them together with the amount leave no doubt.
    """
    if not found.explained:
        return Confidence.LOW
    is_much = worst.signal.strength >= spec.alarm
    is_no_chance = found.chance < _UNLIKELY and found.met >= 2
    if is_much and (is_no_chance or 2 * found.direct >= total):
        return Confidence.HIGH
    if is_no_chance or found.is_direct or (is_much and found.chance < _RATHER_UNLIKELY):
        return Confidence.MEDIUM
    return Confidence.LOW


def _shown(worst: Moment, found: Match) -> Moment:
    """The moment whose figures are told: of the longest stutter, where as many speak for it.

    That one is told first, and a figure of another beside it would be taken for its own.
    """
    longest = max(found.explained, key=lambda spike: spike.duration_ms, default=None)
    if longest is None:
        return worst
    alike = [
        each
        for each in found.moments
        if each.signal.kind == worst.signal.kind and each.signal.subject == worst.signal.subject
    ]
    there = _overlapping(longest, alike, [moment.end_ns for moment in alike])
    least = len(_speaking(worst.signal))
    as_much = (each for each in there if len(_speaking(each.signal)) >= least)
    return max(as_much, key=lambda moment: moment.signal.strength, default=worst)


def _speaking(signal: Signal) -> tuple[Evidence, ...]:
    """What stayed below its own threshold does not speak for the finding."""
    return tuple(each for each in signal.evidence if each.value >= each.threshold)


def _evidence(worst: Moment, explained: Sequence[Spike]) -> tuple[Evidence, ...]:
    """The rule's measurements, and the longest wait where the wait itself was measured."""
    signal = worst.signal
    speaking = _speaking(signal)
    own = [spike for spike in explained if spike.origin == signal.proves_origin]
    if not own:
        return speaking
    longest = max(own, key=lambda spike: spike.duration_ms)
    waited = Evidence(
        "wakeup.worst_ms", "ms", longest.duration_ms, WAKEUP_LIMIT_MS, longest.monotonic_ns
    )
    return (waited, *speaking)


def _culprits(moments: Sequence[Moment], worst: Moment) -> tuple[Culprit, ...]:
    """Those of the worst moment first, then whoever else was seen, each once and at its worst.

    Who only started programs comes behind all of whom something was measured.
    """
    named: dict[str, list[Culprit]] = {}
    for moment in (worst, *reversed(moments)):
        for culprit in moment.culprits:
            named.setdefault(culprit.comm, []).append(culprit)
    told = sorted(map(at_its_worst, named.values()), key=lambda culprit: culprit.only_started)
    return weighty(told)[:MOST_CULPRITS]


def _reasons(found: Match, total: int) -> tuple[Statement, ...]:
    if not found.met:
        return (Statement("reason.no_match", {"total": total}),)
    if not found.explained:
        values = {"met": found.met, "total": total, "share_pct": found.share * 100.0}
        return (Statement("reason.always_there", values),)
    expected = found.share * total
    timing = Statement("reason.timing", {"met": found.met, "total": total, "expected": expected})
    direct = (Statement("reason.direct"),) if found.is_direct else ()
    # Where only the measured wait counts, the times say nothing for it.
    return (timing, *direct) if _stands_out(found.met, total, found.share) else direct
