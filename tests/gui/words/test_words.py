# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences and quantities in the user's language."""

import pytest
from PySide6.QtCore import QLocale, QTimeZone

from destutter.core.metric_table import METRICS
from destutter.diagnosis.finding import Evidence
from destutter.resource_folder import resource_folder
from destutter.ui.words.explanations import ExplanationPages
from destutter.ui.words.quantities import NBSP, Quantities, WallClock
from destutter.ui.words.setting_words import SettingWords
from destutter.ui.words.words import Words
from destutter.words.renderer import english
from tests.support.live_scenes import smooth, snapshots, stuttering, whole_computer

ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
GERMAN = QLocale(QLocale.Language.German, QLocale.Country.Germany)


@pytest.fixture
def words(qapp):
    """Words in English."""
    return Words(Quantities(ENGLISH))


def test_window_and_command_line_say_the_same(words):
    """In English the window's sentences are those of the command line."""
    for scene in (stuttering, smooth, whole_computer):
        assessment = list(snapshots(scene().script.messages))[-1].assessment
        for statement in (assessment.verdict.headline, assessment.verdict.detail):
            assert words.text(statement) == english(statement)


@pytest.mark.parametrize("metric", ["pressure.some_pct", "game.pressure_some_pct"])
def test_a_resource_is_named_as_the_graphs_name_it(words, metric):
    """The kernel's "io" is I/O for a reader, of the whole computer and of the game."""
    assert words.metric(Evidence(metric, "%", 50.0, 10.0, 0, "io")).endswith("I/O")


def test_numbers_follow_the_locale(qapp):
    """A German reads 75.214 and 2,7 ms."""
    quantities = Quantities(GERMAN)
    assert quantities.number(75_214) == "75.214"
    assert quantities.milliseconds(2.7) == f"2,7{NBSP}ms"
    assert quantities.percent(34.0) == f"34,0{NBSP}%"


@pytest.mark.parametrize(
    ("value_ms", "text"),
    [(214.3, "214 ms"), (2.71, "2.7 ms"), (0.272, "0.27 ms"), (0.085, "85 µs"), (12_000, "12 s")],
)
def test_durations_have_two_or_three_figures(qapp, value_ms, text):
    """As precise as it can be read at a glance."""
    assert Quantities(ENGLISH).milliseconds(value_ms).replace(NBSP, " ") == text


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


def test_evidence_names_metric_and_device(words):
    """A measurement says what it is about, its value and its limit."""
    evidence = Evidence("disk.read_await_ms", "ms", 41.0, 20.0, 0, "nvme0n1")
    assert words.metric(evidence) == "Wait for a read, nvme0n1"
    assert words.value(evidence) == f"41.0{NBSP}ms"
    assert words.threshold(evidence) == f"20.0{NBSP}ms"


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
