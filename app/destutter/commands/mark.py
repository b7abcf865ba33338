# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter mark``: names this moment in the window that is open, and in its recording."""

import argparse
import os

from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import CommandError, Terminal
from destutter.core.statement import Statement

_SAID = {
    "recorded": "command.marked",
    "shown": "command.marked_unrecorded",
}


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("text", metavar="TEXT", nargs="*", help=parser.say("cli.mark.text"))


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Send the marker. Raises ``CommandError`` when no window takes it.

    It reaches the window only: for a key of the desktop or a stream deck. ``destutter record``
    in a terminal has no place on the bus.
    """
    from destutter.core.bus_caller import BusCallError
    from destutter.core.running_instance import RunningInstance, session_address

    text = " ".join(" ".join(arguments.text).split()) or "mark"
    running = RunningInstance(os.environ)
    try:
        if not session_address(os.environ):
            raise CommandError(Statement("command.no_bus_to_mark"))
        if not running.is_there:
            raise CommandError(Statement("command.no_window_to_mark"))
        outcome = running.mark(text)
    except BusCallError as error:
        why = Statement("command.marker_refused", {"reason": error.statement})
        raise CommandError(why) from None
    finally:
        running.close()
    if outcome not in _SAID:
        raise CommandError(Statement("command.window_is_idle"))
    terminal.say(_SAID[outcome], {"text": text})
    return 0
