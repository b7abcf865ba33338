# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter compare``: was B smoother than A, and by how much."""

import argparse
from typing import TYPE_CHECKING

from destutter.commands.options import add_json_option
from destutter.commands.parsing import CommandParser
from destutter.commands.report_options import add_report_options, check_report_options, tell
from destutter.commands.terminal import CommandError, Terminal, damage
from destutter.core.statement import Statement

if TYPE_CHECKING:
    from destutter.analysis.examining.summary import SessionSummary


def add_arguments(parser: CommandParser) -> None:
    for side in ("a", "b"):
        parser.add_argument(side, metavar=side.upper(), help=parser.say(f"cli.compare.{side}"))
    for side in ("a", "b"):
        parser.add_argument(
            f"--more-{side}",
            metavar="FILE",
            nargs="+",
            action="extend",
            default=[],
            help=parser.say(f"cli.compare.more_{side}"),
        )
    add_json_option(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Compare sessions. Exit status 1 when one is damaged, although they are compared.

    Raises ``CommandError`` when one cannot be read.
    """
    from destutter.analysis.comparing.comparison import compare_sessions
    from destutter.analysis.report.comparison_document import comparison_document
    from destutter.analysis.report.terminal_words import terminal_words
    from destutter.commands.comparison_lines import comparison_lines
    from destutter.commands.session_json import comparison_json

    check_report_options(arguments)
    a, b = _read(arguments.a, terminal), _read(arguments.b, terminal)
    more_a = [_read(path, terminal) for path in arguments.more_a]
    more_b = [_read(path, terminal) for path in arguments.more_b]
    terminal.end_status()
    comparison = compare_sessions(a, b, more_a, more_b)
    words = terminal_words(terminal.words.language)
    tell(
        arguments,
        terminal,
        words,
        lambda: comparison_document(comparison, words),
        lambda: comparison_json(comparison),
        lambda: comparison_lines(comparison, words),
    )
    sessions = (a, *more_a, b, *more_b)
    for session in sessions:
        for problem in session.problems:
            terminal.complain(damage(session.path, problem))
    return 1 if any(session.problems for session in sessions) else 0


def _read(path: str, terminal: Terminal) -> "SessionSummary":
    from destutter.analysis.examining.examination import ExaminationError, examine_file

    terminal.status(terminal.words.text(Statement("command.reading", {"path": path})))
    try:
        return examine_file(path, is_judged=False)
    except ExaminationError as error:
        terminal.end_status()
        raise CommandError(error.statement) from None
