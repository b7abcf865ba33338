# SPDX-License-Identifier: GPL-3.0-or-later
"""One finding in full: what it explains, the proof, why it happens, and what to change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.analysis.examining.longest_waits import TracedInside
from destutter.diagnosis.finding import Finding, Spike
from destutter.diagnosis.remedy import remedy
from destutter.diagnosis.wording import named_as
from destutter.ui.causes.action_bar import ActionBar
from destutter.ui.causes.evidence_card import EvidenceCard
from destutter.ui.causes.fact_row import FactRow
from destutter.ui.causes.finding_words import (
    CountedSince,
    confidence_of,
    facts_of,
    mark_of,
    summary_of,
)
from destutter.ui.causes.measured_list import MeasuredList
from destutter.ui.causes.other_help import OtherHelp
from destutter.ui.causes.setting_table import SettingTable
from destutter.ui.causes.traced_table import TracedTable
from destutter.ui.controls.chip import StateChip
from destutter.ui.controls.down_scroll import DownScroll
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.lines_of_text import unbroken_paths
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.controls.reading_direction import leading
from destutter.ui.look.theme import Theme
from destutter.ui.pages.width_class import WidthClass
from destutter.ui.words.change_words import ChangeWords
from destutter.ui.words.explanation_pages import Explanation
from destutter.ui.words.quantities import Quantities, WallClock
from destutter.ui.words.words import Words
from destutter.words.measures import NBSP

if TYPE_CHECKING:
    from destutter.ui.plots.lane_data import LaneData


_BY_ANOTHER = "io_unfairness"


class CauseDetail(QFrame):
    """The card at the right. ``moment_chosen(int)`` for a time on the live page."""

    moment_chosen = Signal(object)

    def __init__(
        self,
        theme: Theme,
        words: tuple[Words, ChangeWords],
        quantities: Quantities,
        clock: WallClock,
        read_data: Callable[[], LaneData | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._theme = theme
        self._words, change_words = words
        self._quantities = quantities
        self._finding: Finding | None = None
        self._own_words = ""
        self._sign = QLabel(self)
        self.title = ElidedLabel("", "findingTitle", self, most_lines=2)
        self.subtitle = ElidedLabel("", "muted", self)
        self.chip = StateChip(theme, self)
        self.facts = FactRow(theme, self)
        self.evidence = EvidenceCard(theme, self._words, quantities, clock, read_data, self)
        self.reasons = self._text("small")
        self.measured = MeasuredList(theme, self._words, clock, self)
        traced = (theme, self._words.renderer, quantities, clock, self)
        self.waits, self.requests = TracedTable(*traced), TracedTable(*traced)
        self.culprits = self._text("muted")
        self.why = self._text("muted")
        self.source = self._text("caption")
        self.remedy = self._text("small")
        self.table = SettingTable(theme, change_words, self)
        self.no_rows = self._text("muted")
        self.help = OtherHelp(theme, self)
        self.experts = QPushButton(self.tr("Details for experts"), self)
        self.experts.setProperty("role", "link")
        self.experts.setCheckable(True)
        self.experts_help = OtherHelp(theme, self, is_for_experts=True)
        self.action_bar = ActionBar(theme, self)
        self._headings = {
            "measured": self._heading(self.tr("What was measured")),
            "culprits": self._heading(self.tr("Who did it")),
            "waits": self._heading(self.tr("Waits of the game's threads")),
            "requests": self._heading(self.tr("Slowest requests to drives")),
            "why": self._heading(self.tr("Why this happens")),
            "change": self._heading(self.tr("What to change")),
            "help": self._heading(self.tr("What else helps")),
        }
        self._build()
        self._connect()

    def _text(self, role: str) -> QLabel:
        return plain_label("", role, self, wraps=True)

    def _heading(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setProperty("role", "strong")
        label.setContentsMargins(0, self._theme.sizes.px(6), 0, 0)
        return label

    def _build(self) -> None:
        sizes = self._theme.sizes
        body = QWidget(self)
        box = QVBoxLayout(body)
        pad = sizes.px(16)
        box.setContentsMargins(pad, sizes.px(14), pad, sizes.px(14))
        box.setSpacing(sizes.px(6))
        box.addLayout(self._head())
        box.addSpacing(sizes.px(4))
        box.addWidget(self.facts)
        box.addSpacing(sizes.px(4))
        box.addWidget(self.evidence)
        box.addWidget(self.reasons)
        sections: Sequence[tuple[str, tuple[QWidget, ...]]] = (
            # What can be done is in sight before it is explained.
            ("change", (self.remedy, self.table, self.no_rows)),
            ("culprits", (self.culprits,)),
            ("help", (self.help,)),
            ("why", (self.why,)),
            ("waits", (self.waits,)),
            ("requests", (self.requests,)),
            ("measured", (self.measured,)),
        )
        for name, widgets in sections:
            box.addWidget(self._headings[name])
            for widget in widgets:
                box.addWidget(widget)
        box.addWidget(self.experts, 0, Qt.AlignmentFlag.AlignLeading)
        for widget in (self.experts_help, self.source):
            box.addWidget(widget)
        box.addStretch(1)
        self.scroll_area = DownScroll(self)
        self.scroll_area.setWidget(body)
        body.setAutoFillBackground(False)
        self.scroll_area.viewport().setAutoFillBackground(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self.scroll_area, 1)
        layout.addWidget(self.action_bar)

    def _head(self) -> QHBoxLayout:
        sizes = self._theme.sizes
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(self.title)
        texts.addWidget(self.subtitle)
        row = QHBoxLayout()
        row.setSpacing(sizes.px(12))
        row.addWidget(self._sign)
        row.addLayout(texts, 1)
        row.addWidget(self.chip, 0, Qt.AlignmentFlag.AlignVCenter)
        return row

    def _connect(self) -> None:
        self.measured.drawn.connect(self.evidence.pick_evidence)
        self.measured.moment_chosen.connect(self.moment_chosen)
        self.evidence.chosen.connect(self._show_measured)
        self.experts.toggled.connect(self._show_experts)
        for table in (self.waits, self.requests):
            table.moment_chosen.connect(self.moment_chosen)
        self._theme.changed.connect(self._draw_sign)

    def set_width_class(self, width_class: WidthClass) -> None:
        """A lower graph in a small window, so that the changes are in sight below it."""
        self.evidence.set_low(is_low=width_class is not WidthClass.WIDE)
        self.action_bar.set_width_class(width_class)
        self.table.set_narrow(is_narrow=width_class is WidthClass.NARROW)

    def sizeHint(self) -> QSize:
        """What is in it scrolls."""
        return QSize(600, 500)

    @property
    def finding(self) -> Finding | None:
        return self._finding

    def show_finding(
        self,
        finding: Finding,
        spikes: Sequence[Spike],
        page: Explanation | None,
        *,
        has_game: bool = True,
        counted: CountedSince | None = CountedSince.HORIZON,
    ) -> None:
        """Show this finding, or what is new about it."""
        is_other = self._finding is None or self._finding.cause != finding.cause
        self._finding = finding
        self.evidence.show_finding(finding, spikes)
        if is_other:
            self._show_page(page)
            self.scroll_area.verticalScrollBar().setValue(0)
            self._draw_sign()
        mark = mark_of(finding, has_game=has_game)
        self.title.set_full_text(self._words.cause(named_as(finding)))
        self.subtitle.set_full_text(summary_of(finding, self._words))
        self.chip.show_sign(mark.icon, mark.tone, mark.text)
        self.facts.show_facts(
            facts_of(finding, self._words, self._quantities, self.evidence.time_of, counted)
        )
        self._show_reasons(finding)
        self._show_measured()
        self._show_culprits(finding)
        self._show_remedy(finding)

    def show_traced(
        self, traced: TracedInside, folders_of: Callable[[str], Sequence[str]]
    ) -> None:
        """What the kernel's trace told of the stutters that the finding explains; ``folders_of`` a
        drive are where its file systems are mounted."""
        self.waits.show_waits(traced.waits)
        self.requests.show_requests(traced.requests, folders_of)
        for name, found in (("waits", traced.waits), ("requests", traced.requests)):
            self._headings[name].setVisible(bool(found))
            getattr(self, name).setVisible(bool(found))

    def show_own_words(self, text: str) -> None:
        """What the drive says of itself, behind the reasons; empty for nothing."""
        if text != self._own_words and self._finding is not None:
            self._own_words = text
            self._show_reasons(self._finding)

    def _show_reasons(self, finding: Finding) -> None:
        is_cause = finding.explains and not finding.consequence_of
        sure = confidence_of(finding, self._words) if is_cause else ""
        origin = (
            self.tr("It only came with: {cause}").format(
                cause=self._words.cause(finding.consequence_of)
            )
            if finding.consequence_of
            else ""
        )
        said = (sure, origin, *map(self._words.text, finding.reasons), self._own_words)
        say = self._words.renderer
        text = say.sentences(map(say.as_sentence, said))
        if text != self.reasons.text():
            self.reasons.setText(text)

    @Slot()
    def _show_measured(self) -> None:
        finding = self._finding
        if finding is None:
            return
        drawn = self.evidence.evidence
        is_shown = drawn is not None and self.evidence.shows_measured
        index = finding.evidence.index(drawn) if is_shown else None
        self.measured.show_evidence(finding.evidence, index)
        self._headings["measured"].setVisible(bool(finding.evidence))

    def _show_culprits(self, finding: Finding) -> None:
        culprits = map(self._words.culprit, finding.named)
        lines = [leading(self, f"•{NBSP}{culprit}") for culprit in culprits]
        is_nobody = all(each.what == "device" for each in finding.named)
        if finding.cause == _BY_ANOTHER and is_nobody:
            unseen = self.tr("Which program it was could not be seen.")
            lines.append(leading(self, f"•{NBSP}{unseen}"))
        text = "\n".join(lines)
        if text != self.culprits.text():
            self.culprits.setText(text)
        for widget in (self.culprits, self._headings["culprits"]):
            widget.setVisible(bool(lines))

    def _show_remedy(self, finding: Finding) -> None:
        first = remedy(finding)
        self.remedy.setText("" if first is None else self._words.text(first))
        self.remedy.setVisible(first is not None)

    def _show_page(self, page: Explanation | None) -> None:
        self.why.setText("" if page is None else page.why)
        source = "" if page is None else unbroken_paths(page.section("source"))
        self.source.setText(self.tr("Source: {text}").format(text=source) if source else "")
        for widget in (self.why, self._headings["why"]):
            widget.setVisible(page is not None)
        for each in (self.help, self.experts_help):
            each.show_page(page)
        self._headings["help"].setVisible(not self.help.is_empty)
        self._show_experts()

    @Slot()
    def _show_experts(self) -> None:
        """What needs knowledge of the system stands behind a click."""
        is_opened = self.experts.isChecked()
        self.experts.setVisible(bool(self.source.text()) or not self.experts_help.is_empty)
        self.experts_help.setVisible(is_opened and not self.experts_help.is_empty)
        self.source.setVisible(is_opened and bool(self.source.text()))

    def show_no_rows(self, text: str) -> None:
        """Say why there is no table, or (empty) show it."""
        self.no_rows.setText(text)
        self.no_rows.setVisible(bool(text))
        self.table.setVisible(not text)

    @Slot()
    def _draw_sign(self) -> None:
        if self._finding is None:
            return
        group, sizes = self._finding.group.value, self._theme.sizes
        color, ratio = getattr(self._theme.tokens, group), self.devicePixelRatioF()
        self._sign.setPixmap(self._theme.icons.pixmap(group, color, sizes.px(26), ratio))
