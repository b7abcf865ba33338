# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits of the kernel's own threads."""

import pytest

from destutter.sampling.files.measurement import AbsentError
from destutter.sampling.processes.kernel_threads import KernelThreadSampler, cpu_label
from destutter.sampling.processes.process_table import ProcessTable
from tests.support.fake_root import FakeRoot
from tests.support.measuring import SteppedClock, read_once


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("ksoftirqd/3", "ksoftirqd/3"),
        ("kworker/12:1H-kblockd", "kworker/12"),
        ("kworker/u16:3-events", None),
        ("game", None),
    ],
)
def test_threads_are_sorted_by_cpu(name, label):
    """Unbound workers run anywhere and tell nothing about a CPU."""
    assert cpu_label(name) == label


def test_growth_is_summed_over_threads_that_come_and_go(tmp_path):
    """A worker that ends takes nothing away from the sum, a new one adds only its growth."""
    root = FakeRoot(tmp_path)
    table = ProcessTable(root.files, SteppedClock())
    sampler = KernelThreadSampler(root.files, table)
    assert list(sampler.read()) == []
    root.put_process(7, "kworker/0:1-mm")
    root.put("/proc/7/schedstat", "100 50 3\n")
    table.look()
    assert read_once(sampler)["kernel_thread"]["kworker/0"]["run_delay_ns"] == 0
    root.put("/proc/7/schedstat", "150 90 4\n")
    assert read_once(sampler)["kernel_thread"]["kworker/0"] == {"run_ns": 50, "run_delay_ns": 40}
    del table.known[7]
    root.put_process(1, "init")
    table.look()
    table.known.pop(7, None)
    assert read_once(sampler)["kernel_thread"]["kworker/0"]["run_delay_ns"] == 40


def test_where_no_thread_of_the_kernel_is_visible_it_says_so(tmp_path):
    """Inside a container there is no ksoftirqd."""
    root = FakeRoot(tmp_path)
    root.put_process(1, "init")
    table = ProcessTable(root.files, SteppedClock())
    table.look()
    with pytest.raises(AbsentError, match="cannot be seen"):
        KernelThreadSampler(root.files, table).read()
