# SPDX-License-Identifier: GPL-3.0-or-later
"""One test at a time on this computer's kernel settings, also among several test runs.

Two tests that each remember and put back the settings would otherwise restore each other's
changes. The lock is a name in the kernel, because a run in a chroot has files of its own.
"""

import contextlib
import errno
import socket
import time
from collections.abc import Iterator

NAME = "\0destutter-kernel-tests"
POLL_S = 0.05


class _Holders:
    """How many contexts of this process hold the lock: one may stand within another."""

    count = 0


@contextlib.contextmanager
def alone_with_the_kernel() -> Iterator[None]:
    """Waits until no other test changes kernel settings, and keeps others waiting.

    Within another such context of this process there is nothing to wait for.
    """
    with contextlib.nullcontext() if _Holders.count else _lock():
        _Holders.count += 1
        try:
            yield
        finally:
            _Holders.count -= 1


@contextlib.contextmanager
def _lock() -> Iterator[None]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as lock:
        while True:
            try:
                lock.bind(NAME)
                break
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
            time.sleep(POLL_S)
        yield
