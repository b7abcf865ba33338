# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scenario starts ends with it."""

import os
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from tests.truth.machine import adopt_orphans, program


def _is_there(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_children_of_a_program_end_with_it(tmp_path):
    """A compiler's driver ends at once; the compiler that it started would go on for minutes."""
    note = tmp_path / "pid"
    script = f"sleep 300 & echo $! > {note}.new; mv {note}.new {note}; wait"
    with program(["sh", "-c", script]):
        for _ in range(200):
            if note.exists():
                break
            time.sleep(0.05)
        child = int(note.read_text())
        assert _is_there(child)
    for _ in range(200):
        if not _is_there(child):
            break
        time.sleep(0.05)
    assert not _is_there(child)


def test_time_of_an_orphan_is_the_bench_s_own():
    """Otherwise a compiler that the bench itself started would count as a stranger."""
    adopt_orphans()
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    busy = "x=0; while [ $x -lt 200000 ]; do x=$((x+1)); done; exec sleep 300"
    with program(["sh", "-c", f"({busy}) & sleep 0.1; kill -9 $$"]) as process:
        process.wait()
        time.sleep(0.5)
    assert getrusage(RUSAGE_CHILDREN).ru_utime > before + 0.02


def test_program_that_ended_by_itself_is_no_error():
    """Nobody is left to be stopped."""
    with program(["true"]) as process:
        process.wait()
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
