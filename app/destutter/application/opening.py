# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens the window: its frame first, and then everything that fills it.

What a window needs besides its frame takes Python several times as long to load as the frame
itself; nobody should look at nothing meanwhile.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtDBus import QDBusConnection
from PySide6.QtWidgets import QApplication

from destutter.application.opened_window import OpenedWindow
from destutter.application.second_start import hand_over
from destutter.application.window_options import WindowOptions, refusal, refuse_xwayland
from destutter.autostart import HIDDEN
from destutter.bridge.kept_settings import KeptSettings
from destutter.core.sandbox import is_sandboxed
from destutter.core.statement import Statement, StatementError
from destutter.interruption import closed_by_signal
from destutter.resource_folder import resource_folder
from destutter.settings import environment_places, load_settings, put_damaged_aside
from destutter.ui.look.desktop_scheme import DesktopScheme
from destutter.ui.look.icons import Icons
from destutter.ui.look.theme import Theme
from destutter.ui.pages.pages import GUIDE
from destutter.ui.shell.main_window import USUAL_REFRESH_HZ, MainWindow
from destutter.ui.shell.window_place import WindowPlace
from destutter.ui.words.translations import install_translations
from destutter.words.language import language_of
from destutter.words.renderer import renderer

if TYPE_CHECKING:
    from collections.abc import Callable

    from destutter.application.running_window import RunningWindow
    from destutter.sampling.own_cost import ProgramCosts
    from destutter.session.replay import ReplaySource

APPLICATION_ID = "io.github.destutter.Destutter"
_UNSEEN_MS = 500
"""A window that nobody sees (minimised, on another workspace) is never painted."""


def run_window(options: WindowOptions, say: Callable[[Statement], None]) -> int:
    """Open the window and stay until it closes. Returns the exit status.

    ``say`` tells what an open window does. Raises ``StatementError`` when none can open.
    """
    if options.is_plain:  # an open window is reached from a terminal without a display, too
        told = hand_over(os.environ, options.action)
        if told is not None:
            say(told)
            return 0
    reason = refusal(os.environ, PySide6.__version__, sys.version_info[:2])
    if options.is_on_xwayland and not reason:
        reason = refuse_xwayland(os.environ)
    if reason is not None:
        raise StatementError(reason)
    replay = None
    if options.replay is not None:
        from destutter.session.replay import ReplaySource

        replay = ReplaySource(options.replay)
    if options.is_on_xwayland:
        os.environ["QT_QPA_PLATFORM"] = "xcb"
    return _run(options, replay)


def _run(options: WindowOptions, replay: ReplaySource | None) -> int:
    qt = QApplication(sys.argv[:1])
    qt.setApplicationName("Destutter")
    qt.setDesktopFileName(APPLICATION_ID)
    places = environment_places()
    problem = put_damaged_aside(places.settings_file)
    settings = load_settings(places.settings_file)
    kept = install_translations(qt, resource_folder() / "translations", settings.language)
    opening = Opening(qt, options, KeptSettings(places, settings, problem=problem), replay)
    opening.start()
    with closed_by_signal(opening.end):
        status = qt.exec()
    opening.close()
    # It has lived until here: Qt does not own translators, and texts would fall back to English.
    del kept
    return status


@cache
def _costs() -> ProgramCosts:
    # The codec of samples and the reading of /proc: 6 ms that no first picture waits for.
    from destutter.sampling.own_cost import ProgramCosts

    return ProgramCosts()


def _program_costs() -> dict[int, tuple[int, int]]:
    return _costs()()


def open_window(
    qt: QApplication, options: WindowOptions, keeping: KeptSettings, owner: QObject
) -> OpenedWindow:
    """The frame of the window, not shown yet; its theme lives as long as ``owner``."""
    settings = keeping.value
    desktop = DesktopScheme(qt.styleHints(), QDBusConnection.sessionBus(), owner)
    theme = Theme(qt, desktop, Icons(resource_folder() / "icons"), settings.theme, owner)
    window = MainWindow(
        theme,
        _program_costs,
        watches_computer=options.watches_computer(settings, is_hidden=is_sandboxed()),
        refresh_hz=qt.primaryScreen().refreshRate() or USUAL_REFRESH_HZ,
    )
    window.expect_pages()
    return OpenedWindow(qt, desktop, theme, window)


def opens_with_guide(options: WindowOptions, keeping: KeptSettings) -> bool:
    """Whether this is the very first start, and nothing else was asked for.

    Settings that were damaged are those of somebody who has been here.
    """
    is_plain = options.is_plain and not options.action
    return is_plain and keeping.problem is None and keeping.places.are_new


class Opening(QObject):
    """The frame, and the rest once the frame has been painted, or when nobody looks at it."""

    def __init__(
        self,
        qt: QApplication,
        options: WindowOptions,
        keeping: KeptSettings,
        replay: ReplaySource | None = None,
    ) -> None:
        super().__init__()
        self._options = options
        self._settings = keeping
        self._replay = replay
        self._opened = open_window(qt, options, keeping, self)
        place = WindowPlace(self._opened.window, keeping.value.window_place)
        place.left.connect(self._keep_place)
        if opens_with_guide(options, keeping):
            self._opened.window.show_page(GUIDE)
        self._running: RunningWindow | None = None

    @Slot(str)
    def _keep_place(self, place: str) -> None:
        self._settings.change(window_place=place)

    def start(self) -> None:
        """Show the frame; only the strip, and a start with the desktop, do without."""
        if self._options.action in ("strip", HIDDEN):
            # From the event loop, which alone can be ended when something is missing.
            QTimer.singleShot(0, self, self._fill)
            return
        self._opened.window.painted.connect(self._fill)
        self._opened.window.show()
        QTimer.singleShot(_UNSEEN_MS, self, self._fill)

    @Slot()
    def _fill(self) -> None:
        if self._running is not None:
            return
        try:
            from destutter.application.running_window import RunningWindow
        except ImportError as error:
            told = Statement("command.no_qt", {"reason": str(error)})
            words = renderer(language_of(os.environ))
            print(f"destutter: {words.text(told)}", file=sys.stderr)
            self._opened.qt.exit(1)
            return
        self._running = RunningWindow(self._opened, self._options, self._settings, self._replay)
        self._running.start()

    def end(self) -> None:
        """Whoever ends a program by a signal is asked nothing: only the close button is."""
        if self._running is not None:
            self._running.end()
        else:
            self._opened.qt.quit()

    def close(self) -> None:
        """The window closes, full or still empty."""
        if self._running is not None:
            self._running.close()
