# SPDX-License-Identifier: GPL-3.0-or-later
"""A drive that others fill is not slow: what is surely theirs is told once."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from destutter.core.statement import Statement
from destutter.diagnosis.cause_ids import FILESYSTEM_COMMIT, IO_UNFAIRNESS, SLOW_DEVICE
from destutter.diagnosis.finding import Confidence, Finding
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.order import Matched


def shared_out(found: Sequence[Matched], known: Sequence[Explained]) -> list[Matched]:
    """The same findings; of a slow drive what others' requests do not explain."""
    is_sure = any(
        finding.cause == IO_UNFAIRNESS and finding.confidence is not Confidence.LOW
        for finding, _ in found
    )
    theirs = {each.spike.monotonic_ns for each in known if each.cause == IO_UNFAIRNESS}
    left = [
        _without(finding, how, theirs)
        if is_sure and finding.cause == SLOW_DEVICE
        else (finding, how)
        for finding, how in found
    ]
    held = max((each for each, _ in left if _is_held(each)), key=_explains, default=None)
    if held is None:
        return left
    return [
        (_beside(finding, held) if finding.cause == SLOW_DEVICE else finding, how)
        for finding, how in left
    ]


def _is_held(finding: Finding) -> bool:
    """Whether it is surely others that kept a drive busy."""
    return (
        finding.cause in (IO_UNFAIRNESS, FILESYSTEM_COMMIT)
        and finding.confidence is not Confidence.LOW
    )


def _explains(finding: Finding) -> int:
    return finding.stutters_explained


def _beside(finding: Finding, held: Finding) -> Finding:
    """A slow drive is a guess where others kept a drive busy in at least as many stutters.

    Strangers filled drives of 450 MB/s and more with copies, and read "slow drive" beside it for
    the stutters in which nobody could be named.
    """
    if not 0 < finding.stutters_explained <= held.stutters_explained:
        return finding
    why = Statement("reason.beside", {"cause": held.cause})
    return replace(finding, confidence=Confidence.LOW, reasons=(*finding.reasons, why))


def _without(finding: Finding, how: Match, times: AbstractSet[int]) -> Matched:
    """A finding and its match without the stutters, by their end, that are others' requests'."""
    left = tuple(spike for spike in how.explained if spike.monotonic_ns not in times)
    taken = len(how.explained) - len(left)
    if not taken:
        return finding, how
    why = Statement("reason.explained_by", {"cause": IO_UNFAIRNESS, "met": taken})
    less = replace(
        finding,
        confidence=finding.confidence if left else Confidence.LOW,
        stutters_explained=len(left),
        worst_ms=max((spike.duration_ms for spike in left), default=None),
        reasons=finding.reasons if left else (why,),
    )
    return less, replace(how, explained=left, met=min(how.met, len(left)))
