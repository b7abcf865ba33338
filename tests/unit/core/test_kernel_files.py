# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading kernel files below a root: absent, unreadable and unparsable are kept apart."""

import errno
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFileDeniedError, KernelFileError, KernelFiles
from destutter.sampling.files.kept_file import KeptFile


@pytest.fixture
def files(tmp_path):
    """A tree with one text and one number."""
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "text").write_text("none [bfq]\n")
    (tmp_path / "proc" / "number").write_text("42\n")
    return KernelFiles(tmp_path)


def kept_file(files, path):
    """The file held open; it exists."""
    kept = KeptFile(files, path)
    assert kept.find() is not None
    return kept


def test_a_missing_file_is_none(files):
    """What does not exist is None for every way of reading, and an empty list of names."""
    assert files.read_bytes("/proc/nothing") is None
    assert files.read_text("/proc/nothing") is None
    assert files.read_int("/proc/text/below") is None
    assert files.open("/proc/nothing") is None
    assert KeptFile(files, "/proc/nothing").find() is None
    assert files.list_names("/proc/nothing") == []
    assert files.resolve("/proc/nothing") is None
    assert not files.exists("/proc/nothing")


def test_text_and_numbers_are_read(files):
    """Text comes without the newline, a number as such; names are sorted."""
    assert files.read_text("/proc/text") == "none [bfq]"
    assert files.read_int("/proc/number") == 42
    assert files.list_names("/proc") == ["number", "text"]
    assert files.is_file("/proc/text")
    assert not files.is_file("/proc")


def test_a_file_that_is_no_number_names_its_path_and_line(files):
    """An unparsable file raises with path, line and reason in words."""
    with pytest.raises(KernelFileError, match=r"/proc/text, line 1: .*not a whole number") as info:
        files.read_int("/proc/text")
    assert (info.value.path, info.value.line) == ("/proc/text", 1)


def test_bytes_that_are_no_text_are_an_error(files, tmp_path):
    """A binary file asked for as text raises."""
    (tmp_path / "proc" / "text").write_bytes(b"\xff\xfe")
    with pytest.raises(KernelFileError, match="is not text"):
        files.read_text("/proc/text")


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (errno.EACCES, KernelFileDeniedError),
        (errno.EPERM, KernelFileDeniedError),
        (errno.EIO, KernelFileError),
        (errno.EOPNOTSUPP, None),
        (errno.ENODEV, None),
        (errno.ESRCH, None),
        (errno.EINVAL, None),
    ],
)
def test_errors_of_the_kernel_have_three_outcomes(files, monkeypatch, number, expected):
    """Refused raises Denied, broken raises, gone or not supported is None, at open and at read."""
    kept = kept_file(files, "/proc/text")

    def fail(*_arguments):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.pread", fail)
    monkeypatch.setattr("os.read", fail)
    reads = [kept.find, lambda: files.read_bytes("/proc/text")]
    for read in reads:
        if expected is None:
            assert read() is None
            continue
        with pytest.raises(expected) as info:
            read()
        assert type(info.value) is expected
    kept.close()


def test_an_error_in_a_later_piece_of_a_file_is_translated(files, tmp_path, monkeypatch):
    """A device that goes between two pieces of its file is None and no traceback."""
    (tmp_path / "proc" / "text").write_bytes(b"x" * 2000)
    kept = kept_file(files, "/proc/text")
    real = os.pread

    def fail_later(descriptor, size, offset):
        if offset:
            raise OSError(errno.ENODEV, "gone")
        return real(descriptor, size, offset)

    monkeypatch.setattr("os.pread", fail_later)
    assert kept.find() is None
    kept.close()


@given(st.integers(0, 70_000))
def test_a_kept_file_is_read_whole(tmp_path_factory, size):
    """A kept file of any size is read from its beginning to its end, again and again."""
    path = tmp_path_factory.getbasetemp() / "whole"
    data = os.urandom(size)
    path.write_bytes(data)
    kept = kept_file(KernelFiles(path.parent), "/whole")
    assert kept.read() == data
    assert kept.read() == data
    kept.close()


def test_pieces_of_a_file_are_put_together(files, tmp_path, monkeypatch):
    """A file that the kernel hands out in pieces of a page is the same as one in a piece."""
    data = b"".join(b"line %d\n" % number for number in range(3000))
    (tmp_path / "proc" / "text").write_bytes(data)
    real = os.pread
    monkeypatch.setattr(
        "os.pread",
        lambda fd, size, offset: real(fd, min(size, 4096), offset),
    )
    kept = kept_file(files, "/proc/text")
    assert kept.read() == data
    kept.close()


def test_a_link_is_resolved_below_the_root(files, tmp_path):
    """A symbolic link leads to a path below the root, named as the kernel names it."""
    (tmp_path / "proc" / "link").symlink_to("number")
    assert files.resolve("/proc/link") == "/proc/number"
    assert files.read_link("/proc/link") == "number"
    assert files.read_link("/proc/number") is None
    assert files.read_link("/proc/nothing") is None
    assert KernelFiles("/").is_live
    assert not files.is_live
