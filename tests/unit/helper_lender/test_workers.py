# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that do not end, as with a lock that somebody holds (on a bus: tests/dbus)."""

import os
from collections.abc import Iterator

import pytest

from destutter_lender import worker
from destutter_lender.files import Lender
from destutter_lender.pace import Group, RefusedError
from destutter_lender.workers import WORKERS_MAX, Caller, Workers

NOW = [100.0]


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workers]:
    """Workers of which none is seen to end; they are collected behind the test."""
    begun: list[int] = []
    real, wait = worker.begin, os.waitpid

    def begin(lender: Lender) -> object:
        pid, control = real(lender)
        begun.append(pid)
        return pid, control

    lender = Lender(os.getuid())
    with monkeypatch.context() as patched:
        patched.setattr(worker, "begin", begin)
        patched.setattr(os, "waitpid", lambda _pid, _options: (0, 0))
        made = Workers(lender, lambda: NOW[0])
        yield made
        made.close()
    for pid in begun:
        wait(pid, 0)
    lender.close()


def ask_and_leave(many: Workers, group: Group) -> bool:
    """Whether it gets a process, which is told to end again."""
    caller = Caller(":1.7", group)
    try:
        many.ask(caller, "ListTasks", 0, lambda _told: None)
    except RefusedError:
        return False
    many.forget(caller.name)
    return True


def test_l26_who_piles_up_stuck_processes_has_its_own_refused(many):
    """L26: sixteen of one sandbox, made in eight seconds, were all there could be."""
    got = [ask_and_leave(many, ("sandbox", 1)) for _ in range(20)]
    assert got == [True] * 4 + [False] * 16
    assert ask_and_leave(many, ("sandbox", 2))
    assert ask_and_leave(many, ("process", 3))


@pytest.mark.long
def test_l26_all_stuck_ones_together_have_a_number(many):
    """L26: each is a process."""
    got = [ask_and_leave(many, ("sandbox", number // 4)) for number in range(80)]
    assert got == [True] * 64 + [False] * 16


@pytest.mark.long
def test_l27_a_newcomer_takes_the_place_of_who_is_idle_and_of_nobody_else(many):
    """L27: forty programs that asked once took the place of a window, again and again."""
    told: list[object] = []

    def ask(number: int) -> None:
        many.ask(Caller(f":1.{number}", ("process", number)), "ListTasks", 0, told.append)

    for number in range(WORKERS_MAX):
        ask(number)
    NOW[0] += 5
    ask(0)
    with pytest.raises(RefusedError):
        ask(99)
    NOW[0] += 6
    ask(99)
    assert len(told) == 1  # whoever waits is told that it has none any more
    for number in range(100, 98 + WORKERS_MAX):  # of all that are idle, and not of the first
        ask(number)
    assert len(told) == WORKERS_MAX - 1
    with pytest.raises(RefusedError):
        ask(999)
    ask(0)
