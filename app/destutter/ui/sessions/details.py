# SPDX-License-Identifier: GPL-3.0-or-later
"""The right side of the page: nothing chosen yet, a file being read, one session, or two."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QPoint, QSize, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from destutter.analysis.comparing.comparison import Comparison
from destutter.analysis.examining.own_comments import MOST_LETTERS
from destutter.analysis.examining.own_phases import PhaseEnds
from destutter.analysis.examining.summary import SessionSummary
from destutter.ui.controls.banner import Banner
from destutter.ui.controls.down_scroll import DownScroll
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.leading import lead
from destutter.ui.controls.notices import Notice, Notices
from destutter.ui.controls.placeholder import Placeholder
from destutter.ui.controls.reading_view import ReadingView
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP
from destutter.ui.sessions.compare_texts import CompareTexts
from destutter.ui.sessions.graph_panel import GraphPanel
from destutter.ui.sessions.measure_table import MeasureTable
from destutter.ui.sessions.phase_row import PhaseRow
from destutter.ui.sessions.single_texts import CAUSE, SingleTexts, told_finding
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.setting_words import SettingWords
from destutter.ui.words.words import Words, said_sentence

_MOST_NOTES = 4
COMPARE = "compare"


class SessionHead(QWidget):
    """Name and length of the session that is shown, and what can be done with it."""

    replay_clicked = Signal()
    rename_clicked = Signal()
    delete_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.title = lead(ElidedLabel("", "cardTitle", self))
        self.detail = lead(ElidedLabel("", "small", self))
        self.replay = QPushButton(self.tr("Replay"), self)
        self.replay.setToolTip(self.tr("Show this recording in the Live page"))
        self.rename = QPushButton(self.tr("Rename"), self)
        self.rename.setToolTip(self.tr("F2 in the list"))
        self.delete = QPushButton(self.tr("Delete"), self)
        self.delete.setToolTip(self.tr("Can be undone. Delete in the list"))
        self.replay.clicked.connect(self.replay_clicked)
        self.rename.clicked.connect(self.rename_clicked)
        self.delete.clicked.connect(self.delete_clicked)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(self.title)
        texts.addWidget(self.detail)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 0, 0, 0)
        layout.setSpacing(theme.sizes.px(8))
        layout.addLayout(texts, 1)
        for button in (self.replay, self.rename, self.delete):
            button.setIconSize(QSize(theme.sizes.px(16), theme.sizes.px(16)))
            layout.addWidget(button)
        theme.changed.connect(self._draw)
        self._draw()

    def show_texts(self, title: str, detail: str) -> None:
        self.title.set_full_text(title)
        self.detail.set_full_text(detail)
        self.detail.setVisible(bool(detail))

    @Slot()
    def _draw(self) -> None:
        tokens = self._theme.tokens
        icon = self._theme.icons.icon("play", tokens.text, self._theme.sizes.px(16))
        self.replay.setIcon(icon)


class DetailView(QWidget):
    """Shows what is chosen in the list.

    Signals: ``replay_clicked()``, ``rename_clicked()``, ``delete_clicked()``,
    ``cancel_clicked()`` while a file is read, ``swap_clicked()``, ``phases_chosen(SessionSummary,
    PhaseEnds | None)``, ``commented(Path, str)``, ``cause_clicked(SessionSummary, Finding)``, and
    ``report_chosen(str)`` with "html", "markdown", "png" or "svg".
    """

    replay_clicked = Signal()
    rename_clicked = Signal()
    delete_clicked = Signal()
    cancel_clicked = Signal()
    swap_clicked = Signal()
    phases_chosen = Signal(object, object)
    commented = Signal(object, str)
    cause_clicked = Signal(object, object)
    report_chosen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        words: Words,
        settings: SettingWords,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._single = SingleTexts(quantities, words)
        self.head = SessionHead(theme, self)
        self.comment = QLineEdit(self)
        self.comment.setPlaceholderText(self.tr("Comment: weather, airport, what you changed…"))
        self.comment.setAccessibleName(self.tr("Comment on this recording"))
        self.comment.setMaxLength(MOST_LETTERS)
        self.notes = Notices(theme, _MOST_NOTES, self)
        self.banner = Banner(theme, self)
        self.panel = GraphPanel(theme, quantities, self)
        self.differences = MeasureTable(theme, self)
        self.table = MeasureTable(theme, self)
        self._pair = CompareTexts(quantities, settings)
        self._comparison: Comparison | None = None
        self.more = QPushButton(self.tr("More measures"), self)
        self.more.setProperty("role", "link")
        self.more.setCheckable(True)
        self.swap = QPushButton(self.tr("Swap A and B"), self)
        self.swap.setProperty("role", "link")
        self.phases = QPushButton(self.tr("Correct the phases…"), self)
        self.phases.setProperty("role", "link")
        self.phase_row = PhaseRow(theme, self)
        self._shown: SessionSummary | None = None
        self.reading = ReadingView(theme, self)
        self.nothing = Placeholder(
            theme,
            "pulse",
            self.tr("Choose a recording"),
            self.tr(
                "Click one to see it. Click the circles of two to compare them, or of more: the "
                "older ones are A, the newer ones B."
            ),
            ((COMPARE, self.tr("Compare the two newest")),),
            self,
        )
        self.nothing.set_calm(is_calm=True)  # the head of the page suggests to record
        self._menu = self._make_menu()
        self._stack = QStackedWidget(self)
        self._content = QWidget(self)
        self._scroll = DownScroll(self)
        self._build()
        self._connect()
        self.show_nothing()

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        texts = {
            "html": self.tr("Save as a web page (HTML)…"),
            "markdown": self.tr("Copy as text for a forum (Markdown)"),
            "png": self.tr("Save the graph as a picture (PNG)…"),
            "svg": self.tr("Save the graph as a drawing (SVG)…"),
        }
        for kind, text in texts.items():
            action = menu.addAction(text)
            action.setData(kind)
        menu.triggered.connect(lambda action: self.report_chosen.emit(action.data()))
        return menu

    def _build(self) -> None:
        inner = QVBoxLayout(self._content)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(GAP)
        self._content.setObjectName("pageBody")
        for widget in (self.head, self.comment, self.banner, self.notes):
            inner.addWidget(widget)
        inner.addWidget(self.panel, 1)
        inner.addWidget(self.phase_row)
        inner.addWidget(self.table)
        links = QHBoxLayout()
        links.setSpacing(GAP)
        links.addWidget(self.more)
        links.addWidget(self.swap)
        links.addWidget(self.phases)
        links.addStretch(1)
        inner.addLayout(links)
        inner.addWidget(self.differences)
        inner.addStretch(0)
        self._scroll.setWidget(self._content)
        self._scroll.viewport().setAutoFillBackground(False)
        self._content.setAutoFillBackground(False)
        for view in (self.nothing, self.reading, self._scroll):
            self._stack.addWidget(view)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def _connect(self) -> None:
        self.head.replay_clicked.connect(self.replay_clicked)
        self.head.rename_clicked.connect(self.rename_clicked)
        self.head.delete_clicked.connect(self.delete_clicked)
        self.reading.cancelled.connect(self.cancel_clicked)
        self.swap.clicked.connect(self.swap_clicked)
        self.more.toggled.connect(self._show_rows)
        self.phases.clicked.connect(self._correct_phases)
        self.phase_row.chosen.connect(self._phases_chosen)
        self.banner.action_clicked.connect(self._act)
        self.comment.editingFinished.connect(self._comment)

    # --- what it shows -----------------------------------------------------------------------

    def show_nothing(self) -> None:
        """Say how to choose."""
        self._stack.setCurrentWidget(self.nothing)

    def show_reading(self, share: float, text: str) -> None:
        """A file is being read; ``share`` of it is done."""
        self.reading.text.set_full_text(text)
        self.reading.bar.setValue(round(100 * share))
        self._stack.setCurrentWidget(self.reading)

    def show_single(self, summary: SessionSummary, title: str, detail: str) -> None:
        self._begin_anew()
        for at, problem in enumerate(summary.problems):
            text = said_sentence(problem)
            self.notes.show_notice(Notice(f"problem {at}", "warn", text, can_be_closed=False))
        self.head.show()
        self.head.show_texts(title, detail)
        for widget in (self.swap, self.more, self.differences):
            widget.hide()
        self._shown = summary
        self.comment.setText(summary.comment)
        self.comment.setCursorPosition(0)
        self.comment.show()
        self.phases.setVisible(not summary.is_log)
        self.banner.show_text(self._single.banner(summary))
        self.banner.show()
        self.panel.show_summaries((summary,))
        self.table.show_rows(self._single.heads(), self._single.rows(summary))
        self._stack.setCurrentWidget(self._scroll)
        self._scroll.verticalScrollBar().setValue(0)

    def show_comparison(self, comparison: Comparison, *, is_of_groups: bool = False) -> None:
        """Two sessions, or with ``is_of_groups`` all of A with all of B."""
        before = self._comparison
        self._begin_anew()
        is_same = before is not None and before.a is comparison.a and before.b is comparison.b
        self._comparison = comparison
        # Each new line comes before the others.
        cautions = self._pair.cautions(comparison, is_of_groups=is_of_groups)
        for caution in reversed([*islice(cautions, _MOST_NOTES)]):
            self.notes.show_notice(caution)
        self.head.hide()
        self.swap.show()
        banner = self._pair.group_banner if is_of_groups else self._pair.banner
        self.banner.show_text(banner(comparison))
        self.banner.show()
        self.panel.show_summaries((comparison.a, comparison.b))
        self._show_rows()
        different = self._pair.differences(comparison)
        self.differences.show_rows(self._pair.difference_heads(), different)
        self._stack.setCurrentWidget(self._scroll)
        if not is_same:
            self._scroll.verticalScrollBar().setValue(0)

    def _show_rows(self) -> None:
        if self._comparison is None:
            return
        rows = self._pair.rows(self._comparison, is_whole=self.more.isChecked())
        self.table.show_rows(self._pair.heads(self._comparison), rows)
        few = self.tr("Fewer measures")
        self.more.setText(few if self.more.isChecked() else self.tr("More measures"))
        self.more.show()

    def show_problem(self, title: str, detail: str) -> None:
        """A session that cannot be read; it can still be renamed and deleted."""
        self._begin_anew()
        self.head.show()
        self.head.show_texts(title, "")
        self.head.replay.setEnabled(False)
        self.notes.show_notice(
            Notice(
                "problem",
                "bad",
                self.tr("This file cannot be opened"),
                detail,
                can_be_closed=False,
            )
        )
        for widget in (self.banner, self.panel, self.table, self.differences):
            widget.hide()
        for link in (self.swap, self.more):
            link.hide()
        self._stack.setCurrentWidget(self._scroll)

    def _begin_anew(self) -> None:
        self._comparison = self._shown = None
        self.comment.hide()
        self.phases.hide()
        self.phase_row.hide()
        self.head.replay.setEnabled(True)
        for notice in self.notes.shown:
            self.notes.remove(notice.id)

    @Slot()
    def _comment(self) -> None:
        shown, text = self._shown, self.comment.text().strip()
        if shown is not None and text != shown.comment:
            self._shown = replace(shown, comment=text)
            self.commented.emit(Path(shown.path), text)

    @Slot()
    def _correct_phases(self) -> None:
        if self._shown is not None:
            self.phase_row.open_for(self._shown)

    @Slot(object)
    def _phases_chosen(self, ends: PhaseEnds | None) -> None:
        if self._shown is not None:
            self.phases_chosen.emit(self._shown, ends)

    @Slot(str)
    def _act(self, action: str) -> None:
        if action == CAUSE and self._shown is not None:
            self.cause_clicked.emit(self._shown, told_finding(self._shown))
            return
        button = self.banner.buttons[-1]
        self._menu.popup(button.mapToGlobal(QPoint(0, button.height() + 2)))
