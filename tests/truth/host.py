# SPDX-License-Identifier: GPL-3.0-or-later
"""What the host of a virtual machine took from its processors: a cause that nobody here made."""

import os
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

_STAT = Path("/proc/stat")
_MS_PER_TICK = 1000.0 / os.sysconf("SC_CLK_TCK")
_STEAL = 8  # the column of a line of /proc/stat, its name being the first (proc_stat(5))
_EVERY_S = 0.1


class Losses:
    """Time that was taken, from readings of ``/proc/stat`` that follow each other.

    ``at_once_ms`` is the most that a single processor lost between two of them, ``total_ms`` what
    all lost together, ``processors`` how many there are.
    """

    def __init__(self) -> None:
        self.at_once_ms = 0.0
        self.total_ms = 0.0
        self._before: dict[str, int] = {}

    @property
    def processors(self) -> int:
        """How many the last reading had."""
        return len(self._before)

    def accept(self, stat: str) -> None:
        """Take in the next reading."""
        now = {}
        for line in stat.splitlines():
            cells = line.split()
            if line.startswith("cpu") and cells[0] != "cpu":
                now[cells[0]] = int(cells[_STEAL])
        for name, ticks in now.items():
            lost_ms = (ticks - self._before.get(name, ticks)) * _MS_PER_TICK
            self.at_once_ms = max(self.at_once_ms, lost_ms)
            self.total_ms += max(lost_ms, 0.0)
        self._before = now


class Host:
    """Watches the losses ten times a second, from entering it to leaving it.

    A reading that comes late may add up what was lost in pieces. So it is a thread before all
    others; where that is not allowed, one like any other.
    """

    def __init__(self) -> None:
        self._losses = Losses()
        self._is_over = threading.Event()
        # Ctrl-C may come between its start and the first line of the "with": nobody ends it then,
        # and Python waits for it for ever at its own end.
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._length_s = 0.0

    @property
    def at_once_ms(self) -> float:
        """The most that one processor lost within a tenth of a second."""
        return self._losses.at_once_ms

    @property
    def share(self) -> float:
        """The share of all processors' time that was lost."""
        capacity_ms = 1e3 * self._length_s * self._losses.processors
        return self._losses.total_ms / capacity_ms if capacity_ms else 0.0

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: object, _where: TracebackType | None
    ) -> None:
        """End with a last reading."""
        self._is_over.set()
        self._thread.join()

    def _watch(self) -> None:
        if os.geteuid() == 0:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), -20)
        start_s = time.monotonic()
        while True:
            is_over = self._is_over.is_set()
            self._losses.accept(_STAT.read_text())
            if is_over:
                break
            self._is_over.wait(_EVERY_S)
        self._length_s = time.monotonic() - start_s
