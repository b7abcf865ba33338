# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window asks of whoever has built it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget


class WindowRequests(QWidget):
    """A window that measures, records and keeps nothing itself, and asks for it.

    Signals: ``record_requested()``, ``stop_requested()``, ``marker_requested()``,
    ``pause_changed(bool)``, ``game_chosen(int)`` with a process id,
    ``watch_computer_requested()``, ``restart_requested()`` after measuring has failed,
    ``live_requested()`` from a recording back to now, ``theme_chosen(str)`` for the settings
    file, ``strip_requested()``, ``quit_requested()``.
    """

    record_requested = Signal()
    stop_requested = Signal()
    marker_requested = Signal()
    pause_changed = Signal(bool)
    game_chosen = Signal(int)
    watch_computer_requested = Signal()
    restart_requested = Signal()
    live_requested = Signal()
    theme_chosen = Signal(str)
    strip_requested = Signal()
    quit_requested = Signal()
