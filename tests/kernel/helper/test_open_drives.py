# SPDX-License-Identifier: GPL-3.0-or-later
"""On which drives the files of a program lie, with a loop drive of this kernel."""

import os
import stat
import subprocess
import sys
from pathlib import Path

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.facts import FactReader
from destutter.sampling.processes.open_drives import OpenDrives
from tests.support.real_kernel import LoopDevice

HOLDS = """
import sys, time
kept = [open(each, "rb") for each in sys.argv[1:]]
print(flush=True)
time.sleep(60)
"""


def _drives_of(*paths, ways=stat.S_IRUSR):
    """What is found of another program that has these open."""
    command = [sys.executable, "-c", HOLDS, *map(str, paths)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            drives = OpenDrives(KernelFiles())
            drives.look()
            return drives.of(process.pid, ways)
        finally:
            process.kill()


def _drive_of(path):
    """The whole drive on which a file lies, as the kernel's own link tells."""
    device = os.stat(path).st_dev
    link = os.path.realpath(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}")
    return link.split("/")[-2] if os.path.exists(f"{link}/partition") else link.split("/")[-1]


def test_a_loop_drive_is_told_with_the_drive_of_its_file(loop):
    """Whoever reads it reads both."""
    below = _drive_of(loop.medium)
    assert _drives_of(f"/dev/{loop.name}") == {loop.name, below}
    assert _drives_of(loop.medium) == {below}
    assert _drives_of(loop.medium, ways=stat.S_IWUSR) == frozenset()
    assert _drives_of(__file__) == frozenset()
    facts = FactReader(KernelFiles()).read()
    assert facts[f"disk.{loop.name}.below"] == below


def test_a_loop_drive_in_memory_lies_on_no_other():
    """A bystander that reads it is not one that fills the game's drive."""
    medium = f"/dev/shm/destutter-test-{os.getpid()}"
    assert os.major(os.stat("/dev/shm").st_dev) == 0
    device = LoopDevice(Path(medium))
    try:
        assert _drives_of(f"/dev/{device.name}") == {device.name}
        assert f"disk.{device.name}.below" not in FactReader(KernelFiles()).read()
    finally:
        device.remove()
        os.unlink(medium)
