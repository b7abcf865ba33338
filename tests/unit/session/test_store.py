# SPDX-License-Identifier: GPL-3.0-or-later
"""What the list of sessions shows of one recording, and its name."""

import errno
import os

import pytest

from destutter.core.sample import Facts, Header
from destutter.core.statement import Statement
from destutter.session.format import RecordingError
from destutter.session.store import describe, rename
from tests.unit.session.streams import HEADER, SECOND_NS, record, ticks

FIRST = HEADER.monotonic_ns


@pytest.fixture
def folder(tmp_path):
    """An old session with a game, and a newer one without."""
    facts = Facts(FIRST, {"game.name": "X-Plane"})
    over = Facts(FIRST + 9, {"game.name": ""})
    folder = tmp_path / "sessions"
    folder.mkdir()
    record(folder / "old flight.destutter", [facts, *ticks(31), over, *ticks(1)])
    newer = Header(FIRST - SECOND_NS, HEADER.wall_time + 3600, 100)
    record(folder / "new.destutter", ticks(100), newer)
    return folder


@pytest.fixture
def new(folder):
    """The newer one."""
    return folder / "new.destutter"


def test_a_recording_is_told_by_what_it_holds(folder, new):
    """Name, date of the first sample, length, game and size."""
    told, old = describe(new), describe(folder / "old flight.destutter")
    assert (told.name, told.game) == ("new", "")
    assert told.duration_s == pytest.approx(9.9)
    assert told.start_wall_time == HEADER.wall_time + 3601
    assert (old.name, old.game) == ("old flight", "X-Plane")
    assert old.duration_s == pytest.approx(3.0)
    assert old.size_bytes == old.path.stat().st_size
    assert told.problem is None


def test_a_recording_of_two_games_is_named_after_the_last(tmp_path):
    """A trial for a game is compared with its last flight: else with that of the game before."""
    first, over = Facts(FIRST, {"game.name": "DCS"}), Facts(FIRST + 5, {"game.name": ""})
    second = Facts(FIRST + 9, {"game.name": "X-Plane"})
    path = tmp_path / "two.destutter"
    record(path, [first, *ticks(31), over, second, *ticks(31, FIRST + 4 * SECOND_NS)])
    assert describe(path).game == "X-Plane"


def test_recording_begins_when_it_was_begun(tmp_path):
    """Not when what holds at its beginning was said, such as the game: a minute before here."""
    minute_ns = 60 * SECOND_NS
    said_before = Facts(FIRST, {"game.name": "X-Plane"})
    header = Header(FIRST + minute_ns, HEADER.wall_time + 60, 100)
    record(tmp_path / "second.destutter", [said_before, *ticks(11, FIRST + minute_ns)], header)
    listed = describe(tmp_path / "second.destutter")
    assert listed.start_wall_time == HEADER.wall_time + 60
    assert listed.duration_s == pytest.approx(1.0)
    assert listed.game == "X-Plane"


def test_what_cannot_be_opened_is_told_with_the_reason(folder, new):
    """Empty, foreign and newer files, and a folder: each with its own words."""
    data = bytearray(new.read_bytes())
    data[16:20] = bytes((9, 0, 9, 0))
    (folder / "newer.destutter").write_bytes(data)
    (folder / "empty.destutter").write_bytes(b"")
    (folder / "foreign.destutter").write_bytes(b"hello" * 9)
    (folder / "folder.destutter").mkdir()
    newer, empty, foreign, directory = (
        describe(folder / f"{name}.destutter") for name in ("newer", "empty", "foreign", "folder")
    )
    assert empty.problem == Statement("session.empty")
    assert foreign.problem == Statement("session.no_recording")
    assert directory.problem == Statement("session.folder_no_recording")
    assert newer.problem is not None
    assert newer.problem.id == "session.too_new"
    assert newer.size_bytes == len(data)
    assert newer.duration_s is None


@pytest.mark.parametrize("cut", [1, 60])
def test_torn_recordings_are_told_with_what_is_left(new, cut):
    """A recording that was cut off has the length of its whole seconds."""
    new.write_bytes(new.read_bytes()[:-cut])
    told = describe(new)
    assert told.problem is None
    assert told.duration_s == pytest.approx(8.9, abs=1.1)


def test_damaged_recordings_are_told_with_their_whole_length(folder):
    """Damage in the middle hides neither the end nor the game."""
    path = folder / "old flight.destutter"
    data = bytearray(path.read_bytes())
    second = data.index(b"\xd5\x9abK", data.index(b"\xd5\x9abK") + 1)
    data[second] = 0
    path.write_bytes(data)
    old = describe(path)
    assert old.duration_s == pytest.approx(3.0)
    assert old.game == "X-Plane"


def test_renaming_keeps_the_recording(folder, new):
    """A new name is the file's new name; its content is untouched."""
    data = new.read_bytes()
    path = rename(new, "  with swappiness 10 ")
    assert path == folder / "with swappiness 10.destutter"
    assert path.read_bytes() == data
    assert not new.exists()
    assert rename(path, "with swappiness 10") == path


def test_renaming_never_replaces_another(folder, new):
    """A name that is taken is refused, and both recordings stay as they are."""
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(RecordingError, match="already a recording with the name old flight"):
        rename(new, "old flight")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_renaming_works_without_links(new, monkeypatch):
    """On a file system without hard links it is a rename that still replaces nothing."""

    def no_links(source, target):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    with pytest.raises(RecordingError, match="already a recording"):
        rename(new, "old flight")
    assert rename(new, "other").exists()


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
def test_bad_names_are_refused_in_words(new, name, words):
    """Names that are none, hidden, paths, or too long change nothing."""
    with pytest.raises(RecordingError, match=words):
        rename(new, name)
    assert new.exists()


def test_what_the_disk_refuses_is_told(new):
    """An error of the file system becomes words: a recording that has gone meanwhile."""
    new.unlink()
    with pytest.raises(RecordingError, match="cannot be renamed: No such file"):
        rename(new, "x")
