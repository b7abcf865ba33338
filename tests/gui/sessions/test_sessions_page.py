# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of recordings, by clicks and keys."""

import os
import shutil
import time

import pytest
from PySide6.QtCore import QLocale, QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication

from destutter.bridge.session_library import DELETED
from destutter.core.statement import Statement
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.sessions.graph_data import GraphView
from destutter.ui.sessions.graph_ticks import TIME_STEPS_S, time_words
from destutter.ui.sessions.session_rows import GameRow, SessionRow
from destutter.ui.words.quantities import Quantities
from tests.gui.sessions.page_kit import (
    AFTER,
    BEFORE,
    REAL,
    choose,
    flights,
    folder,
    known_file_types,
    make_page,
    row_of,
    settled,
)
from tests.support.long_flights import STOCK, TUNED, Flight, write_flight

__all__ = ["flights", "folder", "known_file_types", "make_page"]


def _titles(page) -> list[str]:
    return [row.name if isinstance(row, GameRow) else row.title for row in page.list.rows]


def _click(qtbot, page, name: str, *, on_circle: bool = False, modifier=None) -> None:
    rect = row_of(page, name)
    x = rect.left() + (22 if on_circle else 150)
    qtbot.mouseClick(
        page.list.viewport(),
        Qt.MouseButton.LeftButton,
        modifier or Qt.KeyboardModifier.NoModifier,
        QPoint(x, rect.center().y() - 3),
    )


def _read(qtbot, page) -> None:
    qtbot.waitUntil(lambda: not page._examiner.is_running, timeout=60_000)


# --- the list --------------------------------------------------------------------------------


@pytest.mark.parametrize("step_s", TIME_STEPS_S)
@pytest.mark.parametrize("marks", [1, 2, 9])
def test_no_two_marks_of_a_time_axis_read_the_same(step_s, marks):
    """Minutes that are not whole are written as on a stopwatch."""
    times = [float(step_s * (each + 1)) for each in range(marks)]
    words = time_words(times, Quantities(QLocale("en_US")))
    assert len(set(words)) == marks, words


def test_marks_of_a_time_axis_are_as_short_as_they_can_be():
    """Words where they say it, the stopwatch where they would not."""
    quantities = Quantities(QLocale("en_US"))
    plain = [word.replace("\xa0", " ") for word in time_words([120.0, 240.0], quantities)]
    assert plain == ["2 min", "4 min"]
    assert time_words([90.0, 105.0, 120.0], quantities) == ["1:30", "1:45", "2:00"]
    assert time_words([], quantities) == []


def test_recordings_are_grouped_by_game(make_page, folder):
    """The game that was played last comes first, its newest recording at the top."""
    page = make_page(folder)
    assert _titles(page) == ["X-Plane 12", AFTER, BEFORE, "Euro Truck", "Convoy"]
    row = page.list.rows[1]
    assert isinstance(row, SessionRow)
    assert "12" in row.detail
    assert "min" in row.detail


def test_empty_folder_explains_itself(make_page, tmp_path, qtbot):
    """A heading, a sentence and two ways on; the head of the page does not say it again."""
    page = make_page(tmp_path / "sessions")
    assert page.placeholder.isVisible()
    assert not page.header.record.isVisible()
    with qtbot.waitSignal(page.record_requested):
        page.placeholder.buttons["record"].click()


def test_two_hundred_recordings_are_listed(make_page, folder, qtbot):
    """The second look opens none of them."""
    for number in range(200):
        os.link(folder / "Convoy.destutter", folder / f"run {number:03}.destutter")
    page = make_page(folder)
    assert len(page.list.rows) == 205
    page._library.refresh()
    qtbot.waitUntil(lambda: not page._library.is_reading)
    assert len(page.list.rows) == 205


def test_a_file_that_cannot_be_read_is_a_row_with_its_reason(make_page, folder, qtbot):
    """It is named, and can still be renamed and deleted, but not played."""
    (folder / "broken.destutter").write_bytes(b"hello")
    page = make_page(folder)
    row = page.list.rows[-1]
    assert isinstance(row, SessionRow)
    assert (row.state, row.detail) == ("problem", "This is not a Destutter recording")
    _click(qtbot, page, "broken")
    (notice,) = page.details.notes.shown
    assert notice.detail == row.detail
    assert not page.details.head.replay.isEnabled()
    assert page.details.head.delete.isEnabled()


def test_a_newer_format_says_so(make_page, folder):
    """The line asks for a newer Destutter instead of calling the file broken."""
    data = bytearray((folder / "Convoy.destutter").read_bytes())
    data[16:20] = (99).to_bytes(2, "little") * 2
    (folder / "newer.destutter").write_bytes(data)
    page = make_page(folder)
    row = page.list.rows[-1]
    assert isinstance(row, SessionRow)
    assert "newer" in row.detail


def test_what_comes_into_the_folder_appears(make_page, folder, qtbot):
    """Another program may put a recording there."""
    page = make_page(folder)
    (folder / "quiet.destutter").write_bytes((REAL / "quiet.destutter").read_bytes())
    qtbot.waitUntil(lambda: "quiet" in _titles(page), timeout=10_000)


def test_the_recording_that_runs_is_marked(make_page, folder, qtbot):
    """It cannot be chosen, and the button of the page stops it."""
    page = make_page(folder)
    page.show_recording(RecordingState(time.monotonic_ns(), "Convoy.destutter"))
    qtbot.waitUntil(lambda: not page._library.is_reading)
    row = page.list.rows[-1]
    assert isinstance(row, SessionRow)
    assert row.state == "recording"
    _click(qtbot, page, "Convoy")
    assert page.list.chosen_paths == ()
    assert page.header.record.text().startswith("Stop")
    with qtbot.waitSignal(page.stop_requested):
        page.header.record.click()
    page.show_recording(RecordingState())
    assert page.header.record.text() == "Record session"


def test_full_disk_is_a_line_on_the_page(make_page, folder):
    """The reason of a recording that ended by itself can be read, and closed."""
    page = make_page(folder)
    page.show_recording(RecordingState(failure=Statement("session.disk_full")))
    (notice,) = page.notices.shown
    assert notice.detail == "The disk is full"
    page.notices.row(notice.id).close_button.click()
    assert page.notices.shown == ()


# --- one recording ---------------------------------------------------------------------------


def test_a_click_shows_one_recording(make_page, folder, qtbot):
    """Its verdict, its graph with phases, and what was measured."""
    page = make_page(folder)
    _click(qtbot, page, BEFORE)
    assert page.details.reading.isVisible()
    _read(qtbot, page)
    details = page.details
    assert details.head.title.full_text == BEFORE
    assert "stutters" in details.banner.headline.full_text
    assert {"Longest frame", "Memory available, lowest"} <= {r.name for r in details.table.rows}
    (curve,) = details.panel.graph.curves
    assert curve.length_s == 721
    assert curve.phases


def test_phases_can_be_corrected(make_page, folder, qtbot):
    """Whole minutes; they count at once, stay, and the measured ones come back on request."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE)
    details = page.details
    measured = details.panel.graph.curves[0].phases
    details.phases.click()
    row = details.phase_row
    assert row.isVisible()
    row.ramp_up.setValue(6)
    row.warm_up.setValue(2)
    row.save.click()
    qtbot.waitUntil(lambda: not page._examiner.is_running, timeout=60_000)
    ends = [span.end_s for span in details.panel.graph.curves[0].phases]
    assert ends == [120, 360, 721]
    assert not row.isVisible()
    details.phases.click()
    assert (row.warm_up.value(), row.ramp_up.value()) == (2, 6)
    row.measured.click()
    qtbot.waitUntil(lambda: not page._examiner.is_running, timeout=60_000)
    assert details.panel.graph.curves[0].phases == measured
    choose(qtbot, page, BEFORE, AFTER)
    assert not details.phases.isVisible()


def test_real_recordings_can_be_shown(make_page, tmp_path, qtbot):
    """A recording of a provoked stutter has a verdict and a table; four stand for the kinds."""
    folder = tmp_path / "sessions"
    shutil.copytree(REAL, folder)
    page = make_page(folder)
    for name in ("big_copy", "full_memory", "limited_group", "quiet"):
        choose(qtbot, page, name)
        assert page.details.banner.isVisible()
        assert page.details.table.rows
        assert page.details.panel.isVisible()


def test_reading_can_be_cancelled(make_page, folder, qtbot):
    """Nothing is shown, and nothing arrives later."""
    page = make_page(folder)
    _click(qtbot, page, BEFORE)
    with qtbot.assertNotEmitted(page._examiner.examined, wait=300):
        page.details.reading.cancel.click()
    assert page.details.nothing.isVisible()
    assert page.list.chosen_paths == ()


def test_a_file_that_goes_meanwhile_is_told(make_page, folder, qtbot):
    """Between the list and the click somebody deleted it."""
    page = make_page(folder)
    page._library._watcher.blockSignals(True)
    (folder / "Convoy.destutter").unlink()
    _click(qtbot, page, "Convoy")
    qtbot.waitUntil(lambda: bool(page.notices.shown))
    (notice,) = page.notices.shown
    assert notice.text == "Convoy cannot be read"
    assert "no such file" in notice.detail.lower()
    qtbot.waitUntil(lambda: "Convoy" not in _titles(page))


def test_replay_is_asked_for(make_page, folder, qtbot):
    """By the button, and by a double click."""
    page = make_page(folder)
    choose(qtbot, page, "Convoy")
    with qtbot.waitSignal(page.replay_requested) as asked:
        page.details.head.replay.click()
    assert asked.args == [folder / "Convoy.destutter"]


def test_renaming_happens_in_the_page(make_page, folder, qtbot):
    """F2, a name, Enter: the file has it, and stays chosen."""
    page = make_page(folder)
    choose(qtbot, page, "Convoy")
    qtbot.keyClick(page.list, Qt.Key.Key_F2)
    assert page.rename.isVisible()
    page.rename.edit.setText("a/b")
    assert not page.rename.save.isEnabled()
    page.rename.edit.setText("Night run")
    qtbot.keyClick(page.rename.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Night run" in _titles(page))
    assert (folder / "Night run.destutter").exists()
    assert not page.rename.isVisible()
    qtbot.waitUntil(
        lambda: page.list.chosen_paths == (folder / "Night run.destutter",), timeout=5000
    )
    _read(qtbot, page)


def test_a_taken_name_is_refused_in_a_line(make_page, folder, qtbot):
    """Nothing is replaced."""
    page = make_page(folder)
    choose(qtbot, page, "Convoy")
    page.details.head.rename.click()
    page.rename.edit.setText(BEFORE)
    page.rename.save.click()
    (notice,) = page.notices.shown
    assert "already" in notice.detail
    assert (folder / "Convoy.destutter").exists()


# --- delete and undo -------------------------------------------------------------------------


def test_deleting_can_be_undone(make_page, folder, qtbot):
    """No question is asked; a line offers the way back, and the file is as it was."""
    page = make_page(folder)
    data = (folder / "Convoy.destutter").read_bytes()
    choose(qtbot, page, "Convoy")
    qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    assert "Convoy" not in _titles(page)
    assert not (folder / "Convoy.destutter").exists()
    (notice,) = page.notices.shown
    page.notices.row(notice.id).action.click()
    qtbot.waitUntil(lambda: "Convoy" in _titles(page))
    assert (folder / "Convoy.destutter").read_bytes() == data
    assert page.notices.shown == ()
    _read(qtbot, page)


def test_the_offer_to_undo_ends(make_page, folder, qtbot):
    """Then the file is gone for good."""
    page = make_page(folder)
    page._undo.setInterval(50)
    choose(qtbot, page, "Convoy")
    page.details.head.delete.click()
    assert (folder / DELETED / "Convoy.destutter").exists()
    qtbot.waitUntil(lambda: page.notices.shown == ())
    assert not (folder / DELETED).exists()


def test_closing_the_window_ends_the_offer(make_page, folder, qtbot):
    """Nothing stays hidden in the folder."""
    page = make_page(folder)
    choose(qtbot, page, "Convoy")
    page.details.head.delete.click()
    page._library.stop()
    assert not (folder / DELETED).exists()
    page._undo.stop()


# --- import ----------------------------------------------------------------------------------


def test_a_log_that_is_dropped_is_imported_and_shown(make_page, folder, qtbot, tmp_path):
    """MangoHud's file becomes a recording of its game."""
    log = tmp_path / "Convoy two_2026-01-31_20-15-00.csv"
    rows = "\n".join(f"60,16.7,{round(at * 16.7e6)}" for at in range(1, 2000))
    log.write_text("os,cpu\nx,y\nfps,frametime,elapsed\n" + rows + "\n")
    page = make_page(folder)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(log))])
    none = Qt.KeyboardModifier.NoModifier
    page.dropEvent(
        QDropEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, none)
    )
    qtbot.waitUntil(lambda: "Convoy two" in _titles(page), timeout=10_000)
    qtbot.waitUntil(lambda: len(page.list.chosen_paths) == 1, timeout=10_000)
    _read(qtbot, page)
    assert "Average frame rate" in {row.name for row in page.details.table.rows}


def test_an_import_is_told_while_it_runs(make_page, folder, qtbot, tmp_path):
    """A large log takes its time: the page says what it is doing, and then no more."""
    page = make_page(folder)
    usual = page.header.subtitle.full_text
    log = tmp_path / "notes.csv"
    log.write_text("no log")
    with qtbot.waitSignal(page._library.failed):
        page.import_files([log])
        assert page.header.subtitle.full_text == "Importing notes.csv…"
    qtbot.waitUntil(lambda: page.header.subtitle.full_text == usual)


def test_a_file_that_cannot_be_imported_is_told(make_page, folder, qtbot, tmp_path):
    """One line with the name and the reason."""
    log = tmp_path / "notes.csv"
    log.write_text("hello\n")
    page = make_page(folder)
    with qtbot.waitSignal(page._library.failed):
        page.import_files([log])
    (notice,) = page.notices.shown
    assert notice.text == "notes.csv was not imported"
    assert "frame" in notice.detail


def test_files_are_asked_for_without_blocking(make_page, folder, qtbot):
    """The dialog stands beside the window; what is chosen in it is imported."""
    page = make_page(folder)
    page.header.import_button.click()
    dialog = page.files.dialog
    assert dialog is not None
    assert not dialog.isModal()
    with qtbot.waitSignal(page.files.opened) as opened:
        dialog.filesSelected.emit([str(REAL / "quiet.destutter")])
    assert opened.args == [[REAL / "quiet.destutter"]]
    dialog.close()
    qtbot.waitUntil(lambda: "quiet" in _titles(page), timeout=10_000)
    _read(qtbot, page)


# --- two recordings --------------------------------------------------------------------------


def test_circles_compare_and_the_older_one_is_a(make_page, folder, qtbot):
    """A verdict, both curves, words for every change, and what else was different."""
    page = make_page(folder)
    _click(qtbot, page, AFTER, on_circle=True)
    _click(qtbot, page, BEFORE, on_circle=True)
    _read(qtbot, page)
    assert [path.stem for path in page.list.chosen_paths] == [BEFORE, AFTER]
    details = page.details
    assert details.banner.headline.full_text.startswith("Smoother: stutters fell from")
    assert details.banner.shown.kind == "ok"
    assert [curve.badge for curve in details.panel.graph.curves] == ["A", "B"]
    by_name = {row.name: row for row in details.table.rows}
    assert by_name["Stutters, per 10 min"].change == "gone (better)"
    assert by_name["Stutters, per 10 min"].tone == "ok"
    assert by_name["Average frame rate"].change == "no real change"
    different = {row.tip or row.name: (row.a, row.b) for row in details.differences.rows}
    assert different["Version of the game"] == ("12.1.4", "12.2.0")
    assert "vm.min_free_kbytes" in different


def test_what_was_different_comes_back_with_the_comparison(make_page, folder, qtbot):
    """Another session is looked at meanwhile, and the theme changes: only its own cards show."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE, AFTER)
    details = page.details
    assert details.differences.isVisibleTo(details)
    _click(qtbot, page, BEFORE)
    _read(qtbot, page)
    assert not details.differences.isVisibleTo(details)
    details.differences._theme.changed.emit()
    assert not details.differences.isVisibleTo(details)
    choose(qtbot, page, BEFORE, AFTER)
    assert details.differences.isVisibleTo(details)
    assert details.table.isVisibleTo(details)


def test_further_recordings_with_the_same_settings_confirm(make_page, folder, qtbot):
    """Two more of each side lie in the folder; one with other settings is in neither side."""
    for at in (1, 2):
        write_flight(folder / f"Before{at}.destutter", Flight(12, 4.0, seed=10 + at))
        after = Flight(12, 0.2, seed=20 + at, build="12.2.0")
        write_flight(folder / f"After{at}.destutter", after, TUNED)
    write_flight(folder / "Else.destutter", Flight(12, 9.0), STOCK | {"vm.swappiness": "10"})
    page = make_page(folder)
    choose(qtbot, page, BEFORE, AFTER)
    comparison = page.details._comparison
    assert comparison is not None
    qtbot.waitUntil(lambda: page.details._comparison.confirmation is not None, timeout=60_000)
    all_runs = page.details._comparison.confirmation
    assert (all_runs.runs_a, all_runs.runs_b) == (3, 3)
    notice = next(page.details._pair.cautions(page.details._comparison))
    assert notice.text.endswith("over 3 runs with A's settings and 3 with B's")
    assert notice.kind == "ok"


def test_without_further_recordings_nothing_is_confirmed(make_page, folder, qtbot):
    """One of each side only suggests, and nothing is said about more."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE, AFTER)
    assert page.details._comparison.confirmation is None
    cautions = page.details._pair.cautions(page.details._comparison)
    assert "all_runs" not in {each.id for each in cautions}


def test_a_short_recording_gets_no_verdict(make_page, folder, qtbot):
    """It says how long is long enough."""
    write_flight(folder / "Short.destutter", Flight(2, wall_time=1_700_000_000.0))
    page = make_page(folder)
    choose(qtbot, page, BEFORE, "Short")
    assert page.details.banner.headline.full_text == "Too short for a fair comparison"
    assert "8" in page.details.banner.detail.full_text


def test_control_click_and_space_compare(make_page, folder, qtbot):
    """The same by mouse and by keyboard; a third one joins a side."""
    page = make_page(folder)
    _click(qtbot, page, BEFORE)
    _click(qtbot, page, AFTER, modifier=Qt.KeyboardModifier.ControlModifier)
    assert len(page.list.chosen_paths) == 2
    page.list.setFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_End)
    qtbot.keyClick(page.list, Qt.Key.Key_Space)
    assert [path.stem for path in page.list.sides[0]] == ["Convoy", BEFORE]
    assert [path.stem for path in page.list.sides[1]] == [AFTER]
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert [path.stem for path in page.list.chosen_paths] == ["Convoy"]
    _read(qtbot, page)


def test_a_and_b_can_be_swapped(make_page, folder, qtbot):
    """Then what got better got worse."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE, AFTER)
    page.details.swap.click()
    _read(qtbot, page)
    settled()
    assert [path.stem for path in page.list.chosen_paths] == [AFTER, BEFORE]
    assert page.details.banner.headline.full_text.startswith("Less smooth")
    heads = page.details.table._heads
    assert heads[1:3] == ("A", "B"), "what is earlier is not called after"
    assert [legend.text for legend in page.details.panel.legends.values()] == [
        f"A  {AFTER}",
        f"B  {BEFORE}",
    ]


def test_a_caution_of_the_banner_is_not_said_again(make_page, folder, qtbot):
    """Another version of the game: that is the sentence of the verdict, and no line below."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE, AFTER)
    said = page.details.banner.detail.full_text
    assert "another version" in said
    assert said not in [notice.text for notice in page.details.notes.shown]


def test_the_two_newest_of_a_game_are_a_click_away(make_page, folder, qtbot):
    """Where nothing is chosen yet; without two of the same game there is nothing to offer."""
    page = make_page(folder)
    button = page.details.nothing.buttons["compare"]
    button.click()
    assert [path.stem for path in page.list.chosen_paths] == [BEFORE, AFTER]
    _read(qtbot, page)
    (folder / f"{AFTER}.destutter").unlink()
    qtbot.waitUntil(button.isHidden, timeout=10_000)


def test_a_recording_is_not_what_has_just_passed(make_page, folder, qtbot):
    """Its stutters are told in its length, not in the last minutes."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE)
    headline = page.details.banner.headline.full_text
    assert " in 12" in headline
    assert "last" not in headline


def test_views_and_values(make_page, folder, qtbot):
    """Side by side and as a distribution; arrows read values, which are told in words."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE, AFTER)
    panel = page.details.panel
    for view in ("side", "distribution", "overlay"):
        panel.views.button(view).click()
        settled()
        assert panel.graph.view == GraphView(view)
    panel.graph.setFocus()
    qtbot.keyClick(panel.graph, Qt.Key.Key_Right)
    assert panel.reading.full_text.startswith("At 0:0")
    assert "ms" in panel.legends["A"].text
    assert "A " in panel.graph.accessibleDescription()
    qtbot.keyClick(panel.graph, Qt.Key.Key_Escape)
    assert panel.graph.second is None


def test_more_measures_can_be_shown(make_page, folder, qtbot):
    """The first ones answer; the rest is there."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE, AFTER)
    few = len(page.details.table.rows)
    page.details.more.click()
    assert len(page.details.table.rows) > few


# --- reports ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "begins"), [("html", b"<!"), ("png", b"\x89PNG"), ("svg", b"<?xml")]
)
def test_reports_are_files(make_page, folder, qtbot, tmp_path, kind, begins):
    """Named by the user in a dialog that blocks nothing; text of a drawing stays text."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE, AFTER)
    page.details.report_chosen.emit(kind)
    dialog = page.files.dialog
    assert dialog is not None
    target = tmp_path / f"report.{kind}"
    dialog.fileSelected.emit(str(target))
    dialog.close()
    data = target.read_bytes()
    assert data[:20].lstrip().lower().startswith(begins.lower())
    if kind == "svg":
        assert b"Longest frame in each second" in data
        assert b"Overlay" not in data, "a picture has no buttons"
    assert page.details.panel.views.isVisible()
    (notice,) = [each for each in page.notices.shown if each.id == "saved"]
    assert notice.text == f"Saved as report.{kind}"


def test_a_report_that_cannot_be_written_is_told(make_page, folder, qtbot, tmp_path):
    """A folder that is not there: one line, nothing half written."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE)
    page.reports.save("png", tmp_path / "none" / "report.png")
    (notice,) = page.notices.shown
    assert notice.kind == "bad"


def test_the_text_for_a_forum_is_in_the_clipboard(make_page, folder, qtbot):
    """Markdown with the table, without the user's name."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE, AFTER)
    page.details.report_chosen.emit("markdown")
    text = QGuiApplication.clipboard().text()
    assert text.startswith("#")
    assert "|" in text
    assert "/home/" not in text
