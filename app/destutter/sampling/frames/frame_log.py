# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole frame-time logs that other tools wrote: MangoHud CSV, CapFrameX CSV and JSON.

Files come from the wild: any encoding, cut off, edited in a spreadsheet, of any size. What can be
read is read with memory in proportion to the frames alone; the rest is counted.
"""

import codecs
import json
import re
import time
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from destutter.core.plain_file import is_plain
from destutter.core.statement import Statement
from destutter.core.system_error import system_reason
from destutter.sampling.frames.frame_rows import (
    LATEST_NS,
    LONGEST_FRAME_MS,
    LONGEST_LINE,
    MOST_PROGRAMS,
    FrameLogError,
    RowReader,
    machine_of,
)

__all__ = ["FrameLog", "FrameLogError", "RowReader", "read_frame_log", "start_of"]

_MAX_JSON_BYTES = 128 * 1024 * 1024  # JSON is read whole: its objects take several times that
_HEAD_BYTES = 1 << 16  # more than the lines before a header have
_LONGEST_START_NS = 1_000_000_000  # until a tool that was just told to begin logs its first frame
_STAMP = re.compile(r"_(\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2})$")
_DESKTOP = frozenset({"dwm.exe", "explorer.exe", "<unknown>", "<error>"})  # draws beside a game
_LONGEST_NAME = 200  # a cell of any length must not become the name of a game
_NO_HEADER = Statement("sampling.log_without_times")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(slots=True)
class FrameLog:
    """The frames of a log.

    ``elapsed_ns`` is the end of each frame since the log, or much later its first frame, began.
    ``rejected`` counts rows without a usable frame time; ``started_at`` is the wall clock of the
    beginning (seconds since 1970), None when nothing tells it; ``machine`` is what the log says
    of the computer, and ``game`` its name, empty when neither log nor file name has one.
    """

    tool: str
    elapsed_ns: "array[int]" = field(default_factory=lambda: array("q"))
    frame_us: "array[int]" = field(default_factory=lambda: array("q"))
    rejected: int = 0
    started_at: float | None = None
    machine: dict[str, str] = field(default_factory=dict)
    game: str = ""

    def add(self, elapsed_ns: int, frame_us: int) -> None:
        self.elapsed_ns.append(elapsed_ns)
        self.frame_us.append(frame_us)


def read_frame_log(path: Path) -> FrameLog:
    """A whole log from a file, CSV or CapFrameX JSON.

    Raises ``FrameLogError`` for a file that is missing, empty or holds no frames.
    """
    try:
        head = _head(path)
        encoding = encoding_of(head)
        is_json = head.decode(encoding, "replace").lstrip("\ufeff \t\r\n").startswith("{")
        log = _read_json(path, encoding) if is_json else _read_csv(path, encoding)
    except (OSError, ValueError) as error:
        why = Statement("sampling.no_file_name")
        if isinstance(error, OSError):
            why = system_reason(error)
        raise FrameLogError(Statement("core.file", {"path": str(path), "reason": why})) from error
    except FrameLogError as error:
        raise FrameLogError(
            Statement("core.file", {"path": str(path), "reason": error.statement})
        ) from None
    if not log.frame_us:
        raise FrameLogError(Statement("sampling.no_frame", {"path": str(path)}))
    _begin_with_first_frame(log)
    log.started_at = start_of(path, log.elapsed_ns[-1])
    log.game = log.machine.pop("game", "") or _STAMP.sub("", path.stem)
    return log


def _begin_with_first_frame(log: FrameLog) -> None:
    """Leave out the time before it, of which a log knows nothing: a piece of a longer one."""
    unknown_ns = log.elapsed_ns[0] - 1000 * log.frame_us[0]
    if unknown_ns >= _LONGEST_START_NS:
        log.elapsed_ns = array("q", (each - unknown_ns for each in log.elapsed_ns))


def encoding_of(head: bytes) -> str:
    """The encoding of a text by its first bytes.

    A mark at the beginning decides; else every second byte 0 is UTF-16, and what is no UTF-8 is
    taken as Latin-1, in which every file can be read.
    """
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    start = head[:512]
    if start.count(0) > len(start) // 3:
        odd = start[1::2].count(0)
        return "utf-16-le" if odd > len(start) // 3 else "utf-16-be"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def start_of(path: Path, last_elapsed_ns: int) -> float | None:
    """When a log began, as seconds since 1970.

    MangoHud puts the local time of the start into the name (to the second) and flushes every
    row, so the time of the last write minus the elapsed time is the exact start, as long as the
    file was not copied since. The name decides whether that holds.
    """
    stamp = _STAMP.search(path.stem)
    try:
        by_write = path.stat().st_mtime - last_elapsed_ns / 1e9
    except OSError:
        return None
    if stamp is None:
        return by_write
    try:
        by_name = time.mktime(time.strptime(stamp.group(1), "%Y-%m-%d_%H-%M-%S"))
    except (ValueError, OverflowError):
        return by_write
    return by_write if abs(by_write - by_name) < 5 else by_name


def _head(path: Path) -> bytes:
    if path.is_dir():
        raise FrameLogError(Statement("sampling.is_folder"))
    if not path.exists():
        raise FrameLogError(Statement("sampling.no_such_file"))
    if not is_plain(path):  # a pipe or a device might never end
        raise FrameLogError(Statement("sampling.not_a_file"))
    with path.open("rb") as file:
        return file.read(_HEAD_BYTES)


def _read_csv(path: Path, encoding: str) -> FrameLog:
    reader = RowReader()
    logs: dict[str, FrameLog] = {}
    with path.open(encoding=encoding, errors="replace", newline="\n") as file:
        for line in _lines(file, reader):
            frame = reader.read(line)
            if frame is None:
                continue
            log = logs.get(reader.program)
            if log is None:
                if len(logs) >= MOST_PROGRAMS:
                    reader.rejected += 1
                    continue
                log = logs[reader.program] = FrameLog("")
            log.add(*frame)
    if not reader.has_header:
        raise FrameLogError(_NO_HEADER)
    program = max(
        logs, key=lambda name: (name.lower() not in _DESKTOP, len(logs[name].frame_us)), default=""
    )
    log = logs.get(program) or FrameLog("")
    log.tool, log.rejected, log.machine = reader.tool, reader.rejected, reader.machine
    if program.isprintable() and program:
        log.machine.setdefault("game", program[:_LONGEST_NAME])
    return log


def _lines(file: IO[str], reader: RowReader) -> Iterator[str]:
    """The lines of a file; one that never ends costs no more memory than the longest allowed."""
    while line := file.readline(LONGEST_LINE):
        if len(line) < LONGEST_LINE or line.endswith("\n"):
            yield line
            continue
        reader.rejected += 1
        while (rest := file.readline(LONGEST_LINE)) and not rest.endswith("\n"):
            pass


def _read_json(path: Path, encoding: str) -> FrameLog:
    if path.stat().st_size > _MAX_JSON_BYTES:
        raise FrameLogError(Statement("sampling.log_too_large", {"most_bytes": _MAX_JSON_BYTES}))
    try:
        data = path.read_bytes()
        body = json.loads(data.decode(encoding, "replace").lstrip("\ufeff"))
    except (ValueError, RecursionError):
        raise FrameLogError(Statement("sampling.log_no_json")) from None
    log = FrameLog("capframex")
    base_ns = 0
    for times, frames in _runs(body):
        for seconds, milliseconds in zip(times, frames, strict=False):
            if _is_frame(seconds, milliseconds) and base_ns < LATEST_NS:
                log.add(base_ns + round(seconds * 1e9), max(1, round(milliseconds * 1000)))
            else:
                log.rejected += 1
        log.rejected += abs(len(times) - len(frames))
        base_ns = log.elapsed_ns[-1] if log.elapsed_ns else 0
    info = body.get("Info")
    log.machine = machine_of(info) if isinstance(info, Mapping) else {}
    return log


def _runs(body: object) -> Iterator[tuple[Sequence[float], Sequence[float]]]:
    runs = body.get("Runs") if isinstance(body, Mapping) else None
    if not isinstance(runs, list):
        raise FrameLogError(Statement("sampling.log_without_runs"))
    for run in runs:
        data = run.get("CaptureData") if isinstance(run, Mapping) else None
        if isinstance(data, Mapping):
            times, frames = data.get("TimeInSeconds"), data.get("MsBetweenPresents")
            if isinstance(times, list) and isinstance(frames, list):
                yield times, frames


def _is_frame(seconds: object, milliseconds: object) -> bool:
    return (
        type(seconds) in (int, float)
        and type(milliseconds) in (int, float)
        and isinstance(seconds, int | float)
        and isinstance(milliseconds, int | float)
        and 0 <= seconds < 2**31
        and 0 < milliseconds < LONGEST_FRAME_MS
    )
