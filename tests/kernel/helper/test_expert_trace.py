# SPDX-License-Identifier: GPL-3.0-or-later
"""What an expert sees of a game on the running kernel, from the helper's instance to its sums."""

import mmap
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.core.traced import TracedTally
from destutter.sampling.tracing.reader import TraceReader
from tests.support.kernel_lock import alone_with_the_kernel
from tests.support.trace_lender import TraceLender

# Pages of a file that no memory holds, touched through a map: each is a fault that has to read.
GAME = """
import mmap, os, sys
with open(sys.argv[1], "rb") as file:
    sys.stdin.readline()
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    pages = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    pages.madvise(mmap.MADV_RANDOM)
    sum(pages[at] for at in range(0, len(pages), mmap.PAGESIZE))
    print("read", flush=True)
    sys.stdin.readline()
"""
PAGES = 64


@pytest.fixture
def lender() -> Iterator[TraceLender]:
    """The helper's grants, behind a tracefs of their own."""
    with alone_with_the_kernel(), TraceLender() as started:
        yield started


@pytest.fixture
def level() -> Iterator[Path]:
    """A file on a drive, of this user."""
    path = Path("destutter-test-level.pak").resolve()
    path.write_bytes(os.urandom(PAGES * mmap.PAGESIZE))
    descriptor = os.open(path, os.O_RDWR)
    os.fsync(descriptor)
    os.close(descriptor)
    yield path
    path.unlink()


def test_the_pages_that_a_game_waits_for_are_told_by_file(
    lender: TraceLender, level: Path
) -> None:
    """And nobody else's; interrupts only as they happen, and the card is not there."""
    pipe = subprocess.PIPE
    id_, formats, hold = lender.begin(os.getuid(), game=True, expert=True)
    count = len(formats.cpus) * len(formats.instances)
    rings = [ring for first in range(0, count, 16) for ring in lender.rings(id_, first)]
    with subprocess.Popen(
        [sys.executable, "-c", GAME, str(level)], stdin=pipe, stdout=pipe
    ) as game:
        assert game.stdin is not None
        assert game.stdout is not None
        lender.ask("tasks", id=id_, pids=[game.pid])
        reader = TraceReader(formats, rings, KernelFiles())
        reader.game = game.pid
        game.stdin.write(b"\n")
        game.stdin.flush()
        game.stdout.readline()
        reader.look()
        reader.look()
        found = reader.tell()
        game.stdin.close()
    # A kernel from before Linux 6.12 has no such event.
    is_told = "filemap/mm_filemap_fault" in formats.events
    pages = [each for each in found.tallies if each.name == str(level)]
    assert pages == ([TracedTally("file", str(level), PAGES)] if is_told else [])
    lender.ask("end", id=id_)
    lender.close(hold, *rings)
