# SPDX-License-Identifier: GPL-3.0-or-later
"""Files from elsewhere among the recordings."""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.analysis.examining.examination import examine_file
from destutter.analysis.reading.session_import import game_of_log, import_file
from destutter.bridge.background_jobs import JobCancelled
from destutter.core.statement import Statement
from destutter.session.format import RecordingError
from destutter.session.store import describe
from tests.support.long_flights import Flight, write_flight

MANGOHUD = "os,cpu,gpu,ram,kernel,driver\nDebian,x,y,32,6.18,z\nfps,frametime,elapsed\n"


def _nothing() -> None:
    """Nobody cancels."""


def _mangohud(path: Path, frames: int = 600, long_at: int = 300) -> Path:
    lines, elapsed = [], 0
    for at in range(frames):
        length_ms = 120.0 if at == long_at else 16.7
        elapsed += round(length_ms * 1e6)
        lines.append(f"{1000 / length_ms:.1f},{length_ms},{elapsed}")
    path.write_text(MANGOHUD + "\n".join(lines) + "\n")
    return path


def test_a_frame_log_becomes_a_recording(tmp_path: Path) -> None:
    """Its frames, its game and its time are there, and nothing else is made up."""
    log = _mangohud(tmp_path / "Convoy_2026-01-31_20-15-00.csv")
    folder = tmp_path / "sessions"
    made = import_file(log, folder, _nothing)
    assert made == folder / "Convoy_2026-01-31_20-15-00.destutter"
    session = describe(made)
    assert (session.game, session.problem) == ("Convoy", None)
    summary = examine_file(str(made))
    assert summary.frames is not None
    assert summary.frames.frames == 600
    assert summary.frames.worst_ms == pytest.approx(120)
    assert summary.phases == ()
    assert "memory.available_bytes" not in summary.seconds


def test_capframex_json_becomes_a_recording(tmp_path: Path) -> None:
    """The other tool's format goes the same way."""
    times = [at * 0.0167 for at in range(1, 301)]
    body = {"Runs": [{"CaptureData": {"TimeInSeconds": times, "MsBetweenPresents": [16.7] * 300}}]}
    log = tmp_path / "CapFrameX-Game.exe-20260131T201500.json"
    log.write_text(json.dumps(body))
    made = import_file(log, tmp_path / "sessions", _nothing)
    assert describe(made).game == "Game"
    summary = examine_file(str(made))
    assert summary.frames is not None
    assert summary.frames.frames == 300


def test_a_log_that_leaves_frames_out_has_no_score(tmp_path: Path) -> None:
    """None of its few frames was long; that is no "100 of 100, smooth"."""
    scores = []
    for name, step_ms in (("whole", 16.6), ("sampled", 100)):
        log = tmp_path / f"{name}.csv"
        rows = (f"60,16.6,{round(1e6 * step_ms * (at + 1))}" for at in range(9000))
        log.write_text("fps,frametime,elapsed\n" + "\n".join(rows) + "\n")
        scores.append(examine_file(str(import_file(log, tmp_path / "s", _nothing))).score)
    assert scores[0] is not None
    assert scores[1] is None


def test_rows_that_could_not_be_read_stay_told(tmp_path: Path) -> None:
    """The recording says how many there were, whenever it is opened."""
    log = _mangohud(tmp_path / "game.csv")
    log.write_text(log.read_text() + "60,none,1\n60,none,2\n")
    summary = examine_file(str(import_file(log, tmp_path / "sessions", _nothing)))
    assert summary.rejected_rows == 2
    assert summary.problems == (Statement("analysis.rejected_rows", {"count": 2}),)


def test_a_recording_is_copied_as_it_is(tmp_path: Path) -> None:
    """Byte for byte, and the original stays."""
    source = write_flight(tmp_path / "flight.destutter", Flight(1))
    made = import_file(source, tmp_path / "sessions", _nothing)
    assert made.read_bytes() == source.read_bytes()


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_who_may_not_read_a_recording_may_not_read_its_copy(tmp_path: Path, mode: int) -> None:
    """A trace names programs of all users, for which somebody gave a permission."""
    source = write_flight(tmp_path / "flight.destutter", Flight(1))
    source.chmod(mode)
    made = import_file(source, tmp_path / "sessions", _nothing)
    assert stat.S_IMODE(made.stat().st_mode) == mode


def test_no_recording_is_replaced(tmp_path: Path) -> None:
    """A name that another one has gets a number."""
    log = _mangohud(tmp_path / "game.csv")
    first = import_file(log, tmp_path / "sessions", _nothing)
    log = _mangohud(tmp_path / "game.csv", frames=900)
    second = import_file(log, tmp_path / "sessions", _nothing)
    assert (first.name, second.name) == ("game.destutter", "game 2.destutter")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.csv", b"", "no"),
        ("text.csv", b"hello\n", "frame"),
        ("other.json", b"{}", "CapFrameX"),
        ("other.destutter", b"hello", "not a Destutter recording"),
    ],
)
def test_what_is_no_log_is_refused_in_words(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    """Nothing is left in the folder, not even a part."""
    source = tmp_path / name
    source.write_bytes(content)
    folder = tmp_path / "sessions"
    with pytest.raises(RecordingError, match=words):
        import_file(source, folder, _nothing)
    assert list(folder.iterdir()) == []


def test_a_file_that_has_gone_is_told(tmp_path: Path) -> None:
    """Between choosing and reading it was moved away."""
    with pytest.raises(RecordingError, match="no such file"):
        import_file(tmp_path / "gone.csv", tmp_path / "sessions", _nothing)


def test_a_recording_is_not_imported_into_itself(tmp_path: Path) -> None:
    """It is among them already."""
    source = write_flight(tmp_path / "flight.destutter", Flight(1))
    with pytest.raises(RecordingError, match="already"):
        import_file(source, tmp_path, _nothing)


def test_the_same_file_is_not_taken_twice(tmp_path: Path) -> None:
    """ "X 2" stood in the list, without a word."""
    log, folder = _mangohud(tmp_path / "game.csv"), tmp_path / "sessions"
    import_file(log, folder, _nothing)
    with pytest.raises(RecordingError, match="already"):
        import_file(log, folder, _nothing)
    copy = shutil.copy2(folder / "game.destutter", tmp_path / "game.destutter")
    with pytest.raises(RecordingError, match="already"):
        import_file(Path(copy), folder, _nothing)
    assert os.listdir(folder) == ["game.destutter"]


def test_cancelled_import_leaves_nothing(tmp_path: Path) -> None:
    """The half of a file is taken away."""
    log = _mangohud(tmp_path / "game.csv", frames=6000)
    checks = iter(range(5))

    def check() -> None:
        if next(checks, None) is None:
            raise JobCancelled

    with pytest.raises(JobCancelled):
        import_file(log, tmp_path / "sessions", check)
    assert os.listdir(tmp_path / "sessions") == []


@given(st.text(max_size=60))
def test_any_name_of_a_log_gives_a_game(name: str) -> None:
    """Whatever it is called, there is an answer without blanks around it."""
    game = game_of_log(Path("/logs") / (name.replace("/", "") + ".csv"))
    assert game == game.strip()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """The recording is there; what is missing is the place for it, and that is said."""
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingError, match=f"{tmp_path}/file/sessions: Not a directory"):
        import_file(_mangohud(tmp_path / "a.csv"), tmp_path / "file" / "sessions", _nothing)
