# SPDX-License-Identifier: GPL-3.0-or-later
"""What had become smooth before anything was changed is no success of the change."""

import numpy as np
import pytest

from destutter.analysis.comparing.comparison import compare_sessions
from destutter.analysis.report.comparison_words import detail
from destutter.analysis.report.terminal_words import terminal_words
from destutter.core.compared import ComparedOutcome
from destutter.diagnosis.runs.compared_minutes import Reason
from tests.support.sessions import summary

PLAY = {"game.pid": "553", "game.started": "44540500000000"}
BUSY, CALM = 7, 1
TROUBLED = [BUSY, 8, 6, 7, 6, 2, CALM, CALM]  # as a stranger had it: five minutes, then quiet
CURED = [2, 2, CALM, 2, 0, 2, CALM, 2]


def _flight(stutters_of_minutes) -> np.ndarray:
    """Frames of 60 a second, with so many of 120 ms in each minute."""
    generator = np.random.default_rng(3)
    lengths = generator.uniform(16.4, 17.0, len(stutters_of_minutes) * 3620)
    for minute, count in enumerate(stutters_of_minutes):
        at = minute * 3600 + 100 + 400 * np.arange(count)
        lengths[at] = generator.uniform(110, 130, count)
    return lengths


def _compared(before, after, facts=PLAY, gap_s=200.0):
    first = summary(_flight(before), facts=PLAY)
    begins = 1.7e9 + first.duration_s + gap_s  # which the first began at
    return compare_sessions(first, summary(_flight(after), facts=facts, started_at=begins))


@pytest.mark.parametrize(("before", "after"), [(TROUBLED, CURED), (CURED[::-1], TROUBLED)])
def test_a_run_that_had_changed_by_itself_proves_nothing(before, after):
    """Better where it had become calm before; of one that was calm and is troubled: worse."""
    told = _compared(before, after)
    if before is TROUBLED:
        assert (told.outcome, told.reason) == (ComparedOutcome.TOO_CLOSE, Reason.BEFORE)
        assert "by itself, before anything was changed" in detail(told, terminal_words())
    else:
        assert (told.outcome, told.reason) == (ComparedOutcome.WORSE, Reason.NONE)


def test_worse_by_itself_is_not_the_fault_of_the_change():
    """The other way round."""
    told = _compared([CALM, 0, 2, CALM, CALM, BUSY, 8, 7], [7, 8, 6, 7, 8, 6, 7, 7])
    assert (told.outcome, told.reason) == (ComparedOutcome.TOO_CLOSE, Reason.BEFORE)


@pytest.mark.parametrize(
    ("before", "facts", "gap_s"),
    [
        pytest.param([BUSY, 8, 6, 7, 6, 8, 5, 7], PLAY, 200.0, id="troubled to its end"),
        pytest.param([8, 8, 8, 8, 8, 5, 5, 5], PLAY, 200.0, id="less, and far from the second"),
        pytest.param([BUSY, 8, 6, 7, 6, 8, CALM, CALM], PLAY, 200.0, id="two minutes of chance"),
        pytest.param(TROUBLED, {**PLAY, "game.pid": "9"}, 200.0, id="the game was started anew"),
        pytest.param(TROUBLED, {}, 200.0, id="nobody knows which"),
        pytest.param(TROUBLED, PLAY, 7200.0, id="two hours later"),
        pytest.param(TROUBLED, PLAY, -900.0, id="recorded before it"),
    ],
)
def test_else_a_change_that_helped_has_helped(before, facts, gap_s):
    """Only what went on, and had changed for minutes, is doubted."""
    assert _compared(before, CURED, facts, gap_s).outcome is ComparedOutcome.BETTER
