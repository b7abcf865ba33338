# SPDX-License-Identifier: GPL-3.0-or-later
"""A drive that is failing is told above every page."""

import pytest
from PySide6.QtWidgets import QPushButton

from destutter.bridge.drive_watch import DriveWatch
from destutter.tuning.drive_health import Condition, Health, HealthReport, NoHealth
from destutter.ui.shell.failing_drives import FailingDrives
from tests.gui.live_window import make_live, settle

__all__ = ["make_live"]

FAILING = Health(Condition.FAILING, 51.0, 39_000, model="WD Blue")
GOOD = Health(Condition.GOOD, 38.0, 12)
HOT = Health(Condition.FAILING, 90.0, 12, ("temperature",))
WORN = Health(Condition.FAILING, 90.0, 12, ("spare", "temperature"))


class _Told:
    """What UDisks2 says, which a test may change."""

    def __init__(self, window, qtbot, **drives):
        self.report = HealthReport(drives)
        self.window, self._qtbot = window, qtbot
        self._looks = 0
        self.watch = DriveWatch(self._read, window)
        self.banner = FailingDrives(window, self.watch, window).banner

    def _read(self):
        self._looks += 1
        return self.report

    def look(self, report=None):
        """One look, with all that follows from it."""
        self.report = self.report if report is None else report
        with self._qtbot.waitSignal(self.watch._work.done):
            self.watch._work.start()
        self._qtbot.waitUntil(lambda: self.watch._work._thread is None)


@pytest.fixture
def told(make_live, qtbot):
    """Makes a window with these drives."""
    made = []

    def make(**drives):
        made.append(_Told(make_live("smooth"), qtbot, **drives))
        return made[-1]

    yield make
    for each in made:
        each.watch.stop()


def test_it_stands_above_every_page(told, qapp):
    """With the drive's name, and what to do before anything else."""
    scene = told(sda=GOOD, sdb=FAILING)
    scene.look()
    shown = scene.banner.shown
    assert shown.headline == "Save your data: the drive WD Blue (sdb) is failing"
    assert shown.kind == "bad"
    for page in ("live", "causes", "settings"):
        scene.window.show_page(page)
        settle(qapp)
        assert scene.banner.isVisible()


@pytest.mark.parametrize("health", [GOOD, HOT, Health(Condition.UNKNOWN)])
def test_a_drive_that_is_well_or_only_hot_is_not_accused(told, health):
    """Nor one that says nothing."""
    scene = told(sda=health)
    scene.look()
    assert not scene.banner.isVisible()
    assert WORN.endangers_data


def test_closed_it_stays_away_until_another_drive_fails(told, qapp):
    """And a look without an answer takes nothing back."""
    scene = told(sdb=FAILING)
    scene.look()
    scene.look(HealthReport(missing=NoHealth.FAILED))
    assert scene.banner.isVisible()
    scene.banner.cross.click()
    assert not scene.banner.isVisible()
    scene.look(HealthReport({"sdb": FAILING}))
    assert not scene.banner.isVisible()
    scene.look(HealthReport({"sdb": FAILING, "nvme0n1": WORN}))
    settle(qapp)
    assert scene.banner.isVisible()
    assert "nvme0n1" in scene.banner.shown.headline


def test_it_leads_to_the_drives(told):
    """And stays: the page says no more than that."""
    scene = told(sdb=FAILING)
    scene.window.expect_pages()
    scene.look()
    (show,) = [each for each in scene.banner.buttons if each is not scene.banner.cross]
    assert isinstance(show, QPushButton)
    show.click()
    assert scene.window.page == "system"
    assert scene.banner.isVisible()
