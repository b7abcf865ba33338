# SPDX-License-Identifier: GPL-3.0-or-later
"""The live stream for commands: from the first message to Ctrl-C, each error in words."""

import argparse
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Self

from destutter.commands.computer import computer
from destutter.commands.options import frames_of, pid_of, root_of, wants_trace
from destutter.commands.terminal import CommandError, Terminal
from destutter.core.kernel_files import KernelFileError
from destutter.core.sample import Facts, Frames, Message, Sample, Trouble
from destutter.core.statement import Statement
from destutter.diagnosis.causes.coverage import SAMPLED_LOG
from destutter.diagnosis.stutters.frame_steps import FrameSteps
from destutter.sampling.files.process_files import read_process_stat
from destutter.sampling.frames.frame_feed import FRAMES
from destutter.sampling.live import LiveSource, LiveSourceError
from destutter.sampling.programs import LiveOptions

if TYPE_CHECKING:
    from destutter.commands.live_trace import LiveTrace

_PROBES = ("wakeup",)
_OF_OURSELVES = frozenset({"self"})
_FILE_ERRORS = frozenset({"core.file", "core.file_line"})
_EVERY_KERNEL_HAS = frozenset({"vmstat", "meminfo", "stat"})


class LiveStream:
    """Measures as ``--root``, ``--pid`` and the frame options say. Iterate once, inside ``with``.

    Raises ``CommandError`` when it cannot start, when the sampler fails, and when the process
    that was named has ended.
    """

    def __init__(self, arguments: argparse.Namespace, seconds: float | None) -> None:
        self.root = root_of(arguments)
        self._pid = pid_of(arguments)
        self._broken: dict[str, Statement] = {}
        self._no_frames: Statement | None = None
        self._steps = FrameSteps()
        self._has_values = False
        self._trace_told: Statement | None = None
        if self._pid is not None:
            _need_process(self.root, self._pid)
        options = LiveOptions(
            root=self.root,
            pid=self._pid,
            seconds=seconds,
            probes=_PROBES,
            frames=frames_of(arguments, is_awaited=True),
            xplane=getattr(arguments, "xplane", None),
        )
        self._trace = _trace() if wants_trace(arguments) else None
        self._log = options.frames
        self._wants_frames = options.frames is not None or options.xplane is not None
        try:
            lent = None if self._trace is None else self._trace.lent
            self._source = LiveSource(options, trace=lent)
        except LiveSourceError as error:
            self._close_trace()
            raise CommandError(error.statement) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._source.close()
        self._close_trace()

    def __iter__(self) -> Iterator[Message]:
        try:
            for message in self._source.messages():
                self._note(message)
                yield message
                if self._trace is not None:
                    yield from self._trace.follow(message, self._source)
                self._check_game(message)
        except LiveSourceError as error:
            raise CommandError(error.statement) from None

    def last_looks(self) -> Sequence[Message]:
        """What the trace told at the end of a stream that was given up, by Ctrl-C for instance."""
        return self._source.last_looks

    def begin(self, terminal: Terminal) -> None:
        """Say what is waited for: a mistyped path is no hour without frames.

        That there is no trace is said as well, and is no reason not to measure.
        """
        if self._trace is not None and self._trace.why_not is not None:
            terminal.complain(_untraced(self._trace.why_not))
            self._trace_told = self._trace.why_not
        if self._log is not None and not os.path.exists(self._log):
            terminal.complain(Statement("command.log_awaited", {"path": self._log}))

    def conclude(self, terminal: Terminal) -> int:
        """Say which files of a captured tree are damaged, why no frames came that were asked for,
        or that most are missing; the exit status that this means.

        On the running computer such a file is only listed as not measured. Raises
        ``CommandError`` when nothing at all could be measured.
        """
        if not self._has_values:
            raise CommandError(Statement("command.nothing_to_measure", {"path": self.root}))
        if self._no_frames is not None:
            terminal.complain(self._of_log(self._no_frames))
            return 1
        self._conclude_trace(terminal)
        if self._steps.are_sampled:
            terminal.complain(SAMPLED_LOG)
        if self.root == "/":
            return 0 if self._trace is None or self._trace.why_not is None else 1
        # Several sources come from one file, which is told once.
        reasons = {_file_of(each) or each: each for each in self._broken.values()}
        for reason in reasons.values():
            terminal.complain(Statement("core.file", {"path": self.root, "reason": reason}))
        return 1 if self._broken else 0

    def _close_trace(self) -> None:
        if self._trace is not None:
            self._trace.close()

    def _conclude_trace(self, terminal: Terminal) -> None:
        why_not = None if self._trace is None else self._trace.why_not
        if why_not is not None and why_not != self._trace_told:
            terminal.complain(_untraced(why_not))

    def _of_log(self, reason: Statement) -> Statement:
        """Why no frames came, with the log that was asked for."""
        named = str(reason.values.get("path") or reason.values.get("name") or "")
        if self._log is None or named.startswith(self._log):
            return reason
        return Statement("core.file", {"path": self._log, "reason": reason})

    def _note(self, message: Message) -> None:
        if isinstance(message, Frames):
            for end_ns, frame_us in zip(message.monotonic_ns, message.frame_us, strict=True):
                self._steps.accept_frame(end_ns, frame_us)
        if isinstance(message, Sample) and not self._has_values:
            self._has_values = any(
                value is not None
                for reading in message.readings
                if reading.source not in _OF_OURSELVES
                for value in reading.values
            )
        if isinstance(message, Trouble) and message.source == FRAMES:
            # Only told where somebody asked for them.
            self._no_frames = message.reason if self._wants_frames else None
        elif isinstance(message, Trouble):
            reason = message.reason
            if reason is not None and (_file_of(reason) or message.source in _EVERY_KERNEL_HAS):
                self._broken[message.source] = reason
            else:
                self._broken.pop(message.source, None)

    def _check_game(self, message: Message) -> None:
        if self._pid is None or not isinstance(message, Facts):
            return
        if message.facts.get("game.pid") == "":
            raise CommandError(Statement("command.process_ended", {"pid": str(self._pid)}))


def _file_of(reason: Statement) -> str:
    """The kernel file that is there and cannot be read (``KernelFileError``); empty for others."""
    return str(reason.values["path"]) if reason.id in _FILE_ERRORS else ""


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """Ctrl-C and SIGTERM end what is inside as if it were done."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        with suppress(KeyboardInterrupt):
            yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _trace() -> "LiveTrace":
    # Loaded by those commands only that ask for one.
    from destutter.commands.live_trace import LiveTrace

    return LiveTrace()


def _untraced(why: Statement) -> Statement:
    """What there is no trace of, and why."""
    from destutter.commands.live_trace import UNFOLLOWED

    return why if why.id == UNFOLLOWED else Statement("command.untraced", {"why": why})


def _need_process(root: str, pid: int) -> None:
    try:
        stat = read_process_stat(computer(root), pid)
    except KernelFileError as error:
        raise CommandError(
            Statement("command.unwatchable", {"pid": str(pid), "reason": error.statement})
        ) from None
    if stat is None:
        raise CommandError(Statement("command.no_process", {"pid": str(pid)}))
