# SPDX-License-Identifier: GPL-3.0-or-later
"""Connecting a game: the list, the line of its launcher, and frames that arrive."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from destutter.bridge.followed_frames import FollowedFrames
from destutter.sampling.installed.game import GameLauncher, InstalledGame, Package
from destutter.sampling.installed.library import GameLibrary
from destutter.ui.help.advice_view import CommandRow
from destutter.ui.help.connect_view import ConnectView
from destutter.ui.words.quantities import Quantities
from tests.gui.live_window import make_live, snapshots_of
from tests.support.installed_games import LIBRARY, wait_for_games
from tests.support.window_kit import make_theme

__all__ = ["make_live"]


@pytest.fixture
def make_view(qtbot, qapp):
    """Makes a view that has read what a library says."""

    def make(library=LIBRARY):
        locale = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
        followed = FollowedFrames(parent=qapp)
        view = ConnectView(make_theme(qapp), Quantities(locale), lambda: library, followed)
        qtbot.addWidget(view)
        view.resize(320, 700)
        view.show()
        return wait_for_games(view)

    return make


def _choose(view, name):
    rows = [view.list.item(row).toolTip() for row in range(view.list.count())]
    view.list.setCurrentRow(rows.index(name))
    QApplication.processEvents()


def _lines(view):
    return [row.line for row in view.setup.findChildren(CommandRow) if row.isVisible()]


def _words(view):
    return " ".join(label.text() for label in view.findChildren(QLabel) if label.isVisible())


def _copy(view):
    button = next(
        each
        for each in view.setup.findChildren(QPushButton)
        if each.isVisible() and each.text().startswith("Copy")
    )
    button.click()
    return button.text(), QGuiApplication.clipboard().text()


LOG = "autostart_log=1,log_interval=0"
OWN = f"MANGOHUD_CONFIG=output_folder=~/.local/share/destutter/mangohud,{LOG}"
IN_FLATPAK = f"MANGOHUD_CONFIG=output_folder=~/.var/app/{{}}/data,{LOG}"
EXPECTED = {
    "Dota 2": (
        "Copy launch options",
        f"{OWN} mangohud %command%",
    ),
    "Elden Ring": (
        "Copy launch options",
        IN_FLATPAK.format("com.valvesoftware.Steam") + " mangohud %command%",
    ),
    "Stardew Valley": (
        "Copy launch options",
        f"MANGOHUD_CONFIG=output_folder=~,{LOG} mangohud %command%",
    ),
    "Cyberpunk 2077": (
        "Copy the variable",
        IN_FLATPAK.format("com.heroicgameslauncher.hgl"),
    ),
    "osu!": (
        "Copy the variable",
        OWN,
    ),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_each_launcher_has_its_own_line(make_view, name):
    """With a folder that the launcher can write into, also from inside a Flatpak or a Snap."""
    view = make_view()
    _choose(view, name)
    assert _copy(view) == EXPECTED[name]


def test_xplane_needs_nothing(make_view):
    """No line, no MangoHud, and words that say so."""
    view = make_view()
    _choose(view, "X-Plane 12")
    assert _lines(view) == []
    assert "X-Plane 12 tells its frame times by itself" in _words(view)


def test_missing_mangohud_has_one_line_for_this_launcher(make_view):
    """The distribution's for its own launchers, Flatpak's for those in one, none for a Snap."""
    view = make_view()
    _choose(view, "Dota 2")
    assert _lines(view)[0] == "sudo apt install mangohud"
    _choose(view, "Elden Ring")
    assert _lines(view)[0].startswith("flatpak install flathub org.freedesktop.Platform.")
    _choose(view, "Stardew Valley")
    assert len(_lines(view)) == 1
    assert "whether it is there is hidden" in _words(view)


def test_where_the_desktop_has_a_store_it_comes_before_the_line(make_view, monkeypatch):
    """Nobody needs a terminal for it; the line stays for a store that does not have it."""
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    extension = "appstream:org.freedesktop.Platform.VulkanLayer.MangoHud"
    view = make_view(replace(LIBRARY, stores={Package.FLATPAK: extension}))
    _choose(view, "Elden Ring")
    texts = [each.text() for each in view.setup.findChildren(QPushButton) if each.isVisible()]
    assert texts[0] == "Open it in the software store"
    next(each for each in view.setup.findChildren(QPushButton) if each.isVisible()).click()
    assert opened == [extension]
    assert "If the store does not have it, in a terminal" in _words(view)
    assert _lines(view)[0].startswith("flatpak install flathub")
    _choose(view, "Dota 2")
    assert "If nothing arrives: MangoHud is missing. In a terminal:" in _words(view)


def test_where_mangohud_is_there_only_the_line_is_shown(make_view):
    """And where no command is known, the words name none."""
    view = make_view(GameLibrary(LIBRARY.games))
    _choose(view, "Dota 2")
    assert len(_lines(view)) == 1
    assert "MangoHud is missing" not in _words(view)
    view = make_view(GameLibrary(LIBRARY.games, {Package.NATIVE: ""}))
    _choose(view, "Dota 2")
    assert len(_lines(view)) == 1
    assert "in your distribution's own way" in _words(view)


def test_the_first_game_is_chosen_and_a_part_of_the_name_finds_others(make_view):
    """The filter comes with a list that is longer than what is in sight."""
    view = make_view()
    assert view.list.currentRow() == 0
    assert view.filter.isVisible()
    view.filter.setText("RING")
    QApplication.processEvents()
    assert [view.list.item(row).toolTip() for row in range(view.list.count())] == ["Elden Ring"]
    assert _lines(view)[-1].startswith(
        "MANGOHUD_CONFIG=output_folder=~/.var/app/com.valvesoftware.Steam/data,"
    )
    assert not make_view(GameLibrary(LIBRARY.games[:3])).filter.isVisible()


def test_without_games_the_lines_stand_there_all_the_same(make_view):
    """With words that tell nothing found from nothing to be seen."""
    view = make_view(GameLibrary())
    assert "No game was found" in _words(view)
    assert [line.endswith("%command%") for line in _lines(view)] == [True, False]
    hidden = make_view(GameLibrary(is_hidden=True))
    assert "The Flatpak's sandbox hides which games are installed" in _words(hidden)
    assert "No game was found" not in _words(hidden)


def test_a_name_is_no_markup(make_view):
    """Whoever named a game has no say in how the window is drawn."""
    view = make_view(GameLibrary((InstalledGame("<b>X-Plane </b>", GameLauncher.XPLANE),)))
    label = next(each for each in view.setup.findChildren(QLabel) if "<b>" in each.text())
    assert label.text().startswith("<b>X-Plane </b> tells")
    assert label.textFormat().name == "PlainText"


def test_it_waits_for_the_first_frame_and_says_how_many_arrive(make_view):
    """And that none comes any more, when the game has ended."""
    view = make_view()
    without = [replace(each, frames=()) for each in snapshots_of("stuttering")]
    view.show_snapshot(without[0])
    assert view.arriving.text.full_text == "Waiting for the first frame…"
    for snapshot in snapshots_of("stuttering"):
        view.show_snapshot(snapshot)
    assert view.arriving.is_arriving
    assert view.arriving.text.full_text.startswith("Frames arrive: ")
    assert view.arriving.text.full_text.endswith(" a second, told by MangoHud")
    last = without[-1]
    assessment = last.assessment
    later_ns = assessment.monotonic_ns + 6 * 10**9
    view.show_snapshot(replace(last, assessment=replace(assessment, monotonic_ns=later_ns)))
    assert view.arriving.text.full_text == "Waiting for the next frame…"


def test_where_frames_arrive_nothing_is_missing(make_view):
    """ "MangoHud is missing" stood in bold below "Frames arrive"; it is for who chooses a game."""
    view = make_view(GameLibrary())
    assert _lines(view)
    for snapshot in snapshots_of("stuttering"):
        view.show_snapshot(snapshot)
    assert "No game was found" not in _words(view)
    assert not _lines(view)
    view = make_view()
    for snapshot in snapshots_of("stuttering"):
        view.show_snapshot(snapshot)
    assert not _lines(view)
    view.list.itemClicked.emit(view.list.item(0))
    assert _lines(view)


def test_the_panel_of_the_live_page_follows(make_live):
    """What the page is told reaches the open panel."""
    window = make_live("whole_computer")
    window.live.panels.read_games = lambda: LIBRARY
    window.live.card.rows[0].gutter.link.click()
    view = wait_for_games(window.live.panel.content)
    assert view.list.count() == len(LIBRARY.games)
    assert not view.arriving.is_arriving
    for snapshot in snapshots_of("stuttering")[-8:]:
        window.show_snapshot(snapshot)
    assert view.arriving.is_arriving
