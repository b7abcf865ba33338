# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter diagnose``: findings, from a recording or from the next seconds."""

import argparse
from typing import TYPE_CHECKING

from destutter.commands.options import (
    add_frame_options,
    add_json_option,
    add_place_options,
    add_trace_option,
    frames_of,
    pid_of,
    seconds,
)
from destutter.commands.parsing import CommandParser
from destutter.commands.report_options import add_report_options, check_report_options, tell
from destutter.commands.terminal import CommandError, Terminal, UsageError, damage
from destutter.core.statement import Statement
from destutter.diagnosis.stutters.frame_steps import MOST_FRAMES
from destutter.diagnosis.stutters.spikes import STUTTER_MS

if TYPE_CHECKING:
    from destutter.analysis.examining.examination import Examiner
    from destutter.analysis.examining.summary import SessionSummary
    from destutter.core.kernel_files import KernelFiles

LIVE_SECONDS = 15.0  # a verdict comes after 8 s (verdict.py), and rules want two seconds of three


def add_arguments(parser: CommandParser) -> None:
    add_place_options(parser)
    add_frame_options(parser, Statement("cli.frames.diagnose"))
    add_trace_option(parser)
    add_json_option(parser)
    add_report_options(parser)
    rule = {"limit_ms": STUTTER_MS, "before_count": MOST_FRAMES}
    parser.epilog = parser.say("cli.diagnose.stutter", rule)
    parser.add_argument("--verbose", action="store_true", help=parser.say("cli.diagnose.verbose"))
    parser.add_argument("file", nargs="?", metavar="FILE", help=parser.say("cli.diagnose.file"))
    parser.add_argument(
        "--seconds",
        type=seconds,
        metavar="N",
        help=parser.say("cli.diagnose.seconds", {"usual": LIVE_SECONDS}),
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Say what was found. Exit status 1 when a recording is damaged, although it is judged.

    Raises ``CommandError`` when there is nothing to judge.
    """
    if arguments.file is not None and pid_of(arguments) is not None:
        raise UsageError(Statement("cli.only_now", {"option": "--pid"}))
    if arguments.file is not None and getattr(arguments, "xplane", None) is not None:
        raise UsageError(Statement("cli.only_now", {"option": "--xplane"}))
    if arguments.file is not None and arguments.trace:
        raise UsageError(Statement("cli.only_now", {"option": "--trace"}))
    check_report_options(arguments)
    if arguments.file is None:
        return _diagnose_now(arguments, terminal)
    from destutter.analysis.examining.examination import (
        ExaminationError,
        examine_file,
        is_recording,
    )

    if arguments.seconds is not None and not is_recording(arguments.file):
        raise UsageError(Statement("cli.diagnose.log_seconds"))
    try:
        session = examine_file(
            arguments.file, frames=frames_of(arguments), seconds=arguments.seconds
        )
    except ExaminationError as error:
        raise CommandError(error.statement) from None
    _tell(session, arguments, terminal)
    for problem in session.problems:
        terminal.complain(damage(arguments.file, problem))
    return 1 if session.problems else 0


def _diagnose_now(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Measure for a while and judge; Ctrl-C judges what there is by then."""
    from destutter.analysis.examining.examination import Examiner
    from destutter.commands.computer import computer
    from destutter.commands.live import LiveStream, ended_by_signal

    span_s = arguments.seconds or LIVE_SECONDS
    examiner, stream = Examiner(), LiveStream(arguments, span_s)
    ended: CommandError | None = None
    try:
        with stream, ended_by_signal():
            stream.begin(terminal)
            _tell_of_computer(examiner, computer(stream.root))
            for message in stream:
                examiner.accept_message(message)
                left = f"{max(span_s - examiner.duration_s, 0):.0f}"
                measuring = Statement("terminal.measuring", {"seconds": left})
                terminal.status(terminal.words.text(measuring))
    except CommandError as error:
        # The game has ended: what was measured until then is told.
        if not examiner.samples:
            raise
        ended = error
    terminal.end_status()
    if not examiner.samples:
        raise CommandError(Statement("command.nothing_measured"))
    status = stream.conclude(terminal)
    _tell(examiner.summary(), arguments, terminal)
    if ended is not None:
        terminal.complain(ended.statement)
        return 1
    return status


def _tell_of_computer(examiner: "Examiner", files: "KernelFiles") -> None:
    from destutter.tuning.current import read_current
    from destutter.tuning.machine_profile import read_profile
    from destutter.tuning.ownership import chosen_keys, read_ownership
    from destutter.tuning.recommendation import present_values

    values = read_current(files)
    choices = chosen_keys(read_ownership(files, values).values())
    examiner.set_computer(read_profile(files), present_values(values), choices)


def _tell(session: "SessionSummary", arguments: argparse.Namespace, terminal: Terminal) -> None:
    from destutter.analysis.report.session_document import session_document
    from destutter.analysis.report.terminal_words import terminal_words
    from destutter.commands.diagnosis import diagnosis_json, diagnosis_lines

    words = terminal_words(terminal.words.language)
    tell(
        arguments,
        terminal,
        words,
        lambda: session_document(session, words),
        lambda: diagnosis_json(session),
        lambda: diagnosis_lines(session, terminal.words, is_verbose=arguments.verbose),
    )
