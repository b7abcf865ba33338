# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter export``: a recording as a table for other programs."""

import argparse
from collections.abc import Iterable
from difflib import get_close_matches

from destutter.commands.options import add_json_option, new_file
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import CommandError, Terminal, UsageError, damage
from destutter.core.statement import Statement, Value


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("file", metavar="FILE", help=parser.say("cli.export.file"))
    parser.add_argument("--out", required=True, metavar="CSV", help=parser.say("cli.export.out"))
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--metrics", metavar="ID,...", help=parser.say("cli.export.metrics"))
    what.add_argument("--frames", action="store_true", help=parser.say("cli.export.frames"))
    add_json_option(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Write the table. Exit status 1 when the recording is damaged, although the rest is written.

    Raises ``CommandError`` when nothing could be written.
    """
    from destutter.core.metric_table import METRIC_BY_ID
    from destutter.session.csv_table import export_csv, export_frames
    from destutter.session.format import RecordingError
    from destutter.session.replay import ReplaySource

    ids = None if arguments.metrics is None else arguments.metrics.split(",")
    for id_ in ids or ():
        if id_ not in METRIC_BY_ID:
            raise _no_metric(id_, METRIC_BY_ID)
    new_file(arguments.out)
    try:
        replay = ReplaySource(arguments.file)
    except RecordingError as error:
        raise CommandError(error.statement) from None
    try:
        is_of_frames = arguments.frames
        rows = (
            export_frames(replay, arguments.out)
            if is_of_frames
            else export_csv(replay, arguments.out, ids)
        )
        problems = replay.problems
    except RecordingError as error:
        raise CommandError(error.statement) from None
    finally:
        replay.close()
    if arguments.json:
        terminal.json({"file": arguments.out, "rows": rows})
    else:
        terminal.say("command.exported", {"count": rows, "path": arguments.out})
    for problem in problems:
        terminal.complain(damage(arguments.file, problem))
    return 1 if problems else 0


def _no_metric(id_: str, known: Iterable[str]) -> UsageError:
    """That there is no such metric, and which is the nearest."""
    near = get_close_matches(id_, known, 1)
    if near:
        values: dict[str, Value] = {"metric": ascii(id_), "near": near[0]}
        return UsageError(Statement("cli.export.no_metric.near", values))
    return UsageError(Statement("cli.export.no_metric", {"metric": ascii(id_)}))
