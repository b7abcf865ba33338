# SPDX-License-Identifier: GPL-3.0-or-later
"""Looking for recordings, writing about them, and comparing a group with a group."""

from dataclasses import replace

from PySide6.QtCore import Qt

from destutter.analysis.comparing.comparison import compare_sessions
from destutter.analysis.examining.examination import examine_file
from destutter.analysis.examining.own_comments import FILE_NAME
from destutter.analysis.report.markdown import to_markdown
from destutter.ui.sessions.session_rows import SessionRow
from tests.gui.sessions.page_kit import (
    AFTER,
    BEFORE,
    choose,
    flights,
    folder,
    known_file_types,
    make_page,
    settled,
)
from tests.support.long_flights import TUNED, Flight, write_flight

__all__ = ["flights", "folder", "known_file_types", "make_page"]


def _titles(page) -> list[str]:
    return [row.title for row in page.list.rows if isinstance(row, SessionRow)]


def _write_further(folder) -> None:
    for at in (1, 2):
        before = Flight(12, 4.0, seed=10 + at, wall_time=1_795_000_000.0 + at)
        write_flight(folder / f"Before{at}.destutter", before)
        after = Flight(12, 0.2, seed=20 + at, build="12.2.0", wall_time=1_795_300_000.0 + at)
        write_flight(folder / f"After{at}.destutter", after, TUNED)


def _badges(page) -> dict[str, str]:
    rows = [row for row in page.list.rows if isinstance(row, SessionRow)]
    return {row.title: badge for row in rows if (badge := page.list._model.badge(row))}


def test_typed_words_narrow_the_list(make_page, folder, qtbot):
    """Every word has to be there; what is shown beside the list stays in it."""
    page = make_page(folder)
    search = page.column.search
    qtbot.keyClicks(search, "truck")
    assert _titles(page) == ["Convoy"]
    search.setText("x-plane aft")
    assert _titles(page) == [AFTER]
    search.setText("zeppelin")
    assert _titles(page) == []
    assert page.column.none_fits.isVisible()
    search.clear()
    choose(qtbot, page, BEFORE)
    search.setText("truck")
    assert _titles(page) == [BEFORE, "Convoy"]
    search.setText("zeppelin")
    assert page.column.none_fits.full_text == "No other recording has these words"
    search.setText("truck")
    assert page.list.chosen_paths == (folder / f"{BEFORE}.destutter",)


def test_a_comment_is_kept_beside_the_recording(make_page, folder, qtbot):
    """It is found, survives another name, stands in reports, and changes no recording."""
    page = make_page(folder)
    file = folder / f"{BEFORE}.destutter"
    data = file.read_bytes()
    choose(qtbot, page, BEFORE)
    edit = page.details.comment
    assert edit.isVisible()
    qtbot.keyClicks(edit, "Snow in  Innsbruck")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page._library.session(file).comment == "Snow in Innsbruck")
    assert file.read_bytes() == data
    assert (folder / FILE_NAME).exists()
    page.column.search.setText("innsbruck")
    assert _titles(page)[0] == BEFORE
    new = page._library.rename(file, "Alps")
    qtbot.waitUntil(lambda: page._library.session(new) is not None)
    assert page._library.session(new).comment == "Snow in Innsbruck"
    page.column.search.clear()
    choose(qtbot, page, "Alps")
    assert page.details.comment.text() == "Snow in Innsbruck"
    told = to_markdown(page.reports._document(page.reports._examined))
    assert "Comment: Snow in Innsbruck" in told
    page.details.comment.clear()
    page.details.comment.editingFinished.emit()
    qtbot.waitUntil(lambda: not page._library.session(new).comment)


def test_a_group_of_before_is_compared_with_a_group_of_after(make_page, folder, qtbot):
    """As ``compare --more-a --more-b`` does, with the same words; keys move one to the other."""
    _write_further(folder)
    page = make_page(folder)
    names = ["Before1", BEFORE, "After1", "After2"]
    choose(qtbot, page, BEFORE, "After1")
    for name in ("After2", "Before1"):
        page.list.toggle(folder / f"{name}.destutter")
    assert _badges(page) == {BEFORE: "A", "Before1": "A", "After1": "B", "After2": "B"}
    assert page.column.hint.isVisible()
    qtbot.waitUntil(lambda: not page._examiner.is_running, timeout=60_000)
    shown = page.details._comparison
    read = {
        name: examine_file(str(folder / f"{name}.destutter"), is_judged=False) for name in names
    }
    told = compare_sessions(read[BEFORE], read["After2"], [read["Before1"]], [read["After1"]])
    assert shown.confirmation == told.confirmation
    assert (shown.confirmation.runs_a, shown.confirmation.runs_b) == (2, 2)
    says = page.details.banner.headline.full_text
    assert says == page.details._pair.group_banner(shown).headline
    assert "A" in page.details.notes.shown[0].text


def test_keys_move_a_recording_between_the_groups(make_page, folder, qtbot):
    """The last of a group stays there; taking one of three out leaves two."""
    _write_further(folder)
    page = make_page(folder)
    choose(qtbot, page, BEFORE, AFTER, "After1")
    assert _badges(page) == {BEFORE: "A", AFTER: "B", "After1": "B"}
    page.list.put(folder / f"{AFTER}.destutter", "A")
    assert _badges(page) == {BEFORE: "A", AFTER: "A", "After1": "B"}
    page.list.put(folder / "After1.destutter", "A")
    assert _badges(page)["After1"] == "B"
    page.list.toggle(folder / f"{BEFORE}.destutter")
    assert _badges(page) == {AFTER: "A", "After1": "B"}
    assert not page.column.hint.isVisible()
    page._examiner.cancel()


def test_what_comes_later_of_a_comparison_leaves_its_place(make_page, folder, qtbot):
    """Whether other runs confirm it is read behind it; another pair begins at the top."""
    page = make_page(folder, size=(1000, 500))
    choose(qtbot, page, BEFORE, AFTER)
    details = page.details
    bar = details._scroll.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    comparison = details._comparison
    details.show_comparison(replace(comparison))
    settled()
    assert bar.value() > 0
    details.show_comparison(replace(comparison, a=comparison.b, b=comparison.a))
    assert bar.value() == 0
