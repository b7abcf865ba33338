# SPDX-License-Identifier: GPL-3.0-or-later
"""One session against another."""

from dataclasses import replace

import numpy as np
import pytest

from destutter.analysis.comparing.comparison import Comparison, RowChange, compare_sessions
from destutter.analysis.comparing.rows import PRIMARY, ROW_BY_ID, ROWS
from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.examining.tally import TALLIES
from destutter.analysis.report import words
from destutter.core.sample import Header
from destutter.diagnosis.comparison import ComparedOutcome, Reason
from destutter.diagnosis.phases import Phase, PhaseSpan
from destutter.words.catalogue import texts
from destutter.words.renderer import renderer
from tests.support.sessions import MACHINE, frames_of, summary

ENGLISH = renderer()


def _pair(long_a: float, long_b: float, minutes: float = 12) -> Comparison:
    return compare_sessions(
        summary(frames_of(minutes, long_a, 1)), summary(frames_of(minutes, long_b, 2))
    )


def _row(comparison: Comparison, id_: str):
    return next(row for row in comparison.rows if row.id == id_)


def test_fewer_long_frames_are_smoother_and_the_other_way_round() -> None:
    """From three a minute to hardly any, and back."""
    better, worse = _pair(3, 0.2), _pair(0.2, 3)
    assert (better.outcome, better.reason) == (ComparedOutcome.BETTER, Reason.NONE)
    assert words.headline(better, ENGLISH).startswith(
        "Smoother: time lost in long frames fell from"
    )
    assert worse.outcome is ComparedOutcome.WORSE
    assert words.headline(worse, ENGLISH).startswith("Less smooth")
    assert _row(better, "long_frames").change is RowChange.BETTER
    assert "one_run_each" in better.warnings


def test_the_same_twice_is_no_verdict() -> None:
    """Two runs of one kind differ by chance."""
    same = _pair(3, 3)
    assert same.outcome in (ComparedOutcome.TOO_CLOSE, ComparedOutcome.NO_DIFFERENCE)
    assert words.headline(same, ENGLISH).startswith(("Too close to call", "No real difference"))
    assert _row(same, "average_fps").change is RowChange.SAME


def test_runs_below_eight_minutes_are_too_close_to_call_and_say_why() -> None:
    """However large the difference is."""
    short = _pair(10, 0, minutes=3)
    assert (short.outcome, short.reason) == (ComparedOutcome.TOO_CLOSE, Reason.TOO_SHORT)
    assert words.headline(short, ENGLISH) == (
        "Too close to call: only 3 minutes recorded, a fair comparison needs 8."
    )
    assert short.warnings[0] == "too_short"


def test_runs_with_nothing_to_feel_in_common_are_too_close_to_call() -> None:
    """Frames in one and nothing in the other."""
    a, b = summary(frames_of(12, 1)), summary(np.zeros(0), duration_s=720.0)
    told = compare_sessions(a, b)
    assert (told.outcome, told.reason) == (ComparedOutcome.TOO_CLOSE, Reason.NOTHING_COMMON)
    assert "neither frame times nor wake-ups" in words.headline(told, ENGLISH)
    assert _row(told, "longest_frame").change is RowChange.MISSING


def _with_phases(session: SessionSummary, *ends: tuple[Phase, int]) -> SessionSummary:
    spans, start = [], 0
    for phase, end in ends:
        spans.append(PhaseSpan(phase, start, end))
        start = end
    return replace(session, phases=tuple(spans))


def test_phases_are_compared_with_the_same_phase() -> None:
    """A run that was recorded from the start on is not worse for its loading."""
    rough, calm = frames_of(10, 20, 3), frames_of(20, 0.1, 4)
    a = _with_phases(
        summary(np.concatenate((rough, calm))), (Phase.WARM_UP, 660), (Phase.STEADY, 1800)
    )
    b = _with_phases(summary(frames_of(20, 0.1, 5)), (Phase.STEADY, 1200))
    told = compare_sessions(a, b)
    assert told.phases_compared == (Phase.STEADY,)
    assert told.outcome is not ComparedOutcome.BETTER
    assert _row(told, "long_frames").a < 5
    unmatched = compare_sessions(replace(a, phases=()), b)
    assert unmatched.phases_compared == ()
    assert "no_phases" in unmatched.warnings
    assert _row(unmatched, "long_frames").a > 50


def test_waits_are_divided_by_the_work() -> None:
    """Half the stalls for half the memory taken is no difference."""
    minutes = {
        "memory.allocation_stalls": np.full(12, 100.0),
        "memory.allocated_bytes": np.full(12, 4e9),
    }
    a = summary(frames_of(12, 1), minutes={**summary(frames_of(12, 1)).minutes, **minutes})
    half = {name: series / 2 for name, series in minutes.items()}
    b = replace(a, minutes={**a.minutes, **half})
    told = compare_sessions(a, b)
    row = _row(told, "allocation_stalls")
    assert (row.a, row.b, row.change) == (25.0, 25.0, RowChange.SAME)
    assert "unequal_work" in told.warnings


def test_what_else_was_different_is_told_and_some_of_it_is_unfair() -> None:
    """Kernel and driver warn; a changed setting is what the comparison is about."""
    a = summary(frames_of(9, 1), header=Header(0, 0, 100, MACHINE, {"vm.swappiness": "60"}))
    machine = {**MACHINE, "kernel": "6.2.0", "cpus": 8}
    b = summary(
        frames_of(9, 1), header=Header(0, 0, 100, machine, {"vm.swappiness": "10"}), game="Other"
    )
    told = compare_sessions(a, b)
    by_id = {each.id: each for each in told.differences}
    assert (by_id["kernel"].a, by_id["kernel"].b) == ("6.1.0", "6.2.0")
    assert by_id["vm.swappiness"].is_setting
    assert "cpus" not in by_id  # only one of them tells it
    assert {"kernel", "game"} <= set(told.warnings)
    assert "vm.swappiness" not in told.warnings


def test_other_tools_and_artefacts_of_logs_are_warned_of() -> None:
    """A log of every tenth frame is not comparable with one of all."""
    lengths = frames_of(9, 0)
    sampled = summary(lengths[::10], origin="capframex", artefacts=("sampled_log",))
    told = compare_sessions(summary(lengths), sampled)
    assert {"other_frame_source", "sampled_log"} <= set(told.warnings)


def test_a_figure_that_is_gone_is_called_gone() -> None:
    """In words rather than minus one hundred percent."""
    told = _pair(4, 0)
    assert words.change_words(_row(told, "long_frames"), ENGLISH) == "gone (better)"


def test_rows_follow_series_that_exist_and_have_words() -> None:
    """No row without a name, none that could never be measured."""
    known = {tally.id for tally in TALLIES} | {
        "disk.read_p99_ms",
        "disk.write_p99_ms",
        "wakeup.p99_ms",
    }
    for row in ROWS:
        assert words.row_name(row.id, ENGLISH) != row.id
        assert all(id_ in known or id_.startswith("frame.") for id_ in (*row.series, *row.work))
    named = {id_.removeprefix("report.row.") for id_ in texts("en", "report") if ".row." in id_}
    assert named == set(ROW_BY_ID)
    assert set(PRIMARY) <= set(ROW_BY_ID)


def test_every_warning_has_a_sentence() -> None:
    """Also those that name a difference."""
    for long_b in (0.1, 1):
        for each in _pair(1, long_b).warnings:
            assert words.warning(each, ENGLISH).endswith(".")


@pytest.mark.parametrize(
    ("value", "words_"),
    [
        (-83.2, "−83 %"),
        (12.0, "+12 %"),
        (-99.97, "−99.9 %"),
        (-100.0, "−100 %"),
        (0.01, "the same"),
        (-4.2, "−4.2 %"),
    ],
)
def test_changes_in_percent(value: float, words_: str) -> None:
    """Two figures, and never a hundred for what is not gone."""
    assert words.signed_percent(value, ENGLISH).replace("\N{NO-BREAK SPACE}", " ") == words_
