# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames as lines of a recording."""

import pytest
from hypothesis import given

from destutter.core.sample import _DECODERS, Frames, Reading, Sample, SampleError, Trouble
from destutter.core.statement import Statement, told
from destutter.core.traced import TraceLook
from destutter.session.lines import from_line, known_messages, to_lines
from tests.unit.session.streams import any_message, frames


@given(frames)
def test_any_frames_come_back(message):
    """Times and lengths that do not fit together come back as exactly as those that do."""
    assert from_line(to_lines(message)[-1]) == message


@given(any_message)
def test_any_message_comes_back(message):
    """The last line of a message gives the message."""
    lines = to_lines(message)
    assert not any("\n" in line for line in lines)
    assert from_line(lines[-1]) == message


def test_frames_in_a_row_need_only_their_lengths():
    """When each frame begins where the last one ended, no time but the first is written."""
    (line,) = to_lines(Frames("mangohud", (1_000_000, 8_000_000, 24_000_000), (9, 7000, 16000)))
    assert line == '["R","mangohud",1000000,[0,0],[9,7000,16000]]'


@pytest.mark.parametrize(
    "line",
    ['["R"', '["R"]', '["R","x",1,[0],[5]]', '["R","x",1,[0],["a","b"]]', '["R","x",null,[],[5]]'],
)
def test_lines_that_are_no_frames_are_refused(line):
    """Cut off, too few or of another kind: an error, never invented frames."""
    with pytest.raises(SampleError):
        from_line(line)


def test_numbers_that_nothing_counts_to_are_refused():
    """A made-up file may hold any number; one beyond all counters would not fit a fraction."""
    large = Sample(1, 0, 0, 0, (Reading("vmstat", 1, (None, -(1 << 100))),))
    assert from_line(to_lines(large)[0]) == large
    larger = Sample(1, 0, 0, 0, (Reading("vmstat", 1, (None, -(10**400))),))
    with pytest.raises(SampleError, match="nothing counts to"):
        from_line(to_lines(larger)[0])


def test_a_trouble_is_english_for_readers_of_older_versions():
    """They know a line with a text, and pass over the one that says it in every language."""
    reason = Statement("core.file", {"path": "/proc/zoneinfo", "reason": "odd"})
    first, second = to_lines(Trouble(5, "zone", reason))
    assert first == '["t",5,"zone","/proc/zoneinfo: odd"]'
    assert second.startswith('["T",')
    assert list(known_messages([first, second]))[-1] == Trouble(5, "zone", reason)
    assert to_lines(Trouble(5, "zone")) == ['["t",5,"zone",""]']
    assert to_lines(Trouble(5, "zone", told("odd"))) == ['["t",5,"zone","odd"]']


def test_a_look_at_a_trace_is_passed_over_by_older_versions(monkeypatch):
    """To them it is a line of a kind that they do not know, among others that they do."""
    sample = Sample(7, 0, 0, 0, ())
    lines = [*to_lines(TraceLook(1, 5, 0, 90)), *to_lines(sample)]
    assert list(known_messages(lines)) == [TraceLook(1, 5, 0, 90), sample]
    monkeypatch.delitem(_DECODERS, "k")
    assert list(known_messages(lines)) == [sample]
