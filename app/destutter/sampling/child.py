# SPDX-License-Identifier: GPL-3.0-or-later
"""The sampler's process: samples as lines on standard output, commands on standard input.

It ends when its standard input closes, when the reader of its output is gone, or after
``--seconds``. Commands, one per line: ``watch PID``, ``watch -`` (the computer as a whole),
``batch MS``, ``mark TEXT``.
"""

import argparse
import contextlib
import fcntl
import gc
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from destutter.core.computer import kernel_files
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.last_words import complain
from destutter.core.sample import Marker, Message, encode
from destutter.core.source import BATCH_MS
from destutter.core.statement import Statement, told
from destutter.core.user_folders import frame_log_folder
from destutter.sampling.child_arguments import between, seconds
from destutter.sampling.finding.frame_logs import log_folders
from destutter.sampling.frames.frame_feed import AUTO, parse_address
from destutter.sampling.frames.xplane import XPlaneError, address_of
from destutter.sampling.sampler import Sampler, SamplerOptions

_INPUT = 0
_OUTPUT = 1
_PIPE_BYTES = 1 << 20
_SWITCH_S = 0.0005
_LONGEST_WAIT_S = 0.5


class LineOutput:
    """Collects messages and writes them together: a reader that wakes less often costs less.

    Their lines are made together as well. After a tick's pause nothing of what makes them is in a
    cache, so that three at once take a little more than half of what three one by one do.
    """

    def __init__(self, descriptor: int, batch_ms: int, clock: Callable[[], int]) -> None:
        self.batch_ms = batch_ms
        self._descriptor = descriptor
        self._clock = clock
        self._messages: list[Message] = []
        self._written_ns = 0

    def add(self, messages: Sequence[Message]) -> None:
        """Take messages; write when the batch is full. Raises ``BrokenPipeError``."""
        self._messages += messages
        if self._clock() - self._written_ns >= self.batch_ms * 1_000_000:
            self.flush()

    def flush(self) -> None:
        """Write what was collected. Raises ``BrokenPipeError``."""
        if self._messages:
            data = "".join([f"{encode(message)}\n" for message in self._messages]).encode()
            self._messages.clear()
            while data:
                data = data[os.write(self._descriptor, data) :]
        self._written_ns = self._clock()


class CommandInput:
    """Lines from a descriptor, read by a thread of their own.

    Asking the kernel at each tick whether there is a line costs as much as reading a file, so
    the thread waits for lines that hardly ever come, and a tick looks into a list.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: deque[str] = deque()
        self.has_ended = False
        self._thread = threading.Thread(target=self._read, name="commands", daemon=True)
        self._thread.start()

    def take(self) -> Iterator[str]:
        """The lines that have arrived."""
        while self._lines:
            yield self._lines.popleft()

    def _read(self) -> None:
        rest = b""
        with contextlib.suppress(OSError):  # there may be no input at all
            while data := os.read(self._descriptor, 4096):
                *lines, rest = (rest + data).split(b"\n")
                self._lines.extend(line.decode("utf-8", "replace").strip() for line in lines)
        self.has_ended = True


class SamplerProcess:
    """Ticks until it is told to stop."""

    def __init__(
        self,
        sampler: Sampler,
        commands: CommandInput,
        output: LineOutput,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._sampler = sampler
        self._commands = commands
        self._output = output
        self._clock = clock
        self.is_stopping = False

    def run(self, seconds: float | None) -> None:
        """Take samples for so long, or until the input ends. Raises ``BrokenPipeError``."""
        self._output.add(self._sampler.begin(datetime.now(UTC).timestamp()))
        self._sampler.slow.start()
        deadline_ns = self._clock()
        end_ns = None if seconds is None else deadline_ns + int(seconds * 1e9)
        while end_ns is None or deadline_ns < end_ns:
            self._sleep_until(deadline_ns)
            if self.is_stopping or self._commands.has_ended:
                break
            self._output.add(self._sampler.tick(deadline_ns))
            deadline_ns = self._sampler.next_deadline(deadline_ns)
        self._output.flush()

    def _sleep_until(self, deadline_ns: int) -> None:
        """Wait for the deadline, then do what commands say."""
        while not (self.is_stopping or self._commands.has_ended):
            left_s = (deadline_ns - self._clock()) / 1e9
            if left_s <= 0:
                break
            # Not longer than this at once: the end of the input only sets a flag.
            time.sleep(min(left_s, _LONGEST_WAIT_S))
        for line in self._commands.take():
            self._obey(line)

    def _obey(self, line: str) -> None:
        command, _, argument = line.partition(" ")
        argument = argument.strip()
        if command == "watch":
            self._watch(argument)
        elif command == "batch" and argument.isdigit():
            self._output.batch_ms = int(argument)
        elif command == "mark":
            self._output.add([Marker(self._clock(), argument)])
        else:
            complain(told(f"unknown command {line[:60]!a}"))

    def _watch(self, argument: str) -> None:
        if argument == "-":
            self._sampler.watch(None)
        elif argument.isdigit() and int(argument):
            self._sampler.watch(int(argument))
        else:
            complain(told(f"unknown process {argument[:60]!a}"))


def main(environment: Mapping[str, str], argv: list[str]) -> int:
    """Run the sampler; returns the exit status: 0 done, 1 could not, 2 wrong usage."""
    options = _parser().parse_args(argv)
    session_bus = environment.get("DBUS_SESSION_BUS_ADDRESS", "")
    files = kernel_files(options.root, session_bus)
    if not os.path.isdir(files.locate("/proc")):
        complain(Statement("command.no_capture", {"path": options.root}))
        return 1
    _prepare_process()
    try:
        _run(files, options, environment)
    except XPlaneError as error:
        complain(error.statement)
        return 1
    except BrokenPipeError:
        # Nobody listens any more, which is how this process is meant to learn of its end.
        return 0
    except KernelFileError as error:
        complain(error.statement)
        return 1
    return 0


def _run(files: KernelFiles, options: argparse.Namespace, environment: Mapping[str, str]) -> None:
    choice = SamplerOptions(
        options.interval_ms,
        options.pid,
        not options.no_auto,
        environment.get("XDG_SESSION_TYPE", ""),
        environment.get("DBUS_SESSION_BUS_ADDRESS", "") if files.is_live else "",
        files.is_live,
        frame_log_folder(environment) if files.is_live else None,
        _more_log_folders(options.frames, environment) if files.is_live else (),
    )
    output = LineOutput(_OUTPUT, options.batch_ms, time.monotonic_ns)
    with contextlib.closing(Sampler(files, choice)) as sampler:
        _begin_frames(sampler, options)
        process = SamplerProcess(sampler, CommandInput(_INPUT), output)

        def stop(_signal: int, _frame: object) -> None:
            process.is_stopping = True

        signal.signal(signal.SIGTERM, stop)
        process.run(options.seconds)


def _more_log_folders(frames: str | None, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where games may write logs of their frames: what is followed, and the user's settings."""
    usual = log_folders(environment, "")
    if frames is None:
        return tuple(usual)
    named = Path(frames)
    return (named if named.is_dir() else named.parent, *usual)


def _begin_frames(sampler: Sampler, options: argparse.Namespace) -> None:
    """Follow what was asked for. Raises ``XPlaneError`` for a host that nobody knows."""
    if options.frames is not None:
        sampler.frames.follow(options.frames)
    elif options.xplane is not None:
        # Here and once: asking for a name's address takes long, and a tick must not wait.
        host, port = options.xplane
        if host == AUTO:
            sampler.frames.listen_for_beacon()
        else:
            sampler.frames.listen(address_of(host), port)


def _prepare_process() -> None:
    """Settings of a process that wakes often and must not pause."""
    # Ctrl-C goes to the whole group: whoever started us decides, and closes our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The slow side must not hold up a tick for long.
    sys.setswitchinterval(_SWITCH_S)
    # Everything so far stays; what a tick makes is freed without the collector's help.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    # A reader that stalls for half a minute, as when the computer stutters, loses nothing.
    with contextlib.suppress(OSError):
        fcntl.fcntl(_OUTPUT, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="destutter --sampler", allow_abbrev=False)
    parser.add_argument("--root", default="/", help="another tree than /, such as a captured one")
    parser.add_argument("--interval-ms", type=between(10, 60_000), default=100)
    parser.add_argument("--pid", type=between(1, 1 << 22), help="the game's process")
    parser.add_argument("--no-auto", action="store_true", help="do not search for a game")
    frames = parser.add_mutually_exclusive_group()
    frames.add_argument("--frames", metavar="PATH", help="a frame log to follow, or its folder")
    frames.add_argument("--xplane", type=_address, metavar="HOST:PORT", help="frames of X-Plane")
    parser.add_argument("--seconds", type=seconds, help="end after so long")
    parser.add_argument("--batch-ms", type=between(0, 60_000), default=BATCH_MS)
    return parser


def _address(text: str) -> tuple[str, int]:
    try:
        return parse_address(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
