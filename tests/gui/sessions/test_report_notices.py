# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said after a report was saved: where it is, and not for ever."""

import pytest
from PySide6.QtGui import QDesktopServices

from tests.gui.sessions.page_kit import (
    BEFORE,
    choose,
    flights,
    folder,
    known_file_types,
    make_page,
)

__all__ = ["flights", "folder", "known_file_types", "make_page"]


@pytest.fixture
def opened(monkeypatch):
    """The folders that the window asks the desktop to open."""
    paths: list[str] = []
    take = paths.append
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: take(url.toLocalFile()))
    return paths


def test_a_report_says_where_it_is_and_opens_it(make_page, folder, qtbot, tmp_path, opened):
    """It said a name without a folder."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE)
    page.reports.save("html", tmp_path / "report.html")
    (notice,) = page.notices.shown
    assert (notice.text, notice.detail) == ("Saved as report.html", f"in {tmp_path}")
    page.notices.acted.emit(notice.id)
    assert opened == [str(tmp_path)]
    assert not page.notices.shown


def test_what_was_said_of_a_report_goes_away(make_page, folder, qtbot, tmp_path):
    """At the next action or after some seconds; it stood there for eight minutes."""
    page = make_page(folder)
    choose(qtbot, page, BEFORE)
    page.reports.save("html", tmp_path / "report.html")
    page.details.report_chosen.emit("markdown")
    assert [each.id for each in page.notices.shown] == ["copied"]
    assert page.reports._told.isActive()
    page.reports._told.timeout.emit()
    assert not page.notices.shown
