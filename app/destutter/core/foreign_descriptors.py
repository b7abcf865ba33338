# SPDX-License-Identifier: GPL-3.0-or-later
"""Descriptors that another program sent: what is done with them must not wait for that program.

Closing one waits for as long as its sender likes: a TCP socket with unsent bytes and SO_LINGER
(a linger of 8 s held up a read for 8.1 s), a socket in whose queue such a one lies, or a file of a
file system that the sender serves.
"""

import errno
import os
import socket
import struct
import threading
from collections.abc import Sequence
from contextlib import suppress

_OWN = "/proc/self/fd"
_MOST_LEFT = 253  # of one message at most; one more may come on top, and 4,096 may be open
_NO_LINGER = struct.pack("ii", 1, 0)  # what was not sent is thrown away at once


class DescriptorCloser:
    """Closes in threads of its own."""

    def __init__(self) -> None:
        self._left = 0
        self._lock = threading.Lock()

    @property
    def is_behind(self) -> bool:
        """Whether so many are still to be closed that no more should be taken."""
        return self._left > _MOST_LEFT

    def close(self, descriptors: Sequence[int]) -> None:
        """They are the closer's from now on. Does not wait."""
        if descriptors:
            with self._lock:
                self._left += len(descriptors)
            work = (tuple(descriptors),)
            # Not waited for at the end of the program: the kernel lets no socket linger then.
            threading.Thread(target=self._close, args=work, name="closing", daemon=True).start()

    def _close(self, descriptors: tuple[int, ...]) -> None:
        for descriptor in descriptors:
            _linger_not(descriptor)
            with suppress(OSError):
                os.close(descriptor)
            with self._lock:
                self._left -= 1


def _linger_not(descriptor: int) -> None:
    """Spares a thread that waits; the sender may undo it, so that this alone is not enough."""
    with suppress(OSError):  # it is no socket
        seen = socket.socket(fileno=descriptor)
        try:
            seen.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        finally:
            seen.detach()


def pipe_of_own(descriptor: int, mode: int) -> int:
    """The pipe that it leads to, opened anew: there reading and writing never wait.

    The flags of the one that was sent are its sender's too. ``mode``: O_RDONLY or O_WRONLY. The
    one that was sent stays open; closing it does not wait. Raises ``OSError`` for what is no pipe
    without a name: opening anything else may wait, and so may asking the file what it is.
    """
    path = f"{_OWN}/{descriptor}"
    if not os.readlink(path).startswith("pipe:["):  # a file's path begins with a slash
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    return os.open(path, mode | os.O_NONBLOCK)
