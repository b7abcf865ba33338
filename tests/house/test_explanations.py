# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that explain: one for each cause and each setting, none without."""

from pathlib import Path

import pytest

from destutter.diagnosis.causes import CAUSES
from destutter_helper.api.tunables import TUNABLES

PAGES = Path(__file__).resolve().parents[2] / "resources" / "explanations" / "en"
SECTIONS = {
    "cause": (
        "What it feels like",
        "Why it happens",
        "What helps",
        "Risk",
        "When not",
        "Source",
    ),
    "tunable": ("What it does", "When it helps", "Risk", "When not", "Source"),
}
MOST_SENTENCES = 3


def _pages():
    return sorted(PAGES.glob("*.md"))


def test_ids_and_pages_match():
    """Each id has its page, and no page is left over."""
    ids = {f"cause.{spec.id}" for spec in CAUSES} | {f"tunable.{each.id}" for each in TUNABLES}
    assert {page.stem for page in _pages()} == ids


@pytest.mark.parametrize("page", _pages(), ids=lambda page: page.stem)
def test_a_page_has_its_sections(page):
    """In their fixed order, each with a text; the reason in at most three sentences."""
    title, *parts = page.read_text(encoding="utf-8").split("\n## ")
    assert title.startswith("# ")
    sections = dict(part.split("\n", 1) for part in parts)
    assert tuple(sections) == SECTIONS[page.stem.partition(".")[0]]
    assert all(text.strip() for text in sections.values())
    why = sections.get("Why it happens", "").strip()
    assert why.count(". ") < MOST_SENTENCES
