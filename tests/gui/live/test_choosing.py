# SPDX-License-Identifier: GPL-3.0-or-later
"""Choosing another program: rows stay where they are, and the page says at once whom it awaits."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.metrics import Metrics
from destutter.ui.controls.column_rows import PARTS
from destutter.ui.live.program_chooser import ProgramChooser
from destutter.ui.shell.main_window import MainWindow
from tests.gui.live_window import make_live, settle, snapshots_of

__all__ = ["make_live"]

_LAST = snapshots_of("stuttering")[-1]


def _after(second: int, **shares: float) -> Snapshot:
    """So many seconds later, a look that found these programs at work: "a31" is number 31."""
    now_ns = _LAST.assessment.monotonic_ns + second * 10**9
    found = {f"{name[1:]} {name}": share for name, share in shares.items()}
    metrics = Metrics(now_ns, 1.0, {}, {"process.cpu_pct": found})
    assessment = replace(_LAST.assessment, monotonic_ns=now_ns)
    return replace(_LAST, assessment=assessment, metrics=(metrics,), frames=(), markers=())


def _open(window: MainWindow) -> ProgramChooser:
    window.show_snapshot(_after(1, a31=90.0, b32=50.0, c33=10.0))
    window.live.panels.show_programs()
    chooser = window.live.panel.content
    assert isinstance(chooser, ProgramChooser)
    return chooser


def _rows(chooser: ProgramChooser) -> list[tuple[str, str]]:
    items = (chooser.list.item(row).data(PARTS) for row in range(chooser.list.count()))
    return [(name, share.replace("\u00a0", " ")) for name, _, share in items]


def test_rows_stay_where_they_are_while_the_list_is_open(make_live) -> None:
    """Another one lay under the pointer when the button went down, and the click chose it."""
    window = make_live()
    chooser = _open(window)
    assert [name for name, _ in _rows(chooser)] == ["a31", "b32", "c33"]
    chooser.list.setCurrentRow(1)
    window.show_snapshot(_after(3, c33=95.0, d34=70.0, b32=60.0))
    assert _rows(chooser) == [("a31", "0 %"), ("b32", "60 %"), ("c33", "95 %"), ("d34", "70 %")]
    assert chooser.watch.isEnabled()
    (chosen,) = chooser.list.selectedItems()
    assert chosen.data(PARTS)[0] == "b32"


def test_a_click_is_not_swallowed_by_new_figures(make_live, qapp, qtbot) -> None:
    """They came between press and release, with rows that were made anew."""
    window = make_live()
    chooser = _open(window)
    settle(qapp)
    place = chooser.list.visualItemRect(chooser.list.item(2)).center()
    port, left = chooser.list.viewport(), Qt.MouseButton.LeftButton
    QTest.mousePress(port, left, pos=place)
    window.show_snapshot(_after(3, c33=95.0, b32=60.0))
    QTest.mouseRelease(port, left, pos=place)
    assert chooser.watch.isEnabled()
    with qtbot.waitSignal(window.live.game_chosen) as asked:
        chooser.watch.click()
    assert asked.args == [33]


def test_the_page_says_at_once_whom_it_awaits(make_live) -> None:
    """For 10 s it went on telling of the program before, with its button grey."""
    window = make_live()
    chooser, live = _open(window), window.live
    chooser.list.setCurrentRow(0)
    chooser.watch.click()
    assert live.banner.headline.full_text == "Looking at a31…"
    assert "a31" in live.header.game.text()
    window.show_snapshot(_after(5, a31=90.0))
    assert live.banner.headline.full_text == "Looking at a31…"
    facts = {**_LAST.facts, "game.pid": "31", "game.name": "a31"}
    window.show_snapshot(replace(_after(7, a31=90.0), facts=facts))
    assert "Looking" not in live.banner.headline.full_text


def test_a_program_that_has_gone_is_not_awaited_for_ever(make_live) -> None:
    """It ended between the look and the click: nothing ever tells of it."""
    window = make_live()
    chooser, live = _open(window), window.live
    chooser.list.setCurrentRow(0)
    chooser.watch.click()
    window.show_snapshot(_after(40, b32=90.0))
    assert "Looking" not in live.banner.headline.full_text


def test_without_a_game_the_page_shows_the_one_that_is_awaited(make_live) -> None:
    """The page of nothing to see gives way at once."""
    window = make_live("whole_computer", watches_computer=False)
    assert window.live.banner.isHidden()
    chooser = _open(window)
    window.live.panels.program_chosen.emit(31, "a31")
    assert chooser.isHidden() or window.live.panel.isHidden()
    assert not window.live.banner.isHidden()
    assert window.live.banner.headline.full_text == "Looking at a31…"
