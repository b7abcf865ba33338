# SPDX-License-Identifier: GPL-3.0-or-later
"""Which feed reads the window's trace, and whose waits it is told to show."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal

from destutter.application import trace_wiring
from destutter.application.trace_wiring import TraceWiring
from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.bridge.kernel_trace import TraceStatus
from destutter.core.statement import Statement
from destutter.sampling.trace_source import LentTrace

LENT = LentTrace("{}", (5, 6))


class Feed(QObject):
    """Notes what it is told."""

    trace_ended = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.told: list[object] = []

    def read_trace(self, lent: LentTrace, missing: tuple[str, ...]) -> None:
        """There is something to read."""
        self.told.append((lent.descriptors, missing))

    def follow(self, game: int | None, lead: int | None) -> None:
        """Whose waits."""
        self.told.append(game if lead is None else (game, lead))

    def end_trace(self) -> None:
        """Nothing more."""
        self.told.append("end")


@pytest.fixture
def wiring(qtbot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The wiring with a trace that a test plays."""
    monkeypatch.setattr(trace_wiring, "_AFTER_ANOTHER_MS", 30)
    made = TraceWiring()
    yield made
    made.stop()
    made.deleteLater()


def lend(wiring: Any, game: int | None = None) -> None:
    """The helper has given a trace, of this game."""
    wiring.trace._grant = SimpleNamespace(
        formats_text="{}",
        descriptors=(5, 6),
        formats=SimpleNamespace(missing=("a/b",)),
        is_over=False,
        watch=lambda pid: None,
        close=lambda: None,
    )
    wiring.trace._game = game


def snapshot(game: str, lead: str = "") -> Any:
    return SimpleNamespace(facts={"game.pid": game, "game.lead": lead})


def test_a_game_that_is_found_is_named(qtbot, wiring) -> None:
    """By the number that the stream has; none, and nobody's waits are shown."""
    feed = Feed()
    wiring.use(feed)
    wiring.accept_snapshot(snapshot("7"))
    assert feed.told == []
    lend(wiring)
    wiring.trace.lent.emit(LENT, ("a/b",))
    wiring.accept_snapshot(snapshot("7"))
    qtbot.waitUntil(lambda: 7 in feed.told)
    wiring.accept_snapshot(snapshot(""))
    wiring.trace.end()
    assert feed.told == [((5, 6), ("a/b",)), 7, None, "end"]


def test_which_thread_shows_the_frames_is_told_with_it(qtbot, wiring) -> None:
    """Once it is known, and of the game that is followed then."""
    feed = Feed()
    wiring.use(feed)
    lend(wiring)
    wiring.accept_snapshot(snapshot("7"))
    qtbot.waitUntil(lambda: 7 in feed.told)
    wiring.accept_snapshot(snapshot("7", "9 Render"))
    wiring.accept_snapshot(snapshot("7", "9 Render"))
    wiring.accept_snapshot(snapshot("7"))
    assert feed.told == [7, (7, 9), 7]


def test_another_feed_goes_on_when_the_reader_before_has_ended(qtbot, wiring) -> None:
    """Not at once, for two would share the rings; and its reader is told the game anew."""
    first, second = Feed(), Feed()
    wiring.use(first)
    lend(wiring, game=7)
    wiring.use(second)
    assert second.told == []
    qtbot.waitUntil(lambda: len(second.told) == 2)
    assert second.told == [((5, 6), ("a/b",)), None]
    wiring.accept_snapshot(snapshot("7"))
    qtbot.waitUntil(lambda: 7 in second.told)
    assert first.told == []


def test_a_trace_that_ended_meanwhile_is_not_read(wiring) -> None:
    """Stopped within the wait."""
    feed = Feed()
    lend(wiring, game=7)
    wiring.use(feed)
    wiring.trace.end()
    # Nothing else would read it later.
    assert not wiring._later.isActive()
    assert feed.told == ["end"]


def test_a_helper_that_came_ends_what_was_said_of_none(wiring):
    """ "The helper is not installed" stood on two pages while it held a trial."""
    absent = TraceStatus(why=Statement("bridge.helper.absent"), is_absent=True)
    wiring.trace._change(absent)
    wiring.show_helper(HelperStatus(Availability.BROKEN))
    assert wiring.trace.status == absent
    wiring.show_helper(HelperStatus(Availability.READY))
    assert wiring.trace.status == TraceStatus()
