# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures for tests of the window: one with graphs, filled from a scripted stream."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication

from destutter.analysis.examining.pipeline import Snapshot
from destutter.ui.shell.main_window import MainWindow
from tests.support import known_snapshots, live_scenes
from tests.support.window_kit import SEEN, make_theme, make_window

WIDE, NARROW = (1440, 900), (1024, 740)
LATEST = 280
"""So many snapshots of a scene, 70 s with all of its stutters, a window is given: what came before
costs as much again to draw."""


def snapshots_of(scene: str) -> tuple[Snapshot, ...]:
    """The snapshots of a scene of ``live_scenes``, made once."""
    return known_snapshots.snapshots_of(getattr(live_scenes, scene))


MakeWindow = Callable[..., MainWindow]


@pytest.fixture
def make_live(qtbot, qapp: QApplication) -> Iterator[MakeWindow]:
    """Makes windows with a scene in them; closes them, and their timers, at the end."""
    made: list[MainWindow] = []

    def make(
        scene: str | None = "stuttering",
        *,
        theme: str = "dark",
        size: tuple[int, int] = WIDE,
        watches_computer: bool = True,
        is_shown: bool = True,
        latest: int = LATEST,
    ) -> MainWindow:
        window = make_window(make_theme(qapp, theme), watches_computer=watches_computer)
        made.append(window)
        window.resize(*size)
        given = snapshots_of(scene) if scene else ()
        for snapshot in given[-latest:-SEEN]:
            window.show_snapshot(snapshot)
        if is_shown:
            window.show()
            qtbot.waitUntil(lambda: window.is_drawn)
            window.live.prepare_graphs()
        for snapshot in given[-SEEN:]:
            window.show_snapshot(snapshot)
        if is_shown and window.live.card is not None:
            window.live.card.follow()
        settle(qapp)
        return window

    yield make
    for window in made:
        window.close()
        window.deleteLater()
    settle(qapp)


def settle(qapp: QApplication) -> None:
    """Let queued paintings and layouts happen."""
    for _ in range(12):
        qapp.processEvents()
