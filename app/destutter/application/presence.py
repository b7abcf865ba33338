# SPDX-License-Identifier: GPL-3.0-or-later
"""The window among others: closing it, the background, the strip, the tray, a second start."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Signal, Slot
from PySide6.QtDBus import QDBusConnection
from PySide6.QtWidgets import QApplication

from destutter.analysis.changes.tuning_state import RunningTrial
from destutter.analysis.examining.pipeline import Snapshot
from destutter.application.window_activation import bring_to_front
from destutter.bridge.kept_settings import KeptSettings
from destutter.bridge.tray_watch import TrayWatch
from destutter.ui.controls.banner import Urgency
from destutter.ui.look.theme import Theme
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.pages.pages import LIVE
from destutter.ui.shell.closing import BACKGROUND, QUIT, answer_to_closing, closing_question
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.shell.tray import Tray
from destutter.ui.strip.strip import Strip
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import Words


class Presence(QObject):
    """``mark_requested()`` and ``undo_requested()`` come from strip and tray.

    ``went_to_background()``: the window was closed, and the program goes on.

    ``has_legacy_tray`` tells whether an X server offers the older kind of tray.
    """

    mark_requested = Signal()
    undo_requested = Signal()
    went_to_background = Signal()

    def __init__(
        self,
        qt: QApplication,
        window: MainWindow,
        theme: Theme,
        settings: KeptSettings,
        has_legacy_tray: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._qt = qt
        self._window = window
        self._theme = theme
        self._settings = settings
        self._has_legacy_tray = has_legacy_tray
        self._is_recording = False
        self._changed_for = ""
        self._keeps_for_games = False
        self._is_quitting = False
        self._answer = ""
        self._quantities: Quantities = window.quantities
        self.strip: Strip | None = None
        self.tray = Tray(theme, Words(self._quantities), window)
        self.question = window.banner_area.banner(Urgency.TRIAL)
        self.question.action_clicked.connect(self._answered)
        self._watch: TrayWatch | None = None
        window.installEventFilter(self)
        window.quit_requested.connect(self.quit)
        window.strip_requested.connect(self.show_strip)
        self._connect_tray()

    def _connect_tray(self) -> None:
        tray = self.tray
        tray.window_requested.connect(self.show_window)
        tray.recording_toggled.connect(self.toggle_recording)
        tray.marker_requested.connect(self.mark_requested)
        tray.strip_requested.connect(self.show_strip)
        tray.undo_requested.connect(self.undo_requested)
        tray.quit_requested.connect(self.quit)

    def start(self, bus: QDBusConnection) -> None:
        """Look for a tray on the session bus, now and whenever one appears."""
        watch = self._watch = TrayWatch(bus, self)
        watch.appeared.connect(self._tray_appeared)
        watch.absent.connect(self._tray_absent)
        watch.vanished.connect(self.tray.hide)
        watch.ask()

    # --- news --------------------------------------------------------------------------------

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        """Hand measurements to strip and tray."""
        if self.strip is not None:
            self.strip.show_snapshot(snapshot)
        if self.tray.is_shown:
            self.tray.show_snapshot(snapshot)

    def show_recording(self, state: RecordingState) -> None:
        self._is_recording = state.is_recording
        self.tray.set_recording(is_recording=state.is_recording)
        if self.strip is not None:
            self.strip.set_recording(is_recording=state.is_recording)

    def show_trial(self, trial: RunningTrial | None, *, keeps_for_games: bool) -> None:
        """What runs for a game of ours, and what is kept for one, needs the program, which the
        question tells."""
        self._keeps_for_games = keeps_for_games
        self._changed_for = trial.game if trial is not None and trial.is_ours else ""

    @property
    def is_window_seen(self) -> bool:
        """Whether the window shows what is measured now."""
        return self._window.isVisible() and not self._window.isMinimized()

    # --- what the user wants -----------------------------------------------------------------

    @Slot()
    def show_window(self, token: str = "") -> None:
        """Show the window and bring it to the front; ``token`` is the desktop's permission."""
        self._qt.setQuitOnLastWindowClosed(True)
        bring_to_front(self._window, token)

    @Slot()
    def go_on_unseen(self) -> None:
        """Begin without the window, which a second start or the tray shows."""
        self._qt.setQuitOnLastWindowClosed(False)
        self.went_to_background.emit()

    @Slot()
    def show_strip(self) -> None:
        """Show the strip, made now if it was not needed before."""
        if self.strip is None:
            self.strip = self._make_strip()
        # A window that was never shown makes its page late; without it nothing takes the data.
        self._window.page_of(LIVE)
        self.strip.show()
        self.strip.raise_()

    def _make_strip(self) -> Strip:
        settings = self._settings.value
        strip = Strip(
            self._theme,
            self._quantities,
            is_pinned=settings.strip_is_on_top,
            place=_point(settings.strip_place),
            beside=self._window.frameGeometry() if self._window.isVisible() else None,
        )
        strip.set_recording(is_recording=self._is_recording)
        strip.window_requested.connect(self.show_window)
        strip.recording_toggled.connect(self.toggle_recording)
        strip.marker_requested.connect(self.mark_requested)
        strip.quit_requested.connect(self.quit)
        strip.pin_changed.connect(self._keep_pin)
        strip.left.connect(self._keep_place)
        strip.closed.connect(self._strip_closed)
        return strip

    @Slot()
    def toggle_recording(self) -> None:
        window = self._window
        (window.stop_requested if self._is_recording else window.record_requested).emit()

    @Slot()
    def quit(self) -> None:
        self._is_quitting = True
        self._qt.quit()

    @Slot(bool)
    def _keep_pin(self, is_pinned: bool) -> None:  # noqa: FBT001  a Qt slot
        self._settings.change(strip_is_on_top=is_pinned)

    @Slot(QPoint)
    def _keep_place(self, place: QPoint) -> None:
        self._settings.change(strip_place=f"{place.x()},{place.y()}")

    @Slot()
    def _strip_closed(self) -> None:
        """The strip was all that showed: closing it is closing the program's window."""
        if not self._window.isVisible() and not self._is_quitting and not self.tray.is_shown:
            self.show_window()
            self._window.close()

    @Slot(str)
    def _answered(self, answer: str) -> None:
        """It holds from now on, unless it was given for the sake of a recording."""
        self.question.hide()
        if not self._is_recording:
            self._settings.change(on_close=answer)
        self._answer = answer
        self._window.close()

    # --- tray --------------------------------------------------------------------------------

    @Slot()
    def _tray_appeared(self) -> None:
        if self._settings.value.shows_tray:
            self.tray.show()

    @Slot()
    def _tray_absent(self) -> None:
        if self._settings.value.shows_tray and self._has_legacy_tray():
            self.tray.show()

    def set_tray_wanted(self, *, is_wanted: bool) -> None:
        """The user's choice."""
        if not is_wanted:
            self.tray.hide()
        elif self._watch is not None:
            self._watch.ask()

    # --- closing -----------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  Qt's name
        """Closing the window: into the background, the end, or the question which of them."""
        if watched is not self._window or event.type() != QEvent.Type.Close:
            return super().eventFilter(watched, event)
        given, self._answer = self._answer, ""
        answer = given or answer_to_closing(
            self._settings.value.on_close,
            is_asked=self.question.isVisible(),
            must_end=self._is_quitting or self._qt.isSavingSession(),
            is_recording=self._is_recording,
        )
        if answer == QUIT:
            return False
        event.ignore()
        if answer == BACKGROUND:
            self._qt.setQuitOnLastWindowClosed(False)
            self._window.hide()
            self.went_to_background.emit()
        else:
            self._ask()
        return True

    def _ask(self) -> None:
        self.question.show_text(
            closing_question(
                is_recording=self._is_recording,
                changed_for=self._changed_for,
                keeps_for_games=self._keeps_for_games,
                starts_with_desktop=self._settings.value.starts_with_desktop,
            )
        )
        self.question.show()
        self.question.buttons[0].setFocus()


def _point(text: str) -> QPoint | None:
    """A place in the form of the settings: "X,Y"."""
    if not text:
        return None
    x, y = map(int, text.split(","))
    return QPoint(x, y)
