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
from destutter.commands.terminal import CommandError, Terminal, UsageError, unwritable
from destutter.words.language import language_of

COMMANDS = {
    "watch": "one line a second: does it stutter, and why",
    "record": "record a session into a file",
    "diagnose": "findings, from a recording or from now",
    "compare": "was the second session smoother than the first, and by how much",
    "import": "a log of MangoHud or CapFrameX into the folder of sessions",
    "export": "a recording as a CSV table for other programs",
    "status": "every setting that bears on stutter: its value, who set it, what is advised",
    "prove": "short experiments on drive, memory and processor; one setting against another",
    "apply": "try settings through the root helper, and keep them when told",
    "undo": "take settings back exactly",
    "mark": "name this moment in the window that is open, and in its recording",
    "capture": "the kernel files of this computer as one archive, for a bug report",
    "menu": "put the AppImage into the desktop's menu, or take it out",
    "install-helper": "put the part that changes settings on this computer, out of the AppImage",
    "update-helper": "the same over an older one; what is changed stays so",
    "uninstall-helper": "take every change back, and then the helper away",
    "doctor": "what can be measured and changed here, what not, and why",
}
"""Every command with its help; each is a module of ``destutter.commands``."""

_MODULES = {
    "import": "import_file",
    **dict.fromkeys(("install-helper", "update-helper", "uninstall-helper"), "helper_setup"),
}
"""Commands whose names cannot be those of modules, or that share one."""

_TAKE_A_VALUE = ("--root", "--pid", "--replay", "--mangohud", "--frames", "--xplane")
_STANDARD_ERROR = 2
_DESCRIPTION = "Shows why games freeze, and fixes it on trial. Without a command: the window."


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
            terminal.complain(terminal.words.text(unwritable(error)))
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
        arguments = _parsed(argv)
        run: Callable[[argparse.Namespace, Terminal], int] = arguments.run
        return run(arguments, terminal)
    except UsageError as error:
        terminal.complain(str(error))
        return 2
    except CommandError as error:
        terminal.complain(terminal.words.text(error.statement))
        return 1
    except SystemExit as asked:  # by --help and --version, after they have written
        return int(asked.code or 0)
    except KeyboardInterrupt:
        terminal.end_status()
        return 128 + signal.SIGINT


def _parsed(argv: Sequence[str]) -> argparse.Namespace:
    """What was asked for; writes the help or the version and raises ``SystemExit``."""
    try:
        return build_parser(chosen_command(argv)).parse_args(argv)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandError(unwritable(error)) from None


def chosen_command(argv: Sequence[str]) -> str | None:
    """The first word that is a command; what follows belongs to it."""
    words = iter(argv)
    for word in words:
        if word in COMMANDS:
            return word
        if word in _TAKE_A_VALUE:
            next(words, None)
    return None


def build_parser(command: str | None) -> argparse.ArgumentParser:
    """The parser; of the commands only ``command`` has its own options."""
    parser = OneLineParser(prog="destutter", description=_DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="show the version")
    parser.add_argument("--replay", metavar="FILE", help="open a recording in the window")
    add_window_options(parser)
    add_place_options(parser)
    add_frame_options(parser, "the file, or the folder of its logs")
    parser.set_defaults(run=_window)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for name, text in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text.capitalize() + ".")
        if name == command:
            module = _module(name)
            module.add_arguments(sub)
            sub.set_defaults(run=module.run, command=name)
    return parser


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage above it."""

    def error(self, message: str) -> NoReturn:
        """Raise ``UsageError``."""
        raise UsageError(f"{message} ('{self.prog} --help' shows how)")


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
