# SPDX-License-Identifier: GPL-3.0-or-later
"""For whom the main thread waited when: what others wait for beside that held nobody up.

The cases are those of a game with clocks around all of its calls: its main thread waits for who
unpacks, a reader brings that a piece and reads on, and drives were told for the work.
"""

from dataclasses import replace

import pytest

from destutter.core.sample import Facts
from destutter.core.traced import (
    Awaited,
    FilesystemCommit,
    MainTimes,
    SleepLook,
    SlowRequest,
    TracedSleep,
    TracedThread,
    TraceLook,
)
from destutter.diagnosis.circumstances.main_sleeps import (
    each_once,
    sleeps_anyhow,
    until_the_end,
)
from destutter.diagnosis.circumstances.traced_waits import TraceLog
from destutter.diagnosis.finding import Spike

MS = 1_000_000
MAIN, UNPACKER, READER = (
    TracedThread(7, "main", 7),
    TracedThread(8, "Unpack", 7),
    TracedThread(9, "Reader", 7),
)
BEGIN_MS, LENGTH_MS = 3000, 150
STUTTER = Spike((BEGIN_MS + LENGTH_MS) * MS, LENGTH_MS, "frame")


def read(begin_ms, ms, thread=READER):
    """A request that begins so long after the stutter does."""
    first_ns = (BEGIN_MS + begin_ms) * MS
    return SlowRequest("sda", "read", 8, 8, first_ns, None, ms * MS, None, thread, False)


def slept(begin_ms, end_ms, *woken_by, awaited=(), looks=()):
    """A sleep of the main thread; ``awaited``: thread, and from when until when, in ms; ``looks``:
    when each was over, and who was done.
    """
    first_ns = (BEGIN_MS + begin_ms) * MS
    told = tuple(
        Awaited(each.tid, (BEGIN_MS + first) * MS, (BEGIN_MS + last) * MS)
        for each, first, last in awaited
    )
    ends = [(round((BEGIN_MS + at) * MS), each) for at, each in looks]
    seen = tuple(
        SleepLook(at_ns, (each,), (Awaited(each.tid, first_ns, at_ns),)) for at_ns, each in ends
    )
    return TracedSleep(MAIN, first_ns, (end_ms - begin_ms) * MS, woken_by, told, seen)


def held_up(requests, sleeps, *, ran_bins=0, late=(), commits=(), behind_ms=100):
    """What of these reads counts, as begin and end after the beginning of the stutter, in ms."""
    log = TraceLog()
    log.accept_facts(Facts(0, {"trace.game": "7"}))
    bins = [(10 * MS, 0, 0)] * ran_bins + [(0, 0, 0)] * (LENGTH_MS // 10 - ran_bins)
    main = MainTimes.of(BEGIN_MS * MS, bins)
    end_ns = (BEGIN_MS + LENGTH_MS + behind_ms) * MS
    look = TraceLook(0, end_ns, 0, 90, requests=tuple(requests), main=main)
    log.accept_look(replace(look, sleeps=tuple(sleeps), commits=tuple(commits)))
    waits = log.within(STUTTER, "7", late)
    assert waits is not None
    begin_ns = STUTTER.start_ns
    return [((w.begin_ns - begin_ns) / MS, (w.end_ns - begin_ns) / MS) for w in waits.waits]


READS = [read(2 + 20 * at, 20) for at in range(7)]


def test_who_reads_on_for_itself_holds_nobody_up():
    """It woke who unpacks after 20 of 150 ms; that one needed the rest for itself."""
    handed = [(UNPACKER, 1, 149), (READER, 1, 22)]
    assert held_up(READS, [slept(1, 149, UNPACKER, READER, awaited=handed)]) == [(2, 22)]


def test_each_piece_for_which_the_next_one_slept_counts():
    """And what the thread itself waited for that woke the main thread."""
    handed = [(UNPACKER, 1, 149), (READER, 50, 62), (READER, 1, 22)]
    own = read(100, 20, UNPACKER)
    found = held_up([*READS, own], [slept(1, 149, UNPACKER, READER, awaited=handed)])
    assert found == [(2, 22), (50, 62), (100, 120)]


def test_recordings_of_before_do_not_say_when():
    """Then all of it counts, as it did."""
    assert len(held_up(READS, [slept(1, 149, UNPACKER, READER)])) == len(READS)


@pytest.mark.parametrize(
    ("looks", "end_ms", "is_for_it"),
    [
        ([], 160, False),
        ([(149.8, READER)], 160, True),
        ([(149.8, READER)], 150, False),  # it wrote of each piece, and another one ended the wait
        ([(149.8, READER)], 148, False),
        ([(152, READER)], 155, True),  # the frame's end is known to a few milliseconds
        ([(100, UNPACKER), (149.8, READER)], 160, True),
        ([(149.8, READER), (156, UNPACKER)], 160, True),
        ([(100, READER)], 160, False),
    ],
)
def test_a_frame_that_ended_in_a_look_waited_until_then(looks, end_ms, is_for_it):
    """What the main thread sleeps for behind that is not this frame's: it leaves all work to
    others and waits for the time of the next one.
    """
    found = held_up(READS, [slept(1, end_ms, looks=looks)])
    assert bool(found) == is_for_it


def test_behind_a_frame_that_ended_in_a_look_it_slept_for_who_ended_it():
    """Be it the same one as in the next frame."""
    awaited = [(UNPACKER, 1, 190), (READER, 1, 60)]
    sleep = slept(1, 190, UNPACKER, READER, awaited=awaited, looks=[(149, READER)])
    behind = slept(149, 190, UNPACKER, READER, awaited=[(UNPACKER, 149, 190)])
    first = slept(1, 149, READER, awaited=[(READER, 1, 149)])
    assert list(until_the_end(sleep, STUTTER.monotonic_ns)) == [first, behind]


def test_while_it_ran_the_main_thread_waited_for_nobody():
    """It worked for 60 ms beside a reader, and waited for the next piece in no long sleep."""
    assert held_up([read(0, 40), read(55, 30)], [], ran_bins=6) == [(60, 85)]


def test_beside_a_sleep_that_its_own_timer_ended_nothing_counts():
    """Be it a part of a read only; but the end of one may be what ended it."""
    assert held_up([read(1, 80)], [slept(50, 149)]) == [(1, 50)]
    assert held_up([read(60, 89)], [slept(50, 149)]) == [(60, 149)]
    assert held_up([read(60, 86)], [slept(50, 149)]) == []


def test_who_fills_a_ring_may_nap_until_it_has_the_answer():
    """The kernel's own thread asks the drive for it, and wakes nobody."""
    ring = TracedThread(9, "iou-sqp-7", 7)
    requests = [read(2 + 70 * at, 70, ring) for at in range(2)]
    assert held_up(requests, [slept(1, 145)]) == [(2, 72), (72, 142)]
    others = slept(1, 145, UNPACKER, awaited=[(UNPACKER, 1, 145)])
    assert held_up(requests, [others]) == []


@pytest.mark.parametrize(("looks", "count"), [((), 7), ([(-1000 + 31, UNPACKER)], 7)])
def test_who_sleeps_for_long_all_the_time_tells_of_nobody(looks, count):
    """It takes in events while another thread draws."""
    before = [slept(-1000, -5, UNPACKER, awaited=[(UNPACKER, -1000, -5)], looks=looks)]
    assert len(held_up(READS, [*before, slept(1, 149)])) == count


def test_who_waits_for_work_and_then_for_the_next_frame_does_not_sleep_for_long():
    """Each is a wait by itself, and shorter than a frame."""
    before = [slept(at, at + 35, looks=[(at + 18, UNPACKER)]) for at in range(-1900, -100, 40)]
    assert held_up(READS, [*before, slept(1, 149)]) == []


STUTTERS = [Spike((BEGIN_MS - 400 * at) * MS, 160.0, "frame") for at in range(1, 5)]


@pytest.mark.parametrize(("late", "count"), [(STUTTERS, 0), ((), 7)])
def test_sleeps_in_stutters_are_no_habit(late, count):
    """Four of 150 ms in two seconds are a third of it; without them it is a thread that draws."""
    before = [
        slept(-400 * at - 155, -400 * at - 5, UNPACKER, awaited=[(UNPACKER, -1500, 0)])
        for at in range(1, 5)
    ]
    # Its own timer woke it from the last one, beside a reader for whom it did not wait.
    assert len(held_up(READS, [*before, slept(1, 149)], late=late)) == count


def test_only_a_drive_for_which_it_waited_within_the_stutter_is_named():
    """Another reader goes on with another drive behind it, for whom it did not wait."""
    other = SlowRequest(
        *("sdb", "read", 8, 8, STUTTER.start_ns + 149 * MS, None, 99 * MS, None, UNPACKER),
        is_written_back=False,
    )
    sleep = slept(1, 149, READER, awaited=[(READER, 1, 149)])
    looked = (BEGIN_MS + LENGTH_MS + 400) * MS
    log = TraceLog()
    log.accept_facts(Facts(0, {"trace.game": "7"}))
    log.accept_look(TraceLook(0, looked, 0, 90, requests=(*READS, other), sleeps=(sleep,)))
    found = log.within(STUTTER, "7")
    assert found is not None
    assert "sdb" in {wait.device for wait in found.waits}, "its own time may be a little off"
    assert found.drives == {"sda"}


def test_a_sleep_that_is_told_again_has_all_of_its_looks():
    """It lasts for seconds, and is told while it does."""
    told = [slept(1, end, looks=[(end, READER)]) for end in (150, 400, 650)]
    (found,) = each_once(told)
    assert found.duration_ns == 649 * MS
    assert [(each.end_ns // MS) - BEGIN_MS for each in found.looks] == [150, 400, 650]


def commit(end_ms, *, data_ms, log_ms, device="sda1"):
    """One that ends so long after the stutter begins."""
    lengths = (0, data_ms * MS, log_ms * MS)
    return FilesystemCommit("ext4", device, (BEGIN_MS + end_ms) * MS, *lengths)


@pytest.mark.parametrize(
    ("name", "device", "found"),
    [
        ("jbd2/sda1-8", "sda1", [(19, 147)]),
        ("jbd2/nvme0n1p12", "nvme0n1p12", [(19, 147)]),  # the kernel's names end there
        ("jbd2/sda1-8", "sda", []),  # of another drive
        ("Reader", "sda1", []),  # nobody slept for a commit
    ],
)
def test_who_sleeps_for_a_commit_waits_for_its_drive(name, device, found):
    """For as long as the kernel wrote data and log; who asked for its flushes nobody tells."""
    journal = TracedThread(30, name, 30)
    sleep = slept(1, 149, READER, journal, awaited=[(READER, 1, 149), (journal, 5, 147)])
    commits = [commit(149, data_ms=40, log_ms=90, device=device)]
    assert held_up([], [sleep], commits=commits) == found


def test_beside_a_commit_for_which_nobody_sleeps_nothing_counts():
    """Others save all the time."""
    assert held_up([], [], commits=[commit(149, data_ms=40, log_ms=90)]) == []


def test_the_looks_at_a_trace_may_end_with_a_stutter():
    """So does a recording; what was until then is known."""
    sleep = slept(1, 149, READER, awaited=[(READER, 1, 149)])
    assert held_up([read(2, 147)], [sleep], behind_ms=1) == [(2, 149)]


@pytest.mark.parametrize(("habit_ms", "is_habit"), [(0, False), (80, True)])
def test_what_is_usual_lies_further_back_where_one_stutter_follows_the_other(habit_ms, is_habit):
    """Between freezes of 2 s it slept for 80 of 130 ms, which is no habit of one that never slept
    as long before.
    """
    freezes = [(at * MS, (at + 1900) * MS) for at in (4000, 6030, 8060)]
    begins = [at for at in (5920, 7950, 9980) if not habit_ms]
    begins += range(0, 10_000, 100) if habit_ms else ()
    sleeps = [TracedSleep(MAIN, at * MS, 80 * MS, (READER,)) for at in begins]
    assert sleeps_anyhow(sleeps, 10_090 * MS, freezes) is is_habit


def test_waits_that_were_left_out_cost_nothing_of_the_sleeps():
    """A crowd had more long waits for a core than are told; nothing that was recorded was lost."""
    log = TraceLog()
    log.accept_facts(Facts(0, {"trace.game": "7"}))
    main = MainTimes.of(BEGIN_MS * MS, [(0, 0, 0)] * (LENGTH_MS // 10))
    sleep = slept(1, 149, UNPACKER, awaited=[(UNPACKER, 1, 149)])
    end_ns = (BEGIN_MS + LENGTH_MS + 100) * MS
    log.accept_look(TraceLook(0, end_ns, 0, 90, untold=3, sleeps=(sleep,), main=main))
    found = log.within(STUTTER, "7")
    assert found is not None
    assert "core" not in found.told
    assert found.awaited == {UNPACKER.tid}


@pytest.mark.parametrize(
    ("name", "kernel_ms"), [("kworker/u8:2-ext4-rsv-conversion", 118.0), ("Unpack", 0.0)]
)
def test_who_saves_may_wait_for_a_worker_of_the_kernel(name, kernel_ms):
    """That writes its data for the kernel: of this the game asks no drive, and waits for one."""
    worker = TracedThread(31, name, 31 if kernel_ms else 7)
    awaited = [(READER, 1, 149), (worker, 1, 119), (worker, 5, 60)]
    log = TraceLog()
    log.accept_facts(Facts(0, {"trace.game": "7"}))
    main = MainTimes.of(BEGIN_MS * MS, [(0, 0, 0)] * (LENGTH_MS // 10))
    sleep = slept(1, 149, READER, worker, awaited=awaited)
    end_ns = (BEGIN_MS + LENGTH_MS + 100) * MS
    log.accept_look(TraceLook(0, end_ns, 0, 90, sleeps=(sleep,), main=main, short_ns={}))
    found = log.within(STUTTER, "7")
    assert found is not None
    assert found.kernel_ms == found.at_most_ms(["request"]) == kernel_ms
    assert found.at_most_ms(["core"]) == 0.0
