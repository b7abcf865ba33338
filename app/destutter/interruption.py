# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C and SIGTERM in a program whose event loop is Qt's."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from PySide6.QtCore import QSocketNotifier

_ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_noticed_signals: set[int] = set()


def is_told_to_end() -> bool:
    """Whether one of these signals has come.

    The loop hears of it by an event, which waits for what is under way: on a computer too slow for
    the window that took minutes, of measurements that nobody looks at any more.
    """
    return bool(_noticed_signals)


@contextmanager
def closed_by_signal(stop: Callable[[], None]) -> Iterator[None]:
    """Call ``stop`` on Ctrl-C and SIGTERM, which Qt alone would not notice."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)  # noqa: FBT003  the standard library's signature
    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(stop)
    handlers = {number: signal.signal(number, _noticed) for number in _ENDING_SIGNALS}
    previous = signal.set_wakeup_fd(theirs.fileno())
    try:
        yield
    finally:
        _noticed_signals.clear()
        signal.set_wakeup_fd(previous)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        notifier.setEnabled(False)
        ours.close()
        theirs.close()


def _noticed(number: int, _frame: FrameType | None) -> None:
    """The byte in the wake-up descriptor is what the loop wakes up for."""
    _noticed_signals.add(number)
