# SPDX-License-Identifier: GPL-3.0-or-later
"""The banner: one sentence that says whether it stutters and why, and one below it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from destutter.core.statement import Statement, Value
from destutter.diagnosis.blame.blame import Certainty, WhereTimeWent
from destutter.diagnosis.blame.drive_waits import QUICK_MS
from destutter.diagnosis.cause_ids import SLOW_DEVICE
from destutter.diagnosis.causes.coverage import FRAMES
from destutter.diagnosis.finding import (
    OWN_LIMIT,
    OWN_READING,
    OWN_SAVING,
    Confidence,
    Finding,
    Group,
    Spike,
    Verdict,
    VerdictKind,
)
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.order import BEAT, SOME_HITCHES
from destutter.diagnosis.findings.partner_findings import who
from destutter.diagnosis.findings.time_lost import lost_ms, spike_weight_ms
from destutter.diagnosis.history.window import SECOND_NS
from destutter.diagnosis.shares import CLEARLY_MOST
from destutter.diagnosis.stutters.spikes import WAKEUP_LIMIT_MS, WAKEUP_ORIGIN
from destutter.diagnosis.unplayed_span import not_counted
from destutter.diagnosis.verdict.cleared_groups import quiet_groups
from destutter.diagnosis.verdict.own_business import (
    HEADLINES,
    LEAST_KNOWN,
    OPEN,
    UNSEEN,
    group_behind,
    own_business,
)
from destutter.diagnosis.verdict.pace_words import kept_pace, told_by_pace
from destutter.diagnosis.verdict.verdict_basis import WARM_UP_NS, VerdictBasis
from destutter.diagnosis.wording import named_as, told_with

_PENDING_NS = 2_500_000_000
"""A second has to be completed, and often a second one, before a rule can speak."""

_PAUSED, _FRAMELESS = "verdict.paused", "verdict.frameless"
_SILENT = (_PAUSED, _FRAMELESS)  # what says itself for how long nothing was played
_CPU_LIMIT = f"run_queue_delay.{OWN_LIMIT}"


def judge(situation: VerdictBasis) -> Verdict:
    found = _judged(situation)
    if found.kind is not VerdictKind.MEASURING and found.headline.id not in _SILENT:
        since_ns = situation.now_ns - situation.span_ns
        unplayed = not_counted(situation.unplayed, 0 if situation.is_whole else since_ns)
        found = replace(found, unplayed=unplayed)
    if situation.has_game or found.kind in (VerdictKind.MEASURING, VerdictKind.NOT_MEASURED):
        return found
    # Late wake-ups of a computer that nobody plays on hurt nobody.
    count = len(situation.recent)
    told = "computer" if count else "computer.smooth"
    told += ".whole" if count and situation.is_whole else ""
    span_ns = situation.span_ns if count else situation.now_ns - situation.smooth_since_ns
    values: dict[str, Value] = {"count": count} if count else {}
    headline = Statement(f"verdict.{told}", {**values, "span_s": span_ns // SECOND_NS})
    return replace(found, headline=headline, is_of_computer=True, unplayed=None)


def _judged(situation: VerdictBasis) -> Verdict:
    measured_ns = situation.now_ns - situation.started_ns
    if measured_ns < WARM_UP_NS:
        if situation.is_whole:
            # Nothing more comes: "first result in 4 seconds" stood in the list for ever.
            values = {"span_s": measured_ns // SECOND_NS, "needed_s": WARM_UP_NS // SECOND_NS}
            short, detail = Statement("verdict.short"), Statement("verdict.short.detail", values)
            return Verdict(VerdictKind.MEASURING, short, detail)
        left_s = -(-(WARM_UP_NS - measured_ns) // SECOND_NS)
        return Verdict(
            VerdictKind.MEASURING,
            Statement("verdict.measuring", {"left_s": left_s}),
            Statement("verdict.measuring.detail"),
        )
    if situation.recent:
        return replace(_stutter(situation), told_by=told_by_pace(situation))
    if not (situation.sees_frames or situation.sees_wakes):
        why, also = (situation.coverage.why_not(source) for source in (FRAMES, "wakeup"))
        return Verdict(
            VerdictKind.NOT_MEASURED,
            Statement("verdict.not_measured"),
            Statement("verdict.not_measured.detail", {"why_sentence": why, "also_sentence": also}),
        )
    if len(situation.hitches) >= SOME_HITCHES:
        return _hitches(situation)
    if situation.pause_ns and not situation.is_whole:
        headline = Statement(_PAUSED, {"span_s": situation.pause_ns // SECOND_NS})
        return Verdict(VerdictKind.NOT_MEASURED, headline, Statement("verdict.paused.detail"))
    is_silent = situation.frameless_ns and not situation.is_whole
    if is_silent and situation.coverage.facts.get("game.pid"):
        # Not "no hiccup": a game that hangs for good tells that by its silence alone.
        span_s = situation.frameless_ns // SECOND_NS
        headline = Statement(_FRAMELESS, {"span_s": span_s})
        return Verdict(VerdictKind.NOT_MEASURED, headline, Statement("verdict.frameless.detail"))
    return kept_pace(situation) or _smooth(situation)


def _hitches(situation: VerdictBasis) -> Verdict:
    told = "hitches.whole" if situation.is_whole else "hitches"
    values = {"count": len(situation.hitches), "span_s": situation.span_ns // SECOND_NS}
    headline = Statement(f"verdict.{told}", values)
    worst: dict[str, Value] = {"worst_ms": max(hitch.duration_ms for hitch in situation.hitches)}
    counts = Counter(hitch.cause for hitch in situation.hitches if hitch.cause is not None)
    finding = next((each for each in situation.findings if counts.get(each.cause)), None)
    own, own_values = own_business(situation.known_hitches)
    is_guess = finding is None or finding.confidence is Confidence.LOW
    if own != UNSEEN and (finding is None or (is_guess and own not in OPEN)):
        detail = Statement(f"verdict.hitches.{own}.detail", {**own_values, **worst})
        return Verdict(VerdictKind.HITCHES, headline, detail)
    if finding is None:
        detail = Statement("verdict.hitches.unexplained.detail", worst)
        return Verdict(VerdictKind.HITCHES, headline, detail)
    explained: dict[str, Value] = {
        "cause": named_as(finding),
        "explained": counts[finding.cause],
        "total": len(situation.hitches),
        "confidence": finding.confidence.value,
    }
    told = "hitches.possible" if is_guess else "hitches"
    detail = Statement(f"verdict.{told}.detail", {**worst, **explained})
    return Verdict(VerdictKind.HITCHES, headline, detail, finding)


def _smooth(situation: VerdictBasis) -> Verdict:
    span_s = (situation.now_ns - situation.smooth_since_ns) // SECOND_NS
    told = "smooth" if situation.sees_frames else "smooth.wakeup"
    headline = Statement(f"verdict.{told}", {"span_s": span_s})
    if not situation.sees_frames and situation.coverage.facts.get("game.pid"):
        # The computer was in time: a game that freezes by itself shows nowhere but in its frames.
        return Verdict(
            VerdictKind.NOT_MEASURED, headline, Statement("verdict.smooth.unframed.detail")
        )
    seen = (each for each in situation.findings if each.is_active and not each.hitches_explained)
    possible = next(seen, None)
    if possible is not None:
        detail = Statement("verdict.smooth.possible.detail", {"cause": possible.cause})
    elif situation.sees_frames:
        detail = Statement("verdict.smooth.frames.detail")
    else:
        by = "sampled" if situation.sees_few_frames else "wakeup"
        detail = Statement(f"verdict.smooth.{by}.detail", {"limit_ms": WAKEUP_LIMIT_MS})
    return Verdict(VerdictKind.SMOOTH, headline, detail, possible)


def _stutter(situation: VerdictBasis) -> Verdict:
    is_by_probe = all(spike.origin == WAKEUP_ORIGIN for spike in situation.recent)
    origin = "wakeup" if is_by_probe else "frames"
    told = f"{origin}.whole" if situation.is_whole else origin
    values: dict[str, Value] = {
        "count": len(situation.recent),
        "span_s": situation.span_ns // SECOND_NS,
    }
    finding = _leading(situation)
    # A guess is no answer where it is known that the time went into the game's own business.
    is_own = own_business(situation.known)[0] not in OPEN
    is_guess = finding is None or finding.confidence is Confidence.LOW
    # A beat alone says when and not why.
    is_beat = finding is not None and is_guess and finding.cause == BEAT
    is_part = finding is not None and _is_part(finding, situation.known)
    if finding is not None and is_guess and not (is_own or is_beat or is_part):
        headline = Statement(f"verdict.unexplained.{told}", values)
        return Verdict(VerdictKind.UNEXPLAINED, headline, _possible(situation, finding), finding)
    is_less = finding is not None and not is_guess and _is_less(situation, finding)
    if finding is not None and not (is_guess or is_part or is_less):
        headline = Statement(f"verdict.stutter.{told}", {**values, "group": finding.group.value})
        rest, most = _rest(situation, finding), _most_lost(situation, finding)
        said = _told(situation, finding)
        return Verdict(VerdictKind.STUTTER, headline, said, finding, rest, most_lost=most)
    kind = "unexplained"
    # At the end of a recording nothing more comes that could still tell. A game that freezes every
    # two seconds has a new stutter all the time: the older ones tell.
    settled_ns = situation.now_ns if situation.is_whole else situation.now_ns - _PENDING_NS
    settled = [spike for spike in situation.recent if spike.monotonic_ns <= settled_ns]
    if not settled:
        detail = Statement("verdict.pending.detail")
    elif finding is not None and is_beat and not is_own:
        period = finding.reasons[0].values["period_s"]
        detail = Statement("verdict.beat.detail", {"period_s": period})
    else:
        detail = _unexplained(situation, settled, origin)
        place = detail.id.removeprefix("verdict.").removesuffix(".detail")
        kind = HEADLINES.get(place.removesuffix(".quiet"), kind)
    headline = Statement(f"verdict.{kind}.{told}", values)
    rest = _beside(situation, finding) if finding is not None and is_less else None
    return Verdict(VerdictKind.UNEXPLAINED, headline, detail, rest=rest)


def _leading(situation: VerdictBasis) -> Finding | None:
    """The finding that the verdict tells: of those that are sure the one that cost most of the
    time of this span, the first of two alike.

    Findings are of ten minutes and the verdict of two: a trouble that has passed, and met 150
    stutters, was told of two minutes in which it met 2 of 24, and another one 22.
    """
    found = [each for each in situation.findings if situation.explained.get(each.cause)]
    sure = [each for each in found if each.confidence is not Confidence.LOW]
    weights = _weights(situation.recent)
    most_ms = max((weights[each.cause] for each in sure), default=0.0)
    leading = (each for each in sure if weights[each.cause] >= most_ms)
    return next(leading, found[0] if found else None)


def _weights(spikes: Iterable[Spike]) -> defaultdict[str | None, float]:
    """What the stutters of each cause weigh."""
    weights: defaultdict[str | None, float] = defaultdict(float)
    for spike in spikes:
        weights[spike.cause] += spike_weight_ms(spike)
    return weights


def _is_less(situation: VerdictBasis, finding: Finding) -> bool:
    """Whether more of the time is known to have gone elsewhere than into the finding, or so much
    of it is not explained that what the finding explains speaks for none of that.
    """
    sure = {each.cause for each in situation.findings if each.confidence is not Confidence.LOW}
    weights = _weights(situation.recent)
    others = {spike.monotonic_ns for spike in situation.recent if spike.cause not in sure}
    known = [each for each in situation.known if each.spike.monotonic_ns in others]
    if own_business(known)[0] in OPEN:
        return LEAST_KNOWN * sum(map(weights.__getitem__, sure)) < sum(weights.values())
    # A main thread that spins while another waits for a drive runs, and is not the reason.
    surely = [each for each in known if not _is_waited_beside(each)]
    # Of several kinds each stands alone: eight freezes of four kinds, two of each, were all "the
    # game was stopped".
    kinds: defaultdict[WhereTimeWent, float] = defaultdict(float)
    for each in surely:
        if each.first is not None:
            kinds[each.first.where] += spike_weight_ms(each.spike)
    return max(kinds.values(), default=0.0) > weights[finding.cause]


def _is_waited_beside(each: Explained) -> bool:
    kinds = ("memory",) if Group.STORAGE in each.contradicted else ("io", "memory")
    blocked = max((each.met.seen.get(what, 0) for what in kinds), default=0)
    return blocked >= CLEARLY_MOST * each.met.looks > 0


def _most_lost(situation: VerdictBasis, finding: Finding) -> Statement | None:
    """Why it is the headline, where it is not the cause of most of the stutters."""
    mine = [spike for spike in situation.recent if spike.cause == finding.cause]
    whole_ms = sum(map(spike_weight_ms, situation.recent))
    is_most = 2 * sum(map(spike_weight_ms, mine)) > whole_ms
    if 2 * len(mine) > len(situation.recent) or not is_most:
        return None
    values = {"lost_ms": sum(map(lost_ms, mine)), "total_ms": sum(map(lost_ms, situation.recent))}
    return Statement("verdict.most_lost", {**values})


def _beside(situation: VerdictBasis, finding: Finding) -> Statement:
    count = situation.explained[finding.cause]
    return Statement("verdict.rest.cause", {"count": count, "cause": finding.cause})


def _is_part(finding: Finding, known: Sequence[Explained]) -> bool:
    """Whether the game's own limit is the smaller part of the reason in most of its stutters."""
    if finding.told_as != _CPU_LIMIT:
        return False
    parts = sum(each.limit_part is not None for each in known)
    return 2 * parts > finding.stutters_explained


def _told(situation: VerdictBasis, finding: Finding) -> Statement:
    hit = [spike for spike in situation.recent if spike.cause == finding.cause]
    longest_ms = max((spike.duration_ms for spike in hit), default=finding.worst_ms or 0.0)
    times = {spike.monotonic_ns for spike in hit}
    mine = [each for each in situation.known if each.spike.monotonic_ns in times]
    drive, waited = _drive_and_waits(finding, mine)
    # Of a frame of 2.4 s that waited 0.4 for a core the game waited no longer than that.
    longest_ms = max(waited, default=longest_ms)
    if finding.told_as == _CPU_LIMIT:
        # A part of such a stutter is the work that used the limit up.
        held_ms = [each.met.held_ms for each in situation.known if each.met.held_ms]
        longest_ms = max(held_ms, default=longest_ms)
    by_probe = bool(hit) and all(spike.origin == WAKEUP_ORIGIN for spike in hit)
    game = situation.coverage.facts.get("game.name", "")
    values: dict[str, Value] = {
        # A late wake-up was the probe's: that the game was late as well nobody has measured.
        "who": "" if by_probe else who(finding, situation.known, game),
        "worst_ms": longest_ms,
        "explained": situation.explained[finding.cause],
        "total": len(situation.recent),
        "confidence": finding.confidence.value,
    }
    if drive:
        values["device"] = drive
    return told_with(f"verdict.{finding.told_as}", values)


def _drive_and_waits(finding: Finding, mine: Sequence[Explained]) -> tuple[str, Sequence[float]]:
    """The drive that is told, and how long each of these stutters waited for it, in ms.

    Where the kernel told which drive held each of them up it is the one that did so longest in
    all: a wait of 975 ms for one was told as one for another, which was in more of them.
    """
    named = [each.comm for each in finding.culprits if each.what == "device"]
    waits = [(each.held_by, each.waited_ms(finding.group)) for each in mine]
    held: dict[str, float] = {}
    for drive, waited_ms in waits:
        if drive in named and waited_ms:
            held[drive] = held.get(drive, 0.0) + waited_ms
    if finding.group is Group.STORAGE and held:
        most = max(held, key=lambda drive: held[drive])
        return most, [waited_ms for drive, waited_ms in waits if drive == most and waited_ms]
    slow = (drive for drive in named if not _is_quick(drive, finding, mine))
    return next(slow, ""), [waited_ms for _, waited_ms in waits if waited_ms]


def _is_quick(drive: str, finding: Finding, known: Sequence[Explained]) -> bool:
    """Whether a drive that would be called slow answered at once in all stutters with requests."""
    if finding.told_as != SLOW_DEVICE:
        return False
    loads = [each.met.loads.get(drive) for each in known]
    awaits = [load.await_ms for load in loads if load is not None]
    return 0.0 < max(awaits, default=0.0) < QUICK_MS


def _rest(situation: VerdictBasis, finding: Finding) -> Statement | None:
    """What is known of the stutters that the finding does not explain."""
    others = [spike for spike in situation.recent if spike.cause != finding.cause]
    if not others:
        return None
    values: dict[str, Value] = {"count": len(others)}
    sure = [each.cause for each in situation.findings if each.confidence is not Confidence.LOW]
    counts = Counter(spike.cause for spike in others if spike.cause in sure)
    cause, count = max(counts.items(), key=lambda item: item[1], default=(None, 0))
    if cause is not None and 2 * count >= len(others):
        return Statement("verdict.rest.cause", {"count": count, "cause": cause})
    times = {spike.monotonic_ns for spike in others}
    known = [each for each in situation.known if each.spike.monotonic_ns in times]
    firsts = [each.first for each in known if each.first is not None]
    kinds = Counter(first.where for first in firsts if first.certainty > Certainty.POSSIBLE)
    if 2 * kinds.total() >= len(others) and 2 * max(kinds.values(), default=0) <= kinds.total():
        return Statement("verdict.rest.several", values)
    own = own_business(known)[0]
    guesses = Counter(spike.cause for spike in others if spike.cause is not None)
    guess, count = max(guesses.items(), key=lambda item: item[1], default=(None, 0))
    if guess is not None and own in OPEN and 2 * count >= len(others):
        # The list of stutters says so of each.
        return Statement("verdict.rest.possible", {"count": count, "cause": guess})
    if own in HEADLINES and kinds:
        values["count"] = max(kinds.values())  # the rest of them went elsewhere, each for itself
    return Statement(f"verdict.rest.{HEADLINES.get(own, UNSEEN)}", values)


def _possible(situation: VerdictBasis, finding: Finding) -> Statement:
    """A guess, and how to find out: it never stands in the headline.

    Of what the game reads or writes itself nobody else has to be silent to check it.
    """
    values: dict[str, Value] = {
        "cause": named_as(finding),
        "explained": situation.explained[finding.cause],
        "total": len(situation.recent),
    }
    about = "own" if finding.kind in (OWN_READING, OWN_SAVING) else finding.group.value
    about = about if situation.has_game else "computer"
    return Statement(f"verdict.possible.{about}.detail", values)


def _unexplained(situation: VerdictBasis, settled: Sequence[Spike], origin: str) -> Statement:
    guesses = {
        each.cause
        for each in situation.findings
        if each.confidence is Confidence.LOW or _is_part(each, situation.known)
    }
    unexplained = [spike for spike in settled if spike.cause is None or spike.cause in guesses]
    times = {spike.monotonic_ns for spike in unexplained}
    known = [each for each in situation.known if each.spike.monotonic_ns in times]
    cleared = quiet_groups(situation.coverage, unexplained, known, situation.findings)
    values: dict[str, Value] = {}
    if cleared:
        values["quiet"] = ",".join(group.value for group in cleared)
    if origin == "wakeup":
        values["worst_ms"] = max(spike.duration_ms for spike in settled)
        told = "virtual" if situation.coverage.is_virtual_machine else "wakeup"
    else:
        told, own = own_business(known)
        values |= own
        behind = group_behind(known, told)
        if behind is not None:
            return Statement(f"verdict.{told}.busy.detail", {**own, "group": behind.value})
    return Statement(f"verdict.{told}{'.quiet' if cleared else ''}.detail", values)
