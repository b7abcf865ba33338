# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads that are read at every tick: the game's busiest, and busy real-time tasks."""

from destutter.sampling.game.busy_threads import BusyThreadSampler
from destutter.sampling.game.game_threads import GameThreads
from destutter.sampling.game.threads import ThreadSampler
from destutter.sampling.game.watched_process import WatchedProcess
from destutter.sampling.processes.realtime_run import (
    KEPT_LOOKS,
    MOST,
    RealtimeRunSampler,
    RealtimeThreads,
)
from tests.support.fake_root import FakeRoot

PID = 7


def test_the_sampler_of_threads_says_who_is_busy(tmp_path):
    """Who works is known after two readings, a second apart, and is read at every tick then."""
    root, now = FakeRoot(tmp_path), [0]
    game_threads, watch = GameThreads(), WatchedProcess(PID)
    threads = ThreadSampler(root.files, watch, None, game_threads, lambda: now[0])
    busy = BusyThreadSampler(root.files, watch, game_threads)
    for second in range(3):
        now[0] = second * 1_000_000_000 + 1
        root.put_thread(PID, PID, "main", 100_000_000 * second)
        root.put_thread(PID, 8, "idle", 5)
        threads.read()
    (told,) = busy.read()
    assert told.instances == (f"{PID} main",)
    assert told.values == (200_000_000, 20)
    runs = game_threads.busy_runs
    assert (runs[0], list(runs[1])) == (told.instances, [200_000_000])
    busy.read()
    assert game_threads.busy_runs[0] is runs[0]  # the same threads: their pace is known (paces.py)
    watch.pid = 99
    assert busy.read() == ()
    assert game_threads.busy_runs == ((), ())  # who rests or has ended does not stand
    threads.close()
    busy.close()


def test_the_thread_that_drives_the_frames_is_told_at_every_tick(tmp_path):
    """Where it is not the first one, whose time the game's own reading has."""
    root, game_threads = FakeRoot(tmp_path), GameThreads()
    game_threads.begin(PID)
    game_threads.busy, game_threads.lead = ((8, "render"), (80, "other")), 8
    root.put(f"/proc/{PID}/task/8/schedstat", "5 1 1\n")
    root.put(f"/proc/{PID}/task/80/schedstat", "9 1 1\n")
    busy = BusyThreadSampler(root.files, WatchedProcess(PID), game_threads)
    busy.read()
    assert game_threads.lead_run_ns == 5
    busy.close()


def test_a_long_wait_for_a_core_is_noted_once(tmp_path):
    """So that who held it is looked at now and not seconds later."""
    root = FakeRoot(tmp_path)
    game_threads, watch = GameThreads(), WatchedProcess(PID)
    game_threads.begin(PID)
    game_threads.busy = ((PID, "main"),)
    busy = BusyThreadSampler(root.files, watch, game_threads)
    for delay_ms in (0, 10, 50):
        root.put(f"/proc/{PID}/task/{PID}/schedstat", f"5 {delay_ms * 1_000_000} 1\n")
        busy.read()
    assert (game_threads.take_hold_up(), game_threads.take_hold_up()) == (True, False)
    busy.close()


def test_a_thread_that_ends_takes_its_name_along(tmp_path):
    """Names and values stay together, also when its number is used again."""
    root, game_threads = FakeRoot(tmp_path), GameThreads()
    game_threads.begin(PID)
    game_threads.busy = ((8, "gone"), (9, "stays"))
    for tid in (8, 9):
        root.put(f"/proc/{PID}/task/{tid}/schedstat", f"{tid} 1 1\n")
    busy = BusyThreadSampler(root.files, WatchedProcess(PID), game_threads)
    assert busy.read()[0][1:] == (("8 gone", "9 stays"), (8, 1, 9, 1))
    root.put(f"/proc/{PID}/task/8/schedstat", b"")
    assert busy.read()[0][1:] == (("9 stays",), (9, 1))
    root.put(f"/proc/{PID}/task/8/schedstat", "3 1 1\n")
    assert busy.read()[0][1:] == (("8 gone", "9 stays"), (3, 1, 9, 1))
    busy.close()


def test_equal_workers_do_not_take_turns():
    """A job system has more workers than are followed, all at about the same pace."""
    game_threads, names = GameThreads(), dict.fromkeys(range(PID, PID + 20), "worker")
    game_threads.begin(PID)
    run_ns, chosen = dict.fromkeys(names, 0), set()
    for second in range(1, 30):
        for tid in run_ns:
            run_ns[tid] += 100_000_000 + tid * second * 15_485_863 % 20_000_000
        game_threads.note(second * 1_000_000_000, names, run_ns)
        chosen |= {game_threads.busy}
    assert len(chosen - {()}) == 1
    run_ns[PID + 19] += 500_000_000
    run_ns = {tid: ns + 100_000_000 for tid, ns in run_ns.items()}
    game_threads.note(30_000_000_000, names, run_ns)
    assert (PID + 19, "worker") in game_threads.busy, (
        "one that works much more than they do comes in"
    )


def test_busy_real_time_threads_are_read_at_every_tick(tmp_path):
    """Those that used time since the last look; who ended is left out."""
    root, threads = FakeRoot(tmp_path), RealtimeThreads()
    sampler = RealtimeRunSampler(root.files, threads)
    assert sampler.read() == ()
    root.put_thread(30, 31, "hog", 400)
    threads.note([("30/31 hog", 9), ("40/40 resting", 0), ("50/50 gone", 3)])
    (told,) = sampler.read()
    assert (told.instances, told.values) == (("30/31 hog",), (400,))
    threads.note([(f"{number}/{number} t", number) for number in range(1, 30)])
    assert len(threads.labels) == MOST
    sampler.close()


def test_a_real_time_thread_that_rests_for_a_look_is_read_on():
    """It computed every two seconds, and each look of a quiet second between took it off."""
    threads = RealtimeThreads()
    threads.note([("30/31 hog", 60), ("30/30 waits", 0)])
    threads.note([("30/31 hog", 0), ("30/30 waits", 0)])
    assert list(threads.labels) == ["30/31 hog"]
    for _ in range(KEPT_LOOKS):
        threads.note([("30/31 hog", 0)])
    assert not threads.labels
    threads.note([("30/31 hog", 60)])
    threads.note([])
    assert not threads.labels
