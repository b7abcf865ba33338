# SPDX-License-Identifier: GPL-3.0-or-later
"""One test at a time on this computer's kernel settings, also among several test runs.

Two tests that each remember and put back the settings would otherwise restore each other's
changes.
"""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

LOCK = Path(tempfile.gettempdir()) / "destutter-kernel-tests.lock"


@contextlib.contextmanager
def alone_with_the_kernel() -> Iterator[None]:
    """Waits until no other test changes kernel settings, and keeps others waiting."""
    fd = os.open(LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)
