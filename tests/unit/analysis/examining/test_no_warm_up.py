# SPDX-License-Identifier: GPL-3.0-or-later
"""A warm-up is one by what comes behind it."""

from dataclasses import replace

from destutter.analysis.report.said_of_sessions import bands_of
from destutter.analysis.report.terminal_words import terminal_words
from destutter.diagnosis.runs.phases import Phase, PhaseSpan
from tests.support.sessions import frames_of, summary


def test_a_recording_in_which_nothing_settles_has_no_warm_up() -> None:
    """All of nine minutes were shaded and called one."""
    session = replace(summary(frames_of(9, 1)), phases=(PhaseSpan(Phase.WARM_UP, 0, 541),))
    assert session.told_phases == ()
    assert bands_of(session, terminal_words()) == ()
    longer = (PhaseSpan(Phase.WARM_UP, 0, 300), PhaseSpan(Phase.RAMP_UP, 300, 541))
    assert replace(session, phases=longer).told_phases == longer
