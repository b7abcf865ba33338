# SPDX-License-Identifier: GPL-3.0-or-later
"""For whom the main thread of a game sleeps, and how long a split lock puts a thread to sleep."""

import pytest

from destutter.core.traced import Awaited, TracedMoment, TracedSleep, TracedThread
from tests.support.built_pages import ns

MAIN, RENDER = TracedThread(4700, "game", 4700), TracedThread(4711, "RenderThread", 4700)
TRAP = "x86/split lock detection: #AC: RenderThread/4711 took a split_lock trap at address: 0x45"
HARDIRQ, SOFTIRQ = 0x08, 0x10
SLEEPS = 1
"""``prev_state`` of a thread that sleeps and may be woken."""


@pytest.fixture
def game(stage):
    """The rings of a game that is followed."""
    stage.reader.game = 4700
    return stage


def slept(stage, tid, begin_ms, end_ms, waker=0, flags=0, state=SLEEPS):
    """A thread gives up its core, and is woken."""
    stage.emit(0, begin_ms, "sched/sched_switch", prev_pid=tid, prev_state=state, next_pid=0)
    stage.emit(1, end_ms, "sched/sched_waking", pid=tid, common_pid=waker, common_flags=flags)


def test_a_long_sleep_of_the_main_thread_tells_who_ended_it(game):
    """By a thread of its own; a sleep of 19 ms is not worth a word, nor one of another thread."""
    slept(game, 4700, 10, 50, waker=4711)
    slept(game, 4700, 60, 79, waker=4711)
    slept(game, 4711, 100, 190, waker=4700)
    awaited = (Awaited(4711, ns(10), ns(50)),)
    assert game.look(200).sleeps == (TracedSleep(MAIN, ns(10), ns(40), (RENDER,), awaited),)


@pytest.mark.parametrize("flags", [HARDIRQ, SOFTIRQ, HARDIRQ | 1])
def test_an_interrupt_wakes_for_nobody(game, flags):
    """Whoever ran just then has nothing to do with it."""
    slept(game, 4700, 10, 50, waker=4711, flags=flags)
    assert [each.woken_by for each in game.look(100).sleeps] == [()]


def test_who_woke_whom_is_followed(game):
    """The main thread waits for one that waits for another; not for what was over before."""
    slept(game, 4712, 1, 9, waker=4719)
    game.emit(0, 10, "sched/sched_switch", prev_pid=4700, prev_state=SLEEPS, next_pid=0)
    slept(game, 4711, 11, 60, waker=4712)
    game.emit(1, 61, "sched/sched_waking", pid=4700, common_pid=4711)
    (found,) = game.look(100).sleeps
    assert [each.tid for each in found.woken_by] == [4711, 4712]


def test_for_whom_it_slept_ends_where_that_one_woke_the_next(game):
    """A reader gives who unpacks two pieces, and reads on for itself when that has enough."""
    slept(game, 4711, 5, 30, waker=4712)
    game.emit(0, 10, "sched/sched_switch", prev_pid=4700, prev_state=SLEEPS, next_pid=0)
    slept(game, 4712, 30, 44, flags=SOFTIRQ)
    slept(game, 4711, 35, 45, waker=4712)
    slept(game, 4712, 46, 90, waker=4713)
    game.emit(1, 99, "sched/sched_waking", pid=4700, common_pid=4711)
    (found,) = game.look(100).sleeps
    assert [(each.tid, each.begin_ns, each.end_ns) for each in found.awaited] == [
        (4711, ns(10), ns(99)),
        (4712, ns(35), ns(45)),
        (4712, ns(10), ns(30)),
    ]


def test_who_slept_since_before_the_trace_is_followed_too(game):
    """The first use of a worker in a game; not one that was woken while it ran."""
    game.emit(0, 5, "sched/sched_waking", pid=4713, common_pid=4700)
    game.emit(0, 6, "sched/sched_switch", prev_pid=0, next_pid=4713)
    game.emit(1, 10, "sched/sched_switch", prev_pid=4700, prev_state=SLEEPS, next_pid=0)
    game.emit(1, 50, "sched/sched_waking", pid=4713, common_pid=4711)
    game.emit(1, 60, "sched/sched_waking", pid=4711, common_pid=4713)
    game.emit(1, 99, "sched/sched_waking", pid=4700, common_pid=4711)
    (found,) = game.look(100).sleeps
    assert [(each.tid, each.begin_ns, each.end_ns) for each in found.awaited] == [
        (4711, ns(10), ns(99)),
        (4713, ns(10), ns(60)),
    ]


def switch(stage, ms, before, after, state=SLEEPS):
    """A core goes from one thread to another."""
    switched = {"prev_pid": before, "prev_state": state, "next_pid": after}
    stage.emit(0, ms, "sched/sched_switch", **switched)


def test_what_the_awaited_thread_did_meanwhile_is_told(game):
    """It shares its core: ten times it runs for 3 ms and has none for 3 ms, too short to be told.

    Then it sleeps for 5 ms, and runs for 8 before it wakes the main thread, of which 5 are left
    behind that.
    """
    game.emit(0, 5, "sched/sched_waking", pid=4711)
    for at in range(10, 70, 6):
        switch(game, at - 3 if at > 10 else 5, 99, 4711, state=0)
        switch(game, at, 4711, 99, state=0)
    switch(game, 67, 99, 4711, state=0)
    game.emit(1, 10, "sched/sched_switch", prev_pid=4700, prev_state=SLEEPS, next_pid=0)
    switch(game, 70, 4711, 0)
    game.emit(1, 75, "sched/sched_waking", pid=4711, common_flags=SOFTIRQ)
    switch(game, 75.1, 0, 4711)
    game.emit(0, 83, "sched/sched_waking", pid=4700, common_pid=4711)
    switch(game, 88, 4711, 0)
    look = game.look(100)
    assert look.waits == ()
    ((found,),) = (each.awaited for each in look.sleeps)
    # Of the turn from 5 to 70 it has 60 of 65 ms, and as much of the 30 without a core.
    assert found.ready_ns == pytest.approx(ns(60 * 30 / 65), abs=ns(0.1))
    assert found.ran_ns == pytest.approx(ns(60 * 35 / 65 + 7.9), abs=ns(0.1))


@pytest.mark.parametrize(("lost", "ran_ms"), [("sleep", 4.9), ("return", 6.9)])
def test_a_switch_that_no_record_tells_makes_no_work(game, lost, ran_ms):
    """The kernel leaves out one in some hundreds: what it did then is not known."""
    game.emit(0, 5, "sched/sched_waking", pid=4711)
    switch(game, 5, 0, 4711)
    switch(game, 8, 4700, 0)
    if lost == "return":
        switch(game, 10, 4711, 99, state=0)
        switch(game, 20, 4711, 0)
    game.emit(1, 60, "sched/sched_waking", pid=4711, common_flags=SOFTIRQ)
    switch(game, 60.1, 0, 4711)
    game.emit(0, 65, "sched/sched_waking", pid=4700, common_pid=4711)
    ((found,),) = (each.awaited for each in game.look(100).sleeps)
    assert found.ran_ns == pytest.approx(ns(ran_ms), abs=1)
    assert found.ready_ns == pytest.approx(ns(0.1), abs=1)


def woken_in_vain(game, begin_ms, ran_ms):
    """The main thread sleeps, and a reader wakes it after 40 and 80 ms; then it looks, and sleeps
    again."""
    switch(game, begin_ms, 4700, 0)
    for at in (begin_ms + 40, begin_ms + 80):
        game.emit(0, at, "sched/sched_waking", pid=4700, common_pid=4711)
        switch(game, at + 0.01, 0, 4700)
        switch(game, at + 0.01 + ran_ms, 4700, 0)


def test_whom_it_waited_for_is_who_let_it_go_on(game):
    """Not a reader that told of each piece; its own timer ends the sleep, or another thread."""
    woken_in_vain(game, 10, 0.02)
    game.emit(0, 130, "sched/sched_waking", pid=4700, common_flags=HARDIRQ)
    switch(game, 130.1, 0, 4700)
    (found,) = game.look(140).sleeps
    assert (found.begin_ns, found.duration_ns, found.woken_by) == (ns(10), ns(120), ())
    assert [each.end_ns for each in found.looks] == [ns(90.03)]
    woken_in_vain(game, 150, 0.02)
    game.emit(0, 270, "sched/sched_waking", pid=4700, common_pid=4712)
    (found,) = game.look(300).sleeps
    assert [(each.tid, each.begin_ns, each.end_ns) for each in found.awaited] == [
        (4712, ns(150), ns(270))
    ]


def test_what_it_did_something_with_was_waited_for(game):
    """Each piece is worked at for a while."""
    woken_in_vain(game, 10, 0.3)
    game.emit(0, 130, "sched/sched_waking", pid=4700, common_flags=HARDIRQ)
    found = game.look(140).sleeps
    assert [[one.tid for one in each.awaited] for each in found] == [[4711], [4711], []]


def test_who_was_waited_for_first_is_in_the_chain(game):
    """The main thread waits for one, gives the next one its work at once, and waits for that."""
    game.emit(1, 2, "sched/sched_switch", prev_pid=4712, prev_state=SLEEPS, next_pid=0)
    switch(game, 10, 4700, 0)
    game.emit(0, 60, "sched/sched_waking", pid=4700, common_pid=4711)
    switch(game, 60.01, 0, 4700)
    game.emit(0, 60.02, "sched/sched_waking", pid=4712, common_pid=4700)
    switch(game, 60.03, 4700, 0)
    game.emit(0, 130, "sched/sched_waking", pid=4700, common_pid=4712)
    (found,) = game.look(140).sleeps
    assert [(each.tid, each.begin_ns, each.end_ns) for each in found.awaited] == [
        (4712, ns(10), ns(130)),
        (4700, ns(10), ns(60.02)),
        (4711, ns(10), ns(60)),
    ]


def test_a_read_of_its_own_is_no_look(game):
    """No signal wakes it from that, and it goes on with what it read."""
    slept(game, 4700, 10, 40, waker=4719, state=2)
    switch(game, 40.01, 0, 4700)
    slept(game, 4700, 40.03, 90, waker=4711)
    assert [each.begin_ns for each in game.look(140).sleeps] == [ns(10), ns(40.03)]


def test_a_sleep_that_goes_on_behind_a_look_is_told_again(game):
    """From the same begin on, by which it is known for the same."""
    woken_in_vain(game, 10, 0.02)
    assert [(each.begin_ns, each.duration_ns) for each in game.look(100).sleeps] == []
    game.emit(0, 130, "sched/sched_waking", pid=4700, common_pid=4711)
    switch(game, 130.1, 0, 4700)
    (early,) = game.look(130.5).sleeps
    switch(game, 130.12, 4700, 0)
    game.emit(0, 170, "sched/sched_waking", pid=4700, common_flags=HARDIRQ)
    (late,) = game.look(200).sleeps
    assert early.begin_ns == late.begin_ns == ns(10)
    assert (early.duration_ns, late.duration_ns) == (ns(120), ns(160))


def test_two_that_wake_each_other_are_no_endless_chain(game):
    """Each is told once."""
    game.emit(0, 10, "sched/sched_switch", prev_pid=4700, prev_state=SLEEPS, next_pid=0)
    slept(game, 4711, 11, 30, waker=4712)
    slept(game, 4712, 20, 50, waker=4711)
    game.emit(1, 61, "sched/sched_waking", pid=4700, common_pid=4711)
    (found,) = game.look(100).sleeps
    assert [each.tid for each in found.woken_by] == [4711, 4712]


def test_a_thread_that_could_go_on_does_not_sleep(game):
    """It waits for a core."""
    slept(game, 4700, 10, 80, waker=4711, state=0)
    assert game.look(100).sleeps == ()


def test_no_sleep_is_paired_across_a_loss(game):
    """Who slept before may have been woken and gone to sleep again."""
    game.emit(0, 10, "sched/sched_switch", prev_pid=4700, prev_state=SLEEPS, next_pid=0)
    game.look(20)
    rings = range(len(game.formats.cpus) * 2, len(game.formats.cpus) * 3)
    for ring in rings:
        game.put(ring, b"\xff" * game.formats.page.size)
    game.emit(1, 90, "sched/sched_waking", pid=4700, common_pid=4711)
    assert game.look(100).sleeps == ()


def test_nobodys_sleeps_are_told_without_a_game(stage):
    """Nor those of a thread that has the game's number no more."""
    slept(stage, 4700, 10, 50, waker=4711)
    assert stage.look(100).sleeps == ()


def test_each_sleep_for_a_split_lock_is_a_wait(game):
    """The kernel says it once; the next times a timer wakes the thread after 10 ms, too."""
    game.emit(0, 10, "printk/console", msg=TRAP)
    slept(game, 4711, 10.1, 20.4, flags=SOFTIRQ)
    slept(game, 4711, 40, 51, flags=SOFTIRQ)
    look = game.look(100)
    assert look.moments == (TracedMoment("split_lock", ns(10), thread=RENDER),)
    assert [(w.kind, w.thread, w.begin_ns, w.duration_ns) for w in look.waits] == [
        ("split_lock", RENDER, ns(10.1), ns(10.3)),
        ("split_lock", RENDER, ns(40), ns(11)),
    ]
    slept(game, 4711, 110, 121, flags=SOFTIRQ)
    assert [wait.kind for wait in game.look(200).waits] == ["split_lock"]


@pytest.mark.parametrize(
    ("tid", "length_ms", "flags"),
    [
        (4700, 11, SOFTIRQ),  # never caught
        (4711, 9, SOFTIRQ),  # woken earlier
        (4711, 40, SOFTIRQ),  # slept for longer than the kernel lets it
        (4711, 11, HARDIRQ),  # a timer of its own
        (4711, 11, 0),  # woken by somebody
    ],
)
def test_other_sleeps_are_none_for_a_split_lock(game, tid, length_ms, flags):
    """Of a thread that was caught, too."""
    game.emit(0, 1, "printk/console", msg=TRAP)
    slept(game, tid, 10, 10 + length_ms, waker=4712, flags=flags)
    assert game.look(100).waits == ()


def test_a_sleep_that_no_signal_ends_is_an_experts(game):
    """Without one nobody could ask for its call path."""
    slept(game, 4711, 10, 40, waker=4700, state=2)
    assert game.look(200).deep_sleeps == ()
