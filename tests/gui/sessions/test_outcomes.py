# SPDX-License-Identifier: GPL-3.0-or-later
"""The list tells what came out of each recording, and reads each of them once."""

import shutil
from dataclasses import replace

import pytest

from destutter.analysis.examining.outcome import FILE_NAME
from destutter.bridge.background_jobs import Jobs
from destutter.bridge.session_library import SessionLibrary
from destutter.bridge.session_outcomes import SessionOutcomes
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.sessions.session_rows import SessionRow
from tests.gui.live_window import settle
from tests.gui.sessions.page_kit import flights, folder, known_file_types, make_page
from tests.support.sessions import HERE

__all__ = ["flights", "folder", "known_file_types", "make_page"]


def _rows(page):
    return [row for row in page.list.rows if isinstance(row, SessionRow)]


def _are_all_told(page):
    return all(row.outcome for row in _rows(page))


@pytest.fixture
def counted(qapp, folder):
    """Makes outcomes over the folder that count how often a recording is read; stops them."""
    made = []
    read = []

    def examine(path, *rest, **more):
        read.append(path.stem)
        if path.stem == "Gone":
            raise OSError
        return HERE.examine(path, *rest, **more)

    def make():
        jobs = Jobs(), Jobs()
        reading = replace(HERE, examine=examine)
        library = SessionLibrary(folder, jobs[0], reading)
        outcomes = SessionOutcomes(library, jobs[1], reading, ())
        made.append((library, outcomes, jobs))
        library.refresh()
        outcomes.set_wanted(is_wanted=True)
        return library, outcomes, read

    yield make
    for library, outcomes, jobs in made:
        outcomes.cancel()
        library.stop()
        for each in jobs:
            each.stop()
        for every in (outcomes, library, *jobs):
            every.deleteLater()
    settle(qapp)


def test_the_outcome_comes_before_name_date_and_length(make_page, folder, qtbot):
    """Count and what was lost, then the cause; the name and the length are below."""
    page = make_page(folder)
    qtbot.waitUntil(lambda: _are_all_told(page), timeout=60_000)
    row = next(each for each in _rows(page) if each.title == "Before")
    assert "stutters, " in row.lines[0]
    assert row.lines[0].endswith("lost")
    assert row.lines[-1].startswith("Before · ")
    item = page.list.model().index(page.list.rows.index(row), 0)
    assert item.data().startswith(row.lines[0])


def test_each_recording_is_read_once(counted, qtbot, folder):
    """The next start, and each opening of the page, finds what is kept beside them."""
    library, _, read = counted()
    qtbot.waitUntil(
        lambda: library.is_read and all(s.outcome for s in library.sessions), timeout=60_000
    )
    assert sorted(read) == ["After", "Before", "Convoy"]
    assert (folder / FILE_NAME).exists()
    read.clear()
    again, _, _ = counted()
    qtbot.waitUntil(lambda: again.is_read and not again.is_reading)
    assert [each.outcome for each in again.sessions] == [e.outcome for e in library.sessions]
    assert read == []


def test_one_that_went_meanwhile_is_read_once(counted, qtbot, folder):
    """And the others after it."""
    shutil.copy2(folder / "Convoy.destutter", folder / "Gone.destutter")
    library, _, read = counted()
    qtbot.waitUntil(
        lambda: library.is_read and sum(bool(s.outcome) for s in library.sessions) == 3,
        timeout=60_000,
    )
    assert sorted(read) == ["After", "Before", "Convoy", "Gone"]


def test_what_grew_since_or_another_version_said_is_read_again(counted, qtbot, folder):
    """What is kept is of these bytes, and of this program."""
    library, outcomes, read = counted()
    qtbot.waitUntil(
        lambda: library.is_read and all(s.outcome for s in library.sessions), timeout=60_000
    )
    outcomes.set_wanted(is_wanted=False)
    kept = folder / FILE_NAME
    kept.write_text(kept.read_text().replace('"by": "', '"by": "0.0.'))
    read.clear()
    again, _, _ = counted()
    qtbot.waitUntil(
        lambda: again.is_read and all(s.outcome for s in again.sessions), timeout=60_000
    )
    assert sorted(read) == ["After", "Before", "Convoy"]


def test_nothing_is_read_while_nobody_looks_or_something_is_recorded(make_page, folder, qtbot):
    """A recording is read in a process of its own, which a game would feel."""
    page = make_page(folder)
    page.show_recording(RecordingState(1, "new.destutter"))
    assert not page._outcomes._is_wanted
    page.show_recording(RecordingState())
    assert page._outcomes._is_wanted
    page.hide()
    assert not page._outcomes._is_wanted


def test_a_list_of_two_hundred_comes_at_once(make_page, folder, qtbot):
    """Nothing but what is kept is needed for it: no recording is opened for its outcome."""
    page = make_page(folder)
    qtbot.waitUntil(lambda: _are_all_told(page), timeout=60_000)
    for number in range(200):
        shutil.copy2(folder / "Convoy.destutter", folder / f"Copy {number}.destutter")
    page._library.refresh()
    qtbot.waitUntil(lambda: len(_rows(page)) == 203)
    assert _are_all_told(page)
