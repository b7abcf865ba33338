# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw access to kernel files below a root directory, component by component."""

import errno
import os
import stat

from destutter_helper.api.tunables import DEVICE_KINDS

ABSENT = frozenset(
    {errno.ENOENT, errno.ENOTDIR, errno.ENODEV, errno.ENXIO, errno.ESRCH, errno.EOPNOTSUPP}
)
_FOLLOWED = frozenset(kind.directory.lstrip("/") for kind in DEVICE_KINDS.values())
_READ_SIZE = 64 * 1024


class KernelTree:
    """Files of the kernel below ``root``: "/" for the running kernel, else a scratch tree.

    Every directory on the way is opened by itself and no symbolic link is followed, except the
    kernel's own from a device's name to the device. A file that lies on another file system than
    the /proc or /sys it is named under (something mounted over it) is refused.
    """

    def __init__(self, root: str = "/") -> None:
        self.is_live = os.path.realpath(root) == "/"
        self._root_fd = os.open(root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)

    def close(self) -> None:
        """Closes the root directory."""
        os.close(self._root_fd)

    def read(self, path: str) -> bytes:
        """At most 64 KiB of a file, in one read. OSError."""
        fd = self._open(path, os.O_RDONLY)
        try:
            return os.read(fd, _READ_SIZE)
        finally:
            os.close(fd)

    def write(self, path: str, data: bytes) -> None:
        """Writes ``data`` in exactly one write. OSError, also when the kernel took only a part."""
        fd = self._open(path, os.O_WRONLY)
        try:
            if not self.is_live:
                os.ftruncate(fd, 0)  # a kernel file is replaced by a write, a plain file is not
            if os.write(fd, data) != len(data):
                raise OSError(errno.EIO, "only a part was taken")
        finally:
            os.close(fd)

    def check_writable(self, path: str) -> None:
        """Opens for writing without writing: finds a read-only mount (EROFS) beforehand."""
        os.close(self._open(path, os.O_WRONLY))

    def open_device(self, path: str) -> int:
        """A descriptor of a device node for reading and writing; the caller closes it."""
        fd = self._open(path, os.O_RDWR)
        if self.is_live and not stat.S_ISCHR(os.fstat(fd).st_mode):
            os.close(fd)
            raise OSError(errno.ENODEV, "is not a device")
        return fd

    def names(self, path: str) -> list[str]:
        """The names in a directory, sorted; empty when there is no such directory."""
        try:
            fd = self._open(path, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            if error.errno in ABSENT:
                return []
            raise
        try:
            return sorted(os.listdir(fd))
        finally:
            os.close(fd)

    def inode(self, path: str) -> int:
        """The inode of a directory, which lives as long as the kernel object behind it."""
        parent, name = self._open_parent(path)
        try:
            return os.stat(name, dir_fd=parent).st_ino
        finally:
            os.close(parent)

    def link(self, path: str) -> str:
        """Where a symbolic link of the kernel points, as it is written there."""
        parent, name = self._open_parent(path)
        try:
            return os.readlink(name, dir_fd=parent)
        finally:
            os.close(parent)

    def thread_policy(self, pid: int) -> tuple[int, int]:
        """Scheduling policy and priority of a thread of the running kernel."""
        self._refuse_unless_live()
        return os.sched_getscheduler(pid), os.sched_getparam(pid).sched_priority

    def set_thread_policy(self, pid: int, policy: int, priority: int) -> None:
        """sched_setscheduler(2)."""
        self._refuse_unless_live()
        os.sched_setscheduler(pid, policy, os.sched_param(priority))

    def _refuse_unless_live(self) -> None:
        if not self.is_live:
            raise OSError(errno.EOPNOTSUPP, "a scratch tree has no threads")

    def _open(self, path: str, flags: int) -> int:
        parent, name = self._open_parent(path)
        try:
            fd = os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
            base = path.split("/", 2)[1]
            if base != "dev" and os.fstat(fd).st_dev != self._device_number(base):
                os.close(fd)
                raise OSError(errno.EXDEV, "something is mounted over it")
            return fd
        finally:
            os.close(parent)

    def _device_number(self, base: str) -> int:
        return os.stat(base, dir_fd=self._root_fd, follow_symlinks=False).st_dev

    def _open_parent(self, path: str) -> tuple[int, str]:
        *directories, name = path.strip("/").split("/")
        fd = os.dup(self._root_fd)
        walked = ""
        for part in directories:
            follow = 0 if walked in _FOLLOWED or part == "device" else os.O_NOFOLLOW
            flags = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC | follow
            if part in {"", ".", ".."}:
                os.close(fd)
                raise OSError(errno.EINVAL, "is not a path of the registry")
            try:
                below = os.open(part, flags, dir_fd=fd)
            finally:
                os.close(fd)
            fd = below
            walked = f"{walked}/{part}".lstrip("/")
        return fd, name
