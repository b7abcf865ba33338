# SPDX-License-Identifier: GPL-3.0-or-later
"""A wait of the main thread that is not one sleep: it looks in between, by a time limit, by a nap,
or because of a signal, and was told as a wait for the drive of whoever read beside it.
"""

import pytest

from destutter.core.traced import Awaited
from tests.support.built_pages import ns
from tests.unit.sampling.tracing.conftest import THREADS

MAIN, WORKER, OTHER = 4700, 4711, 4713
HARDIRQ, SLEEPS, DEEP = 0x08, 1, 2


@pytest.fixture
def game(computer, stage):
    """The rings of a game that is followed, with two threads beside its main thread."""
    folder = computer / "proc" / str(OTHER)
    folder.mkdir()
    (folder / "status").write_text(f"Name:\tOther\nState:\tS\nTgid:\t{MAIN}\nPid:\t{OTHER}\n")
    assert THREADS[WORKER][1] == MAIN
    stage.reader.game = MAIN
    return Played(stage)


class Played:
    """What happens, in any order; ``sleeps`` is what is told of it."""

    def __init__(self, stage):
        self._stage = stage
        self._events = []
        self.told = ()

    def add(self, ring, ms, name, **fields):
        self._events.append((ms, ring, name, fields))

    def lose(self, *times_ms):
        """The kernel leaves out what was then."""
        self._events = [each for each in self._events if each[0] not in times_ms]

    def sleeps(self, *looks_ms):
        """What is told at these times, one after the other."""
        left = sorted(self._events, key=lambda each: each[0])
        self.told = ()
        for look_ms in looks_ms or (200,):
            for ms, ring, name, fields in left:
                if ms <= look_ms:
                    self._stage.emit(ring, ms, f"sched/{name}", **fields)
            left = [each for each in left if each[0] > look_ms]
            self.told += self._stage.look(look_ms).sleeps
        return self.told


def switch(game, ms, before, after, state=SLEEPS):
    """A core goes from one thread to another."""
    game.add(0, ms, "sched_switch", prev_pid=before, prev_state=state, next_pid=after)


def wake(game, ms, tid, by=0, flags=0):
    """Somebody wakes a thread, which gets a core soon."""
    game.add(1, ms, "sched_waking", pid=tid, common_pid=by, common_flags=flags)
    switch(game, ms + 0.005, 0, tid)


def look_again(game, begin_ms, end_ms, step_ms, *, by=0, ran_ms=0.02, tid=MAIN):
    """The main thread sleeps, and something wakes it every so often; then it sleeps again."""
    switch(game, begin_ms, tid, 0)
    at = begin_ms + step_ms
    while at < end_ms:
        wake(game, at, tid, by, 0 if by else HARDIRQ)
        switch(game, at + 0.005 + ran_ms, tid, 0)
        at += step_ms


def looks_of(sleep):
    """When each of its looks was over, in ms, and who was done then."""
    return [(each.end_ns / 1e6, [one.tid for one in each.woken_by]) for each in sleep.looks]


def work(game, begin_ms, end_ms, tid, state=SLEEPS):
    """The main thread wakes another one, which computes and sleeps again."""
    switch(game, 1, tid, 0)
    wake(game, begin_ms, tid, MAIN)
    switch(game, end_ms, tid, 0, state)


@pytest.mark.parametrize(("step_ms", "by"), [(2, 0), (10, 0), (30, 0), (15, OTHER)])
def test_a_wait_in_slices_was_for_who_ended_it(game, step_ms, by):
    """By a time limit, or a signal of a thread that stops all others now and then."""
    look_again(game, 10, 128, step_ms, by=by)
    wake(game, 130, MAIN, WORKER)
    switch(game, 133, MAIN, 0)
    (found,) = game.sleeps()
    assert (found.begin_ns, found.duration_ns) == (ns(10), ns(120))
    assert found.awaited == (Awaited(WORKER, ns(10), ns(130)),)


@pytest.mark.parametrize("end_ms", [129, 124])
@pytest.mark.parametrize(("ran_ms", "since_ms"), [(0.02, 10), (0.5, None)])
def test_who_ended_the_slices_of_a_worker_is_known_for_all_of_them(game, ran_ms, since_ms, end_ms):
    """The main thread waits for a thread that waits with a time limit, again and again; one that
    works in between waits anew.
    """
    look_again(game, 8, 123, 6, ran_ms=ran_ms, tid=WORKER)
    switch(game, 10, MAIN, 0)
    wake(game, end_ms, WORKER, OTHER)
    wake(game, 130, MAIN, WORKER)
    switch(game, 133, MAIN, 0)
    (found,) = game.sleeps()
    first, *others = found.awaited
    assert (first.tid, first.begin_ns, first.end_ns) == (WORKER, ns(10), ns(130))
    since = [since_ms] if since_ms else [122.505] if end_ms == 129 else []
    assert [(each.tid, each.begin_ns, each.end_ns) for each in others] == [
        (OTHER, ns(begin), ns(end_ms)) for begin in since
    ]


def test_who_naps_and_wakes_another_waits_for_new_work_after_it(game):
    """Its own nap was no wait for who gives it the next work, a moment later."""
    switch(game, 8, WORKER, 0)
    switch(game, 10, MAIN, 0)
    for at in (60, 110, 160):
        wake(game, at, WORKER, 0, HARDIRQ)
        wake(game, at + 0.02, MAIN, WORKER)
        switch(game, at + 0.04, WORKER, 0)
        wake(game, at + 0.06, WORKER, MAIN)
        switch(game, at + 0.07, MAIN, 0)
        switch(game, at + 0.09, WORKER, 0)
    wake(game, 190, WORKER, 0, HARDIRQ)
    wake(game, 190.02, MAIN, WORKER)
    switch(game, 195, MAIN, 0)
    assert {each.tid for sleep in game.sleeps() for each in sleep.woken_by} == {WORKER}


@pytest.mark.parametrize("lost_ms", [50.005, 50.025])
def test_a_look_of_which_a_switch_is_not_there_is_one(game, lost_ms):
    """The one to the main thread, or back."""
    look_again(game, 10, 128, 10)
    game.lose(lost_ms)
    wake(game, 130, MAIN, WORKER)
    (found,) = game.sleeps()
    assert (found.begin_ns, found.duration_ns) == (ns(10), ns(120))


@pytest.mark.parametrize("lost_ms", [40.005, 42])
def test_a_frame_of_which_a_switch_is_not_there_is_no_look(game, lost_ms):
    """It works for 2 ms, and sleeps for the next frame."""
    for at in (10, 42, 74):
        switch(game, at, MAIN, 0)
        wake(game, at + 30, MAIN, 0, HARDIRQ)
    game.lose(lost_ms)
    switch(game, 106, MAIN, 0)
    assert ns(10) in [each.begin_ns for each in game.sleeps()]
    assert max(each.duration_ns for each in game.told) == ns(30)


@pytest.mark.parametrize("is_over", [True, False])
def test_who_had_done_its_work_was_waited_for_by_naps(game, is_over):
    """Nobody wakes who naps until a byte says that it may go on; told once it goes on."""
    work(game, 8, 129, WORKER)
    look_again(game, 10, 129.5, 2)
    wake(game, 130, MAIN, 0, HARDIRQ)
    if is_over:
        switch(game, 133, MAIN, 0)
    (found,) = game.sleeps()
    assert (found.begin_ns, found.duration_ns) == (ns(10), ns(120))
    assert [each.tid for each in found.woken_by] == [WORKER]
    (awaited,) = found.awaited
    assert awaited.ran_ns == pytest.approx(ns(119), rel=0.02)


@pytest.mark.parametrize(
    ("worker_ms", "state", "other_ms"),
    [
        (129, DEEP, None),  # it reads on
        (130.5, SLEEPS, None),  # it went on for longer
        (129, SLEEPS, 129.2),  # one of two
    ],
)
def test_naps_for_nobody_that_is_known(game, worker_ms, state, other_ms):
    """Then nobody is named."""
    work(game, 8, worker_ms, WORKER, state)
    if other_ms is not None:
        work(game, 9, other_ms, OTHER)
    look_again(game, 10, 129.5, 2)
    wake(game, 130, MAIN, 0, HARDIRQ)
    switch(game, 133, MAIN, 0)
    (found,) = game.sleeps()
    assert (found.begin_ns, found.duration_ns) == (ns(10), ns(120))
    assert found.woken_by == found.awaited == ()
    assert looks_of(found) == [(128.025, [])]


def test_one_of_two_had_only_a_moment_to_work(game):
    """It cannot have been what took so long."""
    work(game, 8, 129, WORKER)
    work(game, 128.5, 129.3, OTHER)
    look_again(game, 10, 129.5, 2)
    wake(game, 130, MAIN, 0, HARDIRQ)
    (found,) = game.sleeps()
    assert [each.tid for each in found.woken_by] == [WORKER]


def test_who_only_loses_its_core_does_not_sleep_again(game):
    """It goes on with the frame later, or with its look."""
    look_again(game, 10, 128, 10)
    for at in (60.010, 130.1):
        switch(game, at, MAIN, 99, state=0)
        switch(game, at + 0.005, 99, MAIN, state=0)
    wake(game, 130, MAIN, WORKER)
    switch(game, 131, MAIN, 99, state=0)
    (found,) = game.sleeps()
    assert (found.begin_ns, found.duration_ns) == (ns(10), ns(120))
    assert [each.tid for each in found.woken_by] == [WORKER]


def test_who_asks_anew_begins_anew(game):
    """Its ring is served by a thread of the kernel, and the drive wakes it for each piece."""
    switch(game, 1, WORKER, 0)
    switch(game, 10, MAIN, 0)
    for at in (60, 110):
        wake(game, at, MAIN, 0, HARDIRQ)
        wake(game, at + 0.01, WORKER, MAIN)
        switch(game, at + 0.02, MAIN, 0)
        switch(game, at + 0.1, WORKER, 0)
    wake(game, 160, MAIN, 0, HARDIRQ)
    found = game.sleeps()
    assert [each.duration_ns for each in found] == [ns(50), ns(49.98), ns(49.98)]


def test_who_works_in_between_waits_anew(game):
    """For 0.3 ms each time."""
    look_again(game, 10, 100, 30, by=WORKER, ran_ms=0.3)
    wake(game, 120, MAIN, OTHER)
    found = game.sleeps()
    assert [each.woken_by[0].tid for each in found] == [WORKER, WORKER, OTHER]


def test_who_had_done_its_work_may_have_been_all_that_was_waited_for(game):
    """The main thread does next to nothing itself, and sleeps for the next frame at once."""
    switch(game, 10, MAIN, 0)
    wake(game, 60, WORKER, 0, HARDIRQ)
    wake(game, 110, MAIN, WORKER)
    switch(game, 110.025, MAIN, 0)
    wake(game, 150, MAIN, 0, HARDIRQ)
    switch(game, 153, MAIN, 0)
    (found,) = game.sleeps()
    assert (found.begin_ns, found.duration_ns, found.woken_by) == (ns(10), ns(140), ())
    assert looks_of(found) == [(110.025, [WORKER])]
    (awaited,) = found.looks[0].awaited
    assert (awaited.tid, awaited.begin_ns, awaited.end_ns) == (WORKER, ns(10), ns(110))


def test_who_naps_may_have_waited_for_no_more_than_who_is_done(game):
    """It was done long before the last nap: what follows may be for the next frame."""
    work(game, 8, 100, WORKER)
    look_again(game, 10, 129.5, 2)
    wake(game, 130, MAIN, 0, HARDIRQ)
    (found,) = game.sleeps()
    assert (found.duration_ns, found.woken_by) == (ns(120), ())
    assert looks_of(found) == [(100.025, [WORKER]), (102.025, [WORKER]), (128.025, [])]


def test_the_last_look_is_told_and_those_behind_which_it_asked_for_more(game):
    """A frame may have ended in each of these."""
    switch(game, 1, OTHER, 0)
    look_again(game, 10, 100, 20, by=WORKER)
    wake(game, 70.01, OTHER, MAIN)
    wake(game, 110, MAIN, OTHER)
    (found,) = game.sleeps()
    assert looks_of(found) == [(at, [WORKER]) for at in (50.025, 70.025, 90.025)]


def test_frames_of_which_each_is_waited_for_shortly_are_not_told(game):
    """For its work, and then for its time: it sleeps for long in none."""
    for begin_ms in (10, 40, 70):
        switch(game, begin_ms, MAIN, 0)
        wake(game, begin_ms + 14, MAIN, WORKER)
        switch(game, begin_ms + 14.025, MAIN, 0)
        wake(game, begin_ms + 28, MAIN, 0, HARDIRQ)
    switch(game, 100, MAIN, 0)
    assert game.sleeps() == ()


@pytest.mark.parametrize(
    ("slept_ms", "core_ms", "is_two"),
    [
        (108.3, 110.5, True),  # looked at something itself shortly before, and slept again
        (110.11, 110.21, False),  # waits for a lock that is needed for a moment
        (110.3, 110.5, False),  # woke the main thread, and waits for its answer
    ],
)
def test_who_has_others_work_waits_for_something_else_then(game, slept_ms, core_ms, is_two):
    """Its own timer ended the sleep: it asks for the next frame's."""
    switch(game, 10, MAIN, 0)
    switch(game, slept_ms, WORKER, 0)
    game.add(1, 110.2, "sched_waking", pid=MAIN, common_flags=HARDIRQ)
    switch(game, core_ms, 0, MAIN)
    wake(game, core_ms + 0.005, WORKER, MAIN)
    switch(game, core_ms + 0.01, MAIN, 0)
    wake(game, 150, MAIN, 0, HARDIRQ)
    assert len(game.sleeps()) == 1 + is_two


def test_a_time_of_its_own_that_is_over_is_told_beside_who_is_done(game):
    """The frame may have ended then, and a reader that tells of each piece woke it once more."""
    look_again(game, 10, 100, 20, by=WORKER)
    for at in (110, 120):
        wake(game, at, MAIN, 0, HARDIRQ)
        switch(game, at + 0.025, MAIN, 0)
    wake(game, 130, MAIN, WORKER)
    (found,) = game.sleeps()
    assert looks_of(found) == [(90.025, [WORKER]), (120.025, [])]


def refresh(game, at_ms, until_ms, by=MAIN):
    """A presenter wakes the main thread, which has a worker compute until then for its frame."""
    wake(game, at_ms, MAIN, OTHER)
    wake(game, at_ms + 0.01, WORKER, by)
    switch(game, at_ms + 0.02, MAIN, 0)
    wake(game, until_ms, MAIN, WORKER)
    switch(game, until_ms + 0.02, MAIN, 0)
    switch(game, until_ms + 0.03, WORKER, 0)


@pytest.mark.parametrize("by", [MAIN, OTHER])
def test_a_long_frame_of_who_only_hands_out_work_is_told_soon(game, by):
    """It does nothing else for seconds, and all of that is one sleep: its frames are looks in it.

    The usual ones are many, and of those it is none that is looked for. Who wakes the main thread
    may wake the worker as well.
    """
    switch(game, 1, MAIN, 0)
    switch(game, 2, WORKER, 0)
    long_ms = 40, 140
    usual = [(at, at + 5) for at in range(160, 900, 16)]
    for at, until in ((10, 15), (26, 31), long_ms, *usual):
        refresh(game, at, until, by)
    (found,) = game.sleeps(250, 500, 750, 1000)
    looks = [(at, by[0]) for at, by in looks_of(found)]
    assert looks == [(140.02, WORKER), (160.02, OTHER)]
    assert found.begin_ns + found.duration_ns == ns(160.02)
    awaited = found.looks[0].awaited[0]
    assert (awaited.tid, awaited.end_ns) == (WORKER, ns(140))


def test_who_is_woken_while_it_leaves_its_core_sleeps_on(game):
    """By the records that comes before it sleeps, and nothing wakes it then."""
    switch(game, 1, WORKER, 0)
    look_again(game, 10, 100, 20, by=WORKER)
    wake(game, 105, MAIN, OTHER)
    game.add(1, 105.02, "sched_waking", pid=MAIN, common_pid=OTHER)
    switch(game, 105.025, MAIN, 0)
    switch(game, 105.03, 0, MAIN)
    switch(game, 105.05, MAIN, 0)
    wake(game, 130, MAIN, WORKER)
    switch(game, 133, MAIN, 0)
    (found,) = game.sleeps()
    assert (found.begin_ns, found.duration_ns) == (ns(10), ns(120))
    assert found.woken_by[0].tid == WORKER


def test_looks_of_a_sleep_whose_end_no_record_told_are_none_of_the_next(game):
    """It goes on, and nobody knows since when."""
    look_again(game, 10, 100, 20, by=WORKER)
    switch(game, 105, 0, MAIN)
    switch(game, 110, MAIN, 0)
    wake(game, 150, MAIN, OTHER)
    switch(game, 153, MAIN, 0)
    (found,) = game.sleeps()
    assert (found.begin_ns, found.duration_ns, found.looks) == (ns(110), ns(40), ())


@pytest.mark.parametrize(
    ("begin_ms", "end_ms", "whom"),
    [(11, 126, OTHER), (11, 130, OTHER), (100, 126, WORKER), (11, 119, WORKER)],
)
def test_who_is_done_was_waited_for_not_who_tells_of_each_piece(game, begin_ms, end_ms, whom):
    """It computes all the while and is done just before the last piece; not one that began late,
    or that was done before a piece for which the main thread went on sleeping.
    """
    wake(game, begin_ms, OTHER, MAIN)
    if end_ms > 128:  # the main thread takes its core
        switch(game, 128.01, OTHER, MAIN, state=0)
        switch(game, end_ms - 0.02, MAIN, OTHER, state=0)
    switch(game, end_ms, OTHER, 0)
    look_again(game, 10, 125, 8, by=WORKER)
    wake(game, 128, MAIN, WORKER)
    switch(game, 128.02, MAIN, 0)
    wake(game, 128.04, MAIN, WORKER)
    switch(game, 135, MAIN, 0)
    (told,) = game.sleeps()
    assert told.woken_by[0].tid == whom


SHOW = 4715


@pytest.fixture
def shown(game, computer):
    """The same, where a thread of its own shows the frames."""
    folder = computer / "proc" / str(SHOW)
    folder.mkdir()
    (folder / "status").write_text(f"Name:\tShow\nState:\tS\nTgid:\t{MAIN}\nPid:\t{SHOW}\n")
    game._stage.reader.lead = SHOW
    switch(game, 9, SHOW, 0)
    return game


def longest_behind(game, end_ms):
    """Whom the main thread waited for longest, which lets who shows the frames go on then."""
    wake(game, end_ms, SHOW, MAIN)
    switch(game, end_ms + 1, MAIN, 0)
    switch(game, end_ms + 6, SHOW, 0)
    (told,) = game.sleeps()
    assert told.woken_by[0].tid == MAIN
    others = told.awaited[1:]
    longest = max(others, key=lambda each: each.end_ns - each.begin_ns, default=None)
    return longest, others


@pytest.mark.parametrize("last_ms", [1.5, 6])
@pytest.mark.parametrize("apart_ms", [0.3, 2, 5])
def test_two_readers_tell_of_each_piece_behind_who_shows_the_frames(shown, apart_ms, last_ms):
    """Each wakes the main thread, one shortly behind the other, and it looks and sleeps on until
    who computed all the while wakes it: of its own engine an outsider was told 19 of 21 as theirs.
    """
    reader = 4720
    wake(shown, 11, OTHER, MAIN)
    switch(shown, 10, MAIN, 0)
    at = 21
    while at < 125:
        for number, by in enumerate((WORKER, reader)):
            wake(shown, at + number * apart_ms, MAIN, by)
            switch(shown, at + number * apart_ms + 0.02, MAIN, 0)
        at += 11
    end_ms = at - 11 + apart_ms + last_ms
    switch(shown, end_ms + 0.02, OTHER, 0)
    wake(shown, end_ms, MAIN, OTHER)
    longest, others = longest_behind(shown, end_ms + 0.5)
    assert longest.tid == OTHER
    assert longest.end_ns - longest.begin_ns >= ns(110) - ns(10)
    assert {each.tid for each in others} == {OTHER}


@pytest.mark.parametrize(
    ("step_ms", "by", "flags"), [(1, 0, HARDIRQ), (1, 99, 0), (4.1, 0, HARDIRQ)]
)
def test_naps_until_a_reader_is_done_behind_who_shows_the_frames(shown, step_ms, by, flags):
    """The main thread looks every millisecond, or with a time limit, whether it is: nobody wakes
    it."""
    switch(shown, 1, WORKER, 0)
    switch(shown, 3, MAIN, 0)
    wake(shown, 9.8, MAIN, 0, HARDIRQ)
    look_again(shown, 10, 129.9, step_ms)
    wake(shown, 10.5, WORKER, MAIN)
    switch(shown, 10.6, WORKER, 0, DEEP)
    for at in range(21, 120, 11):
        wake(shown, at, WORKER, by, flags)
        switch(shown, at + 0.05, WORKER, 0, DEEP)
    wake(shown, 129, WORKER, by, flags)
    switch(shown, 129.05, WORKER, 0)
    wake(shown, 130, MAIN, 0, HARDIRQ)
    longest, _ = longest_behind(shown, 130.5)
    assert longest.tid == WORKER
    assert longest.end_ns - longest.begin_ns >= ns(105) - ns(0)


def test_naps_of_who_works_behind_who_shows_the_frames_are_for_nobody(shown):
    """It computes for half of the time, and another one is done by chance."""
    work(shown, 8, 129.3, WORKER)
    switch(shown, 10, MAIN, 0)
    for at in range(12, 128, 4):
        wake(shown, at, MAIN, 0, HARDIRQ)
        switch(shown, at + 2, MAIN, 0)
    wake(shown, 130, MAIN, 0, HARDIRQ)
    longest, _ = longest_behind(shown, 130.5)
    assert longest is None or longest.end_ns - longest.begin_ns <= ns(4) - ns(0)


@pytest.mark.parametrize(
    ("begin_ms", "end_ms", "whom"), [(11, 126, OTHER), (100, 126, WORKER), (11, 90, WORKER)]
)
def test_who_is_done_behind_who_shows_the_frames(shown, begin_ms, end_ms, whom):
    """The main thread looks at each piece, and the one that shows the frames waits for it."""
    wake(shown, begin_ms, OTHER, MAIN)
    switch(shown, end_ms, OTHER, 0)
    look_again(shown, 10, 125, 8, by=WORKER)
    wake(shown, 128, MAIN, WORKER)
    longest, _ = longest_behind(shown, 129)
    assert longest.tid == whom


def stream(game, begin_ms, end_ms):
    """A reader that naps between its reads, all the time: nobody asks it for anything."""
    at = begin_ms
    switch(game, at, WORKER, 0)
    while at < end_ms:
        wake(game, at + 25, WORKER, 0, HARDIRQ)
        switch(game, at + 25.1, WORKER, 0, DEEP)
        wake(game, at + 36, WORKER, 0, HARDIRQ)
        switch(game, at + 36.1, WORKER, 0)
        at += 36.1


@pytest.mark.parametrize("end_ms", [101, 119, 130, 139])
def test_a_sleep_beside_who_reads_on_its_own_times_is_for_nobody(game, end_ms):
    """Its own timer ended it: that reader was done in it by chance, 45 of 119 times."""
    stream(game, 3, 150)
    switch(game, 10, MAIN, 0)
    wake(game, end_ms, MAIN, 0, HARDIRQ)
    switch(game, end_ms + 3, MAIN, 0)
    (found,) = game.sleeps()
    assert (found.begin_ns, found.woken_by) == (ns(10), ())


@pytest.mark.parametrize("is_shown", [True, False])
def test_who_tells_now_and_then_beside_slices_was_not_waited_for(
    game, computer, request, is_shown
):
    """Its time limit ends most of them, the streamer the last; who computed is done before that,
    and waits for work with a time limit of its own since: 11 of 26 were that streamer's reads.
    """
    if is_shown:
        request.getfixturevalue("shown")
    wake(game, 11, OTHER, MAIN)
    switch(game, 10, MAIN, 0)
    at, told_ms = 10.0, 17.3
    while at < 119:
        is_told = told_ms < at + 4.1
        at = told_ms if is_told else at + 4.1
        wake(game, at, MAIN, WORKER if is_told else 0, 0 if is_told else HARDIRQ)
        told_ms += 7.3 if is_told else 0
        switch(game, at + 0.02, MAIN, 0)
    switch(game, 121.5, OTHER, 0)
    wake(game, 124, MAIN, WORKER)
    if is_shown:
        wake(game, 124.5, SHOW, MAIN)
    wake(game, 126.6, OTHER, 0, HARDIRQ)
    switch(game, 126.7, OTHER, 0)
    switch(game, 127, MAIN, 0)
    switch(game, 140, SHOW, 0)
    (found,) = game.sleeps()
    whom = [each.tid for each in found.awaited if each.tid not in (MAIN, SHOW)]
    assert whom == [OTHER]


def test_who_ends_the_last_of_many_slices_was_not_waited_for(shown):
    """The one before is known as well: who computed all the while was done since then."""
    wake(shown, 11, OTHER, MAIN)
    look_again(shown, 10, 122, 4.1)
    switch(shown, 122, OTHER, 0)
    wake(shown, 123, MAIN, WORKER)
    longest, others = longest_behind(shown, 123.5)
    assert longest.tid == OTHER
    assert [each.tid for each in others] == [OTHER]
