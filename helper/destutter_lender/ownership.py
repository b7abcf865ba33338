# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a process is the user's own, with no more rights, and lets itself be looked at.

The kernel gives the files of a program that is not to be looked at (it said so, or it has more
rights than its user) to root of its user namespace (task_dump_owner in fs/proc/base.c). That is
root of the computer, as a rule; in a container without root, or behind `unshare -r`, it is the
user. There the owner of a file tells nothing, not even whose program it is.
"""

import os
from contextlib import suppress

_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
_MOST_BYTES = 16384  # all of uid_map, which has 340 lines at most
_WAKE_ALARM = 1 << 35
"""CAP_WAKE_ALARM, which systemd gives to every program of a desktop's session (pam_systemd(8))."""


class OwnProcesses:
    """For user ``uid`` with group ``gid``, as whom this process runs."""

    def __init__(self, uid: int, gid: int) -> None:
        self._uid = uid
        self._ids = {b"Uid:": [uid] * 4, b"Gid:": [gid] * 4}
        self._rights = _rights(_text_of("/proc/self/status")) | _WAKE_ALARM
        self._map = _text_of("/proc/self/uid_map")
        own = os.stat("/proc/self/ns/user")
        self._namespace = own.st_dev, own.st_ino

    def is_own(self, folder: int) -> bool:
        """Of the process whose folder in /proc is open as ``folder``. No, where it is not sure."""
        try:
            if os.fstat(folder).st_uid != self._uid:
                return False
            if os.stat("stat", dir_fd=folder, follow_symlinks=False).st_uid != self._uid:
                return False
            status = _text(folder, "status")
            if _ids(status) != self._ids:
                return False
            ids = self._map if self._is_here(folder) else _text(folder, "uid_map")
            if ids == self._map:
                return not _rights(status) & ~self._rights
            return self._is_root_another(ids)
        except (OSError, ValueError):
            return False

    def has_own_ids(self, status: str) -> bool:
        """Whether this text of a status has the user's and the group's alone."""
        with suppress(ValueError):
            return _ids(status.encode()) == self._ids
        return False

    def _is_here(self, folder: int) -> bool:
        """Whether it is seen to be in our own user namespace.

        That of a program with more rights than ours is not shown, nor is a sandbox's always: the
        ids in it tell them apart.
        """
        try:
            found = os.stat("ns/user", dir_fd=folder)
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == self._namespace

    def _is_root_another(self, ids: bytes) -> bool:
        """Whether the user is not root of its namespace: then the owner of its files is true.

        A game in Steam's or Flatpak's sandbox is in one where the user is itself, without a root.
        """
        starts = [tuple(map(int, line.split()))[:2] for line in ids.splitlines()]
        return bool(starts) and (0, self._uid) not in starts


def _ids(status: bytes) -> dict[bytes, list[int]]:
    """Real, effective, saved and of the file system: of the user and of the group."""
    words = [line.split() for line in status.splitlines() if line.startswith((b"Uid:", b"Gid:"))]
    return {name: list(map(int, ids)) for name, *ids in words}


def _rights(status: bytes) -> int:
    """The capabilities that it may use: of one in our namespace they count as here.

    A program gets them by its file, and is hidden, or by whoever started it (ambient ones).
    """
    start = status.index(b"\nCapPrm:\t") + len(b"\nCapPrm:\t")
    return int(status[start : start + 16], 16)


def _text(folder: int, name: str) -> bytes:
    return _text_of(name, folder)


def _text_of(path: str, folder: int | None = None) -> bytes:
    descriptor = os.open(path, _READ, dir_fd=folder)
    try:
        return os.read(descriptor, _MOST_BYTES)
    finally:
        os.close(descriptor)
