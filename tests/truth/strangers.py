# SPDX-License-Identifier: GPL-3.0-or-later
"""How much processor time others used during a trial: what they did is in its recording too."""

import os
import resource
import time
from pathlib import Path

_PROC = Path("/proc")
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_KTHREADD = "2"


class Strangers:
    """Counts from its making on. Processes of the trial have to be over before ``share``."""

    def __init__(self) -> None:
        self._start_s = time.monotonic()
        self._before_s = _foreign_s()

    def share(self) -> float:
        """The share of all processors that was used by neither the trial nor the kernel."""
        capacity_s = (time.monotonic() - self._start_s) * (os.cpu_count() or 1)
        return max(_foreign_s() - self._before_s, 0.0) / capacity_s


def _foreign_s() -> float:
    return _used_s() - _own_s() - _kernel_s()


def _used_s() -> float:
    """Time of programs on all processors."""
    first = (_PROC / "stat").read_text().split("\n", 1)[0].split()
    user, nice, system = map(int, first[1:4])
    return (user + nice + system) / _TICKS_PER_S


def _own_s() -> float:
    """Of this process and of those that it started and that are over."""
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(who)
        total += used.ru_utime + used.ru_stime
    return total


def _kernel_s() -> float:
    """Of the kernel's threads, which work for whoever asks."""
    ticks = 0
    for path in _PROC.glob("[0-9]*/stat"):
        try:
            cells = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if cells[1] == _KTHREADD:
            ticks += int(cells[11]) + int(cells[12])
    return ticks / _TICKS_PER_S
