# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of one change that may be tried."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.changes.tuning_state import GameProcess
from destutter.analysis.examining.summary import SessionSummary
from destutter.tuning.keys import key_of
from destutter.tuning.ownership import BY_FILE
from destutter.tuning.recommendation import Recommendation
from destutter.ui.guide.answer import Answer
from destutter.ui.guide.step import GuideTools
from destutter.ui.words.words import said
from destutter_helper.api.payload import Change

translate = QCoreApplication.translate

_SHORTEST_S = 10.0  # the first verdict of any measurement takes eight


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
        explained = self._explained(advice, answer)
        return self._sentences(said(advice.effect), explained, lasts, self._origin(advice))

    def _origin(self, advice: Recommendation) -> str:
        """The file that gave it its present value: a player had forgotten the "gaming tweaks" that
        froze his game, and nothing here named them."""
        tuning = self._tools.tuning
        owner = None if tuning is None else tuning.owners.get(advice.key)
        if owner is None or not owner.is_chosen or owner.set_by.id != BY_FILE:
            return ""
        words = translate("ChooseStep", "It has its present value from {file}.")
        return words.format(file=said(owner.set_by))

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

    def nothing(self, summary: SessionSummary, answer: Answer, verdict: str) -> str:
        """Why no change is offered."""
        if answer.blames_game or answer.finding is not None:
            words = translate("ChooseStep", "{verdict}. No setting of the computer helps here.")
            if summary.recommendations:
                words = translate(
                    "ChooseStep", "{verdict}. No setting helps in more than a few of them."
                )
            return words.format(verdict=verdict)
        length = self._tools.quantities.span(summary.duration_s)
        if summary.duration_s < _SHORTEST_S:
            words = translate(
                "ChooseStep",
                "{length} are too short to judge anything. Go back and record again.",
            )
            return words.format(length=length)
        return translate(
            "ChooseStep",
            "{verdict}. In these {length} nothing was found that a setting could improve. Record "
            "longer, or a heavier scene; the Causes page says what was measured.",
        ).format(verdict=verdict, length=length)

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


def kept_as(changes: tuple[Change, ...]) -> tuple[tuple[str, str], ...]:
    """As the guide remembers them: the key and the value of each."""
    return tuple((key_of(each.id, each.device), each.value) for each in changes)
