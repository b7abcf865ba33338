# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions read by a process of their own give the same as read here, and end when asked to."""

import os
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from destutter.analysis.comparing.comparison import compare_sessions
from destutter.analysis.examining.examination import ExaminationError
from destutter.analysis.reading import reading_apart
from destutter.analysis.reading.reading_apart import (
    examine_apart,
    examine_plainly_apart,
    import_apart,
)
from destutter.analysis.reading.session_reader import examine_session
from destutter.bridge.background_jobs import JobCancelled
from destutter.session.format import RecordingError
from destutter.session.store import describe
from destutter.tuning.presets import load_presets
from tests.support.long_flights import TUNED, Flight, write_flight

PRESETS = load_presets(Path(__file__).resolve().parents[4] / "resources" / "presets")
REAL = Path(__file__).resolve().parents[3] / "data" / "sessions"


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, with arrays in them."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=True)
    if is_dataclass(one):
        return type(one) is type(other) and all(
            same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one)
        )
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def _nothing(_share: float) -> None:
    """Nobody looks."""


@pytest.mark.parametrize("name", ["global_reclaim", "full_memory", "shaders"])
def test_a_recording_is_read_as_here(name: str) -> None:
    """Every field of the summary of a real recording, with its findings and its advice."""
    path = REAL / f"{name}.destutter"
    here = examine_session(path, 0.0, _nothing)
    assert here.assessment is not None
    assert same(here, examine_apart(path, 0.0, _nothing))


@pytest.mark.parametrize("read", [examine_session, examine_apart])
def test_advice_follows_what_is_played(tmp_path: Path, read: Any) -> None:
    """A flight simulator wants a larger reserve; here and in the other process."""
    path = write_flight(tmp_path / "a.destutter", Flight(9, 4.0))
    wanted = read(path, 540.0, _nothing, PRESETS["flight_sim"]).recommendations
    anyhow = read(path, 540.0, _nothing).recommendations
    assert "vm.min_free_kbytes" in {each.tunable for each in wanted}
    assert "vm.min_free_kbytes" not in {each.tunable for each in anyhow}


def test_nobody_wants_the_causes_of_a_further_run() -> None:
    """It is read without looking for them, as here."""
    path = REAL / "global_reclaim.destutter"
    here = examine_session(path, 0.0, _nothing, is_judged=False)
    assert here.assessment is None
    assert same(here, examine_plainly_apart(path, lambda: None))


def test_two_that_were_read_apart_can_be_compared(tmp_path: Path) -> None:
    """What came through the pipe serves like what was read here."""
    before = write_flight(tmp_path / "a.destutter", Flight(9, 4.0))
    after = write_flight(tmp_path / "b.destutter", Flight(9, 0.0, seed=2), TUNED)
    shares: list[float] = []
    apart = [examine_apart(path, 540.0, shares.append) for path in (before, after)]
    here = [examine_session(path, 540.0, _nothing) for path in (before, after)]
    assert same(compare_sessions(apart[0], apart[1]), compare_sessions(here[0], here[1]))
    assert max(shares) > 0.5


def test_a_recording_whose_length_nobody_knows_tells_how_far_it_is_read(tmp_path: Path) -> None:
    """One that ended just now is in no list yet, and its bar stood empty."""
    path = write_flight(tmp_path / "a.destutter", Flight(9, 4.0))
    shares: list[float] = []
    examine_session(path, 0.0, shares.append)
    assert shares == sorted(shares)
    assert max(shares) > 0.5


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    """In the words that reading here would have."""
    with pytest.raises(ExaminationError, match="there is no such file"):
        examine_apart(tmp_path / "gone.destutter", 0.0, _nothing)
    other = tmp_path / "notes.csv"
    other.write_text("milk, bread\n")
    with pytest.raises(ExaminationError, match="frame"):
        examine_apart(other, 0.0, _nothing)


def test_a_name_like_an_option_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a file is called."""
    monkeypatch.chdir(tmp_path)
    path = write_flight(Path("--help.destutter"), Flight(1))
    assert examine_apart(path, 60.0, _nothing).game == "X-Plane 12"


@pytest.mark.parametrize("at", [0, 3])
def test_nobody_waits_for_an_answer_that_is_not_wanted(tmp_path: Path, at: int) -> None:
    """Ending it ends the process, before its first word and later."""
    path = write_flight(tmp_path / "long.destutter", Flight(20))
    calls = 0

    def tell(_share: float) -> None:
        nonlocal calls
        calls += 1
        if calls > at:
            raise JobCancelled

    before = _children()
    with pytest.raises(JobCancelled):
        examine_apart(path, 1200.0, tell)
    assert _children() <= before


def test_a_reader_that_dies_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the system takes its memory: an error in words, not a hanging page."""
    program = tmp_path / "dies"
    program.write_text("#!/bin/sh\necho '[\"at\", 0.5]'\nkill -9 $$\n")
    program.chmod(0o755)
    monkeypatch.setattr(reading_apart, "own_command", lambda: [str(program)])
    with pytest.raises(ExaminationError, match="ended unexpectedly"):
        examine_apart(tmp_path / "any.destutter", 0.0, _nothing)


def test_a_program_that_cannot_be_started_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when an update takes the program away while its window is open."""
    monkeypatch.setattr(reading_apart, "own_command", lambda: [str(tmp_path / "gone")])
    with pytest.raises(ExaminationError, match="No such file"):
        examine_apart(tmp_path / "any.destutter", 0.0, _nothing)


def test_a_file_is_taken_into_the_folder(tmp_path: Path) -> None:
    """Like in this process, and its errors have words too."""
    source = write_flight(tmp_path / "flight.destutter", Flight(1))
    made = import_apart(source, tmp_path / "sessions", lambda: None)
    assert describe(made).problem is None
    with pytest.raises(RecordingError, match="among the recordings already"):
        import_apart(made, tmp_path / "sessions", lambda: None)


def test_half_an_import_leaves_nothing(tmp_path: Path) -> None:
    """What is cancelled takes its partial file away."""
    log = tmp_path / "Game.csv"
    with log.open("w") as file:
        file.write("fps,frametime,elapsed\n")
        file.writelines(f"60,16.7,{at * 16_700_000}\n" for at in range(1, 200_001))
    folder = tmp_path / "sessions"

    def check() -> None:
        if any(folder.glob(".*.part")):
            raise JobCancelled

    with pytest.raises(JobCancelled):
        import_apart(log, folder, check)
    assert list(folder.iterdir()) == []


def _children() -> set[str]:
    pid = os.getpid()
    return set(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
