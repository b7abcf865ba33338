# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a trial as the helper tells it, in seconds, kept still on the screen."""

from dataclasses import replace

from destutter.bridge.trial_clock import TrialClock
from tests.support import tuning_scenes
from tests.support.tuning_scenes import ScriptedHelper


def test_clock_does_not_jump_when_asked_again(qtbot) -> None:
    """The helper rounds seconds up; the end that fits what it says stays."""
    helper = ScriptedHelper()
    clock = TrialClock(helper)
    state = replace(tuning_scenes.IDLE, state="trial", seconds_left=47)
    first = clock.read(state, ())
    again = clock.read(state, ())
    assert first is not None
    assert again is not None
    assert first.ends_boottime_ns == again.ends_boottime_ns
    longer = clock.read(replace(state, seconds_left=90), ())
    assert longer is not None
    assert longer.total_s == 90
    clock.stop()
    helper.deleteLater()
