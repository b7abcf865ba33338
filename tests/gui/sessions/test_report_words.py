# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of the window and of the command line are one document, each in its own words."""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QApplication

from destutter.analysis.comparing.comparison import Comparison, RowChange, compare_sessions
from destutter.analysis.examining.examination import examine_file
from destutter.analysis.examining.summary import SessionMarker, SessionSummary
from destutter.analysis.report.comparison_document import comparison_document
from destutter.analysis.report.comparison_words import detail, headline, row_cells
from destutter.analysis.report.document import (
    Block,
    Chart,
    Heading,
    Listing,
    Paragraph,
    ReportDocument,
    Table,
)
from destutter.analysis.report.html import to_html
from destutter.analysis.report.language import ReportWords
from destutter.analysis.report.session_document import session_document
from destutter.analysis.report.terminal_words import terminal_words
from destutter.resource_folder import resource_folder
from destutter.ui.sessions.compare_texts import CompareTexts
from destutter.ui.sessions.report_words import report_words
from destutter.ui.words.explanation_pages import ExplanationPages
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.setting_words import SettingWords
from tests.support.long_flights import TUNED, Flight, write_flight
from tests.support.pseudo_language import LongTexts
from tests.support.sessions import frames_of, summary

ENGLISH = terminal_words()

_ADDED = "ẍö"


def _window(language: str = "en") -> ReportWords:
    """What the window writes with."""
    quantities = Quantities(QLocale(language))
    explanations = ExplanationPages(resource_folder() / "explanations", ("en",))
    return report_words(quantities, SettingWords(quantities, explanations))


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> tuple[SessionSummary, SessionSummary]:
    """Two recordings with causes, advice, phases and markers."""
    folder = tmp_path_factory.mktemp("flights")
    write_flight(folder / "a.destutter", Flight(12, 4.0))
    write_flight(folder / "b.destutter", Flight(12, 0.0, seed=2, build="12.2.0"), TUNED)
    a, b = (examine_file(str(folder / f"{name}.destutter")) for name in "ab")
    return replace(a, markers=(SessionMarker(60.0, "take-off"),)), b


@pytest.fixture(scope="module")
def comparison(sessions: tuple[SessionSummary, SessionSummary]) -> Comparison:
    """The two of them, and two further runs of each side."""
    a, b = sessions
    compared = compare_sessions(a, b, (a, a), (b, b))
    assert len(compared.phases) > 1, "the comparison has rows of each phase"
    assert compared.confirmation is not None
    assert compared.confirmation.rows
    return compared


def test_counts_stand_beside_what_is_weighed_by_phase(comparison: Comparison) -> None:
    """Who divides the stutters of a row by its minutes gets another number than the verdict's."""
    said = detail(comparison, ENGLISH).replace("\N{NO-BREAK SPACE}", " ")
    a, b = comparison.a, comparison.b
    assert "stutters fell" in headline(comparison, ENGLISH)
    assert f"Stutters counted: {a.frame_stutters} in {a.played_s // 60} min (A)" in said
    assert f", {b.frame_stutters} in {b.played_s // 60} min (B). Each phase weighs" in said


@pytest.fixture
def long_texts(qapp: QApplication) -> Iterator[None]:
    """Every translated text ends in letters that no other has."""
    translator = LongTexts(qapp)
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


def _shape(block: Block) -> tuple[object, ...]:
    """What a block is, without its words."""
    match block:
        case Heading():
            return ("heading",)
        case Paragraph(_, tone):
            return ("paragraph", tone)
        case Listing(items):
            return ("listing", len(items))
        case Table(heads, rows, figures):
            return ("table", len(heads), len(rows), figures)
        case Chart():
            curves = [(curve.role, curve.y.size) for curve in block.curves]
            return ("chart", curves, block.x_unit, len(block.bands), len(block.marks))


def _shapes(document: ReportDocument) -> list[tuple[object, ...]]:
    return [_shape(block) for block in document.blocks]


def _charts(document: ReportDocument) -> list[str]:
    return [block.title for block in document.blocks if isinstance(block, Chart)]


def test_a_report_of_a_session_is_the_same_document(qapp, sessions) -> None:
    """With its findings, its advice and its graphs, among them those of the computer."""
    for session in (*sessions, summary(frames_of(3, 2))):
        window = session_document(session, _window())
        assert _shapes(window) == _shapes(session_document(session, ENGLISH))
    window = session_document(sessions[0], _window())
    assert "Pages that programs freed themselves" in _charts(window)
    (advice,) = [
        each for each in window.blocks if isinstance(each, Table) and len(each.heads) == 5
    ]
    assert advice.rows[0][0] in {each.key for each in sessions[0].recommendations}


def test_a_report_of_two_sessions_is_the_same_document(qapp, comparison) -> None:
    """With the table of each phase, how often each length occurred, and what all runs say."""
    window, terminal = (comparison_document(comparison, each) for each in (_window(), ENGLISH))
    assert _shapes(window) == _shapes(terminal)
    assert "How often each length occurred" in _charts(window)
    heads = [each.heads[0] for each in window.blocks if isinstance(each, Table)]
    assert "All runs" in heads
    assert heads.count("Measure") == 1 + len(comparison.phases)


def test_a_comparison_has_the_same_words(qapp, comparison) -> None:
    """Verdict, values and changes."""
    window = _window()
    for say in (headline, detail):
        assert say(comparison, window) == say(comparison, ENGLISH)
    for row in comparison.rows:
        assert row_cells(row, window) == row_cells(row, ENGLISH)


def test_worse_is_bad_in_the_banner_and_in_the_table(qapp, sessions) -> None:
    """One sign and one tone for it."""
    a, b = sessions
    quantities = Quantities(QLocale("en"))
    settings = SettingWords(quantities, ExplanationPages(resource_folder() / "explanations"))
    texts, comparison = CompareTexts(quantities, settings), compare_sessions(b, a)
    assert (texts.banner(comparison).kind, texts.banner(comparison).icon) == ("bad", "causing")
    row = next(each for each in comparison.rows if each.change is RowChange.WORSE)
    assert texts.row(row).tone == "bad"


def test_findings_have_the_same_words(qapp, sessions) -> None:
    """What each explains, when it was seen, what was measured, and who did it."""
    kinds = (Heading, Paragraph, Listing)
    ours, terminals = (
        [
            block
            for block in session_document(sessions[0], words).blocks
            if isinstance(block, kinds)
        ]
        for words in (_window(), ENGLISH)
    )
    assert ours == terminals


def test_everything_the_builder_says_is_translated(qapp, long_texts, sessions, comparison) -> None:
    """No heading, head of a table, title or description of a graph stays in English."""
    words = _window()
    log = summary(frames_of(3, 2))
    for document in (
        session_document(sessions[0], words),
        session_document(log, words),
        comparison_document(comparison, words),
        comparison_document(compare_sessions(log, log, (log,), ()), words),
    ):
        left = [text for text in _builders_own(document) if not _is_translated(text)]
        assert not left, left


def _builders_own(document: ReportDocument) -> Iterator[str]:
    for block in document.blocks:
        match block:
            case Heading(text) | Paragraph(text):
                yield text
            case Table(heads, rows):
                yield from (head for head in heads if head not in ("", "A", "B"))
                yield from (row[0] for row in rows if not heads[0])
            case Chart():
                yield from (block.title, block.text, *(band.name for band in block.bands))
            case Listing():
                pass


def _is_translated(text: str) -> bool:
    return any(letter in text for letter in _ADDED)


def test_numbers_of_a_page_are_those_of_its_language(qapp, sessions) -> None:
    """Also beside the axes of its graphs, and the page says which language it is in."""
    page = to_html(session_document(sessions[0], _window("de")), _window("de"))
    assert '<html lang="de">' in page
    axes = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", page))
    assert not re.search(r"\d,\d{3}\b", axes), "English separators stand beside an axis"


def test_a_clock_that_makes_no_sense_is_not_told(qapp) -> None:
    """In neither; what is known is."""
    for words in (_window(), ENGLISH):
        for seconds in (-1e18, 1e18, float(np.finfo(np.float64).max)):
            assert words.moment(seconds) == ""
        assert "2023" in words.moment(1.7e9) or "23" in words.moment(1.7e9)
