# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter diagnose``: findings, from a recording or from the next seconds."""

import argparse
from typing import TYPE_CHECKING

from destutter.commands.options import (
    add_frame_options,
    add_json_option,
    add_place_options,
    frames_of,
    pid_of,
    seconds,
)
from destutter.commands.terminal import CommandError, Terminal, UsageError

if TYPE_CHECKING:
    from destutter.commands.diagnosis import Diagnosis
    from destutter.core.kernel_files import KernelFiles

LIVE_SECONDS = 15.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_place_options(parser)
    add_frame_options(parser, "of a recording's time, or for now a file to follow or its folder")
    add_json_option(parser)
    parser.add_argument("file", nargs="?", metavar="FILE", help="a recording; without it: now")
    parser.add_argument(
        "--seconds",
        type=seconds,
        metavar="N",
        help=f"how long to measure now, or from a recording's start ({LIVE_SECONDS:.0f} s now)",
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Say what was found. Exit status 1 when a recording is damaged, although it is judged.

    Raises ``CommandError`` when there is nothing to judge.
    """
    if arguments.file is not None and pid_of(arguments) is not None:
        raise UsageError("--pid is for measuring now, not for a recording")
    if arguments.file is not None and getattr(arguments, "xplane", None) is not None:
        raise UsageError("--xplane is for measuring now, not for a recording")
    from destutter.commands.diagnosis import Diagnosis, read_recording

    if arguments.file is None:
        return _diagnose_now(arguments, terminal)
    diagnosis = Diagnosis(arguments.seconds)
    problems = read_recording(arguments.file, diagnosis, frames_of(arguments))
    _tell(diagnosis, arguments, terminal)
    for problem in problems:
        terminal.complain(f"{arguments.file}: {problem}")
    return 1 if problems else 0


def _diagnose_now(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Measure for a while and judge; Ctrl-C judges what there is by then."""
    from destutter.commands.diagnosis import Diagnosis
    from destutter.commands.live import LiveStream, interruptible
    from destutter.core.kernel_files import KernelFiles

    span_s = arguments.seconds or LIVE_SECONDS
    diagnosis = Diagnosis()
    with LiveStream(arguments, span_s) as stream, interruptible():
        _tell_of_computer(diagnosis, KernelFiles(stream.root))
        for message in stream:
            diagnosis.accept(message)
            terminal.status(f"Measuring, {max(span_s - diagnosis.duration_s, 0):.0f} s left")
    terminal.end_status()
    if not diagnosis.samples:
        raise CommandError("nothing was measured: it ended before the first sample")
    status = stream.conclude(terminal)
    _tell(diagnosis, arguments, terminal)
    return status


def _tell_of_computer(diagnosis: "Diagnosis", files: "KernelFiles") -> None:
    from destutter.tuning.current import read_current
    from destutter.tuning.machine_profile import read_profile
    from destutter.tuning.ownership import chosen_by, read_ownership
    from destutter.tuning.recommendation import present_values

    values = read_current(files)
    choices = chosen_by(read_ownership(files, values))
    diagnosis.set_computer(read_profile(files), present_values(values), choices)


def _tell(diagnosis: "Diagnosis", arguments: argparse.Namespace, terminal: Terminal) -> None:
    if arguments.json:
        terminal.json(diagnosis.as_json())
    else:
        for line in diagnosis.lines():
            terminal.line(line)
