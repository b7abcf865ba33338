# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window's surroundings hear of settings: the desktop's notice, the closing question."""

import pytest
from PySide6.QtTest import QTest

from destutter.application import desktop_integration
from destutter.application.desktop_integration import DesktopIntegration, WindowParts
from destutter.bridge.global_keys import GlobalKeys
from destutter.bridge.kept_settings import KeptSettings
from destutter.bridge.notifications import Note
from destutter.core.kernel_files import KernelFiles
from destutter.settings import Places, Settings
from destutter_helper.api.payload import Change, GameSet
from tests.gui.live_window import make_live
from tests.support.recorded_flights import SIM
from tests.support.tuning_scenes import TuningScene, drifted, four_changes, kept_changes
from tests.support.window_kit import make_theme

__all__ = ["make_live"]


@pytest.fixture
def noticed(make_live, qapp, tmp_path, monkeypatch):
    """A window with a scripted helper; what the desktop was told."""
    monkeypatch.setattr(desktop_integration, "_SETTLED_MS", 200)
    window, scene = make_live("smooth", is_shown=False), TuningScene()
    settings = KeptSettings(Places(tmp_path / "config", tmp_path / "data"), Settings())
    keys = GlobalKeys("unix:path=/nowhere")
    files = KernelFiles(str(tmp_path))
    parts = WindowParts(qapp, window, make_theme(qapp), settings, scene.model, files, keys, None)
    made = DesktopIntegration(parts, lambda text: text)
    told: list[Note] = []
    monkeypatch.setattr(made.notifications, "offer", told.append)
    scene.give(*kept_changes())
    yield scene, told, made
    scene.close()
    made.deleteLater()


def test_what_destutter_set_itself_is_no_change_of_others(noticed):
    """The helper tells its new state first, and the values are read a moment later."""
    scene, told, _made = noticed
    scene.give(*drifted())
    QTest.qWait(50)  # on purpose: shorter than what lasts
    scene.give(*kept_changes())
    QTest.qWait(500)  # on purpose: longer than what lasts
    assert told == []


def test_what_lasts_is_told_once(noticed):
    """Something else has changed a value, and it stays so."""
    scene, told, _made = noticed
    scene.give(*drifted())
    QTest.qWait(500)  # on purpose: longer than what lasts
    scene.model.changed.emit()
    QTest.qWait(500)  # on purpose: longer than what lasts
    assert [each.summary for each in told] == ["A setting was changed by something else"]


def test_the_closing_question_hears_of_what_needs_the_program(noticed):
    """What runs for a game of ours, and that something is kept for one."""
    scene, _told, integration = noticed
    scene.model.games.sets = (GameSet("1", "sky", (Change("vm.swappiness", "10"),), False, 1000),)
    scene.model.games.changed.emit()
    integration.presence._ask()
    assert integration.presence.question.detail.full_text.startswith("What is kept for games is")
    scene.give(*four_changes(), is_ours=True, game=SIM)
    integration.presence._ask()
    told = integration.presence.question.detail.full_text
    assert told.startswith(f"What is changed for {SIM.name} goes back")
