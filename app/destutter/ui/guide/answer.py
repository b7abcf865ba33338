# SPDX-License-Identifier: GPL-3.0-or-later
"""What made the game stutter by the first recording, as far as the guide speaks of it."""

from dataclasses import dataclass

from destutter.analysis.examining.summary import SessionSummary
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Assessment, Confidence, Finding, Verdict
from destutter.diagnosis.findings.stutter_parts import OWN
from destutter.diagnosis.remedy import remedy
from destutter.tuning.recommendation import Recommendation

_LEAST_OFFERED = 0.25
"""Of the stutters: a setting of medium risk was all that was offered for 2 of 89."""

_LEAST_TOLD = 0.125
"""Of the stutters the game's own work is worth a word beside what has more of them."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``assessment`` is None before a recording was read, and for one of frame times alone."""

    assessment: Assessment | None

    @classmethod
    def of(cls, summary: SessionSummary | None) -> "Answer":
        return cls(None if summary is None else summary.assessment)

    @property
    def verdict(self) -> Verdict | None:
        return None if self.assessment is None else self.assessment.verdict

    @property
    def blames_game(self) -> bool:
        """Whether the game itself took the time of most stutters, or of the largest part of which
        anything is known: "could not be seen" was said of 53 of 89, and nothing of the rest."""
        return self._is_told_own or self.own_stutters > max(map(_met, self._sure), default=0)

    @property
    def own_stutters(self) -> int:
        """How many stutters without a sure cause the game mostly worked in by itself."""
        if self.assessment is None:
            return 0
        causes = {each.cause for each in self._sure}
        of_each = zip(self.assessment.spikes, self.assessment.lost.of_each, strict=False)
        return sum(
            spike.cause not in causes and 2 * lost.parts.get(OWN, 0.0) >= lost.total_ms
            for spike, lost in of_each
        )

    @property
    def helps(self) -> Statement | None:
        """What helps against the game's own work; None where that took little of the time."""
        if self.verdict is not None and self._is_told_own:
            return self.verdict.helps
        total = 0 if self.assessment is None else len(self.assessment.spikes)
        is_worth = self.blames_game or self.own_stutters >= _LEAST_TOLD * total > 0
        return Statement("remedy.own") if is_worth else None

    @property
    def finding(self) -> Finding | None:
        """The finding that explains most; behind the game's own work only one that is sure.

        "Pause fio", for 5 of 24 stutters and with low confidence, stood where the game computed.
        """
        found = max((each for each in self._sure if each.is_answer), key=_met, default=None)
        if found is not None or self.blames_game:
            return found
        return next((each for each in self._findings if each.is_answer), None)

    @property
    def remedies(self) -> tuple[Statement, ...]:
        """What helps more than any setting: first in most of the stutters."""
        other = None if self.finding is None else remedy(self.finding)
        both = (self.helps, other) if self.blames_game else (other, self.helps)
        return tuple(each for each in both if each is not None)

    def against(self, advice: Recommendation) -> Finding | None:
        """The sure cause that a change works against, by most stutters; None where it met none."""
        met = [each for each in self._sure if each.cause in advice.causes]
        best = max(met, key=_met, default=None)
        return best if best is not None and _met(best) else None

    def offers(self, advice: Recommendation) -> bool:
        """Whether a change is worth a trial: who tries one for a few stutters sees nothing."""
        met = self.against(advice)
        if met is None:
            return False
        return _met(met) >= _LEAST_OFFERED * (met.stutters_total or met.hitches_total)

    @property
    def _is_told_own(self) -> bool:
        return self.verdict is not None and self.verdict.blames_game

    @property
    def _findings(self) -> tuple[Finding, ...]:
        return () if self.assessment is None else self.assessment.findings

    @property
    def _sure(self) -> list[Finding]:
        return [each for each in self._findings if each.confidence is not Confidence.LOW]


def _met(finding: Finding) -> int:
    """How many stutters it explains; hitches where there was no stutter."""
    return finding.stutters_explained if finding.stutters_total else finding.hitches_explained
