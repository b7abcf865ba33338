# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests with a window share: guards against leftovers, and languages."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QApplication

from destutter.resource_folder import resource_folder
from destutter.ui.pages.pages import LIVE
from destutter.ui.shell.main_window import MainWindow
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.translations import install_translations
from destutter.ui.words.words import Words
from tests.guards.qt import StartedObjects
from tests.support import live_scenes, window_kit
from tests.support.causes_window import open_causes, settle
from tests.support.tuning_scenes import TuningScene
from tests.support.x_server import x_server

Speak = Callable[[str], Words]


@pytest.fixture(autouse=True)
def no_qt_activity_left(qapp, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail when a test leaves a QThread running or a QTimer active."""
    started = StartedObjects()
    started.watch(monkeypatch)
    yield
    complaints = started.still_active()
    started.stop_all()
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)


@pytest.fixture
def open_live(qapp: QApplication) -> Iterator[Callable[[], tuple[MainWindow, TuningScene]]]:
    """Opens windows on the live page, with a scripted helper; closes them at the end."""
    made: list[tuple[MainWindow, TuningScene]] = []

    def make() -> tuple[MainWindow, TuningScene]:
        window, scene = open_causes(
            qapp, window_kit.make_theme(qapp), (1440, 900), live_scenes.stuttering
        )
        made.append((window, scene))
        window.show_page(LIVE)
        settle(qapp)
        return window, scene

    yield make
    for window, scene in made:
        window.close()
        window.deleteLater()
        scene.close()
    settle(qapp)


@pytest.fixture(scope="session")
def x_display() -> Iterator[str]:
    """The display of an X server that has no screen."""
    with x_server() as display:
        yield display


@pytest.fixture
def speak(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Speak]:
    """Makes the application speak a language until the end of the test."""
    before, kept = QLocale(), []

    def install(language: str) -> Words:
        chosen, translators = install_translations(
            qapp, resource_folder() / "translations", language
        )
        assert chosen == language
        kept.extend(translators)
        monkeypatch.setattr(window_kit, "LOCALE", QLocale(language))
        return Words(Quantities(QLocale(language)))

    yield install
    for translator in kept:
        QCoreApplication.removeTranslator(translator)
    QLocale.setDefault(before)
