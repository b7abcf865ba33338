# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures for the page of recordings: a folder, the page over it, and waiting for answers."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QMimeDatabase
from PySide6.QtWidgets import QApplication

from destutter.bridge.session_services import SessionServices
from destutter.ui.pages.width_class import WidthClass
from destutter.ui.sessions.sessions_page import SessionsPage
from destutter.ui.words.quantities import Quantities
from tests.gui.live_window import settle
from tests.support.long_flights import TUNED, Flight, write_flight
from tests.support.sessions import HERE
from tests.support.window_kit import make_theme

REAL = Path(__file__).resolve().parents[2] / "data" / "sessions"
BEFORE, AFTER = "Before", "After"

MakePage = Callable[..., SessionsPage]


@pytest.fixture(scope="session")
def flights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two flights of the same game and one of another, made once."""
    folder = tmp_path_factory.mktemp("flights")
    write_flight(folder / f"{BEFORE}.destutter", Flight(12, 4.0))
    write_flight(
        folder / f"{AFTER}.destutter",
        Flight(12, 0.0, seed=2, wall_time=1_795_269_660.0, build="12.2.0"),
        TUNED,
    )
    write_flight(
        folder / "Convoy.destutter", Flight(2, game="Euro Truck", wall_time=1_700_000_000.0)
    )
    return folder


@pytest.fixture
def folder(tmp_path: Path, flights: Path) -> Path:
    """A folder of recordings of its own."""
    shutil.copytree(flights, tmp_path / "sessions")
    return tmp_path / "sessions"


@pytest.fixture(scope="session")
def known_file_types(qapp: QApplication) -> None:
    """Qt keeps the list of file types open once a dialog for files has asked for it."""
    QMimeDatabase().mimeTypeForFile("any.csv")


@pytest.fixture
def make_page(qtbot, qapp: QApplication, known_file_types: None) -> Iterator[MakePage]:
    """Makes pages over a folder; stops everything at the end."""
    made: list[tuple[SessionsPage, SessionServices]] = []

    def make(
        folder: Path, *, theme: str = "dark", size: tuple[int, int] = (1244, 900)
    ) -> SessionsPage:
        models = SessionServices(folder, {"ada": "(user)"}, HERE)
        quantities = Quantities(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
        page = SessionsPage(make_theme(qapp, theme), quantities, models)
        made.append((page, models))
        page.resize(*size)
        page.set_width_class(WidthClass.COMPACT if size[0] < 1000 else WidthClass.WIDE)
        page.show()
        qtbot.waitUntil(lambda: models.library.is_read and not models.library.is_reading)
        settle(qapp)
        return page

    yield make
    for page, models in made:
        page.close()
        models.stop()
        page.deleteLater()
        models.deleteLater()
    settle(qapp)


def settled() -> None:
    """Let queued paintings and layouts happen."""
    for _ in range(12):
        QApplication.processEvents()


def choose(qtbot, page: SessionsPage, *names: str) -> None:
    """Show one recording, or compare two, and wait until they have been read."""
    library = page._library
    page.list.choose([library.folder / f"{name}.destutter" for name in names])
    qtbot.waitUntil(lambda: not page._examiner.is_running, timeout=60_000)
    settled()


def row_of(page: SessionsPage, name: str):
    """The rectangle of a recording in the list."""
    library = page._library
    for at, row in enumerate(page.list.rows):
        if getattr(row, "path", None) == library.folder / f"{name}.destutter":
            return page.list.visualRect(page.list.model().index(at, 0))
    raise KeyError(name)
