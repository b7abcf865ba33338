# SPDX-License-Identifier: GPL-3.0-or-later
"""One piece of reading that may take long, done in a thread of its own, again on request."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

_WAIT_MS = 5_000  # work that hangs in a drive or a bus must not keep the window from closing


class _Task(QRunnable):
    def __init__(self, work: Callable[[], object], report: "_Report") -> None:
        super().__init__()
        self._work = work
        self._report = report

    def run(self) -> None:
        """Do the work; the report reaches the window's thread through the event loop."""
        try:
            self._report.done.emit(self._work())
        finally:
            self._report.ended.emit()


class _Report(QObject):
    done = Signal(object)
    ended = Signal()


class Background(QObject):
    """``done(object)`` with what ``work`` returned. ``work`` must not touch what is shown."""

    done = Signal(object)

    def __init__(self, work: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._report = _Report(self)
        self._report.done.connect(self.done)
        self._report.ended.connect(self._ended)
        self._is_running = False
        self._is_wanted = False
        self._is_stopped = False

    @Slot()
    def start(self) -> None:
        """Do the work; once more afterwards if it is under way already."""
        if self._is_stopped:
            return
        self._is_wanted = self._is_running
        if not self._is_running:
            self._is_running = True
            self._pool.start(_Task(self._work, self._report))

    def stop(self) -> None:
        """Do nothing any more; waits for the work that is under way."""
        self._is_stopped = True
        self._pool.waitForDone(_WAIT_MS)

    @Slot()
    def _ended(self) -> None:
        self._is_running = False
        if self._is_wanted:
            self.start()
