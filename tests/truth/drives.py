# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives that are slow for everybody."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.truth.machine import CannotBeMadeError, output, patiently, write_setting

_THROTTLE = Path("/sys/fs/cgroup/blkio")
READS = _THROTTLE / "blkio.throttle.read_iops_device"
"""Requests a second that a drive takes from the root group: only version 1 has it."""
WRITES = _THROTTLE / "blkio.throttle.write_bps_device"


@dataclass(frozen=True)
class SlowDrive:
    """``folder`` is where its file system is mounted, ``device`` its name."""

    folder: Path
    device: str
    hold: Callable[[], None]


@contextlib.contextmanager
def slow_drive(
    folder: Path,
    size: int,
    *,
    reads_per_s: int = 0,
    write_bytes: int = 0,
    has_journal: bool = True,
) -> Iterator[SlowDrive]:
    """A file system on a drive that takes only so much once it is held.

    A loop device upon a loop device: the limit is the lower one's and works on its queue's entry,
    so that the upper one's own requests take long, as those of a drive that is slow itself
    (measured with 120 reads a second on one device alone: 8 ms for who reads, 0.2 ms in the
    drive's counters). Everybody is bound by it, the kernel's writeback too.
    """
    for limit in (READS, WRITES):
        if not limit.exists():
            raise CannotBeMadeError(f"there is no {limit}")
    image, mounted = folder / "image", folder / "mounted"
    with contextlib.ExitStack() as back:
        mounted.mkdir()
        back.callback(mounted.rmdir)
        back.callback(image.unlink, missing_ok=True)
        output("fallocate", "-l", str(size), str(image))
        lower = _loop(back, image)
        upper = _loop(back, lower)
        journal = "has_journal" if has_journal else "^has_journal"
        lazy = "lazy_itable_init=0,lazy_journal_init=0"
        output("mkfs.ext4", "-q", "-O", journal, "-E", lazy, str(upper))
        output("mount", str(upper), str(mounted))
        back.callback(patiently, output, "umount", str(mounted))
        number = (Path("/sys/block") / lower.name / "dev").read_text().strip()

        def limit_to(reads: int, writes: int) -> None:
            write_setting(READS, f"{number} {reads}")
            write_setting(WRITES, f"{number} {writes}")

        # First of all, so that what is still unwritten at the end goes quickly.
        back.callback(limit_to, 0, 0)
        yield SlowDrive(mounted, upper.name, lambda: limit_to(reads_per_s, write_bytes))


def _loop(back: contextlib.ExitStack, below: Path) -> Path:
    device = output("losetup", "--find", "--show", "--direct-io=on", str(below))
    back.callback(output, "losetup", "--detach", device)
    return Path(device)
