# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands above the proof of a finding."""

import pytest
from PySide6.QtCore import QLocale

from destutter.diagnosis.finding import Spike
from destutter.ui.causes.evidence_title import evidence_title
from destutter.ui.causes.listed_moments import ListedMoment
from destutter.ui.words.quantities import Quantities, WallClock

AT_NS = 10_000_000_000
NEAR = Spike(AT_NS, 120.0, "frame")


@pytest.mark.parametrize(
    ("length_ms", "spikes", "is_open", "told"),
    [
        (120.0, (NEAR,), False, "Evidence: stutter at "),
        (120.0, (Spike(AT_NS, 120.0, "wakeup"),), False, "Evidence: hiccup at "),
        (None, (NEAR,), False, "Evidence: strongest at {}"),
        (None, (), True, "Evidence: strongest at {}"),
        (None, (), False, "Evidence: strongest at {}, no stutter then"),
    ],
)
def test_it_says_which_moment_it_is_of(length_ms, spikes, is_open, told):
    """A computer without a game has hiccups; a stutter of another cause is one as well."""
    clock = WallClock(QLocale.c())
    moment = ListedMoment(AT_NS, length_ms)
    found = evidence_title(moment, spikes, Quantities(QLocale.c()), clock, is_open=is_open)
    time = clock.time(AT_NS)
    assert found.startswith(told.format(time)) if length_ms else found == told.format(time)
    assert time in found
