# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording played back through the same pipeline as a live measurement."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from destutter.analysis.examining.pipeline import Pipeline
from destutter.core.sample import Frames, Message, Sample
from destutter.core.source import BATCH_MS, SampleSource
from destutter.core.statement import Statement
from destutter.session.format import RecordingError

_PIECE_NS = 4_000_000_000
"""How much of the beginning is read at once; some ten milliseconds of work."""


class ReplayFeed(QObject):
    """Plays a source of messages at its own speed after showing its beginning at once.

    ``prefill_s`` seconds are shown as fast as they can be read, so that the graphs are full when
    the window opens; the seconds begin at ``begin_ns``, and what is older comes with the first.
    Signals: ``snapshot_taken(Snapshot)`` per batch, ``moved(int)`` with the
    recording's CLOCK_MONOTONIC in nanoseconds up to which it has been played, ``caught_up()`` when
    those seconds are shown, ``ended(Statement)`` at the end.
    """

    snapshot_taken = Signal(object)
    moved = Signal(object)
    caught_up = Signal()
    ended = Signal(object)

    def __init__(
        self,
        pipeline: Pipeline,
        source: SampleSource,
        prefill_s: float = 120.0,
        parent: QObject | None = None,
        *,
        begin_ns: int = 0,
    ) -> None:
        super().__init__(parent)
        self._pipeline = pipeline
        self._source = source
        self._messages: Iterator[Message] = source.messages()
        self._held: Message | None = None
        self._clock_ns: int | None = None
        self._prefill_ns = max(0, int(prefill_s * 1e9))
        self._ahead_ns = self._prefill_ns
        self._begin_ns = begin_ns
        self._speed = 1.0
        self._end = Statement("bridge.replay_over")
        self._timer = QTimer(self)
        self._timer.setInterval(BATCH_MS)
        self._timer.timeout.connect(self._play)

    @property
    def read_share(self) -> float:
        """How much of those seconds is read, from 0 to 1."""
        return 1.0 - self._prefill_ns / self._ahead_ns if self._ahead_ns else 1.0

    def start(self) -> None:
        """Show the beginning and play on from there."""
        first = self._next()
        while isinstance(first, Frames) and not first.monotonic_ns:
            self._pipeline.accept_message(first)
            first = self._next()
        if first is None:
            self.ended.emit(Statement("analysis.no_measurements"))
            return
        self._held = first
        # A recording may begin with frames: they are read before the first sample is taken.
        self._clock_ns = max(_time_of(first), self._begin_ns)
        self._timer.start(0 if self._prefill_ns else BATCH_MS)
        self._play()

    def stop(self) -> None:
        self._timer.stop()
        self._source.close()

    def set_speed(self, times: float) -> None:
        """How many seconds of the recording pass in a second."""
        self._speed = times

    def set_paused(self, paused: bool) -> None:  # noqa: FBT001  a Qt slot
        if paused:
            self._timer.stop()
        elif self._clock_ns is not None:
            self._timer.start(0 if self._prefill_ns else BATCH_MS)

    @Slot()
    def _play(self) -> None:
        """The next piece: of the beginning as fast as the window can take it, then in time."""
        if not self._prefill_ns:
            self._advance(int(BATCH_MS * 1_000_000 * self._speed))
            return
        piece_ns = min(_PIECE_NS, self._prefill_ns)
        self._prefill_ns -= piece_ns
        if not self._prefill_ns:
            self._timer.setInterval(BATCH_MS)
        is_last = not self._prefill_ns
        self._advance(piece_ns)
        if is_last:
            self.caught_up.emit()

    def _advance(self, span_ns: int) -> None:
        if self._clock_ns is None:
            return
        self._clock_ns += span_ns
        while (message := self._held or self._next()) is not None:
            self._held = message
            if _time_of(message) > self._clock_ns:
                break
            self._held = None
            self._pipeline.accept_message(message)
        snapshot = self._pipeline.take_snapshot()
        if snapshot is not None:
            self.snapshot_taken.emit(snapshot)
        self.moved.emit(self._clock_ns)
        if message is None:
            self._timer.stop()
            if self._prefill_ns:
                self._prefill_ns = 0
                self.caught_up.emit()
            self.ended.emit(self._end)

    def _next(self) -> Message | None:
        """The next message; what describes the stream goes to the pipeline at once."""
        try:
            for message in self._messages:
                if isinstance(message, Sample | Frames):
                    return message
                self._pipeline.accept_message(message)
        except RecordingError as error:
            # The drive was unplugged, or the file was cut short meanwhile.
            self._end = error.statement
        return None


def _time_of(message: Message) -> int:
    if isinstance(message, Sample):
        return message.monotonic_ns
    return message.monotonic_ns[-1] if isinstance(message, Frames) and message.monotonic_ns else 0
