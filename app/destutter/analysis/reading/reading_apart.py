# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions read by a process of their own (``session_reader``), from any thread. No Qt."""

import contextlib
import json
import os
import select
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import IO, cast

import numpy as np

from destutter.analysis.examining.examination import ExaminationError
from destutter.analysis.examining.summary import SessionSummary
from destutter.analysis.reading.plain_values import Array, NotAPlainValue, pack, unpack
from destutter.analysis.reading.session_import import Check
from destutter.analysis.reading.session_reader import (
    AT,
    DONE,
    EXAMINE,
    FAILED,
    IMPORT,
    PLAIN,
    PRESET,
    SessionReading,
    Tell,
)
from destutter.core.statement import Statement, StatementError, read_statement
from destutter.core.system_error import system_reason
from destutter.sampling.own_program import own_command
from destutter.session.format import RecordingError
from destutter.tuning.presets import GENERAL, Preset

_OPTION = "--session-reader"
_READ_BYTES = 1 << 20
_ASK_S = 0.1  # how late somebody who cancels may be heard
_END_S = 2.0  # a reader that waits for a drive does not end at once
_UNEXPECTED = Statement("analysis.reader_ended")


class _ReaderFailed(StatementError):
    """The reader said why, or ended without a word."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """A line of ``plain_values`` and the arrays beside it."""

    line: bytes
    arrays: list[Array]


def examine_apart(
    path: Path, length_s: float, tell: Tell, preset: Preset = GENERAL
) -> SessionSummary:
    """Read a recording or a frame log. ``tell`` may raise: that ends the process.

    Raises ``ExaminationError`` in words.
    """
    return _examine([f"{PRESET}={pack(preset)[0]}"], path, length_s, tell)


def examine_plainly_apart(path: Path, check: Check) -> SessionSummary:
    """The same without looking for causes; ``check`` may raise, too."""
    return _examine([PLAIN], path, 0.0, lambda _share: check())


def _examine(options: Sequence[str], path: Path, length_s: float, tell: Tell) -> SessionSummary:
    try:
        places = ["--", os.fspath(path), repr(float(length_s))]
        answer = _ask([EXAMINE, *options, *places], tell)
        return unpack(SessionSummary, answer.line, answer.arrays)
    except _ReaderFailed as error:
        raise ExaminationError(error.statement) from None
    except NotAPlainValue as error:
        raise ExaminationError(_UNEXPECTED) from error


def import_apart(source: Path, folder: Path, check: Check) -> Path:
    """Take a file into the folder, as ``session_import.import_file`` does. ``check`` may raise:
    that ends the process.

    Raises ``RecordingError`` in words.
    """
    try:
        answer = _ask([IMPORT, "--", os.fspath(source), os.fspath(folder)], lambda _share: check())
        return Path(unpack(str, answer.line, answer.arrays))
    except _ReaderFailed as error:
        raise RecordingError(error.statement) from None
    except NotAPlainValue as error:
        raise RecordingError(_UNEXPECTED) from error


def _ask(arguments: Sequence[str], tell: Tell) -> _Answer:
    """Start a reader and listen to it; whatever happens, it has ended afterwards."""
    try:
        process = subprocess.Popen(
            [*own_command(), _OPTION, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
    except OSError as error:
        raise _ReaderFailed(system_reason(error)) from None
    output = cast(IO[bytes], process.stdout)
    try:
        return _listen(output.fileno(), tell)
    finally:
        output.close()
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_END_S)
        return
    process.kill()
    process.wait()


def _listen(output: int, tell: Tell) -> _Answer:
    """Everything up to the end of the output. Asks ``tell`` also while nothing arrives."""
    rest = bytearray()
    share, sizes = 0.0, None
    while True:
        tell(share)
        if not select.select([output], [], [], _ASK_S)[0]:
            continue
        data = os.read(output, _READ_BYTES)
        rest += data
        while sizes is None and (end := rest.find(b"\n")) >= 0:
            word, value = json.loads(rest[:end])
            del rest[: end + 1]
            if word == FAILED:
                raise _ReaderFailed(read_statement(value) or _UNEXPECTED)
            share = value if word == AT else share
            sizes = value if word == DONE else None
        if not data:
            return _answer(rest, sizes)


def _answer(rest: bytearray, sizes: list[int] | None) -> _Answer:
    end = rest.find(b"\n") + 1
    packed = bytes(memoryview(rest)[end:])
    if sizes is None or len(packed) != sum(sizes):
        raise _ReaderFailed(_UNEXPECTED)
    starts = accumulate(sizes, initial=0)
    arrays = [
        np.frombuffer(packed, np.float64, size // 8, start)
        for size, start in zip(sizes, starts, strict=False)
    ]
    return _Answer(bytes(rest[:end]), arrays)


APART = SessionReading(examine_apart, examine_plainly_apart, import_apart)
