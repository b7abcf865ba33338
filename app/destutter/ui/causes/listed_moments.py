# SPDX-License-Identifier: GPL-3.0-or-later
"""Which moments prove a finding: the stutters that it explains, else where it was worst. No Qt."""

from collections.abc import Sequence
from dataclasses import dataclass

from destutter.diagnosis.finding import Evidence, Finding, Spike
from destutter.diagnosis.stutters.spikes import RHYTHM_ORIGIN

_BESIDE_NS = 1_000_000_000  # a rule looks at seconds: its highest tick may lie beside the stutter


@dataclass(frozen=True, slots=True)
class ListedMoment:
    """One moment to look at. ``duration_ms`` None: no stutter fell together with the finding.

    ``is_by_pace``: told by the pace of the game, so that its length stands in no line of times.
    """

    monotonic_ns: int
    duration_ms: float | None = None
    is_by_pace: bool = False

    @property
    def start_ns(self) -> int:
        return self.monotonic_ns - int((self.duration_ms or 0.0) * 1e6)


def moments_of(finding: Finding, spikes: Sequence[Spike]) -> tuple[ListedMoment, ...]:
    """The stutters of a finding in order of time; without one its worst moment.

    All that it explains, be another cause told of some of them: "6 of 14" stood beside "Stutters
    explained 16 of 143".
    """
    found = [
        ListedMoment(s.monotonic_ns, s.duration_ms, s.origin == RHYTHM_ORIGIN)
        for s in explained_by(finding, spikes)
    ]
    if not found and finding.evidence:
        found = [ListedMoment(finding.evidence[0].monotonic_ns)]
    return tuple(found)


def explained_by(finding: Finding, spikes: Sequence[Spike]) -> list[Spike]:
    """Those of these stutters that a finding explains."""
    ends_ns = frozenset(finding.ends_ns)
    return [spike for spike in spikes if spike.monotonic_ns in ends_ns]


def moment_of(evidence: Evidence | None, moments: Sequence[ListedMoment]) -> ListedMoment | None:
    """The one that a measurement is of; None where it is of none. Of others it tells nothing."""
    if evidence is None:
        return None
    at_ns = evidence.monotonic_ns

    def apart_ns(moment: ListedMoment) -> int:
        return max(moment.start_ns - at_ns, at_ns - moment.monotonic_ns, 0)

    near = (each for each in moments if apart_ns(each) <= _BESIDE_NS)
    return min(near, key=lambda each: (apart_ns(each), -(each.duration_ms or 0.0)), default=None)


def is_beside(moment: ListedMoment, spikes: Sequence[Spike]) -> bool:
    """Whether any stutter lies at a moment, whoever made it."""
    at_ns = moment.monotonic_ns
    return any(
        each.monotonic_ns - int(each.duration_ms * 1e6) - _BESIDE_NS
        <= at_ns
        <= each.monotonic_ns + _BESIDE_NS
        for each in spikes
    )


def longest(moments: Sequence[ListedMoment]) -> ListedMoment | None:
    """The one that is shown where no measurement is of any."""
    return max(moments, key=lambda moment: moment.duration_ms or 0.0, default=None)


def neighbour(
    moments: Sequence[ListedMoment], chosen: ListedMoment | None, step: int
) -> ListedMoment | None:
    """The moment before (-1) or after (1) the chosen one; None at the end."""
    if chosen is None:
        return longest(moments)
    if step > 0:
        return next((one for one in moments if one.monotonic_ns > chosen.monotonic_ns), None)
    earlier = [one for one in moments if one.monotonic_ns < chosen.monotonic_ns]
    return earlier[-1] if earlier else None
