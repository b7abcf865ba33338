# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide's page about the helper, out of an AppImage: the button is there, too."""

import pytest

from destutter.bridge.helper_client import Availability, HelperStatus
from destutter.guide_progress import GuideStep
from destutter.helper_setup import INSTALL, HelperSetup
from destutter.ui.guide.check_step import CheckStep
from destutter.ui.help import helper_view
from tests.gui.guide.guide_kit import make_guide
from tests.gui.live_window import snapshots_of
from tests.gui.sessions.page_kit import flights, folder

__all__ = ["flights", "folder", "make_guide"]


@pytest.fixture
def step(make_guide, monkeypatch):
    """The page about the helper, opened in the guide of an AppImage."""
    setup = HelperSetup(b"archive", "the page")
    monkeypatch.setattr(helper_view, "bundled_helper", lambda _resources: setup)
    guide = make_guide(availability=Availability.ABSENT)
    guide.page.next.click()
    step = guide.page.steps[GuideStep.CHECK]
    assert isinstance(step, CheckStep)
    guide.page.show_snapshot(snapshots_of("whole_computer")[-1])
    step.rows["helper"].button.click()
    return step


def test_it_is_set_up_by_a_button(step):
    """Lines for a terminal stood there, for a package that nobody had."""
    assert step.helper is not None
    assert step.helper.buttons[INSTALL].text() == "Set up the helper"


def test_what_the_page_does_itself_stays_on_it(step, qtbot, tmp_path, monkeypatch):
    """While it installs, and with its end; what another one installed leads to the list."""
    program = tmp_path / "pkexec"
    program.write_text("#!/bin/sh\ncat > /dev/null\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    view, asked = step.helper, []
    monkeypatch.setattr(step.tools.tuning._client, "refresh", lambda: asked.append("again"))
    with qtbot.waitSignal(view.done, timeout=10_000):
        view.buttons[INSTALL].click()
    assert asked == ["again"]
    step.show_helper(HelperStatus(Availability.READY))
    assert step.is_reading_advice
    assert view.outcome.full_text.startswith("The helper is set up. A button of Settings ")


def test_a_helper_that_came_from_elsewhere_leads_to_the_list(step):
    """A package was installed in a terminal meanwhile."""
    step.show_helper(HelperStatus(Availability.READY))
    assert not step.is_reading_advice
    assert step.helper is None
