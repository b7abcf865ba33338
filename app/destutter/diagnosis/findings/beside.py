# SPDX-License-Identifier: GPL-3.0-or-later
"""What only fell together with stutters whose time is measured to have gone elsewhere.

A program that writes at the same moments as others hold the processor meets as many stutters as
these do. That it met them is no proof for a drive, for whoever waits for one is found in it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from destutter.core.statement import Statement
from destutter.diagnosis.blame.blame import GROUP_OF, Certainty
from destutter.diagnosis.finding import Confidence, Group
from destutter.diagnosis.findings.explained import Explained
from destutter.diagnosis.findings.order import Matched

_MOST = 2 / 3  # of these stutters; with fewer the drive may be the reason of the others


def beside_measured(found: Sequence[Matched], known: Sequence[Explained]) -> list[Matched]:
    """The same; of drives that nobody of the game was found waiting for only a guess is left where
    most of these stutters have a measured reason of another group.
    """
    by_end = {each.spike.monotonic_ns: each for each in known}
    return [_told(each, by_end) for each in found]


def _told(found: Matched, known: Mapping[int, Explained]) -> Matched:
    finding, how = found
    is_guess = finding.confidence is Confidence.LOW or finding.group is not Group.STORAGE
    if is_guess or how.is_direct:
        return found
    causes = [
        known[spike.monotonic_ns].cause
        for spike in how.explained
        if spike.monotonic_ns in known and _is_elsewhere(known[spike.monotonic_ns])
    ]
    named = Counter(cause for cause in causes if cause is not None).most_common(1)
    if len(causes) < _MOST * len(how.explained) or not named:
        return found
    why = Statement("reason.measured_elsewhere", {"met": len(causes), "cause": named[0][0]})
    reasons = (*finding.reasons, why)
    return replace(finding, confidence=Confidence.LOW, reasons=reasons), how


def _is_elsewhere(each: Explained) -> bool:
    first = each.first
    is_measured = first is not None and first.certainty is Certainty.MEASURED
    surely = (blame for blame in each.blames if blame.certainty > Certainty.POSSIBLE)
    return is_measured and all(GROUP_OF.get(blame.where) is not Group.STORAGE for blame in surely)
