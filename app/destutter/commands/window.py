# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter`` without a command: the window."""

import argparse
from pathlib import Path

from destutter.commands.options import frames_of, is_there, pid_of, root_of
from destutter.commands.terminal import CommandError, Terminal
from destutter.core.plain_file import is_plain
from destutter.core.statement import Statement, StatementError
from destutter.source_lines import forget_source_lines


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Open the window, live or on a recording. Raises ``CommandError`` for what is not there."""
    root = root_of(arguments)
    replay = None if arguments.replay is None else Path(arguments.replay)
    if replay is not None and not (is_there(str(replay)) and is_plain(replay)):
        what = "command.not_a_file" if is_there(str(replay)) else "command.not_there"
        raise CommandError(Statement(what, {"path": str(replay)}))
    forget_source_lines()
    try:
        from destutter.application.opening import run_window
        from destutter.application.window_options import WindowOptions
    except ImportError as error:
        raise CommandError(Statement("command.no_qt", {"reason": str(error)})) from None
    xplane = getattr(arguments, "xplane", None)
    frames = frames_of(arguments, is_awaited=replay is None)
    places = root, pid_of(arguments), replay, frames, xplane
    is_on_xwayland = getattr(arguments, "xwayland", False)
    options = WindowOptions(*places, getattr(arguments, "action", ""), is_on_xwayland)
    try:
        return run_window(options, lambda said: terminal.line(terminal.words.text(said)))
    except StatementError as error:
        raise CommandError(error.statement) from None
