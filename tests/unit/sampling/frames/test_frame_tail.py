# SPDX-License-Identifier: GPL-3.0-or-later
"""Following a log while a game writes it."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from destutter.sampling.frames.frame_log import FrameLogError
from destutter.sampling.frames.frame_tail import FrameTail, newest_log

_HEADER = "fps,frametime,elapsed\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """An empty log, as it is right after the game started."""
    path = tmp_path / "game_2026-01-02_03-04-05.csv"
    path.write_text("")
    return path


@pytest.fixture
def tail(log: Path) -> Iterator[FrameTail]:
    """The log being followed."""
    following = FrameTail(log)
    yield following
    following.close()


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


@pytest.mark.parametrize(
    ("header", "tool"),
    [
        ("fps,frametime,elapsed\n", "mangohud"),
        ("Application,MsBetweenPresents,TimeInSeconds\n", "presentmon"),
        ("//GameName=sim\nApplication,MsBetweenPresents,TimeInSeconds\n", "capframex"),
    ],
)
def test_frames_are_of_the_tool_that_wrote_them(
    log: Path, tail: FrameTail, header: str, tool: str
) -> None:
    """By the columns of the log, as when it is read as a whole."""
    _append(log, header + ("60,16.5,1000000\n" if tool == "mangohud" else "sim,16.5,0.1\n"))
    frames = tail.read_new()
    assert frames is not None
    assert frames.origin == tool


def test_rows_arrive_once_and_torn_lines_wait(log: Path, tail: FrameTail) -> None:
    """A row that is half written is read when its end is there."""
    assert tail.read_new() is None
    _append(log, _HEADER + "60,16.5,1000000\n60,17")
    first = tail.read_new()
    assert first is not None
    assert first.frame_us == (16500,)
    assert tail.read_new() is None
    _append(log, ".25,18000000\n")
    second = tail.read_new()
    assert second is not None
    assert second.frame_us == (17250,)


def test_frames_are_put_on_the_clock_of_this_computer(log: Path, tail: FrameTail) -> None:
    """A row that has just been written ends now, whatever the log's own start was."""
    _append(log, _HEADER + "60,16,5000000000\n")
    frames = tail.read_new()
    assert frames is not None
    assert abs(time.monotonic_ns() - frames.monotonic_ns[0]) < 2_000_000_000
    assert frames.monotonic_ns[0] <= time.monotonic_ns()


def test_a_log_whose_clock_runs_ahead_has_no_frames_of_the_future(
    log: Path, tail: FrameTail
) -> None:
    """A row that is there has ended: else its frames match nothing that is measured meanwhile."""
    _append(log, _HEADER + "60,16,1000000000\n")
    assert tail.read_new() is not None
    _append(log, "60,16,900000000000\n60,16,900016000000\n")
    frames = tail.read_new()
    assert frames is not None
    assert frames.monotonic_ns[-1] <= time.monotonic_ns()
    assert frames.monotonic_ns[1] - frames.monotonic_ns[0] == 16_000_000


def test_other_file_is_refused_in_words(log: Path, tail: FrameTail) -> None:
    """Following something that is no log ends with a message."""
    _append(log, "nothing here\n" * 100)
    with pytest.raises(FrameLogError, match="column"):
        tail.read_new()


def test_missing_file_is_refused_in_words(tmp_path: Path) -> None:
    """The message names the file."""
    with pytest.raises(FrameLogError, match="absent"):
        FrameTail(tmp_path / "absent.csv")


def test_newest_log_of_a_folder_leaves_summaries_out(tmp_path: Path) -> None:
    """The log written last is followed; a summary or a missing folder is none."""
    assert newest_log(tmp_path / "absent") is None
    assert newest_log(tmp_path) is None
    (tmp_path / "game_summary.csv").write_text("")
    (tmp_path / "notes.txt").write_text("")
    assert newest_log(tmp_path) is None
    (tmp_path / "game.csv").write_text("")
    assert newest_log(tmp_path) == tmp_path / "game.csv"


def test_middle_of_a_long_log_is_left_out(log: Path) -> None:
    """Whoever begins to follow a log of hours reads its end, whole rows only, at once."""
    rows = [f"60,16.5,{16_500_000 * (index + 1)}" for index in range(40_000)]
    log.write_text(_HEADER + "\n".join(rows) + "\n")
    following = FrameTail(log, skips_old=True)
    frames = following.read_new()
    following.close()
    assert frames is not None
    assert 1_000 < len(frames.frame_us) < 39_000
    assert set(frames.frame_us) == {16_500}
    assert following.rejected == 0
    assert abs(time.monotonic_ns() - frames.monotonic_ns[-1]) < 60_000_000_000


def test_replaced_and_emptied_logs_are_noticed(log: Path, tail: FrameTail) -> None:
    """The game was started again: another file of the name, or the same one from its start."""
    _append(log, _HEADER + "60,16,1000000\n")
    tail.read_new()
    assert not tail.is_replaced()
    log.write_text("")
    assert tail.is_replaced()
    log.unlink()
    with pytest.raises(FrameLogError, match="No such file"):
        tail.is_replaced()
    log.write_text(_HEADER + "60,16,1000000\n" * 9)
    assert tail.is_replaced()


def test_what_is_no_ordinary_file_is_refused(tmp_path: Path) -> None:
    """A pipe or a device would hold up whoever measures."""
    os.mkfifo(tmp_path / "pipe.csv")
    for path in (tmp_path / "pipe.csv", Path("/dev/zero"), tmp_path):
        with pytest.raises(FrameLogError, match="not an ordinary file"):
            FrameTail(path)


def test_a_line_without_end_is_left_out_and_the_next_one_counts(
    log: Path, tail: FrameTail
) -> None:
    """Whoever writes garbage into a log costs neither memory nor the rows after it."""
    _append(log, _HEADER + "60,16,1000000\n" + "x" * 300_000)
    first = tail.read_new()
    assert first is not None
    _append(log, "y" * 300_000)
    assert tail.read_new() is None
    _append(log, "60,99,2\n60,17,18000000\n")
    second = tail.read_new()
    assert second is not None
    assert second.frame_us == (17000,)


def test_a_log_that_begins_anew_in_the_same_file_goes_on(log: Path, tail: FrameTail) -> None:
    """Logging was switched off and on: another header, and a clock that starts at 0."""
    _append(log, _HEADER + "60,16,5000000000\n")
    first = tail.read_new()
    _append(log, _HEADER + "60,16,16000000\n")
    second = tail.read_new()
    assert first is not None
    assert second is not None
    assert second.monotonic_ns[0] >= first.monotonic_ns[0] - 1_000_000_000
    assert tail.rejected == 0
