# SPDX-License-Identifier: GPL-3.0-or-later
"""What limits the rate of frames."""

import pytest

from destutter.diagnosis.runs.frame_limit import FrameLimit, frame_limit


@pytest.mark.parametrize(
    ("card_pct", "thread_pct", "limit"),
    [
        (99.0, 100.0, FrameLimit.CARD),
        (99.0, None, FrameLimit.CARD),
        (70.0, 97.0, FrameLimit.PROCESSOR),
        (70.0, 40.0, FrameLimit.NEITHER),
        (70.0, None, FrameLimit.UNKNOWN),
        (None, 97.0, FrameLimit.UNKNOWN),
        (None, None, FrameLimit.UNKNOWN),
    ],
)
def test_by_what_is_at_work_all_the_time(card_pct, thread_pct, limit):
    """The card first; without its reading a busy thread may only wait for it."""
    assert frame_limit(card_pct, thread_pct) is limit
