# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page shows of a comparison: the banner, the lines of its tables, and cautions."""

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from destutter.analysis.comparing.comparison import Comparison, Row
from destutter.analysis.comparing.confirmation import Confirmation
from destutter.analysis.report.comparison_words import (
    certainty,
    detail,
    difference_cells,
    gone_words,
    headline,
    row_cells,
    row_heads,
    warning,
)
from destutter.analysis.report.confirmation_words import confirmation_detail, confirmation_headline
from destutter.core.compared import ComparedOutcome
from destutter.ui.controls.banner import BannerText, Urgency
from destutter.ui.controls.notices import Notice
from destutter.ui.controls.signs import look_of, outcome_tone
from destutter.ui.sessions.measure_table import CHANGE_TONES, MeasureRow
from destutter.ui.sessions.report_words import report_words
from destutter.ui.sessions.single_texts import report_action
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.setting_words import SettingWords

translate = QCoreApplication.translate

FIRST = (
    "stutters",
    "late_wakes",
    "longest_frame",
    "latest_wake",
    "hitch_s",
    "memory_wait",
    "write_p99",
    "read_p99",
    "average_fps",
    "least_available",
)
"""What people look for, in this order; the rest comes below "More measures"."""

GRAVE = ("game", "game_build", "frame_generation", "other_frame_source")
"""Warnings that make people doubt the verdict, the gravest first."""

_NOT_CAUTIONS = frozenset({"too_short", "one_run_each", "few_runs"})
_OPEN_SIGNS = {
    ComparedOutcome.NO_DIFFERENCE: "not-measured",
    ComparedOutcome.TOO_CLOSE: "watch",
}


class CompareTexts:
    """Writes about two sessions in the user's language."""

    def __init__(self, quantities: Quantities, settings: SettingWords) -> None:
        self.words = report_words(quantities, settings)

    # --- the banner --------------------------------------------------------------------------

    def banner(self, comparison: Comparison) -> BannerText:
        """The verdict in one sentence, and how far it carries in another."""
        icon, kind = look_of(outcome_tone(comparison.outcome))
        icon = _OPEN_SIGNS.get(comparison.outcome, icon)
        grave = self._doubt(comparison)
        told = warning(grave, self.words) if grave else detail(comparison, self.words)
        says = headline(comparison, self.words)
        return BannerText(kind, icon, says, told, Urgency.INFO, (report_action(),))

    def group_banner(self, comparison: Comparison) -> BannerText:
        """What all runs before and all runs after say together."""
        all_runs = comparison.confirmation
        if all_runs is None:
            return self.banner(comparison)
        icon, kind = look_of(outcome_tone(all_runs.outcome))
        icon = _OPEN_SIGNS.get(all_runs.outcome, icon)
        says = confirmation_headline(all_runs, self.words)
        rests_on = confirmation_detail(all_runs, self.words)
        return BannerText(kind, icon, says, rests_on, Urgency.INFO, (report_action(),))

    @staticmethod
    def _doubt(comparison: Comparison) -> str:
        """The gravest warning, which stands in the banner; empty where that gives no verdict."""
        if comparison.outcome is ComparedOutcome.TOO_CLOSE:
            return ""
        return next((each for each in GRAVE if each in comparison.warnings), "")

    def cautions(self, comparison: Comparison, *, is_of_groups: bool = False) -> Iterator[Notice]:
        """What to keep in mind besides the banner, one line each: what all runs say, then the
        grave ones first."""
        if is_of_groups:
            text = translate("Compare", "Graph and tables show the newest of A and of B")
            yield Notice("newest", "info", text, can_be_closed=False)
        else:
            yield from self._all_runs(comparison.confirmation)
        if gone := gone_words(comparison, self.words):
            yield Notice("gone", "ok", gone, can_be_closed=False)
        said = _NOT_CAUTIONS | {self._doubt(comparison)}
        ids = [each for each in comparison.warnings if each not in said]
        for id_ in sorted(ids, key=lambda each: each not in GRAVE):
            if text := warning(id_, self.words):
                kind = "warn" if id_ in GRAVE else "info"
                yield Notice(id_, kind, text, can_be_closed=False)

    def _all_runs(self, all_runs: Confirmation | None) -> Iterator[Notice]:
        """What further recordings with the settings of both sides add."""
        if all_runs is None or not all_runs.has_enough or all_runs.primary is None:
            return
        kind = outcome_tone(all_runs.outcome)
        says = confirmation_headline(all_runs, self.words)
        rests_on = confirmation_detail(all_runs, self.words)
        yield Notice("all_runs", kind, says, rests_on, can_be_closed=False)

    # --- the table ---------------------------------------------------------------------------

    def heads(self, comparison: Comparison) -> tuple[str, ...]:
        """The heads of the table; "before" is only what was earlier."""
        a, b = comparison.a.started_at, comparison.b.started_at
        is_in_order = a is None or b is None or a <= b
        measure, first, second, change = row_heads(self.words, comparison)
        if is_in_order:
            first, second = translate("Compare", "A  before"), translate("Compare", "B  after")
        return measure, first, second, change

    def rows(self, comparison: Comparison, *, is_whole: bool) -> tuple[MeasureRow, ...]:
        """The lines; only the first ones unless ``is_whole``."""
        order = {id_: at for at, id_ in enumerate(FIRST)}
        rows = sorted(comparison.rows, key=lambda row: order.get(row.id, len(FIRST)))
        return tuple(self.row(each) for each in rows if is_whole or each.id in order)

    def row(self, row: Row) -> MeasureRow:
        cells, tip = row_cells(row, self.words), certainty(row, self.words)
        return MeasureRow(*cells, tone=CHANGE_TONES.get(row.change, ""), tip=tip)

    # --- what differs ------------------------------------------------------------------------

    def difference_heads(self) -> tuple[str, ...]:
        return self.words.say("report.differs"), "A", "B"

    def differences(self, comparison: Comparison) -> tuple[MeasureRow, ...]:
        """What was different besides the smoothness; settings by their plain name."""
        return tuple(
            MeasureRow(*difference_cells(each, self.words), tip=each.id if each.is_setting else "")
            for each in comparison.differences
        )
