# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a trial as the helper tells it, in seconds, kept still on the screen."""

from dataclasses import replace

from destutter.analysis.changes import tuning_state
from destutter.bridge import trial_clock
from destutter.bridge.trial_clock import TrialClock
from tests.support import tuning_scenes
from tests.support.tuning_scenes import ScriptedHelper


def test_clock_does_not_jump_when_asked_again(qtbot) -> None:
    """The helper rounds seconds up; the end that fits what it says stays."""
    helper = ScriptedHelper()
    clock = TrialClock(helper)
    state = replace(tuning_scenes.IDLE, state="trial", seconds_left=47)
    first = clock.follow(state, ())
    again = clock.follow(state, ())
    assert first is not None
    assert again is not None
    assert first.ends_boottime_ns == again.ends_boottime_ns
    longer = clock.follow(replace(state, seconds_left=90), ())
    assert longer is not None
    assert longer.total_s == 90
    clock.stop()
    helper.deleteLater()


def test_a_state_that_is_told_again_later_moves_nothing(qtbot, monkeypatch) -> None:
    """The kernel's free memory was read anew, and the helper's answer is four seconds old."""
    helper = ScriptedHelper()
    clock = TrialClock(helper)
    now_ns = 1_000_000_000_000
    monkeypatch.setattr(trial_clock, "boottime_ns", lambda: now_ns)
    state = replace(tuning_scenes.IDLE, state="trial", seconds_left=47)
    first = clock.follow(state, ())
    now_ns += 4_000_000_000
    again = clock.follow(state, ())
    assert first is not None
    assert again is not None
    assert again.ends_boottime_ns == first.ends_boottime_ns
    clock.stop()
    helper.deleteLater()


def test_sleep_in_the_middle_of_a_trial_counts(qtbot, monkeypatch) -> None:
    """The helper's deadline goes on while the computer sleeps, and so does what is shown."""
    helper = ScriptedHelper()
    clock = TrialClock(helper)
    now_ns = 1_000_000_000_000
    monkeypatch.setattr(trial_clock, "boottime_ns", lambda: now_ns)
    monkeypatch.setattr(tuning_state, "boottime_ns", lambda: now_ns)
    state = replace(tuning_scenes.IDLE, state="trial", seconds_left=47)
    trial = clock.follow(state, ())
    assert trial is not None
    now_ns += 40_000_000_000
    assert trial.seconds_left == 7
    again = clock.follow(replace(state, seconds_left=7), ())
    assert again is not None
    assert (again.ends_boottime_ns, again.total_s) == (trial.ends_boottime_ns, 47)
    now_ns += 3_600_000_000_000
    assert trial.seconds_left == 0
    clock.stop()
    helper.deleteLater()
