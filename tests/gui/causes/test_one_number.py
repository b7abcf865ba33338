# SPDX-License-Identifier: GPL-3.0-or-later
"""One quantity has one number on a card, and the graph is of the moment that it is of."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QPushButton

from destutter.ui.causes.causes_page import CausesPage
from tests.support import live_scenes
from tests.support.causes_window import fill, open_causes, settle
from tests.support.known_snapshots import snapshots_of
from tests.support.window_kit import make_theme

LITTLE = 0.25  # of a threshold: what no graph of the scene has


@pytest.fixture
def page(qapp) -> Iterator[CausesPage]:
    """A card whose figures are of the shorter of its two stutters."""
    window, tuning = open_causes(qapp, make_theme(qapp), (1440, 900), live_scenes.stuttering)
    newest = snapshots_of(live_scenes.stuttering)[-1]
    given = newest.assessment
    first = given.findings[0]
    short = min(
        (each for each in given.spikes if each.cause == first.cause),
        key=lambda each: each.duration_ms,
    )
    at_ns = short.monotonic_ns - 10_000_000
    figures = tuple(
        replace(each, value=1.5 * each.threshold, monotonic_ns=at_ns) for each in first.evidence
    )
    findings = (replace(first, evidence=figures), *given.findings[1:])
    told = replace(given, findings=findings, monotonic_ns=given.monotonic_ns + 2_000_000_000)
    fill(window, tuning, [replace(newest, assessment=told)])
    settle(qapp)
    yield window.causes
    window.close()
    window.deleteLater()
    tuning.close()
    settle(qapp)


def _figure(page: CausesPage) -> str:
    finding = page.detail.finding
    assert finding is not None
    return page.detail._words.value(finding.evidence[0])


def _link(page: CausesPage) -> QPushButton:
    """What shows the first figure in the graph."""
    return next(each for each in page.detail.measured.links if each.objectName() == "graph 0")


def test_the_graph_is_of_the_moment_that_the_figure_is_of(page):
    """A wait of 619 ms/s stood above a graph of the longest stutter, which had 1,000 ms/s."""
    card = page.detail.evidence
    assert "182" in card.title.full_text
    assert _figure(page) in card.legends[1].text
    assert card.shows_measured
    assert not _link(page).isVisibleTo(page.detail.measured)


def test_another_stutter_has_its_own_figure_and_is_not_called_the_one_of_the_list(page):
    """The link of the list leads back to the moment that its value is of."""
    card, measured = page.detail.evidence, page.detail.measured
    card.step(1)
    assert "214" in card.title.full_text
    assert _figure(page) not in card.legends[1].text
    assert _link(page).isVisibleTo(measured)
    _link(page).click()
    assert "182" in card.title.full_text
    assert _figure(page) in card.legends[1].text


def test_what_stays_below_its_limit_does_not_count_as_the_proof(page):
    """A wait of 15.9 ms that counts from 20 stood as the evidence of a stutter of 282 ms."""
    card = page.detail.evidence
    evidence = card.evidence
    assert evidence is not None
    assert "too little to count" in card._threshold_text(LITTLE * evidence.threshold)
    assert "too little" not in card._threshold_text(evidence.threshold)
    card.views.button("text").click()
    shown = [card.table.item(row, 2).text() for row in range(card.table.rowCount())]
    assert shown[0] == _figure(page)


def test_a_figure_says_when_it_was(page):
    """The large numbers stand above any moment that somebody goes to."""
    notes = [each.note.text() for each in page.detail.facts._columns]
    card = page.detail.evidence
    time = card._clock.time(card.moment.monotonic_ns)
    assert time in card.title.full_text
    assert any(note.startswith(f"at {time}, counts from") for note in notes)


def test_a_figure_of_a_second_says_that_the_curve_goes_higher(page):
    """265 ms/s stood above a curve that went up to 370."""
    card = page.detail.evidence
    data, evidence, signal = card._read_data(), card.evidence, card.graph.picture.signal
    peak = signal.highest(0.0, data.now_s)
    at_s = next(at for at in range(1, 999) if signal.highest(at - 1.0, float(at)) == peak)
    at_ns = evidence.monotonic_ns + int(1e9 * (at_s - data.seconds(evidence.monotonic_ns)))
    for value, is_mean in ((0.8 * peak, True), (peak, False)):
        of_peak = replace(evidence, value=value, monotonic_ns=at_ns)
        card._finding = replace(card._finding, evidence=(of_peak,))
        assert card._threshold_text(value).startswith("on average, counts from") is is_mean
