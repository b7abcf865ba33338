# SPDX-License-Identifier: GPL-3.0-or-later
"""Following a frame log while the game writes it."""

import os
import stat
import time
from pathlib import Path

from destutter.core.sample import Frames
from destutter.core.statement import Statement
from destutter.core.system_error import system_reason
from destutter.sampling.frames.frame_rows import LONGEST_LINE, FrameLogError, RowReader

_CHUNK = 1 << 18
_MOST_BACKLOG = 1 << 18  # of hours that were logged before only the last seconds are read
_COARSE = 5  # CLOCK_REALTIME_COARSE: files have their times by it, a jiffy late (inode(7))
_NEVER_NS = 1 << 62


class FrameTail:
    """Reads what was appended to a log since the last look and puts it on our clock.

    The log carries nanoseconds since its own start on CLOCK_MONOTONIC, but not that start. Every
    row was written before it is read here, so "now minus elapsed" is never too early: the smallest
    value is the closest. So is the time of the last write, which tells of a jiffy. And a row is
    younger than the look that did not find it, so that this one's is never too late, but where the
    tool keeps rows back: the two contradict each other then.

    With ``skips_old`` the middle of a long log is not read: whoever follows it from now on would
    only throw it away.
    """

    def __init__(self, path: Path, *, skips_old: bool = False) -> None:
        self.path = path
        self._reader = RowReader()
        self._rest = b""
        self._looked_ns = 0
        self._jiffy_ns = int(time.clock_getres(_COARSE) * 1e9)
        # What "then minus elapsed" is at least, at most, and at most by the file's times.
        self._least_ns = -_NEVER_NS
        self._most_ns = self._most_by_file_ns = _NEVER_NS
        self._skips_old = skips_old
        self._is_torn = False
        self._fd = self._open()

    @property
    def rejected(self) -> int:
        """Rows without a usable frame time so far."""
        return self._reader.rejected

    def read_new(self) -> Frames | None:
        """Frames appended since the last call; None when there are none.

        Raises ``FrameLogError`` when the file turns out not to be a frame log.
        """
        since_ns, self._looked_ns = self._looked_ns, time.monotonic_ns()
        rows = self._new_rows()
        if not rows:
            return None
        offset_ns = self._align(rows[0][0], rows[-1][0], since_ns)
        return Frames(
            self._reader.tool,
            tuple(offset_ns + elapsed for elapsed, _ in rows),
            tuple(length for _, length in rows),
        )

    def is_replaced(self) -> bool:
        """Whether another file is at the path now, or this one was emptied.

        Raises ``FrameLogError`` when there is none any more.
        """
        try:
            own, there = os.fstat(self._fd), os.stat(self.path)
        except OSError as error:
            raise self._refused(system_reason(error)) from error
        is_same = (own.st_dev, own.st_ino) == (there.st_dev, there.st_ino)
        return not is_same or own.st_size < os.lseek(self._fd, 0, os.SEEK_CUR)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _refused(self, reason: Statement) -> FrameLogError:
        return FrameLogError(Statement("core.file", {"path": str(self.path), "reason": reason}))

    def _open(self) -> int:
        try:
            # A pipe would hold up the opening, and reading a device might never end.
            fd = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise self._refused(system_reason(error)) from error
        except ValueError as error:
            raise self._refused(Statement("sampling.no_file_name")) from error
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            os.close(fd)
            raise FrameLogError(Statement("sampling.not_ordinary", {"path": str(self.path)}))
        return fd

    def _new_rows(self) -> list[tuple[int, int]]:
        rows = []
        while chunk := self._read():
            lines = (self._rest + chunk).split(b"\n")
            self._rest = lines.pop()
            if self._is_torn and lines:
                del lines[0]
                self._is_torn = False
            for line in lines:
                row = self._reader.read(line.decode("utf-8", "replace"))
                if row is not None:
                    rows.append(row)
            if len(self._rest) > LONGEST_LINE:
                # No log has such lines; what belongs to this one is left out with it.
                self._rest, self._is_torn = b"", True
            if self._skips_old and self._reader.has_header:
                self._skip_old()
        return rows

    def _read(self) -> bytes:
        try:
            return os.read(self._fd, _CHUNK)
        except OSError as error:
            raise self._refused(system_reason(error)) from error

    def _skip_old(self) -> None:
        """Go on near the end of a long log, at the beginning of a row."""
        self._skips_old = False
        end = os.fstat(self._fd).st_size
        if end - os.lseek(self._fd, 0, os.SEEK_CUR) > _MOST_BACKLOG:
            os.lseek(self._fd, end - _MOST_BACKLOG, os.SEEK_SET)
            self._rest = b""
            self._is_torn = True

    def _align(self, first_ns: int, last_ns: int, since_ns: int) -> int:
        """When the log began, by rows that the look at ``since_ns`` did not find."""
        now_ns = time.monotonic_ns()
        age_ns = max(0, time.time_ns() - os.fstat(self._fd).st_mtime_ns - self._jiffy_ns)
        self._most_ns = min(self._most_ns, now_ns - last_ns)
        if now_ns - age_ns >= since_ns:  # or somebody set a clock
            self._most_by_file_ns = min(self._most_by_file_ns, now_ns - age_ns - last_ns)
        if since_ns:
            self._least_ns = max(self._least_ns, since_ns - first_ns)
        is_kept_back = self._least_ns > self._most_ns
        most_ns = min(self._most_ns, self._most_by_file_ns)
        return most_ns if is_kept_back else max(most_ns, self._least_ns)


def newest_log(folder: Path) -> Path | None:
    """The frame log that was written last in a folder; summaries do not count."""
    best: tuple[float, Path] | None = None
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return None
    for entry in entries:
        if not entry.name.endswith(".csv") or entry.name.endswith("_summary.csv"):
            continue
        try:
            written = entry.stat().st_mtime
        except OSError:
            continue
        if best is None or written > best[0]:
            best = (written, Path(entry.path))
    return best[1] if best else None
