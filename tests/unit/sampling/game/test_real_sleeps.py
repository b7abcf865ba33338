# SPDX-License-Identifier: GPL-3.0-or-later
"""Sleeps of real threads, as this kernel tells of them."""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.game.holders import Keeps, how_kept
from destutter.sampling.game.system_calls import SystemCalls
from destutter.sampling.game.wait_places import UNKNOWN, AsleepIn, asleep_in


@contextmanager
def asleep(wait: Callable[[], object], wake: Callable[[], object]) -> Iterator[tuple[int, bytes]]:
    """A thread of this process that sleeps in ``wait``: its number, and the place."""
    thread = threading.Thread(target=wait)
    thread.start()
    try:
        yield thread.native_id or 0, place_of(thread.native_id or 0)
    finally:
        wake()
        thread.join()


def place_of(tid: int) -> bytes:
    """Where the thread sleeps, once the same place is told ten times in a row."""
    path, places = f"/proc/self/task/{tid}/wchan", [b""]
    for _ in range(1000):
        with open(path, "rb") as file:
            places.append(file.read())
        if places[-1] not in UNKNOWN and len(set(places[-10:])) == 1 and len(places) > 10:
            break
        time.sleep(0.001)
    return places[-1]


@pytest.fixture
def eventfd():
    """A counter of the kernel, closed afterwards."""
    descriptor = os.eventfd(0)
    yield descriptor
    os.close(descriptor)


def test_a_read_of_an_eventfd_waits_for_another_thread(eventfd):
    """As in a futex, and without an end of its own."""
    sleep = asleep(lambda: os.eventfd_read(eventfd), lambda: os.eventfd_write(eventfd, 1))
    with sleep as (tid, place), closing(SystemCalls(KernelFiles())) as calls:
        assert asleep_in(place) is AsleepIn.FUTEX
        assert how_kept(place) is None
        assert calls.is_untimed(os.getpid(), tid) == 1


def test_a_wait_for_a_program_of_its_own():
    """It is told from the rest by the whole name of the function."""
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    assert child.stdin is not None
    with asleep(child.wait, child.stdin.close) as (_, place):
        assert how_kept(place) is Keeps.CHILD
