# SPDX-License-Identifier: GPL-3.0-or-later
"""What made the game stutter by the first recording, as far as the guide speaks of it."""

from dataclasses import dataclass

from destutter.analysis.examining.summary import SessionSummary
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Assessment, Confidence, Finding, Verdict
from destutter.diagnosis.findings.stutter_parts import OWN
from destutter.diagnosis.lost_time import TimeLost, weight_ms
from destutter.diagnosis.remedy import remedy
from destutter.tuning.recommendation import Recommendation

_LEAST_OFFERED = 0.25
"""Of the lost time: a setting of medium risk was all that was offered for 2 of 89 stutters."""

_LEAST_TOLD = 0.125
"""Of the lost time the game's own work is worth a word beside what has more of it."""


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
        """Whether the game itself took most of the lost time, or the largest part of which
        anything is known: "could not be seen" was said of 53 of 89, and nothing of the rest."""
        most = max((each.weight for each in self._sure), default=0.0)
        return self._is_told_own or self._own_weight > most

    @property
    def own_stutters(self) -> int:
        """How many stutters without a sure cause the game mostly worked in by itself."""
        return len(self._of_own)

    @property
    def _of_own(self) -> list[TimeLost]:
        if self.assessment is None:
            return []
        causes = {each.cause for each in self._sure}
        of_each = zip(self.assessment.spikes, self.assessment.lost.of_each, strict=False)
        return [
            lost
            for spike, lost in of_each
            if spike.cause not in causes and 2 * lost.parts.get(OWN, 0.0) >= lost.total_ms
        ]

    @property
    def _own_weight(self) -> float:
        """The share that those have of what all stutters weigh."""
        all_of_them = () if self.assessment is None else self.assessment.lost.of_each
        whole_ms = sum(weight_ms(each.total_ms) for each in all_of_them)
        own_ms = sum(weight_ms(each.total_ms) for each in self._of_own)
        return own_ms / whole_ms if whole_ms else 0.0

    @property
    def helps(self) -> Statement | None:
        """What helps against the game's own work; None where that took little of the time."""
        if self.verdict is not None and self._is_told_own:
            return self.verdict.helps
        is_worth = self.blames_game or self._own_weight >= _LEAST_TOLD
        return Statement("remedy.own") if is_worth else None

    @property
    def finding(self) -> Finding | None:
        """The verdict's own, else the first; behind the game's own work only one that is sure.

        "Pause fio", for 5 of 24 stutters and with low confidence, stood where the game computed.
        """
        sure = [each for each in self._sure if each.is_answer]
        told = None if self.verdict is None else self.verdict.finding
        first = next((each for each in sure if told and each.cause == told.cause), None)
        found = first or next(iter(sure), None)
        if found is not None or self.blames_game:
            return found
        return next((each for each in self._findings if each.is_answer), None)

    @property
    def remedies(self) -> tuple[Statement, ...]:
        """What helps more than any setting: first against what cost most of the time."""
        other = None if self.finding is None else remedy(self.finding)
        both = (self.helps, other) if self.blames_game else (other, self.helps)
        return tuple(each for each in both if each is not None)

    def against(self, advice: Recommendation) -> Finding | None:
        """The sure cause that a change works against, by most of the lost time; None where it met
        none."""
        met = [each for each in self._sure if each.cause in advice.causes]
        best = max(met, key=lambda each: each.weight, default=None)
        return best if best is not None and best.weight else None

    def offers(self, advice: Recommendation) -> bool:
        """Whether a change is worth a trial: against a little of the time nobody sees it."""
        met = self.against(advice)
        return met is not None and met.weight >= _LEAST_OFFERED

    @property
    def _is_told_own(self) -> bool:
        return self.verdict is not None and self.verdict.blames_game

    @property
    def _findings(self) -> tuple[Finding, ...]:
        return () if self.assessment is None else self.assessment.findings

    @property
    def _sure(self) -> list[Finding]:
        return [each for each in self._findings if each.confidence is not Confidence.LOW]
