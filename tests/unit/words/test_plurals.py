# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts with a number, by the rule of their language."""

import json

import pytest

from destutter.core.statement import Statement
from destutter.words import catalogue
from destutter.words.language import PLURALS, PluralForms
from destutter.words.renderer import Renderer

FRENCH = PluralForms(("one", "other"), lambda n: n >= 2)


def _polish(n: float) -> int:
    if n == 1:
        return 0
    return 1 if 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14 else 2


POLISH = PluralForms(("one", "few", "many"), _polish)


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Offers a language whose catalogue has one text, beside an English one."""

    def forget():
        for kept in (catalogue.texts, catalogue.places, catalogue._files):
            kept.cache_clear()

    def write(language, plurals, forms):
        monkeypatch.setattr(catalogue, "PLURALS", {**PLURALS, language: plurals})
        monkeypatch.setattr(catalogue, "resource_folder", lambda: tmp_path)
        english = {"by": "count", "one": "{count} file", "other": "{count} files"}
        for name, text in (("en", english), (language, {"by": "count", **forms})):
            (tmp_path / "catalogue" / name).mkdir(parents=True)
            file = tmp_path / "catalogue" / name / "some.json"
            file.write_text(json.dumps({"some.files": text}), encoding="utf-8")
        forget()
        words = Renderer(language)
        return lambda count: words.text(Statement("some.files", {"count": count}))

    yield write
    forget()


def test_french_says_none_as_one(write):
    """Two forms, but the first is of 0 as well."""
    said = write("fr", FRENCH, {"one": "{count} fichier", "other": "{count} fichiers"})
    assert [said(count).split()[-1] for count in (0, 1, 2)] == ["fichier", "fichier", "fichiers"]


def test_polish_has_three_forms(write):
    """1; those that end in 2 to 4, but 12 to 14; all others, and what is no number."""
    said = write(
        "pl", POLISH, {"one": "{count} plik", "few": "{count} pliki", "many": "{count} plików"}
    )
    told = {count: said(count).split()[-1] for count in (0, 1, 3, 5, 13, 22, 112, "some")}
    many = dict.fromkeys((0, 5, 13, 112, "some"), "plików")
    assert told == {1: "plik", 3: "pliki", 22: "pliki", **many}


def test_a_text_with_the_forms_of_another_language_is_none(write):
    """English stands in, by the rule of English."""
    said = write("pl", POLISH, {"one": "{count} plik", "other": "{count} pliki"})
    assert [said(count).split()[-1] for count in (1, 3)] == ["file", "files"]
