# SPDX-License-Identifier: GPL-3.0-or-later
"""Who reads the game's memory map while the game waits for it."""

import os
import subprocess
import sys

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.game.map_readers import MapReaders, is_of_map
from tests.support.bus_kit import eventually
from tests.support.fake_root import process_stat
from tests.unit.sampling.game.game_kernel import PID, WORKER, held

READER = 90
SECOND_NS = 1_000_000_000


def opens(kernel, pid, link, *, name="monitor", state="R"):
    """A process with one open file, whose second thread does something."""
    for tid, letter in ((pid, "S"), (pid + 1, state)):
        line = process_stat(tid, name).replace(") S ", f") {letter} ", 1)
        kernel.root.put(f"/proc/{pid}/task/{tid}/stat", line)
    kernel.root.put(f"/proc/{pid}/comm", f"{name}\n")
    folder = kernel.root.folder / f"proc/{pid}/fd"
    folder.mkdir(exist_ok=True)
    file = folder / "5"
    file.unlink(missing_ok=True)
    file.symlink_to(link)


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


def wait_for_map(kernel):
    """A worker waits for the map while the main thread waits for it; who is told to keep them."""
    kernel.put(WORKER, "loader", "D", "vm_mmap_pgoff")
    return held(kernel.tick(run_ms=0))


def test_the_reader_is_named_by_the_tick_behind_the_search_and_then_with_each_look(kernel):
    """A look asks for a search, which goes on beside the ticks; who is known is named at once."""
    opens(kernel, READER, f"/proc/{PID}/smaps")
    assert wait_for_map(kernel) == {}
    assert kernel.readers.take_new()
    kernel.readers.search()
    kernel.put(WORKER, "loader", "S", "futex_wait_queue")
    assert held(kernel.tick()) == {f"{READER} monitor": "reads"}
    assert held(kernel.tick()) == {}
    assert wait_for_map(kernel) == {f"{READER} monitor": "reads"}
    assert not kernel.readers.take_new()


def test_nobody_is_asked_while_no_thread_waits_for_the_map(kernel):
    """A monitor may read all day."""
    opens(kernel, READER, f"/proc/{PID}/smaps")
    assert held(kernel.tick(run_ms=0)) == {}
    assert not kernel.readers.take_new()


def found(kernel):
    """The reader by now, if a search that begins now finds one."""
    kernel.readers.find(PID)
    kernel.readers.search()
    return kernel.readers.take_found()


def test_who_keeps_the_file_open_for_later_is_not_the_reader(kernel):
    """A tool that looks into games may have it open all the time."""
    opens(kernel, READER, f"/proc/{PID}/mem", state="S")
    assert found(kernel) == 0


def test_the_games_own_files_are_its_own_business(kernel):
    """It may look at its map as it likes."""
    opens(kernel, PID, f"/proc/{PID}/smaps")
    assert found(kernel) == 0


def test_a_search_looks_at_every_program_and_is_not_repeated_at_once(kernel):
    """Two seconds at least lie between two; who is known is asked alone."""
    assert found(kernel) == 0
    opens(kernel, READER, f"/proc/{PID}/smaps")
    assert found(kernel) == 0
    kernel.now_ns += 2 * SECOND_NS
    assert found(kernel) == READER
    assert kernel.readers.find(PID) == READER
    opens(kernel, READER, "/etc/passwd")
    assert kernel.readers.find(PID) == 0


def test_no_search_without_a_wait(kernel):
    """The slow side asks once a second."""
    opens(kernel, READER, f"/proc/{PID}/smaps")
    kernel.readers.search()
    assert kernel.readers.take_found() == 0


def test_a_reader_that_has_ended_is_not_named(kernel):
    """Its name is gone with it."""
    opens(kernel, READER, f"/proc/{PID}/smaps")
    kernel.root.remove(f"/proc/{READER}/comm")
    assert wait_for_map(kernel) == {}
    kernel.readers.search()
    assert held(kernel.tick()) == {}


def test_this_kernel_shows_who_reads_the_map():
    """A program that reads this process's map again and again, in its second thread (live)."""
    read = (
        "import sys, threading\ndef read():\n"
        "    with open(f'/proc/{sys.argv[1]}/smaps', 'rb', 0) as file:\n"
        "        while True:\n            file.seek(0)\n            file.read(1 << 20)\n"
        "threading.Thread(target=read).start()\n"
    )
    with subprocess.Popen([sys.executable, "-c", read, str(os.getpid())]) as monitor:
        try:
            clock = iter(range(0, 10**15, 2 * SECOND_NS))
            readers = MapReaders(KernelFiles(), lambda: next(clock))

            def is_found():
                readers.find(os.getpid())
                readers.search()
                return readers.take_found() == monitor.pid

            eventually(is_found)
        finally:
            monitor.kill()
