# SPDX-License-Identifier: GPL-3.0-or-later
"""A language is complete or not offered: ``words.language.LANGUAGES`` is the list."""

import pytest

from destutter.words.language import ENGLISH, LANGUAGES
from tests.house.source_tree import ROOT, loaded

RESOURCES = ROOT / "resources"
UNTRANSLATED = loaded(ROOT / "packaging" / "translations" / "untranslated.py")


def test_english_comes_first():
    """Whoever goes through the others leaves out the first."""
    assert LANGUAGES[0] == ENGLISH
    assert len(set(LANGUAGES)) == len(LANGUAGES)


@pytest.mark.parametrize("subject", ["catalogue", "explanations"])
def test_every_language_has_its_folder(subject):
    """And no folder is of a language that nobody can choose."""
    folders = {each.name for each in (RESOURCES / subject).iterdir() if each.is_dir()}
    assert folders == set(LANGUAGES)


@pytest.mark.parametrize("ending", ["ts", "qm"])
def test_every_language_has_its_file_of_the_window(ending):
    """What people edit, and what the program loads."""
    found = {each.stem for each in (RESOURCES / "translations").glob(f"*.{ending}")}
    assert found == {f"destutter_{language}" for language in LANGUAGES}


def test_what_a_language_lacks_is_marked():
    """Nothing else is left in English, and no mark stays on what is translated.

    Who cannot translate a text marks it: packaging/translations/untranslated.py writes the list.
    """
    assert UNTRANSLATED.missing() == UNTRANSLATED.marked()


def test_what_is_lacking_is_seen(tmp_path, monkeypatch, capsys):
    """A text, a page and a widget's text that German has not; with a list nothing is released."""
    for path, text in {
        "catalogue/en/some.json": '{"some.one": "1", "some.two": "2"}',
        "catalogue/de/some.json": '{"some.one": "1"}',
        "explanations/en/cause.one.md": "# One",
        "translations/destutter_de.ts": (
            "<TS><context><name>Page</name><message><source>A\n b</source>"
            '<translation type="unfinished"/></message></context></TS>'
        ),
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    monkeypatch.setattr(UNTRANSLATED, "RESOURCES", tmp_path)
    monkeypatch.setattr(UNTRANSLATED, "LIST", tmp_path / "list")
    monkeypatch.setattr(UNTRANSLATED, "LANGUAGES", ("en", "de"))
    monkeypatch.setattr("sys.argv", ["untranslated.py"])
    assert UNTRANSLATED.main() == 0
    lines = ["de catalogue some.two", "de page cause.one", "de widget Page: A b"]
    assert UNTRANSLATED.marked() == lines
    monkeypatch.setattr("sys.argv", ["untranslated.py", "--none"])
    assert UNTRANSLATED.main() == 1
    assert "cause.one" in capsys.readouterr().err
    (tmp_path / "list").write_text("", encoding="utf-8")
    assert UNTRANSLATED.main() == 0
