# SPDX-License-Identifier: GPL-3.0-or-later
"""The fix fixes: a game that reads beside a busy program, under one I/O scheduler and another.

The drive serves 400 requests a second, as one that is a few years old, and has room for 32 at
once, which the busy program fills: with the distribution's scheduler each read of the game waits
behind all of them.
"""

import itertools
import mmap
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.vm.inside import say
from tests.vm.installed import run
from tests.vm.pairs import Figures, compared, measure

DRIVE = Path("/dev/sda")
QUEUE = Path("/sys/block/sda/queue/scheduler")
WANTED = "bfq"
READ_BYTES = 4096
AT_ONCE = 24
BUSY_S, CALM_S = 1.5, 2.5
PROBE_S = 0.05
SLOW_S = 0.005
GAME = {"hz": 20, "work-ms": 2, "alloc-kib": 64, "assets": DRIVE, "read-kib": 4}


def scenario_both_packages_install() -> None:
    """both packages are installed"""
    run("dpkg", "-i", *sorted(str(path) for path in Path("packages").glob("*.deb")))


def scenario_another_scheduler_shortens_the_waits() -> None:
    """under bfq the game loses less time beside a busy program, says compare"""
    say(f"# the scheduler is {QUEUE.read_text().strip()}, tried is {WANTED}")
    verdict = compared(measure([("block.scheduler", "sda", WANTED)], busy_program, **GAME))
    assert verdict == "better", verdict


def busy_program(end: float) -> Figures:
    """Many reads at once, now and then; how long single ones beside them take."""
    Path("/proc/sys/vm/drop_caches").write_text("1")
    is_busy, is_over = threading.Event(), threading.Event()
    done = itertools.count()
    waits: list[float] = []
    threads = [
        threading.Thread(target=_read, args=(is_busy, is_over, done)) for _ in range(AT_ONCE)
    ]
    threads.append(threading.Thread(target=_probe, args=(is_busy, is_over, waits)))
    for thread in threads:
        thread.start()
    while time.monotonic() < end:
        is_busy.set()
        time.sleep(BUSY_S)
        is_busy.clear()
        time.sleep(CALM_S)
    is_over.set()
    is_busy.set()
    for thread in threads:
        thread.join()
    waits.sort()
    return {
        "reads over 5 ms": sum(wait >= SLOW_S for wait in waits),
        "median read (ms)": 1e3 * waits[len(waits) // 2],
        "99th percentile (ms)": 1e3 * waits[len(waits) * 99 // 100],
        "worst read (ms)": 1e3 * waits[-1],
        "reads of the busy program": next(done),
    }


def _read(
    is_busy: threading.Event, is_over: threading.Event, done: "itertools.count[int]"
) -> None:
    with reader() as read:
        while not is_over.is_set():
            is_busy.wait()
            read()
            next(done)


def _probe(is_busy: threading.Event, is_over: threading.Event, waits: list[float]) -> None:
    """One read after the other beside the busy program, as a game does that needs it now."""
    with reader() as read:
        while not is_over.is_set():
            is_busy.wait()
            began = time.monotonic()
            read()
            waits.append(time.monotonic() - began)
            time.sleep(PROBE_S)


@contextmanager
def reader() -> Iterator[Callable[[], object]]:
    """Reads one page, anywhere on the drive, past the page cache."""
    file = os.open(DRIVE, os.O_RDONLY | os.O_DIRECT)
    pages = os.lseek(file, 0, os.SEEK_END) // READ_BYTES
    buffer = mmap.mmap(-1, READ_BYTES)
    anywhere = random.Random()  # noqa: S311 (a place on a drive)
    try:
        yield lambda: os.preadv(file, [buffer], anywhere.randrange(pages) * READ_BYTES)
    finally:
        os.close(file)
