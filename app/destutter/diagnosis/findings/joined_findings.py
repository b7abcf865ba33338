# SPDX-License-Identifier: GPL-3.0-or-later
"""One finding of what a rule saw by the second and of what the game was measured to wait for."""

from collections.abc import Sequence
from dataclasses import replace

from destutter.core.statement import Statement
from destutter.diagnosis.finding import (
    BUSY,
    MOST_CULPRITS,
    Confidence,
    Culprit,
    Finding,
    weighty,
)
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.order import Matched

_MANY_SECONDS = 10  # half of a session that is shorter says nothing of "all the time"
_CONSTANT_SHARE = 0.5  # of all seconds


def joined(by_rule: Matched, by_wait: Matched) -> Matched:
    """One finding of two ways to the same cause."""
    (finding, how), (own, own_how) = by_rule, by_wait
    if not how.explained:
        # Nothing fell together with it by the rule's measure, which the waits know better: what
        # that saw was at other times, and may have been of another drive.
        reasons: tuple[Statement, ...] = own.reasons
        kind = own.kind
        finding = replace(finding, culprits=own.culprits, evidence=own.evidence)
    else:
        known = {each.id for each in finding.reasons}
        more = (each for each in own.reasons if own.kind != BUSY and each.id not in known)
        reasons = (*finding.reasons, *more)
        kind = finding.kind
    times = {spike.monotonic_ns: spike for spike in (*how.explained, *own_how.explained)}
    spikes = tuple(times[at] for at in sorted(times))
    joined = replace(
        finding,
        confidence=max(finding.confidence, own.confidence, key=lambda each: each.rank),
        stutters_explained=len(spikes),
        first_ns=min(finding.first_ns, own.first_ns),
        last_ns=max(finding.last_ns, own.last_ns),
        evidence=finding.evidence or own.evidence,
        reasons=reasons,
        worst_ms=max((spike.duration_ms for spike in spikes), default=None),
        kind=kind,
    )
    match = replace(
        how,
        explained=spikes,
        met=max(how.met, len(spikes)),
        direct=max(how.direct, own_how.direct),
    )
    return joined, match


def named_by(outcome: Matched, own: Sequence[Culprit]) -> Matched:
    """The finding with those first whom the looks at its own stutters name (``own``)."""
    finding, how = outcome
    culprits = each_once((*own, *_beside(own, finding.culprits)))
    return replace(finding, culprits=culprits), how


def _beside(own: Sequence[Culprit], of_rule: Sequence[Culprit]) -> Sequence[Culprit]:
    """Whom the rule names, but for programs where the stutters' own looks have some.

    A rule names who was there at its worst second, which may lie beside all stutters: an encoder
    that always has its core had 95 % of it there, and stood before the compiler that came with
    each stutter.
    """
    if not any(each.what == "process" for each in own):
        return of_rule
    return [each for each in of_rule if each.what != "process"]


def constantly(finding: Finding, how: Match, observed_s: float) -> Finding:
    """Say so where time is lost all the time: then being there all the time is no alibi."""
    seconds = {spike.monotonic_ns // 1_000_000_000 for spike in how.explained}
    share = len(seconds) / observed_s if observed_s > 0 else 0.0
    if len(seconds) < _MANY_SECONDS or share < _CONSTANT_SHARE:
        return finding
    # What else is said of coincidence with so many of them means nothing.
    reasons = tuple(each for each in finding.reasons if each.id != "reason.always_there")
    constant = Statement("reason.constant", {"share_pct": 100.0 * min(share, 1.0)})
    return replace(finding, reasons=(*reasons, constant))


def each_once(culprits: Sequence[Culprit]) -> tuple[Culprit, ...]:
    named: dict[str, Culprit] = {}
    for each in culprits:
        named.setdefault(each.comm, each)
    return weighty(named.values())[:MOST_CULPRITS]


def surer(outcome: Matched, supported: int) -> Matched:
    """A rule and several measured waits of the game that agree leave no doubt.

    Of few of many stutters they do: what made the others may have made these.
    """
    finding, how = outcome
    explained = finding.stutters_explained
    agrees = supported >= 2 and 2 * supported >= explained > 0
    agrees = agrees and 2 * explained >= finding.stutters_total
    if agrees and finding.confidence is Confidence.MEDIUM and how.moments:
        return replace(finding, confidence=Confidence.HIGH), how
    return outcome
