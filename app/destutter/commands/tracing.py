# SPDX-License-Identifier: GPL-3.0-or-later
"""One trace of the terminal: from the helper's grant to what is said at the end."""

import argparse
import contextlib
import dataclasses
import math
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from types import FrameType

from destutter.analysis.changes.trace_grant import TraceGrant, TraceGrantError
from destutter.analysis.examining.longest_path import LongestPath
from destutter.commands.computer import computer
from destutter.commands.live_trace import ask_for_trace, with_advice
from destutter.commands.terminal import CommandError, Terminal
from destutter.commands.trace_lines import TraceTable, look_json
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import Trouble
from destutter.core.statement import Statement
from destutter.core.traced import TraceLook
from destutter.sampling.files.process_files import list_pids, read_process_stat
from destutter.sampling.trace_source import TraceSource, TraceSourceError

_NAME_LENGTH = 15  # the kernel keeps no more of a name


def trace(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Take ``game``, ``expert``, ``seconds`` and ``json``; the exit status. Raises
    ``CommandError``."""
    if arguments.expert and arguments.game is None:
        raise CommandError(Statement("tracing.expert_needs_game"))
    game = None if arguments.game is None else find_process(computer("/"), arguments.game)
    try:
        with ask_for_trace(game=game is not None, expert=arguments.expert) as grant:
            if game is not None:
                grant.watch(game)
            return _follow(grant, game, arguments, terminal)
    except TraceGrantError as error:
        raise CommandError(with_advice(error)) from None
    except TraceSourceError as error:
        raise CommandError(error.statement) from None


def find_process(files: KernelFiles, wanted: str) -> int:
    """The process of that number, or the one of that name that runs.

    Raises ``CommandError`` where there is none, or more than one of the name.
    """
    if wanted.isascii() and wanted.isdecimal():
        pids = [int(wanted)] if _name(files, int(wanted)) is not None else []
        if not pids:
            raise CommandError(Statement("command.no_process", {"pid": wanted}))
    else:
        name = wanted[:_NAME_LENGTH]
        pids = [pid for pid in list_pids(files) if _name(files, pid) == name]
        if not pids:
            raise CommandError(Statement("tracing.no_game", {"name": wanted}))
    if len(pids) > 1:
        numbers = ", ".join(map(str, pids))
        raise CommandError(Statement("tracing.many_games", {"name": wanted, "pids": numbers}))
    return pids[0]


def _name(files: KernelFiles, pid: int) -> str | None:
    try:
        stat = read_process_stat(files, pid)
    except KernelFileError:
        return None
    return None if stat is None or stat.has_ended else stat.name


def _follow(
    grant: TraceGrant, game: int | None, arguments: argparse.Namespace, terminal: Terminal
) -> int:
    table = None if arguments.json else TraceTable(terminal.words, game)
    path = LongestPath()
    end_s = time.monotonic() + (arguments.seconds or math.inf)
    with _stopping() as is_stopped, closing(_source(grant, game)) as source:
        _tell(terminal, () if table is None else table.head(grant.formats.missing))

        def is_over() -> bool:
            return is_stopped() or grant.is_over or time.monotonic() >= end_s

        for message in source.messages(is_over):
            if isinstance(message, Trouble):
                if message.reason is not None:
                    terminal.complain(message.reason)
                continue
            _ask_for_path(grant, path, message)
            if table is None:
                terminal.json(look_json(message))
            else:
                _tell(terminal, table.lines(message))
                terminal.status(table.status())
        if table is not None:
            _tell(terminal, table.end())
            _tell(terminal, table.path(path.known))
        elif path.known is not None:
            terminal.json({"longest_sleep": dataclasses.asdict(path.known)})
        if grant.is_over:
            terminal.complain(Statement("tracing.over"))
    return 0


def _ask_for_path(grant: TraceGrant, path: LongestPath, look: TraceLook) -> None:
    """At once: the kernel keeps only the last ones. One that it has no more is told without."""
    sleep = path.wanted((look,))
    if sleep is None:
        return
    functions: tuple[str, ...] = ()
    with contextlib.suppress(TraceGrantError):
        functions = grant.call_path(sleep.thread.tid, sleep.begin_ns)
    path.accept_path(sleep, functions)


def _tell(terminal: Terminal, lines: Iterable[str]) -> None:
    for line in lines:
        terminal.line(line)


def _source(grant: TraceGrant, game: int | None) -> TraceSource:
    return TraceSource(grant.formats_text, grant.descriptors, game)


@contextmanager
def _stopping() -> Iterator[Callable[[], bool]]:
    """Ctrl-C and SIGTERM end the trace, and what was found until then is told."""
    asked: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        asked.append(number)

    ending = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, stop) for number in ending]
    try:
        yield lambda: bool(asked)
    finally:
        for number, handler in zip(ending, before, strict=True):
            signal.signal(number, handler)
