# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a stream of messages into a file while it is measured.

At most one second waits in memory, each block is one write, and nothing waits for the disk
(no fsync): killing the process loses at most that second, a power cut what the kernel had not
yet written, usually half a minute.
"""

import contextlib
import errno
import os
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from destutter.core.sample import Header, Message, Sample
from destutter.core.statement import Statement
from destutter.core.system_error import system_reason
from destutter.core.traced import TraceLook
from destutter.session import being_recorded
from destutter.session.block_writer import BlockWriter
from destutter.session.format import RecordingError, pack_preamble, refused

_SECOND_NS = 1_000_000_000
_WORDS = {
    errno.ENOSPC: Statement("session.disk_full"),
    errno.EDQUOT: Statement("session.quota"),
    errno.EFBIG: Statement("session.no_growth"),
    errno.EIO: Statement("session.disk_error"),
    errno.EROFS: Statement("session.read_only"),
    errno.EACCES: Statement("session.not_allowed"),
    errno.EPERM: Statement("session.not_allowed"),
    errno.ENOENT: Statement("session.no_folder"),
    errno.ENOTDIR: Statement("session.no_folder"),
    errno.ENAMETOOLONG: Statement("session.long_name"),
}


class RecordingEndedError(RecordingError):
    """A running recording cannot go on; what it has so far is kept."""


class Recorder:
    """One recording being made. Used from one thread.

    A recording that begins in the middle of a stream must be given the layouts, facts and
    troubles that hold (``StreamState.messages``) before the first sample. ``program`` names who
    writes, with its version. ``clock`` tells nanoseconds; a block is written when a second
    passed on it or in the samples' own time. What a trace found makes the file its user's own.
    Raises ``RecordingError`` in words when the file cannot be made; an existing file is never
    overwritten.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        header: Header,
        program: str = "Destutter",
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.path = os.fspath(path)
        self._header = header
        self._clock = clock
        self._writer = BlockWriter()
        self._first_ns: int | None = None
        self._last_ns = 0
        self._kept_ns = 0
        self._is_private = False
        self._block_sample_ns: int | None = None
        self._block_clock_ns = 0
        self.size_bytes = 0
        preamble = pack_preamble(header, program)
        self._descriptor = _create(self.path)
        being_recorded.hold(self._descriptor)
        try:
            self._append(preamble)
        except RecordingEndedError:
            os.unlink(self.path)
            raise

    @property
    def is_open(self) -> bool:
        """Whether messages are still taken."""
        return self._descriptor >= 0

    @property
    def duration_s(self) -> float:
        """Seconds from the first to the last sample."""
        return 0.0 if self._first_ns is None else (self._last_ns - self._first_ns) / 1e9

    def accept_message(self, message: Message) -> None:
        """Take one message of the stream.

        The header that the recording was made with is not taken a second time. Raises
        ``RecordingEndedError`` when the disk is full or fails: the file is then closed, ends
        with its last complete second, and further messages raise it again.
        """
        if not self.is_open:
            raise RecordingEndedError(Statement("session.ended", {"path": self.path}))
        if message == self._header and self._first_ns is None:
            return
        if self._writer.messages and self._is_due(message):
            self._write_block()
        if not self._writer.messages:
            self._block_clock_ns = self._clock()
            self._block_sample_ns = None
        if isinstance(message, TraceLook) and not self._is_private:
            self._is_private = True
            # It names programs of all users, for which somebody gave a permission. A medium
            # without owners knows no such thing.
            with contextlib.suppress(OSError):
                os.fchmod(self._descriptor, 0o600)
        self._writer.add(message)
        if isinstance(message, Sample):
            self._note_time(message.monotonic_ns)

    def close(self) -> None:
        """Write what waits and end the recording. May be called twice.

        Raises ``RecordingEndedError`` when the last second could not be written.
        """
        if not self.is_open:
            return
        try:
            if self._writer.messages:
                self._write_block()
        finally:
            self._give_back()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _is_due(self, message: Message) -> bool:
        if self._writer.is_full or self._clock() - self._block_clock_ns >= _SECOND_NS:
            return True
        if not isinstance(message, Sample) or self._block_sample_ns is None:
            return False
        return abs(message.monotonic_ns - self._block_sample_ns) >= _SECOND_NS

    def _note_time(self, monotonic_ns: int) -> None:
        if self._first_ns is None:
            self._first_ns = monotonic_ns
        if self._block_sample_ns is None:
            self._block_sample_ns = monotonic_ns
        self._last_ns = monotonic_ns

    def _write_block(self) -> None:
        try:
            block = self._writer.take()
        except RecordingError as error:
            self._give_back()
            raise RecordingEndedError(refused(self.path, error.statement)) from None
        self._append(block)
        self._kept_ns = self._last_ns

    def _append(self, data: bytes) -> None:
        try:
            written = os.write(self._descriptor, data)
            while written < len(data):  # only a disk that is about to be full writes a part
                written += os.write(self._descriptor, data[written:])
        except OSError as error:
            self._cut_off()
            raise RecordingEndedError(self._last_words(error)) from None
        self.size_bytes += len(data)

    def _cut_off(self) -> None:
        """End the file after its last complete block."""
        # Where even that fails, readers leave the incomplete block out by themselves.
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, self.size_bytes)
        self._give_back()

    def _give_back(self) -> None:
        if self.is_open:
            os.close(self._descriptor)
            self._descriptor = -1

    def _last_words(self, error: OSError) -> Statement:
        if self._first_ns is None or not self._kept_ns:
            return Statement("session.nothing_kept", {"path": self.path, "reason": _reason(error)})
        kept_s = (self._kept_ns - self._first_ns) / 1e9
        return Statement(
            "session.ends_here",
            {"path": self.path, "reason": _reason(error), "kept": f"{kept_s:.0f}"},
        )


def _create(path: str) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o644)
    except FileExistsError:
        what = (
            Statement("sampling.is_folder") if os.path.isdir(path) else Statement("session.exists")
        )
        raise RecordingError(
            Statement("session.name_taken", {"path": path, "reason": what})
        ) from None
    except ValueError:
        raise RecordingError(Statement("session.no_file_name", {"path": ascii(path)})) from None
    except OSError as error:
        raise RecordingError(refused(path, _reason(error))) from None


def _reason(error: OSError) -> Statement:
    return _WORDS.get(error.errno or 0) or Statement(
        "session.unwritable", {"reason": system_reason(error)}
    )
