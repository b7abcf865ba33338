# SPDX-License-Identifier: GPL-3.0-or-later
"""One change as a row of the table: setting, original and now, who and when, how long, undo."""

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QTransform
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from destutter.analysis.changes.tuning_state import LASTS_TRIAL, JournalChange, RunningTrial
from destutter.core.statement import Statement
from destutter.ui.controls.chip import StateChip
from destutter.ui.controls.elided import ElidedLabel, WrappedLabel
from destutter.ui.controls.leading import lead
from destutter.ui.look.fonts import mono_font
from destutter.ui.look.theme import Theme
from destutter.ui.words.change_words import ChangeWords
from destutter.ui.words.words import said

COLUMNS = (26, 24, 20, 18)
"""Shares of the width for setting, values, who and how long."""


def button_width(theme: Theme) -> int:
    """How wide the last column is: the widest word that its button may show, and its sign."""
    metrics = QFontMetrics(theme.sized(round(theme.sizes.body), 600))
    words = (
        QCoreApplication.translate("ChangeRow", "Undo"),
        QCoreApplication.translate("ChangeRow", "Revert"),
    )
    return max(metrics.horizontalAdvance(word) for word in words) + theme.sizes.px(56)


class ChangeRow(QFrame):
    """Signals: ``undo_clicked(str)``, ``keep_theirs_clicked(str)`` and ``restore_clicked(str)``
    with the key of the setting; ``revert_clicked()`` for a row on trial."""

    undo_clicked = Signal(str)
    keep_theirs_clicked = Signal(str)
    restore_clicked = Signal(str)
    revert_clicked = Signal()

    def __init__(self, theme: Theme, words: ChangeWords, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "row")
        self._theme = theme
        self._words = words
        self._change: JournalChange | None = None
        self.name = lead(WrappedLabel("strong", self))
        self.key = lead(ElidedLabel("", "caption", self))
        self.key.setFont(mono_font(theme.sizes.caption))
        self.origin = lead(ElidedLabel("", "muted", self, most_lines=2))
        self.value = lead(ElidedLabel("", "strong", self))
        self._arrow = QLabel(self)
        self.who = lead(ElidedLabel("", "", self, most_lines=2))
        self.when = lead(ElidedLabel("", "small", self))
        self.lasts = StateChip(theme, self)
        self.lasts.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.undo = QPushButton(self.tr("Undo"), self)
        self.drift = QFrame(self)
        self._drift_sign = QLabel(self.drift)
        self.note = ElidedLabel("", "small", self.drift)
        self.keep_theirs = QPushButton(self.drift)
        self.restore = QPushButton(self.drift)
        self._build()
        theme.changed.connect(self._draw_signs)
        self._draw_signs()

    def _build(self) -> None:
        sizes = self._theme.sizes
        grid = QGridLayout(self)
        grid.setContentsMargins(sizes.px(18), sizes.px(9), sizes.px(14), sizes.px(9))
        grid.setHorizontalSpacing(sizes.px(14))
        grid.setVerticalSpacing(sizes.px(6))
        for column, share in enumerate(COLUMNS):
            grid.setColumnStretch(column, share)
        self.origin.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.value.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        for label in (self.name, self.key, self.who, self.when):
            label.setMinimumWidth(1)  # the shares alone decide
        asks_nothing = self.name.sizePolicy()
        asks_nothing.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
        self.name.setSizePolicy(asks_nothing)
        values = self._cell(self.origin, self._arrow, self.value)
        grid.addLayout(_pair(self.name, self.key), 0, 0)
        grid.addWidget(values, 0, 1)
        grid.addLayout(_pair(self.who, self.when), 0, 2)
        self._lasting = self._cell(self.lasts)
        grid.addWidget(self._lasting, 0, 3)
        grid.addWidget(self.undo, 0, 4, Qt.AlignmentFlag.AlignVCenter)
        line = QHBoxLayout(self.drift)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(sizes.px(8))
        line.addWidget(self._drift_sign)
        line.addWidget(self.note, 1)
        line.addWidget(self.keep_theirs)
        line.addWidget(self.restore)
        grid.addWidget(self.drift, 1, 0, 1, 5)
        self.undo.setIconSize(QSize(sizes.px(16), sizes.px(16)))
        self.undo.setFixedWidth(button_width(self._theme))
        self.undo.clicked.connect(self._undo)
        self.keep_theirs.clicked.connect(self._keep)
        self.restore.clicked.connect(self._restore)

    def _cell(self, *widgets: QWidget) -> QWidget:
        """Widgets side by side, as wide as the column and not as their words."""
        cell = QWidget(self)
        cell.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        cell.setMinimumWidth(1)
        row = QHBoxLayout(cell)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self._theme.sizes.px(8))
        for widget in widgets:
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        return cell

    def show_change(
        self,
        change: JournalChange,
        trial: RunningTrial | None,
        *,
        is_enabled: bool,
        failure: Statement | None = None,
    ) -> None:
        """Show this change; buttons work unless something is under way. ``failure``: why it was
        left alone just now."""
        self._change = change
        words = self._words
        name = words.settings.name(change.id)
        self.name.set_full_text(name)
        self.key.set_full_text(words.key(change))
        self.origin.set_full_text(words.value(change.id, change.origin))
        now = change.now if change.is_drifted else change.value
        self.value.set_full_text(words.value(change.id, now))
        self.who.set_full_text(words.who(change.by_uid))
        when = words.when(change.changed_at)
        self.when.set_full_text(when)
        self.when.setVisible(bool(when))
        self.show_time(trial)
        self.drift.setVisible(change.is_drifted or failure is not None)
        note = words.drift(change) if change.is_drifted else ""
        if failure is not None:
            note = self.tr("Not changed: {reason}").format(reason=said(failure))
        self.note.set_full_text(note)
        for button, text, value in (
            (self.keep_theirs, self.tr("Keep {value}"), change.now),
            (self.restore, self.tr("Restore {value}"), change.origin),
        ):
            button.setVisible(change.is_drifted)
            button.setText(text.format(value=words.value(change.id, value)))
        is_ours = trial is not None and change.lasts == LASTS_TRIAL
        self.undo.setText(self.tr("Revert") if is_ours else self.tr("Undo"))
        tip = self.tr("Takes back everything that is on trial") if is_ours else ""
        self.undo.setToolTip(tip)
        for button, text in (
            (self.undo, self.tr("Undo {setting}")),
            (self.keep_theirs, self.tr("Keep the present value of {setting}")),
            (self.restore, self.tr("Restore the original value of {setting}")),
        ):
            button.setAccessibleName(text.format(setting=name))
            button.setEnabled(is_enabled)
        self.undo.setEnabled(is_enabled and not change.is_drifted)

    def show_time(self, trial: RunningTrial | None) -> None:
        """Bring the countdown up to date."""
        if self._change is not None:
            self.lasts.show_sign(*self._words.lasts(self._change, trial))
            self._lasting.setToolTip(self.lasts.text)

    @Slot()
    def _undo(self) -> None:
        if self._change is not None and self._change.lasts == LASTS_TRIAL:
            self.revert_clicked.emit()
        elif self._change is not None:
            self.undo_clicked.emit(self._change.key)

    @Slot()
    def _keep(self) -> None:
        if self._change is not None:
            self.keep_theirs_clicked.emit(self._change.key)

    @Slot()
    def _restore(self) -> None:
        if self._change is not None:
            self.restore_clicked.emit(self._change.key)

    @Slot()
    def _draw_signs(self) -> None:
        sizes, tokens, icons = self._theme.sizes, self._theme.tokens, self._theme.icons
        ratio = self.devicePixelRatioF()
        arrow = icons.pixmap("forward", tokens.faint, sizes.px(14), ratio)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            arrow = arrow.transformed(QTransform.fromScale(-1, 1))
        self._arrow.setPixmap(arrow)
        self._drift_sign.setPixmap(icons.pixmap("watch", tokens.warn, sizes.px(16), ratio))
        self.undo.setIcon(icons.icon("undo", tokens.text, sizes.px(16), tokens.faint))


def _pair(upper: QWidget, lower: QWidget) -> QVBoxLayout:
    box = QVBoxLayout()
    box.setSpacing(1)
    box.addWidget(upper)
    box.addWidget(lower)
    return box
