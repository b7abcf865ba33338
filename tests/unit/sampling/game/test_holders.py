# SPDX-License-Identifier: GPL-3.0-or-later
"""Who keeps a thread of the game: its tracer, the holder of a lock, a program's file system."""

import contextlib
import ctypes
import fcntl
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from destutter.core.catalog import SOURCES
from destutter.core.kernel_files import KernelFiles
from destutter.sampling.game.holders import (
    NOBODY,
    Holders,
    Keeps,
    how_kept,
    lock_holder,
    served_mounts,
)
from destutter.sampling.game.map_readers import MapReaders
from tests.support.bus_kit import eventually
from tests.support.fake_root import FakeRoot
from tests.unit.sampling.game.game_kernel import PID, WORKER, held

LOCKS = b"""\
1: FLOCK  ADVISORY  WRITE 40 fe:00:12 0 EOF
2: POSIX  ADVISORY  WRITE 41 fe:00:13 0 EOF
2:  -> POSIX  ADVISORY  WRITE 42 fe:00:13 0 EOF
2:   -> POSIX  ADVISORY  WRITE 43 fe:00:13 0 EOF
3: OFDLCK ADVISORY  READ  -1 fe:00:14 0 EOF
3: -> POSIX  ADVISORY  WRITE 44 fe:00:14 0 EOF
4: LEASE  ACTIVE    READ  45 fe:00:15 0 EOF
"""
_PTRACE_TRACEME = 0


def holders_of(files):
    """Of these files, with nobody who reads the game's map."""
    return Holders(files, MapReaders(files, time.monotonic_ns))


@pytest.mark.parametrize(("pid", "holder"), [(42, 41), (43, 41), (44, 0), (40, 0), (45, 0)])
def test_the_holder_stands_above_the_one_that_waits(pid, holder):
    """In /proc/locks; a lock of an open file has no process, and who has one waits for none."""
    assert lock_holder(LOCKS, pid) == holder


def test_a_file_system_of_a_program_is_known_by_its_mount():
    """What every desktop has anyhow, and what the kernel does itself, is none."""
    table = (
        b"22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
        b"30 22 0:40 / /sys/fs/fuse rw - fusectl fusectl rw\n"
        b"31 22 0:41 / /run/user/1000/doc rw - fuse.portal portal rw\n"
        b"32 22 0:42 / /games rw shared:7 - fuse.sshfs host:/games rw\n"
        b"33 22 0:43 / /mods rw - fuse /usr/bin/slowfuse rw\n"
    )
    assert served_mounts(table) == {"32": "sshfs", "33": "slowfuse"}


def test_who_traces_a_stopped_game_is_named(kernel):
    """By the program and not by the thread of it that attached."""
    kernel.root.put("/proc/90/status", "Name:\tworker\nTgid:\t89\n")
    kernel.root.put("/proc/89/comm", "gdb\n")
    kernel.put(PID, "game", "t", "ptrace_stop")
    kernel.root.put(f"/proc/{PID}/task/{PID}/status", "Name:\tgame\nTracerPid:\t90\n")
    assert held(kernel.tick(run_ms=0)) == {"89 gdb": "traces"}


def test_a_signal_that_stops_the_game_has_no_sender(kernel):
    """The kernel does not keep who sent it, and nobody is asked."""
    kernel.put(PID, "game", "T", "do_signal_stop")
    assert held(kernel.tick(run_ms=0)) == {}


def test_a_tracer_of_calls_is_named_in_ticks_without_a_look(kernel):
    """It stops the main thread so briefly that it runs as long as it usually does."""
    kernel.root.put("/proc/90/comm", "strace\n")
    kernel.root.put(f"/proc/{PID}/task/{PID}/status", "Name:\tgame\nTracerPid:\t90\n")
    kernel.watch.is_traced = True
    told = kernel.tick()
    assert held(told) == {"90 strace": "traces"}
    assert "game_wait" not in told


def test_the_holder_of_a_lock_that_a_worker_waits_for_is_named(kernel):
    """The main thread waits for that worker."""
    kernel.root.put("/proc/locks", f"1: POSIX ADVISORY WRITE 50 a 0 EOF\n1: -> X Y Z {PID} a\n")
    kernel.root.put("/proc/50/comm", "syncer\n")
    kernel.put(WORKER, "loader", "S", "locks_lock_inode_wait")
    assert held(kernel.tick(run_ms=0)) == {"50 syncer": "locks"}


def test_a_holder_that_has_ended_is_nobody(kernel):
    """A lock that was handed on to a child keeps the number of who took it."""
    kernel.root.put("/proc/locks", f"1: FLOCK ADVISORY WRITE 50 a 0 EOF\n1: -> X Y Z {PID} a\n")
    kernel.put(PID, "game", "S", "flock_lock_inode_wait")
    assert held(kernel.tick(run_ms=0)) == {NOBODY: "locks"}


@pytest.mark.parametrize(("mounts", "name"), [(1, "0 slow"), (2, NOBODY)])
def test_a_file_system_that_keeps_the_game_is_named_if_there_is_one(kernel, mounts, name):
    """Of several the kernel does not tell which."""
    lines = ["32 22 0:42 / /a rw - fuse.slow x rw\n", "33 22 0:43 / /b rw - fuse.other x rw\n"]
    kernel.root.put(f"/proc/{PID}/mountinfo", "".join(lines[:mounts]))
    kernel.put(PID, "game", "D", "request_wait_answer")
    assert held(kernel.tick(run_ms=0)) == {name: "serves"}


def test_a_place_of_the_first_tick_of_a_stutter_is_not_learnt(kernel):
    """It looks well, for the main thread has worked in most of it; the next one tells."""
    kernel.put(WORKER, "loader", "S", "locks_lock_inode_wait")
    for _ in range(6):
        kernel.tick()
        kernel.tick(run_ms=0)
    assert held(kernel.tick(run_ms=0))


def test_files_that_nobody_may_read_name_nobody(tmp_path):
    """As within a sandbox: no failure."""
    holders = holders_of(FakeRoot(tmp_path).files)
    assert holders.tracer(7, 7) == ""
    assert (holders.holder_of_lock(7), holders.server(7)) == (NOBODY, NOBODY)


@contextlib.contextmanager
def _child(work):
    """A process that does ``work`` until the test ends it."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(0)
    try:
        yield pid
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _until(told, wanted, seconds=20.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = told()
        if answer == wanted:
            return answer
        time.sleep(0.01)
    return told()


def _own_name():
    with open("/proc/self/comm") as file:
        return f"{os.getpid()} {file.read().strip()}"


@pytest.mark.parametrize("lock", [fcntl.flock, fcntl.lockf])
def test_this_kernel_tells_who_has_a_lock(tmp_path, lock):
    """A child waits for a lock that this process has: the place and the holder (live)."""
    path = tmp_path / "lock"
    with path.open("w") as mine:
        lock(mine, fcntl.LOCK_EX)

        def wait():
            with path.open("w") as file:
                lock(file, fcntl.LOCK_EX)

        with _child(wait) as pid:

            def how():
                with open(f"/proc/{pid}/wchan", "rb") as file:
                    return how_kept(file.read())

            assert _until(how, Keeps.LOCKS) is Keeps.LOCKS
            assert holders_of(KernelFiles()).holder_of_lock(pid) == _own_name()


def test_this_kernel_tells_who_traces():
    """A child that asked to be traced and stopped is traced by this process (live)."""
    assert sys.platform == "linux"
    library = ctypes.CDLL(None, use_errno=True)

    def be_traced():
        library.ptrace(_PTRACE_TRACEME, 0, None, None)
        os.kill(os.getpid(), signal.SIGSTOP)

    with _child(be_traced) as pid:
        holders = holders_of(KernelFiles())
        assert _until(lambda: holders.tracer(pid, pid), _own_name()) == _own_name()


def test_the_program_that_a_thread_has_started_and_waits_for_is_named():
    """Through the shell of system(). The other tests' programs are another thread's (live)."""

    def start_and_look():
        command = ["/bin/sh", "-c", "sleep 60; true"]
        pid = os.posix_spawn(command[0], command, os.environ, setsid=True)
        try:
            holders, mine = holders_of(KernelFiles()), threading.get_native_id()
            eventually(lambda: holders.child(os.getpid(), mine).endswith(" sleep"))
        finally:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(start_and_look).result()


def test_children_in_a_circle_end(tmp_path):
    """A damaged capture may name a shell as its own child."""
    files = FakeRoot(
        tmp_path,
        {
            "/proc/7/task/8/children": "20 ",
            "/proc/20/task/20/children": "20 ",
            "/proc/20/comm": "sh\n",
        },
    ).files
    assert holders_of(files).child(7, 8) == "20 sh"


def test_of_several_children_none_is_told_to_be_the_one(tmp_path):
    """And nothing of a kernel that keeps no list of them."""
    files = FakeRoot(tmp_path, {"/proc/7/task/8/children": "20 21 "}).files
    assert holders_of(files).child(7, 8) == NOBODY
    assert holders_of(files).child(7, 7) == NOBODY


MOUNTS = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n32 22 0:42 / /games rw - fuse.latefs latefs rw\n"


def reading(kernel, tid, name, mount, *, call="0"):
    """A thread that sleeps as for a drive, in a call whose first argument is a file of a mount."""
    kernel.put(tid, name, "D", "folio_wait_bit_common")
    kernel.root.put(f"/proc/{PID}/task/{tid}/syscall", f"{call} 0x7 0x1 0x2 0x3 0x4 0x5 0x6 0x7\n")
    kernel.root.put(f"/proc/{PID}/fdinfo/7", f"pos:\t0\nflags:\t02\nmnt_id:\t{mount}\nino:\t5\n")


@pytest.mark.parametrize(
    ("mount", "kind", "holders"),
    [("32", "other", {"0 latefs": "serves"}), ("22", "io", {})],
)
def test_a_page_of_a_programs_file_system_is_no_wait_for_a_drive(kernel, mount, kind, holders):
    """The thread sleeps in the same place; of which file it reads its call tells."""
    kernel.root.put(f"/proc/{PID}/mountinfo", MOUNTS)
    reading(kernel, WORKER, "streamer", mount)
    told = kernel.tick(io_us=90_000, run_ms=0)
    row = dict(zip(SOURCES["blocked_thread"].fields, told["blocked_thread"].values, strict=True))
    assert [name for name, value in row.items() if value] == [kind]
    assert held(told) == holders


def test_without_such_a_file_system_nobody_is_asked_for_his_call(kernel):
    """A game that reads much waits for drives all the time."""
    kernel.root.put(f"/proc/{PID}/mountinfo", MOUNTS.splitlines()[0] + "\n")
    reading(kernel, WORKER, "streamer", "32")
    assert held(kernel.tick(io_us=90_000, run_ms=0)) == {}


def test_a_file_system_that_is_mounted_later_is_found(kernel):
    """The table is read again after some looks."""
    kernel.root.put(f"/proc/{PID}/mountinfo", "")
    reading(kernel, WORKER, "streamer", "32")
    holders = holders_of(kernel.root.files)
    assert holders.served(PID) == {}
    kernel.root.put(f"/proc/{PID}/mountinfo", MOUNTS)
    found = [holders.served(PID) for _ in range(64)]
    assert found[0] == {}
    assert found[-1] == {"32": "latefs"}


def test_a_damaged_table_of_a_file_tells_of_no_mount(kernel):
    """As in a captured tree that was cut off: the thread waits for a drive, and nothing fails."""
    kernel.root.put(f"/proc/{PID}/mountinfo", MOUNTS)
    reading(kernel, WORKER, "streamer", "32")
    kernel.root.put(f"/proc/{PID}/fdinfo/7", "pos:\t0\nmnt_id:\n")
    told = kernel.tick(io_us=90_000, run_ms=0)
    row = dict(zip(SOURCES["blocked_thread"].fields, told["blocked_thread"].values, strict=True))
    assert [name for name, value in row.items() if value] == ["io"]
