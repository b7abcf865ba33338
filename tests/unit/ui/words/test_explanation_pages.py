# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that explain: languages, missing and damaged pages, sentences and advice."""

import contextlib
import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.diagnosis.causes.registry import CAUSES
from destutter.ui.words.explanation_pages import CAUSE, ExplanationError, ExplanationPages, parse
from destutter_helper.api.tunables import TUNABLES

FOLDER = Path(__file__).resolve().parents[4] / "resources" / "explanations"
NAMES = ("feels", "why", "helps", "risk", "not_when", "source")


def page(why="It happens.", helps="Nothing.", title="A title"):
    """The text of a page of a cause."""
    bodies = ["It feels bad.", why, helps, "Low.", "Never.", "The kernel."]
    return f"# {title}\n" + "".join(f"\n## Head\n{body}\n" for body in bodies)


def test_every_page_can_be_read():
    """All causes and settings, with a reason of at most three sentences."""
    pages = ExplanationPages(FOLDER)
    for spec in CAUSES:
        found = pages.cause(spec.id)
        assert found.title
        assert 0 < found.why.count(". ") + 1 <= 3
        assert found.advice
    for tunable in TUNABLES:
        assert pages.tunable(tunable.id).section("risk")


def test_language_comes_first_and_english_last(tmp_path):
    """The user's language where it has the page, else English."""
    for language, title in (("en", "English"), ("de", "Deutsch")):
        (tmp_path / language).mkdir()
        (tmp_path / language / "cause.one.md").write_text(page(title=title), encoding="utf-8")
    (tmp_path / "en" / "cause.two.md").write_text(page(), encoding="utf-8")
    german = ExplanationPages(tmp_path, ("de_AT", "de"))
    assert german.cause("one").title == "Deutsch"
    assert german.cause("two").title == "A title"
    assert ExplanationPages(tmp_path).cause("one").title == "English"


def test_missing_and_damaged_pages_are_named(tmp_path, caplog):
    """An error names the path, and the line where there is one; it is logged, for pages go on."""
    caplog.set_level(logging.WARNING)
    (tmp_path / "en").mkdir()
    with pytest.raises(ExplanationError, match=r"cause\.none\.md is missing"):
        ExplanationPages(tmp_path).cause("none")
    (tmp_path / "en" / "cause.bad.md").write_text("# Title\n\n## One\nText\n", encoding="utf-8")
    with pytest.raises(ExplanationError, match=r"cause\.bad\.md: line 4: 1 sections"):
        ExplanationPages(tmp_path).cause("bad")
    (tmp_path / "en" / "cause.bytes.md").write_bytes(b"# \xff\xfe")
    with pytest.raises(ExplanationError, match=r"cause\.bytes\.md"):
        ExplanationPages(tmp_path).cause("bytes")
    assert [each.levelname for each in caplog.records] == ["WARNING"] * 3


def test_reason_has_at_most_three_sentences():
    """More is cut after the third, also where full-width marks end sentences without a space."""
    assert parse(CAUSE, "one", page(why="A. B. C. D.")).why == "A. B. C."
    chinese = "\u4e00\u3002\u4e8c\u3002\u4e09\u3002\u56db\u3002"
    assert parse(CAUSE, "one", page(why=chinese)).why == chinese[:6]


def test_advice_knows_its_code():
    """Each item is plain text with the words that were marked as code."""
    found = parse(CAUSE, "one", page(helps="- Use `tsc=reliable`\n  now.\n- Wait.")).advice
    assert found == (("Use tsc=reliable now.", ("tsc=reliable",)), ("Wait.", ()))


@given(st.text())
def test_any_text_is_a_page_or_an_error(text):
    """No text makes the reader fail in another way."""
    with contextlib.suppress(ValueError):
        assert tuple(parse(CAUSE, "any", text).sections) == NAMES
