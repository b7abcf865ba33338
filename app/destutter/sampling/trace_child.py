# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that reads the kernel's trace: looks as lines on standard output.

The descriptors of the trace come from whoever starts it, and the first line on standard input is
the formats of the trace, as the helper gave them. It ends when its standard input closes, when the
reader of its output is gone, when there is no trace any more, or after ``--seconds``. The command
``game PID`` on standard input says whose waits for a core are told, ``game PID TID`` that this
thread of it shows its frames, and ``game -`` that nobody's are; after ``look`` it looks and tells
at once.

What was found is written at once, that nothing took long once a second, and that nothing happened
every two seconds; until then it sleeps: a process that wakes four times a second for nothing takes
0.06 % of a core, once a second 0.03 %. While a game runs there is always something.
"""

import argparse
import gc
import os
import select
import signal
import time
from collections.abc import Callable, Mapping

from destutter.core.computer import kernel_files
from destutter.core.last_words import complain
from destutter.core.sample import Trouble, encode
from destutter.core.statement import Statement, told
from destutter.core.system_error import system_reason
from destutter.core.traced import SOURCE
from destutter.sampling.child_arguments import between, seconds
from destutter.sampling.tracing.formats import TraceFormatError
from destutter.sampling.tracing.reader import FLOOD_WINDOW_NS, INTERVAL_NS, TraceReader
from destutter_helper.api.names import REPLY_MAX_BYTES, HelperError
from destutter_helper.api.tracing import decode_formats

_NOTHING_LONG_NS = 1_000_000_000 - INTERVAL_NS // 2  # the fourth look, told a little early or late
_QUIET_NS = 2_000_000_000 - INTERVAL_NS // 2  # the eighth look, be it told a little late or early
_INPUT, _OUTPUT, _ERRORS = 0, 1, 2
_READ_BYTES = 1 << 16


class _Commands:
    """Lines of standard input, waited for no longer than until the next look."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._rest = b""
        self.has_ended = False

    @property
    def has_line(self) -> bool:
        """Whether one has come that nobody has taken."""
        return b"\n" in self._rest

    def first_line(self) -> bytes:
        """The first line, however long it takes; empty where the input ends before its end."""
        while not self.has_line and not self.has_ended:
            self._read()
            if len(self._rest) > REPLY_MAX_BYTES:
                return b""
        line, ended, self._rest = self._rest.partition(b"\n")
        return line if ended else b""

    def wait(self, seconds: float) -> list[bytes]:
        """The lines that come within the time."""
        if not self.has_line:
            if not select.select([self.descriptor], [], [], max(seconds, 0.0))[0]:
                return []
            self._read()
        *lines, self._rest = self._rest.split(b"\n")
        self._rest = self._rest[-_READ_BYTES:]
        return lines

    def _read(self) -> None:
        data = os.read(self.descriptor, _READ_BYTES)
        self._rest += data
        self.has_ended = not data


class TraceProcess:
    """Looks at the trace every quarter of a second, and tells what is to be told."""

    def __init__(
        self,
        reader: TraceReader,
        commands: _Commands,
        write: Callable[[str], None],
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._reader = reader
        self._commands = commands
        self._write = write
        self._clock = clock
        self._told_ns = clock()
        self.is_stopping = False

    def run(self, seconds: float | None) -> None:
        """Look until told to end. Raises ``OSError`` when the trace or the output is gone."""
        for why in self._reader.unusable:
            self._complain(why)
        deadline_ns = self._clock()
        end_ns = None if seconds is None else deadline_ns + int(seconds * 1e9)
        while True:
            is_last = self._is_over(end_ns)
            # That nothing happened is told seldom: whoever reads it would wake for it.
            if self._reader.look() or is_last or self._is_due():
                self._tell()
            for why in self._reader.take_troubles():
                self._complain(why)
            if is_last:
                return
            late_ns = max(0, self._clock() - deadline_ns)
            deadline_ns += INTERVAL_NS * (late_ns // INTERVAL_NS + 1)
            if self._reader.is_flooded:
                self._wait_until(deadline_ns - FLOOD_WINDOW_NS, end_ns)
                self._reader.skip()
            elif self._reader.is_quiet:
                deadline_ns = self._rest(deadline_ns, end_ns)
            self._wait_until(deadline_ns, end_ns)

    def _is_due(self) -> bool:
        least_ns = _QUIET_NS if self._reader.is_quiet else _NOTHING_LONG_NS
        return self._clock() - self._told_ns >= least_ns

    def _tell(self) -> None:
        self._told_ns = self._clock()
        self._write(encode(self._reader.tell()))

    def _is_over(self, end_ns: int | None) -> bool:
        is_late = end_ns is not None and self._clock() >= end_ns
        return is_late or self.is_stopping or self._commands.has_ended

    def _rest(self, deadline_ns: int, end_ns: int | None) -> int:
        """Sleep until a ring has anything or a command came, and at most until it is time to tell
        that nothing happened; when the next look is due then.

        What woke it is read at its turn: a look more for the first event would cost twice.
        """
        last_ns = _turn(deadline_ns, self._told_ns + _QUIET_NS)
        left_ns = (last_ns if end_ns is None else min(last_ns, end_ns)) - self._clock()
        if left_ns > 0 and not self._commands.has_line:
            self._reader.rest(left_ns / 1e9, self._commands.descriptor)
        return min(last_ns, _turn(deadline_ns, self._clock()))

    def _wait_until(self, deadline_ns: int, end_ns: int | None) -> None:
        while not self._is_over(end_ns):
            left_ns = deadline_ns - self._clock()
            if left_ns <= 0:
                return
            for line in self._commands.wait(left_ns / 1e9):
                self._obey(line)

    def _obey(self, line: bytes) -> None:
        command, *numbers = line.split()
        is_game = command == b"game" and (
            numbers == [b"-"] or (len(numbers) in (1, 2) and all(map(bytes.isdigit, numbers)))
        )
        if not is_game and line.strip() != b"look":
            complain(told(f"unknown command {line[:60]!a}"))
            return
        # What happened until now is of the game before.
        self._reader.look()
        self._tell()
        if is_game:
            self._reader.game, *leads = (None if each == b"-" else int(each) for each in numbers)
            if leads:
                self._reader.lead = leads[0]

    def _complain(self, why: Statement) -> None:
        self._write(encode(Trouble(self._clock(), SOURCE, why)))


def _turn(deadline_ns: int, at_ns: int) -> int:
    """The first of this deadline and those that follow it which is not before a time."""
    return deadline_ns + INTERVAL_NS * max(0, -(-(at_ns - deadline_ns) // INTERVAL_NS))


def main(environment: Mapping[str, str], argv: list[str]) -> int:
    """Run the process; returns the exit status: 0 done, 1 could not, 2 wrong usage."""
    options = _parser().parse_args(argv)
    commands = _Commands(_INPUT)
    try:
        formats = decode_formats(commands.first_line().decode("utf-8", "replace"))
        files = kernel_files("/", environment.get("DBUS_SESSION_BUS_ADDRESS", ""))
        reader = TraceReader(formats, options.descriptors, files)
    except HelperError as error:
        complain(Statement("tracing.no_formats", {"reason": str(error)}))
        return 1
    except TraceFormatError as error:
        complain(error.statement)
        return 1
    reader.game = options.game
    process = TraceProcess(reader, commands, _write_line)
    _prepare_process(process)
    try:
        process.run(options.seconds)
    except BrokenPipeError:
        return 0  # nobody listens any more
    except OSError as error:
        complain(Statement("tracing.gone", {"reason": system_reason(error)}))
        return 1
    return 0


def _prepare_process(process: TraceProcess) -> None:
    def stop(_signal: int, _frame: object) -> None:
        process.is_stopping = True

    # Ctrl-C goes to the whole group: whoever started us decides, and closes our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stop)
    # Records of a look are many and make no cycles: looking for those would be most of the work.
    gc.disable()


def _write_line(line: str) -> None:
    data = f"{line}\n".encode()
    while data:
        data = data[os.write(_OUTPUT, data) :]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="destutter --trace-reader", allow_abbrev=False)
    parser.add_argument("--descriptors", type=_numbers, required=True, metavar="N,N")
    parser.add_argument(
        "--game", type=between(1, 1 << 22), metavar="PID", help="whose waits for a core are told"
    )
    parser.add_argument("--seconds", type=seconds, help="end after so long")
    return parser


def _numbers(text: str) -> list[int]:
    numbers = [int(each) for each in text.split(",")]
    if not numbers or min(numbers) <= _ERRORS:
        raise argparse.ArgumentTypeError(f"{text[:60]!a} is not a list of descriptors")
    return numbers
