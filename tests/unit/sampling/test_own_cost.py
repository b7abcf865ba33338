# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program says that it costs itself, beside what psutil sees."""

import os
import subprocess
import sys
import threading

import psutil
import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.own_cost import ProgramCosts

_BUSY = """
import time
while time.process_time() < 0.2:
    pass
print("worked", flush=True)
input()
"""


@pytest.fixture
def busy_child():
    """A process that another thread has started, has worked for 200 ms, and waits."""
    started = []

    def start():
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", _BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        )

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    with started[0] as child:
        assert child.stdout is not None
        child.stdout.readline()
        yield child
        child.kill()


def test_children_count(busy_child):
    """The sampler and the probes are children, whichever thread has started them."""
    costs = ProgramCosts()()
    assert {os.getpid(), busy_child.pid} <= costs.keys()
    for pid in (os.getpid(), busy_child.pid):
        cpu_us, kib = costs[pid]
        seen = psutil.Process(pid)
        memory = seen.memory_full_info()
        assert abs(kib * 1024 - memory.pss) < 4 << 20
        assert kib * 1024 < memory.rss
        times = seen.cpu_times()
        assert abs(cpu_us / 1e6 - times.user - times.system) < 0.1
    assert costs[busy_child.pid][0] >= 200_000


def test_a_child_that_ended_costs_nothing(busy_child):
    """One that nobody has waited for yet has no memory, and one that is gone is not there."""
    busy_child.kill()
    os.waitid(os.P_PID, busy_child.pid, os.WEXITED | os.WNOWAIT)
    costs = ProgramCosts()
    assert costs().get(busy_child.pid, (0, 0))[1] == 0
    busy_child.wait()
    assert busy_child.pid not in costs()


def test_memory_is_asked_every_ten_seconds_and_of_a_new_process_at_once(busy_child):
    """The kernel walks all pages of a process for the answer."""
    now = [0]
    costs = ProgramCosts(lambda: now[0])
    own = os.getpid()
    before = costs()[own][1]
    filled = b"x" * (64 << 20)
    now[0] = 9_000_000_000
    assert costs()[own][1] == before
    now[0] = 10_000_000_000
    assert costs()[own][1] > before + (32 << 10)
    del filled
    with subprocess.Popen(["sleep", "60"]) as late:
        assert costs()[late.pid][1] > 0
        late.kill()


def test_without_the_walk_of_pages_it_is_the_resident_set(monkeypatch, busy_child):
    """A kernel may be built without CONFIG_PROC_PAGE_MONITOR."""
    read = KernelFiles.read_bytes
    monkeypatch.setattr(
        KernelFiles,
        "read_bytes",
        lambda self, path: None if path.endswith("smaps_rollup") else read(self, path),
    )
    kib = ProgramCosts()()[busy_child.pid][1]
    assert abs(kib * 1024 - psutil.Process(busy_child.pid).memory_info().rss) < 1 << 20
