# SPDX-License-Identifier: GPL-3.0-or-later
"""Stutters as the victim's own log has them."""

import pytest

from tests.truth.frame_log import delayed_share, rows, stutters

_HEAD = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nvictim,none,none,0,none,none,none\n"
_HEAD += "fps,frametime,cpu_load,gpu_load,elapsed,waited_ms\n"


def _log(*frames):
    """Frames of so many milliseconds, each waiting for a processor for so many."""
    end_ms, lines = 0.0, []
    for frame_ms, waited_ms in frames:
        end_ms += frame_ms
        line = f"{1000 / frame_ms:.1f},{frame_ms:.4f},0,0,{int(end_ms * 1e6)},{waited_ms:.3f}"
        lines.append(line)
    return _HEAD + "\n".join(lines) + "\n"


def _lengths(*lengths_ms):
    return rows(_log(*((length, 0.0) for length in lengths_ms)))


_CALM = (16.7,) * 40


@pytest.mark.parametrize(
    ("frames", "count"),
    [
        ((), 0),
        (_CALM, 0),
        ((*_CALM, 49.0, *_CALM), 0),
        ((*_CALM, 60.0, *_CALM, 300.0, *_CALM), 2),
        ((*_CALM, 60.0, 16.7, 80.0, *_CALM), 1),
        ((*_CALM, 300.0, 300.0, *_CALM), 1),
        ((*_CALM, *(90.0,) * 30, *_CALM), 3),
        ((*_CALM, 5000.0, *_CALM), 1),
        ((40.0,) * 40 + (90.0,) + (40.0,) * 40, 0),
    ],
)
def test_long_frames_close_to_each_other_are_one_stutter(frames, count):
    """One a second at most; and a game that is slow all the time has none."""
    assert stutters(_lengths(*frames)) == count


def test_a_line_that_is_being_written_is_no_frame():
    """The victim writes while it is read."""
    whole = _log((16.7, 0.0), (16.7, 0.0))
    assert [len(rows(whole[:-cut])) for cut in (1, 2, 6, 12)] == [2, 2, 1, 1]


def test_a_frame_is_delayed_when_half_of_it_was_waiting_for_a_processor():
    """Of the long frames alone."""
    calm = ((16.7, 16.0),) * 40
    frames = rows(_log(*calm, (100.0, 60.0), (100.0, 40.0), *calm))
    assert delayed_share(frames) == 0.5
    assert delayed_share(rows(_log(*calm))) == 0.0
