# SPDX-License-Identifier: GPL-3.0-or-later
"""Headline, table and counts of a comparison say the same."""

import numpy as np

from destutter.analysis.comparing.comparison import Comparison, RowChange, compare_sessions
from destutter.analysis.report.comparison_words import both_values, detail, headline, value_words
from destutter.analysis.report.terminal_words import terminal_words
from destutter.core.compared import ComparedOutcome
from tests.support.sessions import summary

ENGLISH = terminal_words()


def _flight(minutes: float, stutters: int, long_ms: float, seed: int) -> np.ndarray:
    """Frames of 60 a second with so many stutters of that length, spread by chance."""
    generator = np.random.default_rng(seed)
    lengths = generator.uniform(16.4, 17.0, int(minutes * 3600))
    at = generator.choice(lengths.size // 60, stutters, replace=False) * 60
    lengths[at] = generator.uniform(0.8 * long_ms, 1.2 * long_ms, stutters)
    return lengths


def _told(seconds: float) -> str:
    return value_words(seconds, "s/10 min", ENGLISH).replace("\N{NO-BREAK SPACE}", " ")


def _row(told: Comparison, id_: str):
    return next(row for row in told.rows if row.id == id_)


def test_the_headline_names_the_figure_that_decided() -> None:
    """It was "stutters fell from 158 to 133", above the same two as "too close to call"; what had
    decided were the seconds lost, 99 that became 37."""
    before, after = _flight(8.5, 135, 700, 1), _flight(8.5, 112, 250, 2)
    told = compare_sessions(summary(before), summary(after))
    assert told.outcome is ComparedOutcome.BETTER
    stutters, lost = _row(told, "stutters"), _row(told, "hitch_s")
    assert stutters.b < stutters.a - 1
    assert stutters.change is not RowChange.BETTER
    assert lost.change is RowChange.BETTER
    said = headline(told, ENGLISH).replace("\N{NO-BREAK SPACE}", " ")
    assert said == (
        "Smoother: time lost in long frames (over 2.5 times the usual) fell from "
        f"{_told(lost.a)} to {_told(lost.b)} in 10 minutes"
    )


def test_a_count_in_ten_minutes_is_that_of_the_whole_recording() -> None:
    """Of 135 stutters in 8:40 the eight whole minutes made 158 in ten; who divides gets 156."""
    before, after = _flight(8.0, 110, 400, 3), _flight(8.0, 20, 250, 4)
    before = np.concatenate((before, _flight(0.5, 20, 400, 5)))
    a, b = summary(before), summary(after)
    told = compare_sessions(a, b)
    stutters = _row(told, "stutters")
    assert a.frame_stutters == 130
    assert stutters.a == 130 * 600 / a.played_s
    assert stutters.b == 20 * 600 / b.played_s
    counted = f"Stutters counted: 130 in {_length(a)} (A), 20 in {_length(b)} (B)."
    assert counted in detail(told, ENGLISH)


def _length(session) -> str:
    """As the list of recordings tells it: "8 min 20 s" stood there beside 8:21 of the verdict."""
    return ENGLISH.numbers.length(session.duration_s)


def test_both_figures_of_a_row_have_one_unit() -> None:
    """2.6 s that became 1,891 ms had to be looked at twice."""
    told = compare_sessions(summary(_flight(8.5, 10, 2600, 1)), summary(_flight(8.5, 10, 1000, 2)))
    a, b = both_values(_row(told, "longest_frame"), ENGLISH)
    assert (a[-1], b[-2:]) == ("s", "\N{NO-BREAK SPACE}s")
    assert "," not in b
