# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of the guide: before and after in three numbers, two lines, and a fair verdict."""

from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from destutter.analysis.comparing.comparison import Comparison, Row
from destutter.analysis.examining.summary import Series, SessionSummary
from destutter.analysis.report.comparison_words import change_amount, row_cells
from destutter.ui.controls.banner import Banner
from destutter.ui.controls.emptying import empty
from destutter.ui.controls.signs import look_of
from destutter.ui.controls.sparkline import Sparkline
from destutter.ui.guide.guide_row import GuideRow
from destutter.ui.guide.record_panel import Figure
from destutter.ui.look.theme import Theme
from destutter.ui.sessions.compare_texts import FIRST, CompareTexts
from destutter.ui.sessions.graph_data import lane_of, peaks
from destutter.ui.sessions.measure_table import CHANGE_TONES
from destutter.ui.words.change_words import left_to_right
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.setting_words import SettingWords
from destutter.words.measures import NBSP

_MOST_FIGURES = 3
_MOST_NOTES = 2
_METHOD = frozenset({"no_phases", "unknown_phases"})
"""How it was compared, which the page of recordings says: beside a verdict that was true a tester
read a doubt in it."""
_POINTS = 240  # more than the line has pixels is not seen
_SHORT_UNIT = 3
"""Longer units stand below the numbers."""


class VerdictView(QWidget):
    """Shows a comparison."""

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        settings: SettingWords,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._texts = CompareTexts(quantities, settings)
        self.banner = Banner(theme, self)
        self._figures = QHBoxLayout()
        self._figures.setSpacing(theme.sizes.px(20))
        self._notes = QVBoxLayout()
        self._notes.setSpacing(0)
        self.before, self.after = Sparkline(theme, self), Sparkline(theme, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.px(10))
        layout.addWidget(self.banner)
        layout.addLayout(self._figures)
        layout.addLayout(self._notes)
        lines = QGridLayout()
        lines.setHorizontalSpacing(theme.sizes.px(12))
        lines.setVerticalSpacing(theme.sizes.px(10))
        lines.setColumnStretch(1, 1)
        names = (self.tr("Before"), self.tr("After"))
        for at, (name, line) in enumerate(zip(names, (self.before, self.after), strict=True)):
            line.setFixedHeight(theme.sizes.px(34))
            lines.addWidget(QLabel(name, self), at, 0)
            lines.addWidget(line, at, 1)
        layout.addLayout(lines)
        layout.addStretch(1)

    def insert_below_figures(self, widget: QWidget) -> None:
        """What else there is to say stands before any caution."""
        layout = self.layout()
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(2, widget)

    def said(self, comparison: Comparison) -> str:
        """The verdict in a sentence."""
        return self._texts.banner(comparison).headline

    def show_comparison(self, comparison: Comparison) -> None:
        self.banner.show_text(replace(self._texts.banner(comparison), actions=()))
        for layout in (self._figures, self._notes):
            empty(layout)
        for row in self._first_rows(comparison):
            figure = self._figure(row, is_decided=comparison.outcome.is_decided)
            self._figures.addWidget(figure, 1)
        cautions = (each for each in self._texts.cautions(comparison) if each.id not in _METHOD)
        for at, caution in enumerate(list(cautions)[:_MOST_NOTES]):
            line = GuideRow(self._theme, is_first=at == 0, parent=self)
            line.show_texts(*look_of(caution.kind), caution.text, "")
            self._notes.addWidget(line)
        self._draw_lines(comparison.a, comparison.b)

    def _first_rows(self, comparison: Comparison) -> list[Row]:
        by_id = {row.id: row for row in comparison.rows if row.a is not None and row.b is not None}
        return [by_id[id_] for id_ in FIRST if id_ in by_id][:_MOST_FIGURES]

    def _figure(self, row: Row, *, is_decided: bool) -> Figure:
        name, before, after, change = row_cells(row, self._texts.words)
        if not is_decided:  # "better" in green stood below "too close to call"
            percent = row.change_pct
            change = "" if percent is None else change_amount(percent, self._texts.words)
        figure = Figure(self._theme, name, self)
        words = self.tr("{a} → {b}", "from a value before to one after")
        unit = after.partition(NBSP)[2]
        before = before.removesuffix(f"{NBSP}{unit}")
        if len(unit) > _SHORT_UNIT or "/" in unit:
            after = after.removesuffix(f"{NBSP}{unit}")
            change = f"{unit}, {change}"
        # The arrow points the way the lines below run, in every language.
        value = left_to_right(words.format(a=before, b=after))
        tone = CHANGE_TONES.get(row.change, "none") if is_decided else "none"
        figure.show_value(value, change, tone="text" if tone == "none" else tone)
        return figure

    def _draw_lines(self, a: SessionSummary, b: SessionSummary) -> None:
        lane = lane_of((a, b))
        if lane is None:
            return
        series = (a.seconds[lane], b.seconds[lane])
        highest = max((float(np.nanmax(each)) for each in series if each.size), default=1.0)
        length = max(each.size for each in series)
        for line, values, tone in (
            (self.before, series[0], "cpu"),
            (self.after, series[1], "storage"),
        ):
            line.show_values(_points(values, length, highest), tone)


def _points(values: Series, length: int, highest: float) -> list[tuple[float, float | None]]:
    """A line in the scale that both share: its last point is the highest of both, out of sight."""
    seconds, peak = peaks(values, _POINTS)
    points: list[tuple[float, float | None]] = [
        (float(at) / length, None if np.isnan(value) else float(value))
        for at, value in zip(seconds, peak, strict=True)
    ]
    return [*points, (1.0, None), (2.0, highest)]
