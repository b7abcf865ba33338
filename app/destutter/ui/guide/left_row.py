# SPDX-License-Identifier: GPL-3.0-or-later
"""One line of the verdict: what still makes the game stutter, and what to do about it."""

from PySide6.QtWidgets import QWidget

from destutter.diagnosis.remedy import programs_to_close
from destutter.diagnosis.wording import named_as
from destutter.ui.guide.deed_words import title_of_deed
from destutter.ui.guide.guide_row import GuideRow
from destutter.ui.guide.remaining import Remaining
from destutter.ui.look.theme import Theme
from destutter.ui.pages.said_alike import show_the_cause
from destutter.ui.words.words import Words


class LeftRow(GuideRow):
    """``clicked()`` to see that cause. Hidden where nothing is left, or nothing known of it."""

    def __init__(self, theme: Theme, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(theme, is_first=True, parent=parent)
        self._words = words
        self.hide()

    def show_remaining(self, remaining: Remaining) -> None:
        self.setVisible(remaining.has_next)
        if not remaining.has_next:
            return
        answer, finding, say = remaining.answer, remaining.finding, self._words.renderer
        if answer.blames_game or finding is None:
            what = title_of_deed(say, answer)
            why = "" if answer.verdict is None else self._words.text(answer.verdict.headline)
        else:
            is_deed = bool(programs_to_close(finding))
            what = title_of_deed(say, answer) if is_deed else self._words.cause(named_as(finding))
            why = self._words.explains(finding)
        title = self.tr("What still makes it stutter")
        told = say.sentences(say.as_sentence(each) for each in (what, why) if each)
        self.show_texts("causes", "accent", title, told)
        self.show_button(show_the_cause() if finding is not None else "")
