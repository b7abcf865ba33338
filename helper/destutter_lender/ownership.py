# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a process is the user's own, with no more rights, and lets itself be looked at.

The kernel gives the files of a program that is not to be looked at (it said so, or it has more
rights than its user) to root of its user namespace (task_dump_owner in fs/proc/base.c). That is
root of the computer, as a rule; in a container without root, or behind `unshare -r`, it is the
user. There the owner of a file tells nothing, not even whose program it is.
"""

import os

_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
_MOST_BYTES = 16384  # all of uid_map, which has 340 lines at most


class OwnProcesses:
    """For user ``uid``, as whom this process runs."""

    def __init__(self, uid: int) -> None:
        self._uid = uid
        own = os.stat("/proc/self/ns/user")
        self._namespace = own.st_dev, own.st_ino

    def is_own(self, folder: int) -> bool:
        """Of the process whose folder in /proc is open as ``folder``. No, where it is not sure."""
        try:
            if os.fstat(folder).st_uid != self._uid:
                return False
            if os.stat("stat", dir_fd=folder, follow_symlinks=False).st_uid != self._uid:
                return False
            is_same = _user_ids(folder) == [self._uid] * 4
            return is_same and (self._is_here(folder) or self._is_root_another(folder))
        except (OSError, ValueError):
            return False

    def _is_here(self, folder: int) -> bool:
        """Whether it is in our own user namespace; one that cannot be looked at is another."""
        try:
            found = os.stat("ns/user", dir_fd=folder)
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == self._namespace

    def _is_root_another(self, folder: int) -> bool:
        """Whether the user is not root of its namespace: then the owner of its files is true.

        A game in Steam's or Flatpak's sandbox is in one where the user is itself, without a root.
        """
        lines = _text(folder, "uid_map").splitlines()
        starts = [tuple(map(int, line.split()))[:2] for line in lines]
        return bool(starts) and (0, self._uid) not in starts


def _user_ids(folder: int) -> list[int]:
    """Real, effective, saved and of the file system."""
    for line in _text(folder, "status").splitlines():
        if line.startswith(b"Uid:"):
            return [int(word) for word in line.split()[1:]]
    return []


def _text(folder: int, name: str) -> bytes:
    descriptor = os.open(name, _READ, dir_fd=folder)
    try:
        return os.read(descriptor, _MOST_BYTES)
    finally:
        os.close(descriptor)
