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
from functools import partial
from types import FrameType

from destutter.analysis.changes.trace_grant import TraceGrant, TraceGrantError
from destutter.analysis.examining.longest_path import LongestPath
from destutter.commands.computer import computer
from destutter.commands.live_trace import ask_for_trace, with_advice
from destutter.commands.named_process import find_process, is_running
from destutter.commands.terminal import CommandError, Terminal
from destutter.commands.trace_lines import TraceTable, look_json
from destutter.core.kernel_files import KernelFiles
from destutter.core.sample import Trouble
from destutter.core.statement import Statement
from destutter.core.traced import TraceLook
from destutter.sampling.trace_source import TraceSource, TraceSourceError


def trace(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Take ``game``, ``expert``, ``seconds`` and ``json``; the exit status. Raises
    ``CommandError``."""
    if arguments.expert and arguments.game is None:
        raise CommandError(Statement("tracing.expert_needs_game"))
    files = computer("/")
    game = None if arguments.game is None else find_process(files, arguments.game)
    try:
        with ask_for_trace(game=game is not None, expert=arguments.expert) as grant:
            if game is not None:
                grant.watch(game)
            has_ended = partial(_has_ended, files, game)
            return _follow(grant, game, arguments, terminal, has_ended)
    except TraceGrantError as error:
        raise CommandError(with_advice(error)) from None
    except TraceSourceError as error:
        raise CommandError(error.statement) from None


def _has_ended(files: KernelFiles, game: int | None) -> bool:
    return game is not None and not is_running(files, game)


def _follow(
    grant: TraceGrant,
    game: int | None,
    arguments: argparse.Namespace,
    terminal: Terminal,
    has_ended: Callable[[], bool],
) -> int:
    table = None if arguments.json else TraceTable(terminal.words, game)
    path = LongestPath()
    end_s = time.monotonic() + (arguments.seconds or math.inf)
    with _stopping() as is_stopped, closing(_source(grant, game)) as source:
        _tell(terminal, () if table is None else table.head(grant.formats.missing))

        def is_over() -> bool:
            is_late = time.monotonic() >= end_s
            return is_stopped() or grant.is_over or is_late or has_ended()

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
        elif has_ended():
            terminal.complain(Statement("tracing.game_ended", {"name": arguments.game}))
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
