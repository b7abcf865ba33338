# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter record``: a session into a file; Ctrl-C ends it cleanly."""

import argparse

from destutter.commands.options import (
    add_frame_options,
    add_json_option,
    add_place_options,
    add_trace_option,
    new_file,
    root_of,
    seconds,
)
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import CommandError, Terminal
from destutter.core.statement import Statement


def add_arguments(parser: CommandParser) -> None:
    add_place_options(parser)
    add_frame_options(parser, Statement("cli.frames.follow"))
    add_trace_option(parser)
    add_json_option(parser)
    parser.add_argument("--out", required=True, metavar="FILE", help=parser.say("cli.record.out"))
    parser.add_argument("--seconds", type=seconds, metavar="N", help=parser.say("cli.seconds"))


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Record until the time is over, Ctrl-C, or the watched process ends.

    Raises ``CommandError`` when the file cannot be made or the recording could not go on; what
    was recorded until then is kept.
    """
    from destutter.commands.live import LiveStream, ended_by_signal
    from destutter.commands.recording import Recording

    recording = Recording(new_file(arguments.out), root_of(arguments), terminal)
    try:
        with LiveStream(arguments, arguments.seconds) as stream:
            try:
                with ended_by_signal():
                    stream.begin(terminal)
                    for message in stream:
                        recording.accept_message(message)
            finally:
                for message in stream.last_looks():
                    recording.accept_message(message)
    except CommandError as error:
        raise recording.end_early(error) from None
    summary = recording.finish()
    if arguments.json:
        terminal.json(summary)
    else:
        seconds, size = round(summary["duration_s"]), summary["size_bytes"]
        values = {"seconds": seconds, "path": summary["file"], "size_bytes": size}
        terminal.say("command.recorded", values)
    return stream.conclude(terminal)
