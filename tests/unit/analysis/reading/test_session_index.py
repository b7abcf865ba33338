# SPDX-License-Identifier: GPL-3.0-or-later
"""The index beside the recordings: quick, and never trusted over the files."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.analysis.reading import session_index
from destutter.analysis.reading.session_index import INDEX_NAME, VERSION, read_sessions
from destutter.session.format import RecordingError
from destutter.session.store import StoredSession, describe
from tests.support.long_flights import Flight, write_flight


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two recordings and a file that is none."""
    write_flight(tmp_path / "old.destutter", Flight(1, wall_time=1_700_000_000.0))
    write_flight(tmp_path / "new.destutter", Flight(1, wall_time=1_700_009_000.0, game="Other"))
    (tmp_path / "broken.destutter").write_bytes(b"hello")
    (tmp_path / "notes.txt").write_text("no recording")
    return tmp_path


def test_newest_comes_first_and_what_cannot_be_read_last(folder: Path) -> None:
    """Three files, each with what is known of it; other files are not looked at."""
    found = read_sessions(folder)
    assert [each.name for each in found] == ["new", "old", "broken"]
    assert [each.game for each in found] == ["Other", "X-Plane 12", ""]
    assert found[0].duration_s == pytest.approx(60, abs=1)
    assert found[2].problem is not None


def test_known_files_are_not_opened_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second reading opens nothing but what could not be read before."""
    first = read_sessions(folder)
    opened: list[str] = []

    def noted(path: Path) -> StoredSession:
        opened.append(path.name)
        return describe(path)

    monkeypatch.setattr(session_index, "describe", noted)
    assert read_sessions(folder) == first
    assert opened == ["broken.destutter"]


def test_a_changed_file_is_read_again(folder: Path) -> None:
    """Size or time of change differ: what the index says is old."""
    read_sessions(folder)
    (folder / "old.destutter").unlink()
    write_flight(folder / "old.destutter", Flight(2, wall_time=1_700_000_000.0))
    found = {each.name: each for each in read_sessions(folder)}
    assert found["old"].duration_s == pytest.approx(120, abs=1)


def test_missing_folder_is_an_empty_list(tmp_path: Path) -> None:
    """Nobody has recorded yet."""
    assert read_sessions(tmp_path / "none") == ()


def test_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    """In words."""
    place = tmp_path / "file"
    place.write_text("")
    with pytest.raises(RecordingError, match="file"):
        read_sessions(place)


def test_progress_is_told_for_each_file(folder: Path) -> None:
    """How many, and of how many."""
    told: list[tuple[int, int]] = []
    read_sessions(folder, lambda at, count: told.append((at, count)))
    assert told == [(0, 3), (1, 3), (2, 3)]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=9,
)


@given(st.binary(max_size=60) | _JSON.map(lambda value: json.dumps(value).encode()))
def test_any_index_is_at_most_slow(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """A damaged or foreign index changes nothing in the answer."""
    place = tmp_path_factory.mktemp("index")
    (place / "broken.destutter").write_bytes(b"hello")
    (place / INDEX_NAME).write_bytes(data)
    (only,) = read_sessions(place)
    assert only.problem is not None


@given(_JSON)
def test_any_entry_of_an_index_is_checked(
    tmp_path_factory: pytest.TempPathFactory, entry: object
) -> None:
    """An entry of a wrong kind is not believed."""
    place = tmp_path_factory.mktemp("index")
    path = place / "broken.destutter"
    path.write_bytes(b"hello")
    os.utime(path, ns=(5, 5))
    body = {"version": VERSION, "files": {path.name: entry}}
    (place / INDEX_NAME).write_text(json.dumps(body))
    (only,) = read_sessions(place)
    assert only.problem is not None
