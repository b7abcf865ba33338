# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scenario starts ends with it."""

import os
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from tests.support.bus_kit import eventually
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
        eventually(note.exists)
        child = int(note.read_text())
        assert _is_there(child)
    eventually(lambda: not _is_there(child))


def test_time_of_an_orphan_is_the_bench_s_own(tmp_path):
    """Otherwise a compiler that the bench itself started would count as a stranger."""
    adopt_orphans()
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    note = tmp_path / "worked"
    work = "x=0; while [ $x -lt 200000 ]; do x=$((x+1)); done"
    with program(["sh", "-c", f"({work}; : > {note}; exec sleep 300) & kill -9 $$"]) as process:
        process.wait()
        eventually(note.exists, 60)
    assert getrusage(RUSAGE_CHILDREN).ru_utime > before + 0.02


def test_program_that_ended_by_itself_is_no_error():
    """Nobody is left to be stopped."""
    with program(["true"]) as process:
        process.wait()
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
