# SPDX-License-Identifier: GPL-3.0-or-later
"""One lender for each bus, decided before anything is imported that takes time and memory.

Who may own the lender's name can take it while one starts, and let it go: each call then starts
another. 150 of them took 1.3 GB until each had seen that it does not get the name.
"""

import binascii
import fcntl
import os
import stat
from collections.abc import Mapping

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
_FILE = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class TakenError(Exception):
    """Another lender serves this bus, or is about to."""


class OnlyOne:
    """Being the one on the bus of ``environment``. Raises ``TakenError``.

    Without a folder for the time of the session, of this user's alone, nothing is locked: whoever
    may write there could keep the lock.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._descriptor = -1
        address = environment.get("DBUS_SESSION_BUS_ADDRESS", "")
        name = f"destutter-lender-{binascii.crc32(address.encode('utf-8', 'replace')):08x}.lock"
        try:
            self._descriptor = _opened(environment.get("XDG_RUNTIME_DIR", ""), name)
        except OSError:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise TakenError from None
        except OSError:  # a file system without locks
            self.release()

    def release(self) -> None:
        """Before the bus sees that this lender goes: the next call starts one at once."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _opened(folder: str, name: str) -> int:
    if not folder.startswith("/"):
        raise FileNotFoundError(folder)
    place = os.open(folder, _FOLDER)
    try:
        found = os.fstat(place)
        if found.st_uid != os.getuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise PermissionError(folder)
        return os.open(name, _FILE, 0o600, dir_fd=place)
    finally:
        os.close(place)
