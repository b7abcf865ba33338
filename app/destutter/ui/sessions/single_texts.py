# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of one recording: a banner and a short table."""

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.report.said_of_sessions import (
    computer_measures,
    score_word,
    verdict_texts,
)
from destutter.diagnosis.finding import VerdictKind
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency
from destutter.ui.sessions.measure_table import MeasureRow
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import Words

translate = QCoreApplication.translate

REPORT = "report"
_LOOKS = {
    VerdictKind.MEASURING: ("info", "measuring"),
    VerdictKind.SMOOTH: ("ok", "clear"),
    VerdictKind.HITCHES: ("warn", "watch"),
    VerdictKind.STUTTER: ("bad", "causing"),
    VerdictKind.UNEXPLAINED: ("bad", "causing"),
    VerdictKind.NOT_MEASURED: ("info", "not-measured"),
}


def report_action() -> BannerAction:
    """The button that opens the choice of reports."""
    return BannerAction(REPORT, translate("Sessions", "Make a report"))


class SingleTexts:
    """Writes about one session in the user's language."""

    def __init__(self, quantities: Quantities, words: Words) -> None:
        self._quantities = quantities
        self._words = words

    def banner(self, summary: SessionSummary) -> BannerText:
        """The verdict of the whole recording."""
        headline, detail = verdict_texts(summary, self._words.text)
        kind, icon = ("info", "info")
        if summary.assessment is not None:
            kind, icon = _LOOKS[summary.assessment.verdict.kind]
        return BannerText(kind, icon, headline, detail, Urgency.INFO, (report_action(),))

    def heads(self) -> tuple[str, ...]:
        """The heads of the table."""
        return (translate("Sessions", "Measure"), translate("Sessions", "Value"))

    def rows(self, summary: SessionSummary) -> tuple[MeasureRow, ...]:
        """The measures that this recording has."""
        computer = computer_measures(summary, self._words.text, self._quantities)
        return (*self._frame_rows(summary), *(MeasureRow(*each) for each in computer))

    def _frame_rows(self, summary: SessionSummary) -> Iterator[MeasureRow]:
        quantities, frames = self._quantities, summary.frames
        fps = quantities.unit("fps")
        if frames is not None:
            yield MeasureRow(
                translate("Sessions", "Average frame rate"),
                quantities.with_unit(quantities.number(frames.average_fps, 1), fps),
            )
            yield MeasureRow(
                translate("Sessions", "Frame rate of the slowest 1 %"),
                quantities.with_unit(quantities.number(frames.low_1_average_fps, 1), fps),
                tip=translate("Sessions", "The mean rate of the slowest hundredth of all frames."),
            )
            yield MeasureRow(
                translate("Sessions", "Long frames"),
                quantities.number(frames.stutters),
                tip=translate(
                    "Sessions", "More than two and a half times as long as the frames around them."
                ),
            )
            yield MeasureRow(
                translate("Sessions", "Longest frame"), quantities.milliseconds(frames.worst_ms)
            )
        if summary.score is not None:
            score = summary.score
            yield MeasureRow(
                translate("Sessions", "Score"),
                translate("Sessions", "{points} of 100, {word}").format(
                    points=quantities.number(score.points),
                    word=score_word(score, self._words.renderer),
                ),
                tip=translate("Sessions", "Only comparable between recordings of the same game."),
            )
