# SPDX-License-Identifier: GPL-3.0-or-later
"""The circles above the guide: where one is, and a way back."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from destutter.guide_progress import GuideStep
from destutter.ui.guide.stepper import Stepper
from tests.gui.guide.guide_kit import make_guide
from tests.gui.sessions.page_kit import flights, folder

__all__ = ["flights", "folder", "make_guide"]


def _circle(stepper: Stepper, number: int) -> QPoint:
    return stepper._centres(stepper._theme.sizes.px(13))[number].toPoint()


def _click(stepper: Stepper, at: QPoint) -> None:
    QTest.mouseClick(stepper, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def test_a_step_that_is_done_is_gone_back_to_by_its_circle_or_its_name(make_guide):
    """Testers clicked on the circles, and nothing happened."""
    page = make_guide().page
    page.show_step(GuideStep.CHOOSE)
    _click(page.stepper, _circle(page.stepper, 2))
    assert page.stepper.step == 2
    below = QPoint(0, page.stepper.height() // 2)
    _click(page.stepper, _circle(page.stepper, 0) + below)
    assert page.stepper.step == 0


def test_no_circle_leads_ahead_or_does_nothing_under_the_hand_of_a_link(make_guide):
    """A step is reached by doing the one before; what leads nowhere does not look as if it did."""
    page = make_guide().page
    page.show_step(GuideStep.CHECK)
    stepper = page.stepper
    shapes = []
    for number in range(5):
        QTest.mouseMove(stepper, _circle(stepper, number))
        shapes.append(stepper.cursor().shape())
    hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
    assert shapes == [hand, arrow, arrow, arrow, arrow]
    for number in range(1, 5):
        _click(stepper, _circle(stepper, number))
        assert page.step is GuideStep.CHECK
    between = (_circle(stepper, 0) + _circle(stepper, 1)) / 2
    _click(stepper, between)
    assert page.step is GuideStep.CHECK
