# SPDX-License-Identifier: GPL-3.0-or-later
"""One change that may be tried: check box, what it is, risk, and why."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from destutter.tuning.recommendation import Recommendation
from destutter.ui.controls.chip import StateChip
from destutter.ui.controls.reading_direction import leading
from destutter.ui.controls.risk import risk_look, risk_word
from destutter.ui.controls.tick_box import TickBox
from destutter.ui.look.theme import Theme


class ChoiceRow(QFrame):
    """``toggled()`` when the box was clicked."""

    toggled = Signal()

    def __init__(
        self,
        theme: Theme,
        recommendation: Recommendation,
        *,
        is_first: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.recommendation = recommendation
        self._theme = theme
        if not is_first:
            self.setProperty("role", "row")
        self.box = TickBox(theme, self)
        self.title = QLabel("", self)
        self.title.setProperty("role", "strong")
        self.detail = QLabel("", self)
        self.detail.setProperty("role", "small")
        self.reason = QLabel("", self)
        self.reason.setProperty("role", "muted")
        for label in (self.title, self.detail, self.reason):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.reason.setContentsMargins(0, theme.sizes.px(4), 0, 0)
        self.reason.hide()
        self.risk = StateChip(theme, self)
        self.why = QPushButton(self.tr("Why?"), self)
        self.why.setProperty("role", "link")
        self.why.setCheckable(True)
        self.why.toggled.connect(self.reason.setVisible)
        self.box.toggled.connect(self.toggled)
        self._build()
        self._show_risk()

    def _build(self) -> None:
        sizes = self._theme.sizes
        texts = QVBoxLayout()
        texts.setSpacing(1)
        for label in (self.title, self.detail, self.reason):
            texts.addWidget(label)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, sizes.px(7), 0, sizes.px(7))
        layout.setSpacing(sizes.px(10))
        layout.addWidget(self.box, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(texts, 1)
        layout.addWidget(self.risk, 0, Qt.AlignmentFlag.AlignTop)
        layout.addSpacing(sizes.px(6))
        layout.addWidget(self.why, 0, Qt.AlignmentFlag.AlignTop)

    def show_texts(self, title: str, detail: str, reason: str) -> None:
        """Name the change; ``reason`` is shown behind "Why?"."""
        for label, text in (
            (self.title, title),
            (self.detail, detail),
            (self.reason, reason),
        ):
            label.setText(leading(self, text))
        self.box.setAccessibleName(title)
        self.box.setAccessibleDescription(detail)
        self.why.setAccessibleName(self.tr("Why: {title}").format(title=title))

    def show_change(self, detail: str, failure: str) -> None:
        """Say what the change is, or why it was left alone just now."""
        self.detail.setText(failure or detail)
        role = "bad" if failure else "small"
        if self.detail.property("role") != role:
            self.detail.setProperty("role", role)
            self.style().unpolish(self.detail)
            self.style().polish(self.detail)

    def show_state(self, note: str) -> None:
        """Say why it cannot be chosen; empty: it can."""
        self.box.setEnabled(not note)
        if note:
            self.box.setChecked(False)
            self.detail.setText(note)

    @property
    def is_chosen(self) -> bool:
        return self.box.isChecked() and self.box.isEnabled()

    def _show_risk(self) -> None:
        risk = self.recommendation.risk
        text = self.tr("Risk: {word}").format(word=risk_word(risk))
        self.risk.show_sign(*risk_look(risk), text)
