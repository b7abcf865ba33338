# SPDX-License-Identifier: GPL-3.0-or-later
"""When the threads of a process are listed again."""

import pytest

from destutter.sampling.computer.procfs import StatSampler
from destutter.sampling.files.thread_lists import ThreadLists
from tests.support.fake_root import FakeRoot, proc_stat

PID = 7


@pytest.fixture
def root(tmp_path):
    """A process of two threads."""
    made = FakeRoot(tmp_path)
    made.put_thread(PID, PID, "main")
    made.put_thread(PID, 8, "worker")
    return made


def test_the_same_list_while_nothing_began_or_ended(root):
    """Neither a fork anywhere nor another number of threads: it is the same object."""
    lists = ThreadLists(root.files)
    lists.forks = 70
    known = lists.of(PID, 2)
    assert known == [PID, 8]
    assert lists.of(PID, 2) is known


@pytest.mark.parametrize(("forks", "count"), [(71, 2), (70, 1), (70, None), (None, 2)])
def test_a_thread_that_may_have_begun_or_ended_is_looked_for(root, forks, count):
    """One that took the place of another keeps their number, and one that ended the forks."""
    lists = ThreadLists(root.files)
    lists.forks = 70
    lists.of(PID, 2)
    root.remove(f"/proc/{PID}/task/8")
    root.put_thread(PID, 9, "other")
    lists.forks = forks
    assert lists.of(PID, count) == [PID, 9]


def test_each_process_has_its_list(root):
    """Also where two are asked about in turn, and none when it has ended."""
    root.put_thread(20, 20, "other")
    lists = ThreadLists(root.files)
    lists.forks = 70
    first, second = lists.of(PID, 2), lists.of(20, 1)
    assert (lists.of(PID, 2), lists.of(20, 1)) == (first, second) == ([PID, 8], [20])
    assert list(lists.of(99, None)) == []


def test_the_forks_are_those_of_this_tick(root):
    """And unknown again where /proc/stat is no longer read."""
    lists = ThreadLists(root.files)
    sampler = StatSampler(root.files, lists)
    root.put("/proc/stat", proc_stat())
    sampler.read()
    assert lists.forks == 70
    sampler.close()
    assert lists.forks is None
