# SPDX-License-Identifier: GPL-3.0-or-later
"""The language of the window for comparisons and reports."""

from PySide6.QtCore import QCoreApplication, QDateTime

from destutter.analysis.report.language import ReportWords
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.setting_words import SettingWords
from destutter.words.renderer import Renderer

translate = QCoreApplication.translate

_LAST_S = 4e9
"""Clocks that say the year 2096 or later are damaged."""


def report_words(quantities: Quantities, settings: SettingWords) -> ReportWords:
    locale, reader = quantities.locale, Renderer(quantities.language, quantities)

    def moment(seconds: float) -> str:
        if not 0 < seconds < _LAST_S:
            return ""
        began = QDateTime.fromSecsSinceEpoch(int(seconds))
        # As in the list of recordings: "11/29/26 10:38 AM" stood beside "Today 10:38".
        day = translate("Sessions", "d MMM yyyy", "format of a date of another year")
        time = translate("Sessions", "HH:mm", "format of a time")
        return locale.toString(began, f"{day} {time}")

    def setting_name(key: str) -> str:
        tunable, _, device = key.partition("@")
        return reader.enumerated(filter(None, (settings.name(tunable), device)))

    return ReportWords(
        language=locale.bcp47Name(),
        reader=reader,
        moment=moment,
        setting_name=setting_name,
        setting_value=settings.value,
    )
