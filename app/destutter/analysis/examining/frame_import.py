# SPDX-License-Identifier: GPL-3.0-or-later
"""A frame log beside a recording that has no frames of its own, or worse ones."""

from collections.abc import Iterator
from pathlib import Path

from destutter.core.sample import Frames, Header, Message, Sample
from destutter.core.statement import Statement, StatementError
from destutter.sampling.frames.frame_log import FrameLog, FrameLogError, read_frame_log
from destutter.session.format import refused

REJECTED_ROWS = "frames.rejected_rows"
"""The fact of an imported recording that tells how many rows of its log were unusable."""


class FrameImportError(StatementError):
    """The log cannot be used."""


def read_log(path: str) -> FrameLog:
    """A whole log. Raises ``FrameImportError``, which names the file."""
    if "\0" in path:
        raise FrameImportError(Statement("session.no_file_name", {"path": ascii(path)}))
    if Path(path).is_dir():
        raise FrameImportError(refused(path, Statement("analysis.folder")))
    try:
        return read_frame_log(Path(path))
    except FrameLogError as error:
        raise FrameImportError(error.statement) from None


def with_frames(messages: Iterator[Message], path: str) -> Iterator[Message]:
    """The stream with the frames of a log in their places; its own frames are left out.

    The wall clock joins the two: that of the recording's start, and that of the log's, which its
    name or its last write tells. Raises ``FrameImportError`` when the log cannot be read, when
    nothing tells its time, or when it is of another time than the recording.
    """
    log = read_log(path)
    if log.started_at is None:
        raise FrameImportError(refused(path, Statement("analysis.no_time")))
    return _merged(messages, _LoggedFrames(log, log.started_at), path)


class _LoggedFrames:
    """The frames of a log on a recording's clock, handed out in order of time."""

    def __init__(self, log: FrameLog, started_at: float) -> None:
        self._log = log
        self._started_at = started_at
        self._offset_ns = self._start_ns = self._at = 0
        self.given = 0

    def align(self, header: Header) -> None:
        """Put the log on the clock of this stream."""
        self._start_ns = header.monotonic_ns
        self._offset_ns = self._start_ns + round((self._started_at - header.wall_time) * 1e9)

    def until(self, monotonic_ns: int) -> Frames | None:
        """Those that ended by then and were not handed out yet; None without any."""
        times: list[int] = []
        lengths: list[int] = []
        while self._at < len(self._log.elapsed_ns):
            end_ns = self._offset_ns + self._log.elapsed_ns[self._at]
            if end_ns > monotonic_ns:
                break
            if end_ns >= self._start_ns:
                times.append(end_ns)
                lengths.append(self._log.frame_us[self._at])
            self._at += 1
        self.given += len(times)
        return Frames(self._log.tool, tuple(times), tuple(lengths)) if times else None


def _merged(messages: Iterator[Message], log: _LoggedFrames, path: str) -> Iterator[Message]:
    for message in messages:
        if isinstance(message, Header):
            log.align(message)
        if isinstance(message, Sample):
            frames = log.until(message.monotonic_ns)
            if frames is not None:
                yield frames
        if not isinstance(message, Frames):
            yield message
    if not log.given:
        raise FrameImportError(refused(path, Statement("analysis.other_time")))
