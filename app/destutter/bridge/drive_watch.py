# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks from time to time whether a drive says that it is failing, whatever page is shown."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from destutter.bridge.background import Background
from destutter.tuning.drive_health import Health, HealthReport

_EVERY_MS = 600_000  # as often as UDisks2 asks the drives itself


class DriveWatch(QObject):
    """``changed()`` when ``failing`` has become another: drives by the kernel's name.

    ``read_health`` runs in a thread of its own.
    """

    changed = Signal()

    def __init__(
        self, read_health: Callable[[], HealthReport], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.failing: Mapping[str, Health] = {}
        self._work = Background(read_health, self)
        self._work.done.connect(self._accept)
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self._work.start)

    def start(self) -> None:
        """Look now, and every ten minutes."""
        self._timer.start()
        self._work.start()

    def stop(self) -> None:
        self._timer.stop()
        self._work.stop()

    @Slot(object)
    def _accept(self, report: HealthReport) -> None:
        failing = {name: each for name, each in report.drives.items() if each.endangers_data}
        # No answer this time takes nothing back.
        if report.missing is None and failing != self.failing:
            self.failing = failing
            self.changed.emit()
