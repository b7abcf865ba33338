# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames as lines of a recording."""

import pytest
from hypothesis import given

from destutter.core.sample import Frames, Reading, Sample, SampleError
from destutter.session.lines import from_line, to_line
from tests.unit.session.streams import any_message, frames


@given(frames)
def test_any_frames_come_back(message):
    """Times and lengths that do not fit together come back as exactly as those that do."""
    assert from_line(to_line(message)) == message


@given(any_message)
def test_any_message_comes_back(message):
    """Every message has one line, and the line gives the message."""
    line = to_line(message)
    assert "\n" not in line
    assert from_line(line) == message


def test_frames_in_a_row_need_only_their_lengths():
    """When each frame begins where the last one ended, no time but the first is written."""
    line = to_line(Frames("mangohud", (1_000_000, 8_000_000, 24_000_000), (9, 7000, 16000)))
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
    assert from_line(to_line(large)) == large
    larger = Sample(1, 0, 0, 0, (Reading("vmstat", 1, (None, -(10**400))),))
    with pytest.raises(SampleError, match="nothing counts to"):
        from_line(to_line(larger))
