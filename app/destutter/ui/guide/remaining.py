# SPDX-License-Identifier: GPL-3.0-or-later
"""What the second recording says besides the comparison: what is gone, and what is left. No Qt."""

from dataclasses import dataclass

from destutter.analysis.comparing.comparison import Comparison
from destutter.analysis.examining.summary import SessionSummary
from destutter.core.compared import ComparedOutcome
from destutter.diagnosis.finding import Finding
from destutter.diagnosis.remedy import programs_to_close
from destutter.ui.guide.answer import Answer

_GONE_TIMES = 10
"""So many times fewer stutters are what a player calls gone: 106 that became 3."""


@dataclass(frozen=True, slots=True)
class Remaining:
    """``before`` and ``after`` are the counts of the two recordings, ``rested`` the programs that
    by the first should rest, and ``summary`` the second recording."""

    before: int
    after: int
    is_gone: bool
    rested: tuple[str, ...]
    summary: SessionSummary

    @classmethod
    def of(cls, comparison: Comparison) -> "Remaining":
        before, after = comparison.a.frame_stutters, comparison.b.frame_stutters
        first = Answer.of(comparison.a)
        is_rest = first.finding is not None and not first.blames_game
        return cls(
            before,
            after,
            comparison.outcome is ComparedOutcome.BETTER and _GONE_TIMES * after <= before,
            programs_to_close(first.finding) if is_rest and first.finding is not None else (),
            comparison.b,
        )

    @property
    def answer(self) -> Answer:
        """What makes the rest."""
        return Answer.of(self.summary)

    @property
    def finding(self) -> Finding | None:
        return self.answer.finding

    @property
    def has_next(self) -> bool:
        """Whether there is a rest worth a word of which something is known."""
        is_known = self.answer.blames_game or self.finding is not None
        return bool(self.after) and not self.is_gone and is_known
