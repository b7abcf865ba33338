# SPDX-License-Identifier: GPL-3.0-or-later
"""A language is complete or not offered: ``words.language.LANGUAGES`` is the list."""

import pytest

from destutter.words.language import ENGLISH, LANGUAGES
from tests.house.source_tree import ROOT

RESOURCES = ROOT / "resources"


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
