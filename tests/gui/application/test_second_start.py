# SPDX-License-Identifier: GPL-3.0-or-later
"""A second start beside a window that does not answer; beside one that does: test_around.py."""

import pytest

from destutter.application.second_start import hand_over
from destutter.core.bus_caller import BusCallError
from destutter.core.running_instance import RunningInstance
from destutter.core.statement import StatementError, told


@pytest.fixture
def _hangs(monkeypatch):
    """The open window has the name and answers nothing."""

    def refuse(*_: object) -> None:
        raise BusCallError(told("timed out"))

    monkeypatch.setattr(RunningInstance, "is_there", True)
    monkeypatch.setattr(RunningInstance, "_call", refuse)


@pytest.mark.usefixtures("_hangs")
def test_beside_a_window_that_hangs_another_opens():
    """Whoever starts the program wants to see it."""
    assert hand_over({}, "") is None
    assert hand_over({}, "record") is None


@pytest.mark.usefixtures("_hangs")
def test_one_that_hangs_is_not_ended_by_opening_another():
    """--quit opened a window."""
    with pytest.raises(StatementError) as refused:
        hand_over({}, "quit")
    assert refused.value.statement.id == "command.window.no_answer"


def test_a_start_that_nobody_sees_leaves_the_open_window_alone(monkeypatch):
    """Its action would keep the program alive behind a window that is closed to quit."""
    called = []
    monkeypatch.setattr(RunningInstance, "is_there", True)
    monkeypatch.setattr(RunningInstance, "_call", lambda *words: called.append(words))
    told_ = hand_over({}, "hidden")
    assert told_ is not None
    assert told_.id == "command.window.hidden"
    assert called == []
