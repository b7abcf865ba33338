# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording as a source of messages: beginnings in the middle, spans, markers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.sample import Facts, Frames, Header, Layout, Marker, Message, Sample, Trouble
from destutter.session.block_writer import time_of
from destutter.session.replay import ReplaySource
from destutter.session.stream_state import StreamState
from tests.unit.session.streams import (
    HEADER,
    SECOND_NS,
    TICK_NS,
    any_message,
    record,
    ticks,
)

FIRST = HEADER.monotonic_ns
LAYOUT = Layout("vmstat", ("a", "b", "c", "d"))


@pytest.fixture
def replay(tmp_path):
    """A minute of ticks; at 20 s the game ends, at 40 s a marker and at 41 s frames."""
    samples = list(ticks(600))
    stream: list[Message] = [
        LAYOUT,
        Facts(FIRST, {"game.name": "DCS", "clocksource": "tsc"}),
        Trouble(FIRST, "gpu", "no driver"),
        *samples[:200],
        Facts(samples[200].monotonic_ns, {"game.name": ""}),
        Layout("vmstat", ("d", "c", "b", "a")),
        *samples[200:400],
        Marker(samples[400].monotonic_ns, "mark"),
        *samples[400:410],
        Frames("mangohud", (samples[410].monotonic_ns - 5, samples[410].monotonic_ns), (7, 8)),
        *samples[410:],
    ]
    record(tmp_path / "a.destutter", stream)
    source = ReplaySource(tmp_path / "a.destutter")
    yield source
    source.close()


def inside(message: Message, start_ns: int, end_ns: int) -> bool:
    """Whether a message belongs into a span by its time."""
    time_ns = time_of(message)
    return time_ns is not None and start_ns <= time_ns <= end_ns


def test_span_is_first_to_last_sample(replay):
    """The span is that of the samples, without having read them all."""
    assert replay.span == (FIRST, FIRST + 599 * TICK_NS)


def test_seek_tells_what_holds_before_the_first_sample(replay):
    """After seek() come the header, layout, facts and troubles of that time, then the samples."""
    at = FIRST + 25 * SECOND_NS + 1
    replay.seek(at)
    messages = list(replay.messages())
    assert messages[:4] == [
        HEADER,
        Layout("vmstat", ("d", "c", "b", "a")),
        Facts(FIRST + 20 * SECOND_NS, {"clocksource": "tsc"}),
        Trouble(FIRST, "gpu", "no driver"),
    ]
    samples = [message for message in messages if isinstance(message, Sample)]
    assert samples == list(ticks(600))[251:]


def test_seek_to_nothing_is_the_beginning(replay):
    """seek(None) undoes an earlier seek."""
    everything = list(replay.messages())
    replay.seek(FIRST + 30 * SECOND_NS)
    replay.seek(None)
    assert list(replay.messages()) == everything


def test_seek_beyond_the_end_gives_only_the_header(replay):
    """After the last sample there is nothing to play."""
    replay.seek(FIRST + 3600 * SECOND_NS)
    assert list(replay.messages()) == [HEADER]


def test_range_has_both_ends(replay):
    """read_range gives the samples, frames and markers from start to end, both included."""
    start_ns, end_ns = FIRST + 40 * SECOND_NS, FIRST + 41 * SECOND_NS
    messages = list(replay.read_range(start_ns, end_ns))
    assert messages[1] == Layout("vmstat", ("d", "c", "b", "a"))
    assert [type(message) for message in messages[2:]] == [
        Facts,
        Trouble,
        Marker,
        *[Sample] * 10,
        Frames,
        Sample,
    ]


def test_state_is_known_for_any_time(replay):
    """state_at tells layouts and facts of a time without playing the recording."""
    early, late = replay.state_at(FIRST + SECOND_NS), replay.state_at(FIRST + 50 * SECOND_NS)
    assert early.facts == {"game.name": "DCS", "clocksource": "tsc"}
    assert early.layouts["vmstat"] == LAYOUT
    assert late.facts == {"clocksource": "tsc"}
    assert late.layouts["vmstat"].fields == ("d", "c", "b", "a")


def test_markers_are_found_without_decoding_samples(replay, monkeypatch):
    """The flags of the blocks lead to the markers; no column is unpacked for them."""
    monkeypatch.setattr("destutter.session.block_reader.BlockReader.read", None)
    assert replay.markers == (Marker(FIRST + 40 * SECOND_NS, "mark"),)


def test_two_passes_at_once_do_not_disturb_each_other(replay):
    """Two iterations over one recording each see everything."""
    first, second = replay.messages(), replay.messages()
    pairs = list(zip(first, second, strict=True))
    assert len(pairs) == 1 + 600 + 7
    assert all(one == other for one, other in pairs)


@pytest.mark.slow
@given(
    messages=st.lists(any_message, max_size=25),
    start_ns=st.integers(-1, 40 * SECOND_NS),
    length_ns=st.integers(0, 60 * SECOND_NS),
)
def test_range_of_any_stream(tmp_path_factory, messages, start_ns, length_ns):
    """Of any stream a range gives every timed message of the span, after the state before it."""
    path = tmp_path_factory.mktemp("range") / "a.destutter"
    record(path, messages)
    end_ns = start_ns + length_ns
    source = ReplaySource(path)
    found = list(source.read_range(start_ns, end_ns))
    source.close()
    timed = Sample | Frames | Marker
    wanted = [m for m in messages if isinstance(m, timed) and inside(m, start_ns, end_ns)]
    assert [m for m in found if isinstance(m, timed)] == wanted
    assert found[0] == HEADER
    if wanted:
        state = StreamState()
        for message in messages[: messages.index(wanted[0])]:
            state.accept(message)
        assert found[1 : 1 + len(state.messages())] == state.messages()


def test_own_header_comes_first_even_in_an_empty_recording(tmp_path):
    """The first message of a source is its header, also when nothing follows."""
    header = Header(7, 2.5, 50, {"cpus": 2}, {})
    record(tmp_path / "a.destutter", [], header)
    source = ReplaySource(tmp_path / "a.destutter")
    assert list(source.messages()) == [header]
    assert source.span is None
    assert source.gaps == ()
    assert source.state_at(99).messages() == []
    source.close()
