# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts child processes at the priority that the window had before it stepped behind a game."""

from PySide6.QtCore import QObject, QProcess, Qt, QThread, Signal, Slot


class Launcher(QObject):
    """A thread that does nothing but start processes.

    A nice value belongs to a thread, a child takes over that of the thread which starts it
    (sched(7)), and an ordinary user can only make it worse. So this thread is made before the
    window's own one steps back, and keeps what both had.
    """

    _wanted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = QThread(self)
        self._starter = _Starter(self.thread())
        self._starter.moveToThread(self._thread)
        # Waits until the process is started and belongs to this thread again: whoever called gives
        # it a parent in the next line (bridge/feed.py).
        self._wanted.connect(self._starter.start, Qt.ConnectionType.BlockingQueuedConnection)
        self._thread.start()

    def start(self, process: QProcess) -> None:
        """Start a process that has no parent; afterwards it belongs to this thread again."""
        process.moveToThread(self._thread)
        self._wanted.emit(process)

    def stop(self) -> None:
        """End the thread; the processes go on."""
        self._thread.quit()
        self._thread.wait()


class _Starter(QObject):
    """Lives in the thread of a launcher. ``home`` is the thread that uses the processes."""

    def __init__(self, home: QThread) -> None:
        super().__init__()
        self._home = home

    @Slot(object)
    def start(self, process: QProcess) -> None:
        """Start it, and hand it back."""
        process.start()
        process.moveToThread(self._home)
