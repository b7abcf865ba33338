# SPDX-License-Identifier: GPL-3.0-or-later
"""The tray icon, where the desktop has a place for one: never the only way to anything."""

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.diagnosis.finding import VerdictKind
from destutter.ui.look.theme import Theme
from destutter.ui.words.words import Words

_ICON = "io.github.destutter.Destutter-symbolic"


class Tray(QObject):
    """Signals: ``window_requested()``, ``recording_toggled()``, ``marker_requested()``,
    ``strip_requested()``, ``undo_requested()``, ``quit_requested()``.
    """

    window_requested = Signal()
    recording_toggled = Signal()
    marker_requested = Signal()
    strip_requested = Signal()
    undo_requested = Signal()
    quit_requested = Signal()

    def __init__(self, theme: Theme, words: Words, owner: QWidget) -> None:
        super().__init__(owner)
        self._theme = theme
        self._words = words
        self._icon: QSystemTrayIcon | None = None
        self.menu = QMenu(owner)
        self.state = self._entry(self.tr("Measuring…"))
        self.state.setEnabled(False)
        self.menu.addSeparator()
        self.open = self._entry(self.tr("Open Destutter"), self.window_requested)
        self.record = self._entry(self.tr("Record session"), self.recording_toggled)
        self.mark = self._entry(self.tr("Mark this moment"), self.marker_requested)
        self.strip = self._entry(self.tr("Show the strip"), self.strip_requested)
        self.undo = self._entry(self.tr("Undo all changes"), self.undo_requested)
        self.undo.setEnabled(False)
        self.menu.addSeparator()
        self.quit = self._entry(self.tr("Quit"), self.quit_requested)
        theme.changed.connect(self._draw)

    def _entry(self, text: str, signal: object = None) -> QAction:
        action = QAction(text, self.menu)
        if signal is not None:
            action.triggered.connect(signal)
        self.menu.addAction(action)
        return action

    @property
    def is_shown(self) -> bool:
        """Whether the desktop shows the icon: without a tray Qt pretends to."""
        return self._icon is not None

    @Slot()
    def show(self) -> None:
        """Show the icon if there is a place for it."""
        if self._icon is not None or not QSystemTrayIcon.isSystemTrayAvailable():
            return
        self._icon = QSystemTrayIcon(self)
        self._draw()
        self._icon.setToolTip("Destutter")
        self._icon.setContextMenu(self.menu)
        self._icon.activated.connect(self._activated)
        self._icon.show()

    @Slot()
    def hide(self) -> None:
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """The first line of the menu says what the banner says."""
        verdict = snapshot.assessment.verdict
        if verdict.kind is VerdictKind.MEASURING:
            return
        text = self._words.text(verdict.headline)
        if text != self.state.text():
            self.state.setText(text)
            if self._icon is not None:
                self._icon.setToolTip(text)

    def set_recording(self, *, is_recording: bool) -> None:
        """Offer to stop, or to record."""
        stop, start = self.tr("Stop recording"), self.tr("Record session")
        self.record.setText(stop if is_recording else start)

    def set_undoable(self, *, is_undoable: bool) -> None:
        """Whether there is a change that could be undone."""
        self.undo.setEnabled(is_undoable)

    @Slot(QSystemTrayIcon.ActivationReason)
    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason != QSystemTrayIcon.ActivationReason.Context:
            self.window_requested.emit()

    @Slot()
    def _draw(self) -> None:
        if self._icon is not None:
            # A name where the desktop knows it: a Flatpak's files cannot be read from outside.
            drawn = QIcon(self._theme.icons.app_pixmap(64))
            self._icon.setIcon(QIcon.fromTheme(_ICON, drawn))
