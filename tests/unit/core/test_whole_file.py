# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that appear whole or not at all."""

import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from destutter.core.whole_file import whole_file, write_whole_file

LONGEST_NAME = "n" * 255


def test_what_is_written_replaces_what_was_there(tmp_path: Path) -> None:
    """And is nobody else's to read, unless that is asked for; the longest name works, too."""
    path = tmp_path / LONGEST_NAME
    path.write_bytes(b"old")
    write_whole_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == [LONGEST_NAME]


@pytest.mark.parametrize(("mode", "told"), [(0o666, 0o640), (0o777, 0o750), (0o600, 0o600)])
def test_the_user_decides_who_may_read_it(tmp_path: Path, mode: int, told: int) -> None:
    """The umask holds as for any other file that a program makes."""
    before = os.umask(0o027)
    try:
        write_whole_file(tmp_path / "file", b"", mode)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == told


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    """The kernel says so only while the data goes out."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    limit = _limit_of_files(4)
    try:
        with pytest.raises(OSError, match="File too large"):
            write_whole_file(path, b"too much")
    finally:
        _limit_of_files(limit)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_what_is_broken_off_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    """Also where it is written piece by piece."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with suppress(KeyboardInterrupt), whole_file(path) as file:
        file.write(b"new")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def _limit_of_files(size_bytes: int) -> int:
    """Let no file of this process grow beyond it; returns the limit of before."""
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, hard))
    return before
