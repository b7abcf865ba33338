# SPDX-License-Identifier: GPL-3.0-or-later
"""The window in its other languages: what comes from tables, templates and other processes."""

import pytest
from PySide6.QtCore import QCoreApplication, QLocale

from destutter.diagnosis.finding import Group, Statement
from destutter.ui.engine_texts import engine_text
from destutter.ui.quantities import Quantities
from destutter.ui.resource_folder import resource_folder
from destutter.ui.translations import install_translations
from destutter.ui.words import Words


@pytest.fixture
def speak(qapp):
    """Makes the application speak a language until the end of the test."""
    before, kept = QLocale(), []

    def install(language: str) -> Words:
        chosen, translators = install_translations(
            qapp, resource_folder() / "translations", language
        )
        assert chosen == language
        kept.extend(translators)
        return Words(Quantities(QLocale(language)))

    yield install
    for translator in kept:
        QCoreApplication.removeTranslator(translator)
    QLocale.setDefault(before)


def test_german_keeps_the_capitals_of_its_nouns(speak):
    """A group inside a sentence is not simply put into small letters."""
    words = speak("de")
    assert words.group_inside(Group.MEMORY) == words.group(Group.MEMORY) == "Speicher"
    assert words.listed([Group.MEMORY, Group.STORAGE]) == "Speicher und Laufwerke"


@pytest.mark.parametrize("language", ["de", "zh_CN"])
def test_texts_of_other_processes_are_translated(speak, language):
    """A reason keeps its path and its numbers; a sentence its full stop; the unknown its words."""
    speak(language)
    plain = engine_text("only the administrator may read /proc/x")
    assert plain != "only the administrator may read /proc/x"
    assert "/proc/x" in plain
    filed = engine_text("/proc/zoneinfo, line 3: has no zone")
    assert filed.startswith("/proc/zoneinfo, line 3: ")
    assert "has no" not in filed
    sentence = engine_text("This computer shows no temperatures.")
    assert sentence[-1] in ".。"
    assert "temperatures" not in sentence
    assert engine_text("Sphinx of black quartz") == "Sphinx of black quartz"


@pytest.mark.parametrize("language", ["de", "zh_CN"])
def test_what_a_tile_lacks_is_said_in_the_language(speak, language):
    """The reason in a statement of diagnosis comes from the engine and is translated, too."""
    words = speak(language)
    text = words.text(
        Statement("tile.not_measured", {"why": "No power sensors in this virtual machine."})
    )
    assert "power" not in text


def test_sizes_of_the_engine_have_the_names_of_the_window(speak):
    """GiB and MiB of a reason are the GB and MB of the values beside it, on one line."""
    speak("en")
    assert engine_text("Takes 1.4 GiB at 265 MiB/s.") == (
        "Takes 1.4\N{NO-BREAK SPACE}GB at 265\N{NO-BREAK SPACE}MB/\N{WORD JOINER}s."
    )


def test_a_text_follows_the_language(speak):
    """What was once shown in one language is not shown in it for ever."""
    reason = "this kernel has no such setting"
    assert engine_text(reason) == reason
    speak("de")
    assert engine_text(reason) != reason


@pytest.mark.parametrize("language", ["en", "de", "zh_CN"])
def test_plurals(speak, language):
    """No language shows "change(s)"."""
    speak(language)
    for count in (1, 4):
        text = QCoreApplication.translate("ActionBar", "Apply %n change(s)", None, count)
        assert "(s)" not in text
        assert str(count) in text


def test_units_and_short_times(speak):
    """Units are words too, and half a second is not zero seconds."""
    words = speak("de")
    assert words.measurement("memory.direct_reclaim_per_s", 7).endswith("Seiten/s")
    english = speak("en")
    text = english.text(Statement("verdict.smooth", {"span_s": 0.5}))
    assert "0.5" in text
