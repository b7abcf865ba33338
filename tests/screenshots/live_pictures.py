# SPDX-License-Identifier: GPL-3.0-or-later
"""A window on the live page in one of its states."""

from collections.abc import Iterable

from PySide6.QtWidgets import QApplication

from destutter.analysis.examining.pipeline import Snapshot
from destutter.ui.shell.main_window import MainWindow
from tests.screenshots.states import State
from tests.support.window_kit import make_theme, make_window


def settle(app: QApplication) -> None:
    """Let layouts and queued paintings happen."""
    for _ in range(32):
        app.processEvents()


def open_window(app: QApplication, state: State, theme: str, size: tuple[int, int]) -> MainWindow:
    """A window of this size in this state."""
    window = make_window(make_theme(app, theme), watches_computer=state.watches_computer)
    window.resize(*size)
    window.show()
    settle(app)
    window.live.prepare_graphs()
    return window


def fill(app: QApplication, window: MainWindow, given: Iterable[Snapshot]) -> None:
    """Show snapshots."""
    for snapshot in given:
        window.show_snapshot(snapshot)
    settle(app)
