# SPDX-License-Identifier: GPL-3.0-or-later
"""The probes beside the same loops in C, at the same time and on the same stalls.

Stalls are made by a busy loop of the highest real-time priority on the CPU of both wake-up
probes; without the right to that both are stopped and continued instead, which the name of the
row then says.
"""

import contextlib
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from destutter.core.sample import Sample, decode
from tests.bench.row import Row

HERE = Path(__file__).parent
WAKE_US = 5000
STALL_MS = (10, 15, 20, 40, 100)
WAKE_S = 40
WRITE_US = 200
WRITE_S = 10
SLOW_WRITE_US = 10_000
GOAL_FOUND = 0.98
GOAL_WAKE_CPU = 2.5
GOAL_WAKE_PCT = 1.0
HIGHEST = 98

Stall = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Late:
    """The worst wake of a sample: from when it was due until it came."""

    due_ns: int
    woke_ns: int

    def shows(self, stall: Stall) -> bool:
        """Whether this wake was late because of the stall, by at least half of it."""
        start_ns, end_ns = stall
        overlap_ns = min(self.woke_ns, end_ns) - max(self.due_ns, start_ns)
        return 2 * overlap_ns >= end_ns - start_ns


@dataclass(frozen=True, slots=True)
class Wakes:
    """What one wake-up probe saw."""

    late: list[Late]
    cpu_us_per_wake: float
    core_pct: float

    def found(self, stalls: list[Stall]) -> int:
        """How many of the stalls it saw."""
        return sum(any(late.shows(stall) for late in self.late) for stall in stalls)


def built(name: str, folder: Path) -> Path:
    """A C program of this folder, compiled now."""
    program = folder / name
    subprocess.run(["gcc", "-O2", "-Wall", "-o", program, HERE / f"{name}.c"], check=True)
    return program


def probe(*arguments: str) -> "subprocess.Popen[bytes]":
    """One of our probes; its input stays open as long as it should measure."""
    command = [sys.executable, "-m", "destutter", *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def values_of(lines: list[bytes]) -> list[list[int]]:
    """The values of each sample that one of our probes wrote."""
    messages = [decode(line) for line in lines]
    return [
        [value or 0 for value in message.readings[0].values]
        for message in messages
        if isinstance(message, Sample)
    ]


def lines_of(process: "subprocess.Popen[bytes]") -> list[bytes]:
    """Everything that a process writes until its end; our probes end when their input does."""
    with process:
        assert process.stdout is not None
        return process.stdout.read().splitlines()


def as_wakes(rows: list[tuple[int, int, int, int]]) -> Wakes:
    """From (wakes, worst in us, moment of the worst, CPU time in us) per 100 ms."""
    late = [Late(at_ns - worst_us * 1000, at_ns) for _, worst_us, at_ns, _ in rows]
    cpu_us = rows[-1][3] - rows[0][3]
    wakes = sum(row[0] for row in rows[1:])
    return Wakes(late, cpu_us / wakes, cpu_us / ((len(rows) - 1) * 100_000) * 100)


def hog(cpu: int, pauses: list[tuple[float, int]]) -> list[Stall]:
    """Keep a CPU busy, so often and so long (seconds of rest, milliseconds), and say when."""
    os.sched_setaffinity(0, [cpu])
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(HIGHEST))
    stalls = []
    for rest_s, stall_ms in pauses:
        time.sleep(rest_s)
        start_ns = time.monotonic_ns()
        end_ns = start_ns + stall_ms * 1_000_000
        while time.monotonic_ns() < end_ns:
            pass
        stalls.append((start_ns, time.monotonic_ns()))
    return stalls


def stop_and_continue(pids: list[int], pauses: list[tuple[float, int]]) -> list[Stall]:
    """Stop the processes, so often and so long, and say when."""
    stalls = []
    for rest_s, stall_ms in pauses:
        time.sleep(rest_s)
        start_ns = time.monotonic_ns()
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(stall_ms / 1000)
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
        stalls.append((start_ns, time.monotonic_ns()))
    return stalls


def may_hog() -> bool:
    """Whether this user may run with real-time priority."""
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(HIGHEST))
    except PermissionError:
        return False
    os.sched_setscheduler(0, *before)
    return True


def in_child(function: Callable[[], list[Stall]]) -> list[Stall]:
    """Run in a process of its own, whose priority and CPU are not ours."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            os.write(writer, repr(function()).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    numbers = [int(word) for word in text.replace("(", "").replace(")", "").strip("[]").split(",")]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def pauses() -> list[tuple[float, int]]:
    """Stalls of every size in random order, with rests that no period fits."""
    chance = random.Random(1)  # noqa: S311  moments, not secrets
    chosen = []
    left_s = WAKE_S - 4.0
    while left_s > 0:
        rest_s, stall_ms = chance.uniform(0.25, 0.4), chance.choice(STALL_MS)
        chosen.append((rest_s, stall_ms))
        left_s -= rest_s + stall_ms / 1000
    return chosen


def wake_rows(folder: Path) -> list[Row]:
    """Stalls that were found, and what a wake costs, against wake.c."""
    cpu = max(os.sched_getaffinity(0))
    program = built("wake", folder)
    command = [str(program), str(WAKE_US), str(WAKE_S), str(cpu)]
    ours = probe("--wakeup-probe", "--seconds", str(WAKE_S))
    os.sched_setaffinity(ours.pid, [cpu])
    theirs = subprocess.Popen(command, stdout=subprocess.PIPE)
    time.sleep(1.5)
    how = "real-time hog"
    if may_hog():
        stalls = in_child(lambda: hog(cpu, pauses()))
    else:
        how = "SIGSTOP"
        stalls = stop_and_continue([ours.pid, theirs.pid], pauses())
    our_rows = [(v[0], v[1], v[7], v[8]) for v in values_of(lines_of(ours))]
    their_rows = [tuple(map(int, line.split())) for line in lines_of(theirs)]
    ours_seen = as_wakes(our_rows)
    theirs_seen = as_wakes([(row[0], row[1], row[2], row[3]) for row in their_rows])
    return rows_of_wakes(ours_seen, theirs_seen, stalls, how)


def rows_of_wakes(ours: Wakes, theirs: Wakes, stalls: list[Stall], how: str) -> list[Row]:
    """The rows about the wake-up probe."""
    found, found_in_c = ours.found(stalls), theirs.found(stalls)
    recall = found / found_in_c if found_in_c else None
    cost = ours.cpu_us_per_wake / theirs.cpu_us_per_wake
    return [
        Row(
            f"wake-up probe, stalls of 10 ms and more found ({how})",
            found,
            f"of {len(stalls)}",
            f"the same loop in C, {found_in_c}",
            recall,
            f">= {GOAL_FOUND}",
            recall is not None and recall >= GOAL_FOUND,
        ),
        Row(
            "wake-up probe, CPU per wake at 200 Hz",
            round(ours.cpu_us_per_wake, 1),
            "µs",
            f"the same loop in C, {theirs.cpu_us_per_wake:.1f} µs",
            cost,
            f"<= {GOAL_WAKE_CPU}",
            cost <= GOAL_WAKE_CPU,
        ),
        Row(
            "wake-up probe, whole process",
            round(ours.core_pct, 3),
            "% of a core",
            "",
            None,
            f"<= {GOAL_WAKE_PCT} %",
            ours.core_pct <= GOAL_WAKE_PCT,
        ),
    ]


def write_rows(folder: Path) -> list[Row]:
    """Worst writes and cost per write against lmax.c, and the cost at the rate beside a game."""
    program = built("lmax", folder)
    command = [str(program), str(folder), str(WRITE_US), str(WRITE_S)]
    ours = probe("--write-probe", "--folder", str(folder), "--seconds", str(WRITE_S))
    theirs = subprocess.Popen(command, stdout=subprocess.PIPE)
    slow = ["--interval-us", str(SLOW_WRITE_US), "--seconds", str(WRITE_S)]
    beside = probe("--write-probe", "--folder", str(folder), *slow)
    mine, slow_ones = (values_of(lines_of(process)) for process in (ours, beside))
    other = [list(map(int, line.split())) for line in lines_of(theirs)]
    worst, worst_in_c = (statistics.median(row[1] for row in rows) for rows in (mine, other))
    cost, cost_in_c = cpu_per_write(mine, 11), cpu_per_write(other, 4)
    slow_pct = (slow_ones[-1][11] - slow_ones[0][11]) / ((len(slow_ones) - 1) * 100_000) * 100
    return [
        Row(
            "write probe at 5 kHz, median of the worst write per 100 ms",
            worst,
            "µs",
            f"the same loop in C, {worst_in_c:.0f} µs",
            worst / worst_in_c,
            "",
            None,
        ),
        Row(
            "write probe at 5 kHz, CPU per write",
            round(cost, 1),
            "µs",
            f"the same loop in C, {cost_in_c:.1f} µs",
            cost / cost_in_c,
            "",
            None,
        ),
        Row("write probe at 100 Hz", round(slow_pct, 3), "% of a core", "", None, "", None),
    ]


def cpu_per_write(rows: list[list[int]], cpu: int) -> float:
    """Microseconds of CPU per write, from the first sample to the last."""
    return (rows[-1][cpu] - rows[0][cpu]) / sum(row[0] for row in rows[1:])


def run() -> list[Row]:
    """Both probes; nothing without a compiler, since a number alone says little."""
    if shutil.which("gcc") is None:
        missing = "the same loops in C: gcc missing"
        return [Row("probes", 0, "", missing, None, f">= {GOAL_FOUND}", is_met=False)]
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        return [*wake_rows(Path(name)), *write_rows(Path(name))]
