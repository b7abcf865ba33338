# SPDX-License-Identifier: GPL-3.0-or-later
"""One session against another."""

from dataclasses import replace

import numpy as np
import pytest

from destutter.analysis.comparing import comparison as comparison_module
from destutter.analysis.comparing.comparison import Comparison, RowChange, compare_sessions
from destutter.analysis.comparing.rows import PRIMARY, ROW_BY_ID, ROWS
from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.examining.tally import TALLIES
from destutter.analysis.report.comparison_words import (
    certainty,
    change_amount,
    change_words,
    detail,
    headline,
    row_name,
    value_words,
    warning,
)
from destutter.analysis.report.terminal_words import terminal_words
from destutter.core.compared import ComparedOutcome
from destutter.core.sample import Header
from destutter.diagnosis.runs.compared_minutes import Reason
from destutter.diagnosis.runs.phases import Phase, PhaseSpan
from destutter.words.catalogue import texts
from tests.support.sessions import MACHINE, frames_of, summary

ENGLISH = terminal_words()


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
    assert headline(better, ENGLISH) == "Smoother: stutters fell from 28 to 1.7 in 10 minutes"
    told = detail(better, ENGLISH).replace("\N{NO-BREAK SPACE}", " ")
    assert told == (
        "The difference is larger than that between two minutes of the same run. "
        "Stutters counted: 34 in 12 min 6 s (A), 2 in 12 min 1 s (B)."
    )
    assert worse.outcome is ComparedOutcome.WORSE
    assert headline(worse, ENGLISH).startswith("Less smooth")
    assert _row(better, "long_frames").change is RowChange.BETTER
    assert "one_run_each" in better.warnings


def test_the_same_twice_is_no_verdict() -> None:
    """Two runs of one kind differ by chance."""
    same = _pair(3, 3)
    assert same.outcome in (ComparedOutcome.TOO_CLOSE, ComparedOutcome.NO_DIFFERENCE)
    assert headline(same, ENGLISH).startswith(("Too close to call", "No real difference"))
    assert _row(same, "average_fps").change is RowChange.SAME


def test_runs_below_eight_minutes_are_too_close_to_call_and_say_why() -> None:
    """However large the difference is."""
    short = _pair(10, 0, minutes=3)
    assert (short.outcome, short.reason) == (ComparedOutcome.TOO_CLOSE, Reason.TOO_SHORT)
    assert headline(short, ENGLISH) == "Too short for a fair comparison"
    told = detail(short, ENGLISH).replace("\N{NO-BREAK SPACE}", " ")
    assert told == (
        "Only 3 min counts in one of them; a fair comparison needs 8 minutes of both. "
        "Stutters counted: 29 in 3 min 4 s (A), 0 in 3 min (B)."
    )
    assert short.warnings[0] == "too_short"
    assert not {"no_phases", "unknown_phases"} & set(short.warnings)
    # As counted: without a verdict nothing is weighed by phases.
    rates = _row(short, "stutters")
    assert [round(each or 0.0, 1) for each in (rates.a, rates.b)] == [round(290 / 185 * 60, 1), 0]


def test_runs_with_nothing_to_feel_in_common_are_too_close_to_call() -> None:
    """Frames in one and nothing in the other."""
    a, b = summary(frames_of(12, 1)), summary(np.zeros(0), duration_s=720.0)
    told = compare_sessions(a, b)
    assert (told.outcome, told.reason) == (ComparedOutcome.TOO_CLOSE, Reason.NOTHING_COMMON)
    assert headline(told, ENGLISH) == "The two have no measure of smoothness in common"
    assert "Neither frame times nor wake-ups" in detail(told, ENGLISH)
    assert _row(told, "longest_frame").change is RowChange.MISSING


@pytest.mark.parametrize(
    ("other", "are_other"), [("Sky Lark", True), ("lark.exe", False), ("Lark", False), ("", False)]
)
def test_two_games_are_not_compared(other: str, are_other: bool) -> None:
    """Not "smoother", neither above nor in the table; one game has several names."""
    a, b = summary(frames_of(12, 30), game="Lark"), summary(frames_of(12, 1), game=other)
    told = compare_sessions(a, b, (a,), (b,))
    assert (told.reason is Reason.OTHER_GAMES) is are_other
    if not are_other:
        return
    assert told.outcome is ComparedOutcome.TOO_CLOSE
    assert headline(told, ENGLISH) == "Two different games: no fair comparison"
    assert {row.change for row in told.rows} == {RowChange.CONTEXT}
    assert not told.phases
    assert told.warnings == ("game",)


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
    bare = compare_sessions(replace(a, phases=()), replace(b, phases=()))
    assert "unknown_phases" in bare.warnings, "nobody knows that they are of different parts"
    assert "no_phases" not in bare.warnings


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
    assert "unequal_work_a" in told.warnings
    assert "unequal_work_b" in compare_sessions(b, a).warnings
    busy = {**b.minutes, "disk.read_bytes": np.full(12, 9e9)}
    calm = {**a.minutes, "disk.read_bytes": np.full(12, 1e9)}
    crossed = compare_sessions(replace(a, minutes=calm), replace(b, minutes=busy))
    assert "unequal_work" in crossed.warnings, "A took more memory, B read more"


@pytest.mark.parametrize(
    ("setting", "is_warned"),
    [("vm.dirty_bytes", False), ("vm.swappiness", False), ("thp.enabled", True), (None, True)],
)
def test_a_volume_that_the_change_itself_moves_is_no_other_play(setting, is_warned) -> None:
    """With higher limits a save that replaces the last one is never written: "the play may not
    have been alike" stood beside the cure."""
    series = {"disk.written_bytes": np.full(12, 3e8)}
    a = summary(frames_of(12, 1))
    a = replace(a, minutes={**a.minutes, **series})
    b = replace(a, minutes={**a.minutes, "disk.written_bytes": np.full(12, 1e8)})
    if setting is not None:
        a, b = (
            replace(each, header=replace(each.header, tunables={setting: value}))
            for each, value in ((a, "1"), (b, "2"))
        )
    assert ("unequal_work_a" in compare_sessions(a, b).warnings) is is_warned


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


def test_stutters_are_told_where_long_frames_go_the_other_way() -> None:
    """114 stutters became 73 while "long frames" rose from 138 to 174: most were below 50 ms."""
    before, after = frames_of(12, 3, 1), frames_of(12, 0.2, 2)
    after[::500] = 46.0
    told = compare_sessions(summary(before), summary(after))
    stutters, frames = _row(told, "stutters"), _row(told, "long_frames")
    assert stutters.b < stutters.a < frames.a < frames.b
    assert [row.id for row in told.rows][:2] == ["hitch_s", "stutters"]
    assert "over 2.5 × usual" in row_name("long_frames", ENGLISH)


@pytest.mark.parametrize(
    ("a", "b", "change"),
    [(55.8, 3.5, RowChange.SAME), (558.0, 35.0, RowChange.BETTER), (35.0, 558.0, RowChange.WORSE)],
)
def test_what_nobody_notices_is_no_difference(a, b, change) -> None:
    """56 ms a minute that fell to 4 were told in green as better: 0.1 % of the time."""
    name = "pressure.memory_ms"
    run = summary(frames_of(12, 1))
    before, after = (replace(run, minutes={**run.minutes, name: np.full(12, ms)}) for ms in (a, b))
    told = compare_sessions(before, after)
    assert _row(told, "memory_wait").change is change


def test_a_figure_that_is_gone_is_called_gone() -> None:
    """In words rather than minus one hundred percent."""
    told = _pair(4, 0)
    assert change_words(_row(told, "long_frames"), ENGLISH) == "gone (better)"


def test_a_count_that_rose_is_no_word_for_a_smoother_run() -> None:
    """Then the time that was lost is told, which the verdict rests on."""
    told = _pair(3, 0.2)
    frames = _row(told, "stutters")
    rows = tuple(replace(row, b=100.0) if row is frames else row for row in told.rows)
    said = headline(replace(told, rows=rows), ENGLISH).replace("\N{NO-BREAK SPACE}", " ")
    assert said.startswith(
        "Smoother: time lost in long frames (over 2.5 times the usual) fell from"
    )


def test_figures_that_do_not_show_the_change_are_not_its_measure() -> None:
    """The longest frame is that of one minute; the word is about all of them."""
    told = _pair(3, 0.2)
    row = replace(_row(told, "longest_frame"), change=RowChange.BETTER)
    shown = change_words(replace(row, change_pct=-12.0), ENGLISH)
    assert shown.replace("\N{NO-BREAK SPACE}", " ") == "−12 % (better)"
    for change_pct in (0.4, -0.4, 25.0):
        told_change = change_words(replace(row, change_pct=change_pct), ENGLISH)
        assert told_change == "better on average"
    fps = replace(_row(told, "average_fps"), change=RowChange.BETTER, change_pct=-5.0)
    assert change_words(fps, ENGLISH) == "better on average"


def test_how_sure_a_ratio_is_speaks_of_what_is_shown() -> None:
    """Frame rates are compared by the time of a frame, and told as rates."""
    told = _pair(3, 0.2)
    frames, fps = _row(told, "long_frames"), _row(told, "average_fps")
    assert certainty(frames, ENGLISH).startswith("B is at most 0.")
    ratio = 1 / fps.compared.ratio
    assert certainty(fps, ENGLISH).startswith(f"B is {ratio:.2f} times A; with 95 % certainty")
    assert certainty(_row(_pair(4, 0), "long_frames"), ENGLISH) == ""
    assert certainty(None, ENGLISH) == ""


@pytest.mark.parametrize(
    ("value", "unit", "words_"),
    [
        (None, "ms", "–"),
        (0.0, "s/10 min", "0 ms"),
        (0.25, "s/10 min", "250 ms"),
        (2.34, "s/10 min", "2.3 s"),
        (41.4, "/10 min", "41"),
        (1.75, "/GB", "1.8"),
        (1.0, "pages/min", "1 page"),
        (1234.0, "pages/GB", "1,234 pages"),
        (12.0, "ms/min", "12 ms"),
        (3 * 2**30, "B/min", "3 GB"),
    ],
)
def test_figures_are_short(value: float | None, unit: str, words_: str) -> None:
    """What they are divided by stands in the name of the row."""
    assert value_words(value, unit, ENGLISH).replace("\N{NO-BREAK SPACE}", " ") == words_


def test_rows_follow_series_that_exist_and_have_words() -> None:
    """No row without a name, none that could never be measured."""
    known = {tally.id for tally in TALLIES} | {
        "disk.read_p99_ms",
        "disk.write_p99_ms",
        "wakeup.p99_ms",
    }
    for row in ROWS:
        assert row_name(row.id, ENGLISH) != row.id
        assert all(id_ in known or id_.startswith("frame.") for id_ in (*row.series, *row.work))
    named = {id_.removeprefix("report.row.") for id_ in texts("en", "report") if ".row." in id_}
    assert named == set(ROW_BY_ID)
    assert set(PRIMARY) <= set(ROW_BY_ID)


def test_every_warning_has_a_sentence() -> None:
    """Also those that name a difference."""
    for long_b in (0.1, 1):
        for each in _pair(1, long_b).warnings:
            assert warning(each, ENGLISH).endswith(".")


@pytest.mark.parametrize(
    ("value", "words_"),
    [
        (-83.2, "−83 %"),
        (12.0, "+12 %"),
        (-99.97, "−99.9 %"),
        (-100.0, "−100 %"),
        (0.01, "the same"),
        (-4.2, "−4.2 %"),
        (550.0, "6.5 times as much"),
    ],
)
def test_changes_in_percent(value: float, words_: str) -> None:
    """Two figures, and never a hundred for what is not gone."""
    assert change_amount(value, ENGLISH).replace("\N{NO-BREAK SPACE}", " ") == words_


def test_the_longest_frame_of_a_whole_run_is_that_of_its_own_page() -> None:
    """It came in a last minute that is not whole, and was told as if it were not there."""
    lengths = frames_of(2.65, 0, 1)
    lengths[7620] = 193.0  # at 2:07
    run = summary(lengths)
    assert run.whole_minutes == 2
    assert run.frames is not None
    told = compare_sessions(run, summary(frames_of(2.65, 0, 2)))
    assert not told.phases_compared
    assert _row(told, "longest_frame").a == 193.0
    assert run.frames.worst_ms == 193.0


@pytest.mark.parametrize(
    ("whole", "weighed", "change", "is_told"),
    [
        ((71.0, 24.0), (77.0, 20.0), RowChange.BETTER, True),
        ((71.0, 80.0), (77.0, 60.0), RowChange.BETTER, False),
        ((71.0, 71.0), (77.0, 60.0), RowChange.BETTER, False),
        ((71.0, 90.0), (77.0, 60.0), RowChange.UNSURE, True),
        ((71.0, 24.0), (77.0, 60.0), RowChange.SAME, False),
        ((None, 24.0), (77.0, 60.0), RowChange.UNSURE, False),
    ],
)
def test_what_was_counted_is_told_where_it_does_not_contradict(
    whole, weighed, change, is_told
) -> None:
    """One recording had 71 stutters in ten minutes in one verdict, weighed by its phases 77 in the
    next; who divides gets 71."""
    assert comparison_module._says_the_same(whole, weighed, change) is is_told


def test_rates_of_runs_with_the_same_phases_can_be_counted() -> None:
    """Half an hour with ten rough minutes, and half of that: weighed, its rate is another one."""
    rough, calm = frames_of(10, 6, 3), frames_of(20, 2, 4)
    a = _with_phases(
        summary(np.concatenate((rough, calm))), (Phase.WARM_UP, 620), (Phase.STEADY, 1860)
    )
    better = np.concatenate((frames_of(10, 0.3, 5), frames_of(10, 0.1, 6)))
    b = _with_phases(summary(better), (Phase.WARM_UP, 620), (Phase.STEADY, 1240))
    told = compare_sessions(a, b)
    assert told.phases_compared == (Phase.WARM_UP, Phase.STEADY)
    row = _row(told, "stutters")
    assert row.change is RowChange.BETTER
    assert row.a == pytest.approx(a.frame_stutters * 600 / a.played_s, rel=1e-6)
    assert row.compared is not None
    assert row.compared.mean_a * 10 != pytest.approx(row.a, rel=0.03)
