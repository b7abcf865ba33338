# SPDX-License-Identifier: GPL-3.0-or-later
"""On which drives files lie, and who may run on the game's cores, on this computer."""

import contextlib
import os
import subprocess
import sys

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.game.watched_process import WatchedProcess
from destutter.sampling.processes.open_drives import OpenDrives
from destutter.sampling.processes.process_table import ProcessTable
from destutter.sampling.processes.processes import ProcessSampler
from tests.support.measuring import SteppedClock, read_once

FILES = KernelFiles()
SPINS = """
import os, sys, time
os.sched_setaffinity(0, {int(sys.argv[1])})
kept = open(sys.argv[2], "wb", buffering=0)
print(flush=True)
while True:
    kept.write(b"x" * 65536)
    kept.seek(0)
"""


@contextlib.contextmanager
def spinning(core, path):
    """A program that may run on one core only and writes to a file."""
    command = [sys.executable, "-c", SPINS, str(core), str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process.pid
        finally:
            process.kill()


def test_nothing_is_said_of_a_captured_tree(tmp_path):
    """Its numbers are another computer's."""
    drives = OpenDrives(KernelFiles(tmp_path))
    drives.look()
    assert drives.of(os.getpid()) == frozenset()


def test_a_file_in_memory_lies_on_no_drive_and_one_of_nobody_is_unknown(tmp_path):
    """Both are empty; what is on a drive of this computer has a name of /sys/block."""
    drives = OpenDrives(FILES)
    drives.look()
    assert drives.of(1 << 22) == frozenset()
    known = set(os.listdir("/sys/block"))
    with (tmp_path / "kept").open("wb"):
        assert drives.of(os.getpid()) <= known


def test_who_may_run_on_none_of_the_games_cores_is_told(tmp_path):
    """A converter that is pinned beside a game that is pinned as well."""
    allowed = sorted(os.sched_getaffinity(0))
    clock = SteppedClock()
    table = ProcessTable(FILES, clock)
    watch = WatchedProcess()
    sampler = ProcessSampler(FILES, table, watch, 100, 4096)
    first, last = allowed[0], allowed[-1]
    with spinning(first, tmp_path / "a") as game, spinning(last, tmp_path / "b") as other:
        watch.pid = game
        read_once(sampler)
        told = {}
        for _ in range(200):
            clock.advance(1.0)
            table.is_thorough = True
            told = read_once(sampler)["process"]
            if any(name.startswith(f"{other} ") for name in told):
                break
        row = next(row for name, row in told.items() if name.startswith(f"{other} "))
        assert row["shares_cores"] == int(first == last)
    sampler.close()
