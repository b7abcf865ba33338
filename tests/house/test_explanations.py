# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages that explain: one for each cause and each setting, none without, in every language."""

import re
from collections import Counter

import pytest

from destutter.diagnosis.causes.registry import CAUSES
from destutter.tuning.recommendation import usual_risk
from destutter.ui.pages.pages import SETTINGS, entries
from destutter.ui.words.explanation_pages import parse
from destutter.words.catalogue import texts
from destutter_helper.api.tunables import TUNABLES
from tests.house.source_tree import ROOT, untranslated

FOLDER = ROOT / "resources" / "explanations"
PAGES = FOLDER / "en"
OTHERS = sorted(each for each in FOLDER.iterdir() if each.is_dir() and each != PAGES)
SECTIONS = {
    "cause": (
        "What it feels like",
        "Why it happens",
        "What helps",
        "Risk",
        "When not",
        "Source",
    ),
    "page": ("What it tells", "What the figures mean", "What you can do"),
    "tunable": ("What it does", "When it helps", "Risk", "When not", "Source"),
}
MOST_SENTENCES = 3


def _pages():
    return sorted(PAGES.glob("*.md"))


def _waits(language, name):
    """Whether a page is marked as one that nobody has translated yet."""
    return name in untranslated(language, "page")


def _translated(pages):
    """Each page with the folder of each other language that has to have it."""
    return [
        pytest.param(page, folder, id=f"{page.stem}-{folder.name}")
        for page in pages
        for folder in OTHERS
        if not _waits(folder.name, page.stem)
    ]


def test_ids_and_pages_match():
    """Each id has its page, and each way of a cause that has a name; no page is left over."""
    ids = (
        {f"cause.{spec.id}" for spec in CAUSES}
        | {*texts("en", "cause")}
        | {f"tunable.{each.id}" for each in TUNABLES}
        | {f"page.{each}" for each in (*entries(), SETTINGS)}
    )
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


@pytest.mark.parametrize("language", [PAGES.name, *(each.name for each in OTHERS)])
def test_no_two_settings_have_the_same_name(language):
    """In the list of settings each says which of two it is; 'in MB' or 'share of memory'."""
    pages = sorted((FOLDER / language).glob("tunable.*.md"))
    titles = Counter(page.read_text(encoding="utf-8").partition("\n")[0] for page in pages)
    have = [one for one in TUNABLES if not _waits(language, f"tunable.{one.id}")]
    assert len(titles) == len(have), [name for name, times in titles.items() if times > 1]


RISK_WORDS = {
    "en": ("Risk", {"low": "Low", "medium": "Medium", "high": "High"}),
    "de": ("Risiko", {"low": "Gering", "medium": "Mittel", "high": "Hoch"}),
    "zh_CN": ("风险", {"low": "低", "medium": "中", "high": "高"}),
}


def _risk_of(page):
    """What a page says first of the risk, and the words for it."""
    heading, words = RISK_WORDS[page.parent.name]
    said = page.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].strip()
    return re.split("[.,:;\u3002\uff0c\uff1a\uff1b]", said)[0], words


@pytest.mark.parametrize("language", RISK_WORDS)
@pytest.mark.parametrize("tunable", TUNABLES, ids=lambda tunable: tunable.id)
def test_the_risk_of_a_setting_is_one_word_everywhere(tunable, language):
    """The page of the setting says what advice says, and so does that of a cause with only it."""
    risk = usual_risk(tunable.id)
    alone = [f"cause.{spec.id}" for spec in CAUSES if spec.tunables == (tunable.id,)]
    pages = (f"tunable.{tunable.id}", *alone)
    for name in (page for page in pages if not _waits(language, page)):
        said, words = _risk_of(FOLDER / language / f"{name}.md")
        found = {each for each, word in words.items() if word in said}
        assert found == {risk}, f"{name} says: {said}"


def _code_words(text):
    return sorted(re.findall(r"`[^`\n]+`", text))


def _items(text):
    return len(re.findall(r"^- ", text, re.MULTILINE))


def _headings(page):
    return tuple(re.findall(r"^## (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("folder", OTHERS, ids=lambda folder: folder.name)
def test_a_language_has_every_page(folder):
    """The pages of English, no more and no fewer, all under the same translated headings."""
    wanted = {page.name for page in _pages() if not _waits(folder.name, page.stem)}
    assert {page.name for page in folder.iterdir()} == wanted
    for kind, names in SECTIONS.items():
        headings = {_headings(page) for page in folder.glob(f"{kind}.*.md")}
        assert len(headings) == 1
        assert len(set(*headings)) == len(names)
        assert set(*headings).isdisjoint(names)


@pytest.mark.parametrize(("page", "folder"), _translated(_pages()))
def test_a_translation_says_the_same(page, folder):
    """Each section has a text with the code words and items of English; `why` stays short."""
    kind, _, id_ = page.stem.partition(".")
    original = parse(kind, id_, page.read_text(encoding="utf-8"))
    other = parse(kind, id_, (folder / page.name).read_text(encoding="utf-8"))
    assert other.title
    for name, text in original.sections.items():
        assert other.sections[name]
        assert _code_words(other.sections[name]) == _code_words(text), name
        assert _items(other.sections[name]) == _items(text), name
    assert other.why == (other.section("why") or other.section("does"))
