# SPDX-License-Identifier: GPL-3.0-or-later
"""The window in its other languages: what comes from tables, templates and other processes."""

import pytest
from PySide6.QtCore import QCoreApplication, QLocale

from destutter.analysis.changes.helper_statements import note_of, statement_of
from destutter.core.kernel_files import KernelFileError
from destutter.core.statement import Statement
from destutter.diagnosis.causes.coverage import Coverage
from destutter.diagnosis.causes.registry import CAUSES
from destutter.diagnosis.finding import Confidence, Finding, Group
from destutter.diagnosis.verdict.verdict import judge
from destutter.diagnosis.verdict.verdict_basis import VerdictBasis
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import said, said_sentence
from destutter.words.language import LANGUAGES
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result
from destutter_helper.api.statement import Said, told


def test_german_keeps_the_capitals_of_its_nouns(speak):
    """A group inside a sentence is not simply put into small letters."""
    words = speak("de")
    assert words.group(Group.MEMORY) == "Speicher"
    assert words.listed([Group.MEMORY, Group.STORAGE]) == "Speicher und Laufwerke"


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_texts_of_other_processes_are_translated(speak, language):
    """A reason keeps its path and its numbers, a sentence its full stop."""
    speak(language)
    plain = said(statement_of(Said("helper.trial.busy", {"seconds": 12})))
    assert "trial" not in plain
    assert "12" in plain
    filed = said(KernelFileError("/proc/zoneinfo", 3, Statement("sampling.no_zone")).statement)
    assert filed.startswith("/proc/zoneinfo")
    assert "3" in filed
    assert "has no" not in filed
    sentence = said_sentence(Statement("sampling.no_temperatures"))
    assert sentence[-1] in ".。"
    assert "temperatures" not in sentence


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_what_the_helper_says_is_written_in_the_language(speak, language):
    """Also within another sentence; the name of a setting and the system's own words stay."""
    speak(language)
    why = Said("helper.kernel.not_taken", {"value": "163", "error": "Invalid argument"})
    error = HelperError("Refused", why, id="vm.swappiness", device="sda")
    text = said(statement_of(error.whole))
    for part in ("163", "Invalid argument", "vm.swappiness", "sda"):
        assert part in text
    assert "does not take" not in text
    result = Result("vm.swappiness", "", "failed", None, None, "", (why, why))
    note = note_of(result)
    assert note is not None
    assert said(note).count("Invalid argument") == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_another_helper_says_is_shown_with_its_values(speak, language):
    """An id that this program does not know, and a text of before in English: neither is lost."""
    speak(language)
    tomorrow = said(statement_of(Said("helper.of_tomorrow", {"name": "sda", "count": 3})))
    assert tomorrow == "helper.of_tomorrow (count: 3; name: sda)"
    assert said(statement_of(told("as ever {0.__class__}"))) == "as ever {0.__class__}"
    assert said(statement_of(Said("helper.note.lost", {"what": "x"}))).endswith("(what: x)")


def test_what_is_told_of_a_setting_follows_the_language_and_its_numbers(speak):
    """With its path; sizes have the comma and the names that the window gives them elsewhere."""
    denied = Statement("tuning.absent.denied", {"path": "/proc/x"})
    assert said(denied) == "only the administrator may read /proc/x"
    speak("de")
    assert said(denied) == "nur der Administrator darf /proc/x lesen"
    cost = said(Statement("tuning.dirty.cost", {"limit_bytes": 1.5 * 2**30}))
    assert "1,5\N{NO-BREAK SPACE}GB" in cost
    assert said(Statement("tuning.risk.high")) == "hoch"


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_what_a_tile_lacks_is_said_in_the_language(speak, language):
    """The reason in a statement of diagnosis comes from the engine and is translated, too."""
    words = speak(language)
    text = words.text(
        Statement("tile.not_measured", {"why_sentence": Statement("coverage.virtual_power")})
    )
    assert "power" not in text


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_what_is_not_measured_is_said_in_the_language(speak, language):
    """Sources, causes that need them, and why: in the banner, on the page and in the panel."""
    words = speak(language)
    coverage = Coverage()
    found = coverage.not_measured(CAUSES)
    assert {each.what.id for each in found} >= {"source.frames", "cause.wbt_throttling"}
    for each in found:
        assert said(each.what) != str(each.what)
        assert said(each.why) != str(each.why)
    situation = VerdictBasis(
        now_ns=9 * 10**9,
        started_ns=0,
        span_ns=0,
        smooth_since_ns=0,
        recent=(),
        hitches=(),
        findings=(),
        explained={},
        coverage=coverage,
        known=(),
        known_hitches=(),
        sees_frames=False,
        sees_wakes=False,
    )
    verdict = judge(situation)
    for source in ("frames", "wakeup"):
        assert said(coverage.why_not(source)) in words.text(verdict.detail)


def test_a_text_follows_the_language(speak):
    """What was once shown in one language is not shown in it for ever."""
    reason = Said("helper.absent.setting_of_kernel")
    assert said(statement_of(reason)) == str(reason)
    speak("de")
    assert said(statement_of(reason)) != str(reason)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals(speak, language):
    """No language shows "change(s)"."""
    speak(language)
    for count in (1, 4):
        text = QCoreApplication.translate("ActionBar", "Apply %n change(s)", None, count)
        assert "(s)" not in text
        assert str(count) in text


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("en", "1 of 1 stutter", "1 of 2 stutters"),
        ("de", "1 von 1 Ruckler", "1 von 2 Rucklern"),
        ("zh_CN", "1 次卡顿中的 1 次", "2 次卡顿中的 1 次"),
    ],
)
def test_a_share_of_one_stutter(speak, language, one, two):
    """A cause that explains the only one explains no stutters."""
    words = speak(language)
    for total, text in ((1, one), (2, two)):
        finding = Finding("swap_thrash", Group.MEMORY, Confidence.HIGH, 1, total, 0, 1, ())
        assert words.share(finding) == text


def test_units_and_short_times(speak):
    """Units are words too, and half a second is not zero seconds."""
    speak("de")
    german = Quantities(QLocale("de"))
    assert german.of_metric(7, "pages/s").endswith("Seiten/s")
    assert german.of_metric(1, "pages/s").endswith("Seite/s")
    english = speak("en")
    text = english.text(Statement("verdict.smooth", {"span_s": 0.5}))
    assert "0.5" in text
