# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of the guide: what is gone, what is left, and where it goes on."""

from dataclasses import replace

import numpy as np
import pytest

from destutter.analysis.comparing.comparison import Comparison, compare_sessions
from destutter.bridge.session_examiner import Examined
from destutter.core.compared import ComparedOutcome
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Assessment, Confidence, Culprit, Finding, Group
from destutter.guide_progress import GuideProgress, GuideStep
from destutter.ui.guide.choose_step import ChooseStep
from destutter.ui.guide.compare_step import CompareStep
from tests.gui.guide.guide_kit import Guide, make_guide
from tests.gui.sessions.page_kit import AFTER, BEFORE, flights, folder

__all__ = ["flights", "folder", "make_guide"]

_BEFORE, _AFTER = f"{BEFORE}.destutter", f"{AFTER}.destutter"


def _compared(guide: Guide, qtbot) -> tuple[CompareStep, Comparison]:
    guide.page._memory.keep(GuideProgress(GuideStep.COMPARE, _BEFORE, _AFTER))
    guide.page.show_step(GuideStep.COMPARE)
    guide.wait(qtbot)
    compare = guide.page.compare
    assert compare._comparison is not None
    return compare, compare._comparison


def _blaming(assessment: Assessment | None, program: str) -> Assessment:
    """The same with that program as whoever kept the drive busy."""
    assert assessment is not None
    moved = Statement("culprit.grew", {"grown_bytes": 4 << 30})
    did_it = Culprit("process", program, 4711, moved)
    found = Finding(
        "io_unfairness", Group.STORAGE, Confidence.HIGH, 8, 10, 0, 10**9, (), (did_it,)
    )
    return replace(assessment, findings=(found,))


def _of(comparison: Comparison) -> Comparison:
    """One of recordings that two backups disturbed, one after the other."""
    a = replace(comparison.a, assessment=_blaming(comparison.a.assessment, "nightbackup"))
    b = replace(comparison.b, assessment=_blaming(comparison.b.assessment, "nightsync2"))
    return replace(comparison, a=a, b=b)


def _show(compare: CompareStep, comparison: Comparison) -> None:
    compare._examined(Examined((comparison.a, comparison.b), comparison))


def test_a_half_success_says_what_is_left_and_goes_on_with_it(make_guide, qtbot):
    """133 stutters were left, and there was only "Finish"."""
    guide = make_guide()
    compare, comparison = _compared(guide, qtbot)
    left = _of(comparison)
    seconds = {**left.b.seconds, "frame.stutters": left.a.seconds["frame.stutters"]}
    _show(compare, replace(left, b=replace(left.b, seconds=seconds)))
    assert compare.left.isVisible()
    assert compare.left.title.text() == "What still makes it stutter"
    assert "Close nightsync2 while you play" in compare.left.detail.text()
    with qtbot.waitSignal(guide.page.cause_requested) as asked:
        compare.left.button.click()
    assert asked.args[1].culprits[0].comm == "nightsync2"
    assert guide.page.next.text() == "Next cause"
    assert guide.page.main is guide.page.next
    guide.page.next.click()
    assert guide.page.step is GuideStep.CHOOSE
    assert guide.page._memory.progress == GuideProgress(GuideStep.CHOOSE, _AFTER)


def test_what_is_gone_is_told_and_what_keeps_it(make_guide, qtbot):
    """A program that was closed stays closed: that is what the player does."""
    guide = make_guide()
    compare, comparison = _compared(guide, qtbot)
    seconds = dict(comparison.b.seconds)
    seconds["frame.stutters"] = seconds["frame.stutters"] * 0
    calm = replace(comparison.b, seconds=seconds)
    gone = replace(_of(replace(comparison, b=calm)), outcome=ComparedOutcome.BETTER)
    _show(compare, gone)
    before = gone.a.frame_stutters
    assert guide.page.heading.text() == f"It is gone: {before} stutters before, 0 after"
    assert "as long as nightbackup stays closed" in guide.page.sentence.text()
    assert not compare.left.isVisible()
    assert guide.page.next.text() == "Done"
    with qtbot.waitSignal(guide.page.left):
        guide.page.next.click()


@pytest.mark.parametrize(("there", "is_proof"), [("nightsync2", True), ("nightbackup", False)])
def test_the_program_that_was_closed_is_no_reason_for_doubt(make_guide, qtbot, there, is_proof):
    """ "The play may not have been alike" was said of the backup that step 4 told to close."""
    _, comparison = _compared(make_guide(), qtbot)
    a = replace(comparison.a, assessment=_blaming(comparison.a.assessment, "nightbackup"))
    b = replace(comparison.b, assessment=_blaming(comparison.b.assessment, there))
    unlike = ("disk.written_bytes", "memory.allocated_bytes")
    alike = {id_: each for id_, each in a.minutes.items() if id_ not in unlike}
    read = np.full(a.minutes["frame.count"].size, 5e9)
    a = replace(a, minutes={**alike, "disk.read_bytes": read})
    calm = {id_: each for id_, each in b.minutes.items() if id_ not in unlike}
    b = replace(b, minutes={**calm, "disk.read_bytes": read[: b.whole_minutes] / 10})
    told = compare_sessions(a, b)
    first, second = (
        replace(each, header=replace(each.header, tunables={"block.read_ahead_kb@sda": value}))
        for each, value in ((a, "128"), (b, "512"))
    )
    assert compare_sessions(first, second).gone == told.gone, (
        "what a setting moves, a program did too"
    )
    assert told.gone == (("nightbackup",) if is_proof else ())
    assert ("unequal_work_a" in told.warnings) is not is_proof


def test_one_advice_is_given_once_and_a_setting_is_only_more(make_guide, qtbot):
    """ "Close nightbackup or pause it", then "pause the other program", then the helper."""
    from destutter.bridge.helper_client import Availability

    guide = make_guide(availability=Availability.ABSENT)
    guide.page._memory.keep(GuideProgress(GuideStep.CHOOSE, _BEFORE))
    guide.page.show_step(GuideStep.CHOOSE)
    guide.wait(qtbot)
    step = guide.page.choose
    assert isinstance(step, ChooseStep)
    summary = step._summary
    assert summary is not None
    assert summary.assessment is not None
    (first, *others) = summary.assessment.findings
    took = Statement("culprit.grew", {"grown_bytes": 4 << 30})
    named = replace(first, culprits=(Culprit("process", "photobackup", 4711, took),))
    assessment = replace(summary.assessment, findings=(named, *others))
    step._examined(Examined((replace(summary, assessment=assessment),), None))
    told = [row.detail.text() for row in step.cause.rows if "Close " in row.detail.text()]
    assert len(told) == 1
    assert "\n" not in told[0]
    assert "photobackup" in told[0]
    assert "A setting helps" not in guide.page.sentence.text()
    assert step.cause.rows[-1].title.text().startswith("If that is not enough: ")
