# SPDX-License-Identifier: GPL-3.0-or-later
"""The trace beside a live stream: which game's threads the helper is asked for."""

from types import SimpleNamespace
from typing import Any

import pytest

from destutter.analysis.changes.trace_grant import TraceGrantError
from destutter.commands.live_trace import LiveTrace
from destutter.core import traced
from destutter.core.sample import Facts, Header, Marker, Trouble
from destutter.core.statement import Statement
from destutter.core.traced import FOLLOWED, LEAD, MISSING

HEADER = Header(1, 1.0, 100)
REFUSED = 9


class Grant:
    """Takes the threads of any process but one."""

    formats_text = "{}"
    descriptors = (5, 6)
    formats = SimpleNamespace(missing=("a/b", "c/d"))
    is_over = False

    def __init__(self):
        self.watched = []
        self.is_closed = False

    def watch(self, pid):
        """Note it."""
        if pid == REFUSED:
            raise TraceGrantError(Statement("tracing.over"))
        self.watched.append(pid)

    def close(self):
        """Note that."""
        self.is_closed = True


class Source:
    """Where the looks come from."""

    def follow(self, pid, lead):
        """The message that says whose waits there are."""
        return Facts(5, traced.followed(pid, lead))


SOURCE: Any = Source()


@pytest.fixture
def grant(monkeypatch):
    """What the helper gives."""
    made = Grant()
    monkeypatch.setattr("destutter.commands.live_trace.ask_for_trace", lambda *, game: made)
    return made


def followed(trace, *pids):
    """Whose waits are told, after facts with these games."""
    facts = [Facts(1, {} if pid is None else {"game.pid": pid}) for pid in pids]
    told = [each for message in facts for each in trace.follow(message, SOURCE)]
    return [each.facts[FOLLOWED] for each in told if isinstance(each, Facts)]


def test_a_game_is_named_when_it_is_found_and_when_it_changes(grant):
    """Once for each; when it has ended it is nobody's any more."""
    trace = LiveTrace()
    lent = trace.lent
    assert lent is not None
    assert lent.descriptors == (5, 6)
    assert followed(trace, "7", None, "7", "8", "", "7") == ["7", "8", "", "7"]
    assert grant.watched == [7, 8, 7]
    assert trace.why_not is None
    trace.close()
    assert grant.is_closed


def test_which_thread_shows_the_frames_is_told_as_soon_as_it_is_known(grant):
    """And when it is not any more; the helper is not asked again for that."""
    trace = LiveTrace()
    facts = ({"game.pid": "7"}, {"game.lead": "9 Render"}, {"os": "x"}, {"game.lead": ""})
    told = [each for one in facts for each in trace.follow(Facts(1, one), SOURCE)]
    assert [each.facts for each in told if isinstance(each, Facts)] == [
        {FOLLOWED: "7", LEAD: ""},
        {FOLLOWED: "7", LEAD: "9"},
        {FOLLOWED: "7", LEAD: ""},
    ]
    assert grant.watched == [7]


def test_of_a_game_that_is_not_followed_no_thread_is_told(grant):
    """The helper refused it."""
    trace = LiveTrace()
    assert len([*trace.follow(Facts(1, {"game.pid": "9", "game.lead": "9 Render"}), SOURCE)]) == 2
    assert [*trace.follow(Facts(2, {"game.lead": ""}), SOURCE)] == []


def test_a_game_that_the_helper_refuses_is_nobodys(grant):
    """That is said, also in the stream; the waits of the whole computer go on, and so does the
    next game. "Goes on without the kernel's trace" was said of one with 4,505 threads, of which
    757 ms of waits were told.
    """
    trace = LiveTrace()
    _, trouble = trace.follow(Facts(1, {"game.pid": "9"}), SOURCE)
    why = Statement("tracing.unfollowed", {"why": Statement("tracing.over")})
    assert trouble == Trouble(1, "trace", why)
    assert trace.why_not == why
    assert str(why).startswith("the game's waits for a core are not recorded: ")
    taken, again = trace.follow(Facts(2, {"game.pid": "8"}), SOURCE)
    assert isinstance(taken, Facts)
    assert again == Trouble(2, "trace", None)


def test_what_the_kernel_does_not_tell_is_in_the_stream(grant):
    """Behind the header, for whoever judges it later."""
    trace = LiveTrace()
    assert [*trace.follow(HEADER, SOURCE)] == [Facts(1, {MISSING: "a/b,c/d"})]
    assert [*trace.follow(Marker(3, "mark"), SOURCE)] == []


def test_that_the_reader_ended_is_why_there_is_no_trace_any_more(grant):
    """By a trouble of the stream; those of other sources are none of it."""
    trace = LiveTrace()
    assert [*trace.follow(Trouble(2, "disk", Statement("tracing.gone")), SOURCE)] == []
    assert trace.why_not is None
    assert [*trace.follow(Trouble(2, "trace", Statement("tracing.over")), SOURCE)] == []
    assert trace.why_not == Statement("tracing.over")


def test_without_a_helper_the_stream_says_so(monkeypatch):
    """Behind the header, with what helps; nothing is asked of anybody."""

    def refuse(*, game):
        raise TraceGrantError(Statement("bridge.helper.absent"), is_absent=True)

    monkeypatch.setattr("destutter.commands.live_trace.ask_for_trace", refuse)
    trace = LiveTrace()
    assert trace.lent is None
    (trouble,) = trace.follow(HEADER, SOURCE)
    assert isinstance(trouble, Trouble)
    assert trouble.source == "trace"
    assert str(trouble.reason).startswith("The helper is not installed. Install it")
    assert followed(trace, "7") == []
    trace.close()
