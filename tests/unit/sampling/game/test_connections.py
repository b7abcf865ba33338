# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is at the other end of a pipe or socket, with those of this kernel."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.game.connections import (
    Connections,
    OwnEnds,
    access_mode,
    end_at,
    ends_of,
    other_ends,
    peers_of_unix_sockets,
)
from destutter.sampling.game.partner_search import PartnerSearch
from destutter.sampling.game.system_calls import SystemCalls, first_argument, watched_in
from tests.support.bus_kit import eventually

FILES = KernelFiles()
WATCHES = """
import select, sys
poll = select.epoll()
poll.register(int(sys.argv[1]), select.EPOLLIN)
poll.poll()
"""
WAITS = "import os, sys; os.read(int(sys.argv[1]), 1)"
SLEEPS = "import time; time.sleep(60)"


@contextlib.contextmanager
def holding(descriptor, code=SLEEPS):
    """Another process that has this descriptor."""
    command = [sys.executable, "-c", code, str(descriptor)]
    with subprocess.Popen(command, pass_fds=[descriptor]) as process:
        try:
            yield process.pid
        finally:
            process.kill()


def end_of(descriptor):
    """One of ours, as the sampler names it."""
    (end,) = end_at(FILES, os.getpid(), str(descriptor))
    return end


def partners_at(end):
    """Who is found at the other end of one of ours."""
    bond = Connections(FILES, os.getpid(), frozenset({end}))
    search = PartnerSearch(FILES, os.getpid(), bond)
    while not search.is_over:
        search.go_on()
    return search.partners


def pairs():
    """Two connected ends each, as descriptors."""
    yield "pipe", os.pipe()
    yield "unix", tuple(each.detach() for each in socket.socketpair())
    with socket.create_server(("127.0.0.1", 0)) as server:
        near = socket.create_connection(server.getsockname())
        yield "tcp", (near.detach(), server.accept()[0].detach())


@pytest.mark.parametrize("kind", ["pipe", "unix", "tcp"])
def test_the_process_at_the_other_end_is_found(kind):
    """By a descriptor that only the other process keeps (live)."""
    found = dict(pairs())
    for name, ends in found.items():
        if name != kind:
            for each in ends:
                os.close(each)
    near, far = found[kind]
    try:
        with holding(far) as pid:
            os.close(far)
            assert partners_at(end_of(near)) == (pid,)
    finally:
        os.close(near)


@pytest.mark.parametrize("kind", ["pipe", "unix", "tcp"])
def test_an_end_whose_other_one_is_its_own_leads_back(kind):
    """A loader that tells the main thread through a pipe; then it is given away (live)."""
    found = dict(pairs())
    near, far = found[kind]
    end = end_of(near)
    try:
        assert OwnEnds(FILES).are_all(os.getpid(), [end])
        with holding(far):
            os.close(far)
            own = OwnEnds(FILES)
            assert not own.are_all(os.getpid(), [end])
            assert not own.are_all(os.getpid(), [])
    finally:
        for descriptor in {each for ends in found.values() for each in ends} - {far}:
            os.close(descriptor)


@pytest.mark.parametrize("waits_to", ["read", "write"])
def test_who_holds_the_same_end_is_not_the_other_one(waits_to):
    """A program that started both keeps the game's end of the pipe as well (live)."""
    read, write = os.pipe()
    mine, others = (read, write) if waits_to == "read" else (write, read)
    try:
        with holding(mine), holding(others) as pid:
            os.close(others)
            assert partners_at(end_of(mine)) == (pid,)
    finally:
        os.close(mine)


@pytest.mark.parametrize("is_in_memory", [False, True])
def test_a_pipe_with_a_name_has_two_ends_as_well(tmp_path, is_in_memory):
    """A recorder often gets one (mkfifo); its link is a path (live), in /dev/shm no device's."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if is_in_memory else tmp_path) as folder:
        _try_named(Path(folder, "to the recorder"))


def _try_named(path):
    os.mkfifo(path)
    read = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    write = os.open(path, os.O_WRONLY)
    try:
        with holding(read) as pid:
            os.close(read)
            assert partners_at(end_of(write)) == (pid,)
    finally:
        os.close(write)
    device = os.open(os.devnull, os.O_RDONLY)
    try:
        assert end_at(FILES, os.getpid(), str(device)) == ()
    finally:
        os.close(device)


@given(st.binary(max_size=80))
def test_flags_that_are_none_tell_no_way(text):
    """Damaged, in another base, or not there."""
    assert access_mode(text) in {-1, os.O_RDONLY, os.O_WRONLY, os.O_RDWR, os.O_ACCMODE}
    assert access_mode(text.replace(b"flags:", b"")) == -1
    assert access_mode(b"pos:\t0\nflags:\t0100001\nmnt_id:\t15\n") == os.O_WRONLY


def test_where_a_thread_sleeps_is_told_by_its_call():
    """The descriptor is the first argument (live)."""
    near, far = os.pipe()
    calls = SystemCalls(FILES)
    try:
        with holding(near, WAITS) as pid:
            assert eventually(lambda: calls.ends(pid, pid)) == {end_of(near)}
    finally:
        calls.close()
        os.close(near)
        os.close(far)


def test_whoever_waits_for_events_has_the_ends_that_it_watches():
    """Of an epoll the kernel tells which; what sleeps otherwise watches nothing (live)."""
    near, far = os.pipe()
    calls = SystemCalls(FILES)
    try:
        with holding(near, WATCHES) as pid:
            assert eventually(lambda: calls.watched(pid, pid)) == {end_of(near)}
        with holding(near, WAITS) as pid:
            assert eventually(lambda: calls.ends(pid, pid))
            assert not calls.watched(pid, pid)
    finally:
        calls.close()
        os.close(near)
        os.close(far)


@given(st.binary(max_size=120))
def test_a_damaged_table_of_events_is_no_failure(text):
    """Whatever stands in it."""
    assert all(each >= 0 for each in watched_in(text))
    good = b"pos:\t0\nflags:\t02\ntfd:        5 events:       19 data: 7 pos:0 ino:61af\n"
    assert list(watched_in(good)) == [5]


def test_a_call_that_is_not_told_has_no_argument():
    """A running thread, one of another user, and damaged lines."""
    assert first_argument(b"0 0x5 0x7f 0x1 0x0 0x0 0x0 0x7ffc 0x7f1\n") == 5
    for line in (b"running\n", b"", b"0 x5 0 0 0 0 0 0 0", b"-1 0x7ffc 0x7f1"):
        assert first_argument(line) is None


def test_all_ends_are_taken_where_the_one_is_not_told():
    """And nothing of a process that nobody may look at, or that is gone."""
    near, far = os.pipe()
    try:
        assert end_of(near) in ends_of(FILES, os.getpid())
        assert end_of(near) in Connections(FILES, os.getpid(), frozenset()).wanted
    finally:
        os.close(near)
        os.close(far)
    assert ends_of(FILES, 1 << 22) == frozenset()


def test_whoever_waits_to_read_waits_at_no_end_that_it_only_writes():
    """Who reads the game's own output, as a launcher does, is nobody that it waits for."""
    near, far = os.pipe()
    try:
        assert end_of(near) in Connections(FILES, os.getpid(), frozenset()).wanted
        read_only = Connections(FILES, os.getpid(), frozenset(), only_reads=True).wanted
        assert end_of(near) not in read_only
        assert end_of(far) in read_only
    finally:
        os.close(near)
        os.close(far)


def test_what_leaves_this_computer_has_no_other_end():
    """Nor does a name that is none."""
    ends = ("socket:[4294967295]", "socket:[x]", "anon_inode:[eventpoll]")
    assert other_ends(FILES, os.getpid(), ends, peers_of_unix_sockets) == frozenset()
