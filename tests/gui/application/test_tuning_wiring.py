# SPDX-License-Identifier: GPL-3.0-or-later
"""Advice follows what is played, as the settings say it."""

import logging
import os
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtDBus import QDBusConnection
from pytestqt.qtbot import QtBot

from destutter.analysis.changes.tuning_state import GameProcess
from destutter.application import tuning_wiring
from destutter.application.tuning_wiring import TuningWiring
from destutter.core.kernel_files import KernelFiles
from destutter.core.metrics import Metrics
from destutter.ui.pages.page_sources import PageSources
from destutter.ui.shell.causes_in_window import make_causes_page
from destutter_helper.api.payload import GameSet
from tests.gui.live_window import make_live, snapshots_of
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


def test_games_beside_the_watched_one_are_found_among_the_busy(wiring, monkeypatch):
    """By the rows that the sampler tells anyhow; a tick without such rows says nothing of them."""
    games = wiring.model.games
    told: list[tuple[GameProcess, ...]] = []
    games.sets = (GameSet("1" * 32, "sim", (), runs=False, uid=os.getuid()),)
    monkeypatch.setattr(games, "accept_beside", told.append)
    monkeypatch.setattr(wiring, "_files", KernelFiles("/"))
    row = f"{os.getpid()} sim"
    rows = {"process.cpu_pct": {row: 90.0, "1 systemd": 1.0}}
    *_, newest = snapshots_of("smooth")
    looks = (Metrics(1, 0.1, {}, {}), Metrics(2, 0.1, {}, rows))
    wiring.follow_game(replace(newest, metrics=looks))
    ((found,),) = told
    assert (found.pid, found.name) == (os.getpid(), "sim")
    games.sets = ()
    wiring.follow_game(replace(newest, metrics=looks))
    assert len(told) == 1


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
