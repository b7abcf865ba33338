# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program says that it costs itself, beside what psutil sees."""

import os
import subprocess
import sys
import threading

import psutil
import pytest

from destutter.sampling.own_cost import costs_of_this_program

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
    costs = costs_of_this_program()
    assert {os.getpid(), busy_child.pid} <= costs.keys()
    for pid in (os.getpid(), busy_child.pid):
        cpu_us, rss_kib = costs[pid]
        seen = psutil.Process(pid)
        assert abs(rss_kib * 1024 - seen.memory_info().rss) < 4 << 20
        times = seen.cpu_times()
        assert abs(cpu_us / 1e6 - times.user - times.system) < 0.1
    assert costs[busy_child.pid][0] >= 200_000


def test_a_child_that_ended_costs_nothing(busy_child):
    """One that nobody has waited for yet has no memory, and one that is gone is not there."""
    busy_child.kill()
    os.waitid(os.P_PID, busy_child.pid, os.WEXITED | os.WNOWAIT)
    assert costs_of_this_program().get(busy_child.pid, (0, 0))[1] == 0
    busy_child.wait()
    assert busy_child.pid not in costs_of_this_program()
