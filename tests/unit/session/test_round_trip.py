# SPDX-License-Identifier: GPL-3.0-or-later
"""What is recorded is what is replayed, whatever it is."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.sample import Header, Layout, Marker, Message, Reading, Sample
from tests.unit.session.streams import (
    HEADER,
    SECOND_NS,
    any_message,
    headers,
    record,
    replayed,
    ticks,
)


@pytest.mark.slow
@given(header=headers, messages=st.lists(any_message, max_size=30), data=st.data())
def test_any_stream_comes_back_as_it_was(tmp_path_factory, header, messages, data):
    """Messages of every kind, numbers of every size and None anywhere are replayed unchanged."""
    path = tmp_path_factory.mktemp("any") / "a.destutter"
    steps = st.sampled_from([0, SECOND_NS // 3, SECOND_NS])
    clock = itertools.accumulate(iter(lambda: data.draw(steps), None))
    record(path, messages, header, lambda: next(clock))
    assert replayed(path) == [header, *without_the_header(header, messages)]


def without_the_header(header, messages):
    """The messages as a recorder takes them: not its own header before the first sample."""
    kept: list[Message] = []
    for message in messages:
        has_sample = any(isinstance(earlier, Sample) for earlier in kept)
        if message != header or has_sample:
            kept.append(message)
    return kept


def test_many_seconds_come_back_as_they_were(tmp_path):
    """Several key blocks of ticks, with a disk that comes and goes, are replayed unchanged."""
    stream: list[Message] = []
    for tick, sample in enumerate(ticks(450)):
        disks = ("sda", "sdb") if 100 <= tick < 300 else ("sda",)
        if tick in (0, 100, 300):
            stream.append(Layout("disk", ("reads",), disks))
        disk = Reading("disk", sample.monotonic_ns + 99, (tick, tick * 3)[: len(disks)])
        stream.append(
            Sample(sample.monotonic_ns, 0, 1, 2, (*sample.readings, disk, disk)[: 2 + tick % 3])
        )
        if tick % 50 == 7:
            stream.append(Marker(sample.monotonic_ns, f"mark {tick}"))
    record(tmp_path / "a.destutter", stream)
    assert replayed(tmp_path / "a.destutter") == [HEADER, *stream]


def test_own_header_is_recorded_once(tmp_path):
    """The header at the beginning of the stream is not repeated; a later one is a message."""
    other = Header(5, 2.0, 50)
    sample = next(ticks(1))
    record(tmp_path / "a.destutter", [HEADER, sample, other, HEADER])
    assert replayed(tmp_path / "a.destutter") == [HEADER, sample, other, HEADER]


def test_recording_without_messages_has_its_header(tmp_path):
    """A recording that was stopped at once opens and says what it was about."""
    record(tmp_path / "a.destutter", [])
    assert replayed(tmp_path / "a.destutter") == [HEADER]
