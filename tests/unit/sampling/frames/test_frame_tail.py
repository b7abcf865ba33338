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


class _Clocks:
    """Stand for `time`: both clocks at once, and files that have their times of the last jiffy."""

    jiffy_ns = 4_000_000

    def __init__(self, path: Path) -> None:
        self.path = path
        self.now_ns = 1_000_000_000_000

    def monotonic_ns(self) -> int:
        return self.now_ns

    def time_ns(self) -> int:
        return self.now_ns + 10**18

    def clock_getres(self, _clock: int) -> float:
        return self.jiffy_ns / 1e9

    def write(self, text: str, after_ms: float) -> int:
        """So much later; when that was."""
        self.now_ns += int(after_ms * 1e6)
        _append(self.path, text)
        written_ns = self.time_ns() // self.jiffy_ns * self.jiffy_ns
        os.utime(self.path, ns=(written_ns, written_ns))
        return self.now_ns


@pytest.fixture
def clocks(log: Path, monkeypatch: pytest.MonkeyPatch) -> _Clocks:
    clocks = _Clocks(log)
    monkeypatch.setattr("destutter.sampling.frames.frame_tail.time", clocks)
    return clocks


def test_a_frame_is_not_told_to_have_ended_before_it_did(log: Path, clocks: _Clocks) -> None:
    """A file's time is up to a jiffy too early: frames were 4 ms early all through a log."""
    tail = FrameTail(log)
    written_ns = clocks.write(_HEADER + "60,16,5000000000\n", 3.9)
    clocks.now_ns += 20_000_000
    frames = tail.read_new()
    tail.close()
    assert frames is not None
    assert written_ns <= frames.monotonic_ns[0] <= written_ns + clocks.jiffy_ns


def test_the_time_of_a_file_tells_when_the_last_row_was_written(
    log: Path, clocks: _Clocks
) -> None:
    """Looks that come 10 ms behind each frame put it no later than it was."""
    tail = FrameTail(log)
    clocks.write(_HEADER, 0)
    late_ns = []
    for frame in range(1, 20):
        ended_ns = clocks.write(f"60,17,{frame * 17_300_000}\n", 7.3 if frame > 1 else 17.3)
        clocks.now_ns += 10_000_000
        frames = tail.read_new()
        assert frames is not None
        late_ns.append(frames.monotonic_ns[-1] - ended_ns)
    tail.close()
    assert min(late_ns) >= 0
    assert late_ns[-1] <= 500_000


def test_a_row_is_younger_than_the_look_that_did_not_find_it(log: Path, clocks: _Clocks) -> None:
    """A tick that comes late leaves files with times of still longer ago than a jiffy."""
    tail = FrameTail(log)
    clocks.write(_HEADER, 0)
    late_ns = []
    for after_look_ms in (0.1, 5):
        tail.read_new()
        elapsed_ns = clocks.now_ns + int(after_look_ms * 1e6)
        ended_ns = clocks.write(f"60,16,{elapsed_ns}\n", after_look_ms)
        os.utime(log, ns=(clocks.time_ns() - 6_000_000,) * 2)
        clocks.now_ns += 50_000_000
        frames = tail.read_new()
        assert frames is not None
        late_ns.append(frames.monotonic_ns[-1] - ended_ns)
    tail.close()
    assert late_ns[1] == -100_000


def test_rows_that_were_kept_back_are_not_of_when_they_were_written(
    log: Path, clocks: _Clocks
) -> None:
    """A tool that writes many rows at once writes the first of them long after its frame."""
    tail = FrameTail(log)
    tail.read_new()
    clocks.write(_HEADER, 0)
    for batch in range(5):
        rows = (f"60,10,{frame * 10_000_000}\n" for frame in range(50 * batch, 50 * batch + 50))
        written_ns = clocks.write("".join(rows), 500)
        frames = tail.read_new()
        assert frames is not None
        assert 0 <= written_ns - frames.monotonic_ns[-1] + 1 <= clocks.jiffy_ns
        tail.read_new()
    tail.close()


def test_a_clock_that_is_set_makes_no_frame_end_early(log: Path, clocks: _Clocks) -> None:
    """By the file's time the row would be older than the look that did not find it."""
    tail = FrameTail(log)
    clocks.write(_HEADER + "60,16,16000000\n", 0)
    assert tail.read_new() is not None
    written_ns = clocks.write("60,16,116000000\n", 100)
    hour_ago_ns = clocks.time_ns() - 3600 * 10**9
    os.utime(log, ns=(hour_ago_ns, hour_ago_ns))
    frames = tail.read_new()
    tail.close()
    assert frames is not None
    assert frames.monotonic_ns[0] >= written_ns


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
