# SPDX-License-Identifier: GPL-3.0-or-later
"""What the probes share: samples as lines on standard output, and when to stop.

A probe must never wait for its reader: the wait would look like a stutter. Lines that do not fit
into the pipe are kept until they do, the oldest given up first after half an hour.
"""

import argparse
import contextlib
import fcntl
import gc
import os
import select
import signal
from collections import deque
from datetime import UTC, datetime
from typing import NoReturn

from destutter.core.catalog import SOURCES
from destutter.core.last_words import complain
from destutter.core.sample import Header, Layout, Message, Reading, Sample, Trouble, encode
from destutter.core.source import BATCH_MS
from destutter.core.statement import Statement, told
from destutter.sampling.child_arguments import between, seconds
from destutter.sampling.probes.probe_clock import ProbeClock

_PIPE_BYTES = 1 << 20
_PIPE_PAGE = 4096  # what a pipe that says it can take more takes without blocking
_MOST_LINES = 20_000  # half an hour of ten a second, some megabytes
_LONGEST_DEAF_NS = 500_000_000  # batches may be longer, and whoever ends a probe waits for it
_COMMAND_BYTES = 4096  # what has no end of line by then is no command
_INPUT, _OUTPUT = 0, 1


class ProbeStream:
    """The lines of one probe. ``source`` is its name in the catalog.

    ``is_stopping`` becomes true when standard input closes, the reader of the output is gone, or
    ``stop`` was called. The command ``batch MS`` on standard input changes how often lines are
    written; other commands are not for probes and ignored.
    """

    def __init__(
        self,
        source: str,
        batch_ms: int,
        clock: ProbeClock,
        input_descriptor: int = _INPUT,
        output_descriptor: int = _OUTPUT,
    ) -> None:
        self.is_stopping = False
        self._source = source
        self._batch_ns = batch_ms * 1_000_000
        self._clock = clock
        self._input = select.poll()
        self._input.register(input_descriptor, select.POLLIN)
        self._input_descriptor = input_descriptor
        self._commands = b""
        self._output = select.poll()
        self._output.register(output_descriptor, select.POLLOUT)
        self._output_descriptor = output_descriptor
        self._lines: deque[str] = deque(maxlen=_MOST_LINES)
        self._rest = b""
        self._emitted: list[tuple[int, int, int, tuple[int, ...]]] = []
        self._written_ns = 0
        self._look_ns = 0
        self._collect_ns = 0

    def begin(self, sample_ms: int) -> None:
        """Say what follows: one sample every so many milliseconds."""
        now_ns = self._clock.now_ns()
        wall_time = datetime.now(UTC).timestamp()
        self._add(Header(now_ns, wall_time, sample_ms))
        self._add(Layout(self._source, SOURCES[self._source].fields))
        self.flush()

    def emit(self, now_ns: int, due_ns: int, values: tuple[int, ...]) -> None:
        """Add the sample of the bucket that ended.

        Everything else that there is to do is done once per batch, while the caches are warm.
        """
        self._emitted.append((now_ns, due_ns, self._clock.suspended_ns(), values))
        if now_ns - self._written_ns >= self._batch_ns or now_ns >= self._look_ns:
            self._read_commands()
            self._look_ns = now_ns + _LONGEST_DEAF_NS
        if now_ns - self._written_ns >= self._batch_ns:
            self.flush()

    def complain(self, reason: Statement) -> None:
        """Say on the stream, and to whoever waits for the end, why nothing more is to come."""
        self._add(Trouble(self._clock.now_ns(), self._source, reason))
        self.flush()
        complain(reason)

    def flush(self) -> None:
        """Write what the pipe takes without waiting."""
        start_ns = self._written_ns = self._clock.now_ns()
        for emitted in self._emitted:
            self._add(self._sample(*emitted))
        self._emitted.clear()
        try:
            while (self._rest or self._lines) and self._output.poll(0):
                if not self._rest:
                    self._rest = self._lines.popleft().encode()
                piece = self._rest[:_PIPE_PAGE]
                self._rest = self._rest[os.write(self._output_descriptor, piece) :]
        except BrokenPipeError:
            self.is_stopping = True
        self._collect_ns = self._clock.now_ns() - start_ns

    def stop(self, _signal: int = 0, _frame: object = None) -> None:
        """End the probe soon; also a handler of signals."""
        self.is_stopping = True

    def _sample(
        self, now_ns: int, due_ns: int, suspended_ns: int, values: tuple[int, ...]
    ) -> Sample:
        collect_us, self._collect_ns = self._collect_ns // 1000, 0
        late_us = max(0, now_ns - due_ns) // 1000
        reading = Reading(self._source, now_ns, values)
        return Sample(now_ns, suspended_ns, collect_us, late_us, (reading,))

    def _add(self, message: Message) -> None:
        self._lines.append(encode(message) + "\n")

    def _read_commands(self) -> None:
        if not self._input.poll(0):
            return
        data = os.read(self._input_descriptor, _COMMAND_BYTES)
        if not data:
            self.is_stopping = True
            return
        *lines, self._commands = (self._commands + data).split(b"\n")
        self._commands = self._commands[-_COMMAND_BYTES:]
        for line in lines:
            words = line.split()
            if len(words) == 2 and words[0] == b"batch" and words[1].isdigit():
                self._batch_ns = int(words[1]) * 1_000_000


def prepare_process(stream: ProbeStream) -> None:
    """Settings of a process that wakes often and must not pause."""
    # Ctrl-C goes to the whole group: whoever started us decides, and closes our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stream.stop)
    # A probe makes no cycles; a pass of the collector would only be lateness of our own making.
    gc.disable()
    with contextlib.suppress(OSError):  # not a pipe, or the user has used up what pipes may take
        fcntl.fcntl(_OUTPUT, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


class ProbeParser(argparse.ArgumentParser):
    """Arguments that all probes have; a mistake is one line and exit status 2."""

    def __init__(self, source: str, interval_us: int) -> None:
        super().__init__(prog=f"destutter --{source}-probe", allow_abbrev=False)
        self.add_argument("--interval-us", type=between(100, 1_000_000), default=interval_us)
        self.add_argument("--sample-ms", type=between(10, 10_000), default=100)
        self.add_argument("--batch-ms", type=between(0, 60_000), default=BATCH_MS)
        self.add_argument("--seconds", type=seconds, help="end after so long")

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments, and exit."""
        complain(told(message))
        raise SystemExit(2)
