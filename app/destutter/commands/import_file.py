# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter import``: a log or a recording into the folder of sessions that the window shows."""

import argparse
import os
from pathlib import Path

from destutter.commands.options import add_json_option, is_there
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import CommandError, Terminal
from destutter.core.plain_file import is_plain
from destutter.core.statement import Statement


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("file", metavar="FILE", help=parser.say("cli.import.file"))
    add_json_option(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Take the file in and say where it is. Raises ``CommandError`` when it cannot be."""
    from destutter.analysis.reading.session_import import import_file
    from destutter.session.format import RecordingError, refused, without_path
    from destutter.settings import Places, load_settings

    source = Path(arguments.file)
    if not is_there(arguments.file):
        raise CommandError(Statement("command.no_such_file", {"path": ascii(arguments.file)}))
    if not is_plain(source):
        raise CommandError(Statement("command.no_file", {"path": ascii(arguments.file)}))
    places = Places.from_environment(os.environ)
    chosen = load_settings(places.settings_file).sessions_folder
    folder = Path(chosen) if chosen else places.sessions
    try:
        target = import_file(source.absolute(), folder, lambda: None)
    except RecordingError as error:
        why = without_path(error.statement, source.absolute())
        raise CommandError(refused(arguments.file, why)) from None
    if arguments.json:
        terminal.json({"file": str(target)})
    else:
        terminal.say("command.imported", {"path": str(target)})
    return 0
