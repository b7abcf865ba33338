# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of several causes that meet the same stutters is told first, and which are symptoms.

First the one that cost most of the time (``Finding.weight``), for that is what a player feels; a
guess only where it has several times as much. Of those that have about as much what the game
itself was measured to wait for, then the surer one. But a cause that can be a mere consequence of
another (``yields_to``) comes after it, when that one has more than half as much and not only
by a guess: what the kernel says it did (reclaim, swap-in, interrupts, a real-time task) is a
better answer than that a thread waited.

What happens to the whole computer at the same time (``yields_to_measured``: the time that the host
of a virtual machine took) comes after what the game itself was measured to wait for, where that
wait has more than half as much. A wait that has less holds it not back, nor does one that was not
measured.

A drive that answers slowly while somebody else fills its queue is not slow by itself: stutters
that are explained by that as well (``explained_by``) do not make the drive more suspicious.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from destutter.core.statement import Statement
from destutter.diagnosis.causes.cause import CauseSpec
from destutter.diagnosis.causes.detector import CauseDetector
from destutter.diagnosis.finding import OWN_LIMIT, Confidence, Finding, Spike
from destutter.diagnosis.findings.correlator import Known, Match, find
from destutter.diagnosis.history.window import SECOND_NS

BEAT = "periodic_overlay"
"""The cause that is found in the times of the stutters alone."""

SOME_HITCHES = 3
"""One or two in two minutes are in every game: a shader, a menu, a file."""
_SAME = 0.75  # of its stutters; ticks at the ends of others meet the one and not the other
_AS_MUCH = 0.75  # of the time that another one has: less of it does not hang on a tick
_TIMES_A_GUESS = 3.0  # as much time as what is known: a choice
_FEW = 0.25  # one of four; strangers found 1 of 8 and 3 of 12 of these by chance

Matched = tuple[Finding, Match]
"""A finding, and which stutters it rests on."""


def rank(finding: Finding) -> tuple[float, int, int, str]:
    """Sort key: what cost most first, then what explains most, then the surest, then by name."""
    told = (-finding.stutters_explained, -finding.confidence.rank, finding.cause)
    return (-_weight(finding), *told)


def _weight(finding: Finding) -> float:
    is_guess = finding.confidence is Confidence.LOW
    return finding.weight / _TIMES_A_GUESS if is_guess else finding.weight


def ranked(found: Sequence[Matched], specs: Mapping[str, CauseSpec]) -> list[Matched]:
    """The findings in the order in which they are told."""
    left = sorted(found, key=lambda outcome: rank(outcome[0]))
    told: list[Matched] = []
    while left:
        free = [each for each in left if not _waits(each, left, specs)] or left[:1]
        least = _AS_MUCH * _weight(free[0][0])
        about_as_much = [each for each in free if _weight(each[0]) >= least]
        first = max(about_as_much, key=_sureness)  # the first of several that are as sure
        left.remove(first)
        told.append(first)
    return told


def _sureness(outcome: Matched) -> tuple[bool, bool, int]:
    """What is only a guess last, what was measured in the game in most of its stutters first."""
    finding, how = outcome
    is_guess = finding.confidence is Confidence.LOW
    is_measured = 2 * how.direct >= finding.stutters_explained > 0
    return not is_guess, is_measured, finding.confidence.rank


def _waits(outcome: Matched, others: Sequence[Matched], specs: Mapping[str, CauseSpec]) -> bool:
    finding = outcome[0]
    spec = specs[finding.cause]
    if finding.kind == OWN_LIMIT:
        return False  # a limit of the game's own follows from nothing that others do
    for other, how in others:
        # A beat says when and not why: any reason is told before it.
        is_guess = other.confidence is Confidence.LOW and spec.id != BEAT
        if other.stutters_explained == 0 or is_guess:
            continue
        measured = how.direct / other.stutters_explained
        by_cause = other.weight if other.cause in spec.yields_to else 0.0
        by_wait = measured * other.weight if other.cause in spec.yields_to_measured else 0.0
        nearer = max(by_cause, by_wait)
        if nearer > 0 and 2 * nearer > finding.weight:
            return True
    return False


def with_few(found: Sequence[Matched]) -> list[Matched]:
    """The same findings; of many stutters with a reason, what else met a few is a guess.

    A second reason that is there at one of eighteen is more often chance than a second trouble,
    and its advice would change something for nothing.
    """
    told: list[Matched] = []
    for finding, how in found:
        mine = _times(how)
        reason = next((other for other in found if mine and _has_most(other, finding, mine)), None)
        if reason is None:
            told.append((finding, how))
            continue
        why = Statement("reason.few", {"cause": reason[0].cause})
        doubted = replace(finding, confidence=Confidence.LOW, reasons=(*finding.reasons, why))
        told.append((doubted, how))
    return told


def _has_most(other: Matched, finding: Finding, mine: set[int]) -> bool:
    """Whether another finding is no guess and explains many, and all of these few.

    Three freezes of 14 s are few of 16 stutters, and nearly all of their time.
    """
    is_other = other[0].cause != finding.cause and other[0].confidence is not Confidence.LOW
    theirs = _times(other[1])
    is_few = len(mine) <= _FEW * len(theirs) and finding.weight <= _FEW * other[0].weight
    return is_other and is_few and mine <= theirs


def with_consequences(found: Sequence[Matched], specs: Mapping[str, CauseSpec]) -> list[Matched]:
    """The findings as ranked, each mere consequence behind its cause and marked as that.

    Both met nearly all of the same stutters. What is only a guess has no consequences.
    """
    told: list[Matched] = []
    under: dict[str, list[Matched]] = {}
    for finding, how in found:
        cause = _nearest(how, specs[finding.cause], told)
        if cause:
            marked = replace(finding, consequence_of=cause)
            under.setdefault(cause, []).append((marked, how))
        else:
            told.append((finding, how))
    return [each for one in told for each in (one, *under.get(one[0].cause, ()))]


def _nearest(how: Match, spec: CauseSpec, told: Sequence[Matched]) -> str:
    """The first cause told so far that this one is a mere consequence of; empty for none."""
    mine = _times(how)
    for other, other_how in told:
        if other.cause not in spec.yields_to or other.confidence is Confidence.LOW:
            continue
        if mine and len(mine & _times(other_how)) >= _SAME * len(mine):
            return other.cause
    return ""


def as_symptoms(
    found: Sequence[Matched],
    detectors: Iterable[CauseDetector],
    spikes: Sequence[Spike],
    known_for: Callable[[CauseSpec], Known],
) -> list[Matched]:
    """The same findings; a symptom is as sure as by the stutters that its reason leaves over.

    It keeps what it explains, and says by what that is explained in turn.
    """
    detector_of = {detector.spec.id: detector for detector in detectors}
    told: list[Matched] = []
    for finding, how in found:
        detector = detector_of[finding.cause]
        reason, taken = _reason(how, detector.spec, found)
        if not taken:
            told.append((finding, how))
            continue
        rest = [spike for spike in spikes if spike.monotonic_ns not in taken]
        alone = find(detector, rest, known_for(detector.spec))
        sure = Confidence.LOW if alone is None else alone[0].confidence
        why = Statement("reason.explained_by", {"cause": reason, "met": len(taken)})
        told.append((replace(finding, confidence=sure, reasons=(*finding.reasons, why)), how))
    return told


def _reason(how: Match, spec: CauseSpec, found: Sequence[Matched]) -> tuple[str, set[int]]:
    """The cause that explains most of the same stutters on the same device, and their times."""
    best, most = "", set[int]()
    for other, other_how in found:
        if other.cause not in spec.explained_by or other.confidence is Confidence.LOW:
            continue
        both = _times(other_how) & _times(how)
        if len(both) > len(most) and _may_share_a_device(how, other_how):
            best, most = other.cause, both
    return best, most


def _times(how: Match) -> set[int]:
    return {spike.monotonic_ns for spike in how.explained}


def _may_share_a_device(one: Match, other: Match) -> bool:
    """Whether they are about the same device, or one of them about none in particular."""
    of_one, of_other = _devices(one), _devices(other)
    return not of_one or not of_other or not of_one.isdisjoint(of_other)


def _devices(how: Match) -> set[str]:
    return {moment.signal.subject for moment in how.moments if moment.signal.subject}


def with_hitches(
    findings: Sequence[Finding],
    felt: Sequence[Matched],
    stutters: int,
    hitches: int,
) -> tuple[Finding, ...]:
    """The findings about stutters, each with the hitches that it explains too.

    One that explains hitches only comes behind those that explain stutters; what was there and met
    nothing comes last.
    """
    by_cause = {finding.cause: finding for finding, _ in felt}
    both = []
    for finding in findings:
        own = by_cause.get(finding.cause)
        if own is not None and finding.stutters_explained:
            del by_cause[finding.cause]
            both.append(
                replace(finding, hitches_explained=own.stutters_explained, hitches_total=hitches)
            )
        elif own is None:
            both.append(replace(finding, hitches_total=hitches))
    alone = [
        replace(
            by_cause[finding.cause],
            stutters_explained=0,
            stutters_total=stutters,
            lost_ms=0.0,
            weight=0.0 if stutters else finding.weight,
            hitches_explained=finding.stutters_explained,
            hitches_total=hitches,
            # What was measured by ticks of 100 ms leaves doubt of a frame that was 10 ms late.
            confidence=Confidence.MEDIUM
            if finding.stutters_explained >= SOME_HITCHES
            and finding.confidence is not Confidence.LOW
            else Confidence.LOW,
        )
        for finding, _ in felt
        if finding.cause in by_cause
    ]
    explaining = [finding for finding in both if finding.stutters_explained]
    rest = [finding for finding in both if not finding.stutters_explained]
    return (*explaining, *alone, *rest)


def with_over(
    findings: Sequence[Finding],
    matches: tuple[Sequence[Matched], Sequence[Matched]],
    since_ns: int,
    now_ns: int,
) -> tuple[Finding, ...]:
    """The findings, those last that explain nothing that was felt since ``since_ns``, with a word
    on it. ``matches`` are of stutters and of hitches.

    Ten minutes of findings stood beside a verdict of two: "Close videoexport" under "the game
    itself took the time", six minutes after it was closed. A cause of stutters is over when those
    are: hitches of 9 ms kept it red while Live was smooth for six minutes.
    """
    last: dict[str, int] = {}
    for finding, how in (*matches[1], *matches[0]):
        if how.explained:
            last[finding.cause] = max(spike.monotonic_ns for spike in how.explained)
    told = []
    for finding in findings:
        ended_ns = last.get(finding.cause, now_ns)
        if not finding.explains or ended_ns >= since_ns:
            told.append(finding)
            continue
        minutes = max((now_ns - ended_ns) // (60 * SECOND_NS), 1)
        why = Statement("reason.over", {"span_s": minutes * 60})
        told.append(replace(finding, is_over=True, reasons=(why, *finding.reasons)))
    return tuple(sorted(told, key=lambda each: (not each.explains, each.is_over)))
