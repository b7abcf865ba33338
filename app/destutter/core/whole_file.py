# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing a file so that a crash, or a full disk, leaves the old one or the new one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

PRIVATE, USUAL, PROGRAM = 0o600, 0o666, 0o777
"""Who may read a new file: the user; whom the umask allows; and it can be started."""


def write_whole_file(path: Path, data: bytes, mode: int = PRIVATE) -> None:
    """Replace a file in one step. Raises ``OSError``, and leaves nothing behind then."""
    with whole_file(path, mode) as file:
        file.write(data)


@contextmanager
def whole_file(path: Path, mode: int = PRIVATE) -> Iterator[BinaryIO]:
    """The same for what is written piece by piece; the old file stays where that is broken off."""
    # A name of its own length: that of the file may already be the longest there is.
    partial = path.with_name(f".destutter-{os.getpid()}-{os.urandom(4).hex()}.part")
    try:
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        # Without fsync: a program that ends halfway is meant, not a power cut, and a flush in
        # a game's time is a disturbance itself.
        with open(descriptor, "wb") as file:
            yield file
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise
