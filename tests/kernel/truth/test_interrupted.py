# SPDX-License-Identifier: GPL-3.0-or-later
"""A trial of the truth bench that is cut off in the middle."""

import signal
import subprocess
import sys
import time
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_NAME = "destutter-truth-"
_TRIAL = ("--only", "save_beside_writer", "--make", "workers-group")
_WAIT_S = 90.0


def _victims():
    """Processes that play in the bench's own groups."""
    groups = Path("/sys/fs/cgroup").glob(f"**/{_NAME}*/cgroup.procs")
    return [line for group in groups for line in group.read_text().split()]


def _left():
    """Mounts, loop devices, groups and folders of the bench."""
    mounts = [line for line in Path("/proc/mounts").read_text().splitlines() if _NAME in line]
    files = Path("/sys/block").glob("loop*/loop/backing_file")
    loops = [text for file in files if _NAME in (text := file.read_text())]
    groups = list(Path("/sys/fs/cgroup").glob(f"**/{_NAME}*"))
    folders = [
        path for place in ("/var/tmp", "/dev/shm") for path in Path(place).glob(f"{_NAME}*")
    ]
    return [*mounts, *loops, *map(str, groups), *map(str, folders)]


def test_a_bench_that_is_interrupted_leaves_nothing_behind():
    """Ctrl-C twice, as people do, with the game playing on a drive made for it."""
    command = [sys.executable, "-m", "tests.truth", *_TRIAL]
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as bench:
        try:
            end_s = time.monotonic() + _WAIT_S
            while not _victims():
                assert bench.poll() is None, "ended before it began"
                assert time.monotonic() < end_s
                time.sleep(0.05)
            assert any("loop" in line for line in _left())
            bench.send_signal(signal.SIGINT)
            time.sleep(0.1)  # on purpose: as fast as fingers are
            bench.send_signal(signal.SIGINT)
            report, _ = bench.communicate(timeout=_WAIT_S)
        finally:
            bench.kill()
    assert bench.returncode == 0
    assert "recall" in report
    assert _left() == []
