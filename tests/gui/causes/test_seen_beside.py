# SPDX-License-Identifier: GPL-3.0-or-later
"""What was only seen beside the stutters stands apart from their causes, and spans are told."""

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel

from destutter.core.statement import Statement
from destutter.diagnosis.cause_ids import IO_UNFAIRNESS
from destutter.diagnosis.finding import Confidence, Group
from destutter.ui.causes.causes_page import CausesPage
from destutter.ui.pages.feed_state import FeedKind, FeedState
from destutter.words.measures import NBSP
from tests.support import live_scenes
from tests.support.causes_window import fill, open_causes, settle
from tests.support.engine_scenes import OWN_WORK, engine
from tests.support.known_snapshots import snapshots_of
from tests.support.window_kit import make_theme

WIDE, NARROW = (1440, 900), (1024, 740)


@pytest.fixture
def make(qapp) -> Iterator[Callable[..., CausesPage]]:
    """Opens a window on the page, with a doubtful finding beside those of the scene."""
    made = []

    def open_page(size=WIDE, *, own: bool = False, over: bool = False) -> CausesPage:
        window, tuning = open_causes(qapp, make_theme(qapp), size, live_scenes.stuttering)
        made.append((window, tuning))
        newest = snapshots_of(live_scenes.stuttering)[-1]
        given = newest.assessment
        doubted = replace(
            given.findings[0],
            cause=IO_UNFAIRNESS,
            group=Group.STORAGE,
            confidence=Confidence.LOW,
            stutters_explained=1,
            weight=0.1,
            ends_ns=(),
        )
        found = (doubted,) if own else (doubted, *given.findings)
        if over:
            found = (doubted, replace(given.findings[0], is_over=True), *given.findings[1:])
        verdict = given.verdict
        if own:
            headline = Statement("verdict.own.frames", {"count": 3, "span_s": 120})
            verdict = replace(verdict, headline=headline, finding=None)
        told = replace(given, findings=found, verdict=verdict, monotonic_ns=given.monotonic_ns + 1)
        window.begin_anew()
        fill(window, tuning, [replace(newest, assessment=told)])
        window.show_cause()
        settle(qapp)
        return window.causes

    yield open_page
    for window, tuning in made:
        window.close()
        window.deleteLater()
        tuning.close()
    settle(qapp)


def test_a_guess_at_few_of_the_stutters_is_no_cause_among_causes(make):
    """It comes behind them, below a heading, and is called by its right name."""
    page = make()
    cards = page.list.cards
    assert next(iter(cards)) == "direct_reclaim"
    assert cards[IO_UNFAIRNESS].chip.text == "Also seen"
    assert page.list.headings[True].text() == "Also seen, not shown to be the cause"
    heading = page.list.headings[True]
    tops = [each.y() for each in (cards["direct_reclaim"], heading, cards[IO_UNFAIRNESS])]
    assert heading.isVisible()
    assert not page.list.headings[False].isVisible()
    assert tops == sorted(tops)


def test_a_stutter_of_another_cause_is_no_red_dot_of_this_one(make):
    """Where a finding explains none, the stutters in view are pale rings."""
    page = make()
    evidence = page.detail.evidence
    page.list.cards["direct_reclaim"].click()
    own = evidence.graph.picture
    assert own.stutters
    page.list.cards[IO_UNFAIRNESS].click()
    other = evidence.graph.picture
    assert (other.stutters, bool(other.others)) == ((), True)
    assert "no stutter" not in evidence.title.full_text


def test_a_group_is_left_with_the_page(make):
    """Who asked for one by its tile, and opens the page later from the menu, sees all causes."""
    page = make()
    page.show_group(Group.STORAGE)
    assert set(page.list.cards) == {IO_UNFAIRNESS}
    page.window().show_page("live")
    page.window().show_page("causes")
    assert "direct_reclaim" in page.list.cards


def test_in_a_narrow_window_the_menu_has_the_same_heading(make):
    """Above it the causes, below it what was only seen."""
    texts = [each.text() for each in make(NARROW).menu.menu().actions()]
    at = texts.index("Also seen, not shown to be the cause")
    assert texts[0].startswith("Waiting for free memory")
    assert texts[at + 1].startswith("Another program holds the drive")


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_cause_of_earlier_stands_behind_those_of_now(make, size):
    """And before what was only seen, below a heading of its own."""
    page = make(size, over=True)
    told = "Earlier, none in the last 2 minutes"
    if size == NARROW:
        texts = [each.text() for each in page.menu.menu().actions()]
        at = texts.index(told)
        assert texts[at + 1].startswith("Waiting for free memory")
        assert texts[at + 2] == "Also seen, not shown to be the cause"
        return
    cards = page.list.cards
    assert cards["direct_reclaim"].chip.text == "Earlier"
    headings = page.list.headings
    shown = (headings[False], cards["direct_reclaim"], headings[True], cards[IO_UNFAIRNESS])
    assert headings[False].text() == told
    tops = [each.y() for each in shown]
    assert all(each.isVisible() for each in shown)
    assert tops == sorted(tops)


def test_where_the_game_itself_took_the_time_the_page_says_so(make):
    """In the words of the live page, above a card that is not shown to be the cause."""
    page = make(own=True)
    told = page.subtitle.full_text.replace(NBSP, " ")
    assert told == "3 stutters in the last 2 minutes — the game itself took the time"
    assert page.list.headings[True].isVisible()
    assert page.list.headings[True].y() < page.list.cards[IO_UNFAIRNESS].y()
    assert page.own_help.isVisible()
    assert page.own_help.full_text.startswith("What helps is in the game: less detail")


def test_with_no_card_at_all_the_empty_page_says_it_once(qapp):
    """What took the time, and what helps, in the middle; above only what was lost."""
    scene = functools.partial(engine, OWN_WORK)
    window, tuning = open_causes(qapp, make_theme(qapp), NARROW, scene)
    try:
        window.show_cause()
        settle(qapp)
        page = window.causes
        assert page.empty is not None
        assert page.empty.heading.endswith("the game itself took the time")
        assert page.empty.text.split("\n\n")[-1].startswith("What helps is in the game")
        assert not page.own_help.isVisible()
        assert page.lost.isVisible()
        assert "the game itself" not in page.subtitle.full_text
    finally:
        window.close()
        window.deleteLater()
        tuning.close()
        settle(qapp)


def test_the_count_says_of_which_time_it_is(make):
    """The live page counts two minutes, this one ten."""
    told = make().subtitle.full_text.replace("(s)", "s")
    assert told == "A cause is known for 2 of 3 stutters in the last 10 minutes"


def test_of_a_game_that_started_just_now_no_ten_minutes_are_told(make, qapp):
    """Of one of 100 s they were; and of a recording of eight minutes."""
    page = make()
    newest = snapshots_of(live_scenes.stuttering)[-1]
    now_ns = newest.assessment.monotonic_ns + 2_000_000_000
    told = replace(
        newest,
        assessment=replace(newest.assessment, monotonic_ns=now_ns),
        facts={**newest.facts, "game.started": str(now_ns - 100_000_000_000)},
    )
    page.show_snapshot(told)
    settle(qapp)
    subtitle = page.subtitle.full_text.replace("(s)", "s")
    assert subtitle == "A cause is known for 2 of 3 stutters since the game started"
    notes = [each.text() for each in page.detail.facts.findChildren(QLabel)]
    assert "since the game started" in notes
    assert not [text for text in notes if "10 minutes" in text]
    page.show_feed_state(FeedState(FeedKind.REPLAY, "flight.destutter"))
    settle(qapp)
    notes = [each.text() for each in page.detail.facts.findChildren(QLabel)]
    assert "in the part that was played" in notes
