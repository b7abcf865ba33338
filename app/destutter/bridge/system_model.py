# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page about the computer shows, read in the background while somebody looks."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from destutter.bridge.background import Background
from destutter.sampling.hardware import Hardware
from destutter.tuning.drive_health import HealthReport
from destutter.tuning.system_reading import SystemReading

INTERVAL_MS = 2000  # nobody reads faster, and each reading opens all files of the page
_HEALTH_EVERY_S = 60.0  # UDisks2 asks the drives every few minutes by itself


@dataclass(frozen=True, slots=True)
class HardwareReport:
    """What the computer is made of, and the free bytes of its drives by their names."""

    parts: Hardware = Hardware()  # noqa: RUF009  nothing can change it
    free_bytes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SystemState:
    """The files of this computer, and what UDisks2 said last."""

    reading: SystemReading
    health: HealthReport
    hardware: HardwareReport


class SystemModel(QObject):
    """``changed()`` after each reading: at most one in two seconds, none while stopped.

    ``read_files`` gets the threads ("PID/TID") whose policy is wanted. All readers run in a
    thread of their own.
    """

    changed = Signal()

    def __init__(
        self,
        read_files: Callable[[Iterable[str]], SystemReading],
        read_health: Callable[[], HealthReport],
        read_hardware: Callable[[], HardwareReport] = HardwareReport,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.state: SystemState | None = None
        self._read_files = read_files
        self._read_health = read_health
        self._threads: tuple[str, ...] = ()
        self._health = HealthReport()
        self._read_hardware = read_hardware
        self._hardware = HardwareReport()
        self._health_s: float | None = None
        self._work = Background(self._read, self)
        self._work.done.connect(self._accept)
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self._work.start)

    def look_up(self, threads: Iterable[str]) -> None:
        """Read the policy of these threads ("PID/TID") from the next reading on."""
        self._threads = tuple(threads)

    def start(self) -> None:
        """Somebody looks: read now and every two seconds."""
        if not self._timer.isActive():
            self._timer.start()
            self._work.start()

    def rest(self) -> None:
        """Nobody looks."""
        self._timer.stop()

    def stop(self) -> None:
        self._timer.stop()
        self._work.stop()

    def _read(self) -> SystemState:
        now_s = time.monotonic()
        if self._health_s is None or now_s - self._health_s >= _HEALTH_EVERY_S:
            self._health_s = now_s
            self._health = self._read_health()
            self._hardware = self._read_hardware()
        return SystemState(self._read_files(self._threads), self._health, self._hardware)

    @Slot(object)
    def _accept(self, state: SystemState) -> None:
        self.state = state
        self.changed.emit()
