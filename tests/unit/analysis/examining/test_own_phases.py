# SPDX-License-Identifier: GPL-3.0-or-later
"""Phases that somebody gave a recording."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.analysis.examining.examination import examine_file
from destutter.analysis.examining.own_phases import (
    FILE_NAME,
    PhaseEnds,
    ends_by_markers,
    keep_ends,
    kept_ends,
    with_own_phases,
)
from destutter.diagnosis.runs.phases import Phase, PhaseSpan
from destutter.session.format import RecordingError
from tests.support.long_flights import Flight, write_flight
from tests.support.sessions import marker

ENDS = PhaseEnds(120, 240)
SPANS = (
    PhaseSpan(Phase.WARM_UP, 0, 120),
    PhaseSpan(Phase.RAMP_UP, 120, 240),
    PhaseSpan(Phase.STEADY, 240, 481),
)


@given(st.integers(), st.integers(), st.integers(0, 100_000))
def test_phases_fill_the_session_without_gaps(warm: int, ramp: int, length_s: int) -> None:
    """Whatever the ends are: from 0 to the length, in order, none without time."""
    spans = PhaseEnds(warm, ramp).spans(length_s)
    at = 0
    for span in spans:
        assert span.start_s == at < span.end_s
        at = span.end_s
    assert at == length_s


def test_kept_phases_count_everywhere(tmp_path: Path) -> None:
    """In the command line as in the window, also under another name, until they are forgotten."""
    path = write_flight(tmp_path / "flight.destutter", Flight(8, 4.0))
    measured = examine_file(str(path))
    assert kept_ends(measured) is None
    keep_ends(measured, ENDS)
    own = examine_file(str(path))
    assert own.phases == SPANS
    assert own.score is not None
    assert own.score != measured.score
    other = tmp_path / "other.destutter"
    os.rename(path, other)
    moved = examine_file(str(other))
    assert moved.phases == SPANS
    keep_ends(moved, None)
    assert examine_file(str(other)).phases == measured.phases


def test_phases_of_one_are_not_those_of_another(tmp_path: Path) -> None:
    """Each recording has its own."""
    first = write_flight(tmp_path / "a.destutter", Flight(3))
    second = write_flight(tmp_path / "b.destutter", Flight(3, wall_time=1_700_000_000.0))
    keep_ends(examine_file(str(first)), ENDS)
    assert kept_ends(examine_file(str(second))) is None


@pytest.mark.parametrize(
    "text",
    ["", "[", "[1]", '{"version": 1, "ends": 5}', "[" * 100_000]
    + [
        f'{{"version": 1, "ends": {{"1795266060.000": {ends}}}}}'
        for ends in ("[1]", "[true, 2]", "[5, 1]", "[-1, 2]", '["1", "2"]', "null", "[1.5, 2]")
    ],
)
def test_a_damaged_file_is_none(tmp_path: Path, text: str) -> None:
    """The measured phases count then."""
    path = write_flight(tmp_path / "flight.destutter", Flight(1))
    (tmp_path / FILE_NAME).write_text(text)
    assert kept_ends(examine_file(str(path))) is None


@pytest.mark.parametrize("text", ["[", '{"version": 99, "ends": {"1.000": [1, 2]}}'])
def test_what_is_not_understood_is_not_lost(tmp_path: Path, text: str) -> None:
    """It may hold the phases of a hundred flights, of a newer program or behind a damaged byte."""
    session = examine_file(str(write_flight(tmp_path / "flight.destutter", Flight(8, 4.0))))
    (tmp_path / FILE_NAME).write_text(text)
    keep_ends(session, ENDS)
    assert kept_ends(session) == ENDS
    assert (tmp_path / f"{FILE_NAME}.damaged").read_text() == text


def test_a_folder_that_takes_no_file_is_told(tmp_path: Path) -> None:
    """In words, and nothing is left behind."""
    session = examine_file(str(write_flight(tmp_path / "flight.destutter", Flight(1))))
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(RecordingError):
        keep_ends(session, ENDS)
    assert sorted(each.name for each in tmp_path.iterdir()) == [FILE_NAME, "flight.destutter"]


@pytest.mark.parametrize(
    ("texts", "ends"),
    [
        ((), None),
        ((("mark", 5.0),), None),
        ((("Ramp-up", 60.5), ("steady", 300.0)), (60, 300)),
        ((("ramp up", 60.0), ("ramp-up", 90.0)), (60, 10_000_000)),
        (((" STEADY ", 300.0),), (300, 300)),
    ],
)
def test_markers_with_the_names_of_phases_begin_them(texts, ends) -> None:
    """The first of each counts; without "ramp-up" the warm-up lasts until "steady"."""
    found = ends_by_markers(marker(at_s, text) for text, at_s in texts)
    assert found == (None if ends is None else PhaseEnds(*ends))


def test_what_was_typed_counts_more_than_markers(tmp_path: Path) -> None:
    """A correction is the last word."""
    path = write_flight(tmp_path / "flight.destutter", Flight(8))
    marked = replace(
        examine_file(str(path)), markers=(marker(60, "ramp-up"), marker(90, "steady"))
    )
    assert with_own_phases(marked).phases[0] == PhaseSpan(Phase.WARM_UP, 0, 60)
    keep_ends(marked, ENDS)
    assert with_own_phases(marked).phases == SPANS
