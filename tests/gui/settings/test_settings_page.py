# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of settings: each choice is kept and takes effect; broken places are told."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from destutter.bridge.feed import wanted_probes
from destutter.bridge.kept_settings import KeptSettings
from destutter.resource_folder import resource_folder
from destutter.sampling.programs import LiveOptions
from destutter.settings import Places, Settings, load_settings
from destutter.tuning.presets import load_presets
from destutter.ui.settings.settings_page import SettingsPage
from destutter.words.language import LANGUAGES
from tests.support.pseudo_language import LongTexts
from tests.support.window_kit import make_theme


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptSettings]:
    """Settings in a file of the test's own."""
    made = KeptSettings(Places(tmp_path / "config", tmp_path / "data"), Settings())
    yield made
    made.deleteLater()


@pytest.fixture
def page(qapp: QApplication, kept: KeptSettings) -> Iterator[SettingsPage]:
    """The page, as wide as it is in a narrow window."""
    made = SettingsPage(make_theme(qapp), kept)
    made.resize(964, 740)
    made.show()
    qapp.processEvents()
    yield made
    made.hide()
    made.deleteLater()


@pytest.mark.parametrize(
    ("key", "choice", "value"),
    [
        ("interval_ms", "200", 200),
        ("on_close", "background", "background"),
        ("language", "de", "de"),
    ],
)
def test_choice_is_kept(page, kept, qtbot, key, choice, value):
    """One click, and the next start knows it."""
    qtbot.mouseClick(page.choices[key].button(choice), Qt.MouseButton.LeftButton)
    assert getattr(load_settings(kept.places.settings_file), key) == value


def test_every_language_can_be_chosen(page):
    """Beside that of the desktop, which comes first."""
    assert page.choices["language"].ids == ("", *LANGUAGES)


@pytest.mark.parametrize(
    "key", ["measures_wakeups", "watches_whole_computer", "notifies", "shows_tray"]
)
def test_switch_is_kept(page, kept, qtbot, key):
    """A check box says what holds now, and a click by keyboard changes it."""
    assert page.checks[key].isChecked()
    qtbot.keyClick(page.checks[key], Qt.Key.Key_Space)
    assert getattr(load_settings(kept.places.settings_file), key) is False


def test_what_the_desktop_switched_off_is_not_ticked(page, kept):
    """The choice may be taken back where no entry could be written."""
    check = page.checks["starts_with_desktop"]
    seen = []
    for is_on in (True, False):
        kept.change(starts_with_desktop=is_on)
        seen.append(check.isChecked())
    assert seen == [True, False]


def test_what_is_played_is_kept_and_shown(qapp, kept):
    """Any game at first; a choice is kept, named, and what the next start shows."""
    presets = tuple(load_presets(resource_folder() / "presets").values())
    page = SettingsPage(make_theme(qapp), kept, presets)
    assert page.workload.text() == "Any game"
    actions = page.workload.menu().actions()
    assert [each.data() for each in actions] == ["", *(each.id for each in presets)]
    next(each for each in actions if each.data() == "flight_sim").trigger()
    assert load_settings(kept.places.settings_file).workload == "flight_sim"
    again = SettingsPage(make_theme(qapp), kept, presets)
    for each in (page, again):
        assert each.workload.text() == "Flight simulator that streams scenery"
        assert each.workload.accessibleName() == f"What is played: {each.workload.text()}"
        checked = [
            action.data() for action in each.workload.menu().actions() if action.isChecked()
        ]
        assert checked == ["flight_sim"]
        each.deleteLater()


def test_choice_from_elsewhere_is_shown(page, kept):
    """A choice that was made in the page's question at closing shows here, too."""
    kept.change(on_close="quit")
    assert page.choices["on_close"].choice == "quit"


def test_folder_of_recordings_can_be_chosen_and_given_back(page, kept, tmp_path):
    """Another folder is shown and kept; the usual one is a click away."""
    page.use_folder(str(tmp_path / "films"))
    assert kept.sessions == tmp_path / "films"
    assert page.folder.full_text == str(tmp_path / "films")
    page.usual.click()
    assert kept.sessions == kept.places.sessions
    assert page.usual.isHidden()


def test_file_that_cannot_be_written_is_told(page, kept):
    """The choice holds, and one line says that it is not kept."""
    kept.places.settings_file.mkdir(parents=True)
    kept.change(notifies=False)
    assert not kept.value.notifies
    assert not page.failure.isHidden()
    assert "were not saved" in page.failure.full_text


def test_probe_is_left_out_when_it_is_not_wanted():
    """Without the wake-up probe only the sampler is started."""
    for is_wanted, programs in ((True, ["sampler", "wakeup"]), (False, ["sampler"])):
        probes = wanted_probes(Settings(measures_wakeups=is_wanted))
        assert list(LiveOptions(probes=probes).programs()) == programs


def test_every_control_has_a_name_and_room(page):
    """Names for readers of the screen; at least 24 pixels high."""
    for widget in (*page.checks.values(), *page.findChildren(QPushButton)):
        if widget.isVisible():
            assert widget.text() or widget.accessibleName()
            assert widget.height() >= 24


def test_no_language_is_a_row_of_empty_boxes(page):
    """Each is named by itself where some font has the letters, else in letters that it has."""
    for button in page.choices["language"].findChildren(QPushButton):
        metrics = button.fontMetrics()
        assert all(metrics.inFontUcs4(ord(letter)) for letter in button.text()), button.text()


def test_long_texts_fit(qapp, kept):
    """With texts 40 % longer no label is wider than its room."""
    translator = LongTexts(qapp)
    qapp.installTranslator(translator)
    page = SettingsPage(make_theme(qapp), kept)
    page.resize(964, 900)
    page.show()
    qapp.processEvents()
    qapp.removeTranslator(translator)
    assert page.minimumSizeHint().width() <= 964
    for label in page.findChildren(QLabel):
        if not label.wordWrap():
            assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width() + 1
    page.hide()
    page.deleteLater()
