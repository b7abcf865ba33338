# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of one recording: a banner and a short table."""

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QCoreApplication

from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.report.said_of_sessions import (
    computer_measures,
    score_word,
    verdict_texts,
)
from destutter.core.statement import Statement, Value
from destutter.diagnosis.finding import Finding
from destutter.ui.controls.banner import BannerAction, BannerText, Urgency
from destutter.ui.controls.signs import look_of, verdict_look
from destutter.ui.pages.said_alike import show_the_cause
from destutter.ui.sessions.measure_table import MeasureRow
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import Words

translate = QCoreApplication.translate

REPORT, CAUSE = "report", "cause"


def report_action() -> BannerAction:
    """The button that opens the choice of reports."""
    return BannerAction(REPORT, translate("Sessions", "Make a report"))


def told_finding(summary: SessionSummary) -> Finding | None:
    """What the verdict of a recording names; None where it names nothing."""
    return None if summary.assessment is None else summary.assessment.verdict.finding


class SingleTexts:
    """Writes about one session in the user's language."""

    def __init__(self, quantities: Quantities, words: Words) -> None:
        self._quantities = quantities
        self._words = words

    def banner(self, summary: SessionSummary) -> BannerText:
        """The verdict of the whole recording."""
        headline, detail = verdict_texts(summary, self._words.renderer)
        icon, tone = look_of("info")
        if summary.assessment is not None:
            icon, tone = verdict_look(summary.assessment.verdict)
        actions: tuple[BannerAction, ...] = (report_action(),)
        if told_finding(summary) is not None:
            actions = (BannerAction(CAUSE, show_the_cause()), *actions)
        return BannerText(tone, icon, headline, detail, Urgency.INFO, actions)

    def heads(self) -> tuple[str, ...]:
        return (self._say("report.measure"), self._say("report.value"))

    def rows(self, summary: SessionSummary) -> tuple[MeasureRow, ...]:
        computer = computer_measures(summary, self._words.renderer)
        rows = (MeasureRow(*each) for each in computer)
        return (*self._stutter_rows(summary), *self._frame_rows(summary), *rows)

    def _stutter_rows(self, summary: SessionSummary) -> Iterator[MeasureRow]:
        assessment = summary.assessment
        if assessment is None or not assessment.spikes or assessment.verdict.is_of_computer:
            return
        count, lost_ms = len(assessment.spikes), assessment.lost.total_ms
        yield MeasureRow(self._say("report.single.stutters"), self._quantities.number(count))
        lost = self._quantities.milliseconds(lost_ms)
        yield MeasureRow(self._say("report.single.lost"), lost)

    def _frame_rows(self, summary: SessionSummary) -> Iterator[MeasureRow]:
        say, quantities, frames = self._say, self._quantities, summary.frames
        if frames is not None:
            yield MeasureRow(say("report.row.average_fps"), self._rate(frames.average_fps))
            yield MeasureRow(
                say("report.row.low_1_average"),
                self._rate(frames.low_1_average_fps),
                tip=say("report.single.low_1_average.tip"),
            )
            yield MeasureRow(
                say("report.single.long_frames"),
                quantities.number(frames.stutters),
                tip=say("report.single.long_frames.tip"),
            )
            worst = quantities.milliseconds(frames.worst_ms)
            yield MeasureRow(say("report.row.longest_frame"), worst)
        if summary.score is not None:
            points = quantities.number(summary.score.points)
            word = score_word(summary.score, self._words.renderer)
            yield MeasureRow(
                say("report.single.score"),
                say("report.single.points", {"points": points, "word": word}),
                tip=say("report.single.score.tip"),
            )

    def _rate(self, fps: float) -> str:
        return self._quantities.figure(fps, "fps")

    def _say(self, id_: str, values: Mapping[str, Value] | None = None) -> str:
        return self._words.text(Statement(id_, values or {}))
