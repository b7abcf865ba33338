# SPDX-License-Identifier: GPL-3.0-or-later
"""Advice follows what is played, as the settings say it."""

import logging
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtDBus import QDBusConnection
from pytestqt.qtbot import QtBot

from destutter.application import tuning_wiring
from destutter.application.tuning_wiring import TuningWiring
from destutter.ui.pages.page_sources import PageSources
from destutter.ui.shell.causes_in_window import make_causes_page
from tests.gui.live_window import make_live
from tests.support.roots import FOLDER, unpacked
from tests.support.window_kit import make_theme

__all__ = ["make_live"]


@pytest.fixture
def wiring(qtbot: QtBot) -> Iterator[TuningWiring]:
    """The settings of a captured desktop, read."""
    files = unpacked(FOLDER / "synthetic-intel-desktop.tar.gz")
    made = TuningWiring(QDBusConnection.sessionBus(), files)
    made.start(asks_helper=False)
    qtbot.waitUntil(lambda: bool(made.model.values), timeout=20_000)
    yield made
    made.stop()
    made.deleteLater()
    QCoreApplication.processEvents()


def test_advice_follows_what_is_played(wiring, qtbot):
    """A flight simulator wants a larger reserve; for any game it is left alone again."""
    assert "vm.min_free_kbytes" not in wiring.model.recommendations
    with qtbot.waitSignal(wiring.model.changed, timeout=5_000):
        wiring.advise_for("flight_sim")
    assert "vm.min_free_kbytes" in wiring.model.recommendations
    wiring.advise_for("a game of a newer version")
    assert "vm.min_free_kbytes" not in wiring.model.recommendations


def test_advice_for_a_recording_follows_it_too(wiring, make_live, qapp):
    """The page of causes asks for what is played, whatever it was when the page was made."""
    window = make_live(scene=None, is_shown=False)
    sources = PageSources(wiring.model)
    page = make_causes_page(make_theme(qapp), window.quantities, lambda: window.live, sources)
    wiring.advise_for("flight_sim")
    assert page.replayed._read_preset().id == "flight_sim"
    page.deleteLater()


def test_damaged_installation_has_no_presets(wiring, monkeypatch, tmp_path, caplog):
    """Without its files the choice is empty, the reason is logged, and any game is played."""
    (tmp_path / "presets").mkdir()
    (tmp_path / "presets" / "bad.toml").write_text("no preset")
    monkeypatch.setattr(tuning_wiring, "resource_folder", lambda: tmp_path)
    with caplog.at_level(logging.WARNING):
        wiring.advise_for("flight_sim")
    assert wiring.presets == {}
    assert "bad.toml" in caplog.text
    assert "vm.min_free_kbytes" not in wiring.model.recommendations
