# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter install-helper``, ``update-helper``, ``uninstall-helper``: out of the AppImage."""

import argparse
import subprocess

from destutter.commands.helper_chain import FROM_OUTSIDE
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import CommandError, Terminal
from destutter.core.sandbox import is_sandboxed
from destutter.core.statement import Statement, told
from destutter.core.system_error import system_reason
from destutter.helper_setup import (
    INSTALL,
    UNINSTALL,
    HelperSetupError,
    bundled_helper,
    were_rights_refused,
)
from destutter.resource_folder import ResourceError, resource_folder

_VERBS = {"install-helper": INSTALL, "update-helper": INSTALL, "uninstall-helper": UNINSTALL}


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("--show", action="store_true", help=parser.say("cli.helper.show"))


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Exit status of what ran as root. Raises ``CommandError`` where nothing can be set up."""
    try:
        if is_sandboxed():
            raise CommandError(FROM_OUTSIDE)
        setup = bundled_helper(resource_folder())
        if setup is None:
            raise CommandError(Statement("command.helper_elsewhere"))
        command = setup.command(_VERBS[arguments.command])
    except HelperSetupError as error:
        raise CommandError(error.statement) from None
    except ResourceError as error:
        raise CommandError(told(str(error))) from None
    if arguments.show:
        terminal.line(setup.page(_VERBS[arguments.command]).rstrip())
        terminal.line()
    terminal.say("command.sha256", {"sum": setup.sha256})
    if arguments.show:
        return 0
    terminal.say("command.rights_asked")
    from destutter.commands.text_agent import TextAgent

    try:
        with TextAgent():
            finished = subprocess.run(command, input=setup.archive, check=False)
    except OSError as error:
        raise CommandError(
            Statement("core.file", {"path": command[0], "reason": system_reason(error)})
        ) from None
    if were_rights_refused(command, finished.returncode):
        terminal.say("command.rights_not_given")
    return min(finished.returncode, 1) if finished.returncode >= 0 else 1
