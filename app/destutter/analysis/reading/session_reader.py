# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that reads a session for a window: the answer on standard output. No Qt.

Reading an hour makes millions of objects. In a thread of the window that would stop its pictures
for moments and leave its memory in pieces; here both end with the process.

It says a line of JSON at a time: ``["at", SHARE]`` now and then, and at last ``["failed", WHY]``
(a statement) or ``["done", SIZES]``. After the latter come a line of ``plain_values`` and its
arrays, whose numbers of bytes are SIZES. Its reader's end is its own.
"""

import argparse
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from destutter.analysis.examining.examination import (
    ExaminationError,
    Examiner,
    examine_log,
    feed_recording,
    is_recording,
)
from destutter.analysis.examining.frame_import import FrameImportError
from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.reading.plain_values import pack, unpack
from destutter.analysis.reading.session_import import Check, import_file
from destutter.core.statement import Statement, StatementError, plain_statement
from destutter.core.system_error import system_reason
from destutter.session.format import RecordingError, without_path
from destutter.session.replay import ReplaySource
from destutter.tuning.presets import GENERAL, Preset

EXAMINE, IMPORT = "examine", "import"
PLAIN = "--plain"
PRESET = "--preset"
AT, DONE, FAILED = "at", "done", "failed"
_NICENESS = 10
_OUTPUT = 1

Tell = Callable[[float], None]
"""Called now and then with the share that is done, from 0 to 1; may raise to end the reading."""


@dataclass(frozen=True, slots=True)
class SessionReading:
    """How files are read: a session, given its duration as far as known and what is played; one
    of which nobody wants the causes; and one for the folder.

    All raise ``ExaminationError``, ``RecordingError`` or ``FrameImportError``.
    """

    examine: Callable[[Path, float, Tell, Preset], SessionSummary]
    examine_plainly: Callable[[Path, Check], SessionSummary]
    take_in: Callable[[Path, Path, Check], Path]


def examine_session(
    path: Path, length_s: float, tell: Tell, preset: Preset = GENERAL, *, is_judged: bool = True
) -> SessionSummary:
    """Read a recording or a frame log; ``length_s`` is its duration, 0 where the file has to tell,
    ``preset`` what is played. With ``is_judged`` False causes are not looked for.

    Raises ``ExaminationError``, ``RecordingError`` or ``FrameImportError`` in words.
    """
    if not is_recording(str(path)):
        return examine_log(str(path))
    examiner = Examiner(is_judged=is_judged, preset=preset)

    # Of one that ended just now the list does not know it: its bar stood empty for 30 s.
    whole_s = length_s or _length_of(path)

    def is_wanted() -> bool:
        tell(min(1.0, examiner.duration_s / whole_s) if whole_s > 0 else 0.0)
        return True

    problems = feed_recording(str(path), examiner, None, is_wanted)
    return examiner.summary(str(path), problems)


def _length_of(path: Path) -> float:
    """How long a recording is, in seconds. Raises ``RecordingError``."""
    source = ReplaySource(path)
    try:
        start_ns, end_ns = source.span_ns
    finally:
        source.close()
    return (end_ns - start_ns) / 1e9


def reason_of(error: OSError | StatementError, path: Path) -> Statement:
    """Why a file cannot be read, without its path, which the page shows itself."""
    if isinstance(error, StatementError):
        return without_path(error.statement, path)
    if isinstance(error, FileNotFoundError):
        return Statement("analysis.file_gone")
    return system_reason(error)


def main(argv: Sequence[str]) -> int:
    """Run the reader; returns the exit status: 0 when it said how it ended."""
    options = _parser().parse_args(argv)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started us
    signal.signal(signal.SIGTERM, _end)
    os.nice(_NICENESS)  # a game may be running, and nobody waits for this in haste
    with contextlib.suppress(BrokenPipeError), os.fdopen(os.dup(_OUTPUT), "wb") as output:
        try:
            answer = _read(options, lambda share: _say(output, AT, share))
        except BrokenPipeError:
            raise
        except (ExaminationError, RecordingError, FrameImportError, OSError) as error:
            _say(output, FAILED, plain_statement(reason_of(error, options.path)))
        else:
            _hand_over(output, answer)
    return 0


def _hand_over(output: BinaryIO, answer: object) -> None:
    line, arrays = pack(answer)
    _say(output, DONE, [array.nbytes for array in arrays])
    output.write(line.encode() + b"\n")
    for array in arrays:
        output.write(array.data)


def _read(options: argparse.Namespace, tell: Tell) -> object:
    if options.what == EXAMINE:
        preset = GENERAL if options.preset is None else unpack(Preset, options.preset, [])
        is_judged = not options.plain
        return examine_session(options.path, options.seconds, tell, preset, is_judged=is_judged)
    target = import_file(options.path, options.folder, lambda: tell(0.0))
    return os.fspath(target)


def _say(output: BinaryIO, word: str, value: object) -> None:
    output.write(json.dumps([word, value]).encode() + b"\n")
    output.flush()


def _end(_signal: int, _frame: object) -> None:
    # As an exception, so that half a file is taken away on the way out.
    sys.exit(1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="destutter --session-reader", allow_abbrev=False)
    whats = parser.add_subparsers(dest="what", required=True)
    examine = whats.add_parser(EXAMINE)
    examine.add_argument(PLAIN, action="store_true", help="do not look for causes")
    examine.add_argument(PRESET, help="what is played, as a plain value")
    examine.add_argument("path", type=Path)
    examine.add_argument("seconds", type=float, help="how long it is, as far as known")
    take = whats.add_parser(IMPORT)
    take.add_argument("path", type=Path)
    take.add_argument("folder", type=Path)
    return parser
