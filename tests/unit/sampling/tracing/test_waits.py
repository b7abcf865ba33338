# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits for memory and for a core, and what happens at a moment, from records to what is told."""

import pytest

from destutter.core.traced import FilesystemCommit, TracedMoment, TracedThread, TracedWait
from tests.support.built_pages import ns

RENDER = TracedThread(4711, "RenderThread", 4700)
RECLAIM = ("vmscan/mm_vmscan_direct_reclaim_begin", "vmscan/mm_vmscan_direct_reclaim_end")
MEMCG = ("vmscan/mm_vmscan_memcg_reclaim_begin", "vmscan/mm_vmscan_memcg_reclaim_end")
COMPACTION = ("compaction/mm_compaction_begin", "compaction/mm_compaction_end")
GAME_0, GAME_1 = 2, 3  # the rings of the second instance


def waits(look):
    """What is told of waits: kind, thread, begin and length in ms."""
    return [
        (each.kind, each.thread.name, each.begin_ns / 1e6, each.duration_ns / 1e6)
        for each in look.waits
    ]


@pytest.mark.parametrize(
    ("kind", "begin", "end"),
    [("reclaim", *RECLAIM), ("memcg_reclaim", *MEMCG), ("compaction", *COMPACTION)],
)
def test_a_wait_for_memory_is_paired_by_its_thread(stage, kind, begin, end):
    """Across processors and looks; a short one counts only, another thread's end is no end."""
    stage.emit(0, 10, begin, common_pid=4711)
    stage.emit(0, 11, begin, common_pid=4700)
    assert stage.look(50).waits == ()
    stage.emit(1, 60, end, common_pid=4711)
    stage.emit(0, 13, end, common_pid=4700)
    look = stage.look(100)
    assert waits(look) == [(kind, "RenderThread", 10, 50)]
    assert look.waits[0].thread == RENDER
    assert look.counts == {"events": 2, kind: 2}


def steps(stage, tid, first_ms, count, every_ms, length_ms=0.5):
    """Many short waits of one thread."""
    for each in range(count):
        at = first_ms + each * every_ms
        stage.emit(0, at, COMPACTION[0], common_pid=tid)
        stage.emit(0, at + length_ms, COMPACTION[1], common_pid=tid)


def test_short_waits_of_the_game_that_follow_each_other_are_one(stage):
    """Memory is freed and moved in steps; as long as all together, from the first of them on."""
    stage.reader.game = 4700
    steps(stage, 4711, 10, 20, 0.75)
    steps(stage, 800, 30, 20, 0.75)
    look = stage.look(100)
    assert waits(look) == [("compaction", "RenderThread", 10, pytest.approx(10))]
    assert look.counts["compaction"] == 40


def test_short_waits_with_work_between_them_are_none(stage):
    """A thread that gets on between two steps waits for nothing that a frame would feel."""
    stage.reader.game = 4700
    steps(stage, 4711, 10, 20, 2.0)
    assert stage.look(100).waits == ()


def test_what_is_too_short_to_be_told_is_added_up_of_the_game(stage):
    """So that a stutter of many short waits can be told from one of none; of others it is not."""
    stage.reader.game = 4700
    steps(stage, 4711, 10, 20, 2.0)
    steps(stage, 800, 55, 20, 2.0)
    look = stage.look(100)
    assert look.short_ns == {"compaction": ns(10)}
    assert stage.look(200).short_ns == {}


def test_crumbs_count_whosever_they_are(stage):
    """Nobody is asked for 50 us, and what is an upper bound stays one."""
    stage.reader.game = 4700
    steps(stage, 800, 10, 1, 2.0, length_ms=0.05)
    assert stage.look(100).short_ns == {"compaction": ns(0.05)}


def test_whose_short_waits_nobody_asks_where_no_game_is_followed(stage):
    """Then nothing rests on them."""
    steps(stage, 4711, 10, 20, 2.0)
    assert stage.look(100).short_ns is None


def test_a_long_run_of_short_waits_comes_in_pieces(stage):
    """Else what is told of it as a wait would lie ever further before where it was."""
    stage.reader.game = 4700
    steps(stage, 4711, 10, 60, 1.0)
    found = waits(stage.look(100))
    assert [begin for *_, begin, _ in found] == [10, 31, 52]
    assert [length for *_, length in found] == pytest.approx([10.5, 10.5, 9])


def test_nobodys_short_waits_are_told_without_a_game(stage):
    """Of others only what is long."""
    steps(stage, 4711, 10, 20, 0.75)
    assert stage.look(100).waits == ()


def test_the_kernels_own_compaction_is_nobodys_wait(stage):
    """kcompactd works so that others need not wait."""
    stage.emit(0, 10, COMPACTION[0], common_pid=99)
    stage.emit(0, 90, COMPACTION[1], common_pid=99)
    assert stage.look(100).waits == ()


def test_the_order_of_time_holds_across_processors(stage):
    """A ring that is read first does not end what a younger record of another one begins."""
    stage.emit(1, 20, RECLAIM[0], common_pid=4711)
    stage.emit(0, 30, RECLAIM[1], common_pid=4711)
    stage.emit(0, 40, RECLAIM[0], common_pid=4711)
    stage.emit(1, 52, RECLAIM[1], common_pid=4711)
    assert [length for *_, length in waits(stage.look(60))] == [10, 12]


def test_what_is_younger_than_the_look_stays_for_the_next(stage):
    """Older records of other rings may still come."""
    stage.emit(1, 20, RECLAIM[0], common_pid=4711)
    stage.emit(1, 60, RECLAIM[1], common_pid=4711)
    assert stage.look(50).waits == ()
    stage.emit(0, 55, RECLAIM[1], common_pid=4711)
    stage.emit(0, 56, RECLAIM[0], common_pid=4711)
    assert [length for *_, length in waits(stage.look(70))] == [35, 4]


def test_pauses_that_the_kernel_imposes_say_everything_by_themselves(stage):
    """Throttled reclaim is told behind the wait, the pause of a writer before it."""
    stage.emit(0, 50, "vmscan/mm_vmscan_throttled", common_pid=4711, usec_delayed=20_000)
    stage.emit(0, 51, "vmscan/mm_vmscan_throttled", common_pid=4711, usec_delayed=900)
    stage.emit(1, 60, "writeback/balance_dirty_pages", common_pid=4700, pause=180, bdi="259:0")
    look = stage.look(100)
    assert waits(look) == [("throttled", "RenderThread", 30, 20), ("dirty_pause", "game", 60, 180)]
    assert look.waits[1].device == "nvme0n1"
    assert look.counts == {"events": 3, "throttled": 2, "dirty_pause": 1}


def switch(stage, ring, time_ms, before, after, state=1, priority=120):
    """A core goes from one thread to another."""
    stage.emit(
        ring,
        time_ms,
        "sched/sched_switch",
        prev_pid=before[0],
        prev_comm=before[1],
        prev_prio=priority,
        prev_state=state,
        next_pid=after[0],
        next_comm=after[1],
    )


GAME, HOG, IDLE = (4711, "RenderThread"), (800, "rt-hog"), (0, "swapper/0")


def test_a_woken_thread_waits_until_it_runs(stage):
    """Behind whom, and with what priority; the idling core holds up nobody."""
    stage.reader.game = 4700
    stage.emit(GAME_0, 10, "sched/sched_waking", pid=4711)
    switch(stage, GAME_1, 40, HOG, GAME, state=0, priority=49)
    stage.emit(GAME_0, 60, "sched/sched_waking", pid=4711)
    switch(stage, GAME_1, 70, IDLE, GAME, state=0)
    look = stage.look(100)
    hog = TracedThread(800, "rt-hog")
    assert look.waits[0] == TracedWait(RENDER, "core", ns(10), ns(30), "", hog, 49)
    assert (look.waits[1].duration_ns, look.waits[1].behind) == (ns(10), None)
    assert look.counts["core"] == 2


@pytest.mark.parametrize("state", [0, 256])
def test_a_thread_that_could_go_on_waits_from_its_switch_out(stage, state):
    """Preempted, as older kernels write it, and as newer ones do."""
    stage.reader.game = 4700
    switch(stage, GAME_0, 10, GAME, HOG, state=state)
    switch(stage, GAME_0, 25, HOG, GAME)
    assert [(each.begin_ns, each.duration_ns) for each in stage.look(50).waits] == [
        (ns(10), ns(15))
    ]


def test_a_waking_while_it_still_runs_is_no_wait(stage):
    """It was woken before it slept, went on, and waits for something else since."""
    stage.reader.game = 4700
    stage.emit(GAME_0, 10, "sched/sched_waking", pid=4711)
    switch(stage, GAME_0, 11, GAME, HOG, state=1)
    switch(stage, GAME_0, 40, HOG, GAME)
    assert stage.look(50).waits == ()


def test_of_others_only_ksoftirqd_is_told(stage):
    """Who is woken by the game is seen to be woken, and not to run: that is no wait."""
    stage.reader.game = 4700
    stage.emit(GAME_0, 10, "sched/sched_waking", pid=800)
    stage.emit(GAME_0, 20, "sched/sched_waking", pid=12)
    switch(stage, GAME_0, 90, GAME, HOG)
    switch(stage, GAME_1, 44, HOG, (12, "ksoftirqd/0"))
    assert waits(stage.look(100)) == [("core", "ksoftirqd/0", 20, 24)]


def test_commits_have_their_phases(stage):
    """ext4 counts in ticks of 4 ms; btrfs tells that it was."""
    drive = 259 << 20
    phases = {"locked": 1, "flushing": 10, "logging": 20}
    stage.emit(0, 10, "jbd2/jbd2_run_stats", dev=drive, **phases)
    stage.emit(0, 20, "btrfs/btrfs_transaction_commit", fsid=bytes(range(16)))
    assert stage.look(50).commits == (
        FilesystemCommit("ext4", "nvme0n1", ns(10), ns(4), ns(40), ns(80)),
        FilesystemCommit("btrfs", "00010203-0405-0607-0809-0a0b0c0d0e0f", ns(20)),
    )


def test_moments_are_told_by_whom(stage):
    """Writers held back, a split lock, somebody killed; no address goes on."""
    stage.emit(0, 10, "wbt/wbt_timer", name="259:0", step=1)
    stage.emit(0, 11, "wbt/wbt_timer", name="259:0", step=-1)
    text = "x86/split lock detection: #AC: Render/1/4711 took a split_lock trap at address: 0x45"
    stage.emit(0, 12, "printk/console", msg=text)
    stage.emit(0, 13, "printk/console", msg="x86/split lock detection: #AC: crashing the kernel")
    stage.emit(0, 14, "oom/mark_victim", pid=4700, comm="game")
    assert stage.look(50).moments == (
        TracedMoment("wbt", ns(10), "nvme0n1"),
        TracedMoment("split_lock", ns(12), thread=TracedThread(4711, "Render/1", 4700)),
        TracedMoment("oom_kill", ns(14), thread=TracedThread(4700, "game", 4700)),
    )


def test_in_a_crowd_the_games_own_waits_are_told(stage, computer):
    """Others wait longer and more often; what is left out is surely none of the game's."""
    stage.reader.game = 4700
    crowd = range(20_000, 20_149)
    for tid in crowd:
        folder = computer / "proc" / str(tid)
        folder.mkdir()
        (folder / "status").write_text(f"Name:\thog\nTgid:\t{tid}\nPid:\t{tid}\n")
    for tid in (*crowd, 4711):
        stage.emit(0, 10, RECLAIM[0], common_pid=tid)
    for tid in (4711, *crowd):
        stage.emit(0, 18 if tid == 4711 else 60, RECLAIM[1], common_pid=tid)
    look = stage.look(100)
    assert RENDER in {each.thread for each in look.waits}
    assert (len(look.waits), look.untold, look.untold_other_waits) == (100, 50, 50)


def test_whose_waits_nobody_knows_are_not_others(stage):
    """Their numbers are gone: each may have been a thread of the game."""
    stage.reader.game = 4700
    for tid in range(20_000, 20_150):
        stage.emit(0, 10, RECLAIM[0], common_pid=tid)
    for tid in range(20_000, 20_150):
        stage.emit(0, 60, RECLAIM[1], common_pid=tid)
    look = stage.look(100)
    assert (len(look.waits), look.untold, look.untold_other_waits) == (100, 50, 0)
