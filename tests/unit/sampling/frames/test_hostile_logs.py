# SPDX-License-Identifier: GPL-3.0-or-later
"""Logs from the wild: every encoding, edited in a spreadsheet, torn, endless, lying."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.sampling.frames import frame_log
from destutter.sampling.frames.frame_log import FrameLogError, encoding_of, read_frame_log
from destutter.sampling.frames.frame_rows import RowReader, to_number

_HEAD = "fps,frametime,cpu_load,elapsed\n"
_ROWS = "60.1,16.6,12,16600000\n50,20.5,12,37100000\n"
_EXPECTED = [16600, 20500]


def _log(path: Path, data: bytes) -> list[int]:
    path.write_bytes(data)
    return list(read_frame_log(path).frame_us)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "utf-32"]
)
def test_every_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    """With a mark at the beginning or without, and names that are no ASCII."""
    text = f"os,cpu,gpu,ram,kernel,driver\n'Système',Ä,GPU,32,6.1,1\n{_HEAD}{_ROWS}"
    if encoding == "utf-32":
        text = "\ufeff" + text
        encoding = "utf-32-le"
    path = tmp_path / "game.csv"
    assert _log(path, text.encode(encoding)) == _EXPECTED
    assert read_frame_log(path).machine["distribution"] == "Système"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_line_ends_separators_and_quotes(tmp_path: Path, end, separator, quote) -> None:
    """What a spreadsheet makes of a log when it saves it."""
    rows = (_HEAD + _ROWS).splitlines()
    text = end.join(
        separator.join(f"{quote}{cell}{quote}" for cell in row.split(",")) for row in rows
    )
    assert _log(tmp_path / "game.csv", text.encode()) == _EXPECTED


def test_decimal_commas_with_semicolons(tmp_path: Path) -> None:
    """A German spreadsheet, with points that group thousands."""
    text = "fps;frametime;elapsed\n60,1;16,6;16.600.000\n0,8;1.234,5;1.251.100.000\n"
    log_path = tmp_path / "game.csv"
    assert _log(log_path, text.encode()) == [16600, 1234500]
    assert list(read_frame_log(log_path).elapsed_ns) == [16_600_000, 1_251_100_000]


def test_a_game_that_localised_mangohud(tmp_path: Path) -> None:
    """Decimal commas between commas: rate and time are each other's inverse, which tells."""
    rows = ["60,2409,16,6,12,16.600.000", "50,20,12,5,36.600.000", "4,65116,215,12,251.600.000"]
    log = _HEAD + "\n".join(rows) + "\n" + "1,2,3,4,5,6,7\n"
    path = tmp_path / "game.csv"
    assert _log(path, log.encode()) == [16600, 20000, 215000]
    told = read_frame_log(path)
    assert told.rejected == 1
    assert list(told.elapsed_ns) == [16_600_000, 36_600_000, 251_600_000]


def test_numbers_too_small_to_multiply_are_no_frame(tmp_path: Path) -> None:
    """Rate times length is 0 then, of which there is no logarithm."""
    tiny = "0," + "0" * 200 + "1"
    path = tmp_path / "a.csv"
    path.write_text(f"fps,frametime,elapsed\n{tiny},{tiny},1\n60,16.7,17000000\n")
    log = read_frame_log(path)
    assert (list(log.frame_us), log.rejected) == ([16_700], 1)


def test_a_second_header_goes_on_in_time(tmp_path: Path) -> None:
    """Two logs in one file: the second begins where the first ended."""
    text = _HEAD + _ROWS + _HEAD + _ROWS
    path = tmp_path / "game.csv"
    assert _log(path, text.encode()) == _EXPECTED * 2
    log = read_frame_log(path)
    assert list(log.elapsed_ns) == [16_600_000, 37_100_000, 53_700_000, 74_200_000]
    assert log.rejected == 0


def test_a_column_that_comes_twice_counts_once(tmp_path: Path) -> None:
    """The first of two columns of the same name."""
    assert _log(tmp_path / "a.csv", b"frametime,fps,frametime\n16.6,60,99\n") == [16600]


def test_presentmon_names_with_commas(tmp_path: Path) -> None:
    """A program's name is quoted when it has a comma in it."""
    text = (
        "Application,ProcessID,Dropped,TimeInSeconds,msBetweenPresents\n"
        '"Game, Shipping.exe",42,0,12.5,16.6\n"Game, Shipping.exe",42,0,12.52,20.5\n'
    )
    assert _log(tmp_path / "a.csv", text.encode()) == _EXPECTED


@pytest.mark.parametrize("game", ["X-Plane.exe", "dwm.exe"])
def test_of_several_programs_in_one_log_the_game_counts(tmp_path: Path, game: str) -> None:
    """PresentMon without a name of a program: the desktop draws more frames than the game."""
    rows = ["dwm.exe,4,0.016,16.0", f"{game},7,0.017,40.0", "dwm.exe,4,0.032,16.0"]
    rows += ["dwm.exe,4,0.048,16.0", f"{game},7,0.057,40.0"]
    path = tmp_path / "a.csv"
    path.write_text("Application,ProcessID,TimeInSeconds,MsBetweenPresents\n" + "\n".join(rows))
    log = read_frame_log(path)
    assert log.game == game
    assert len(log.frame_us) == (5 if game == "dwm.exe" else 2)


def test_without_a_clock_each_program_has_its_own_time(tmp_path: Path) -> None:
    """PresentMon with ``--qpc_time``: a counter without its rate. What the desktop draws between
    two frames of the game is no time that passes for the game."""
    rows = ["dwm.exe,16.6,2076674276", "game.exe,10,2076675000", "dwm.exe,16.6,2076840276"]
    rows += ["game.exe,12,2076795000", "game.exe,11,2076905000"]
    path = tmp_path / "a.csv"
    path.write_text("Application,MsBetweenPresents,TimeInQPC\n" + "\n".join(rows))
    log = read_frame_log(path)
    assert list(log.elapsed_ns) == [10_000_000, 22_000_000, 33_000_000]


@pytest.mark.parametrize(
    ("column", "unit_s"), [("CPUStartTimeInMs", 1e-3), ("CPUStartTimeInSeconds", 1.0)]
)
def test_the_clocks_of_presentmon_are_known(tmp_path: Path, column: str, unit_s: float) -> None:
    """Its third version names the unit."""
    path = tmp_path / "a.csv"
    rows = [f"10,{0.01 / unit_s}", f"10,{0.02 / unit_s}", f"10,{0.5 / unit_s}"]
    path.write_text(f"MsBetweenPresents,{column}\n" + "\n".join(rows))
    log = read_frame_log(path)
    assert list(log.elapsed_ns) == [10_000_000, 20_000_000, 500_000_000]


def test_capframex_tells_game_and_computer(tmp_path: Path) -> None:
    """In the record's own words, and in the comment lines of its tables."""
    run = {"CaptureData": {"TimeInSeconds": [0.0], "MsBetweenPresents": [16.6]}}
    info = {"GameName": "Flight", "Processor": "A CPU", "GPUDriverVersion": "550", "GPU": "A card"}
    path = tmp_path / "a.json"
    path.write_text("\ufeff" + json.dumps({"Info": info, "Runs": [run]}), encoding="utf-8")
    log = read_frame_log(path)
    assert (log.game, log.machine["driver"], log.machine["gpu"]) == ("Flight", "550", "A card")
    table = "//GameName=Flight\n//Processor=A CPU\nTimeInSeconds,MsBetweenPresents\n0.1,16.6\n"
    path = tmp_path / "b.csv"
    assert _log(path, table.encode()) == [16600]
    assert (read_frame_log(path).game, read_frame_log(path).machine) == (
        "Flight",
        {"cpu_model": "A CPU"},
    )


def test_a_record_too_large_for_memory_is_refused_in_words(tmp_path, monkeypatch) -> None:
    """JSON has to be read at once; a table of any size does not."""
    monkeypatch.setattr(frame_log, "_MAX_JSON_BYTES", 100)
    path = tmp_path / "a.json"
    path.write_text('{"Runs": [' + " " * 200 + "]}")
    with pytest.raises(FrameLogError, match="CSV"):
        read_frame_log(path)


def test_a_line_without_end_costs_no_memory(tmp_path: Path) -> None:
    """A megabyte without a line break is one rejected row, and the next one counts."""
    text = _HEAD + "x" * 1_000_000 + "\n" + _ROWS
    path = tmp_path / "game.csv"
    assert _log(path, text.encode()) == _EXPECTED
    assert read_frame_log(path).rejected == 1


@pytest.mark.parametrize("cut", [1, 4, 10, 20])
def test_a_log_that_was_cut_off_keeps_its_whole_rows(tmp_path: Path, cut: int) -> None:
    """Wherever the end is torn away, what stands before it is the same."""
    data = (_HEAD + _ROWS).encode()
    path = tmp_path / "game.csv"
    path.write_bytes(data[:-cut])
    assert list(read_frame_log(path).frame_us)[:1] == _EXPECTED[:1]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("16.6", 16.6),
        (" 16,6 ", 16.6),
        ("1.234,5", 1234.5),
        ("1,234.5", 1234.5),
        ("1 234,5", 1234.5),
        ("1\u00a0234", 1234.0),
        ("16.600.000", 16_600_000.0),
        ("1'234", 1234.0),
        ("-5", -5.0),
        ("1e3", 1000.0),
    ],
)
def test_numbers_as_programs_and_spreadsheets_write_them(text: str, value: float) -> None:
    """Points, commas, blanks and apostrophes."""
    assert to_number(text) == value


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "-inf", "x", "1,2,x", "--5", "=1+1", "0x10", "1_0"]
)
def test_what_is_no_number(text: str) -> None:
    """Nothing is guessed."""
    assert to_number(text) is None


@given(st.text(max_size=40))
def test_any_text_is_a_finite_number_or_none(text: str) -> None:
    """Never an error, never an infinity."""
    value = to_number(text)
    assert value is None or math.isfinite(value)


@given(st.binary(max_size=600))
def test_any_bytes_have_an_encoding_that_exists(head: bytes) -> None:
    """And decoding with replacements works."""
    head.decode(encoding_of(head), "replace")


_cells = st.one_of(
    st.floats().map(str),
    st.integers().map(str),
    st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=12),
    st.sampled_from(["", "16,6", "1.234", '"', '"16', "-1", "frametime", "1e309", "9" * 400]),
)


@given(
    st.sampled_from([_HEAD, "fps;frametime;elapsed\n", "MsBetweenPresents,TimeInSeconds\n"]),
    st.lists(st.lists(_cells, max_size=9), max_size=12),
    st.sampled_from([",", ";", "\t"]),
)
def test_any_table_gives_frames_that_make_sense(head: str, rows, separator: str) -> None:
    """Lengths above 0 and below ten minutes, ends that fit a file of a lifetime."""
    reader = RowReader()
    reader.read(head)
    for row in rows:
        frame = reader.read(separator.join(row))
        if frame is not None:
            assert 0 <= frame[0] < 2**62
            assert 1 <= frame[1] <= 600_000_000


_numbers = st.one_of(
    st.floats(), st.integers(), st.none(), st.booleans(), st.text(max_size=3), st.lists(st.none())
)


@given(st.lists(st.lists(_numbers, max_size=6), max_size=4), st.data())
def test_any_capframex_record_gives_frames_or_words(tmp_path_factory, runs, data) -> None:
    """Numbers, texts, nothing, not-a-number and runs of unequal length."""
    body = {
        "Runs": [
            {
                "CaptureData": {
                    "TimeInSeconds": run,
                    "MsBetweenPresents": data.draw(st.lists(_numbers, max_size=6)),
                }
            }
            for run in runs
        ],
        "Info": data.draw(st.one_of(st.none(), st.dictionaries(st.text(max_size=5), _numbers))),
    }
    path = tmp_path_factory.mktemp("record") / "a.json"
    path.write_text(json.dumps(body), encoding="utf-8", errors="replace")
    try:
        log = read_frame_log(path)
    except FrameLogError:
        return
    assert min(log.frame_us) > 0
    assert max(log.elapsed_ns) < 2**63


@pytest.mark.parametrize(("times", "frames"), [(2, 300), (300, 2)])
def test_frames_without_a_time_are_counted_as_missing(tmp_path: Path, times, frames) -> None:
    """CapFrameX keeps them in two lists, of which one may be cut off."""
    run = {"TimeInSeconds": [0.02 * (at + 1) for at in range(times)]}
    run["MsBetweenPresents"] = [20.0] * frames
    path = tmp_path / "record.json"
    path.write_text(json.dumps({"Runs": [{"CaptureData": run}]}))
    log = read_frame_log(path)
    assert (len(log.frame_us), log.rejected) == (2, 298)
