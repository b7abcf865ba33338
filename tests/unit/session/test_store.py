# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of sessions."""

import errno
import os
from pathlib import Path

import pytest

from destutter.core.sample import Facts, Header
from destutter.core.statement import Statement
from destutter.session.format import RecordingError
from destutter.session.store import SessionStore, StoredSession
from tests.unit.session.streams import HEADER, SECOND_NS, record, ticks

FIRST = HEADER.monotonic_ns


@pytest.fixture
def store(tmp_path):
    """An old session with a game, a newer one without, and a note."""
    facts = Facts(FIRST, {"game.name": "X-Plane"})
    over = Facts(FIRST + 9, {"game.name": ""})
    folder = tmp_path / "sessions"
    folder.mkdir()
    record(folder / "old flight.destutter", [facts, *ticks(31), over, *ticks(1)])
    newer = Header(FIRST - SECOND_NS, HEADER.wall_time + 3600, 100)
    record(folder / "new.destutter", ticks(100), newer)
    (folder / "notes.txt").write_text("mine")
    return SessionStore(folder)


def test_sessions_are_listed_with_what_they_hold(store):
    """Newest first: name, date of the first sample, length, game and size of each recording."""
    new, old = store.sessions()
    assert (new.name, new.duration_s, new.game) == ("new", pytest.approx(9.9), "")
    assert new.start_wall_time == HEADER.wall_time + 3601
    assert (old.name, old.duration_s, old.game) == ("old flight", pytest.approx(3.0), "X-Plane")
    assert old.size_bytes == old.path.stat().st_size
    assert new.problem is None


def test_recording_begins_when_it_was_begun(tmp_path):
    """Not when what holds at its beginning was said, such as the game: a minute before here."""
    minute_ns = 60 * SECOND_NS
    said_before = Facts(FIRST, {"game.name": "X-Plane"})
    header = Header(FIRST + minute_ns, HEADER.wall_time + 60, 100)
    record(tmp_path / "second.destutter", [said_before, *ticks(11, FIRST + minute_ns)], header)
    [listed] = SessionStore(tmp_path).sessions()
    assert listed.start_wall_time == HEADER.wall_time + 60
    assert listed.duration_s == pytest.approx(1.0)
    assert listed.game == "X-Plane"


def test_missing_folder_is_an_empty_list(tmp_path):
    """Before the first recording there is no folder, and no error."""
    assert SessionStore(tmp_path / "none").sessions() == []


def test_folder_that_cannot_be_read_is_told(tmp_path):
    """A file where the folder should be is an error in words."""
    (tmp_path / "sessions").write_text("")
    with pytest.raises(RecordingError, match="Not a directory"):
        SessionStore(tmp_path / "sessions").sessions()


def test_recordings_that_cannot_be_opened_are_listed_with_the_reason(store):
    """Empty, foreign and newer files stay in the list, last, each with its own words."""
    data = bytearray((store.folder / "new.destutter").read_bytes())
    data[16:20] = bytes((9, 0, 9, 0))
    (store.folder / "newer.destutter").write_bytes(data)
    (store.folder / "empty.destutter").write_bytes(b"")
    (store.folder / "foreign.destutter").write_bytes(b"hello" * 9)
    (store.folder / "folder.destutter").mkdir()
    listed = {session.name: session for session in store.sessions()}
    assert [name for name, session in listed.items() if session.problem is None] == [
        "new",
        "old flight",
    ]
    assert listed["empty"].problem == Statement("session.empty")
    assert listed["foreign"].problem == Statement("session.no_recording")
    assert listed["folder"].problem == Statement("session.folder_no_recording")
    assert listed["newer"].problem.id == "session.too_new"
    assert listed["newer"].size_bytes == len(data)
    assert listed["newer"].duration_s is None


@pytest.mark.parametrize("cut", [1, 60])
def test_torn_recordings_are_listed_with_what_is_left(store, cut):
    """A recording that was cut off has the length of its whole seconds."""
    path = store.folder / "new.destutter"
    path.write_bytes(path.read_bytes()[:-cut])
    (new,) = (session for session in store.sessions() if session.name == "new")
    assert new.problem is None
    assert new.duration_s == pytest.approx(8.9, abs=1.1)


def test_damaged_recordings_are_listed_with_their_whole_length(store):
    """Damage in the middle hides neither the end nor the game."""
    path = store.folder / "old flight.destutter"
    data = bytearray(path.read_bytes())
    second = data.index(b"\xd5\x9abK", data.index(b"\xd5\x9abK") + 1)
    data[second] = 0
    path.write_bytes(data)
    (old,) = (session for session in store.sessions() if session.name == "old flight")
    assert old.duration_s == pytest.approx(3.0)
    assert old.game == "X-Plane"


def test_renaming_keeps_the_recording(store):
    """A new name is the file's new name; its content is untouched."""
    new, _ = store.sessions()
    data = new.path.read_bytes()
    path = store.rename(new, "  with swappiness 10 ")
    assert path == store.folder / "with swappiness 10.destutter"
    assert path.read_bytes() == data
    assert not new.path.exists()
    assert store.rename(store.sessions()[0], "with swappiness 10") == path


def test_renaming_never_replaces_another(store):
    """A name that is taken is refused, and both recordings stay as they are."""
    new, old = store.sessions()
    with pytest.raises(RecordingError, match="already a recording with the name old flight"):
        store.rename(new, "old flight")
    assert [session.name for session in store.sessions()] == ["new", "old flight"]
    assert old.path.exists()


def test_renaming_works_without_links(store, monkeypatch):
    """On a file system without hard links it is a rename that still replaces nothing."""

    def no_links(source, target):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    new, _ = store.sessions()
    with pytest.raises(RecordingError, match="already a recording"):
        store.rename(new, "old flight")
    assert store.rename(new, "other").exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "needs a name"),
        ("   ", "needs a name"),
        (".hidden", "must not begin with a dot"),
        ("../above", "must not begin with a dot"),
        ("a/b", "nor contain /"),
        ("a\0b", "control signs"),
        ("a\nb", "control signs"),
        ("ü" * 101, "too long"),
    ],
)
def test_bad_names_are_refused_in_words(store, name, words):
    """Names that are none, hidden, paths, or too long change nothing."""
    new, _ = store.sessions()
    with pytest.raises(RecordingError, match=words):
        store.rename(new, name)
    assert new.path.exists()


def test_deleting_removes_the_file_once(store):
    """A deleted recording is gone; deleting it again is no error."""
    new, _ = store.sessions()
    store.delete(new)
    store.delete(new)
    assert [session.name for session in store.sessions()] == ["old flight"]


def test_files_elsewhere_are_not_touched(store, tmp_path):
    """A session that is not in the folder is neither renamed nor deleted."""
    other = tmp_path / "other.destutter"
    other.write_bytes(b"")
    foreign = StoredSession(other, 0, None, None, "", None)
    with pytest.raises(RecordingError, match="not in the folder"):
        store.delete(foreign)
    with pytest.raises(RecordingError, match="not in the folder"):
        store.rename(foreign, "x")
    assert other.exists()


def test_what_the_disk_refuses_is_told(store):
    """Errors of the file system become words: a recording that is a folder, or has gone."""
    folder = store.folder / "folder.destutter"
    folder.mkdir()
    listed = {session.name: session for session in store.sessions()}
    with pytest.raises(RecordingError, match="cannot be deleted"):
        store.delete(listed["folder"])
    Path(listed["new"].path).unlink()
    with pytest.raises(RecordingError, match="cannot be renamed: No such file"):
        store.rename(listed["new"], "x")
