# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything around the pages: tray, strip, notifications, a second start, full-screen games."""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, QTimer, QUrl, Signal, Slot
from PySide6.QtDBus import QDBusConnection
from PySide6.QtWidgets import QApplication

from destutter.analysis.examining.pipeline import Snapshot
from destutter.application.presence import Presence
from destutter.application.start_with_desktop import StartWithDesktop
from destutter.autostart import HIDDEN, Autostart
from destutter.bridge.background import Background
from destutter.bridge.drive_watch import DriveWatch
from destutter.bridge.game_cover import Played
from destutter.bridge.global_keys import MARK, RECORD, GlobalKeys
from destutter.bridge.kept_settings import KeptSettings
from destutter.bridge.kernel_trace import KernelTrace
from destutter.bridge.notifications import Note, Notifications, NotificationServer
from destutter.bridge.portals import BackgroundPortal, NotificationPortal
from destutter.bridge.single_instance import SingleInstance
from destutter.bridge.system_model import HardwareReport, SystemModel
from destutter.bridge.tuning_model import TuningModel
from destutter.core.bus_caller import SYSTEM_BUS, BusCaller
from destutter.core.kernel_files import KernelFiles
from destutter.core.running_instance import session_address
from destutter.core.sandbox import is_sandboxed
from destutter.sampling.capturing.folder_drive import free_space
from destutter.sampling.hardware import read_hardware
from destutter.settings import Settings
from destutter.tuning.drive_health import read_health
from destutter.tuning.system_reading import read_system
from destutter.ui.controls.banner import Urgency
from destutter.ui.look.theme import Theme
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.pages.page import Page
from destutter.ui.pages.pages import SYSTEM
from destutter.ui.settings.keys_row import key_words
from destutter.ui.shell.desktop_notes import drift_note, recording_note, trial_note
from destutter.ui.shell.failing_drives import FailingDrives
from destutter.ui.shell.game_screen import GameScreen
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.shell.played import CAUSES, played_summary
from destutter.ui.system.system_page import SystemPage
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import Words

log = logging.getLogger("destutter.application")

_SETTLED_MS = 3000  # reading all values takes up to a second on a busy computer


@dataclass(frozen=True, slots=True)
class WindowParts:
    """What is there already when the surroundings are made."""

    qt: QApplication
    window: MainWindow
    theme: Theme
    settings: KeptSettings
    tuning: TuningModel
    files: KernelFiles
    keys: GlobalKeys
    trace: KernelTrace | None


def _read_hardware(files: KernelFiles) -> HardwareReport:
    names = (os.environ.get(each, "") for each in ("XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE"))
    desktop = " · ".join(filter(None, names))
    return HardwareReport(read_hardware(files, desktop), free_space(files))


class DesktopIntegration(QObject):
    """``file_opened(str)`` with the path of a recording; ``seen_changed()`` when it may have
    become, or ceased to be, worth painting. ``mark`` puts a text into the stream and says what
    became of it.
    """

    file_opened = Signal(str)
    seen_changed = Signal()

    def __init__(
        self, inside: WindowParts, mark: Callable[[str], str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        window, theme, settings = inside.window, inside.theme, inside.settings
        self._window = window
        self._settings = settings
        self._tuning = inside.tuning
        self._trace = inside.trace
        self._mark = mark
        self._keys = inside.keys
        self._drifted: frozenset[str] | None = None
        # The helper tells its new state before the values are read again: what it had just set
        # itself for a game was "changed by something else".
        self._settled = QTimer(self, interval=_SETTLED_MS, singleShot=True)
        self._settled.timeout.connect(self._tell_drift)
        self._waits_to_record = False
        self._bus = QDBusConnection.sessionBus()
        self.screen = GameScreen(window, os.environ.get("DISPLAY", ""), self)
        self.presence = Presence(inside.qt, window, theme, settings, self.screen.has_tray, self)
        self.instance = SingleInstance(self._bus, mark, self)
        self._is_sandboxed = is_sandboxed()
        caller = BusCaller(session_address(os.environ))
        server = NotificationPortal(caller) if self._is_sandboxed else NotificationServer(caller)
        wanted = settings.value.notifies
        self.notifications = Notifications(server, is_wanted=wanted, parent=self)
        self._system_bus = BusCaller(os.environ.get("DBUS_SYSTEM_BUS_ADDRESS", SYSTEM_BUS))
        self.system = SystemModel(
            partial(read_system, inside.files),
            partial(read_health, self._system_bus, is_sandboxed=self._is_sandboxed),
            partial(_read_hardware, inside.files),
            self,
        )
        # A connection of its own: two threads that read on one would take each other's answers.
        caller = BusCaller(os.environ.get("DBUS_SYSTEM_BUS_ADDRESS", SYSTEM_BUS))
        read = partial(read_health, caller, is_sandboxed=self._is_sandboxed)
        self._drives = DriveWatch(read, self)
        self._failing = FailingDrives(window, self._drives, self)
        self._watches_drives = inside.files.is_live
        self._background = Background(self._ask_for_background, self)
        entry = None if self._is_sandboxed else Autostart.of_this_program(os.environ)
        self._at_log_in = StartWithDesktop(settings, entry, self._background.start, self)
        self.summary = window.banner_area.banner(Urgency.STUTTER)
        window.offer(SYSTEM, self._make_system)
        self._connect()

    def _connect(self) -> None:
        self.instance.activated.connect(self.presence.show_window)
        if self._is_sandboxed:
            self.presence.went_to_background.connect(self._background.start)
        self.instance.opened.connect(self._open)
        self.instance.action_requested.connect(self.run_action)
        self.presence.mark_requested.connect(self._window.marker_requested)
        self.presence.undo_requested.connect(self._tuning.undo_all)
        self._tuning.changed.connect(self._tuning_changed)
        self._tuning.games.changed.connect(self._tuning_changed)
        self._tuning.outcome_changed.connect(self._outcome_changed)
        self._settings.changed.connect(self._settings_changed)
        self._keys.pressed.connect(self._key_pressed)
        self.screen.cover.covered.connect(self._covered)
        self.screen.cover.uncovered.connect(self._uncovered)
        self.summary.action_clicked.connect(self._summary_clicked)

    def _ask_for_background(self) -> None:
        """Outside the window's thread. One question has both answers: without the second the
        desktop would take the entry of the next log-in back."""
        BackgroundPortal(BusCaller(session_address(os.environ))).ask(
            QCoreApplication.translate("Closing", "It keeps measuring while you play."),
            starts_with_desktop=self._settings.value.starts_with_desktop,
        )

    def start(self, action: str = "") -> None:
        """Look for a tray, ask for keys, and run what the start asked for."""
        self._at_log_in.start()
        self.presence.start(self._bus)
        if self._watches_drives:
            self._drives.start()
        self._want_keys()
        # Before the first measurement there is nothing to record.
        self._waits_to_record = action == "record"
        if action and not self._waits_to_record:
            self.run_action(action)

    def stop(self) -> None:
        """Leave the bus and read no more."""
        self.instance.leave()
        self._keys.stop()
        self.screen.stop()
        self.system.stop()
        self._drives.stop()
        self._system_bus.close()
        self.notifications.stop()
        self._background.stop()
        self.presence.tray.hide()

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        self.screen.accept_snapshot(snapshot)
        strip = self.presence.strip
        if strip is not None:
            strip.set_covered(is_covered=self.screen.covers(strip))
        self.presence.accept_snapshot(snapshot)
        if self._waits_to_record:
            self._waits_to_record = False
            self._window.record_requested.emit()

    @property
    def is_seen(self) -> bool:
        """Whether somebody can see the window. The strip is drawn once a second anyway."""
        return self.presence.is_window_seen and not self.screen.cover.is_covered

    def show_recording(self, state: RecordingState, path: str = "") -> None:
        """A recording has begun or ended; its end is told where nobody looks at the window."""
        self.presence.show_recording(state)
        if path:
            self._tell(recording_note(state))

    @Slot(str)
    def run_action(self, name: str) -> None:
        """An action of the desktop entry, of a second start or of the command line."""
        actions: dict[str, Callable[[], object]] = {
            "record": self._window.record_requested.emit,
            "stop": self._window.stop_requested.emit,
            "mark": lambda: self._mark("mark"),
            "strip": self.presence.show_strip,
            HIDDEN: self.presence.go_on_unseen,
            "quit": self.presence.quit,
        }
        action = actions.get(name)
        if action is None:
            log.info("unknown action: %s", name[:40])
        else:
            action()

    @Slot(list)
    def _open(self, uris: list[str]) -> None:
        for uri in uris[:1]:
            url = QUrl(uri)
            self.file_opened.emit(url.toLocalFile() if url.isLocalFile() else uri)

    def _make_system(self, theme: Theme, quantities: Quantities) -> Page:
        model, states = self.system, self._tuning.power_states
        page = SystemPage(theme, quantities, model, states, self._trace)
        page.inside.helper_requested.connect(self._window.explain_helper)
        return page

    def _want_keys(self) -> None:
        if self._settings.value.has_global_keys:
            self._keys.bind(key_words())
        else:
            self._keys.stop()

    @Slot(str)
    def _key_pressed(self, key: str) -> None:
        if key == MARK:
            self._mark("mark")
        elif key == RECORD:
            self.presence.toggle_recording()

    # --- notifications -----------------------------------------------------------------------

    @Slot()
    def _tuning_changed(self) -> None:
        changes = self._tuning.journal_changes
        self.presence.tray.set_undoable(is_undoable=bool(changes))
        keeps = bool(self._tuning.games.sets)
        self.presence.show_trial(self._tuning.trial, keeps_for_games=keeps)
        if self._drifted is None:
            self._tell_drift()
        else:
            self._settled.start()

    @Slot()
    def _tell_drift(self) -> None:
        changes = self._tuning.journal_changes
        drifted = frozenset(each.key for each in changes if each.is_drifted)
        self._tell(drift_note(self._drifted, drifted))
        self._drifted = drifted

    @Slot()
    def _outcome_changed(self) -> None:
        self._tell(trial_note(self._tuning.outcome))

    def _tell(self, note: Note | None) -> None:
        if note is not None and not self._window.isActiveWindow():
            self.notifications.offer(note)

    # --- full-screen games -------------------------------------------------------------------

    @Slot()
    def _covered(self) -> None:
        self._window.setUpdatesEnabled(False)
        self.seen_changed.emit()

    @Slot(object)
    def _uncovered(self, played: Played) -> None:
        self._window.setUpdatesEnabled(True)
        self.seen_changed.emit()
        quantities = self._window.quantities
        text = played_summary(played, Words(quantities), quantities)
        if text is not None:
            self.summary.show_text(text)
            self.summary.show()

    @Slot(str)
    def _summary_clicked(self, action: str) -> None:
        self.summary.hide()
        if action == CAUSES:
            self._window.show_cause()

    # --- settings ----------------------------------------------------------------------------

    @Slot(object, object)
    def _settings_changed(self, before: Settings, now: Settings) -> None:
        self.notifications.is_wanted = now.notifies
        if before.has_global_keys != now.has_global_keys:
            self._want_keys()
        if before.shows_tray != now.shows_tray:
            self.presence.set_tray_wanted(is_wanted=now.shows_tray)
