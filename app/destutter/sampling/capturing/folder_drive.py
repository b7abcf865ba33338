# SPDX-License-Identifier: GPL-3.0-or-later
"""On which drive a folder lies, and which folder lies on a drive."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from destutter.core.kernel_files import KernelFiles

_MOUNTS = "/proc/self/mountinfo"
_BLOCK = "/sys/class/block"


@dataclass(frozen=True, slots=True)
class Mount:
    """A mounted file system: where, its kind, and its device as a path such as "/dev/sda2"."""

    folder: str
    kind: str
    device: str


def parse_mounts(text: str) -> list[Mount]:
    """The lines of mountinfo (proc_pid_mountinfo(5)); a line of another shape is left out."""
    mounts = []
    for line in text.splitlines():
        left, separator, right = line.partition(" - ")
        words, source = left.split(" "), right.split(" ")
        if separator and len(words) >= 5 and len(source) >= 2:
            mounts.append(Mount(_unescaped(words[4]), source[0], _unescaped(source[1])))
    return mounts


def drive_of_folder(files: KernelFiles, folder: str) -> str | None:
    """The whole drive below a folder, such as "nvme0n1"; None for one without a drive."""
    path = os.path.realpath(folder)
    below = [mount for mount in _mounts(files) if _is_below(path, mount.folder)]
    if not below:
        return None
    # Of mounts on the same place the last one is seen.
    deepest = max(enumerate(below), key=lambda pair: (len(pair[1].folder), pair[0]))[1]
    return _whole_drive(files, deepest.device)


def folders_on_drive(files: KernelFiles, drive: str) -> list[str]:
    """Where the file systems of a drive are mounted, the longest path first.

    Containers mount single files as well: a drive was named after /run/host/os-release.
    """
    found = {
        mount.folder for mount in _mounts(files) if _whole_drive(files, mount.device) == drive
    }
    folders = (each for each in found if not (files.is_live and os.path.isfile(each)))
    return sorted(folders, key=lambda folder: (-len(folder), folder))


def free_space(files: KernelFiles) -> dict[str, int]:
    """How many bytes are free on each whole drive that has a mounted file system, by its name.

    Of this computer only; a file system that is mounted twice counts once.
    """
    free: dict[str, dict[str, int]] = {}
    for mount in _mounts(files) if files.is_live else ():
        drive = _whole_drive(files, mount.device)
        if drive is not None:
            with suppress(OSError):
                found = os.statvfs(mount.folder)
                free.setdefault(drive, {})[mount.device] = found.f_bavail * found.f_frsize
    return {drive: sum(each.values()) for drive, each in free.items()}


def _mounts(files: KernelFiles) -> list[Mount]:
    return parse_mounts(files.read_text(_MOUNTS) or "")


def _is_below(path: str, folder: str) -> bool:
    return folder == "/" or path == folder or path.startswith(folder + "/")


def _whole_drive(files: KernelFiles, device: str) -> str | None:
    if not device.startswith("/dev/"):
        return None
    name = os.path.basename(os.path.realpath(device))
    place = files.resolve(f"{_BLOCK}/{name}")
    if place is None:
        return None
    for folder in _upwards(place):
        if files.exists(f"{folder}/queue/scheduler"):
            return os.path.basename(folder)
    return None


def _upwards(place: str) -> Iterator[str]:
    """A partition's own folder, then that of the drive which it is a part of."""
    yield place
    yield os.path.dirname(place)


def _unescaped(text: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, character)
    return text
