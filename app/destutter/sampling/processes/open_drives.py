# SPDX-License-Identifier: GPL-3.0-or-later
"""On which drives a program has files open, so that whoever reads one is not accused of another.

/proc/PID/io counts what a program moves over all drives. What it has open is known by
/proc/PID/fd, and what a drive lies on by /sys: a loop drive on its file, dm and md on their parts.
"""

import os
import stat
from collections.abc import Iterator

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.files.process_files import PROC

_MOST_FILES = 64  # at 2 us each; whoever has more has them on all drives anyhow
_SMALLEST = 1 << 20  # of a file that can be what much is moved in: no log, lock or setting
_COMPLAINTS = "2"  # go to a log of the session, whatever the program reads
_NUMBERS = "/sys/dev/block"
_DRIVES = "/sys/block"
_DEEPEST = 4  # encrypted, in a volume, on a RAID, in a file
# File systems without a drive. Of others whose device has no number (btrfs, overlay, a network)
# it is not known where they lie.
_OF_NO_DRIVE = frozenset(
    {
        "tmpfs", "devtmpfs", "proc", "sysfs", "cgroup", "cgroup2", "devpts", "mqueue", "hugetlbfs",
        "debugfs", "tracefs", "securityfs", "pstore", "bpf", "ramfs", "rootfs",
    }
)  # fmt: skip


class OpenDrives:
    """Asks about one program after the other; only of the running kernel."""

    def __init__(self, files: KernelFiles) -> None:
        self._files = files
        self._below: dict[str, frozenset[str] | None] = {}
        self._types: dict[int, str] = {}

    def look(self) -> None:
        """Forget what may have changed: what is mounted, and what lies on what."""
        self._below, self._types = {}, {}

    def of(self, pid: int, ways: int = stat.S_IRUSR | stat.S_IWUSR) -> frozenset[str]:
        """The drives, with those below them; empty where it is not known of all of its files.

        ``ways`` are those in which a file has to be open to count, as bits of a mode: a player
        that writes its log to one drive reads from another.
        """
        return self._of_open_files(pid, ways) or frozenset()

    def of_all(self, pid: int) -> frozenset[str] | None:
        """The same, with those of its program and of the folder that it works in; None where any
        of that is not known.
        """
        found = self._of_open_files(pid, stat.S_IRUSR | stat.S_IWUSR)
        if found is None:
            return None
        for name in ("exe", "cwd"):
            drives = self._of_file(f"{PROC}/{pid}/{name}")
            if drives is None:
                return None
            found |= drives
        return found

    def _of_open_files(self, pid: int, ways: int) -> frozenset[str] | None:
        if not (self._files.is_live and self._files.shares_processes):
            return None
        found: set[str] = set()
        for device in self._devices(pid, ways):
            drives = self._drives(device)
            if drives is None:
                return None
            found |= drives
        return frozenset(found)

    def below(self, drive: str) -> frozenset[str]:
        """The drives that one lies on; empty where it lies on none, or on what is not known."""
        return (self._with_below(drive, _DEEPEST) or frozenset()) - {drive}

    def _devices(self, pid: int, ways: int) -> Iterator[int]:
        """The device numbers of its files, and of drives that it has open itself."""
        try:
            names = self._files.list_names(f"{PROC}/{pid}/fd")[:_MOST_FILES]
        except KernelFileError:
            return
        for name in names:
            if name == _COMPLAINTS:
                continue
            path = f"{PROC}/{pid}/fd/{name}"
            try:
                # The link itself has the ways of its descriptor (tid_fd_mode in fs/proc/fd.c).
                if not os.lstat(path).st_mode & ways:
                    continue
                status = os.stat(path)
            except OSError:
                continue  # closed meanwhile
            if stat.S_ISREG(status.st_mode) and status.st_size >= _SMALLEST:
                yield status.st_dev
            elif stat.S_ISBLK(status.st_mode):
                yield status.st_rdev

    def _drives(self, device: int) -> frozenset[str] | None:
        if os.major(device) == 0:
            return frozenset() if self._type_of(device) in _OF_NO_DRIVE else None
        path = self._files.resolve(f"{_NUMBERS}/{os.major(device)}:{os.minor(device)}")
        if path is None:
            return None
        parts = path.split("/")
        is_part = self._files.exists(f"{path}/partition")
        return self._with_below(parts[-2] if is_part else parts[-1], _DEEPEST)

    def _with_below(self, drive: str, depth: int) -> frozenset[str] | None:
        if drive not in self._below:
            self._below[drive] = self._stack(drive, depth)
        return self._below[drive]

    def _stack(self, drive: str, depth: int) -> frozenset[str] | None:
        """A drive and all below it; None where that is not known."""
        found = {drive}
        below: list[frozenset[str] | None] = []
        for part in self._files.list_names(f"{_DRIVES}/{drive}/slaves"):
            whole = self._files.resolve(f"/sys/class/block/{part}") or ""
            is_part = self._files.exists(f"{whole}/partition")
            name = whole.split("/")[-2] if is_part else part
            below.append(self._with_below(name, depth - 1) if depth else None)
        backing = self._files.read_text(f"{_DRIVES}/{drive}/loop/backing_file")
        if backing:
            below.append(self._of_file(backing) if depth else None)
        for each in below:
            if each is None:
                return None
            found |= each
        return frozenset(found)

    def _of_file(self, path: str) -> frozenset[str] | None:
        if not self._files.is_live:
            return None  # the numbers of a captured tree's files are another computer's
        try:
            return self._drives(os.stat(path).st_dev)
        except OSError:
            return None  # deleted, or in another's view of the tree

    def _type_of(self, device: int) -> str:
        """The kind of file system, by /proc/self/mountinfo; empty where it is not mounted here."""
        if not self._types:
            for line in (self._files.read_text(f"{PROC}/self/mountinfo") or "").splitlines():
                words, _, rest = line.partition(" - ")
                number = words.split(" ")[2:3]
                if number and rest:
                    major, _, minor = number[0].partition(":")
                    self._types[os.makedev(int(major), int(minor))] = rest.split(" ")[0]
        return self._types.get(device, "")
