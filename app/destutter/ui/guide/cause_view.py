# SPDX-License-Identifier: GPL-3.0-or-later
"""What a step says where no setting helps: the cause, who did it, and what a person can do."""

from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from destutter.diagnosis.finding import Finding, Verdict
from destutter.diagnosis.remedy import remedy
from destutter.diagnosis.wording import named_as
from destutter.ui.controls.emptying import empty
from destutter.ui.guide.answer import Answer
from destutter.ui.guide.guide_row import GuideRow
from destutter.ui.look.theme import Theme
from destutter.ui.words.explanation_pages import (
    ExplanationError,
    ExplanationPages,
    in_players_words,
)
from destutter.ui.words.words import Words
from destutter.words.measures import NBSP

_MOST_CULPRITS = 3
_MOST_ADVICE = 3  # beside cause and culprit that is what the card shows without scrolling


class CauseView(QWidget):
    """A row each. ``helper_requested()`` where a setting helps that only the helper changes."""

    helper_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        words: Words,
        explanations: ExplanationPages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = words
        self._explanations = explanations
        self.rows: list[GuideRow] = []
        self.has_advice = False
        self.helper_button: QPushButton | None = None
        self._advice_at: int | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)

    def show_answer(self, answer: Answer) -> bool:
        """Whether there was anything to tell; first what most of the stutters need."""
        empty(self._box)
        self.rows, self.has_advice, self.helper_button = [], False, None
        self._advice_at = None
        if answer.verdict is not None and answer.blames_game:
            self._show_own(answer, answer.verdict)
            if answer.finding is not None:
                self._show_second(answer.finding)
        elif answer.finding is not None:
            self._show_finding(answer.finding)
            if answer.helps is not None:
                helps = self._words.text(answer.helps)
                told = self._words.renderer.sentences((self._own_count(answer), helps))
                self._add("computer", self.tr("The game itself took the time"), told)
        self._box.addStretch(1)
        return bool(self.rows)

    def add_setting(self, title: str, detail: str, *, is_more: bool) -> None:
        """A setting that helps, where there is no helper to change it; ``is_more`` than what a
        person can do, and below that. One button is for all of them."""
        at = None if is_more else self._advice_at
        row = self._add("sliders", title, detail, at)
        if at is not None:
            self._advice_at = at + 1
        if self.helper_button is None:
            row.show_button(self.tr("Set up the helper"))
            row.clicked.connect(self.helper_requested)
            self.helper_button = row.button

    def _show_own(self, answer: Answer, verdict: Verdict) -> None:
        words, helps = self._words, answer.helps
        told = words.text(verdict.detail) if verdict.blames_game else self._own_count(answer)
        self._add("causes", self.tr("The game itself took the time"), told)
        if helps is not None:
            self.has_advice = True
            self._add("check", self.tr("What you can do"), words.text(helps))

    def _own_count(self, answer: Answer) -> str:
        total = 0 if answer.assessment is None else len(answer.assessment.spikes)
        told = self.tr("In {count} of %n stutter(s) it worked for most of the time.", "", total)
        return told.format(count=self._words.quantities.number(answer.own_stutters))

    def _show_second(self, finding: Finding) -> None:
        """What helps in the smaller part of the stutters."""
        words, first = self._words, remedy(finding)
        also = "" if first is None else words.text(first)
        told = words.renderer.sentences((words.explains(finding), also))
        self._add("computer", words.cause(named_as(finding)), told)

    def _show_finding(self, finding: Finding) -> None:
        words = self._words
        self._add("causes", words.cause(named_as(finding)), words.explains(finding))
        culprits = [words.culprit(each) for each in finding.named[:_MOST_CULPRITS]]
        if culprits:
            self._add("computer", self.tr("Who did it"), "\n".join(culprits))
        advice = [f"•{NBSP}{text}" for text in self._advice(finding)]
        self.has_advice = bool(advice)
        if advice:
            self._advice_at = len(self.rows)
            self._add("check", self.tr("What you can do"), "\n".join(advice))

    def _add(self, icon: str, title: str, detail: str, at: int | None = None) -> GuideRow:
        row = GuideRow(self._theme, is_first=not self.rows, parent=self)
        row.show_texts(icon, "accent", title, detail)
        at = len(self.rows) if at is None else at
        self._box.insertWidget(at, row)
        self.rows.insert(at, row)
        return row

    def _advice(self, finding: Finding) -> Iterator[str]:
        """What helps against whoever did it, or what the cause's own page tells a player.

        Both at once said it twice: "pause nightbackup", and "pause the other program".
        """
        first = remedy(finding)
        if first is not None:
            yield self._words.text(first)
            return
        try:
            page = self._explanations.cause(named_as(finding))
        except ExplanationError:
            return
        yield from in_players_words(page)[:_MOST_ADVICE]
