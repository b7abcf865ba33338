# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports that the terminal makes, in the language of the one who reads it."""

import re
from collections.abc import Iterator

import pytest

from destutter.analysis.comparing.comparison import Comparison, compare_sessions
from destutter.analysis.report.comparison_document import comparison_document
from destutter.analysis.report.document import (
    Chart,
    Heading,
    Listing,
    Paragraph,
    ReportDocument,
    Table,
)
from destutter.analysis.report.html import to_html
from destutter.analysis.report.session_document import session_document
from destutter.analysis.report.terminal_words import terminal_words
from destutter.words.language import LANGUAGES
from tests.support.sessions import frames_of, marker, summary

NO_WORDS = re.compile(r"[\W\d_]*(A|B|a\.csv|b\.csv|MSFS|Kernel|ms|fps|UTC)?[\W\d_]*")
"""Names, units and what is called the same in German."""


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    """Two runs of twelve minutes, and two further ones of each side."""
    a, b = summary(frames_of(12, 3, 1)), summary(frames_of(12, 0.2, 2), name="b.csv")
    return compare_sessions(a, b, (a, a), (b, b))


def _texts(document: ReportDocument) -> Iterator[str]:
    """What the builder says: not the values, which may be names."""
    for block in document.blocks:
        match block:
            case Heading(text) | Paragraph(text):
                yield text
            case Listing(items):
                yield from items
            case Table(heads, rows):
                yield from heads
                yield from (row[0] for row in rows)
            case Chart():
                yield from (block.title, block.text, *(band.name for band in block.bands))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_nothing_stays_in_english(comparison, language) -> None:
    """No heading, sentence, head of a table, name of a row or description of a graph."""
    session = summary(frames_of(12, 2), markers=(marker(60, "x"),))
    for build in (
        lambda words: comparison_document(comparison, words),
        lambda words: session_document(session, words),
    ):
        english = set(_texts(build(terminal_words())))
        told = list(_texts(build(terminal_words(language))))
        assert len(told) > 20
        assert [text for text in told if text in english and not NO_WORDS.fullmatch(text)] == []


def test_a_page_says_which_language_it_is_in(comparison) -> None:
    """As browsers name it, so that they pronounce and break it right."""
    for language, tag in (("en", "en"), ("de", "de"), ("zh_CN", "zh-CN")):
        words = terminal_words(language)
        assert f'<html lang="{tag}">' in to_html(comparison_document(comparison, words), words)


def test_figures_have_the_marks_of_the_language(comparison) -> None:
    """A decimal comma in German, also in percentages."""
    words = terminal_words("de")
    page = to_html(comparison_document(comparison, words), words)
    assert re.search(r"\d,\d\s(ms|%)", page)
    assert not re.search(r"\d\.\d\s(ms|%)", page)


def test_one_run_is_no_runs() -> None:
    """Where one side has a single run, it is told as one."""
    a = summary(frames_of(12, 3, 1))
    told = comparison_document(compare_sessions(a, a, (), (a,)), terminal_words())
    assert "Not confirmed by 1 run of 8 minutes and more with A's settings and 2 with B's" in set(
        _texts(told)
    )
