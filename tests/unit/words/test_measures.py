# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements with their units: as precise as they can be read at a glance."""

import pytest

from destutter.words.measures import NBSP, Measures


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (214.3, "ms", "214 ms"),
        (99.97, "ms", "100 ms"),
        (16.66, "ms", "16.7 ms"),
        (12.0, "ms", "12 ms"),
        (12.04, "ms", "12 ms"),
        (2.71, "ms", "2.7 ms"),
        (0.272, "ms", "0.27 ms"),
        (0.3, "ms", "0.3 ms"),
        (0.0997, "ms", "0.1 ms"),
        (0.085, "ms", "85 µs"),
        (0.0, "ms", "0 ms"),
        (9_999.7, "ms", "10 s"),
        (12_345.0, "ms", "12.3 s"),
        (85.3 * 1024, "B", "85.3 kB"),
        (1536.0, "B", "1.5 kB"),
        (66 * 2**20, "B", "66 MB"),
        (4 * 2**40, "B", "4 TB"),
        (3 * 2**30, "B/s", "3 GB/s"),
        (1.0, "B", "1 byte"),
        (0.0, "B", "0 bytes"),
        (75_214.3, "pages/s", "75,214 pages/s"),
        (1.0, "pages/s", "1 page/s"),
        (1.5, "requests", "1.5 requests"),
        (0.25, "/s", "0.25/s"),
        (34.0, "%", "34 %"),
        (34.4, "%", "34.4 %"),
        (59.94, "fps", "59.9 fps"),
    ],
)
def test_measurements(value, unit, text):
    """Three figures at most, and no noughts behind the point."""
    assert Measures().of_metric(value, unit).replace(NBSP, " ") == text


@pytest.mark.parametrize(
    ("value_s", "words"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (59.6, "60 seconds"),
        (60, "1 minute"),
        (100, "100 seconds"),
        (120, "2 minutes"),
        (2460, "41 minutes"),
        (3600, "1 hour"),
        (9000, "2 hours"),
    ],
)
def test_durations(value_s, words):
    """Spans are said as people say them, and never rounded up to more than they are."""
    assert Measures().duration(value_s).replace(NBSP, " ") == words


@pytest.mark.parametrize(
    ("value_s", "text"),
    [
        (0, "0:00"),
        (42.9, "0:42"),
        (460, "7:40"),
        (3599.9, "59:59"),
        (3723, "1:02:03"),
        (-1, "0:00"),
    ],
)
def test_moments(value_s, text):
    """As on a stopwatch: what is not over is not told, and hours are hours."""
    assert Measures().clock(value_s) == text


@pytest.mark.parametrize(
    ("value_s", "text"),
    [
        *((30, "30 s"), (98.4, "98 s"), (118, "2 min"), (159, "2 min")),
        *((2460, "41 min"), (11_100, "3 h 5 min")),
    ],
)
def test_spans(value_s, text):
    """Short, beside other figures."""
    assert Measures().span(value_s).replace(NBSP, " ") == text


def test_a_language_has_its_own_marks_and_units():
    """A German reads 75.214 and 2,5 ms."""
    german = Measures("de")
    assert german.number(75_214) == "75.214"
    assert german.milliseconds(2.5) == f"2,5{NBSP}ms"
    assert german.of_metric(7, "pages/s") == f"7{NBSP}Seiten/s"
    assert german.duration(120) == f"2{NBSP}Minuten"
