# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that live between two looks: what they used is told of whoever starts them."""

import os

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.processes.process_table import ProcessTable
from tests.support.measuring import SteppedClock
from tests.unit.sampling.processes.test_processes import Computer


@pytest.fixture
def computer(tmp_path):
    """A program that starts others and rests itself."""
    made = Computer(tmp_path)
    made.root.put_process(7, "cronrun")
    made.top()
    made.step()
    made.top()
    made.step()
    yield made
    made.processes.close()


def children_us(computer, name="7 cronrun"):
    """What the look told of the children of a program; 0 where it was not told."""
    return computer.top().get(name, {"children_us": 0})["children_us"]


def test_what_children_used_that_nobody_saw_is_told_of_their_parent(computer):
    """The kernel adds it to the parent's when that has waited for them."""
    computer.table.is_thorough = True
    computer.root.put_process(7, "cronrun", cutime=50, cstime=30)
    assert children_us(computer) == 800_000


def test_what_was_seen_of_a_child_is_not_told_twice(computer):
    """A compiler that ran for a minute ends: its time is no news, but for the rest of it."""
    computer.root.put_process(9, "cc1", ppid=7, utime=6000, cutime=100)
    computer.top()
    computer.step()
    computer.root.remove("/proc/9")
    computer.root.put_process(7, "cronrun", cutime=6120)
    told = computer.top()
    assert told["9 cc1"]["cpu_us"] == 200_000
    assert (told["7 cronrun"]["cpu_us"], told["7 cronrun"]["children_us"]) == (0, 0)


def test_a_child_that_is_waited_for_late_is_not_told_twice(computer):
    """Its parent was read just before it took the time over."""
    computer.root.put_process(9, "cc1", ppid=7, utime=6000)
    computer.top()
    computer.step()
    computer.root.remove("/proc/9")
    computer.top()
    computer.step()
    computer.table.is_thorough = True
    computer.root.put_process(7, "cronrun", cutime=6010)
    assert children_us(computer) == 100_000


def test_what_a_child_did_up_to_its_end_is_told_of_the_child(computer):
    """A builder with its compilers ends: the harness that had started it worked for nobody."""
    computer.root.put_process(9, "buildd", ppid=7, utime=10)
    computer.top()
    computer.step()
    computer.root.put_process(9, "buildd", ppid=7, utime=12, cutime=400)
    assert children_us(computer, "9 buildd") == 4_000_000
    computer.step()
    computer.root.remove("/proc/9")
    computer.root.put_process(7, "cronrun", cutime=712)
    told = computer.top()
    assert told["9 buildd"]["children_us"] == 3_000_000
    assert (told["7 cronrun"]["cpu_us"], told["7 cronrun"]["children_us"]) == (0, 0)


def test_a_child_that_hardly_worked_did_not_do_the_rest(computer):
    """A shell of a build ends as well, beside thirty compilers that nobody saw."""
    computer.root.put_process(9, "sh", ppid=7, utime=1)
    computer.top()
    computer.step()
    computer.root.remove("/proc/9")
    computer.root.put_process(7, "make", cutime=301)
    assert children_us(computer, "7 make") == 3_000_000


def test_what_a_child_moved_and_used_up_to_its_end_is_told_once(computer):
    """One row, for names and values have to stay together."""
    io = "rchar: 0\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: {}\nwrite_bytes: 0\n"
    computer.root.put_process(9, "tar", ppid=7, utime=50)
    computer.root.put("/proc/9/io", io.format(4096))
    computer.root.put("/proc/7/io", io.format(0))
    computer.table.is_thorough = True
    computer.top()
    computer.step()
    computer.root.put_process(7, "cronrun", cminflt=1)
    computer.top()
    computer.step()
    computer.root.put_process(9, "tar", ppid=7, utime=60)
    computer.table.is_thorough = True
    computer.top()
    computer.step()
    computer.root.remove("/proc/9")
    computer.root.put("/proc/7/io", io.format(9_000_000))
    computer.root.put_process(7, "cronrun", cutime=80, cminflt=9)
    computer.table.is_thorough = True
    (measured,) = computer.processes.read()
    assert measured.instances is not None
    assert measured.instances.count("9 tar") == 1


def test_what_was_seen_of_a_grandchild_is_not_told_twice(computer):
    """A compiler and the shell that had started it end between the same two looks."""
    computer.root.put_process(8, "sh", ppid=7, utime=5)
    computer.root.put_process(9, "cc1", ppid=8, utime=6000)
    computer.top()
    computer.step()
    computer.root.remove("/proc/8")
    computer.root.remove("/proc/9")
    computer.root.put_process(7, "cronrun", cutime=6025)
    assert computer.top()["9 cc1"]["cpu_us"] == 200_000


def test_this_kernel_tells_what_children_used():
    """A child that works for 0.3 s and ends between two looks (live)."""
    table = ProcessTable(KernelFiles(), SteppedClock())
    table.look()
    pid = os.fork()
    if pid == 0:
        while sum(os.times()[:2]) < 0.3:
            pass
        os._exit(0)
    os.waitpid(pid, 0)
    table.is_thorough = True
    table.look()
    assert table.known[os.getpid()].children_ticks * 1000 >= 250 * os.sysconf("SC_CLK_TCK")
