# SPDX-License-Identifier: GPL-3.0-or-later
"""Step 4 without a helper, where a setting is the cure: the way to the helper is in the guide."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QPushButton

from destutter.analysis.changes.tuning_state import GameProcess
from destutter.bridge.helper_client import Availability
from destutter.core.statement import Statement
from destutter.guide_progress import GuideProgress, GuideStep
from destutter.helper_setup import INSTALL, HelperSetup
from destutter.tuning.ownership import BY_FILE, Ownership
from destutter.ui.guide.choose_step import ChooseStep
from destutter.ui.help import helper_view
from destutter.ui.help.helper_view import HelperView
from tests.gui.guide.guide_kit import Guide, make_guide
from tests.gui.sessions.page_kit import BEFORE, flights, folder

__all__ = ["flights", "folder", "make_guide"]


def _chooses(guide: Guide, qtbot) -> ChooseStep:
    guide.page._memory.keep(GuideProgress(GuideStep.CHOOSE, f"{BEFORE}.destutter"))
    guide.page.show_step(GuideStep.CHOOSE)
    guide.wait(qtbot)
    step = guide.page.choose
    assert step._summary is not None
    return step


def _suggested(guide: Guide) -> list[str]:
    buttons = [each for each in guide.page.findChildren(QPushButton) if each.isVisible()]
    return [each.text() for each in buttons if each.property("role") == "suggested"]


@pytest.fixture
def guide(make_guide, monkeypatch):
    """The guide of an AppImage that has set up nothing, while the game runs."""
    setup = HelperSetup(b"archive", "the page")
    monkeypatch.setattr(helper_view, "bundled_helper", lambda _resources: setup)
    made = make_guide(availability=Availability.ABSENT)
    made.tuning.model.accept_game(GameProcess(77, "4711", "X-Plane 12"))
    return made


def test_the_helper_is_the_blue_way_where_a_setting_is_the_cure(guide, qtbot):
    """The blue button was "I did that", of an advice that was of no use there, and the cure stood
    below it with a grey one."""
    step = _chooses(guide, qtbot)
    assert guide.page.heading.text() == "A setting helps"
    assert _suggested(guide) == ["Set up the helper"]
    titles = [row.title.text() for row in step.cause.rows]
    assert titles.index("What you can do") == len(titles) - 1, "the cure stands above it"
    shown = [row.button for row in step.cause.rows if row.button.isVisible()]
    assert len(shown) == 1, "one helper, one button"
    assert guide.page.next.text() == "I did that: record again and compare"


def test_the_helper_is_set_up_in_place_and_the_trial_follows(guide, qtbot, monkeypatch):
    """Its panel lay beside another page, and nothing led back."""
    step = _chooses(guide, qtbot)
    button = step.suggested
    assert button is not None
    button.click()
    (view,) = step.findChildren(HelperView)
    assert view.isVisible()
    assert view.buttons[INSTALL].text() == "Set up the helper"
    assert not guide.page.next.isVisible(), "one thing at a time"
    asked: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(guide.tuning.model._client, "refresh", lambda: asked.append("again"))
        view.done.emit()
    assert asked == ["again"]
    guide.tuning.helper.set_status(Availability.READY)
    assert step.rows
    assert guide.page.next.text() == "Try for this game"
    assert not step.findChildren(HelperView) or not view.isVisible()


def test_who_does_not_want_the_helper_comes_back(guide, qtbot):
    """By the button or by Escape, and stands where he was."""
    step = _chooses(guide, qtbot)
    for leave in ("button", "escape"):
        button = step.suggested
        assert button is not None
        button.click()
        back = next(
            each
            for each in step.findChildren(QPushButton)
            if each.isVisible() and each.text() == "Back to the advice"
        )
        if leave == "button":
            back.click()
        else:
            qtbot.keyClick(back, "\x1b")
        assert _suggested(guide) == ["Set up the helper"]
        assert guide.page.next.isVisible()


def test_a_file_that_set_the_value_is_named(make_guide, qtbot):
    """Somebody had forgotten the "gaming tweaks" that froze his game."""
    guide = make_guide()
    step = _chooses(guide, qtbot)
    row = step.rows[0]
    key = row.recommendation.key
    assert "present value" not in row.detail.text()
    place = Statement(BY_FILE, {"place": "/etc/sysctl.d/60-tweaks.conf:2"})
    model = guide.tuning.model
    owner = Ownership(row.recommendation.tunable, row.recommendation.device, place, is_chosen=True)
    model._reading = replace(model._reading, owners={**model._reading.owners, key: owner})
    step._tuning_changed()
    assert "It has its present value from /etc/sysctl.d/60-tweaks.conf:2." in row.detail.text()
