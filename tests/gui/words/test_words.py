# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences and quantities in the user's language."""

import pytest
from PySide6.QtCore import QLocale, QTimeZone

from destutter.core.metric_table import METRICS
from destutter.resource_folder import resource_folder
from destutter.ui.words.explanation_pages import ExplanationPages
from destutter.ui.words.quantities import Quantities, WallClock
from destutter.ui.words.setting_words import SettingWords
from destutter.ui.words.words import Words
from destutter.words.measures import NBSP, Measures
from destutter.words.renderer import english
from destutter_helper.api.tunables import BY_ID
from tests.support.known_snapshots import snapshots_of
from tests.support.live_scenes import smooth, stuttering, whole_computer

ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
GERMAN = QLocale(QLocale.Language.German, QLocale.Country.Germany)


@pytest.fixture
def words(qapp):
    """Words in English."""
    return Words(Quantities(ENGLISH))


def test_window_and_command_line_say_the_same(words):
    """In English the window's sentences are those of the command line."""
    for scene in (stuttering, smooth, whole_computer):
        assessment = snapshots_of(scene)[-1].assessment
        for statement in (assessment.verdict.headline, assessment.verdict.detail):
            assert words.text(statement) == english(statement)


def test_numbers_follow_the_locale(qapp):
    """A German reads 75.214 and 2,7 ms."""
    quantities = Quantities(GERMAN)
    assert quantities.number(75_214) == "75.214"
    assert quantities.milliseconds(2.7) == f"2,7{NBSP}ms"
    assert quantities.percent(34.4) == f"34,4{NBSP}%"


@pytest.mark.parametrize("value", [0.03, 0.27, 12.0, 34.0, 87_347.0])
@pytest.mark.parametrize("unit", ["ms", "%", "B", "B/s", "/s", "pages/s", "fps"])
def test_a_measurement_is_the_same_in_a_sentence_and_beside_it(words, value, unit):
    """The window only has other marks in its numbers, and in English not even those."""
    assert Quantities(ENGLISH).of_metric(value, unit) == Measures().of_metric(value, unit)
    assert words.renderer.place("wait_ms", value) == Quantities(ENGLISH).milliseconds(value)


def test_every_metric_has_a_unit_that_can_be_written(qapp):
    """No metric's value ends as a bare Python number."""
    quantities = Quantities(ENGLISH)
    for spec in METRICS:
        text = quantities.of_metric(1234.5, spec.unit)
        assert text
        assert "1234.5" not in text


def test_mirrored_quantities_are_isolated(qapp):
    """From right to left, number and unit stay together in their order."""
    text = Quantities(ENGLISH, is_mirrored=True).milliseconds(5.0)
    assert text[0] == "\u2068"
    assert text[-1] == "\u2069"


def test_clock_shows_local_time(qapp):
    """A moment of the stream becomes the time of day in the user's zone."""
    clock = WallClock(ENGLISH, QTimeZone(b"Europe/Berlin"))
    clock.set_reference(0, 1_700_000_000.0)
    assert clock.is_known
    assert clock.time(400_000_000, tenths=True) == "23:13:20.4"
    assert clock.seconds_of_day(0) == 23 * 3600 + 13 * 60 + 20


@pytest.mark.parametrize(
    ("setting", "value", "text"),
    [
        ("vm.min_free_kbytes", "67584", f"66{NBSP}MB"),
        ("vm.min_free_kbytes", "100000", f"97.7{NBSP}MB"),
        ("vm.min_free_kbytes", "0", f"0{NBSP}bytes"),
        ("vm.dirty_background_bytes", "1073741824", f"1{NBSP}GB"),
        ("vm.dirty_writeback_centisecs", "500", f"5{NBSP}s"),
        ("vm.dirty_writeback_centisecs", "150", f"1.5{NBSP}s"),
        ("block.wbt_lat_usec", "2000", f"2{NBSP}ms"),
        ("block.wbt_lat_usec", "75", f"75{NBSP}µs"),
        ("block.wbt_lat_usec", "0", f"0{NBSP}µs"),
    ],
)
def test_values_of_settings_are_exact(qapp, setting, value, text):
    """What is set has no figures after the point that nobody set."""
    words = SettingWords(Quantities(ENGLISH), ExplanationPages(resource_folder() / "explanations"))
    assert words.value(setting, value) == text


def test_a_value_with_a_name_of_the_kernels_has_one_for_players(qapp):
    """Of a choice each value that can be chosen; numbers are as they are."""
    words = SettingWords(Quantities(ENGLISH), ExplanationPages(resource_folder() / "explanations"))
    for id_ in ("block.scheduler", "thp.enabled", "thp.defrag", "sata.link_power"):
        for value in BY_ID[id_].choices:
            told = words.plain(id_, value)
            assert told
            assert told != value or value in ("always", "never")
    assert words.plain("block.wbt_lat_usec", "2000") == f"2{NBSP}ms"
    assert words.plain("block.scheduler", None) == "not readable"


@pytest.mark.parametrize(
    ("value", "told"),
    [("10", "0.1"), ("15", "0.15"), ("33", "0.33"), ("184", "1.8"), ("15000", "150")],
)
def test_two_shares_that_differ_read_differently(qapp, value, told):
    """Below one percent every step of the setting can be told from the next."""
    words = SettingWords(Quantities(ENGLISH), ExplanationPages(resource_folder() / "explanations"))
    assert words.value("vm.watermark_scale_factor", value) == f"{told}{NBSP}%"
