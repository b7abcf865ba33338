# SPDX-License-Identifier: GPL-3.0-or-later
"""Who reads the game's memory map while the game waits for it."""

import os
import subprocess
import sys

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.game.holders import Holders
from destutter.sampling.game.map_readers import MapReaders, is_of_map
from tests.support.bus_kit import eventually
from tests.support.fake_root import process_stat
from tests.unit.sampling.game.test_holders import held
from tests.unit.sampling.game.test_thread_waits import PID, WORKER, Kernel

READER = 90
SECOND_NS = 1_000_000_000


@pytest.fixture
def kernel(tmp_path):
    """A game at work."""
    made = Kernel(tmp_path)
    made.settle()
    yield made
    made.sampler.close()


def opens(kernel, pid, link, *, name="monitor", state="R"):
    """A process with one open file."""
    kernel.root.put(f"/proc/{pid}/stat", process_stat(pid, name).replace(") S ", f") {state} ", 1))
    kernel.root.put(f"/proc/{pid}/comm", f"{name}\n")
    folder = kernel.root.folder / f"proc/{pid}/fd"
    folder.mkdir(exist_ok=True)
    file = folder / "5"
    file.unlink(missing_ok=True)
    file.symlink_to(link)


def finder(kernel):
    """The search, with the test's clock."""
    return MapReaders(kernel.root.files, lambda: kernel.now_ns)


@pytest.mark.parametrize(
    ("link", "is_one"),
    [
        (f"/proc/{PID}/smaps", True),
        (f"/proc/{PID}/smaps_rollup", True),
        (f"/proc/{PID}/task/{WORKER}/maps", True),
        (f"/proc/{PID}/mem", True),
        (f"/proc/{PID}/stat", False),
        (f"/proc/{PID}7/smaps", False),
        ("/home/me/smaps", False),
        ("socket:[7]", False),
    ],
)
def test_which_open_files_keep_the_map(link, is_one):
    """Those that walk the map or the pages behind it, of this process alone."""
    assert is_of_map(link, PID) == is_one


def test_the_reader_is_named_with_the_look_that_found_the_wait(kernel):
    """A worker waits for the map while the main thread waits for it."""
    opens(kernel, READER, f"/proc/{PID}/smaps")
    kernel.put(WORKER, "loader", "D", "vm_mmap_pgoff")
    assert held(kernel.tick(run_ms=0)) == {f"{READER} monitor": "reads"}


def test_nobody_is_asked_while_no_thread_waits_for_the_map(kernel):
    """A monitor may read all day."""
    opens(kernel, READER, f"/proc/{PID}/smaps")
    assert held(kernel.tick(run_ms=0)) == {}


def test_who_sleeps_or_is_the_game_reads_nothing_now(kernel):
    """A file that is open for later holds nobody up, and the game's own is the game's business."""
    opens(kernel, READER, f"/proc/{PID}/smaps", state="S")
    opens(kernel, PID, f"/proc/{PID}/smaps")
    assert finder(kernel).find(PID) == 0


def test_the_known_reader_is_asked_at_once_and_others_once_a_second(kernel):
    """A search looks at every process; one that found nobody is not repeated at every tick."""
    readers = finder(kernel)
    assert readers.find(PID) == 0
    opens(kernel, READER, f"/proc/{PID}/smaps")
    assert readers.find(PID) == 0
    kernel.now_ns += SECOND_NS
    assert readers.find(PID) == READER
    assert readers.find(PID) == READER
    opens(kernel, READER, "/etc/passwd")
    assert readers.find(PID) == 0


def test_a_reader_that_has_ended_is_not_named(kernel):
    """Its name is gone with it."""
    opens(kernel, READER, f"/proc/{PID}/smaps")
    kernel.root.remove(f"/proc/{READER}/comm")
    kernel.put(WORKER, "loader", "D", "vm_mmap_pgoff")
    assert held(kernel.tick(run_ms=0)) == {}


def test_this_kernel_shows_who_reads_the_map():
    """A program that reads this process's map again and again (live)."""
    read = (
        "import sys\nwith open(f'/proc/{sys.argv[1]}/smaps', 'rb', 0) as file:\n"
        "    while True:\n        file.seek(0)\n        file.read(1 << 20)\n"
    )
    with subprocess.Popen([sys.executable, "-c", read, str(os.getpid())]) as monitor:
        try:
            clock = iter(range(0, 10**15, SECOND_NS))
            holders = Holders(KernelFiles(), lambda: next(clock))
            eventually(lambda: holders.reader(os.getpid()).startswith(f"{monitor.pid} "))
        finally:
            monitor.kill()
