# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said of one recording: a banner and a short table."""

from collections.abc import Callable, Iterator

import numpy as np
from PySide6.QtCore import QCoreApplication

from destutter.bridge.session_summary import Series, SessionSummary
from destutter.diagnosis.finding import VerdictKind
from destutter.ui.banner import BannerAction, BannerText, Urgency
from destutter.ui.quantities import Quantities
from destutter.ui.sessions.measure_table import MeasureRow
from destutter.ui.words import Words

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
        if summary.assessment is None:
            return BannerText(
                "info",
                "info",
                translate("Sessions", "Frame times only"),
                translate("Sessions", "A frame log does not tell what the computer did."),
                Urgency.INFO,
                (report_action(),),
            )
        verdict = summary.assessment.verdict
        kind, icon = _LOOKS[verdict.kind]
        headline = self._words.text(verdict.headline)
        detail = " ".join(map(self._words.text, verdict.below))
        return BannerText(kind, icon, headline, detail, Urgency.INFO, (report_action(),))

    def heads(self) -> tuple[str, ...]:
        """The heads of the table."""
        return (translate("Sessions", "Measure"), translate("Sessions", "Value"))

    def rows(self, summary: SessionSummary) -> tuple[MeasureRow, ...]:
        """The measures that this recording has."""
        return (*self._frame_rows(summary), *self._computer_rows(summary))

    def _frame_rows(self, summary: SessionSummary) -> Iterator[MeasureRow]:
        quantities, frames = self._quantities, summary.frames
        fps = translate("Units", "fps")
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
                    points=quantities.number(score.points), word=score_word(score.word)
                ),
                tip=translate("Sessions", "Only comparable between recordings of the same game."),
            )

    def _computer_rows(self, summary: SessionSummary) -> Iterator[MeasureRow]:
        for name, id_, how, unit in (
            (
                translate("Sessions", "Latest wake-up of a program"),
                "wakeup.worst_ms",
                np.max,
                "ms",
            ),
            (
                translate("Sessions", "Direct reclaim, highest"),
                "memory.direct_pages_per_s",
                np.max,
                translate("Units", "pages/s"),
            ),
            (
                translate("Sessions", "Slowest read of a drive"),
                "disk.read_ms",
                np.max,
                "ms",
            ),
            (
                translate("Sessions", "Slowest write of a drive"),
                "disk.write_ms",
                np.max,
                "ms",
            ),
            (
                translate("Sessions", "Memory available, lowest"),
                "memory.available_bytes",
                np.min,
                "B",
            ),
        ):
            value = _reduced(summary.seconds.get(id_), how)
            if value is not None:
                yield MeasureRow(name, self._quantities.of_metric(value, unit))


def score_word(word: str) -> str:
    """The word beside a score, in the user's language."""
    return {
        "smooth": translate("Sessions", "smooth"),
        "mostly smooth": translate("Sessions", "mostly smooth"),
        "stutters now and then": translate("Sessions", "stutters now and then"),
        "stutters often": translate("Sessions", "stutters often"),
    }.get(word, word)


def _reduced(series: Series | None, how: Callable[[Series], float]) -> float | None:
    known = np.zeros(0) if series is None else series[~np.isnan(series)]
    return float(how(known)) if known.size else None
