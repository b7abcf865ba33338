# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter watch``: does it stutter, once a second, until Ctrl-C."""

import argparse
import time

from destutter.commands.options import (
    add_frame_options,
    add_place_options,
    add_trace_option,
    seconds,
)
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import CommandError, Terminal
from destutter.core.statement import Statement


def add_arguments(parser: CommandParser) -> None:
    add_place_options(parser)
    add_frame_options(parser, Statement("cli.frames.follow"))
    add_trace_option(parser)
    parser.add_argument("--seconds", type=seconds, metavar="N", help=parser.say("cli.seconds"))
    parser.add_argument("--json", action="store_true", help=parser.say("cli.watch.json"))


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Watch until the time is over or Ctrl-C; raises ``CommandError`` when measuring fails."""
    from destutter.commands.live import LiveStream, ended_by_signal
    from destutter.commands.watcher import Watcher

    watcher = Watcher()
    with LiveStream(arguments, arguments.seconds) as stream, ended_by_signal():
        stream.begin(terminal)
        for message in stream:
            watcher.accept_message(message)
            if arguments.json:
                for tick in watcher.ticks():
                    terminal.json(tick)
            elif (line := watcher.line(terminal.words)) is not None:
                terminal.line(f"{time.strftime('%H:%M:%S')}  {line}")
    status = stream.conclude(terminal)
    if watcher.assessment is None and arguments.seconds is not None:
        raise CommandError(Statement("command.nothing_shown"))
    return status
