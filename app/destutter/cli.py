# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: which command is meant, and how its outcome is told.

Exit status: 0 done, 1 could not, 2 wrong usage. Errors are one line on standard error. Only the
module of the chosen command is imported, so that help and short commands start at once.
"""

import argparse
import importlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NoReturn

from destutter.commands.options import add_frame_options, add_place_options, add_window_options
from destutter.commands.parsing import CommandParser, argparse_speaks
from destutter.commands.terminal import CommandError, Terminal, UsageError, unwritable
from destutter.core.statement import Statement
from destutter.words.language import language_of
from destutter.words.renderer import Renderer, renderer

COMMANDS = tuple(
    "watch record diagnose compare import export status prove apply undo trace mark capture menu "
    "install-helper update-helper uninstall-helper doctor".split()
)
"""Every command; each is a module of ``destutter.commands``, but for those below."""

_MODULES = {
    "import": "import_file",
    **dict.fromkeys(("install-helper", "update-helper", "uninstall-helper"), "helper_setup"),
}
"""Commands whose names cannot be those of modules, or that share one."""

_STANDARD_ERROR = 2


def main(argv: Sequence[str]) -> int:
    """Run the command line; returns the exit status."""
    _take_closed_streams()
    terminal = Terminal(sys.stdout, sys.stderr, language_of(os.environ))
    try:
        status = _run(argv, terminal)
    except BrokenPipeError:
        status = 0
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # A reader that has seen enough (| head) is no error.
        _drop_output()
    except OSError as error:
        _drop_output()
        if status == 0:
            terminal.complain(unwritable(error))
            status = 1
    return status


def _take_closed_streams() -> None:
    """Where the shell closed one (>&-), no file of ours gets its place.

    What is complained of goes nowhere then; an output that nobody gets is an error, as every
    writing to it is.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        continue
    os.close(number)
    if sys.stdout is None:
        unwritable_place = os.open(os.devnull, os.O_RDONLY)
        os.dup2(unwritable_place, 1)
        os.close(unwritable_place)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(_STANDARD_ERROR, "w", encoding="utf-8", closefd=False)


def _drop_output() -> None:
    """What is still in the buffer would be tried once more at the end of the process."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _run(argv: Sequence[str], terminal: Terminal) -> int:
    try:
        arguments = _parsed(argv, terminal.words)
        run: Callable[[argparse.Namespace, Terminal], int] = arguments.run
        return run(arguments, terminal)
    except CommandError as error:
        terminal.complain(error.statement)
        return 2 if isinstance(error, UsageError) else 1
    except SystemExit as asked:  # by --help and --version, after they have written
        return int(asked.code or 0)
    except KeyboardInterrupt:
        terminal.end_status()
        return 128 + signal.SIGINT


def _parsed(argv: Sequence[str], words: Renderer) -> argparse.Namespace:
    """What was asked for; writes the help or the version and raises ``SystemExit``."""
    try:
        with argparse_speaks(words):
            return build_parser(chosen_command(argv), words).parse_args(argv)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(unwritable(error)) from None


def chosen_command(argv: Sequence[str]) -> str | None:
    """The first word that is a command; what follows belongs to it."""
    parser, words = _without_commands(renderer()), iter(argv)
    for word in words:
        if word in COMMANDS:
            return word
        if parser.takes_value(word):
            next(words, None)
    return None


def _without_commands(words: Renderer) -> CommandParser:
    description = words.text(Statement("cli.description"))
    parser = CommandParser(
        words=words, prog="destutter", description=description, allow_abbrev=False
    )
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help=parser.say("cli.version"))
    parser.add_argument("--replay", metavar="FILE", help=parser.say("cli.replay"))
    add_window_options(parser)
    add_place_options(parser)
    add_frame_options(parser, Statement("cli.frames.window"))
    return parser


def build_parser(command: str | None, words: Renderer | None = None) -> CommandParser:
    """The parser; of the commands only ``command`` has its own options. English without words."""
    words = words or renderer()
    parser = _without_commands(words)
    parser.set_defaults(run=_window)
    commands = parser.add_subparsers(metavar="COMMAND", title=parser.say("cli.commands"))
    for name in COMMANDS:
        said = what_it_does(name)
        sub = commands.add_parser(
            name, words=words, help=parser.say(said.id), description=words.sentence(said)
        )
        if name == command:
            module = _module(name)
            module.add_arguments(sub)
            sub.set_defaults(run=module.run, command=name)
    return parser


def what_it_does(command: str) -> Statement:
    """A command in a few words."""
    return Statement(f"cli.command.{command.replace('-', '_')}")


class _ShowVersion(argparse.Action):
    """Prints the version; looked up only when asked for."""

    def __call__(self, *_: object) -> NoReturn:
        from destutter.commands.version import program_version

        sys.stdout.write(f"destutter {program_version()}\n")
        raise SystemExit(0)


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"destutter.commands.{_MODULES.get(name, name)}")


def _window(arguments: argparse.Namespace, terminal: Terminal) -> int:
    from destutter.commands.window import run

    return run(arguments, terminal)
