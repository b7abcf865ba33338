# SPDX-License-Identifier: GPL-3.0-or-later
"""Several runs before against several after."""

from dataclasses import replace
from pathlib import Path

import pytest

from destutter.analysis.comparing.comparison import compare_sessions
from destutter.analysis.comparing.confirmation import confirm_sessions
from destutter.analysis.comparing.further_runs import Run, further_runs
from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.report.confirmation_words import (
    confirmation_cells,
    confirmation_detail,
    confirmation_headline,
)
from destutter.analysis.report.terminal_words import terminal_words
from destutter.core.compared import ComparedOutcome
from destutter.core.sample import Header
from destutter.diagnosis.runs.phases import Phase, PhaseSpan
from tests.support.sessions import MACHINE, frames_of, summary

ENGLISH = terminal_words()


def _runs(per_minute: float, count: int = 3, minutes: float = 9) -> list[SessionSummary]:
    return [summary(frames_of(minutes, per_minute, seed)) for seed in range(count)]


def _with(session: SessionSummary, **tunables: str) -> SessionSummary:
    settings = {name.replace("_", ".", 1): value for name, value in tunables.items()}
    return replace(session, header=Header(0, 1.7e9, 100, MACHINE, settings))


def test_more_stutters_after_are_confirmed_as_worse() -> None:
    """With words for both directions."""
    told = confirm_sessions(_runs(0.3), _runs(4))
    assert told.outcome is ComparedOutcome.WORSE
    assert confirmation_headline(told, ENGLISH).startswith(
        "Confirmed less smooth: stutters rose from"
    )
    assert all("worse" in cells[3] for cells in confirmation_cells(told, ENGLISH))


def test_runs_below_eight_minutes_do_not_count() -> None:
    """Three of which one is short are two."""
    told = confirm_sessions([*_runs(4, 2), *_runs(4, 1, minutes=5)], _runs(0.3))
    assert (told.runs_a, told.runs_b, told.outcome) == (2, 3, ComparedOutcome.TOO_CLOSE)
    assert "takes 3 runs of each" in confirmation_detail(told, ENGLISH)


def test_without_anything_to_count_nothing_is_confirmed() -> None:
    """Neither frames nor wake-ups."""
    empty = [replace(each, minutes={}, seconds={}) for each in _runs(4)]
    told = confirm_sessions(empty, empty)
    assert (told.primary, told.rows) == (None, ())
    assert (
        confirmation_headline(told, ENGLISH)
        == "Not confirmed by 3 runs of 8 minutes and more with A's settings and 3 with B's"
    )
    assert "Neither frame times nor wake-ups" in confirmation_detail(told, ENGLISH)


def test_only_what_all_runs_share_is_counted() -> None:
    """The loading of one run is not set against the steady flight of another."""
    spans = (PhaseSpan(Phase.WARM_UP, 0, 240), PhaseSpan(Phase.STEADY, 240, 780))
    whole, steady = _runs(4, minutes=13), [replace(e, phases=spans) for e in _runs(4, minutes=13)]
    only = (PhaseSpan(Phase.STEADY, 0, 780),)
    after = [replace(each, phases=only) for each in _runs(0.3, minutes=13)]
    by_phase = confirm_sessions(steady, after).rows[0]
    by_whole = confirm_sessions(whole, after).rows[0]
    events = [sum(each.minutes["frame.stutters"][4:13]) for each in steady]
    assert by_phase.rate_a == pytest.approx(sum(events) / 27 * 10)
    assert by_whole.rate_a != pytest.approx(by_phase.rate_a)


def test_what_all_runs_share_is_not_enough_below_eight_minutes() -> None:
    """Then all of each counts, as without phases."""
    short = (PhaseSpan(Phase.STEADY, 0, 240), PhaseSpan(Phase.WARM_UP, 240, 780))
    before = [replace(each, phases=short) for each in _runs(4, minutes=13)]
    only = (PhaseSpan(Phase.STEADY, 0, 780),)
    after = [replace(each, phases=only) for each in _runs(0.3, minutes=13)]
    told, whole = confirm_sessions(before, after), confirm_sessions(_runs(4, minutes=13), after)
    assert told.rows[0].rate_a == whole.rows[0].rate_a


def test_a_side_with_other_settings_in_it_is_told() -> None:
    """Then its runs are not one kind of run."""
    a, b = _runs(4), _runs(0.3)
    mixed = [_with(a[0], vm_swappiness="60"), _with(a[1], vm_swappiness="10"), a[2]]
    assert "mixed_a" in compare_sessions(mixed[0], b[0], mixed[1:], b[1:]).warnings
    assert not {"mixed_a", "mixed_b"} & set(compare_sessions(a[0], b[0], a[1:], b[1:]).warnings)


def test_runs_belong_to_the_side_whose_settings_they_have() -> None:
    """One with neither side's is left out, and so is one of another computer."""
    sessions = {
        name: _with(each, vm_swappiness=value)
        for (name, value), each in zip(
            (("a", "60"), ("b", "10"), ("a2", "60"), ("b2", "10"), ("c", "1")),
            _runs(1, 5),
            strict=True,
        )
    }
    other = Header(0, 1.7e9, 100, {**MACHINE, "kernel": "6.9"}, {"vm.swappiness": "60"})
    sessions["d"] = replace(sessions["a"], header=other)
    runs = [Run(Path(name), each) for name, each in sessions.items() if name not in "ab"]
    assert further_runs(sessions["a"], sessions["b"], runs) == ([Path("a2")], [Path("b2")])
    assert further_runs(sessions["a"], sessions["a2"], runs) == ([], [])
