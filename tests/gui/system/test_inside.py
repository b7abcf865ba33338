# SPDX-License-Identifier: GPL-3.0-or-later
"""The expert's view: a minute inside the kernel, from the button to the sums."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from destutter.bridge.kernel_trace import KernelTrace, TraceKind, TraceStatus
from destutter.core.statement import Statement
from destutter.core.traced import INTERRUPT
from destutter.ui.system.inside_view import InsideView
from destutter.ui.system.section import as_text
from destutter.ui.words.quantities import Quantities
from tests.support.expert_trace import ScriptedTrace, expert_looks, expert_snapshot
from tests.support.window_kit import make_theme

Make = Callable[[KernelTrace | None], InsideView]


@pytest.fixture
def trace(qapp: QApplication) -> Iterator[ScriptedTrace]:
    """The window's, which a test plays."""
    made = ScriptedTrace()
    yield made
    made.stop()


@pytest.fixture
def make(qapp: QApplication, qtbot) -> Make:
    """Makes views that are seen."""

    def made(trace: KernelTrace | None) -> InsideView:
        locale = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
        view = InsideView(make_theme(qapp), Quantities(locale), trace)
        qtbot.addWidget(view)
        view.show()
        return view

    return made


def give(view: InsideView, *looks, **of: str) -> str:
    """Let it have these; all of it as plain text."""
    view.accept_snapshot(expert_snapshot(looks, **of))
    view.refresh()
    return plain(as_text(view.sections))


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def test_each_card_says_what_it_costs_before_anything_is_recorded(make, trace) -> None:
    """And that it takes a minute and a password."""
    view = make(trace)
    assert give(view).count("Cost: about") == len(view.sections)
    assert "1 minute at most" in plain(view.text.full_text)
    assert "password" in view.text.full_text
    view.act.click()
    assert trace.asked == ["expert"]


def test_without_a_game_there_is_nothing_to_record(make, trace) -> None:
    """It says why, and begins to offer it when one runs."""
    view = make(trace)
    give(view, game="")
    assert not view.act.isEnabled()
    assert "no game runs" in view.text.full_text
    give(view)
    assert view.act.isEnabled()


def test_a_recording_counts_down_and_adds_up(make, trace) -> None:
    """What it costs the computer is measured; it can be stopped, and what was found stays."""
    view = make(trace)
    give(view)
    trace.lend(left_s=17)
    assert "17 seconds" in plain(view.text.full_text)
    told = give(view, *expert_looks())
    for line in ("nvme0q1", "1,204", "RenderThread amdgpu", "48 ms", "engine.so", "212"):
        assert line in told
    assert (
        plain(view.cost.full_text) == "232,300 events in 41 seconds, read with 0.54 % of a core."
    )
    assert view.act.text() == "Stop"
    view.act.click()
    assert trace.asked[-1] == "end"
    assert "nvme0q1" in give(view, *expert_looks())
    assert "1,204" in plain(as_text(view.sections))  # what comes later is not added
    assert "nothing is recorded any more" in view.text.full_text


def test_another_recording_begins_anew(make, trace) -> None:
    """Two minutes are not one."""
    view = make(trace)
    for _ in range(2):
        trace.lend()
        assert "1,204" in give(view, *expert_looks())
        trace.end()


def test_the_usual_trace_is_not_an_experts(make, trace) -> None:
    """It can be had all the same: what runs is given back for it."""
    view = make(trace)
    trace.lend(is_expert=False)
    assert "1,204" not in give(view, *expert_looks())
    view.act.click()
    assert trace.asked == ["expert"]


def test_while_a_password_is_waited_for(make, trace) -> None:
    """It can be cancelled."""
    view = make(trace)
    trace._change(TraceStatus(TraceKind.ASKING, is_expert=True))
    assert (view.text.full_text, view.act.text()) == ("Waiting for your password…", "Cancel")
    assert view.act.isEnabled()
    view.act.click()
    assert trace.asked == ["end"]


def test_why_there_is_none(make, trace) -> None:
    """In the helper's words, and it can be tried again."""
    view = make(trace)
    give(view)
    trace.refuse(Statement("helper.trace.no_tracefs"))
    assert "nothing is mounted at /sys/kernel/tracing;" in view.text.full_text
    assert view.act.isEnabled()


def test_what_this_kernel_lacks_is_told_and_is_not_nothing(make, trace) -> None:
    """ "Not measured" with the reason; what was measured and found nothing says that."""
    view = make(trace)
    trace.lend()
    told = give(
        view,
        *expert_looks(kinds=(INTERRUPT,)),
        missing="filemap/mm_filemap_fault,wbt/wbt_timer",
    )
    assert "Not measured: the event filemap/mm_filemap_fault is in Linux 6.12" in told
    assert "No thread of the game waited for the graphics card." in told
    assert "No interrupt" not in told


def test_the_longest_wait_is_asked_for_its_call_path(make, trace) -> None:
    """At once, for the kernel keeps few; shown are the functions from where it waited outwards."""
    view = make(trace)
    trace.lend()
    told = give(view, *expert_looks())
    assert [each.split()[:2] for each in trace.asked] == [["path", "4713"]]
    assert "streamer 4713 slept 184 ms; the innermost function stands first." in told
    assert told.index("io_schedule") < told.index("folio_wait_bit_common") < told.index("vfs_read")
    assert "__schedule" not in told
    give(view, *expert_looks())  # one that is not longer
    assert len(trace.asked) == 1


def test_a_call_path_that_the_kernel_has_no_more_is_told(make, trace) -> None:
    """The wait is told all the same."""
    view = make(trace)
    trace.functions = ()
    trace.lend()
    assert "slept 184 ms; its call path is kept no more." in give(view, *expert_looks())


def test_no_long_wait_is_told_too(make, trace) -> None:
    """It is not that nothing was measured."""
    view = make(trace)
    trace.lend()
    assert "No thread of the game slept for 4 ms" in give(view, *expert_looks(is_deep=False))


def test_what_was_lost_is_told(make, trace) -> None:
    """A time that was not measured in full."""
    view = make(trace)
    trace.lend()
    give(view, *expert_looks(loses=True))
    assert "2 seconds not measured in full." in plain(view.cost.full_text)


def test_a_recording_shows_what_is_in_it(make, trace) -> None:
    """And asks for nothing."""
    view = make(trace)
    view.show_replay(is_replay=True)
    told = give(view, *expert_looks())
    assert "1,204" in told
    assert "slept 184 ms; a recording has no call paths." in told
    assert not any(each.startswith("path") for each in trace.asked)
    assert not view.act.isVisible()
    view.show_replay(is_replay=False)
    assert "1,204" not in plain(as_text(view.sections))


def test_files_of_another_computer_are_not_asked(make) -> None:
    """There is no kernel behind them."""
    view = make(None)
    assert not view.act.isVisible()
    assert "another computer" in view.text.full_text


def test_without_a_helper_the_way_to_it_is_a_click(make, trace, qtbot) -> None:
    """ "The helper is not installed" stood there, and nothing led on."""
    view = make(trace)
    trace.refuse(Statement("bridge.helper.absent"), is_absent=True)
    assert view.act.text() == "About the helper"
    assert view.act.isEnabled()
    with qtbot.waitSignal(view.helper_requested, timeout=10_000):
        view.act.click()


def test_a_helper_that_came_is_not_missing_any_more(make, trace) -> None:
    """ "The helper is not installed" stood beside "Helper ready" until it was asked again."""
    view = make(trace)
    trace.refuse(Statement("bridge.helper.absent"), is_absent=True)
    trace.helper_came()
    assert trace.status == TraceStatus()
    assert view.act.text() == "Record for one minute"
    why = Statement("tracing.over")
    trace.refuse(why)
    trace.helper_came()
    assert trace.status.why == why
