# SPDX-License-Identifier: GPL-3.0-or-later
"""The language of the window for reports: they say what the page says, in the same words."""

from PySide6.QtCore import QDateTime, QLocale

from destutter.analysis.report.language import ReportWords
from destutter.ui.sessions.compare_texts import CompareTexts
from destutter.ui.sessions.compare_words import difference_name, warning_text
from destutter.ui.sessions.phase_words import phase_name
from destutter.ui.sessions.single_texts import score_word
from destutter.ui.words.listing import enumerated
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.setting_words import SettingWords
from destutter.ui.words.words import Words

_LAST_S = 4e9
"""Clocks that say the year 2096 or later are damaged."""


def report_words(quantities: Quantities, words: Words, settings: SettingWords) -> ReportWords:
    """The words of one locale."""
    locale = quantities.locale

    def moment(seconds: float) -> str:
        if not 0 < seconds < _LAST_S:
            return ""
        began = QDateTime.fromSecsSinceEpoch(int(seconds))
        return locale.toString(began, QLocale.FormatType.ShortFormat)

    return ReportWords(
        language=locale.bcp47Name(),
        numbers=quantities,
        diagnosis=words,
        comparison=CompareTexts(quantities, settings),
        moment=moment,
        enumerated=enumerated,
        phase=phase_name,
        part=difference_name,
        warning=warning_text,
        score_word=score_word,
        setting_value=settings.value,
    )
