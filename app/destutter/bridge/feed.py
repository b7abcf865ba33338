# SPDX-License-Identifier: GPL-3.0-or-later
"""The live stream of messages behind a window: the sampler and the probe as child processes."""

import logging
import os
import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QElapsedTimer, QObject, QProcess, QTimer, Signal, Slot

from destutter.analysis.examining.pipeline import Pipeline
from destutter.bridge.launcher import Launcher
from destutter.core.last_words import last_words
from destutter.core.probes import probes_started
from destutter.core.sample import Facts, Message, SampleError, Trouble, decode
from destutter.core.statement import Statement, told
from destutter.core.traced import MISSING, SOURCE, TraceLook, followed
from destutter.interruption import is_told_to_end
from destutter.sampling.trace_source import LentTrace, follow_command
from destutter.session.format import RecordingError
from destutter.session.recorder import Recorder
from destutter.settings import Settings

log = logging.getLogger("destutter.feed")

PROBED = "wakeup"
"""The source that the wake-up probe delivers."""
_STOP_MS = 1500  # enough for a tick and a slow job of the sampler; the window stands still for it
# The last look of a recording; a process that reads a trace answers in some milliseconds, and the
# window stands still for it.
_LAST_LOOK_MS = 300
# A second of ticks. On a computer too slow for the window SIGTERM waited for more than a minute
# until all that had piled up was taken in.
_LINES_AT_ONCE = 16
# Some ten seconds: without a game a second has 10 KB. What is not taken in stays in memory; beyond
# this nothing else has its turn, so that the pipe fills and the child waits.
_MOST_WAITING_BYTES = 128 * 1024


def wanted_probes(settings: Settings) -> tuple[str, ...]:
    """The probes of the window, for ``LiveOptions``."""
    return (PROBED,) if settings.measures_wakeups else ()


class Child(QObject):
    """One child process that writes messages, one per line.

    Signals: ``arrived(list)`` with the decoded messages of one batch, ``ended(Statement)`` with
    the reason when it stopped by itself. With a ``launcher`` it gets the priority of that; with a
    ``trace`` the descriptors of that, and the line that explains them.
    """

    arrived = Signal(list)
    ended = Signal(object)

    def __init__(
        self,
        command: Sequence[str],
        parent: QObject | None = None,
        launcher: Launcher | None = None,
        trace: LentTrace | None = None,
    ) -> None:
        super().__init__(parent)
        self._command = list(command)
        self._is_stopping = False
        self._launcher = launcher
        self._trace = trace
        # What has a parent cannot be started from another thread.
        self._process = QProcess(None if launcher else self)
        self._process.setProgram(self._command[0])
        self._process.setArguments(self._command[1:])
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._finished)
        self._process.errorOccurred.connect(self._failed)
        self._again = QTimer(self, interval=0, singleShot=True)
        self._again.timeout.connect(self._read)

    def start(self) -> None:
        descriptors = () if self._trace is None else self._trace.descriptors
        # Qt hands down what may be inherited, and makes the process before it returns.
        _let_inherit(descriptors, may_inherit=True)
        try:
            if self._launcher is None:
                self._process.start()
            else:
                self._launcher.start(self._process)
                self._process.setParent(self)
        finally:
            _let_inherit(descriptors, may_inherit=False)
        if self._trace is not None:
            self._process.write(self._trace.formats_line)

    def write(self, command: str) -> None:
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.write(command.encode() + b"\n")

    def take_answer(self, command: str, within_ms: int, has_come: Callable[[], bool]) -> None:
        """Send a command and wait until its answer ``has_come``, no longer than so long."""
        self.write(command)
        clock = QElapsedTimer()
        clock.start()
        while not has_come() and (left_ms := within_ms - clock.elapsed()) > 0:
            if not self._process.waitForReadyRead(left_ms):
                return

    def stop(self) -> None:
        """End the process; its standard input closes, and it is killed if it stays."""
        self._is_stopping = True
        if self._process.state() == QProcess.ProcessState.NotRunning:
            return
        self._process.closeWriteChannel()
        if not self._process.waitForFinished(_STOP_MS):
            self._process.kill()
            self._process.waitForFinished(_STOP_MS)

    def leave(self) -> None:
        """End the process as ``stop`` does, but wait for nothing: this object goes with it."""
        self._is_stopping = True
        self.blockSignals(True)  # noqa: FBT003  the binding takes no keyword
        if self._process.state() == QProcess.ProcessState.NotRunning:
            self.deleteLater()
            return
        self._process.stateChanged.connect(self._go)
        self._process.closeWriteChannel()
        QTimer.singleShot(_STOP_MS, self._process, self._process.kill)

    @Slot(QProcess.ProcessState)
    def _go(self, state: QProcess.ProcessState) -> None:
        if state == QProcess.ProcessState.NotRunning:
            self.deleteLater()

    @Slot()
    def _read(self) -> None:
        if self._is_stopping:  # Qt reads on while it waits for the end: up to a minute of ticks
            return
        messages = []
        taken = 0
        while self._process.canReadLine():
            is_much = self._process.bytesAvailable() > _MOST_WAITING_BYTES
            if taken >= _LINES_AT_ONCE and (is_told_to_end() or not is_much):
                self._again.start()
                break
            taken += 1
            line = bytes(self._process.readLine().data())
            try:
                messages.append(decode(line))
            except SampleError as error:
                log.warning("unreadable line from %s: %s", " ".join(self._command), error)
        if messages:
            self.arrived.emit(messages)

    @Slot()
    def _finished(self) -> None:
        if not self._is_stopping:
            while self._process.canReadLine():  # what it said comes before that it ended
                self._read()
            words = last_words(bytes(self._process.readAllStandardError().data()))
            self.ended.emit(words or Statement("bridge.sampler_ended"))

    @Slot(QProcess.ProcessError)
    def _failed(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self.ended.emit(told(self._process.errorString()))


def _let_inherit(descriptors: Sequence[int], *, may_inherit: bool) -> None:
    for descriptor in descriptors:
        os.set_inheritable(descriptor, may_inherit)


class LiveFeed(QObject):
    """The sampler and the wake-up probe as child processes; ``programs`` are their commands.

    Signals: ``snapshot_taken(Snapshot)`` once per batch of the sampler, ``ended(Statement)`` when
    the sampler stopped by itself, ``recording_ended(Statement)`` when the recording could not
    go on, ``trace_ended(Statement)`` when the reader of a trace stopped by itself.
    """

    snapshot_taken = Signal(object)
    ended = Signal(object)
    recording_ended = Signal(object)
    trace_ended = Signal(object)

    def __init__(
        self,
        pipeline: Pipeline,
        programs: Sequence[Sequence[str]],
        parent: QObject | None = None,
        launcher: Launcher | None = None,
    ) -> None:
        super().__init__(parent)
        self._pipeline = pipeline
        self._recorder: Recorder | None = None
        self._launcher = launcher
        self._tracer: Child | None = None
        self._looked_ns = 0
        self._left = 0
        self._children = [Child(command, self, launcher) for command in programs]
        sampler = self._children[0]
        sampler.arrived.connect(self._accept_sampler)
        sampler.ended.connect(self.ended)
        for probe in self._children[1:]:
            probe.arrived.connect(self._accept)
            probe.ended.connect(self._probe_ended)

    def start(self) -> None:
        for child in self._children:
            child.start()
        if len(self._children) > 1:
            self._pipeline.accept_message(probes_started(time.monotonic_ns(), [PROBED]))

    def stop(self) -> None:
        """Stop measuring and end the child processes, of a left feed those that remain."""
        for child in self.findChildren(Child):
            child.stop()

    def leave(self) -> None:
        """End the child processes without waiting for them; the feed goes with the last one.

        A sampler ends at its next tick, which can be half a second away: too long for a window
        that another feed goes on feeding.
        """
        self.blockSignals(True)  # noqa: FBT003  the binding takes no keyword
        # The reader of a trace too, and one that ends already.
        children = self.findChildren(Child)
        self._left = len(children)
        for child in children:
            child.destroyed.connect(self._child_left)
            child.leave()

    @Slot()
    def _child_left(self) -> None:
        self._left -= 1
        if not self._left:
            self.deleteLater()

    def watch(self, pid: int | None) -> None:
        """Watch this process as the game; None: the computer as a whole."""
        self._children[0].write(f"watch {'-' if pid is None else pid}")

    def mark(self, text: str) -> None:
        self._children[0].write("mark " + " ".join(text.split()))

    def read_trace(
        self, trace: LentTrace, missing: Sequence[str], command: Sequence[str] | None = None
    ) -> None:
        """Take in what the kernel recorded too; ``missing`` are events that it lacks.

        The descriptors stay whoever's they are; ``command`` starts this program.
        """
        self.end_trace()
        self._tracer = Child(trace.command(command), self, self._launcher, trace)
        self._tracer.arrived.connect(self._accept)
        self._tracer.ended.connect(self._trace_ended)
        self._tracer.start()
        now_ns = time.monotonic_ns()
        told: list[Message] = [Trouble(now_ns, SOURCE, None)]
        if missing:
            told.append(Facts(now_ns, {MISSING: ",".join(missing)}))
        self._accept(told)

    def follow(self, pid: int | None, lead: int | None = None) -> None:
        """Tell whose waits for a core the trace shows, None nobody's, and which thread of it shows
        its frames.
        """
        if self._tracer is not None:
            self._tracer.write(follow_command(pid, lead))
            self._accept([Facts(time.monotonic_ns(), followed(pid, lead))])

    def end_trace(self) -> None:
        """The trace is read no longer; waits for nothing."""
        if self._tracer is not None:
            self.follow(None)
            self._tracer.leave()
            self._tracer = None

    def set_batch_ms(self, batch_ms: int) -> None:
        """How often the children hand over what they measured; larger while nobody looks."""
        for child in self._children:
            child.write(f"batch {batch_ms}")

    def record_to(self, recorder: Recorder) -> None:
        """Copy the stream into a recording from now on; what describes it so far goes first.

        Raises ``RecordingError`` when not even that can be written.
        """
        for message in self._pipeline.describe():
            recorder.accept_message(message)
        self._recorder = recorder

    def stop_recording(self) -> None:
        """Copy what the trace has of the last second, and then no more of the stream.

        Closing the recording is the caller's business.
        """
        if self._recorder is not None and self._tracer is not None:
            now_ns = time.monotonic_ns()
            self._tracer.take_answer("look", _LAST_LOOK_MS, lambda: self._looked_ns >= now_ns)
        self._recorder = None

    @Slot(list)
    def _accept_sampler(self, messages: list[Message]) -> None:
        self._accept(messages)
        if is_told_to_end():
            return
        snapshot = self._pipeline.take_snapshot()
        if snapshot is not None:
            self.snapshot_taken.emit(snapshot)

    @Slot(list)
    def _accept(self, messages: list[Message]) -> None:
        for message in messages:
            if not is_told_to_end():  # else nobody looks at it, and only a recording keeps it
                self._pipeline.accept_message(message)
            if isinstance(message, TraceLook):
                self._looked_ns = message.end_ns
        if self._recorder is not None:
            self._copy(self._recorder, messages)

    def _copy(self, recorder: Recorder, messages: list[Message]) -> None:
        try:
            for message in messages:
                recorder.accept_message(message)
        except RecordingError as error:
            self._recorder = None
            self.recording_ended.emit(error.statement)

    @Slot(object)
    def _trace_ended(self, reason: Statement) -> None:
        if self._tracer is not None:
            self._tracer.deleteLater()
            self._tracer = None
        log.error("the reader of the trace ended: %s", reason)
        why = Statement("tracing.reader_ended", {"reason": reason})
        self._accept([Trouble(time.monotonic_ns(), SOURCE, why)])
        self.trace_ended.emit(why)

    @Slot(object)
    def _probe_ended(self, reason: Statement) -> None:
        log.error("the wake-up probe ended: %s", reason)
        why = Statement("sampling.probe_ended", {"reason": reason})
        self._accept([Trouble(time.monotonic_ns(), PROBED, why)])
