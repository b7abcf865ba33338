# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide where there is little room: below a banner, with long texts, first shown."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget

from destutter.guide_progress import GuideProgress, GuideStep
from destutter.ui.guide.guide_page import GuidePage
from destutter.ui.guide.record_panel import Figure
from destutter.ui.pages.page_scroll import PageScroll
from tests.gui.guide.guide_kit import Guide, make_guide
from tests.gui.live_window import settle
from tests.gui.sessions.page_kit import AFTER, BEFORE, flights, folder
from tests.gui.test_accessibility import cut_labels
from tests.support import tuning_scenes
from tests.support.pseudo_language import LongTexts

pytestmark = pytest.mark.long

__all__ = ["flights", "folder", "make_guide"]

BELOW_A_BANNER = (964, 600)
"""Pixels that 1024 x 740 leave beside the rail and below the banner of a trial."""
NAMES = (f"{BEFORE}.destutter", f"{AFTER}.destutter")


@pytest.fixture
def place(qapp: QApplication):
    """Puts a guide where the window has it; takes it out again at the end."""
    made: list[tuple[GuidePage, QWidget]] = []

    def put(page: GuidePage, size: tuple[int, int]) -> PageScroll:
        window = QWidget()
        scroll = PageScroll(page, window)
        made.append((page, window))
        window.resize(*size)
        scroll.resize(*size)
        window.show()
        settle(qapp)
        return scroll

    yield put
    for page, window in made:
        page.setParent(None)
        page.deleteLater()
        window.close()
        window.deleteLater()
    settle(qapp)


@pytest.fixture
def long_texts(qapp: QApplication):
    """Every text is 40 % longer."""
    translator = LongTexts(qapp)
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


def _show(guide: Guide, step: GuideStep, qtbot) -> None:
    guide.tuning.give(*tuning_scenes.kept_changes())
    changes = (("vm.min_free_kbytes", "524288"),)
    guide.page._memory.keep(GuideProgress(step, *NAMES, changes))
    guide.page.show_step(step)
    guide.wait(qtbot)


@pytest.mark.parametrize("step", GuideStep)
def test_below_a_banner_the_step_scrolls_and_the_buttons_stay(
    make_guide, place, long_texts, qtbot, step
):
    """Leave, Back and Next are in sight whatever the length of the step."""
    guide = make_guide()
    _show(guide, step, qtbot)
    guide.page.show_covered(is_covered=True)
    scroll = place(guide.page, BELOW_A_BANNER)
    assert scroll.verticalScrollBar().maximum() == 0
    assert scroll.horizontalScrollBar().maximum() == 0
    for button in (guide.page.leave, guide.page.next):
        corner = button.mapTo(guide.page, QPoint(0, button.height()))
        assert corner.y() <= BELOW_A_BANNER[1]
    assert not cut_labels(guide.page)


@pytest.mark.parametrize("step", GuideStep)
def test_the_card_has_its_usual_height_from_the_first_picture_on(make_guide, place, qtbot, step):
    """Also where the step was chosen before the page had its size."""
    guide = make_guide()
    guide.page._memory.keep(GuideProgress(step, *NAMES))
    page = GuidePage(guide.page._tools, guide.page._memory)
    scroll = place(page, (964, 740))
    guide.wait(qtbot)
    assert scroll.verticalScrollBar().maximum() == 0
    assert page._card.height() == 500


def test_figures_begin_where_one_reads_and_run_from_before_to_after(make_guide, qtbot, qapp):
    """From right to left the numbers stand at the right, and the arrow still points at B."""
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        guide = make_guide()
        _show(guide, GuideStep.COMPARE, qtbot)
        figures = guide.page.compare.verdict.findChildren(Figure)
        assert figures
        for figure in figures:
            assert figure.value.alignment() & Qt.AlignmentFlag.AlignRight
            assert figure.value.text().startswith("\N{LEFT-TO-RIGHT ISOLATE}")
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_the_buttons_of_the_verdict_have_room(make_guide, place, long_texts, qtbot):
    """Undo, keep, compare and record again: none is cut."""
    guide = make_guide()
    _show(guide, GuideStep.COMPARE, qtbot)
    place(guide.page, (964, 740))
    compare = guide.page.compare
    assert all(
        each.isVisible() for each in (compare.undo, compare.always, compare.whole, compare.again)
    )
    assert not cut_labels(guide.page)
