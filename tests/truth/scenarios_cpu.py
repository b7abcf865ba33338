# SPDX-License-Identifier: GPL-3.0-or-later
"""Troubles with processors."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from tests.truth.machine import CannotBeMadeError, Stage
from tests.truth.scenario import Play, Prepare, Scenario

_LAST = max(os.sched_getaffinity(0))
PINNED = ("taskset", "-c", str(_LAST))


@contextlib.contextmanager
def overload(place: Stage) -> Iterator[Play]:
    """Twelve busy threads for each processor, at the victim's own priority."""
    threads = 12 * len(os.sched_getaffinity(0))
    yield Play(burst=lambda: place.stall("spin", threads), prefix=())


@contextlib.contextmanager
def real_time_hog(place: Stage) -> Iterator[Play]:
    """A program under SCHED_FIFO computes on the victim's processor."""
    if subprocess.run(["chrt", "-f", "1", "true"], check=False, capture_output=True).returncode:
        raise CannotBeMadeError("this group may not run anything under SCHED_FIFO")
    yield Play(burst=lambda: place.stall("fifo", 50, prefix=PINNED), prefix=PINNED)


@contextlib.contextmanager
def packet_flood(place: Stage) -> Iterator[Play]:
    """Small datagrams over loopback on the victim's processor, as fast as it can."""
    yield Play(burst=lambda: place.stall("packets", 47_311, prefix=PINNED), prefix=PINNED)


def _absent(path: str, what: str) -> Prepare:
    def prepare(_place: Stage) -> AbstractContextManager[Play]:
        state = "is there, but is not played yet" if Path(path).exists() else "is absent"
        raise CannotBeMadeError(f"{what}: {path} {state}")

    return prepare


CPU = (
    Scenario("run_queue_overload", overload, frozenset({"run_queue_delay"})),
    Scenario(
        "real_time_hog",
        real_time_hog,
        frozenset({"rt_runaway"}),
        also=frozenset({"run_queue_delay", "softirq_starvation", "kworker_starvation"}),
    ),
    Scenario(
        "packet_flood",
        packet_flood,
        frozenset({"irq_storm", "softirq_starvation"}),
        also=frozenset({"run_queue_delay"}),
    ),
    Scenario(
        "deep_sleep",
        _absent("/sys/devices/system/cpu/cpu0/cpuidle/state1", "sleep states"),
        frozenset({"deep_c_state"}),
    ),
    Scenario(
        "low_clock",
        _absent("/sys/devices/system/cpu/cpufreq/policy0", "control of the clock"),
        frozenset({"frequency_ramp"}),
    ),
)
