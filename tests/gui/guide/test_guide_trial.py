# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide while a game runs: what is tried lasts as long as that, and what no setting helps."""

import os
import time
from dataclasses import replace

import pytest
from PySide6.QtDBus import QDBusUnixFileDescriptor

from destutter.analysis.comparing import comparison
from destutter.bridge.owned_trial import OwnedTrial
from destutter.bridge.session_examiner import Examined
from destutter.core.statement import Statement
from destutter.diagnosis.finding import (
    Confidence,
    Culprit,
    Finding,
    Group,
    Spike,
)
from destutter.diagnosis.lost_time import TimeLost
from destutter.guide_progress import GuideProgress, GuideStep, GuideStore
from destutter.tuning.presets import GENERAL
from destutter.ui.guide.choose_step import ChooseStep
from destutter.ui.guide.compare_step import CompareStep
from destutter.ui.pages.feed_state import RecordingState
from destutter_helper.api import names
from destutter_helper.api.payload import Change, GameSet, Results
from tests.gui.guide.guide_kit import Guide, make_guide
from tests.gui.sessions.page_kit import AFTER, BEFORE, flights, folder
from tests.support.recorded_flights import SIM
from tests.support.sampled import sampled
from tests.support.tuning_scenes import IDLE, four_changes, reading, result

__all__ = ["flights", "folder", "make_guide"]

_BEFORE, _AFTER = f"{BEFORE}.destutter", f"{AFTER}.destutter"
_TRIED = (("vm.min_free_kbytes", "524288"), ("vm.watermark_scale_factor", "125"))


def _choose(guide: Guide, qtbot) -> ChooseStep:
    guide.page._memory.keep(GuideProgress(GuideStep.CHOOSE, _BEFORE))
    guide.page.show_step(GuideStep.CHOOSE)
    guide.wait(qtbot)
    return guide.page.choose


def _records(guide: Guide, name: str = "") -> None:
    """The window tells that it records into this file; empty: no more."""
    started_ns = time.monotonic_ns() if name else None
    guide.page.show_recording(RecordingState(started_ns, name))


def test_while_the_game_runs_a_change_lasts_as_long(make_guide, qtbot):
    """It is tied to the game, not to the restart; the recording of the trial is the second."""
    guide = make_guide()
    step = _choose(guide, qtbot)
    assert guide.page.next.text().startswith("Apply ")
    assert "until restart" in step.rows[0].detail.text()
    guide.tuning.model.accept_game(SIM)
    assert guide.page.next.text() == "Try for this game"
    assert "as long as X-Plane 12 runs" in step.rows[0].detail.text()
    guide.tuning.model.set_preset(replace(GENERAL, id="flight_sim"))
    guide.tuning.model.changed.emit()
    assert guide.page.next.text() == "Try for this flight"
    chosen, helper = step.chosen, guide.tuning.helper
    guide.page.next.click()
    helper.trial_begun.emit(OwnedTrial("tx", QDBusUnixFileDescriptor(), SIM))
    assert helper.asked[-1] == ("Bind", SIM)
    _records(guide, _AFTER)
    state = replace(IDLE, state="trial", seconds_left=99, owner_name=":1.42")
    on_trial = [result(each.id, "10", each.value, "trial") for each in chosen]
    helper.answered.emit("Bind", 120)
    guide.tuning.give(
        replace(state, changed=tuple(on_trial)), guide.tuning.reading, is_ours=True, game=SIM
    )
    assert guide.page.step is GuideStep.COMPARE
    kept = GuideStore(guide.file).progress
    assert dict(kept.changes) == {each.id: each.value for each in chosen}
    assert kept.second == _AFTER
    assert "as long as X-Plane 12 runs" in guide.page.sentence.text()


def test_what_another_page_tries_is_what_is_compared(make_guide, qtbot):
    """Begun from Causes: the guide goes on with it, once the trial is recorded."""
    guide = make_guide()
    _choose(guide, qtbot)
    guide.tuning.model.accept_game(SIM)
    guide.tuning.give(*four_changes(), is_ours=True, game=SIM)
    steps = [guide.page.step]
    _records(guide, _AFTER)
    assert [*steps, guide.page.step] == [GuideStep.CHOOSE, GuideStep.COMPARE]
    progress = guide.page._memory.progress
    assert (progress.baseline, progress.second) == (_BEFORE, _AFTER)
    trial = guide.tuning.model.trial
    assert dict(progress.changes) == {
        each.key: each.change.value for each in trial.changes if each.change is not None
    }
    assert "as long as X-Plane 12 runs" in guide.page.sentence.text()
    guide.page.back.click()
    guide.tuning.model.changed.emit()
    assert guide.page.step.value == "choose"  # who looks back is not thrown forward again


def _fly(guide: Guide, qtbot, before: str, after: str) -> CompareStep:
    """Two changes on trial for a game, which ends."""
    guide.tuning.model.games.is_offered = True
    guide.tuning.give(*four_changes(), is_ours=True, game=SIM)
    _records(guide, after)
    guide.page._memory.keep(GuideProgress(GuideStep.COMPARE, before, "", _TRIED))
    guide.page.show_step(GuideStep.COMPARE)
    guide.tuning.helper.trial_ended.emit(names.ENDED_GAME, Results(()))
    guide.tuning.give(IDLE, reading())
    _records(guide)
    guide.wait(qtbot)
    # "That did not work" stood there in red, above "Smoother": a game that ends ends its trial.
    assert not guide.page.compare.notices.shown
    return guide.page.compare


def test_what_could_not_go_back_with_the_game_is_told(make_guide):
    """Somebody else has set it meanwhile."""
    guide = make_guide()
    guide.tuning.give(*four_changes(), is_ours=True, game=SIM)
    guide.page._memory.keep(GuideProgress(GuideStep.COMPARE, _BEFORE, _AFTER, _TRIED))
    guide.page.show_step(GuideStep.COMPARE)
    left = (result("vm.swappiness", "60", "10", "", "foreign"),)
    guide.tuning.helper.trial_ended.emit(names.ENDED_GAME, Results(left))
    (notice,) = guide.page.compare.notices.shown
    assert "Changes page says more" in notice.text


@pytest.mark.parametrize("keeps", sampled(["always", "this_game", "undo"], ["this_game"]))
def test_a_better_flight_is_judged_by_itself_and_can_be_kept(make_guide, qtbot, keeps):
    """The values have gone back with the game; the guide offers them as every page does."""
    guide = make_guide()
    compare = _fly(guide, qtbot, _BEFORE, _AFTER)
    assert compare.verdict.banner.headline.full_text.startswith("Smoother")
    assert guide.page.main is compare.this_game
    helped = guide.tuning.model.helped
    assert helped.shown is not None
    assert [key for key, _ in _TRIED] == [each.id for each in helped.shown.changes]
    getattr(compare, keeps).click()
    method, given = guide.tuning.helper.asked[-1]
    wanted = tuple(Change(*each) for each in _TRIED)
    if keeps == "always":
        assert (method, tuple(given[0])) == ("BeginTrial", wanted)
    elif keeps == "this_game":
        assert (method, given) == ("KeepForGame", ("X-Plane 12", wanted))
    else:
        assert helped.shown is None
        assert not compare.always.isVisible()
        assert guide.page.main is guide.page.next


def test_take_back_takes_back_what_is_kept_for_the_game_as_well(make_guide, qtbot):
    """It came again at the next start of the game, and only Changes could end that."""
    guide = make_guide()
    compare = _fly(guide, qtbot, _BEFORE, _AFTER)
    compare.this_game.click()
    wanted = tuple(Change(*each) for each in _TRIED)
    kept = GameSet("1" * 32, "X-Plane 12", wanted, runs=True, uid=os.getuid())
    guide.tuning.helper.kept_for_games = (kept,)
    guide.tuning.helper.answered.emit("KeepForGame", None)
    guide.tuning.give(*four_changes(), is_ours=True, game=SIM, set_id=kept.id)
    assert compare.undo.isVisible()
    compare.undo.click()
    assert guide.tuning.helper.asked[-1] == ("ForgetForGame", kept.id)


def test_what_a_closed_program_may_have_helped_is_not_suggested(make_guide, qtbot, monkeypatch):
    """It can be kept, but the guide goes on."""
    monkeypatch.setattr(comparison, "_gone", lambda *_: ("memhog",))
    guide = make_guide()
    compare = _fly(guide, qtbot, _BEFORE, _AFTER)
    assert compare.this_game.isVisible()
    assert guide.page.main is guide.page.next


def test_a_worse_flight_leaves_nothing_to_take_back(make_guide, qtbot):
    """With the game everything has gone back: only the way on is there."""
    guide = make_guide()
    compare = _fly(guide, qtbot, _AFTER, _BEFORE)
    assert not compare.always.isVisible()
    assert not compare.undo.isVisible()
    assert guide.page.main is guide.page.next


def test_while_the_game_still_runs_the_trial_itself_is_kept_or_ended(make_guide, qtbot):
    """A second trial of the same would only be refused."""
    guide = make_guide()
    guide.tuning.give(*four_changes(), is_ours=True, game=SIM)
    guide.page._memory.keep(GuideProgress(GuideStep.COMPARE, _BEFORE, _AFTER, _TRIED))
    guide.page.show_step(GuideStep.COMPARE)
    guide.wait(qtbot)
    guide.page.compare.always.click()
    assert guide.tuning.helper.asked[-1] == ("Keep", "always")
    guide.tuning.helper.finish("Keep")
    guide.page.compare.undo.click()
    assert guide.tuning.helper.asked[-1] == ("Revert", None)


def test_where_no_setting_helps_it_says_what_does(make_guide, qtbot):
    """Cause, culprit and what a person can do; "Nothing to change" was a dead end."""
    guide = make_guide()
    step = _choose(guide, qtbot)
    assert step._summary is not None
    summary = replace(step._summary, recommendations=())
    step._examined(Examined((summary,), None))
    assert guide.page.heading.text() == "Something you can do yourself"
    assert "memory" in guide.page.sentence.text()
    titles = [row.title.text() for row in step.cause.rows]
    assert titles[0] == "Waiting for free memory"
    assert titles[-1] == "What you can do"
    assert "Close programs" in step.cause.rows[-1].detail.text()
    assert step.cause.isVisible()
    with qtbot.waitSignal(guide.page.cause_requested) as asked:
        step.show_cause.click()
    assert asked.args[1].cause == "direct_reclaim"
    assert guide.page.main is guide.page.next
    assert guide.page.main.text() == "I did that: record again and compare"
    guide.page.main.click()
    assert guide.page.step is GuideStep.COMPARE
    assert guide.page._memory.progress.changes == ()


def test_who_did_it_is_named_before_any_setting(make_guide, qtbot):
    """A backup kept the drive busy, and the guide spoke of schedulers alone."""
    guide = make_guide()
    step = _choose(guide, qtbot)
    summary = step._summary
    assert summary is not None
    assert summary.assessment is not None
    took = Statement("culprit.grew", {"grown_bytes": 4 << 30})
    did_it = Culprit("process", "photobackup", 4711, took)
    (first, *others) = summary.assessment.findings
    assert first.is_answer
    named = replace(first, culprits=(did_it,))
    assessment = replace(summary.assessment, findings=(named, *others))
    step._examined(Examined((replace(summary, assessment=assessment),), None))
    assert guide.page.heading.text() == "Choose what to try"
    text = guide.page.sentence.text()
    assert text.index("photobackup") < text.index("The changes of low risk")
    assert "not both at once" in text
    for row in step.rows:
        row.box.setChecked(False)
    assert guide.page.heading.text() == "Close photobackup while you play"
    assert "are chosen" not in guide.page.sentence.text()
    assert "not both at once" not in guide.page.sentence.text()
    assert guide.page.main.text() == "I did that: record again and compare"
    guide.page.main.click()
    assert guide.page.step is GuideStep.COMPARE


def test_where_the_game_took_the_time_itself_it_says_what_a_player_can_do(make_guide, qtbot):
    """ "Record longer, or a heavier scene" was no advice to somebody whose game computes."""
    guide = make_guide()
    step = _choose(guide, qtbot)
    summary = step._summary
    assert summary is not None
    assert summary.assessment is not None
    own = Statement("verdict.own.frames.whole", {"count": 35, "span_s": 600.0})
    verdict = replace(summary.assessment.verdict, headline=own, finding=None)
    assessment = replace(summary.assessment, findings=(), verdict=verdict)
    step._examined(Examined((replace(summary, assessment=assessment, recommendations=()),), None))
    assert guide.page.heading.text() == "Less detail in the game, or a limit for its frame rate"
    assert "the game itself took the time" in guide.page.sentence.text()
    assert step.cause.isVisible()
    assert "less detail" in step.cause.rows[-1].detail.text()
    assert guide.page.main.text() == "I did that: record again and compare"
    guide.page.main.click()
    assert guide.page.step is GuideStep.COMPARE


@pytest.mark.parametrize("confidence", [Confidence.LOW, Confidence.MEDIUM])
def test_what_most_of_the_stutters_need_comes_first(make_guide, qtbot, confidence):
    """ "Close qemu while you play" stood above 178 of 224 stutters that the game itself made."""
    guide = make_guide()
    step = _choose(guide, qtbot)
    summary = step._summary
    assert summary is not None
    assert summary.assessment is not None
    own = Statement("verdict.own.frames.whole", {"count": 224, "span_s": 499.0})
    detail = Statement(
        "verdict.own_work.detail", {"thread": "main", "run_ms": 209.0, "of_ms": 247.0}
    )
    rival = Culprit("process", "qemu", 7, Statement("culprit.cpu", {"cpu_pct": 90.0}))
    part = Finding(
        *("run_queue_delay", Group.CPU, confidence, 46, 224, 0, 1, ()),
        culprits=(rival,),
        weight=0.21,
    )
    verdict = replace(summary.assessment.verdict, headline=own, detail=detail, finding=None)
    assessment = replace(summary.assessment, findings=(part,), verdict=verdict)
    step._examined(Examined((replace(summary, assessment=assessment, recommendations=()),), None))
    assert guide.page.heading.text() == "Less detail in the game, or a limit for its frame rate"
    titles = [row.title.text() for row in step.cause.rows]
    assert titles[:2] == ["The game itself took the time", "What you can do"]
    assert titles[2:] == ([] if confidence is Confidence.LOW else ["Waiting for a core"])
    told = " ".join(row.detail.text() for row in step.cause.rows)
    assert ("qemu" in told) == (confidence is Confidence.MEDIUM)
    memory = replace(part, cause="direct_reclaim", group=Group.MEMORY, culprits=(), weight=0.27)
    memory = replace(memory, confidence=Confidence.HIGH)
    assessment = replace(assessment, findings=(part, memory))
    step._examined(Examined((replace(summary, assessment=assessment),), None))
    assert step.rows
    assert not step.chosen, "what acts on the smaller part is the player's choice"
    assert "less detail" in guide.page.sentence.text()


def test_the_largest_part_that_is_known_is_told_where_most_was_not_seen(make_guide, qtbot):
    """A simulator's own work was not named where 53 of 89 could not be seen, and a setting was
    offered for 2 of them."""
    guide = make_guide()
    step = _choose(guide, qtbot)
    summary = step._summary
    assert summary is not None
    assert summary.assessment is not None
    spikes = tuple(Spike(each * 10**9, 250.0, "xplane") for each in range(12))
    own = [{"own": 240.0, "unknown": 10.0}] * 5 + [{"unknown": 250.0}] * 7
    lost = TimeLost(3000.0, {}, of_each=tuple(TimeLost(250.0, parts) for parts in own))
    unseen = Statement("verdict.unexplained.frames.whole", {"count": 12, "span_s": 480.0})
    few = Finding("direct_reclaim", Group.MEMORY, Confidence.HIGH, 2, 12, 0, 1, (), weight=0.17)
    assessment = replace(
        summary.assessment,
        spikes=spikes,
        lost=lost,
        findings=(few,),
        verdict=replace(summary.assessment.verdict, headline=unseen, finding=None),
    )
    assert any("direct_reclaim" in each.causes for each in summary.recommendations)
    step._examined(Examined((replace(summary, assessment=assessment),), None))
    assert not step.rows, "what acts on 2 of 12 is not offered"
    assert guide.page.heading.text() == "Less detail in the game, or a limit for its frame rate"
    titles = [row.title.text() for row in step.cause.rows]
    assert titles[:2] == ["The game itself took the time", "What you can do"]
    assert "In 5 of 12 stutter" in step.cause.rows[0].detail.text()
    assert "more than a few" in guide.page.sentence.text()
    # Beside a cause that explains more of them its own work still has its line.
    more = replace(few, stutters_explained=6, weight=0.5)
    step._examined(
        Examined(
            (
                replace(
                    summary, assessment=replace(assessment, findings=(more,)), recommendations=()
                ),
            ),
            None,
        )
    )
    titles = [row.title.text() for row in step.cause.rows]
    assert titles[0] == "Waiting for free memory"
    assert titles[-1] == "The game itself took the time"


@pytest.mark.parametrize(
    ("explained", "confidence", "is_offered"),
    [(10, "high", True), (9, "high", False), (40, "low", False)],
)
def test_a_setting_for_few_of_the_stutters_or_by_a_guess_is_not_offered(
    make_guide, qtbot, explained, confidence, is_offered
):
    """Of medium risk, and for 2 of 89: who tries it sees nothing."""
    guide = make_guide()
    step = _choose(guide, qtbot)
    summary = step._summary
    assert summary is not None
    assert summary.assessment is not None
    part = Finding(
        *("direct_reclaim", Group.MEMORY, Confidence(confidence), explained, 40, 0, 1, ()),
        weight=explained / 40,
    )
    assessment = replace(summary.assessment, findings=(part,))
    step._examined(Examined((replace(summary, assessment=assessment),), None))
    assert bool(step.rows) is is_offered


def test_the_way_back_to_what_is_in_place_leads_on(make_guide, qtbot):
    """Values that are there already are no reason to record without a change."""
    guide = make_guide()
    step = _choose(guide, qtbot)
    (chosen,) = step.chosen
    changes = ((chosen.id, chosen.value),)
    guide.page._memory.keep(GuideProgress(GuideStep.CHOOSE, _BEFORE, "", changes))
    kept = result(chosen.id, "10", chosen.value, "restart")
    state = replace(IDLE, state="kept", changed=(kept,))
    guide.tuning.give(state, reading(**{chosen.id.replace(".", "__"): chosen.value}))
    assert guide.page.next.text() == "Continue"
    guide.page.next.click()
    assert guide.page.step is GuideStep.COMPARE
    assert guide.page._memory.progress.changes == changes


def test_the_focus_waits_for_the_button_that_can_be_used(make_guide, qtbot):
    """While a recording is read there is only "Leave", and Enter went away."""
    guide = make_guide()
    guide.page.activateWindow()
    guide.page._memory.keep(GuideProgress(GuideStep.CHOOSE, _BEFORE))
    guide.page.show_step(GuideStep.CHOOSE)
    guide.page.take_focus()
    assert not guide.page.leave.hasFocus()
    assert guide.page.hasFocus()
    guide.wait(qtbot)
    assert guide.page.next.hasFocus()
