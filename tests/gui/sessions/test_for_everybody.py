# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings and guide for everybody: names, sizes, long and mirrored texts, narrow windows."""

import pytest
from PySide6.QtCore import Qt

from destutter.guide_progress import GuideProgress, GuideStep
from destutter.words.language import LANGUAGES
from tests.gui.guide.guide_kit import make_guide
from tests.gui.sessions.page_kit import (
    AFTER,
    BEFORE,
    choose,
    flights,
    folder,
    known_file_types,
    make_page,
    settled,
)
from tests.gui.test_accessibility import cut_labels, focusable, name_of, shortened
from tests.support.pseudo_language import LongTexts, MirroredTexts

pytestmark = pytest.mark.long

__all__ = ["flights", "folder", "known_file_types", "make_guide", "make_page"]

WIDE, NARROW = (1244, 900), (964, 740)
SHOWN = {"none": (), "one": (BEFORE,), "two": (BEFORE, AFTER)}


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_everything_has_a_name_and_room(make_page, folder, qtbot, size, shown):
    """What takes the focus says what it is and is at least 24 by 24 pixels; nothing is wider
    than the page."""
    page = make_page(folder, size=size)
    choose(qtbot, page, *SHOWN[shown])
    wrong = [
        (type(each).__name__, name_of(each), each.width(), each.height())
        for each in focusable(page)
        if not name_of(each)
        or name_of(each) in (type(each).__name__, "QListView")
        or min(each.width(), each.height()) < 22
    ]
    assert not wrong
    assert page.minimumSizeHint().width() <= size[0]


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_long_texts_are_not_cut(make_page, folder, qtbot, qapp, size, shown):
    """With every text 40 % longer, what does not fit ends in an ellipsis with a tool tip."""
    translator = LongTexts(qapp)
    qapp.installTranslator(translator)
    try:
        page = make_page(folder, size=size)
        choose(qtbot, page, *SHOWN[shown])
        assert not cut_labels(page)
        assert page.minimumSizeHint().width() <= size[0]
    finally:
        qapp.removeTranslator(translator)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("shown", SHOWN)
def test_no_measure_is_shortened_at_the_smallest_size(
    make_page, folder, qtbot, speak, language, shown
):
    """Names of measures and titles of graphs take a second line instead."""
    speak(language)
    page = make_page(folder, size=NARROW)
    choose(qtbot, page, *SHOWN[shown])
    for view in ("overlay", "distribution"):
        page.details.panel.views.button(view).click()
        settled()
        assert not shortened(page.details)
        assert not cut_labels(page.details)


def test_a_long_name_leaves_room_for_the_other(make_page, folder, qtbot):
    """Of the two names below the title of the graph only the long one is shortened."""
    long = (
        "Frankfurt to New York with the new scenery, live traffic, all sliders to the right and "
        "the larger reserve"
    )
    (folder / f"{AFTER}.destutter").rename(folder / f"{long}.destutter")
    page = make_page(folder, size=NARROW)
    choose(qtbot, page, BEFORE, long)
    first, second = page.details.panel.legends.values()
    assert first.width() == first.sizeHint().width()
    assert second.width() < second.sizeHint().width()


def test_the_graph_runs_to_the_right_in_every_language(make_page, folder, qtbot, qapp):
    """The list is at the right; time still runs to the right."""
    translator = MirroredTexts(qapp)
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qapp.installTranslator(translator)
    try:
        page = make_page(folder)
        choose(qtbot, page, BEFORE, AFTER)
        page.details.panel.views.button("side").click()
        settled()
        assert page.column.x() > page.width() / 2
        graph = page.details.panel.graph
        assert graph.layoutDirection() == Qt.LayoutDirection.LeftToRight
        first, second = graph.plots
        assert first.geometry().right() <= second.geometry().left()
        assert all(plot.view.geometry().left() > 0 for plot in (first, second)), "axes are left"
        choose(qtbot, page, BEFORE)
        assert page.details.head.title.alignment() & Qt.AlignmentFlag.AlignRight
    finally:
        qapp.removeTranslator(translator)
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_theme_can_change_while_a_comparison_is_shown(make_page, folder, qtbot, theme):
    """Table, graph and badges are drawn in the colours of the other theme at once."""
    page = make_page(folder, theme=theme)
    choose(qtbot, page, BEFORE, AFTER)
    before = page.grab().toImage()
    page._theme.choose("light" if theme == "dark" else "dark")
    settled()
    assert page.grab().toImage() != before
    assert page.details.table.rows


@pytest.mark.parametrize("step", GuideStep)
@pytest.mark.parametrize("is_long", [False, True], ids=["plain", "long"])
def test_each_step_of_the_guide_fits(make_guide, qtbot, qapp, step, is_long):
    """At 1024 x 740 nothing is cut, and everything that takes the focus has a name."""
    translator = LongTexts(qapp)
    if is_long:
        qapp.installTranslator(translator)
    try:
        guide = make_guide(size=NARROW)
        names = (f"{BEFORE}.destutter", f"{AFTER}.destutter")
        guide.page._memory.keep(GuideProgress(step, *names))
        guide.page.show_step(step)
        guide.wait(qtbot)
        settled()
        assert not cut_labels(guide.page)
        assert all(name_of(each) for each in focusable(guide.page))
        assert guide.page.minimumSizeHint().width() <= NARROW[0]
        assert guide.page.minimumSizeHint().height() <= NARROW[1]
    finally:
        qapp.removeTranslator(translator)
