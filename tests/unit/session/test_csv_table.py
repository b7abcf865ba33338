# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording as a CSV table."""

import csv
import os

import pytest

from destutter.core.sample import Header, Layout, Message, Reading, Sample
from destutter.core.traced import SlowRequest, TracedThread, TracedWait, TraceLook
from destutter.session.csv_table import export_csv, harmless
from destutter.session.format import RecordingError
from destutter.session.replay import ReplaySource
from tests.unit.session.streams import HEADER, TICK_NS, record

FIRST = HEADER.monotonic_ns
DISK = ("reads", "read_ms", "reads_in_flight")


@pytest.fixture
def replay(tmp_path):
    """Two disks, of which the second comes later, and a probe in between."""
    messages = [
        Layout("disk", DISK, ("vda",)),
        Layout("wakeup", ("wakes", "worst_us", "total_us")),
        disk_sample(0, (100, 50, 1)),
        Sample(FIRST + 5, 0, 1, 1, (Reading("wakeup", FIRST + 5, (20, 1500, 4000)),)),
        disk_sample(1, (110, 75, None)),
        Layout("disk", DISK, ("vda", "sdb")),
        disk_sample(2, (110, 75, 0, 7, 7, 7)),
    ]
    record(tmp_path / "a.destutter", messages)
    source = ReplaySource(tmp_path / "a.destutter")
    yield source
    source.close()


def disk_sample(tick, values):
    """One tick of disk counters."""
    t = FIRST + tick * TICK_NS
    return Sample(t, 0, 1, 1, (Reading("disk", t, values),))


def rows_of(path):
    """The cells of a CSV file."""
    with path.open(newline="") as file:
        return list(csv.reader(file))


def test_table_has_units_and_a_row_per_sample(replay, tmp_path):
    """Header with metric, instance and unit; empty cells where nothing was measured."""
    ids = ["disk.read_await_ms", "disk.reads_in_flight", "wakeup.worst_ms"]
    assert export_csv(replay, tmp_path / "a.csv", ids) == 4
    header, *rows = rows_of(tmp_path / "a.csv")
    assert header == [
        "time [s]",
        "date [UTC]",
        "disk.read_await_ms{vda} [ms]",
        "disk.read_await_ms{sdb} [ms]",
        "disk.reads_in_flight{vda} [requests]",
        "disk.reads_in_flight{sdb} [requests]",
        "wakeup.worst_ms [ms]",
    ]
    date = "2023-11-14 22:13:20.000"
    assert rows == [
        ["0.000000", date, "", "", "1", "", ""],
        ["0.000000", date, "", "", "", "", "1.5"],
        ["0.100000", "2023-11-14 22:13:20.100", "2.5", "", "", "", ""],
        ["0.200000", "2023-11-14 22:13:20.200", "", "", "0", "7", ""],
    ]


def test_every_metric_but_those_of_single_processes_is_exported(tmp_path):
    """Without a choice, disks have columns and the hundreds of processes have none."""
    messages = [
        Layout("disk", DISK, ("vda",)),
        Layout("process", ("interval_us", "cpu_us"), ("1 init", "2 other")),
        disk_sample(0, (1, 2, 3)),
    ]
    record(tmp_path / "a.destutter", messages)
    replay = ReplaySource(tmp_path / "a.destutter")
    export_csv(replay, tmp_path / "a.csv")
    replay.close()
    header = rows_of(tmp_path / "a.csv")[0]
    assert "disk.reads_per_s{vda} [/s]" in header
    assert not [name for name in header if name.startswith("process")]


def test_existing_file_is_not_replaced(replay, tmp_path):
    """A table never overwrites anything."""
    (tmp_path / "a.csv").write_text("mine")
    with pytest.raises(RecordingError, match="exists already"):
        export_csv(replay, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "mine"


@pytest.mark.parametrize("name", ["missing/a.csv", "a\0b", "x" * 300])
def test_bad_paths_are_refused_in_words(replay, tmp_path, name):
    """A missing folder or an impossible name is one line, and leaves nothing behind."""
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(RecordingError):
        export_csv(replay, os.path.join(tmp_path, name))
    assert sorted(os.listdir(tmp_path)) == before


def test_unknown_metric_is_refused(replay, tmp_path):
    """A metric id that does not exist is a KeyError before any file is made."""
    with pytest.raises(KeyError):
        export_csv(replay, tmp_path / "a.csv", ["disk.nonsense"])
    assert not (tmp_path / "a.csv").exists()


def test_impossible_date_is_left_empty(tmp_path):
    """A recording whose wall clock is beyond any calendar still becomes a table."""
    record(
        tmp_path / "a.destutter",
        [Layout("disk", DISK, ("vda",)), disk_sample(0, (1, 2, 3))],
        Header(FIRST, 1e300, 100),
    )
    replay = ReplaySource(tmp_path / "a.destutter")
    export_csv(replay, tmp_path / "a.csv", ["disk.reads_in_flight"])
    replay.close()
    assert rows_of(tmp_path / "a.csv")[1] == ["0.000000", "", "3"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", " =x", "|calc", "\t=x", "\r=x"])
def test_a_name_is_never_a_formula(text):
    """A spreadsheet would run what a program called itself."""
    assert harmless(text).startswith("'")


def test_names_of_programs_stand_in_the_header_as_text(tmp_path):
    """Formula, quotes and line breaks in a process's name stay inside their cell."""
    evil = '42 =cmd|"x"\n@a'
    fields = ("cpu_us", "interval_us")
    messages: list[Message] = [
        Layout("process", fields, (evil,)),
        Sample(FIRST, 0, 1, 1, (Reading("process", FIRST, (1, 2)),)),
    ]
    record(tmp_path / "b.destutter", messages)
    source = ReplaySource(tmp_path / "b.destutter")
    export_csv(source, tmp_path / "b.csv", ["process.cpu_pct"])
    source.close()
    header, row = rows_of(tmp_path / "b.csv")
    assert header[2] == 'process.cpu_pct{42 =cmd|"x" @a} [%]'
    assert row[2] == "50"


def test_a_trace_has_a_column_for_each_kind(tmp_path):
    """The longest that ended since the row before; a recording without one has no such column."""
    thread = TracedThread(8, "=Streamer", 7)
    ms = 1_000_000
    waits = [
        TracedWait(thread, "reclaim", FIRST + begin_ms * ms, length_ms * ms)
        for begin_ms, length_ms in ((20, 30), (60, 5), (110, 12))
    ]
    request = SlowRequest(
        *("sda", "read", 8, 8, FIRST + 10 * ms, 2 * ms, 5 * ms, None, thread),
        is_written_back=False,
    )
    look = TraceLook(FIRST, FIRST + 150 * ms, 0, 9, waits=tuple(waits), requests=(request,))
    messages = [
        Layout("disk", DISK, ("vda",)),
        *(disk_sample(tick, (1, 1, 1)) for tick in range(3)),
    ]
    record(tmp_path / "a.destutter", [*messages, look])
    source = ReplaySource(tmp_path / "a.destutter")
    export_csv(source, tmp_path / "a.csv")
    export_csv(source, tmp_path / "b.csv", ["disk.reads_in_flight"])
    source.close()
    header, *rows = rows_of(tmp_path / "a.csv")
    assert header[-2:] == ["trace.reclaim [ms]", "trace.request.read [ms]"]
    assert [row[-2:] for row in rows] == [["", ""], ["30", "7"], ["12", ""]]
    assert not any("trace" in name for name in rows_of(tmp_path / "b.csv")[0])
