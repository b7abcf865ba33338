# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of one change that may be tried."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.changes.tuning_state import GameProcess
from destutter.tuning.recommendation import Recommendation
from destutter.ui.guide.answer import Answer
from destutter.ui.guide.step import GuideTools
from destutter.ui.words.words import said

translate = QCoreApplication.translate


class ChoiceWords:
    """Writes about changes in the user's language."""

    def __init__(self, tools: GuideTools) -> None:
        self._tools = tools

    def name(self, advice: Recommendation) -> str:
        """The player's title, with the drive that it is for."""
        name = self._tools.settings.name(advice.tunable)
        names = (name, advice.device) if advice.device else (name,)
        return self._tools.words.renderer.enumerated(names)

    def gain(self, advice: Recommendation, answer: Answer) -> str:
        """What one will notice, and what it works against."""
        return self._sentences(said(advice.effect), self._explained(advice, answer))

    def change(self, advice: Recommendation, answer: Answer, game: GameProcess | None) -> str:
        """The same, and how long a trial of it lasts."""
        lasts = translate("ChooseStep", "It lasts until restart.")
        if game is not None:
            lasts = translate("ChooseStep", "It lasts as long as {game} runs.")
            lasts = lasts.format(game=game.name)
        return self._sentences(said(advice.effect), self._explained(advice, answer), lasts)

    def why(self, advice: Recommendation) -> str:
        """The reason, what it costs, and its numbers where it has any."""
        values = self.values(advice)
        numbers = values if any(map(str.isdigit, values)) else ""
        return self._sentences(said(advice.reason), said(advice.cost), numbers)

    def values(self, advice: Recommendation) -> str:
        """For who wants to know. Numbers stand below; a player reads nothing in "mq-deadline"."""
        write = self._tools.settings.value
        return translate("ChooseStep", "From {old} to {new}.").format(
            old=write(advice.tunable, advice.current),
            new=write(advice.tunable, advice.recommended),
        )

    def _explained(self, advice: Recommendation, answer: Answer) -> str:
        """How many stutters the cause explains that the change works against."""
        best = answer.against(advice)
        if best is None or not best.stutters_explained:
            return ""
        told = translate(
            "ChooseStep",
            "Acts on the cause of {count} of %n stutter(s).",
            "",
            best.stutters_total,
        )
        told = told.format(count=self._tools.quantities.number(best.stutters_explained))
        if not best.is_most_lost:
            return told
        return self._sentences(told, translate("ChooseStep", "They took most of the lost time."))

    def _sentences(self, *texts: str) -> str:
        return self._tools.words.renderer.sentences(texts)
