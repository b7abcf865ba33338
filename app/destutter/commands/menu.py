# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter menu``: the AppImage's entry in the desktop's menu."""

import argparse

from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import CommandError, Terminal
from destutter.core.statement import Statement
from destutter.menu_entry import MenuEntryError, own_menu_entry


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("action", choices=("add", "remove"), help=parser.say("cli.menu.action"))


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Raises ``CommandError`` where this is no AppImage, or the entry cannot be written."""
    entry = own_menu_entry()
    if entry is None:
        raise CommandError(Statement("command.no_appimage"))
    try:
        if arguments.action == "add":
            entry.add()
            terminal.say("command.in_menu", {"path": str(entry.file)})
        elif entry.is_there:
            entry.remove()
            terminal.say("command.not_in_menu")
        else:
            terminal.say("command.no_menu_entry")
    except MenuEntryError as error:
        raise CommandError(error.statement) from None
    return 0
