# SPDX-License-Identifier: GPL-3.0-or-later
"""What the trace told of single stutters."""

from hypothesis import example, given
from hypothesis import strategies as st

from destutter.analysis.examining.longest_waits import LongestWaits
from destutter.core.traced import (
    CORE,
    READ,
    RECLAIM,
    SlowRequest,
    TracedThread,
    TracedWait,
    TraceLook,
)
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.history.tick_log import LOOK_NS

GAME, OTHER = TracedThread(11, "streamer", 10), TracedThread(21, "copier", 20)
MS = 1_000_000


def wait(begin_ms: int, length_ms: int, thread: TracedThread = GAME) -> TracedWait:
    return TracedWait(thread, RECLAIM, begin_ms * MS, length_ms * MS)


def request(begin_ms: int, length_ms: int) -> SlowRequest:
    return SlowRequest(
        "sda", READ, 8, 8, begin_ms * MS, None, length_ms * MS, None, OTHER, is_written_back=False
    )


def spike(begin_ms: int, length_ms: int) -> Spike:
    return Spike((begin_ms + length_ms) * MS, float(length_ms), "frame")


def kept(*looks: TraceLook, game: str = "10") -> LongestWaits:
    found = LongestWaits()
    found.accept_looks(looks, game)
    return found


def look(waits=(), requests=()) -> TraceLook:
    return TraceLook(0, 1, 0, 0, waits=tuple(waits), requests=tuple(requests))


def test_waits_are_the_games_and_requests_are_anybodys() -> None:
    """A wait of another program is none of the game's; a request of it may hold the game up."""
    found = kept(look([wait(100, 50), wait(100, 60, OTHER)], [request(110, 40)]))
    inside = found.within([spike(90, 100)])
    assert inside.waits == (wait(100, 50),)
    assert inside.requests == (request(110, 40),)


def test_without_a_game_there_are_requests_only() -> None:
    """Nobody knows whose waits would count."""
    inside = kept(look([wait(1, 50)], [request(1, 40)]), game="").within([spike(0, 100)])
    assert (inside.waits, inside.requests) == ((), (request(1, 40),))


def test_a_core_is_waited_for_like_anything_else() -> None:
    """Of all kinds the longest comes first, and eight are enough."""
    waits = [TracedWait(GAME, CORE, 10 * MS, (at + 5) * MS) for at in range(20)]
    inside = kept(look(waits)).within([spike(0, 100)])
    assert [each.duration_ns // MS for each in inside.waits] == [24, 23, 22, 21, 20, 19, 18, 17]


@given(
    st.lists(st.tuples(st.integers(0, 2000), st.integers(4, 300)), max_size=8),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(10, 400)), max_size=8),
)
@example([(529, 4)], [(99, 400)])
def test_exactly_what_overlaps_with_a_stutter(waits, spikes) -> None:
    """As by asking each wait of each stutter."""
    all_waits = [wait(*each) for each in waits]
    all_spikes = [spike(*each) for each in spikes]
    wanted = [
        each
        for each in all_waits
        if any(
            each.begin_ns + each.duration_ns > one.start_ns - LOOK_NS
            and each.begin_ns < one.monotonic_ns + LOOK_NS
            for one in all_spikes
        )
    ]
    inside = kept(look(all_waits)).within(all_spikes)
    assert sorted(map(repr, inside.waits)) == sorted(map(repr, wanted))


def test_of_a_long_session_the_last_is_kept() -> None:
    """Memory does not grow with it."""
    found = LongestWaits()
    for at in range(100):
        found.accept_looks([look([wait(at * 100 + each, 5) for each in range(60)])], "10")
    assert found.within([spike(0, 10)]).waits == ()
    assert len(found.within([spike(9900, 100)]).waits) == 8
