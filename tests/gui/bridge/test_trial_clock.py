# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a trial as the helper tells it, in seconds, kept still on the screen."""

from dataclasses import replace

from destutter.analysis.changes import tuning_state
from destutter.analysis.changes.tuning_state import GameProcess
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


class AskedHelper(ScriptedHelper):
    """Counts how often its state is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def ask_state(self) -> None:
        """One more."""
        self.count += 1


def test_the_end_is_asked_for_when_it_comes(qtbot, monkeypatch) -> None:
    """In the last seconds more often than before."""
    monkeypatch.setattr(trial_clock, "_ASK_AT_END_MS", 1)
    helper = AskedHelper()
    clock = TrialClock(helper)
    clock.follow(replace(tuning_scenes.IDLE, state="trial", seconds_left=5), ())
    qtbot.waitUntil(lambda: helper.count > 1, timeout=4_000)
    clock.stop()
    helper.deleteLater()


def test_a_state_that_is_told_again_renews_nothing(qtbot) -> None:
    """What is read anew beside it is no news of the trial for a game."""
    helper = ScriptedHelper()
    clock = TrialClock(helper)
    state = replace(tuning_scenes.IDLE, state="trial", seconds_left=80)
    helper.give_state(state, is_ours=True, game=GameProcess(77, "4711", "sim"))
    for _ in range(3):
        clock.follow(state, ())
    assert [what for what, _ in helper.asked] == ["Extend"]
    clock.stop()
    helper.deleteLater()
