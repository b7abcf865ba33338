# SPDX-License-Identifier: GPL-3.0-or-later
"""What the host of a virtual machine took, from the kernel's counters."""

import os
import subprocess
import sys
from pathlib import Path

from tests.truth.host import Host, Losses

_ROOT = Path(__file__).parents[3]


def _stat(*steals):
    lines = [f"cpu{number} 9 9 9 9 9 9 9 {steal} 0 0" for number, steal in enumerate(steals)]
    return "\n".join([f"cpu  9 9 9 9 9 9 9 {sum(steals)} 0 0", *lines, "intr 5 6", "ctxt 1"])


def test_the_most_is_that_of_one_processor_between_two_readings():
    """Two that lose 30 ms each keep nobody for 60; and 30 ms twice are not 60 at once."""
    losses = Losses()
    for steals in ((100, 200), (103, 203), (106, 203)):
        losses.accept(_stat(*steals))
    assert losses.at_once_ms == 30.0
    assert losses.total_ms == 90.0
    assert losses.processors == 2


def test_what_was_taken_before_is_not_counted():
    """Neither since the start of the computer nor on a processor that was just switched on."""
    losses = Losses()
    losses.accept(_stat(5000))
    losses.accept(_stat(5000, 7000))
    assert losses.at_once_ms == 0.0


def test_a_real_computer_is_watched_to_the_end(monkeypatch):
    """Two readings at least, whatever the host does meanwhile, of all processors there are."""
    readings: list[str] = []
    accept = Losses.accept

    def accepted(losses, stat):
        readings.append(stat)
        accept(losses, stat)

    monkeypatch.setattr(Losses, "accept", accepted)
    with Host() as host:
        pass
    assert len(readings) >= 2
    monkeypatch.undo()
    expected = Losses()
    for each in readings:
        expected.accept(each)
    assert host.at_once_ms == expected.at_once_ms
    assert expected.processors == os.cpu_count()
    assert 0.0 <= host.share <= 1.0


def test_a_watch_that_nobody_ends_does_not_keep_the_program():
    """As when Ctrl-C comes just after it began."""
    program = "from tests.truth.host import Host\nHost().__enter__()"
    subprocess.run([sys.executable, "-c", program], cwd=_ROOT, check=True, timeout=30)
