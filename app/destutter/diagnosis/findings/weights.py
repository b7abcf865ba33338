# SPDX-License-Identifier: GPL-3.0-or-later
"""What a finding weighs: how much of the lost time of the stutters that it explains is its own.

By the number of stutters "Waiting for a core", in 14 of 23 and 2 s in all, stood before a drive
for which the game froze three times for 14 s. So what cost the player most comes first. Of each
stutter a finding has what was measured of its group, and what nobody knows; where the kernel's
trace told waits of that group, those alone. What was measured to have gone elsewhere is not its.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from destutter.diagnosis.cause_ids import WAITS_FOR_CORE
from destutter.diagnosis.finding import Confidence, Finding, Group, Spike
from destutter.diagnosis.findings.correlator import Match
from destutter.diagnosis.findings.stutter_parts import OWN, UNKNOWN
from destutter.diagnosis.findings.time_lost import lost_ms, spike_weight_ms
from destutter.diagnosis.lost_time import TimeLost, weight_ms

_GOOD_PART = 0.5  # of what the cause with most of the stutter has: a core held up 1 s of 14
_WAITS = (Group.MEMORY, Group.STORAGE)


class Weights:
    """Weighs the findings of one round. ``parts`` is how each stutter's time is divided, by its
    end; of one that is missing nothing is known.
    """

    def __init__(self, spikes: Sequence[Spike], parts: Mapping[int, TimeLost]) -> None:
        self._parts = parts
        self._whole_ms = sum(map(spike_weight_ms, spikes))

    def of(self, found: Iterable[tuple[Finding, Match]]) -> list[tuple[Finding, Match]]:
        """The same, each with what was lost by it and its share of what all stutters weigh."""
        return [(self._weighed(finding, how.explained), how) for finding, how in found]

    def own_ms(self, spike: Spike, finding: Finding) -> float:
        """How much of a stutter's lost time a finding has."""
        lost = self._parts.get(spike.monotonic_ns)
        if lost is None or not lost.parts:
            return lost_ms(spike)
        mine_ms = lost.parts.get(finding.group.value, 0.0)
        if lost.traced_ms and mine_ms:
            return mine_ms
        is_wait = finding.group in _WAITS or finding.cause in WAITS_FOR_CORE
        worked_ms = 0.0 if is_wait else lost.parts.get(OWN, 0.0)
        return mine_ms + worked_ms + lost.parts.get(UNKNOWN, 0.0)

    def with_causes(
        self, spikes: Iterable[Spike], found: Sequence[tuple[Finding, Match]]
    ) -> tuple[Spike, ...]:
        """The stutters, each with the foremost cause that has a good part of it; a guess only
        where none is sure.
        """
        told: dict[int, list[Finding]] = {}
        for finding, how in sorted(found, key=lambda each: each[0].confidence is Confidence.LOW):
            for spike in how.explained:
                told.setdefault(spike.monotonic_ns, []).append(finding)
        return tuple(self._explained(spike, told.get(spike.monotonic_ns, ())) for spike in spikes)

    def _explained(self, spike: Spike, findings: Sequence[Finding]) -> Spike:
        if not findings:
            return spike
        is_guess = findings[0].confidence is Confidence.LOW
        alike = [each for each in findings if (each.confidence is Confidence.LOW) is is_guess]
        own = [self.own_ms(spike, each) for each in alike]
        least = _GOOD_PART * max(own)
        first = next(each for each, ms in zip(alike, own, strict=True) if ms >= least)
        return replace(spike, cause=first.cause, group=first.group, is_guess=is_guess)

    def _weighed(self, finding: Finding, explained: Sequence[Spike]) -> Finding:
        own = [self.own_ms(spike, finding) for spike in explained]
        weight = sum(map(weight_ms, own)) / self._whole_ms if self._whole_ms else 0.0
        ends_ns = tuple(spike.monotonic_ns for spike in explained)
        return replace(finding, lost_ms=sum(own), weight=weight, ends_ns=ends_ns)
