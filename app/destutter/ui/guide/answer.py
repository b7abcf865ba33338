# SPDX-License-Identifier: GPL-3.0-or-later
"""What made the game stutter by the first recording, as far as the guide speaks of it."""

from dataclasses import dataclass

from destutter.analysis.examining.summary import SessionSummary
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Assessment, Confidence, Finding, Verdict
from destutter.diagnosis.remedy import remedy
from destutter.tuning.recommendation import Recommendation


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
        """Whether the game itself took the time of most stutters."""
        return self.verdict is not None and self.verdict.blames_game

    @property
    def finding(self) -> Finding | None:
        """The finding that explains most; behind the game's own work only one that is sure.

        "Pause fio", for 5 of 24 stutters and with low confidence, stood where the game computed.
        """
        findings = () if self.assessment is None else self.assessment.findings
        least = (Confidence.LOW,) if self.blames_game else ()
        return next(
            (each for each in findings if each.is_answer and each.confidence not in least), None
        )

    @property
    def remedies(self) -> tuple[Statement, ...]:
        """What helps more than any setting: first in most of the stutters."""
        own = None if self.verdict is None else self.verdict.helps
        other = None if self.finding is None else remedy(self.finding)
        return tuple(each for each in (own, other) if each is not None)

    def against(self, advice: Recommendation) -> Finding | None:
        """The cause that a change works against, by most stutters; None where it met none."""
        findings = () if self.assessment is None else self.assessment.findings
        met = [each for each in findings if each.cause in advice.causes]
        best = max(met, key=lambda each: each.stutters_explained, default=None)
        return best if best is not None and best.stutters_explained else None
