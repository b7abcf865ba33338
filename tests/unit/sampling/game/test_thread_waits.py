# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at what the game's threads wait for: when there is one, and what it sees."""

import shutil

import pytest

from destutter.core.catalog import SOURCES
from destutter.sampling.files.kept_file import KeptFile
from destutter.sampling.game.game_threads import MOST_BUSY, AloneWait, GameThreads
from tests.unit.sampling.game.game_kernel import PID, WORKER, GameKernel, seen


def test_without_lost_time_nobody_is_looked_at(kernel):
    """The dear files are left alone while the game runs as usual."""
    assert kernel.tick() == {}


@pytest.mark.parametrize("lost", [{"io_us": 3000}, {"memory_us": 3000}, {"run_ms": 2.0}])
def test_lost_time_is_a_reason_to_look(kernel, lost):
    """Pressure of drives or memory, or a main thread that runs less than usual."""
    assert seen(kernel.tick(**lost))["looks"] == 1


def test_a_main_thread_that_cannot_be_woken_is_looked_at_in_the_same_tick(kernel):
    """It ran as usual until just before; in the next tick the wait may be over."""
    kernel.put(PID, "game", "D", "vm_mmap_pgoff")
    kernel.watch.is_blocked = True
    assert seen(kernel.tick())["maps"] == 1
    kernel.put(PID, "game", "S", "futex_wait_queue")
    kernel.watch.is_blocked = False
    assert kernel.tick() == {}


def test_a_worker_that_waits_for_a_drive_is_found_behind_the_main_thread(kernel):
    """The main thread only sleeps in a futex; who holds it up is told by name."""
    kernel.put(WORKER, "streamer", "D", "folio_wait_bit_common")
    told = kernel.tick(io_us=90_000, run_ms=0)
    assert seen(told) == {
        "looks": 1, "stopped": 0, "io": 1, "memory": 0, "dirty": 0, "journal": 0, "maps": 0,
        "other": 0, "frozen": 0, "main_futex": 1,
        "main_socket": 0, "main_pipe": 0, "main_events": 0,
        "main_timer": 0, "main_gpu": 0, "main_other": 0,
        "main_server": 0, "main_untimed": None,
    }  # fmt: skip
    assert told["blocked_thread"].instances == (f"{WORKER} streamer",)
    assert told["blocked_thread"].values == (1, 0, 0, 0, 0, 0, 0)


def test_a_stopped_game_is_told(kernel):
    """All threads stand still, as a debugger leaves them."""
    kernel.put(PID, "game", "T", "do_signal_stop")
    kernel.put(WORKER, "streamer", "T", "do_signal_stop")
    assert seen(kernel.tick(run_ms=0))["stopped"] == 2


@pytest.mark.parametrize(
    ("state", "place"),
    [("D", "futex_wait_queue"), ("D", "hrtimer_nanosleep"), ("S", "get_signal")],
)
def test_a_frozen_group_is_a_stopped_game(kernel, state, place):
    """Both versions of the freezer of control groups: no wait of the game's."""
    kernel.put(PID, "game", state, place)
    told = seen(kernel.tick(run_ms=0))
    assert (told["stopped"], told["io"], told["main_other"]) == (1, 0, 0)


def test_a_thread_that_was_woken_between_two_files_is_not_frozen(kernel, monkeypatch):
    """Blocked when its state was read, asleep in a futex when its place was."""
    kernel.put(PID, "game", "D", "futex_wait_queue")
    find = KeptFile.find

    def woken(file):
        if file.path.endswith("wchan"):
            kernel.put(PID, "game", "S", "futex_wait_queue")
        return find(file)

    monkeypatch.setattr(KeptFile, "find", woken)
    assert seen(kernel.tick(run_ms=0))["stopped"] == 0


def test_a_place_that_nobody_tells_is_no_place(kernel):
    """The process of somebody else: blocked, and not known by what."""
    kernel.put(WORKER, "streamer", "D", "0")
    told = seen(kernel.tick(run_ms=0))
    assert (told["io"], told["other"]) == (0, 1)


def test_a_computer_that_is_always_under_pressure_costs_no_more(kernel):
    """Looks have an allowance: a few at once, then 0.3 % of a core (0.5 ms for each look)."""
    looks = sum(bool(kernel.tick(io_us=50_000)) for _ in range(300))
    assert looks <= 6 + 30 * 0.003 / 0.0005 + 1


def test_looks_are_left_for_a_main_thread_that_stops(kernel):
    """Pressure alone never spends the last half of the allowance."""
    for _ in range(100):
        kernel.tick(io_us=50_000)
    assert all(kernel.tick(io_us=50_000, run_ms=0) for _ in range(3))


def test_another_game_begins_anew(kernel):
    """Nothing of the old one is told of a process whose threads are not known yet."""
    kernel.watch.pid = 99
    assert kernel.tick(io_us=50_000) == {}
    kernel.watch.pid = None
    assert kernel.tick(io_us=50_000) == {}


def test_the_busiest_threads_are_taken_in_and_leave_slowly():
    """From 2 % of a core on, a dozen at most; who rests for some seconds leaves."""
    game_threads = GameThreads()
    game_threads.begin(PID)
    names = {tid: f"worker-{tid}" for tid in range(20)}
    run = dict.fromkeys(names, 0)
    game_threads.note(1, names, run)
    assert not game_threads.busy
    run = {tid: (tid + 1) * 10_000_000 for tid in range(20)}
    game_threads.note(1_000_000_001, names, run)
    assert [tid for tid, _ in game_threads.busy] == list(range(20 - MOST_BUSY, 20))
    kept = game_threads.busy
    game_threads.note(2_000_000_001, names, run)
    assert set(game_threads.busy) <= set(kept)
    for second in range(3, 12):
        game_threads.note(second * 1_000_000_000, names, run)
    assert not game_threads.busy


def test_the_thread_that_shows_the_frames_drives_them():
    """Not the first one, be that at work or not; it is among the busy ones from 0.5 % on."""
    game_threads = GameThreads()
    game_threads.begin(PID)
    game_threads.shows_frames = 8
    for second in range(1, 8):
        run = {PID: second * 300_000_000, 8: second * 6_000_000, 9: second * 6_000_000}
        game_threads.note(second * 1_000_000_000, {PID: "game", 8: "render", 9: "audio"}, run)
    assert game_threads.lead == 8
    assert game_threads.busy == ((PID, "game"), (8, "render"))
    game_threads.shows_frames = None
    game_threads.note(9_000_000_000, {PID: "game"}, {PID: 3_000_000_000})
    assert game_threads.lead == PID


@pytest.mark.parametrize(
    ("io_us", "run_ms", "held_up"), [(60_000, 1.0, True), (60_000, 10.0, False), (0, 1.0, False)]
)
def test_who_did_it_is_looked_for_when_the_game_pauses_and_time_is_lost(
    kernel, io_us, run_ms, held_up
):
    """A pause alone is a menu, and time that only others lose is no matter of the game."""
    kernel.settle()
    kernel.game_threads.take_hold_up()
    kernel.tick(io_us=io_us, run_ms=run_ms)
    assert kernel.game_threads.take_hold_up() is held_up


def unusual(told):
    """The threads that were found where they never were, with what each does."""
    if "unusual_thread" not in told:
        return {}
    fields = SOURCES["unusual_thread"].fields
    measured = told["unusual_thread"]
    rows = zip(*[iter(measured.values)] * len(fields), strict=True)
    return {name: fields[row.index(1)] for name, row in zip(measured.instances, rows, strict=True)}


@pytest.mark.parametrize(
    ("state", "place", "found"),
    [
        ("S", "hrtimer_nanosleep", "timer"),
        ("S", "unix_stream_read_generic", "socket"),
        ("S", "anon_pipe_read", "pipe"),
        ("S", "do_poll", "events"),
        ("S", "request_wait_answer", "server"),
        ("S", "do_wait", "other"),
        ("R", "0", "running"),
    ],
)
@pytest.mark.parametrize("main", ["futex_wait_queue", "do_poll"])
def test_a_worker_that_is_where_it_never_is_is_named(kernel, state, place, found, main):
    """The main thread waits for it, and all that can be seen is where that one is."""
    kernel.put(PID, "game", "S", main)
    kernel.put(WORKER, "loader", state, place)
    assert unusual(kernel.tick(run_ms=0)) == {f"{WORKER} loader": found}


def _reads_from_itself(kernel, tid):
    """A thread that reads from a pipe into which the same process may write."""
    folder = kernel.root.folder / f"proc/{PID}/fd"
    folder.mkdir()
    for number, flags in ((5, "0"), (6, "01")):
        (folder / str(number)).symlink_to("pipe:[9]")
        kernel.root.put(f"/proc/{PID}/fdinfo/{number}", f"pos:\t0\nflags:\t{flags}\n")
    kernel.root.put(f"/proc/{PID}/task/{tid}/syscall", "0 0x5 0x1 0x2 0x3 0x4 0x5 0x6 0x7\n")


def test_who_reads_from_a_pipe_of_its_own_game_waits_for_a_thread_of_it(kernel):
    """As in a futex; nobody is looked for at its ends, and who holds it up is told."""
    _reads_from_itself(kernel, PID)
    kernel.put(PID, "game", "S", "anon_pipe_read")
    kernel.put(WORKER, "loader", "S", "hrtimer_nanosleep")
    told = kernel.tick(run_ms=0)
    found = seen(told)
    assert (found["main_futex"], found["main_pipe"], found["main_untimed"]) == (1, 0, 1)
    assert unusual(told) == {f"{WORKER} loader": "timer"}
    assert kernel.game_threads.waits_alone == AloneWait(in_memory=True)


def test_a_worker_at_a_pipe_of_its_own_game_waits_for_work(kernel):
    """It is the one that writes into it that counts."""
    _reads_from_itself(kernel, WORKER)
    kernel.put(PID, "game", "S", "futex_wait_queue")
    kernel.put(WORKER, "loader", "S", "anon_pipe_read")
    assert unusual(kernel.tick(run_ms=0)) == {}


def test_who_is_where_it_never_is_stands_out_beside_a_program_that_always_reads(tmp_path):
    """Where the threads usually are is learnt while the game runs, whoever else waits."""
    kernel = GameKernel(tmp_path)
    for _ in range(30):
        kernel.tick(io_us=90_000)
    kernel.put(WORKER, "job-0", "S", "locks_lock_inode_wait")
    assert unusual(kernel.tick(io_us=90_000, run_ms=0)) == {f"{WORKER} job-0": "other"}
    kernel.sampler.close()


def test_where_a_thread_is_when_the_game_pauses_is_not_taken_for_usual(tmp_path):
    """A stutter begins within a tick that looks well."""
    kernel = GameKernel(tmp_path)
    for _ in range(30):
        kernel.tick(io_us=90_000)
    kernel.put(WORKER, "job-0", "S", "locks_lock_inode_wait")
    for _ in range(10):
        kernel.tick(io_us=90_000)
        assert unusual(kernel.tick(io_us=90_000, run_ms=0)) == {f"{WORKER} job-0": "other"}
        kernel.put(WORKER, "job-0", "S", "futex_wait_queue")
        for _ in range(5):
            kernel.tick(io_us=90_000)
        kernel.put(WORKER, "job-0", "S", "locks_lock_inode_wait")
    kernel.sampler.close()


@pytest.mark.parametrize("state", ["S", "R", "D"])
def test_a_main_thread_that_naps_alone_may_wait_in_shared_memory(kernel, state):
    """It looks again and again for what another process will write; not where one of its own
    threads does anything.
    """
    kernel.put(PID, "game", "S", "hrtimer_nanosleep")
    kernel.put(WORKER, "loader", state, "0" if state == "R" else "futex_wait_queue")
    kernel.game_threads.take_wait()
    kernel.tick(run_ms=0)
    wait = kernel.game_threads.take_wait()
    assert (wait is not None and wait.in_memory) is (state == "S")


def test_a_worker_that_a_main_thread_spins_for_is_named(kernel):
    """It runs far more than it usually does; of those that usually work one is elsewhere."""
    kernel.put(PID, "game", "R", "0")
    kernel.put(WORKER, "loader", "S", "hrtimer_nanosleep")
    kernel.game_threads.busy = ((PID, "game"), (WORKER, "loader"))
    told = kernel.tick(run_ms=90.0)
    assert seen(told)["main_futex"] == 0
    assert unusual(told) == {f"{WORKER} loader": "timer"}


def test_a_thread_that_seldom_works_is_not_looked_up_for_a_main_thread_that_runs(kernel):
    """It computes, and hundreds sleep beside it: what they sleep in is dear to ask."""
    kernel.put(PID, "game", "R", "0")
    kernel.put(WORKER, "sound", "S", "hrtimer_nanosleep")
    assert unusual(kernel.tick(run_ms=90.0)) == {}


def test_a_main_thread_that_always_runs_is_not_looked_at(kernel):
    """A level is loaded for seconds, or it waits for the display without sleeping."""
    assert sum(bool(kernel.tick(run_ms=95.0)) for _ in range(100)) < 10
    for _ in range(30):
        assert kernel.tick(run_ms=95.0) == {}


def test_a_worker_that_always_sleeps_there_is_not_named(kernel):
    """Sound and network sleep on timers and in polls in every frame."""
    kernel.put(WORKER, "sound", "S", "hrtimer_nanosleep")
    kernel.settle()
    kernel.put(WORKER, "sound", "S", "futex_wait_queue")
    kernel.settle()
    kernel.put(WORKER, "sound", "S", "hrtimer_nanosleep")
    assert unusual(kernel.tick(run_ms=0)) == {}


def test_a_thread_that_just_began_is_not_named(kernel):
    """It was there while all was well, and where it usually is nobody knows yet."""
    kernel.game_threads.tids = (PID, WORKER, 9, 10)
    kernel.put(9, "new", "S", "hrtimer_nanosleep")
    kernel.put(10, "new", "S", "hrtimer_nanosleep")
    kernel.tick()
    assert len(unusual(kernel.tick(run_ms=0))) == 0


@pytest.mark.parametrize(
    ("state", "place", "found"),
    [("S", "hrtimer_nanosleep", "timer"), ("R", "0", "running"), ("S", "futex_wait_queue", None)],
)
def test_a_thread_that_was_started_for_the_work_is_named(kernel, state, place, found):
    """The main thread joins it; it is in no list of before, and gone in the next one."""
    kernel.put(PID, "game", "S", "futex_wait_queue")
    kernel.put(9, "level-init", state, place)
    kernel.watch.threads = 3
    told = kernel.tick(run_ms=0)
    assert unusual(told) == ({"9 level-init": found} if found else {})
    kernel.game_threads.tids = (PID, WORKER, 9)
    assert unusual(kernel.tick(run_ms=0)) == unusual(told)


def test_of_very_many_threads_the_newest_are_looked_at(kernel):
    """Games have 400, and the one that was started for the work has the highest number."""
    kernel.game_threads.tids = many = tuple(range(PID, PID + 400))
    kernel.tick()
    for tid in (*many[2:], 900):
        kernel.put(tid, "pool", "S", "futex_wait_queue")
    kernel.put(900, "level-init", "R", "0")
    assert unusual(kernel.tick(run_ms=0)) == {"900 level-init": "running"}


def test_nobody_is_named_while_the_main_thread_is_elsewhere(kernel):
    """It sleeps on a timer itself, so that it waits for none of them."""
    kernel.put(PID, "game", "S", "hrtimer_nanosleep")
    kernel.put(WORKER, "loader", "S", "hrtimer_nanosleep")
    assert unusual(kernel.tick(run_ms=0)) == {}


def test_a_thread_that_is_woken_while_it_is_looked_at_does_not_run(kernel):
    """Asleep by the one file, in no place by the other."""
    kernel.put(WORKER, "loader", "S", "0")
    assert unusual(kernel.tick(run_ms=0)) == {}


def test_the_number_of_a_thread_that_is_gone_is_forgotten(kernel):
    """Another thread may get it, and is elsewhere."""
    kernel.game_threads.tids = (PID,)
    shutil.rmtree(kernel.root.folder / f"proc/{PID}/task/{WORKER}")
    kernel.tick(run_ms=0)
    kernel.game_threads.tids = (PID, WORKER)
    kernel.put(WORKER, "other", "S", "hrtimer_nanosleep")
    assert unusual(kernel.tick(run_ms=0)) == {}


def test_a_first_thread_that_only_waits_for_the_end_is_not_the_main_thread(kernel):
    """A loader or a runtime: the busiest thread drives the frames, and its pauses count."""
    run_ns = {PID: 5, WORKER: 0, 9: 0}
    names = {PID: "game", WORKER: "render", 9: "sound"}
    for second in range(1, 6):
        run_ns |= {WORKER: second * 300_000_000, 9: second * 50_000_000}
        kernel.game_threads.note(second * 1_000_000_000, names, run_ns)
    assert kernel.game_threads.lead == WORKER
    kernel.game_threads.tids = (PID, WORKER, 9)
    kernel.put(9, "sound", "S", "futex_wait_queue")
    for tick in range(30):
        kernel.game_threads.lead_run_ns = tick * 30_000_000
        assert kernel.tick(run_ms=0) == {}
    kernel.put(WORKER, "render", "S", "futex_wait_queue")
    kernel.put(9, "sound", "S", "hrtimer_nanosleep")
    told = kernel.tick(run_ms=0)
    assert seen(told)["main_futex"] == 1
    assert unusual(told) == {"9 sound": "timer"}
    kernel.game_threads.note(6_000_000_000, names, {**run_ns, PID: 200_000_000})
    assert kernel.game_threads.lead == PID


def test_the_pause_of_another_thread_than_the_first_is_told(kernel):
    """The first one only takes in events and goes on; the one that draws waits for a program."""
    names = (f"{PID} game", f"{WORKER} render")
    runs = [0, 0]

    def tick(render_ms):
        runs[0] += 10_000_000
        runs[1] += int(render_ms * 1e6)
        kernel.game_threads.busy_runs = names, tuple(runs)
        return kernel.tick()

    for _ in range(30):
        assert tick(40) == {}
    assert tick(30) == {}
    kernel.put(WORKER, "render", "S", "do_wait")
    told = seen(tick(0))
    assert (told["looks"], told["main_other"], told["main_futex"]) == (1, 1, 0)


def test_a_main_thread_that_is_held_up_for_two_seconds_stays_the_main_thread(kernel):
    """Others work on, and it is still the one that the frames wait for."""
    names = {PID: "game", WORKER: "render"}
    for second in range(1, 4):
        kernel.game_threads.note(
            second * 1_000_000_000, names, {PID: 5, WORKER: second * 300_000_000}
        )
    assert kernel.game_threads.lead == PID


CROWD = range(100, 150)


class Crowd:
    """A freeze of a game of 52 threads, of which the first worker is busy; a tick at a time."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.follow((PID, WORKER, *CROWD))
        kernel.game_threads.busy = ((WORKER, "streamer"),)

    def follow(self, tids):
        """These are the threads."""
        for tid in set(tids) - {PID, WORKER}:
            self.kernel.put(tid, "idle", "S", "futex_wait_queue")
        self.kernel.game_threads.tids = tids
        self.kernel.watch.threads = len(tids)

    def block(self, tid):
        """It waits for a drive from now on."""
        self.kernel.put(tid, "any", "D", "folio_wait_bit_common")

    def look(self):
        """How many were found waiting for a drive; the first look costs half of what is saved."""
        self.kernel.look_ns = 3_000_000 if self.kernel.look_ns == 500_000 else 300_000
        return seen(self.kernel.tick(run_ms=0))["io"]


@pytest.fixture
def crowd(kernel):
    """A game of many threads."""
    return Crowd(kernel)


def test_a_freeze_has_one_whole_look_and_then_short_ones(crowd):
    """Who usually works is looked at again and again, and who rested at its begin no more."""
    crowd.block(WORKER)
    assert crowd.look() == 1
    crowd.block(CROWD[20])
    assert [crowd.look() for _ in range(9)] == [1] * 9


def test_time_that_was_saved_again_buys_a_whole_look(crowd):
    """Who began to work meanwhile is found by the next freeze."""
    crowd.look()
    crowd.block(CROWD[20])
    for _ in range(4):
        crowd.kernel.tick()
    assert crowd.look() == 1


def test_who_did_anything_in_the_whole_look_is_followed(crowd):
    """A thread that seldom works was blocked when the freeze began."""
    crowd.block(CROWD[20])
    assert [crowd.look() for _ in range(9)] == [1] * 9


def test_a_new_thread_is_looked_at_in_short_looks_too(crowd):
    """A worker that was started for this frame is in no list of before."""
    assert crowd.look() == 0
    crowd.follow((PID, WORKER, *CROWD, 150))
    crowd.block(150)
    assert crowd.look() == 1


def test_a_short_look_does_not_say_that_nobody_was_awake(crowd):
    """Who was not looked at may work for the main thread, which then asks no other program."""
    crowd.look()
    assert crowd.kernel.game_threads.take_wait() is not None
    crowd.look()
    assert crowd.kernel.game_threads.take_wait() is None
