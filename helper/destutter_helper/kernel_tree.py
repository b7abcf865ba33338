# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw access to kernel files below a root directory, component by component."""

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from destutter_helper.api.devices import ABSENT
from destutter_helper.api.statement import Said
from destutter_helper.api.tunables import DEVICE_KINDS

_FOLLOWED = frozenset(kind.directory.lstrip("/") for kind in DEVICE_KINDS.values())
_READ_SIZE = 64 * 1024  # no setting is longer; in one read, so that all of it is of one moment
TRACING, SECURITY = "/sys/kernel/tracing", "/sys/kernel/security"
"""Where tracefs and securityfs are mounted: the file systems below /sys besides sysfs that are
ours to use. The second one says whether the kernel is locked."""


class OwnError(OSError):
    """An error that is ours, where the kernel's own are expected."""

    def __init__(self, number: int, said: Said) -> None:
        super().__init__(number, str(said))
        self.said = said


def why(error: OSError) -> Said | str:
    """What an error says: ours with its id, the system's in its own words."""
    return error.said if isinstance(error, OwnError) else str(error.strerror or error)


class Life(NamedTuple):
    """The directory of a device, and the inode that it has as long as the device is there."""

    path: str
    inode: int


class KernelTree:
    """Files of the kernel below ``root``: "/", or a directory where they are mounted for tests.

    Every directory on the way is opened by itself and no symbolic link is followed, except the
    kernel's own from a device's name to the device. A file that lies on another file system than
    the /proc, /sys or tracefs it is named under (something mounted over it) is refused. All
    methods may raise OSError.
    """

    def __init__(self, root: str = "/") -> None:
        self.root = root
        self._root_fd = os.open(root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)

    def close(self) -> None:
        os.close(self._root_fd)

    def read(self, path: str) -> bytes:
        """At most 64 KiB of a file, in one read."""
        with self._open(path, os.O_RDONLY) as fd:
            return os.read(fd, _READ_SIZE)

    def read_whole(self, path: str, most: int = _READ_SIZE) -> bytes:
        """At most so many bytes of a file, which tells about a page of memory in each read."""
        found = bytearray()
        with self._open(path, os.O_RDONLY) as fd:
            while len(found) < most and (more := os.read(fd, most - len(found))):
                found += more
        return bytes(found)

    def write(self, path: str, data: bytes, life: Life | None = None) -> None:
        """Writes ``data`` in exactly one write; an error also when only a part was taken.

        With ``life`` the file is opened through that directory, and only if it is still the one
        that was meant: under the same name there may be another drive by now.
        """
        with self._open(path, os.O_WRONLY, life) as fd:
            if os.write(fd, data) != len(data):
                raise OwnError(errno.EIO, Said("helper.kernel.only_a_part"))

    def write_list(self, path: str, data: bytes) -> None:
        """Writes a file that collects what is written, and forgets at the opening what it had."""
        with self._open(path, os.O_WRONLY | os.O_TRUNC) as fd:
            if os.write(fd, data) != len(data):
                raise OwnError(errno.EIO, Said("helper.kernel.only_a_part"))

    def check_writable(self, path: str) -> None:
        """Opens for writing without writing: finds a read-only mount (EROFS) beforehand."""
        with self._open(path, os.O_WRONLY):
            pass

    def open_device(self, path: str, flags: int = os.O_RDWR) -> int:
        """A descriptor of a device node; the caller closes it."""
        with self._open(path, flags) as fd:
            if not stat.S_ISCHR(os.fstat(fd).st_mode):
                raise OwnError(errno.ENODEV, Said("helper.kernel.no_device_node"))
            return os.dup(fd)

    def open_trace(self, path: str, flags: int) -> int:
        """A descriptor of a file of tracefs; the caller closes it."""
        with self._open(path, flags) as fd:
            return os.dup(fd)

    def make_instance(self, path: str) -> None:
        """Makes a directory of tracefs, in which the kernel puts the files of an instance."""
        with self._parent(path) as (parent, name):
            os.mkdir(name, dir_fd=parent)

    def remove_instance(self, path: str) -> None:
        """Removes it with its files; EBUSY while anybody has one of them open."""
        with self._parent(path) as (parent, name):
            os.rmdir(name, dir_fd=parent)

    def names(self, path: str) -> list[str]:
        """The names in a directory, sorted; empty when there is no such directory."""
        try:
            with self._open(path, os.O_RDONLY | os.O_DIRECTORY) as fd:
                return sorted(os.listdir(fd))
        except OSError as error:
            if error.errno in ABSENT:
                return []
            raise

    def inode(self, path: str) -> int:
        """The inode of a directory, which lives as long as the kernel object behind it."""
        with self._parent(path) as (fd, name):
            return os.stat(name, dir_fd=fd).st_ino

    def link(self, path: str) -> str:
        """Where a symbolic link of the kernel points, as it is written there."""
        with self._parent(path) as (fd, name):
            return os.readlink(name, dir_fd=fd)

    def boottime_ns(self) -> int:
        """The kernel's CLOCK_BOOTTIME, which goes on during sleep and cannot be set."""
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)

    def thread_policy(self, pid: int) -> tuple[int, int]:
        """Scheduling policy and priority of a thread of the running kernel."""
        return os.sched_getscheduler(pid), os.sched_getparam(pid).sched_priority

    def set_thread_policy(self, pid: int, policy: int, priority: int) -> None:
        """sched_setscheduler(2)."""
        os.sched_setscheduler(pid, policy, os.sched_param(priority))

    @contextmanager
    def _open(self, path: str, flags: int, life: Life | None = None) -> Iterator[int]:
        with self._parent(path, life) as (parent, name):
            fd = os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
        try:
            base = path.split("/", 2)[1]
            for own in (TRACING, SECURITY):
                if f"{path}/".startswith(f"{own}/"):
                    base = own.strip("/")
            mounted = os.stat(base, dir_fd=self._root_fd, follow_symlinks=False)
            if base != "dev" and os.fstat(fd).st_dev != mounted.st_dev:
                raise OwnError(errno.EXDEV, Said("helper.kernel.mounted_over"))
            yield fd
        finally:
            os.close(fd)

    @contextmanager
    def _parent(self, path: str, life: Life | None = None) -> Iterator[tuple[int, str]]:
        """The directory that a path lies in, and its last component."""
        *directories, name = path.strip("/").split("/")
        fd = os.dup(self._root_fd)
        try:
            for depth, part in enumerate(directories):
                if part in {"", ".", ".."}:
                    raise OwnError(errno.EINVAL, Said("helper.kernel.not_of_registry"))
                is_link = "/".join(directories[:depth]) in _FOLLOWED or part == "device"
                flags = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
                above = fd
                fd = os.open(part, flags if is_link else flags | os.O_NOFOLLOW, dir_fd=above)
                os.close(above)
                here = "/" + "/".join(directories[: depth + 1])
                if life is not None and here == life.path and os.fstat(fd).st_ino != life.inode:
                    raise OwnError(errno.ENODEV, Said("helper.kernel.another_device"))
            yield fd, name
        finally:
            os.close(fd)
