# SPDX-License-Identifier: GPL-3.0-or-later
"""How long small writes into the page cache take, and how late they are: LMAX's experiment.

Writes 220 bytes every 200 µs into a file of its own in a given folder, without fsync, as a
program does that keeps a journal. Such a write only copies into memory and should take a few
microseconds; where it takes milliseconds, it waited for memory, for dirty-page limits or for the
file system. Three times are kept apart, the worst of each per sample:

- the write itself,
- the wake before it: a late wake is the scheduler's doing, not the disk's,
- the corrected latency: from when the write was due to when it was done. Writes that a slow one
  held up count from their own due times, as otherwise the slowest moments would hide all that
  they delayed ("coordinated omission").

The counts ``over_*`` are of the writes themselves; ``cpu_us`` is the CPU time of this process
since it began. 5000 writes a second cost an eighth of a core in any language: a short test. For
use beside a game ``--interval-us 10000`` sees writes that block for 20 ms or more.

The file has no name, or loses it before the first write, so that nothing is left behind however
the probe ends; it never holds more than 64 MiB.
"""

import errno
import os

from destutter.core.last_words import complain
from destutter.core.statement import Statement, StatementError
from destutter.core.system_error import system_reason
from destutter.sampling.probes.probe_clock import ProbeClock
from destutter.sampling.probes.probe_stream import (
    ProbeParser,
    ProbeStream,
    prepare_process,
)

SOURCE = "write"
INTERVAL_US = 200
RECORD = b"." * 220
"""As often and as large as the events of LMAX's journal."""

MOST_BYTES = 64 << 20  # a minute of writing; of an hour a file would have 4 GB
_MOST_BEHIND_NS = 1_000_000_000
"""Writes that are due for longer than this are not made up for, only counted as late."""

_MS = 1_000_000
_NO_UNNAMED = frozenset({errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL})


class WriteProbeError(StatementError):
    """The probe cannot go on; the text is for people."""


class ProbeFile:
    """A file without a name in ``folder``, replaced by a new one when it holds ``most_bytes``.

    Raises ``WriteProbeError`` in words when the folder cannot hold it.
    """

    def __init__(self, folder: str, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._held_bytes = 0
        self._descriptor = self._open()

    @property
    def is_full(self) -> bool:
        """Whether ``renew`` should be called before the next write."""
        return self._held_bytes + len(RECORD) > self._most_bytes

    def write(self) -> None:
        """Append one record. Raises ``WriteProbeError``."""
        try:
            self._held_bytes += os.write(self._descriptor, RECORD)
        except OSError as error:
            raise self._refused(error) from None

    def renew(self) -> None:
        """Go on with an empty file; the old one and its space are given back."""
        self.close()
        self._held_bytes = 0
        self._descriptor = self._open()

    def close(self) -> None:
        """Give the file back. May be called twice."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def check_space(self, wanted_bytes: int) -> None:
        """Refuse a disk that has less than twice the room for what will be written."""
        numbers = os.fstatvfs(self._descriptor)
        free_bytes = numbers.f_bavail * numbers.f_frsize
        needed_bytes = 2 * min(wanted_bytes, self._most_bytes)
        if free_bytes < needed_bytes:
            raise WriteProbeError(
                Statement(
                    "sampling.no_room",
                    {
                        "path": str(self._folder),
                        "free_bytes": free_bytes,
                        "wanted_bytes": needed_bytes,
                    },
                )
            )

    def _open(self) -> int:
        flags = os.O_WRONLY | os.O_CLOEXEC
        try:
            return os.open(self._folder, flags | os.O_TMPFILE, 0o600)
        except OSError as error:
            if error.errno not in _NO_UNNAMED or not os.path.isdir(self._folder):
                raise self._refused(error) from None
        # Some network and FUSE file systems know no files without a name.
        path = os.path.join(self._folder, f".destutter-write-probe-{os.getpid()}")
        try:
            descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            os.unlink(path)
        except OSError as error:
            raise self._refused(error) from None
        return descriptor

    def _refused(self, error: OSError) -> WriteProbeError:
        why = system_reason(error)
        if error.errno == errno.ENOENT and os.path.isdir(self._folder):
            why = Statement("sampling.takes_no_files")  # such as /proc
        return WriteProbeError(
            Statement("core.file", {"path": self._folder or "''", "reason": why})
        )


class Bucket:
    """Writes since the last sample."""

    __slots__ = (
        "over",
        "worst_at_ns",
        "worst_corrected_ns",
        "worst_wake_ns",
        "worst_write_ns",
        "writes",
    )

    THRESHOLDS_NS = (50_000, 100_000, 1 * _MS, 5 * _MS, 10 * _MS, 40 * _MS)

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.writes = 0
        self.worst_write_ns = 0
        self.worst_wake_ns = 0
        self.worst_corrected_ns = 0
        self.worst_at_ns = 0
        self.over = [0] * len(self.THRESHOLDS_NS)

    def add(self, due_ns: int, begun_ns: int, done_ns: int) -> None:
        """One write: when it was due, when it began and when it was done."""
        self.writes += 1
        write_ns = done_ns - begun_ns
        self.worst_write_ns = max(self.worst_write_ns, write_ns)
        if done_ns - due_ns > self.worst_corrected_ns:
            self.worst_corrected_ns = done_ns - due_ns
            self.worst_at_ns = done_ns
        if write_ns > self.THRESHOLDS_NS[0]:
            for index, threshold_ns in enumerate(self.THRESHOLDS_NS):
                self.over[index] += write_ns > threshold_ns

    def add_wake(self, late_ns: int) -> None:
        """The probe slept before the write, and woke so late."""
        self.worst_wake_ns = max(self.worst_wake_ns, late_ns)

    def values(self, cpu_ns: int) -> tuple[int, ...]:
        """The fields of the source, in order."""
        worst = (self.worst_write_ns, self.worst_wake_ns, self.worst_corrected_ns)
        worst_us = (ns // 1000 for ns in worst)
        return (self.writes, *worst_us, *self.over, self.worst_at_ns, cpu_ns // 1000)


class WriteProbe:
    """Writes every ``interval_us`` and emits a sample every ``sample_ms``."""

    def __init__(
        self,
        stream: ProbeStream,
        clock: ProbeClock,
        file: ProbeFile,
        interval_us: int,
        sample_ms: int,
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._file = file
        self._interval_ns = interval_us * 1000
        self._sample_ns = sample_ms * _MS
        self._bucket = Bucket()

    def run(self, seconds: float | None) -> None:
        """Measure for so long, or until the stream ends. Raises ``WriteProbeError``."""
        write_ns = self._clock.now_ns() + self._interval_ns
        sample_ns = write_ns + self._sample_ns
        end_ns = None if seconds is None else write_ns + int(seconds * 1e9)
        while not self._stream.is_stopping:
            now_ns = self._write(write_ns)
            write_ns += self._interval_ns
            if now_ns - write_ns > _MOST_BEHIND_NS:
                write_ns = now_ns
            if now_ns >= sample_ns:
                self._stream.emit(now_ns, sample_ns, self._bucket.values(self._clock.cpu_ns()))
                self._bucket.clear()
                sample_ns += self._sample_ns * ((now_ns - sample_ns) // self._sample_ns + 1)
                write_ns = self._forgive(write_ns, now_ns)
            if self._file.is_full:
                now_ns = self._clock.now_ns()
                self._file.renew()
                write_ns = self._forgive(write_ns, now_ns)
            if end_ns is not None and now_ns >= end_ns:
                break

    def _write(self, due_ns: int) -> int:
        """Wait until the write is due, write, and return when it was done."""
        now = self._clock.now_ns
        begun_ns = now()
        if begun_ns < due_ns:
            self._clock.sleep((due_ns - begun_ns) / 1e9)
            begun_ns = now()
            self._bucket.add_wake(begun_ns - due_ns)
        self._file.write()
        done_ns = now()
        self._bucket.add(due_ns, begun_ns, done_ns)
        return done_ns

    def _forgive(self, due_ns: int, since_ns: int) -> int:
        """The next due time, moved by what the probe's own work since then has taken."""
        return due_ns + self._clock.now_ns() - since_ns


def main(argv: list[str]) -> int:
    """Run the probe; returns the exit status: 0 done, 1 could not, 2 wrong usage."""
    parser = ProbeParser(SOURCE, INTERVAL_US)
    parser.add_argument("--folder", required=True, help="where to write, such as the game's")
    try:
        options = parser.parse_args(argv)
    except SystemExit as wish:
        return int(wish.code or 0)
    clock = ProbeClock()
    stream = ProbeStream(SOURCE, options.batch_ms, clock)
    try:
        file = ProbeFile(options.folder)
    except WriteProbeError as error:
        complain(error.statement)
        return 1
    try:
        file.check_space(_wanted_bytes(options.seconds, options.interval_us))
        prepare_process(stream)
        stream.begin(options.sample_ms)
        probe = WriteProbe(stream, clock, file, options.interval_us, options.sample_ms)
        probe.run(options.seconds)
        stream.flush()
    except WriteProbeError as error:
        stream.complain(error.statement)
        return 1
    finally:
        file.close()
    return 0


def _wanted_bytes(seconds: float | None, interval_us: int) -> int:
    if seconds is None:
        return MOST_BYTES
    return int(seconds * 1e6 / interval_us + 1) * len(RECORD)
