# SPDX-License-Identifier: GPL-3.0-or-later
"""Translations: up to date, complete, and with the places of their originals."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator

from destutter.words.language import LANGUAGES, PLURALS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "translations"
PLACE = re.compile(r"\{[^{}]*\}")


def _messages(language):
    """Source and translation texts of each message."""
    tree = ET.parse(FOLDER / f"destutter_{language}.ts")  # noqa: S314  our own file
    for message in tree.iter("message"):
        source = message.findtext("source") or ""
        translation = message.find("translation")
        assert translation is not None
        forms = [form.text or "" for form in translation.findall("numerusform")]
        is_plural = message.get("numerus") == "yes"
        yield source, forms if is_plural else [translation.text or ""], translation, is_plural


def _in_contexts(language):
    """Context, source, comment and translations of each message."""
    tree = ET.parse(FOLDER / f"destutter_{language}.ts")  # noqa: S314  our own file
    for context in tree.iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            forms = [form.text or "" for form in translation.findall("numerusform")]
            texts = forms or [translation.text or ""]
            name, source = context.findtext("name"), message.findtext("source")
            yield name, source, message.findtext("comment") or "", texts


def test_files_are_up_to_date():
    """Collecting the texts again changes nothing."""
    command = [sys.executable, str(ROOT / "packaging/translations/update"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_no_translation_is_empty(language):
    """Every text of the window has one; what has none is unfinished (test_languages.py)."""
    missing = [
        source
        for source, texts, translation, _ in _messages(language)
        if translation.get("type") != "unfinished" and not all(texts)
    ]
    assert not missing, f"{len(missing)} of {language}: {missing[:10]}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_files_say_the_same(language):
    """What the program loads holds the texts of the file that people edit."""
    translator = QTranslator()
    assert translator.load(f"destutter_{language}", str(FOLDER))
    wrong = []
    for context, source, comment, texts in _in_contexts(language):
        count = 5 if len(texts) > 1 else -1
        found = translator.translate(context, source, comment, count)
        # Forms are in the order singular, plural.
        if texts[-1] and found != texts[-1]:
            wrong.append((context, source, found))
    assert not wrong, f"{len(wrong)}: {wrong[:5]}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_places_of_their_originals(language):
    """No place is lost or invented: it would be filled in at run time, or fail there."""
    wrong = []
    for source, texts, translation, is_plural in _messages(language):
        if translation.get("type") == "unfinished":
            continue
        wanted = set(PLACE.findall(source))
        for text in texts:
            found = set(PLACE.findall(text))
            if found != wanted or ("%n" in text) > ("%n" in source):
                wrong.append((source, text))
        if is_plural and len(texts) != len(PLURALS[language].names):
            wrong.append((source, f"{len(texts)} forms"))
    assert not wrong, wrong[:10]
