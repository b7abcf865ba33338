# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter capture``: the kernel files of this computer as one archive."""

import argparse
import os

from destutter.commands.options import (
    add_json_option,
    add_place_options,
    new_file,
    pid_of,
    root_of,
)
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import CommandError, Terminal
from destutter.core.statement import Statement, Value


def add_arguments(parser: CommandParser) -> None:
    add_place_options(parser)
    add_json_option(parser)
    parser.add_argument("--out", required=True, metavar="FILE", help=parser.say("cli.capture.out"))
    parser.add_argument(
        "--hide-names", action="store_true", help=parser.say("cli.capture.hide_names")
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Write the archive. Raises ``CommandError`` when it cannot be written."""
    from destutter.commands.computer import computer
    from destutter.core.kernel_files import KernelFileError
    from destutter.sampling.capturing.capture import CaptureError, CaptureOptions, capture

    path = new_file(arguments.out)
    options = CaptureOptions(game=pid_of(arguments), hides_names=arguments.hide_names)
    root = root_of(arguments)
    try:
        report = capture(computer(root), path, options)
    except (CaptureError, KernelFileError) as error:
        raise CommandError(error.statement) from None
    if report.files <= 1:
        os.unlink(path)
        raise CommandError(Statement("command.no_kernel_files", {"path": root}))
    if arguments.json:
        terminal.json(
            {
                "file": path,
                "files": report.files,
                "size_bytes": report.size_bytes,
                "absent": list(report.absent),
                "denied": list(report.denied),
            }
        )
        return 0
    values: dict[str, Value] = {
        "count": report.files,
        "size_bytes": report.size_bytes,
        "path": path,
    }
    terminal.say("command.captured", values)
    if report.denied:
        terminal.say("command.denied", {"count": len(report.denied)})
    return 0
