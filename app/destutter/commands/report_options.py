# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of commands that can make a report, and telling an outcome in the form asked for."""

import argparse
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from destutter.commands.options import new_file
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import CommandError, Terminal, UsageError
from destutter.core.statement import Statement
from destutter.core.system_error import system_reason

if TYPE_CHECKING:
    from destutter.analysis.report.document import ReportDocument
    from destutter.analysis.report.language import ReportWords


def add_report_options(parser: CommandParser) -> None:
    """``--html``, ``--markdown`` and ``--no-redact``."""
    parser.add_argument("--html", metavar="OUT", help=parser.say("cli.report.html"))
    parser.add_argument("--markdown", action="store_true", help=parser.say("cli.report.markdown"))
    parser.add_argument(
        "--no-redact", action="store_true", help=parser.say("cli.report.no_redact")
    )


def check_report_options(arguments: argparse.Namespace) -> None:
    """Tell before the work what would fail after it. Raises ``CommandError``."""
    if arguments.json and arguments.markdown:
        raise UsageError(Statement("cli.report.one_form"))
    if arguments.no_redact and arguments.html is None and not arguments.markdown:
        raise UsageError(Statement("cli.report.only_reports"))
    if arguments.html is not None:
        new_file(arguments.html)


def tell(
    arguments: argparse.Namespace,
    terminal: Terminal,
    words: "ReportWords",
    document: "Callable[[], ReportDocument]",
    as_json: Callable[[], Any],
    as_lines: Callable[[], Iterable[str]],
) -> None:
    """The outcome as a page, as Markdown, for programs or as lines. Raises ``CommandError``.

    ``words`` are those that the document is written in.
    """
    if arguments.html is not None:
        from destutter.analysis.report.html import to_html

        write_report(arguments.html, to_html(_redacted(document(), arguments), words))
    if arguments.markdown:
        from destutter.analysis.report.markdown import to_markdown

        terminal.line(to_markdown(_redacted(document(), arguments)).rstrip("\n"))
    elif arguments.json:
        terminal.json(as_json())
    elif arguments.html is not None:
        terminal.say("command.report", {"path": arguments.html})
    else:
        for line in as_lines():
            terminal.line(line)


def write_report(path: str, text: str) -> None:
    """A new file with this text, complete or not at all. Raises ``CommandError`` in words."""
    from destutter.session.new_file import move_without_replacing

    partial = f"{path}.{os.getpid()}.part"
    try:
        with open(partial, "x", encoding="utf-8") as file:
            file.write(text)
        move_without_replacing(partial, path)
    except FileExistsError:
        raise CommandError(Statement("command.exists", {"path": path})) from None
    except OSError as error:
        raise CommandError(
            Statement("core.file", {"path": path, "reason": system_reason(error)})
        ) from None
    finally:
        if os.path.exists(partial):
            os.unlink(partial)


def _redacted(document: "ReportDocument", arguments: argparse.Namespace) -> "ReportDocument":
    from destutter.analysis.report.redaction import Redactor, redacted, secrets_of

    if arguments.no_redact:
        return document
    return redacted(document, Redactor(secrets_of(os.environ)))
