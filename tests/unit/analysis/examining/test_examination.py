# SPDX-License-Identifier: GPL-3.0-or-later
"""From a recording or a log to a summary."""

from pathlib import Path

import numpy as np
import pytest

from destutter.analysis.examining import examination
from destutter.analysis.examining.examination import JUDGED, ExaminationError, examine_file
from destutter.analysis.examining.summary import MOST_SECONDS
from destutter.analysis.reading.plain_values import pack
from destutter.core.metric_table import METRICS
from destutter.core.statement import Statement
from destutter.diagnosis.runs.phases import Phase
from tests.support.scripted_source import Script
from tests.support.sessions import record

RECORDINGS = sorted((Path(__file__).parents[3] / "data/sessions").glob("*.destutter"))
# Alike: six of them at the desk.
EACH_RECORDING = [
    pytest.param(path, marks=() if number % 8 == 0 else pytest.mark.long, id=path.stem)
    for number, path in enumerate(RECORDINGS)
]


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A minute and a half with two long frames, a marker and a game."""
    script = Script(sources=("vmstat", "vmstat_more", "meminfo", "stat", "pressure", "disk"))
    script.fact(game__name="Flight", game__pid="42")
    for second in range(90):
        stalls = {"vmstat.allocstall_normal": 50.0} if second == 70 else {}
        script.run(1, stalls)
        script.frames(*([16.0] * 40), *([200.0] if second in (20, 70) else []))
        if second == 30:
            script.mark("take-off")
    path = tmp_path_factory.mktemp("sessions") / "a.destutter"
    return record(path, script, {"vm.swappiness": "60"}, gpus=["A card"])


def test_a_summary_holds_what_was_measured(recording) -> None:
    """Game, settings, frames, markers, phases, minutes and causes."""
    told = examine_file(str(recording))
    assert (told.game, told.tunables["vm.swappiness"]) == ("Flight", "60")
    assert told.origin == "mangohud"
    assert told.frames is not None
    assert (told.frames.stutters, told.frames.worst_ms) == (2, 200.0)
    assert [(round(each.at_s), each.text) for each in told.markers] == [(31, "take-off")]
    assert [span.phase for span in told.phases] == [Phase.WARM_UP]
    assert told.whole_minutes == 1
    assert told.minutes["frame.long"].tolist() == [1.0]
    assert np.nansum(told.seconds["memory.allocation_stalls"]) == pytest.approx(50, abs=6)
    assert told.assessment is not None
    assert told.frame_stutters == len(told.assessment.spikes)
    assert told.score is not None
    assert told.started_at == pytest.approx(1.7e9, abs=1)


def test_causes_can_be_left_out_and_the_figures_are_the_same(recording) -> None:
    """Comparing needs no causes; what it needs must not depend on them."""
    judged = examine_file(str(recording))
    plain = examine_file(str(recording), is_judged=False)
    assert plain.assessment is None
    assert judged.seconds.keys() == plain.seconds.keys()
    for id_, series in judged.seconds.items():
        np.testing.assert_array_equal(series, plain.seconds[id_], err_msg=id_)


def test_a_log_alone_is_a_session_without_a_computer(tmp_path) -> None:
    """Frames, what the log says of the machine, and nothing invented."""
    path = tmp_path / "Flight_2026-01-02_20-15-00.csv"
    rows = "".join(f"60,16.5,{16_500_000 * (n + 1)}\n" for n in range(4000))
    head = "os,cpu,gpu,ram,kernel,driver\n'Some OS',A CPU,A card,32,6.1,550\n"
    path.write_text(f"{head}fps,frametime,elapsed\n{rows}bad,bad,bad\n")
    told = examine_file(str(path))
    assert (told.game, told.is_log, told.samples) == ("Flight", True, 0)
    assert told.header.machine == {
        "distribution": "Some OS",
        "cpu_model": "A CPU",
        "gpus": ["A card"],
        "kernel": "6.1",
        "driver": "550",
    }
    assert (told.phases, told.assessment) == ((), None)
    assert told.duration_s == pytest.approx(66.0)
    assert told.frames is not None
    assert told.frames.frames == 4000
    assert told.rejected_rows == 1
    assert told.problems[0] == Statement("analysis.rejected_rows", {"count": 1})


@pytest.mark.parametrize("name", ["gone.destutter", "gone.csv", "\0", "."])
def test_what_is_not_there_is_told_in_words(tmp_path, monkeypatch, name) -> None:
    """A missing recording, a missing log, no name at all, a folder."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ExaminationError):
        examine_file(name)


def test_reading_ends_when_nobody_wants_it_any_more(recording) -> None:
    """A window that chose another session does not wait for this one."""
    with pytest.raises(ExaminationError, match="ended"):
        examine_file(str(recording), is_wanted=lambda: False)


def test_a_clock_that_makes_no_sense_costs_its_rows_only(tmp_path) -> None:
    """A row of the next century is left out and counted; it asks for no memory."""
    path = tmp_path / "a.csv"
    rows = "".join(f"60,16.5,{16_500_000 * (n + 1)}\n" for n in range(100))
    path.write_text(f"fps,frametime,elapsed\n{rows}60,16.5,{4 * 10**18}\n")
    told = examine_file(str(path))
    assert told.frames is not None
    assert (told.frames.frames, told.rejected_rows) == (100, 1)
    assert told.duration_s == pytest.approx(1.65)


def test_a_recording_with_a_damaged_clock_is_read_within_a_week(tmp_path) -> None:
    """Seconds beyond are left out; nothing is allocated for them."""
    script = Script().run(3).sleep(3e9).run(1)
    told = examine_file(str(record(tmp_path / "a.destutter", script)), is_judged=False)
    assert told.whole_minutes <= 7 * 24 * 60
    assert max(series.size for series in told.seconds.values()) <= MOST_SECONDS
    assert len(told.phase_of_minutes()) == told.minutes["wakeup.worst_ms"].size


@pytest.mark.parametrize("path", EACH_RECORDING)
def test_what_nobody_reads_need_not_be_derived(path, monkeypatch):
    """Every field of the summary is the same as with all metrics that there are."""
    lines, arrays = pack(examine_file(str(path)))
    monkeypatch.setattr(examination, "JUDGED", METRICS)
    all_lines, all_arrays = pack(examine_file(str(path)))
    assert len(examination.JUDGED) > len(JUDGED)
    assert lines == all_lines
    for one, other in zip(arrays, all_arrays, strict=True):
        assert np.array_equal(one, other, equal_nan=True)


def test_without_frame_times_there_is_no_score_and_the_report_accuses_nobody(tmp_path) -> None:
    """What no game lost is no points: the computer was late, and nobody played."""
    script = Script().run(30)
    for _ in range(3):
        script.hiccup(60.0).run(60)
    told = examine_file(str(record(tmp_path / "idle.destutter", script)))
    assert told.frames is None
    assert told.score is None
    assert told.assessment is not None
    assert told.assessment.verdict.is_of_computer
