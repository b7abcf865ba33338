# SPDX-License-Identifier: GPL-3.0-or-later
"""One piece of reading that may take long, done in a thread of its own, again on request."""

import logging
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

log = logging.getLogger("destutter.background")

_WAIT_S = 5.0


class Delivery(QObject):
    """What brings an answer into the window's thread.

    It belongs to no window: work that a drive or a bus holds up may end after its window has.
    """

    done = Signal(object)
    ended = Signal()


def in_background(work: Callable[[], object], delivery: Delivery) -> threading.Thread:
    """Do it in a thread that keeps nobody from closing, and report what it returned.

    An error is a mistake of this program, is logged as one, and reported as the end alone.
    """
    thread = threading.Thread(
        target=_do, args=(work, delivery), name="destutter-background", daemon=True
    )
    thread.start()
    return thread


def _do(work: Callable[[], object], delivery: Delivery) -> None:
    try:
        delivery.done.emit(work())
    except Exception:
        log.exception("work in the background failed")
    finally:
        delivery.ended.emit()


class Background(QObject):
    """``done(object)`` with what ``work`` returned. ``work`` must not touch what is shown."""

    done = Signal(object)

    def __init__(self, work: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._delivery = Delivery()
        self._delivery.done.connect(self.done)
        self._delivery.ended.connect(self._ended)
        self._thread: threading.Thread | None = None
        self._is_wanted = False
        self._is_stopped = False

    @Slot()
    def start(self) -> None:
        """Do the work; once more afterwards if it is under way already."""
        if self._is_stopped:
            return
        self._is_wanted = self._thread is not None
        if self._thread is None:
            self._thread = in_background(self._work, self._delivery)

    def stop(self) -> None:
        """Do nothing any more; waits for the work that is under way, but not for a dead drive."""
        self._is_stopped = True
        if self._thread is not None:
            self._thread.join(_WAIT_S)

    @Slot()
    def _ended(self) -> None:
        self._thread = None
        if self._is_wanted:
            self.start()
