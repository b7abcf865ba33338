# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said after a report was saved: where it is, and not for ever."""

import pytest
from PySide6.QtCore import QObject, Slot
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


class OpenedUrls(QObject):
    """Stands for the desktop's own program for folders."""

    def __init__(self):
        super().__init__()
        self.paths = []

    @Slot("QUrl")
    def take(self, url):
        """Note what would be opened."""
        self.paths.append(url.toLocalFile())


@pytest.fixture
def opened():
    """What the window asks the desktop to open."""
    urls = OpenedUrls()
    QDesktopServices.setUrlHandler("file", urls, b"take")
    yield urls.paths
    QDesktopServices.unsetUrlHandler("file")


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
