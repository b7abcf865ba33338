# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole window while a game runs, in a process of its own: priority cannot be raised again.

`python -m tests.support.window_behind_game FOLDER`: prints the nice value of the window, of the
children that it began with, and of those that it started anew during the game.
"""

import os
import sys
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from destutter.analysis.examining.pipeline import Snapshot
from destutter.application.opening import open_window
from destutter.application.running_window import RunningWindow
from destutter.application.window_options import WindowOptions
from destutter.bridge.kept_settings import KeptSettings
from destutter.diagnosis.assessor import Assessor
from destutter.settings import Places, Settings


def children(running: RunningWindow) -> list[int]:
    """The processes that measure; waits until both run."""
    assert running._live is not None
    processes = [child._process for child in running._live._children]
    while not all(each.processId() for each in processes):
        QTest.qWait(20)
    return [os.getpriority(os.PRIO_PROCESS, each.processId()) for each in processes]


def main(folder: Path) -> None:
    """Open the window, let a game begin, and start measuring anew."""
    qt = QApplication(sys.argv[:1])
    keeping = KeptSettings(Places(folder / "config", folder / "data"), Settings(on_close="quit"))
    owner = QObject()
    opened = open_window(qt, WindowOptions(), keeping, owner)
    running = RunningWindow(opened, WindowOptions(), keeping)
    running.start()
    first = children(running)
    running._show(Snapshot(Assessor().assess(), facts={"game.name": "Test Flight"}))
    own = os.getpriority(os.PRIO_PROCESS, 0)
    running._measure_again()
    print(own, *first, *children(running))
    running.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
