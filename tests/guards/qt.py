# SPDX-License-Identifier: GPL-3.0-or-later
"""Remembers the threads and timers that Python code starts in Qt. Imports Qt: only for tests/gui.

Qt keeps no list of them, and an object search would miss those that only C++ holds; so their
start is watched.
"""

import os
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QThread, QTimer
from shiboken6 import isValid

GRACE_S = float(os.environ.get("DESTUTTER_TEST_GRACE_S", "3"))


def _settle() -> None:
    """Let Qt delete what was asked to go, and deliver what is still queued."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QCoreApplication.processEvents()


class StartedObjects:
    """Every QThread and QTimer that was started from Python since `watch`."""

    def __init__(self) -> None:
        self._threads: weakref.WeakSet[QThread] = weakref.WeakSet()
        self._timers: weakref.WeakSet[QTimer] = weakref.WeakSet()
        self._single_shots: dict[int, str] = {}

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Replace the starting methods by ones that also remember, until the test ends."""
        monkeypatch.setattr(QThread, "start", self._remembering(QThread.start, self._threads))
        monkeypatch.setattr(QTimer, "start", self._remembering(QTimer.start, self._timers))
        monkeypatch.setattr(QTimer, "singleShot", staticmethod(self._single_shot()))

    @staticmethod
    def _remembering(
        start: Callable[..., None], seen: weakref.WeakSet[Any]
    ) -> Callable[..., None]:
        def remember(self: QObject, *args: Any) -> None:
            seen.add(self)
            start(self, *args)

        return remember

    def _single_shot(self) -> Callable[..., None]:
        original: Callable[..., None] = QTimer.singleShot
        pending = self._single_shots

        def remember(*args: Any) -> None:
            *before, slot = args
            if not callable(slot):
                original(*args)
                return
            key = id(args)
            while key in pending:
                key += 1
            pending[key] = f"single shot of {args[0]} ms to {slot!r}"

            def fire() -> None:
                pending.pop(key, None)
                slot()

            if len(before) > 1 and isinstance(before[-1], QObject):
                before[-1].destroyed.connect(lambda: pending.pop(key, None))
            original(*before, fire)

        return remember

    def still_active(self) -> list[str]:
        """Return a line for each one that is still active after a moment of grace."""
        _settle()
        give_up = time.monotonic() + GRACE_S
        while (lines := self._active()) and time.monotonic() < give_up:
            if not self._could_end_by_itself():
                break
            time.sleep(0.01)
            _settle()
        return lines

    def _could_end_by_itself(self) -> bool:
        return bool(self._single_shots) or any(
            isValid(thread) and thread.isRunning() for thread in self._threads
        )

    def _active(self) -> list[str]:
        threads = [t for t in self._threads if isValid(t) and t.isRunning()]
        timers = [t for t in self._timers if isValid(t) and t.isActive()]
        return [
            *(f"QThread still running: {thread!r}" for thread in threads),
            *(f"QTimer still active: {timer!r}, every {timer.interval()} ms" for timer in timers),
            *(f"QTimer still pending: {line}" for line in self._single_shots.values()),
        ]

    def stop_all(self) -> None:
        """Stop what is left, for the sake of the next tests."""
        for timer in list(self._timers):
            if isValid(timer):
                timer.stop()
        for thread in list(self._threads):
            if isValid(thread) and thread.isRunning():
                thread.requestInterruption()
                thread.quit()
                thread.wait(2000)
