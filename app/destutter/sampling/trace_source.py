# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that reads the trace, as who started it has it: its looks, and when it ends."""

import os
import select
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, cast

from destutter.core.last_words import last_words
from destutter.core.sample import SampleError, Trouble, decode
from destutter.core.statement import Statement, StatementError
from destutter.core.system_error import system_reason
from destutter.core.traced import TraceLook
from destutter.sampling.own_program import own_command

_READ_BYTES = 1 << 16
_LOOK_S = 0.25
_STOP_S = 2.0


class TraceSourceError(StatementError):
    """The process could not be started, or ended although nobody asked it to."""


@dataclass(frozen=True, slots=True)
class LentTrace:
    """What the helper said of a trace, and its descriptors, which stay whoever's they are."""

    formats: str
    descriptors: tuple[int, ...]

    @property
    def formats_line(self) -> bytes:
        """The first line that the process reads."""
        return self.formats.replace("\n", " ").encode() + b"\n"

    def command(self, base: Sequence[str] | None = None) -> list[str]:
        """The command line of the process; ``base`` starts this program."""
        numbers = ",".join(map(str, self.descriptors))
        line = [*(own_command() if base is None else base), "--trace-reader"]
        return [*line, "--descriptors", numbers]


def follow_command(pid: int | None, lead: int | None) -> str:
    """The line that tells the process of which game, and which thread of it shows the frames."""
    if pid is None:
        return "game -"
    return f"game {pid}" if lead is None else f"game {pid} {lead}"


class TraceSource:
    """Starts the process with the descriptors of a trace, which stay the caller's.

    ``formats`` is what the helper said of the trace, ``game`` the process whose waits for a core
    are told. Raises ``TraceSourceError``.
    """

    def __init__(
        self,
        formats: str,
        descriptors: Sequence[int],
        game: int | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        lent = LentTrace(formats, tuple(descriptors))
        line = lent.command(command)
        if game is not None:
            line += ["--game", str(game)]
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                line, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=descriptors
            )
        except OSError as error:
            why = Statement("tracing.reader_not_started", {"reason": system_reason(error)})
            raise TraceSourceError(why) from error
        self._input = cast(IO[bytes], self._process.stdin)
        self._output = cast(IO[bytes], self._process.stdout)
        self._errors = cast(IO[bytes], self._process.stderr)
        with suppress(BrokenPipeError):  # it has ended already, and says why
            self._input.write(lent.formats_line)
            self._input.flush()

    def messages(self, is_over: Callable[[], bool]) -> Iterator[TraceLook | Trouble]:
        """What it tells, until ``is_over``, which is asked four times a second, and the last look
        behind that. Raises ``TraceSourceError``.
        """
        rest, is_ending = b"", False
        while True:
            if not is_ending and is_over():
                is_ending = True
                self._end_input()
            if not select.select([self._output], [], [], _LOOK_S)[0]:
                continue
            data = os.read(self._output.fileno(), _READ_BYTES)
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                yield _message(line)
        status = self._process.wait()
        if status != 0 or not is_ending:
            ended = Statement("sampling.ended", {"status": status})
            words = last_words(self._errors.read()) or ended
            raise TraceSourceError(Statement("tracing.reader_ended", {"reason": words}))

    def close(self) -> None:
        """End the process and wait for it. May be called twice."""
        self._end_input()
        self._output.close()
        try:
            self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def _end_input(self) -> None:
        with suppress(BrokenPipeError):
            self._input.close()


def _message(line: bytes) -> TraceLook | Trouble:
    try:
        message = decode(line)
    except SampleError as error:
        raise TraceSourceError(Statement("tracing.no_look", {"reason": str(error)})) from error
    if not isinstance(message, TraceLook | Trouble):
        shown = line[:60].decode("utf-8", "replace")
        raise TraceSourceError(Statement("tracing.no_look", {"reason": shown}))
    return message
