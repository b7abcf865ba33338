# SPDX-License-Identifier: GPL-3.0-or-later
"""The window's trace: asked for in a thread, followed, ended from every side."""

import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from destutter.analysis.changes.trace_grant import TraceGrantError
from destutter.bridge.kernel_trace import KernelTrace, TraceKind, TraceStatus
from destutter.core.statement import Statement
from destutter.core.traced import TracedSleep, TracedThread

DENIED = Statement("change.denied")
REFUSED_GAME = 9


class Grant:
    """What the helper gives; ``is_over`` when it has ended it."""

    formats_text = "{}"
    descriptors = (5, 6)
    formats = SimpleNamespace(missing=("a/b",))

    def __init__(self) -> None:
        self.watched: list[int] = []
        self.is_over = False
        self.left_s = 50
        self.closed = threading.Event()

    def watch(self, pid: int) -> None:
        """Note it."""
        if pid == REFUSED_GAME:
            raise TraceGrantError(Statement("helper.trace.no_tasks"))
        self.watched.append(pid)

    def call_path(self, thread: int, begin_ns: int) -> tuple[str, ...]:
        """Of one thread it is known."""
        if thread != REFUSED_GAME:
            return ("vfs_read", str(begin_ns))
        raise TraceGrantError(Statement("helper.trace.no_path"))

    def close(self) -> None:
        """Note that."""
        self.closed.set()


class Helper:
    """Answers when a test says so; ``given_up`` when the caller waits no more."""

    def __init__(self) -> None:
        self.grant = Grant()
        self.error: TraceGrantError | None = None
        self.has_dialog = False
        self.given_up = threading.Event()
        self.asked = self.asked_as_expert = 0

    def ask(self, caller: Any) -> Any:
        """Stands for ``TraceGrant``."""
        self.asked += 1
        caller.give_up = self.given_up.set
        if self.has_dialog:
            self.given_up.wait(10)
            raise TraceGrantError(Statement("bridge.helper.broken", {"reason": "gone"}))
        if self.error is not None:
            raise self.error
        return self.grant

    def ask_as_expert(self, _caller: Any) -> Any:
        """A user has one grant: what was lent before is back."""
        self.asked_as_expert += 1
        if self.asked and not self.grant.closed.is_set():
            raise TraceGrantError(Statement("helper.trace.one_each"))
        self.grant = Grant()
        return self.grant


@pytest.fixture
def helper() -> Helper:
    """Gives a trace at once."""
    return Helper()


@pytest.fixture
def trace(qtbot: QtBot, helper: Helper) -> Iterator[KernelTrace]:
    """The window's, on that helper."""
    made = KernelTrace("unix:path=/nowhere", grant=helper.ask, expert_grant=helper.ask_as_expert)
    yield made
    made.stop()


@pytest.fixture
def running(qtbot: QtBot, trace: KernelTrace) -> KernelTrace:
    """It has been given."""
    with qtbot.waitSignal(trace.lent):
        trace.ask()
    return trace


def test_what_is_lent_is_told_with_what_the_kernel_lacks(qtbot, trace, helper) -> None:
    """And the window knows that it waits meanwhile."""
    told: list[TraceStatus] = []
    trace.changed.connect(told.append)
    with qtbot.waitSignal(trace.lent) as lent:
        trace.ask()
        trace.ask()  # a second click
    assert helper.asked == 1
    assert [each.kind for each in told] == [TraceKind.ASKING, TraceKind.RUNNING]
    reading, missing = lent.args
    assert (reading.descriptors, missing) == ((5, 6), ("a/b",))


@pytest.mark.parametrize("is_absent", [False, True])
def test_a_no_is_told_and_can_be_asked_again(qtbot, trace, helper, is_absent) -> None:
    """Whether there is a helper at all makes a difference."""
    helper.error = TraceGrantError(DENIED, is_absent=is_absent)
    with qtbot.waitSignals([trace.changed] * 2):
        trace.ask()
    assert trace.status == TraceStatus(why=DENIED, is_absent=is_absent)
    helper.error = None
    with qtbot.waitSignal(trace.lent):
        trace.ask()
    assert trace.status.kind is TraceKind.RUNNING


def test_waiting_for_a_password_can_be_ended(qtbot, trace, helper) -> None:
    """At once; that the call then fails is nobody's news."""
    helper.has_dialog = True
    trace.ask()
    qtbot.waitUntil(lambda: helper.asked == 1)
    trace.end()
    assert trace.status == TraceStatus()
    assert helper.given_up.wait(5)
    # The thread does one after the other: when this is told, so is what failed before it.
    with qtbot.waitSignal(trace._jobs.start(lambda _job: None).done):
        pass
    assert trace.status == TraceStatus()


def test_a_window_that_closes_does_not_wait_for_a_dialog(qtbot, trace, helper) -> None:
    """It would wait for minutes."""
    helper.has_dialog = True
    trace.ask()
    qtbot.waitUntil(lambda: helper.asked == 1)
    trace.stop()
    assert helper.given_up.is_set()


def test_an_answer_that_nobody_waits_for_is_given_back(qtbot, trace, helper) -> None:
    """The password was right, a moment after Cancel."""
    go_on = threading.Event()
    real = helper.ask

    def slowly(caller: Any) -> Any:
        go_on.wait(10)
        return real(caller)

    trace._make = slowly
    trace.ask()
    trace.end()
    go_on.set()
    qtbot.waitUntil(helper.grant.closed.is_set)
    assert trace.reading is None
    assert trace.status == TraceStatus()


def test_the_game_is_named_when_it_changes(qtbot, running, helper) -> None:
    """Once for each; one that the helper refuses is nobody's, which is told, and what else is
    seen goes on.
    """
    told: list[int | None] = []
    reasons: list[Statement | None] = []
    running.followed.connect(told.append)
    running.changed.connect(lambda status: reasons.append(status.why))
    for game in (7, 7, None, REFUSED_GAME, 8):
        before = len(told)
        is_new = not told or game not in (told[-1],)
        running.follow(game)
        if is_new:
            qtbot.waitUntil(lambda before=before: len(told) > before)
    assert told == [7, None, None, 8]
    assert helper.grant.watched == [7, 8]
    assert running.status == TraceStatus(TraceKind.RUNNING)
    assert reasons == [Statement("helper.trace.no_tasks"), None]


@pytest.mark.parametrize("way", ["end", "over", "fail", "fail and over"])
def test_it_ends_from_every_side(qtbot, running, helper, way) -> None:
    """Who reads it is told before it is given back; why it ended is told but to who ended it."""
    ended: list[bool] = []
    running.over.connect(lambda: ended.append(helper.grant.closed.is_set()))
    helper.grant.is_over = "over" in way
    broken = Statement("tracing.reader_ended", {"reason": "x"})
    actions: dict[str, Callable[[], None]] = {"end": running.end, "over": running.look}
    actions.get(way, lambda: running.fail(broken))()
    assert ended == [False]
    qtbot.waitUntil(helper.grant.closed.is_set)
    why = {"end": None, "fail": broken}.get(way, Statement("tracing.over"))
    assert running.status == TraceStatus(why=why)
    assert running.reading is None


@pytest.mark.parametrize("is_running", [False, True])
def test_an_experts_is_asked_for_when_what_ran_is_back(qtbot, trace, helper, is_running) -> None:
    """One after the other, in one click; the game is named to the new one."""
    if is_running:
        with qtbot.waitSignal(trace.lent):
            trace.ask()
    with qtbot.waitSignal(trace.lent):
        trace.ask_as_expert()
    trace.ask()  # an ordinary one is in it
    assert trace.status == TraceStatus(TraceKind.RUNNING, is_expert=True)
    with qtbot.waitSignal(trace.followed):
        trace.follow(7)
    assert (helper.grant.watched, helper.asked_as_expert) == ([7], 1)
    assert trace.status.is_expert
    assert trace.left_s == helper.grant.left_s


def test_a_call_path_is_asked_for_in_the_thread(qtbot, trace, helper) -> None:
    """One that the kernel does not have is none, and no reason to end."""
    known, other = (TracedSleep(TracedThread(tid, "a"), 5, 6) for tid in (7, REFUSED_GAME))
    trace.ask_path(known)  # without a trace nobody is asked
    with qtbot.waitSignal(trace.lent):
        trace.ask_as_expert()
    for sleep, functions in ((known, ("vfs_read", "5")), (other, ())):
        with qtbot.waitSignal(trace.path_told) as told:
            trace.ask_path(sleep)
        assert told.args == [sleep, functions]
    assert trace.status.kind is TraceKind.RUNNING


@pytest.mark.parametrize(("left_s", "is_told"), [(9, False), (40, True)])
def test_the_end_of_an_experts_minute_is_no_news(qtbot, trace, helper, left_s, is_told) -> None:
    """The helper looks every ten seconds; before that it has ended for a reason."""
    with qtbot.waitSignal(trace.lent):
        trace.ask_as_expert()
    helper.grant.is_over, helper.grant.left_s = True, left_s
    trace.look()
    assert trace.status == TraceStatus(why=Statement("tracing.over") if is_told else None)
    assert trace.left_s == 0


def test_nothing_is_said_of_a_trace_that_is_not_there(trace) -> None:
    """Snapshots come all the time."""
    trace.follow(7)
    trace.look()
    trace.fail(DENIED)
    assert trace.status == TraceStatus()


def test_closing_gives_it_back(running, helper) -> None:
    """And asks nobody's leave."""
    running.stop()
    assert helper.grant.closed.is_set()
    assert helper.given_up.is_set()
