# SPDX-License-Identifier: GPL-3.0-or-later
"""The samplers on the running kernel, beside psutil, vmstat and the kernel's own text.

Counters move between two looks, so ours is put between theirs before and after.
"""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.core.metric_table import METRICS
from destutter.core.metrics import Deriver
from destutter.core.sample import Layout, Sample
from destutter.sampling.computer.disks import DiskSampler
from destutter.sampling.computer.interrupts import InterruptSampler, SoftirqSampler, SoftnetSampler
from destutter.sampling.computer.pressure import RESOURCES, PressureSampler, PressureTotals
from destutter.sampling.computer.procfs import (
    CpuSampler,
    MeminfoSampler,
    StatSampler,
    VmstatSampler,
)
from destutter.sampling.computer.swap import SwapSampler
from destutter.sampling.computer.zones import ZoneSampler
from destutter.sampling.game.game import GameSampler
from destutter.sampling.game.game_status import GameStatusSampler
from destutter.sampling.game.threads import ThreadSampler
from destutter.sampling.game.watched_process import WatchedProcess
from destutter.sampling.live import LiveSource
from destutter.sampling.machine import clock_ticks, describe_machine, page_bytes
from destutter.sampling.processes.process_table import ProcessTable
from destutter.sampling.processes.processes import ProcessSampler
from destutter.sampling.programs import LiveOptions
from tests.support.bus_kit import eventually
from tests.support.measuring import read_once

FILES = KernelFiles()
TICKS = clock_ticks(FILES)


def once(sampler):
    """One reading of a sampler that is closed afterwards."""
    try:
        return read_once(sampler)
    finally:
        sampler.close()


def is_between(before, value, after):
    """Whether a counter that only grows was read between two others."""
    return before <= value <= after


def named_lines(path):
    """A file of "name value" lines as the simplest code reads it."""
    lines = (line.split() for line in Path(path).read_text().splitlines())
    return {tokens[0].rstrip(":"): int(tokens[1]) for tokens in lines}


COUNTERS = ("pgfault", "pgpgin", "pgpgout", "nr_dirtied", "nr_written", "pgalloc_normal")


def test_vmstat_is_that_of_the_kernel():
    """Every name that the kernel has is there, and counters lie between two plain readings."""
    before = named_lines("/proc/vmstat")
    ours = {
        **once(VmstatSampler(FILES))["vmstat"][""],
        **once(VmstatSampler(FILES, "vmstat_more"))["vmstat_more"][""],
    }
    after = named_lines("/proc/vmstat")
    assert {name for name, value in ours.items() if value is not None} == before.keys() & ours
    for name in COUNTERS:
        assert is_between(before[name], ours[name], after[name]), name


def test_meminfo_is_that_of_psutil():
    """Sizes that do not move are those of psutil."""
    ours = once(MeminfoSampler(FILES))["meminfo"][""]
    memory, swap = psutil.virtual_memory(), psutil.swap_memory()
    assert ours["MemTotal"] * 1024 == memory.total
    assert ours["SwapTotal"] * 1024 == swap.total
    assert abs(ours["MemAvailable"] * 1024 - memory.available) < memory.total / 20


def test_cpu_times_are_those_of_psutil():
    """Times of all CPUs and of each lie between two readings of psutil."""
    before, each_before, stats_before = cpu_of_psutil()
    ours = once(StatSampler(FILES))["stat"][""]
    each = once(CpuSampler(FILES))["cpu"]
    after, each_after, stats_after = cpu_of_psutil()
    for name in ("user", "system", "idle", "steal"):
        low, high = getattr(before, name), getattr(after, name)
        assert is_between(low - 0.02, ours[name] / TICKS, high + 0.02), name
    assert is_between(
        stats_before.ctx_switches, ours["context_switches"], stats_after.ctx_switches
    )
    assert is_between(stats_before.interrupts, ours["interrupts"], stats_after.interrupts)
    assert len(each) == len(each_before) == psutil.cpu_count()
    for row, low, high in zip(each.values(), each_before, each_after, strict=True):
        assert is_between(low.user - 0.02, row["user"] / TICKS, high.user + 0.02)


def cpu_of_psutil():
    """Times of all CPUs, of each, and counts."""
    return psutil.cpu_times(), psutil.cpu_times(percpu=True), psutil.cpu_stats()


def test_disks_are_those_of_psutil():
    """Whole disks that were used, with counters between two readings of psutil."""
    before = psutil.disk_io_counters(perdisk=True)
    ours = once(DiskSampler(FILES))["disk"]
    after = psutil.disk_io_counters(perdisk=True)
    whole = {name for name in before if Path("/sys/block", name).exists()}
    used = {name for name in whole if any(before[name])}
    assert used <= ours.keys() <= whole
    for name in used & after.keys():
        row = ours[name]
        assert is_between(before[name].read_count, row["reads"], after[name].read_count)
        assert is_between(before[name].write_count, row["writes"], after[name].write_count)
        assert is_between(
            before[name].write_bytes, row["sectors_written"] * 512, after[name].write_bytes
        )


def test_pressure_is_that_of_the_kernel():
    """Totals lie between two plain readings of the same lines."""

    def plain():
        found = {}
        for name in RESOURCES:
            path = Path("/proc/pressure", name)
            if path.exists():
                for line in path.read_text().splitlines():
                    kind, *_, total = line.split()
                    found[name, kind] = int(total.removeprefix("total="))
        return found

    before = plain()
    ours = once(PressureSampler(FILES, PressureTotals()))["pressure"]
    after = plain()
    assert {(name, kind) for name, row in ours.items() for kind in ("some", "full")
            if row[f"{kind}_us"] is not None} == before.keys()  # fmt: skip
    for (name, kind), low in before.items():
        assert is_between(low, ours[name][f"{kind}_us"], after[name, kind])


def test_zones_are_those_of_the_kernel_text():
    """Watermarks of each zone with pages are those that stand below its heading."""
    text: dict[str, dict[str, int]] = {}
    zone = ""
    for line in map(str.split, Path("/proc/zoneinfo").read_text().splitlines()):
        if line[:1] == ["Node"] and len(line) == 4:
            zone = f"node{line[1].rstrip(',')}/{line[3]}"
            text[zone] = {}
        elif len(line) == 2 and line[0] in ("min", "low", "high", "spanned", "managed"):
            text[zone].setdefault(line[0], int(line[1]))
    ours = once(ZoneSampler(FILES))["zone"]
    assert ours.keys() == {zone for zone, values in text.items() if values["managed"]}
    for zone, row in ours.items():
        assert {name: row[name] for name in text[zone]} == text[zone]


def test_interrupts_add_up():
    """Sums per line and per CPU are those of the table, and its total that of vmstat(8)."""

    def plain():
        heading, *rows = Path("/proc/interrupts").read_text().splitlines()
        count = len(heading.split())
        return {
            row.split()[0].rstrip(":"): sum(
                int(word) for word in row.split()[1 : count + 1] if word.isdigit()
            )
            for row in rows
        }

    before = plain()
    ours = once(InterruptSampler(FILES))
    after = plain()
    for label, row in ours["interrupt"].items():
        line = label.split()[0]
        assert is_between(before[line], row["count"], after[line]), label
    assert len(ours["cpu_interrupt"]) == psutil.cpu_count()
    assert once(SoftirqSampler(FILES))["softirq"].keys() == ours["cpu_interrupt"].keys()
    assert once(SoftnetSampler(FILES))["softnet"].keys() == ours["cpu_interrupt"].keys()


def test_swap_is_that_of_the_kernel():
    """Every area of /proc/swaps, and no other."""
    rows = Path("/proc/swaps").read_text().splitlines()[1:]
    ours = once(SwapSampler(FILES))["swap"]
    assert len(ours) == len(rows)
    assert sum(row["size_kib"] or 0 for row in ours.values()) * 1024 == psutil.swap_memory().total


@pytest.fixture
def child():
    """A program with two threads that works and rests."""
    code = (
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "print(flush=True)\n"
        "while True:\n sum(range(1000)); time.sleep(0.0001)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield psutil.Process(process.pid)
        process.kill()


def test_a_game_is_that_of_psutil(child):
    """Times, memory, I/O and threads of a process are those of psutil."""
    watch = WatchedProcess(child.pid)
    before, io_before, switches = child.cpu_times(), child.io_counters(), child.num_ctx_switches()
    ours = once(GameSampler(FILES, watch, page_bytes(FILES)))["game"][""]
    status = once(GameStatusSampler(FILES, watch))["game_status"][""]
    threads = once(ThreadSampler(FILES, watch))["thread"]
    after, io_after = child.cpu_times(), child.io_counters()
    assert is_between(before.user, ours["user_ticks"] / TICKS, after.user)
    assert is_between(io_before.read_bytes, status["read_bytes"], io_after.read_bytes)
    assert ours["threads"] == child.num_threads() == 2
    assert abs(ours["rss_kib"] * 1024 - child.memory_info().rss) < 4 << 20
    assert status["voluntary_switches"] >= switches.voluntary
    assert {int(label.split()[0]) for label in threads} == {t.id for t in child.threads()}


def test_the_busy_program_is_found(child):
    """A program that works is among the busiest, with about the CPU time that psutil sees."""
    table = ProcessTable(FILES, time.monotonic_ns)
    sampler = ProcessSampler(FILES, table, WatchedProcess(), TICKS, page_bytes(FILES))
    sampler.read()
    begun = child.cpu_times()
    # Work enough for their ticks of 10 ms.
    eventually(lambda: sum(child.cpu_times()[:2]) > sum(begun[:2]) + 0.25, 30)
    row = once(sampler)["process"][f"{child.pid} {child.name()}"]
    ended = child.cpu_times()
    used_s = ended.user + ended.system - begun.user - begun.system
    assert row["cpu_us"] / 1e6 == pytest.approx(used_s, abs=0.15)


def test_rates_are_those_of_vmstat_8():
    """Blocks written per second by the whole stream are about those that vmstat(8) prints."""
    writing = threading.Event()
    worker = threading.Thread(target=write_until, args=(writing,))
    worker.start()
    try:
        with subprocess.Popen(["vmstat", "3", "2"], stdout=subprocess.PIPE, text=True) as vmstat:
            written, seconds = 0.0, 0.0
            deriver = Deriver(METRICS)
            for message in LiveSource(LiveOptions(seconds=3.0)).messages():
                if isinstance(message, Layout):
                    deriver.accept_layout(message)
                if isinstance(message, Sample):
                    metrics = deriver.derive(message)
                    rates = metrics.instanced.get("disk.write_bytes_per_s", {})
                    written += sum(rate or 0 for rate in rates.values()) * metrics.elapsed_s
                    seconds += metrics.elapsed_s
            output, _ = vmstat.communicate()
    finally:
        writing.set()
        worker.join()
    heading, line = output.splitlines()[1].split(), output.splitlines()[-1].split()
    theirs = int(line[heading.index("bo")]) * 1024
    assert written / seconds == pytest.approx(theirs, rel=0.5, abs=2 << 20)


def write_until(stop):
    """Write to a file with fsync, a megabyte at a time."""
    path = Path("/var/tmp") / f"destutter-write-{os.getpid()}"
    try:
        with path.open("wb") as file:
            while not stop.wait(0.05):
                file.seek(0)
                file.write(os.urandom(1 << 20))
                file.flush()
                os.fsync(file.fileno())
    finally:
        path.unlink()


def test_the_description_is_that_of_the_computer():
    """Kernel, CPUs and memory are those that others tell."""
    machine = describe_machine(FILES)
    assert machine["kernel"] == os.uname().release
    assert machine["cpus"] == psutil.cpu_count()
    assert machine["memory_kib"] * 1024 == psutil.virtual_memory().total
    assert machine["page_bytes"] == os.sysconf("SC_PAGE_SIZE")
