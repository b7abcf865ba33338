# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide, step by step, by clicks."""

import os
import re
import time
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from destutter.analysis.changes.tuning_state import GameProcess
from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.core.compared import ComparedOutcome
from destutter.core.sample import Frames
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.runs.compared_minutes import Reason
from destutter.diagnosis.unplayed_span import Unplayed, UnplayedSpan
from destutter.guide_progress import GuideProgress, GuideStep, GuideStore
from destutter.session.being_recorded import hold
from destutter.ui.guide.check_step import CheckStep
from destutter.ui.guide.checks import Seen, checks
from destutter.ui.guide.choose_step import ChooseStep
from destutter.ui.guide.compare_step import CompareStep
from destutter.ui.guide.guide_page import GuidePage
from destutter.ui.guide.offer import offer_notice
from destutter.ui.guide.record_counts import RecordCounts
from destutter.ui.guide.record_panel import Figure
from destutter.ui.pages.feed_state import FeedKind, FeedState, RecordingState
from destutter_helper.api.names import HelperError
from tests.gui.guide.guide_kit import Guide, make_guide
from tests.gui.live_window import settle, snapshots_of
from tests.gui.sessions.page_kit import AFTER, BEFORE, flights, folder
from tests.support.live_scenes import snapshots
from tests.support.long_flights import Flight, write_flight
from tests.support.scripted_source import START_NS, Script
from tests.support.tuning_scenes import IDLE, kept_changes, reading, result

__all__ = ["flights", "folder", "make_guide"]


def _record(guide: Guide, name: str, qtbot) -> None:
    """Click through a recording that is there already, as the window would tell it."""
    page = guide.page
    with qtbot.waitSignal(page.record_requested):
        page.next.click()
    page.show_recording(RecordingState(time.monotonic_ns(), f"{name}.destutter"))
    with qtbot.waitSignal(page.stop_requested):
        page.next.click()
    page.show_recording(RecordingState(file_name=f"{name}.destutter"))


def _to_choose(guide: Guide, qtbot) -> ChooseStep:
    guide.page.show_step(GuideStep.RECORD)
    guide.page.show_snapshot(snapshots_of("stuttering")[-1])
    _record(guide, BEFORE, qtbot)
    guide.wait(qtbot)
    step = guide.page.steps[GuideStep.CHOOSE]
    assert isinstance(step, ChooseStep)
    return step


def test_it_begins_with_what_will_happen(make_guide):
    """Nothing is asked, nothing is changed, and there is no way back from the first step."""
    guide = make_guide()
    page = guide.page
    assert page.step is GuideStep.WELCOME
    assert "Nothing is changed" in page.sentence.text()
    assert not page.back.isVisible()
    assert page.next.text() == "Start"
    assert not guide.file.exists()


def test_check_tells_what_can_be_measured(make_guide, qtbot):
    """Each source has a line with a word; what can be set up has advice behind a button."""
    guide = make_guide(availability=Availability.ABSENT)
    guide.page.next.click()
    step = guide.page.steps[GuideStep.CHECK]
    assert isinstance(step, CheckStep)
    assert list(step.rows) == ["waiting", "helper"], "nothing is known yet about the others"
    for snapshot in snapshots_of("whole_computer")[-4:]:
        guide.page.show_snapshot(snapshot)
    assert "waiting" not in step.rows
    assert step.rows["disk"].word.text() == "Ready"
    assert not step.rows["frames"].button.isHidden()
    step.rows["helper"].button.click()
    seen = [step.is_reading_advice]
    qtbot.keyClick(guide.page.window().focusWidget(), Qt.Key.Key_Escape)
    seen.append(step.is_reading_advice)
    assert seen == [True, False]
    assert guide.page.next.isEnabled()


def test_advice_that_was_followed_goes(make_guide, qtbot):
    """Who installed the helper by it read "not installed" beside "Helper ready"; and the keyboard
    stays in the page."""
    guide = make_guide(availability=Availability.ABSENT)
    guide.page.next.click()
    step = guide.page.steps[GuideStep.CHECK]
    assert isinstance(step, CheckStep)
    stream = snapshots_of("whole_computer")[-4:]
    for snapshot in stream[:-1]:
        guide.page.show_snapshot(snapshot)
    step.rows["helper"].button.click()
    seen = []
    for availability in (Availability.BROKEN, Availability.READY):
        guide.page.show_helper(HelperStatus(availability, Statement("bridge.helper.absent")))
        seen.append(step.is_reading_advice)
    assert seen == [True, False]
    assert step.rows["frames"].button.hasFocus()
    step.rows["frames"].button.click()
    guide.page.show_snapshot(stream[-1])
    guide.page.show_helper(HelperStatus(Availability.ABSENT))
    assert step.connecting is not None


def test_check_tells_what_came_before_somebody_looked(make_guide):
    """A page that is made late hears one snapshot; without a second "Measuring begins…" stayed."""
    guide = make_guide()
    guide.page.show_snapshot(snapshots_of("whole_computer")[-1])
    guide.page.next.click()
    step = guide.page.steps[GuideStep.CHECK]
    assert isinstance(step, CheckStep)
    assert "waiting" not in step.rows


def test_check_names_drives_and_no_loop_device():
    """ "loop0, loop1, loop2 and more" were told of a computer whose drive is vda."""
    seen = Seen()
    (snapshot, *_) = snapshots_of("whole_computer")
    seen.accept_snapshot(replace(snapshot, metrics=()))
    seen.drives = {"loop0", "loop1", "vda"}
    disk = next(
        each for each in checks(seen, HelperStatus(Availability.READY)) if each.id == "disk"
    )
    assert disk.detail == "vda"


def test_check_tells_that_a_log_leaves_frames_out(make_guide):
    """Frame times that come now and then are not ready, and the advice says how all of them do."""
    script = Script().run(1)
    for _ in range(100):
        script.run(0.1).frames(16.7)
    guide = make_guide()
    guide.page.next.click()
    for snapshot in snapshots(script.messages):
        guide.page.show_snapshot(snapshot)
    step = guide.page.steps[GuideStep.CHECK]
    assert isinstance(step, CheckStep)
    row = step.rows["frames"]
    assert row.word.text() != "Ready"
    assert "log_interval=0" in row.detail.text()
    row.button.click()
    assert step.is_reading_advice


def test_a_recording_goes_on_beside_one_that_is_played(make_guide):
    """It shows what is measured now, and nothing of the one that is played."""
    guide = make_guide()
    guide.page.show_step(GuideStep.RECORD)
    stream = snapshots_of("stuttering")
    guide.page.show_snapshot(stream[0])
    guide.page.show_recording(RecordingState(START_NS, "a.destutter"))
    guide.page.show_feed_state(FeedState(FeedKind.REPLAY, "old.destutter"))
    panel = guide.page.record.panel
    for snapshot in stream[1:]:
        guide.page.show_snapshot(snapshot)
    assert not panel.counts.worst_by_second
    for snapshot in stream[1:]:
        guide.page.show_present(snapshot)
    assert panel.counts.worst_by_second


def test_a_recording_shows_what_it_has_found(make_guide, qtbot):
    """Timer, stutters, the longest frame and waits for memory, while it runs."""
    guide = make_guide()
    guide.page.show_step(GuideStep.RECORD)
    assert not guide.page.next.isEnabled()
    stream = snapshots_of("stuttering")
    guide.page.show_snapshot(stream[0])
    assert guide.page.next.isEnabled()
    counts = RecordCounts(START_NS)
    for snapshot in stream:
        counts.accept_snapshot(snapshot)
    assert len(counts.stutters) == 3
    assert counts.worst_ms == pytest.approx(214, abs=1)
    assert counts.short_of_memory_s
    assert counts.slowest_disk
    guide.page.show_recording(RecordingState(START_NS, "flight.destutter"))
    panel = guide.page.record.panel
    panel.counts = counts
    panel.show_now()
    assert panel.stutters.value.text() == "3"
    assert "214" in panel.longest.value.text()
    assert panel.line._runs
    guide.page.show_recording(RecordingState())


def test_the_clock_stands_still_while_nobody_plays(make_guide):
    """A minute of pause was recorded, "which is enough"; a comparison has none of it.

    What has not come yet stands still for nobody: the measurements are behind by up to a minute.
    """
    guide = make_guide()
    guide.page.show_step(GuideStep.RECORD)
    page, panel = guide.page, guide.page.record.panel
    (snapshot, *_) = snapshots_of("stuttering")
    started_ns = time.monotonic_ns() - 100 * 10**9
    guide.page.show_recording(RecordingState(started_ns, "flight.destutter"))

    def at(second, frames=(), unplayed=()):
        now_ns = started_ns + second * 10**9
        told = replace(snapshot.assessment, spikes=(), monotonic_ns=now_ns, unplayed=unplayed)
        return replace(snapshot, assessment=told, frames=frames, metrics=())

    assert panel.counts is not None
    for second in (*range(40), *range(90, 100)):
        ends = tuple(started_ns + second * 10**9 + at * 10**7 for at in range(100))
        frames = (Frames("xplane", ends, (10_000,) * 100),)
        page.show_snapshot(at(second + 1, frames=frames))
        panel.show_now()
        assert panel.note.text().startswith("recorded")
        if second == 39:
            page.show_snapshot(at(60))
            panel.show_now()
            assert panel.note.text().startswith("stands still")
    assert panel.timer.text() == "0:50"
    assert panel.note.text() == "recorded; at least 8:00 are needed"
    assert not panel.apart.isHidden()
    counted = r"0:50 of 1:\d\d count\. "
    assert re.fullmatch(counted + r"In the rest nothing was measured\.", panel.apart.text())
    pause = UnplayedSpan(Unplayed.PAUSED, started_ns + 40 * 10**9, started_ns + 90 * 10**9)
    page.show_snapshot(at(100, unplayed=(pause,)))
    panel.show_now()
    told = panel.apart.text().replace("\u00a0", " ")
    assert re.fullmatch(counted + r"Not counted: 50 seconds paused\.", told)
    guide.page.show_recording(RecordingState())
    assert panel.timer.text() == "0:50"


def test_a_step_shows_no_figures_of_another_recording(make_guide):
    """Step 5 opened with the first one's: "10:13 of at least 8:00, 631 stutters"."""
    guide = make_guide()
    guide.page.show_step(GuideStep.RECORD)
    guide.page.show_recording(RecordingState(START_NS, "flight.destutter"))
    for snapshot in snapshots_of("stuttering"):
        guide.page.show_snapshot(snapshot)
    guide.page.show_recording(RecordingState())
    guide.page._memory.keep(GuideProgress(GuideStep.COMPARE, "flight.destutter"))
    guide.page.show_step(GuideStep.COMPARE)
    panel = guide.page.compare.panel
    assert panel.stutters.value.text() == "–"
    assert panel.timer.text() == "0:00"
    assert panel.bar.value() == 0


def test_a_stutter_that_grows_is_counted_once():
    """Its longest frame names it, and a longer one took its place."""
    counts = RecordCounts(0)
    snapshot = snapshots_of("stuttering")[0]
    for spikes in ([(1, 0.2)], [(1, 0.2), (5, 0.1)], [(1, 0.2), (5.4, 0.3)], [(5.4, 0.3)], []):
        told = tuple(Spike(int(at * 1e9), 1e3 * long, "frames") for at, long in spikes)
        assessment = replace(snapshot.assessment, spikes=told)
        counts.accept_snapshot(replace(snapshot, assessment=assessment, frames=(), metrics=()))
    assert len(counts.stutters) == 2
    assert counts.worst_ms == pytest.approx(300)


def test_what_was_counted_before_the_game_came_is_not_its_own():
    """121 were told here, and 39 in the next step: the rest were the computer's, before it."""
    counts = RecordCounts(0)
    snapshot = snapshots_of("stuttering")[0]
    late = tuple(Spike(int(at * 1e9), 80.0, "wakeup") for at in (1, 2, 3))
    long = (Spike(int(5e9), 90.0, "mangohud"),)
    frames = Frames("mangohud", (int(4.9e9), int(5e9)), (16_000, 90_000))
    for spikes, came in ((late, ()), (long, (frames,))):
        assessment = replace(snapshot.assessment, spikes=spikes)
        counts.accept_snapshot(replace(snapshot, assessment=assessment, frames=came, metrics=()))
        assert counts.stutters == (
            {int(5e9)} if long[0] in spikes else {10**9, 2 * 10**9, 3 * 10**9}
        )


def test_what_was_found_is_offered_with_the_safe_changes_chosen(make_guide, qtbot):
    """Each with its values, its risk, and the reason behind "Why?"."""
    guide = make_guide()
    step = _to_choose(guide, qtbot)
    assert guide.page.step is GuideStep.CHOOSE
    assert "memory" in guide.page.sentence.text()
    assert step.rows
    row = step.rows[0]
    assert row.box.isChecked()
    assert row.risk.text == "Risk: low"
    assert row.detail.text().startswith("Fewer and shorter waits while the game streams. ")
    assert "From 0.1 % to 1.8 %." in row.reason.text().replace("\u00a0", " ")
    assert not row.reason.isVisible()
    row.why.click()
    assert row.reason.isVisible()
    assert guide.page.next.text().startswith("Apply 1 change")
    row.box.click()
    assert len(step.chosen) == len([each for each in step.rows if each.is_chosen])


def test_changes_are_tried_and_the_next_recording_follows(make_guide, qtbot):
    """The helper is asked once; when it is done, the last step begins."""
    guide = make_guide()
    step = _to_choose(guide, qtbot)
    chosen = step.chosen
    guide.page.next.click()
    (method, (changes, _seconds)) = guide.tuning.helper.asked[-1]
    assert (method, tuple(changes)) == ("BeginTrial", chosen)
    assert not guide.page.next.isEnabled()
    assert "password" in guide.page.sentence.text()
    results = [result(each.id, "10", each.value, "trial") for each in chosen]
    guide.tuning.helper.finish("BeginTrial", *results)
    guide.tuning.helper.finish("Keep", *results)
    qtbot.waitUntil(lambda: guide.page.step is GuideStep.COMPARE)
    kept = GuideStore(guide.file).progress
    assert dict(kept.changes) == {each.id: each.value for each in chosen}


def test_a_refusal_is_a_line_and_commands_can_be_copied(make_guide, qtbot):
    """Denied is told with a way out; cancelled says nothing."""
    guide = make_guide()
    step = _to_choose(guide, qtbot)
    guide.page.next.click()
    helper = guide.tuning.helper
    helper.failed.emit("BeginTrial", HelperError("Dismissed", "not allowed"))
    assert not step.notices.shown
    assert guide.page.step is GuideStep.CHOOSE
    guide.page.next.click()
    helper.failed.emit("BeginTrial", HelperError("NotAuthorized", "not allowed"))
    (notice,) = step.notices.shown
    assert "may not" in notice.detail
    assert notice.action == step.copy.text()
    assert not step.copy.isVisible(), "one offer is enough"
    step.notices.row(notice.id).action.click()
    assert step.chosen[0].id.partition(".")[2] in QGuiApplication.clipboard().text()


def test_a_refused_setting_says_so_on_its_row(make_guide, qtbot):
    """The line names nothing twice: the row has the reason, the report has everything."""
    guide = make_guide()
    step = _to_choose(guide, qtbot)
    key = step.chosen[0].id
    guide.page.next.click()
    error = HelperError("Refused", "the kernel refused the value", id=key)
    guide.tuning.helper.failed.emit("BeginTrial", error)
    row = next(each for each in step.rows if each.recommendation.key == key)
    assert row.detail.text() == "Not changed: the kernel refused the value"
    (notice,) = step.notices.shown
    step.notices.row(notice.id).action.click()
    assert "error: Refused" in QGuiApplication.clipboard().text()


def test_without_a_helper_nobody_is_sent_to_a_terminal(make_guide, qtbot):
    """What a person can do, and how to get the helper; commands that somebody types do not end
    with the game, and nothing promises it."""
    guide = make_guide(availability=Availability.ABSENT)
    step = _to_choose(guide, qtbot)
    guide.tuning.model.accept_game(GameProcess(77, "4711", "X-Plane 12"))
    labels = step.findChildren(QLabel)
    told = " ".join(each.text() for each in (guide.page.sentence, *labels) if each.isVisible())
    assert "as long as" not in told
    assert "terminal" not in told
    assert not step.copy.isVisible()
    assert not step.chosen
    titles = [row.title.text() for row in step.cause.rows]
    assert titles[0] == "Waiting for free memory"
    assert "What you can do" in titles
    setting = next(row for row in step.cause.rows if row.button.isVisible())
    assert setting.button.text() == "Set up the helper"
    assert "Acts on the cause of" in setting.detail.text()
    assert guide.page.next.text() == "I did that: record again and compare"
    guide.tuning.helper.set_status(Availability.READY)
    assert step.rows, "the helper came while somebody looked"
    guide.tuning.helper.set_status(Availability.ABSENT)
    guide.page.next.click()
    assert guide.page.step is GuideStep.COMPARE
    assert guide.page._memory.progress.changes == ()


def test_it_ends_in_a_verdict(make_guide, qtbot):
    """The second recording is compared with the first, and the changes can be undone."""
    guide = make_guide()
    _to_choose(guide, qtbot)
    guide.page._memory.keep(
        GuideProgress(GuideStep.COMPARE, f"{BEFORE}.destutter", "", (("vm.swappiness", "10"),))
    )
    guide.page.show_step(GuideStep.COMPARE)
    _record(guide, AFTER, qtbot)
    guide.wait(qtbot)
    compare = guide.page.compare
    assert compare.verdict.isVisible()
    assert compare.verdict.banner.headline.full_text.startswith("Smoother")
    assert compare.verdict.before._runs
    with qtbot.waitSignal(guide.page.comparison_requested) as asked:
        compare.whole.click()
    assert asked.args == [f"{BEFORE}.destutter", f"{AFTER}.destutter"]
    with qtbot.waitSignal(guide.page.left):
        guide.page.next.click()
    assert GuideStore(guide.file).progress == GuideProgress(is_declined=True)


def _verdict(guide: Guide, qtbot, before: str, after: str) -> CompareStep:
    """The last step with both recordings, and two changes until the restart."""
    guide.tuning.model.games.is_offered = True
    guide.tuning.give(*kept_changes())
    tried = (("vm.min_free_kbytes", "524288"), ("vm.watermark_scale_factor", "125"))
    files = f"{before}.destutter", f"{after}.destutter"
    guide.page._memory.keep(GuideProgress(GuideStep.COMPARE, *files, tried))
    guide.page.show_step(GuideStep.COMPARE)
    guide.wait(qtbot)
    return guide.page.compare


def _suggested(page: GuidePage) -> list[str]:
    compare = page.compare
    buttons = (compare.always, compare.this_game, compare.undo, page.next)
    shown = [each for each in buttons if each.isVisible()]
    return [each.text() for each in shown if each.property("role") == "suggested"]


def test_the_verdict_decides_which_button_is_suggested(make_guide, qtbot):
    """Better is kept, worse goes back, and what goes on is suggested once that is said."""
    guide = make_guide()
    compare = _verdict(guide, qtbot, AFTER, BEFORE)
    assert [each.text() for each in (compare.always, compare.this_game, compare.undo)] == [
        "Keep for every start",
        "Keep for this game",
        "Take back",
    ]
    assert _suggested(guide.page) == ["Take back"]
    assert guide.page.main is compare.undo
    guide.page.show_covered(is_covered=True)
    assert _suggested(guide.page) == []
    guide.page.show_covered(is_covered=False)
    _verdict(guide, qtbot, BEFORE, AFTER)
    assert _suggested(guide.page) == ["Keep for this game"]
    guide.tuning.give(IDLE, reading())
    assert _suggested(guide.page) == ["Done"]
    assert guide.page.main is guide.page.next
    assert not compare.undo.isVisible()


def test_below_what_is_too_close_to_call_nothing_is_better(make_guide, qtbot):
    """ "147 -> 123 ms, -16 % (better)" stood in green below "too close to call"."""
    guide = make_guide()
    compare = _verdict(guide, qtbot, BEFORE, AFTER)
    comparison = compare._comparison
    assert comparison is not None

    def told():
        figures = compare.verdict.findChildren(Figure)
        return " ".join(f"{each.note.text()} {each._tone}" for each in figures if each.isVisible())

    assert "better" in told()
    assert "ok" in told()
    open_ = replace(comparison, outcome=ComparedOutcome.TOO_CLOSE, reason=Reason.CHANCE)
    compare.verdict.show_comparison(open_)
    qtbot.waitUntil(lambda: "%" in told() and "better" not in told(), timeout=5000)
    assert "ok" not in told()


def test_what_was_tried_goes_back_and_nothing_else(make_guide, qtbot):
    """Changes of other days stay; the page of changes has them."""
    guide = make_guide()
    compare = _verdict(guide, qtbot, AFTER, BEFORE)
    compare.undo.click()
    method, request = guide.tuning.helper.asked[-1]
    assert (method, set(request.ids)) == (
        "Undo",
        {"vm.min_free_kbytes", "vm.watermark_scale_factor"},
    )
    guide.tuning.helper.finish("Undo")
    guide.tuning.helper.state_taken.emit(guide.tuning.helper.now)
    (notice,) = compare.notices.shown
    assert notice.text == "The values from before are back."


@pytest.mark.parametrize("runs", [False, True])
def test_what_is_kept_for_the_game_is_not_left_to_everything_else(
    make_guide, qtbot, qapp, *, runs
):
    """Kept for the recorded game it goes back from the rest, unless that game runs right now."""
    guide = make_guide()
    compare = _verdict(guide, qtbot, BEFORE, AFTER)
    if runs:
        guide.tuning.model.accept_game(GameProcess(77, "4711", "X-Plane 12"))
    compare.this_game.click()
    method, (game, changes) = guide.tuning.helper.asked[-1]
    assert (method, game) == ("KeepForGame", "X-Plane 12")
    assert {each.id for each in changes} == {"vm.min_free_kbytes", "vm.watermark_scale_factor"}
    guide.tuning.helper.answered.emit("KeepForGame", "1" * 32)
    guide.tuning.helper.state_taken.emit(guide.tuning.helper.now)
    (notice,) = compare.notices.shown
    assert notice.text == "The changes are kept for X-Plane 12"
    settle(qapp)
    asked = [method for method, _ in guide.tuning.helper.asked]
    assert ("Undo" in asked) is not runs


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("X-Plane 12", "Too short for a fair comparison"),
        ("Euro Truck", "Two different games: no fair comparison"),
    ],
)
def test_what_cannot_be_compared_gets_no_verdict(make_guide, folder, qtbot, game, told):
    """It refuses to judge, and offers to record again."""
    write_flight(folder / "Short.destutter", Flight(2, game=game))
    guide = make_guide()
    guide.page._memory.keep(
        GuideProgress(GuideStep.COMPARE, f"{BEFORE}.destutter", "Short.destutter")
    )
    guide.page.show_step(GuideStep.COMPARE)
    guide.wait(qtbot)
    banner = guide.page.compare.verdict.banner
    assert banner.headline.full_text == told
    assert guide.page.compare.again.isVisible()


def test_a_recording_that_has_gone_is_told(make_guide, qtbot):
    """The step says so, and another one can be made."""
    guide = make_guide()
    guide.page._memory.keep(GuideProgress(GuideStep.CHOOSE, "gone.destutter"))
    guide.page.show_step(GuideStep.CHOOSE)
    guide.wait(qtbot)
    assert guide.page.heading.text() == "The recording cannot be read"
    sentence = "There is no such file any more. Go back to record again."
    assert guide.page.sentence.text() == sentence
    guide.page.back.click()
    assert guide.page.step is GuideStep.RECORD
    assert guide.page.record.again.isVisible()


def test_the_length_of_a_recording_is_shown_though_nobody_has_read_the_folder(make_guide, qtbot):
    """Who comes back to the step sees how long the recording is, not a timer at zero."""
    guide = make_guide(reads_folder=False)
    guide.page._memory.keep(GuideProgress(GuideStep.RECORD, f"{BEFORE}.destutter"))
    guide.page.show_step(GuideStep.RECORD)
    qtbot.waitUntil(lambda: guide.models.library.is_read)
    assert guide.page.record.panel.timer.text() == "12:00"


def test_what_another_window_still_records_is_not_offered_as_there(make_guide, folder):
    """ "The recording is there: go on with it" stood beside a window that was recording it."""
    descriptor = os.open(folder / f"{BEFORE}.destutter", os.O_RDONLY)
    hold(descriptor)
    guide = make_guide()
    guide.page._memory.keep(GuideProgress(GuideStep.RECORD, f"{BEFORE}.destutter"))
    guide.page.show_step(GuideStep.RECORD)
    assert guide.page.heading.text() == "Record how it is now"
    os.close(descriptor)
    guide.page.show_step(GuideStep.RECORD)
    assert guide.page.heading.text() == "The recording is there"


def test_it_is_left_and_taken_up_again(make_guide, qtbot):
    """At any step, and after a restart; the Live page offers to go on."""
    first = make_guide()
    first.page.next.click()
    first.page.next.click()
    with qtbot.waitSignal(first.page.left):
        first.page.leave.click()
    second = make_guide()
    assert second.page.step == "record"
    notice = offer_notice(GuideStore(second.file).progress)
    assert notice is not None
    assert "3 of 5" in notice.text
    second.page.back.click()
    assert second.page.step == "check"


def test_the_offer_is_made_once(make_guide):
    """Who closes it, or has gone through it, is not asked again."""
    guide = make_guide()
    guide.page.show_step(GuideStep.COMPARE)
    guide.page.steps[GuideStep.COMPARE].finished.emit()
    assert offer_notice(GuideStore(guide.file).progress) is None
    assert offer_notice(GuideProgress()) is not None
    assert offer_notice(GuideProgress(is_declined=True)) is None


def test_a_failed_recording_is_a_line(make_guide):
    """The reason stands above the card."""
    guide = make_guide()
    guide.page.show_step(GuideStep.RECORD)
    guide.page.show_recording(RecordingState(failure=Statement("session.disk_full")))
    (notice,) = guide.page.notices.shown
    assert notice.detail == "The disk is full"
