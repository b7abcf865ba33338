# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter trace``: what the kernel says of waits of threads and of slow requests."""

import argparse

from destutter.commands.options import add_json_option, seconds
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import Terminal


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("--game", metavar="NAME", help=parser.say("cli.trace.game"))
    parser.add_argument("--expert", action="store_true", help=parser.say("cli.trace.expert"))
    parser.add_argument("--seconds", type=seconds, metavar="N", help=parser.say("cli.seconds"))
    add_json_option(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Trace until Ctrl-C, until the time is over or the grant ends.

    Raises ``CommandError`` when there is no such game, or none is named where one has to be, and
    when the helper is not there, refuses or knows nothing of tracing.
    """
    from destutter.commands.tracing import trace

    return trace(arguments, terminal)
