# SPDX-License-Identifier: GPL-3.0-or-later
"""The watched game: its values, its threads, its end."""

import errno
import os

import pytest

from destutter.sampling.files.measurement import AbsentError
from destutter.sampling.game.game import GameSampler
from destutter.sampling.game.game_status import GameStatusSampler
from destutter.sampling.game.game_threads import GameThreads
from destutter.sampling.game.thread_ranking import ThreadRanking
from destutter.sampling.game.threads import MOST_THREADS, ThreadSampler
from destutter.sampling.game.watched_process import WatchedProcess
from tests.support.fake_root import FakeRoot, process_stat
from tests.support.measuring import read_once

PID = 4711
IO = "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5000\nwrite_bytes: 600\n"
STATUS = (
    "Name:\tgame\nVmRSS:\t 400 kB\nVmSwap:\t 12 kB\n"
    "voluntary_ctxt_switches:\t20\nnonvoluntary_ctxt_switches:\t6\n"
)


@pytest.fixture
def root(tmp_path):
    """A tree with a game."""
    made = FakeRoot(tmp_path)
    made.put_process(PID, "game", utime=70, stime=8, majflt=3, threads=2, rss=100, blkio=9)
    made.put(f"/proc/{PID}/schedstat", "111 222 333\n")
    made.put(f"/proc/{PID}/io", IO)
    made.put(f"/proc/{PID}/status", STATUS)
    return made


@pytest.fixture
def watch():
    """Nothing is watched yet."""
    return WatchedProcess()


@pytest.fixture
def game(root, watch):
    """The sampler of the game."""
    made = GameSampler(root.files, watch, 4096)
    yield made
    made.close()


@pytest.fixture
def threads(root, watch):
    """The sampler of its threads."""
    made = ThreadSampler(root.files, watch)
    yield made
    made.close()


def test_nothing_is_measured_while_nothing_is_watched(game, threads, status):
    """Without a game there are no readings and no complaints."""
    assert (game.read(), threads.read(), status.read()) == ((), (), ())


def test_the_process_as_a_whole(game, watch):
    """Times, faults and memory of the process; I/O waits are unknown without accounting."""
    watch.pid = PID
    values = read_once(game)["game"][""]
    assert values == {
        "user_ticks": 70, "system_ticks": 8, "minor_faults": 0, "major_faults": 3,
        "blkio_ticks": None, "threads": 2, "run_ns": 111, "run_delay_ns": 222,
        "timeslices": 333, "rss_kib": 400, "is_stopped": 0, "is_blocked": 0,
        "waits_for_dirty_limit": 0, "waits_for_journal": 0,
    }  # fmt: skip


def test_io_waits_are_known_with_accounting(root, game, watch):
    """With delay accounting on, the kernel's count is told."""
    root.put("/proc/sys/kernel/task_delayacct", "1\n")
    watch.pid = PID
    assert read_once(game)["game"][""]["blkio_ticks"] == 9


def test_a_kernel_without_schedstat_leaves_it_unknown(root, game, watch):
    """What the kernel does not have is None, and the rest is measured."""
    root.remove(f"/proc/{PID}/schedstat")
    watch.pid = PID
    values = read_once(game)["game"][""]
    assert (values["run_ns"], values["user_ticks"]) == (None, 70)


@pytest.fixture
def status(root, watch):
    """The sampler of its status."""
    made = GameStatusSampler(root.files, watch)
    yield made
    made.close()


def test_hidden_io_leaves_the_rest(status, watch, monkeypatch):
    """Another user's process hides its I/O: those values are unknown and the others told."""
    real = os.open

    def refuse(path, *arguments):
        if str(path).endswith("/io"):
            raise PermissionError(errno.EACCES, "refused")
        return real(path, *arguments)

    monkeypatch.setattr("destutter.core.kernel_files.os.open", refuse)
    watch.pid = PID
    values = read_once(status)["game_status"][""]
    assert (values["read_bytes"], values["swap_kib"]) == (None, 12)


def test_status_is_read_apart(status, watch):
    """Swap, switches and I/O; nothing when the process is gone, which "game" tells."""
    watch.pid = PID
    assert read_once(status)["game_status"][""] == {
        "swap_kib": 12,
        "voluntary_switches": 20,
        "involuntary_switches": 6,
        "read_bytes": 5000,
        "write_bytes": 600,
    }
    watch.pid = 99
    assert status.read() == ()


def test_what_devices_moved_is_read_at_each_tick_and_status_once_a_second(root, watch):
    """The kernel takes long for the latter, and nothing of it is wanted more often."""
    times = [0]
    status = GameStatusSampler(root.files, watch, lambda: times[0])
    watch.pid = PID
    told = []
    for tick in range(12):
        times[0] = tick * 100_000_000
        root.put(f"/proc/{PID}/io", IO.replace("5000", str(5000 + tick)))
        root.put(f"/proc/{PID}/status", STATUS.replace("12 kB", f"{tick} kB"))
        values = read_once(status)["game_status"][""]
        told.append((values["read_bytes"], values["swap_kib"]))
    assert told == [(5000 + tick, 0 if tick < 10 else 10) for tick in range(12)]
    status.close()


def test_the_switches_are_those_of_the_thread_that_drives_the_frames(root, watch):
    """The first one has ended or only waits; what another had before is no growth of it."""
    watch.pid = PID
    times = [0]
    game_threads = GameThreads()
    game_threads.begin(PID)
    status = GameStatusSampler(root.files, watch, lambda: times[0], game_threads)
    root.put(f"/proc/{PID}/task/{PID}/status", STATUS)
    root.put(f"/proc/{PID}/task/9/status", STATUS.replace("20", "900"))
    told = []
    for lead in (PID, 9, 9, PID, PID):
        times[0] += 1_000_000_000
        game_threads.lead = lead
        told.append(read_once(status)["game_status"][""]["voluntary_switches"])
    assert told == [20, None, 900, None, 20]
    status.close()


@pytest.mark.parametrize("line", [None, process_stat(PID, "game", state="Z")])
def test_a_game_that_has_ended_is_absent(root, game, watch, line):
    """A process that is gone, or that only waits to be reaped, is told by its number."""
    watch.pid = PID
    game.read()
    if line is None:
        root.remove(f"/proc/{PID}")
        game.close()
    else:
        root.put(f"/proc/{PID}/stat", line)
    with pytest.raises(AbsentError, match=str(PID)):
        game.read()


def test_another_game_is_read_from_its_own_files(root, game, watch):
    """After the watch moved, the values are those of the other process."""
    watch.pid = PID
    game.read()
    root.put_process(8, "other", utime=1)
    watch.pid = 8
    assert read_once(game)["game"][""]["user_ticks"] == 1


def test_threads_come_and_go(root, threads, watch):
    """The instances follow the threads, named by number and name."""
    root.put_thread(PID, PID, "game", run_ns=10)
    root.put_thread(PID, 4712, "render (main)", run_ns=30)
    watch.pid = PID
    found = read_once(threads)["thread"]
    assert list(found) == ["4711 game", "4712 render (main)"]
    assert (found["4712 render (main)"]["run_ns"], found["4711 game"]["timeslices"]) == (30, 3)
    root.remove(f"/proc/{PID}/task/4712")
    root.put_thread(PID, 4713, "audio")
    assert list(read_once(threads)["thread"]) == ["4711 game", "4713 audio"]


def test_a_thread_that_ran_is_read_again(root, threads, watch):
    """When a thread has run, its name and times are those of now."""
    root.put_thread(PID, PID, "game", run_ns=10)
    watch.pid = PID
    read_once(threads)
    root.put(f"/proc/{PID}/task/{PID}/stat", process_stat(PID, "dxvk-shader", utime=9))
    root.put(f"/proc/{PID}/task/{PID}/schedstat", "77 20 4\n")
    found = read_once(threads)["thread"]
    assert found["4711 dxvk-shader"]["run_ns"] == 77
    assert found["4711 dxvk-shader"]["user_ticks"] == 9


def test_threads_of_a_process_that_is_gone_are_absent(threads, watch):
    """Threads cannot be listed without their process."""
    watch.pid = 99
    with pytest.raises(AbsentError, match="99"):
        threads.read()


def test_the_busiest_of_many_threads_are_followed(root, watch):
    """Of a game with very many threads, those that used most CPU are chosen by a look."""
    count = MOST_THREADS + 20
    for number in range(count):
        root.put_thread(PID, PID + number, f"t{number}", run_ns=number)
    busiest = ThreadRanking(root.files, watch)
    sampler = ThreadSampler(root.files, watch, busiest.choose)
    watch.pid = PID
    first = read_once(sampler)["thread"]
    assert list(first) == [f"{PID + n} t{n}" for n in range(MOST_THREADS)]
    busiest.look()
    chosen = read_once(sampler)["thread"]
    assert list(chosen) == [f"{PID + n} t{n}" for n in range(20, count)]
    sampler.close()


def test_a_look_without_a_game_does_nothing(root, watch):
    """Ranking threads of no game, or of a small one, costs nothing and chooses all."""
    busiest = ThreadRanking(root.files, watch)
    busiest.look()
    root.put_thread(PID, PID, "game")
    watch.pid = PID
    busiest.look()
    assert list(busiest.choose(PID, [PID])) == [PID]
