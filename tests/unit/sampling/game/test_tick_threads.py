# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads that are read at every tick: the game's busiest, and busy real-time tasks."""

from destutter.sampling.game.busy_threads import BusyThreadSampler
from destutter.sampling.game.game import ThreadSampler, WatchedProcess
from destutter.sampling.game.game_threads import GameThreads
from destutter.sampling.processes.realtime_run import MOST, RealtimeRunSampler, RealtimeThreads
from tests.support.fake_root import FakeRoot

PID = 7


def test_the_sampler_of_threads_says_who_is_busy(tmp_path):
    """Who works is known after two readings, a second apart, and is read at every tick then."""
    root, now = FakeRoot(tmp_path), [0]
    roll, watch = GameThreads(), WatchedProcess(PID)
    threads = ThreadSampler(root.files, watch, None, roll, lambda: now[0])
    busy = BusyThreadSampler(root.files, watch, roll)
    for second in range(3):
        now[0] = second * 1_000_000_000 + 1
        root.put_thread(PID, PID, "main", 100_000_000 * second)
        root.put_thread(PID, 8, "idle", 5)
        threads.read()
    (told,) = busy.read()
    assert told.instances == (f"{PID} main",)
    assert told.values == (200_000_000, 20)
    watch.pid = 99
    assert busy.read() == ()
    threads.close()
    busy.close()


def test_the_thread_that_drives_the_frames_is_told_at_every_tick(tmp_path):
    """Where it is not the first one, whose time the game's own reading has."""
    root, roll = FakeRoot(tmp_path), GameThreads()
    roll.begin(PID)
    roll.busy, roll.lead = ((8, "render"), (80, "other")), 8
    root.put(f"/proc/{PID}/task/8/schedstat", "5 1 1\n")
    root.put(f"/proc/{PID}/task/80/schedstat", "9 1 1\n")
    busy = BusyThreadSampler(root.files, WatchedProcess(PID), roll)
    busy.read()
    assert roll.lead_run_ns == 5
    busy.close()


def test_a_long_wait_for_a_core_is_noted_once(tmp_path):
    """So that who held it is looked at now and not seconds later."""
    root = FakeRoot(tmp_path)
    roll, watch = GameThreads(), WatchedProcess(PID)
    roll.begin(PID)
    roll.busy = ((PID, "main"),)
    busy = BusyThreadSampler(root.files, watch, roll)
    for delay_ms in (0, 10, 50):
        root.put(f"/proc/{PID}/task/{PID}/schedstat", f"5 {delay_ms * 1_000_000} 1\n")
        busy.read()
    assert (roll.take_hold_up(), roll.take_hold_up()) == (True, False)
    busy.close()


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
