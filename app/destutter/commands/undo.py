# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter undo``: takes settings back exactly, through the root helper."""

import argparse

from destutter.commands.options import add_json_option
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import Terminal


def add_arguments(parser: CommandParser) -> None:
    add_json_option(parser)
    parser.add_argument("ids", nargs="*", metavar="ID", help=parser.say("cli.undo.ids"))
    parser.add_argument("--all", action="store_true", help=parser.say("cli.undo.all"))
    parser.add_argument("--force", action="store_true", help=parser.say("cli.undo.force"))
    parser.add_argument("--accept", action="store_true", help=parser.say("cli.undo.accept"))
    parser.add_argument("--for-game", metavar="NAME", help=parser.say("cli.undo.for_game"))


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Ask the helper; the active user at the computer needs no password."""
    from destutter.commands.changes import run_undo

    return run_undo(arguments, terminal)
