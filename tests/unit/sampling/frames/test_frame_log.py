# SPDX-License-Identifier: GPL-3.0-or-later
"""Frame-time logs: every layout that tools have written, and everything that is none."""

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.sampling.frames.frame_log import FrameLogError, RowReader, read_frame_log, start_of

_SYSTEM = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nSome OS,A CPU,A GPU,32,6.1,1.2,none\n"
_COLUMNS = (
    "fps,frametime,cpu_load,cpu_power,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,"
    "gpu_vram_used,gpu_power,ram_used,swap_used,process_rss,cpu_mhz,elapsed"
)
_REST = "10,20,30,40,50,1000,2000,3.5,100,8.1,0,4.2,4000"

_VERSIONED = (
    f"v1\n0.8.1\n--------------------SYSTEM INFO--------------------\n{_SYSTEM}"
    f"--------------------FRAME METRICS--------------------\n{_COLUMNS}\n"
)


def _row(milliseconds: float, elapsed_ns: int) -> str:
    return f"60.1,{milliseconds},{_REST},{elapsed_ns}"


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "head",
    [
        f"{_SYSTEM}{_COLUMNS}\n",
        _VERSIONED,
        f"{_COLUMNS}\n",
        f"\ufeff{_COLUMNS}\n",
    ],
    ids=["usual", "versioned", "bare", "byte-order-mark"],
)
def test_mangohud_layouts_are_read_by_the_names_of_their_columns(
    tmp_path: Path, head: str
) -> None:
    """Lines before the header differ between versions; the frames do not."""
    log = read_frame_log(
        _write(tmp_path / "game.csv", head + _row(16.6667, 16_700_000) + "\n" + _row(214.5, 10**9))
    )
    assert log.tool == "mangohud"
    assert list(log.frame_us) == [16667, 214500]
    assert list(log.elapsed_ns) == [16_700_000, 10**9]
    assert log.rejected == 0


@pytest.mark.parametrize("first", ["60.0,16667", "0,16667"], ids=["at once", "rate of nothing"])
def test_old_logs_in_microseconds_are_told_by_the_rate_beside_them(
    tmp_path: Path, first: str
) -> None:
    """A stutter whose rate is still that of the frames before it does not change the unit."""
    rows = [first, "60.0,16667", "60.0,150000", "60.0,16667"]
    text = "fps,frametime,cpu_load\n" + "".join(f"{row},5\n" for row in rows)
    log = read_frame_log(_write(tmp_path / "a.csv", text))
    assert list(log.frame_us[-3:]) == [16_667, 150_000, 16_667]


def test_old_log_without_elapsed_adds_its_frames_up(tmp_path: Path) -> None:
    """An old MangoHud wrote fewer columns and no clock."""
    path = _write(tmp_path / "old.csv", "fps,frametime,cpu_load\n60,16,5\n50,20,5\n")
    log = read_frame_log(path)
    assert list(log.elapsed_ns) == [16_000_000, 36_000_000]


def test_capframex_csv_and_json_are_read(tmp_path: Path) -> None:
    """PresentMon's columns, and CapFrameX's own record with several runs."""
    table = _write(
        tmp_path / "present.csv",
        "Application,MsBetweenPresents,TimeInSeconds\ngame.exe,16.5,0.5\ngame.exe,40,0.54\n",
    )
    assert list(read_frame_log(table).frame_us) == [16500, 40000]
    run = {"CaptureData": {"TimeInSeconds": [0.0, 0.5], "MsBetweenPresents": [16.0, 20.5]}}
    record = _write(tmp_path / "record.json", json.dumps({"Info": {}, "Runs": [run, run]}))
    log = read_frame_log(record)
    assert log.tool == "capframex"
    assert list(log.frame_us) == [16000, 20500, 16000, 20500]
    assert list(log.elapsed_ns) == [0, 500_000_000, 500_000_000, 1_000_000_000]


@pytest.mark.parametrize(
    ("before", "tool"), [("", "presentmon"), ("//GameName=Flight\n", "capframex")]
)
def test_a_table_of_presentmon_is_not_called_one_of_capframex(
    tmp_path: Path, before: str, tool: str
) -> None:
    """PresentMon, OCAT and FrameView have the same columns; only CapFrameX comments on them."""
    table = _write(tmp_path / "a.csv", f"{before}TimeInSeconds,MsBetweenPresents\n0.1,16.6\n")
    assert read_frame_log(table).tool == tool


def test_a_log_begins_with_its_first_frame(tmp_path: Path) -> None:
    """What passed before it was not measured: a piece of a log, or a game that loads."""
    rows = "10.0,20\n10.02,20\n10.5,480\n"
    table = _write(tmp_path / "a.csv", f"TimeInSeconds,MsBetweenPresents\n{rows}")
    log = read_frame_log(table)
    assert list(log.elapsed_ns) == [20_000_000, 40_000_000, 520_000_000]
    assert log.started_at == pytest.approx(table.stat().st_mtime - 0.52)


def test_a_hardware_log_of_afterburner_is_refused(tmp_path: Path) -> None:
    """It has a column of frame times, but one value a second: as frames they would be wrong."""
    table = _write(
        tmp_path / "a.csv",
        "0, 24-10-2025 15:41:23, Hardware monitoring log v1.6 ,,\n"
        "1, 24-10-2025 15:41:23, A card,,\n"
        "2, 24-10-2025 15:41:23, Power               ,Framerate           ,Frametime\n"
        "80, 24-10-2025 15:41:24,143.136,109.6,10.031\n",
    )
    with pytest.raises(FrameLogError, match="MSI Afterburner"):
        read_frame_log(table)


def test_a_summary_of_mangohud_is_told_from_its_log(tmp_path: Path) -> None:
    """Both lie in the same folder, and a hurried click takes the wrong one."""
    path = _write(
        tmp_path / "game_2026-01-31_20-15-00_summary.csv",
        "0.1% Min FPS,1% Min FPS,97% Percentile FPS,Average FPS,GPU Load,CPU Load,"
        "Average Frame Time\n55.1,58.2,60.1,59.9,80,30,16.7\n",
    )
    with pytest.raises(FrameLogError, match="summary of MangoHud"):
        read_frame_log(path)


def test_unusable_rows_are_counted_and_the_rest_is_kept(tmp_path: Path) -> None:
    """Not a number, negative, endless, missing and torn rows cost only themselves."""
    rows = ["nan", "-5", "inf", "0", "", "x", "1e300"]
    body = "\n".join(f"60,{cell},{_REST},5" for cell in rows) + "\n60\n" + _row(16, 10**9)
    log = read_frame_log(_write(tmp_path / "bad.csv", f"{_COLUMNS}\n{body}\n"))
    assert list(log.frame_us) == [16000]
    assert log.rejected == len(rows) + 1


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"hello\n" * 100, b"\x00\xff" * 500, b"{", b"{}", b'{"Runs": 3}', b"[1, 2]"],
)
def test_what_is_no_frame_log_is_told_in_words(tmp_path: Path, content: bytes) -> None:
    """The message names the file; nothing raises anything else."""
    path = tmp_path / "other.csv"
    path.write_bytes(content)
    with pytest.raises(FrameLogError, match=r"other\.csv"):
        read_frame_log(path)


def test_missing_file_and_folder_are_told_in_words(tmp_path: Path) -> None:
    """A path that leads nowhere, or to a folder, is an error of the same kind."""
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(FrameLogError):
            read_frame_log(path)


@given(st.binary(max_size=400))
def test_any_bytes_give_frames_or_an_error_in_words(tmp_path_factory, content: bytes) -> None:
    """A reader meets files from the wild: it answers or says what is wrong."""
    path = tmp_path_factory.mktemp("log") / "any.csv"
    path.write_bytes(content)
    try:
        log = read_frame_log(path)
    except FrameLogError:
        return
    assert len(log.frame_us) == len(log.elapsed_ns) > 0
    assert min(log.frame_us) > 0


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=80)))
def test_any_rows_after_a_header_keep_the_reader_going(lines: list[str]) -> None:
    """Rows are independent: each is a frame, is counted as rejected, or is blank."""
    reader = RowReader()
    reader.read(_COLUMNS)
    frames = [frame for line in lines if (frame := reader.read(line)) is not None]
    assert len(frames) + reader.rejected == sum(bool(line.strip()) for line in lines)


def test_start_comes_from_the_last_write_unless_the_file_was_copied(tmp_path: Path) -> None:
    """The name gives the second, the time of the last write the exact moment."""
    started = int(time.time()) - 1000
    name = time.strftime("game_%Y-%m-%d_%H-%M-%S.csv", time.localtime(started))
    path = _write(tmp_path / name, "")
    os.utime(path, (started + 60.25, started + 60.25))
    assert start_of(path, 60_000_000_000) == pytest.approx(started + 0.25)
    os.utime(path, (started + 900, started + 900))
    assert start_of(path, 60_000_000_000) == started
