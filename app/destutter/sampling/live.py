# SPDX-License-Identifier: GPL-3.0-or-later
"""The live stream: the sampler, the probes and the reader of a trace, merged into one.

All are child processes. The window reads the same ones in ``bridge/feed.py``, between repaints: by
Qt's event loop, which a terminal does without.
"""

import contextlib
import os
import select
import selectors
import subprocess
import time
from collections.abc import Iterator, Sequence
from typing import IO, cast

from destutter.core.last_words import last_words
from destutter.core.probes import probes_started
from destutter.core.sample import Facts, Header, Message, SampleError, Trouble, decode
from destutter.core.statement import Statement, StatementError
from destutter.core.system_error import system_reason
from destutter.core.traced import SOURCE, followed
from destutter.sampling.programs import SAMPLER, LiveOptions
from destutter.sampling.trace_source import LentTrace, follow_command

_READ_BYTES = 1 << 16
_STOP_S = 2.0  # for each of three ways to end; a job of the slow side may be under way
_LAST_WORDS = 4096  # the end of a traceback


class LiveSourceError(StatementError):
    """The sampler ended although nobody asked for it; the statement says why."""


class _Child:
    """A process that writes messages, one per line."""

    def __init__(self, name: str, command: Sequence[str], descriptors: Sequence[int] = ()) -> None:
        self.name = name
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=descriptors
        )
        self.input = cast(IO[bytes], self.process.stdin)
        self.output = cast(IO[bytes], self.process.stdout)
        self.errors = cast(IO[bytes], self.process.stderr)
        self._rest = b""
        self._words = b""

    def take_output(self) -> list[Message] | None:
        """The messages that can be read now; None at the end of the output."""
        data = os.read(self.output.fileno(), _READ_BYTES)
        if not data:
            return None
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [decode(line) for line in lines]

    def take_errors(self) -> list[Message] | None:
        """Keep the latest of what it complains about, which is no message; None at the end."""
        data = os.read(self.errors.fileno(), _READ_BYTES)
        self._words = (self._words + data)[-_LAST_WORDS:]
        return [] if data else None

    def write(self, line: bytes) -> None:
        """Send it one line; one that has ended says itself why."""
        with contextlib.suppress(BrokenPipeError):
            self.input.write(line)
            self.input.flush()

    def end_input(self) -> None:
        """Ask it to end: its standard input closes."""
        try:
            self.input.close()
        except BrokenPipeError:
            return

    def wait(self) -> int:
        """Wait for its end, at last with force; returns its exit status. No zombie stays."""
        for insist in (None, self.process.terminate, self.process.kill):
            if insist is not None:
                insist()
            try:
                return self.process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                continue
        return self.process.wait()

    def close_outputs(self) -> None:
        self.output.close()
        self.errors.close()

    def last_words(self) -> Statement | None:
        """Why it ended, where it said so."""
        return last_words(self._words)


class LiveSource:
    """A ``SampleSource`` over child processes. The first message is the sampler's header.

    With a ``trace`` the process that reads it runs beside the sampler and ends with it. Where the
    iteration is given up before, ``last_looks`` has what that told at its end: up to two seconds.
    ``close`` may be called from another thread than the one that reads the messages; they end
    then.
    """

    def __init__(
        self,
        options: LiveOptions,
        command: Sequence[str] | None = None,
        trace: LentTrace | None = None,
    ) -> None:
        programs = options.programs(command)
        self._is_closing = False
        self._is_reading = False
        self._children: list[_Child] = []
        self._tracer: _Child | None = None
        self.last_looks: list[Message] = []
        self._probes = tuple(each for each in programs if each != SAMPLER)
        try:
            for name, line in programs.items():
                self._children.append(_Child(name, line))
            if trace is not None:
                line, descriptors = trace.command(command), trace.descriptors
                self._tracer = _Child(SOURCE, line, descriptors)
                self._children.append(self._tracer)
                self._tracer.write(trace.formats_line)
        except OSError as error:
            self.close()
            raise LiveSourceError(
                Statement("sampling.not_started", {"reason": system_reason(error)})
            ) from error

    def follow(self, pid: int | None, lead: int | None = None) -> Facts:
        """Tell whose waits for a core the trace is to show, None nobody's, and which thread of it
        shows its frames; the message that says so, which belongs into the stream.
        """
        if self._tracer is not None:
            self._tracer.write(f"{follow_command(pid, lead)}\n".encode())
        return Facts(time.monotonic_ns(), followed(pid, lead))

    def end_trace(self) -> None:
        """Have no more looks than the last one; the rest goes on."""
        if self._tracer is not None:
            self._tracer.end_input()

    def messages(self) -> Iterator[Message]:
        """Every message as it arrives; ends with the sampler, or when the source is closed.

        The processes are ended and waited for when the iteration ends.

        Raises ``LiveSourceError`` when the sampler failed, or what it wrote is no message.
        """
        self._is_reading = True
        try:
            yield from self._after_header(self._merged())
        except SampleError as error:
            raise LiveSourceError(
                Statement("sampling.no_message", {"reason": str(error)})
            ) from error
        finally:
            self._take_last_looks()
            self._is_reading = False
            self.close()

    def _take_last_looks(self) -> None:
        tracer = self._tracer
        if tracer is None or tracer.input.closed or self._is_closing:
            return
        tracer.end_input()
        with contextlib.suppress(SampleError):
            while select.select([tracer.output], [], [], _STOP_S)[0]:
                messages = tracer.take_output()
                if messages is None:
                    return
                self.last_looks += messages

    def close(self) -> None:
        """End the processes and wait for them. May be called twice."""
        self._is_closing = True
        for child in self._children:
            child.end_input()
            if not self._is_reading:
                # One that waits for a reader learns that there is none.
                child.close_outputs()
        for child in self._children:
            child.wait()

    def _merged(self) -> Iterator[tuple[_Child, Message]]:
        """Messages of all children, with their child, until the sampler's output ends.

        The last look at a trace comes when its reader is asked to end.
        """
        with selectors.DefaultSelector() as selector:
            for child in self._children:
                selector.register(child.output, selectors.EVENT_READ, (child, child.take_output))
                selector.register(child.errors, selectors.EVENT_READ, (child, child.take_errors))
            wait_s: float | None = None
            while True:
                ready = selector.select(wait_s)
                if not ready and wait_s is not None:
                    return
                for key, _ in ready:
                    child, take = key.data
                    messages = take()
                    if messages is None:
                        selector.unregister(key.fileobj)
                        messages = self._ended(child) if key.fileobj is child.output else []
                    for message in messages:
                        yield child, message
                if self._children[0].output in selector.get_map():
                    continue
                if self._tracer is None or self._tracer.output not in selector.get_map():
                    return
                self._tracer.end_input()
                wait_s = _STOP_S

    def _ended(self, child: _Child) -> list[Message]:
        """What the end of a child means: an error of the sampler, a trouble of a probe."""
        status = child.wait()
        if self._is_closing:
            return []
        while child.take_errors() is not None:
            continue
        words = child.last_words() or Statement("sampling.ended", {"status": status})
        if child is not self._children[0]:
            is_tracer = child is self._tracer
            if child.input.closed:
                return []
            id_ = "tracing.reader_ended" if is_tracer else "sampling.probe_ended"
            why = Statement(id_, {"reason": words})
            return [Trouble(time.monotonic_ns(), child.name, why)]
        if status != 0:
            raise LiveSourceError(words)
        return []

    def _after_header(self, pairs: Iterator[tuple[_Child, Message]]) -> Iterator[Message]:
        """Hold back what probes say before the sampler's header, and drop their own headers.

        That they were started is told behind it: until they speak nothing else shows that.
        """
        early: list[Message] = []
        has_begun = False
        for child, message in pairs:
            is_sampler = child is self._children[0]
            if isinstance(message, Header) and not is_sampler:
                continue
            if has_begun or is_sampler:
                yield message
                if self._probes and not has_begun:
                    yield probes_started(time.monotonic_ns(), self._probes)
                yield from early
                early.clear()
                has_begun = True
            else:
                early.append(message)
