# SPDX-License-Identifier: GPL-3.0-or-later
"""Frame-time logs that other tools write: MangoHud CSV, CapFrameX CSV and JSON.

All layouts are read by the names in their header, never by position, because versions differ in
columns and order. Rows that hold no usable frame time are counted, not guessed.
"""

import json
import math
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_HEADER_LINES = 64
_LONGEST_FRAME_MS = 600_000.0
_MAX_JSON_BYTES = 512 * 1024 * 1024

# Names of the frame-time column in milliseconds, and of the time column with its nanoseconds
# per unit. MangoHud: "frametime", "elapsed" (ns since the log began, CLOCK_MONOTONIC).
# PresentMon and CapFrameX: "MsBetweenPresents", "TimeInSeconds"; PresentMon 2 calls them
# "FrameTime" and "CPUStartTime" (ms).
_FRAME_COLUMNS = ("frametime", "msbetweenpresents", "ms between presents")
_TIME_COLUMNS = {"elapsed": 1.0, "timeinseconds": 1e9, "cpustarttime": 1e6}
_STAMP = re.compile(r"_(\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2})$")


class FrameLogError(Exception):
    """A file that is not a frame-time log, in words."""


@dataclass(slots=True)
class FrameLog:
    """The frames of a log. ``elapsed_ns`` is the end of each frame since the log began.

    ``rejected`` counts rows without a usable frame time; ``started_at`` is the wall clock of the
    beginning (seconds since 1970), None when nothing tells it.
    """

    tool: str
    elapsed_ns: list[int] = field(default_factory=list)
    frame_us: list[int] = field(default_factory=list)
    rejected: int = 0
    started_at: float | None = None

    def add(self, elapsed_ns: int, frame_us: int) -> None:
        """Append one frame."""
        self.elapsed_ns.append(elapsed_ns)
        self.frame_us.append(frame_us)


class RowReader:
    """Reads a frame log line by line, so that a file can be followed while it is written.

    Feed it whole lines with ``read``; until the header has been seen it answers nothing.
    """

    def __init__(self) -> None:
        self.tool = ""
        self.rejected = 0
        self._frame_column = -1
        self._time_column = -1
        self._time_scale = 1.0
        self._elapsed_ns = 0
        self._seen = 0

    @property
    def has_header(self) -> bool:
        """Whether the line with the column names has been seen."""
        return self._frame_column >= 0

    def read(self, line: str) -> tuple[int, int] | None:
        """(end of the frame in ns since the log began, its length in µs); None without one.

        Raises ``FrameLogError`` when no header is among the first lines.
        """
        if not self.has_header:
            self._look_for_header(line)
            return None
        cells = line.split(",")
        frame_us = self._frame_us(cells)
        if frame_us is None:
            self.rejected += bool(line.strip())
            return None
        elapsed_ns = self._time_ns(cells, frame_us)
        if elapsed_ns is None:
            self.rejected += 1
            return None
        self._elapsed_ns = elapsed_ns
        return elapsed_ns, frame_us

    def _look_for_header(self, line: str) -> None:
        names = [name.strip().strip('"').lower() for name in line.lstrip("\ufeff").split(",")]
        for candidate in _FRAME_COLUMNS:
            if candidate in names and len(names) > 1:
                self._frame_column = names.index(candidate)
                self.tool = "mangohud" if candidate == "frametime" else "capframex"
                self._find_time_column(names)
                return
        self._seen += 1
        if self._seen >= _HEADER_LINES:
            raise FrameLogError("no column with frame times; is this a MangoHud or CapFrameX log?")

    def _find_time_column(self, names: list[str]) -> None:
        for name, scale in _TIME_COLUMNS.items():
            if name in names:
                self._time_column = names.index(name)
                self._time_scale = scale
                return

    def _frame_us(self, cells: list[str]) -> int | None:
        value = _number(cells, self._frame_column)
        if value is None or not 0 < value < _LONGEST_FRAME_MS:
            return None
        return max(1, round(value * 1000))

    def _time_ns(self, cells: list[str], frame_us: int) -> int | None:
        """The log's own clock; without one the frame times add up."""
        if self._time_column < 0:
            return self._elapsed_ns + frame_us * 1000
        value = _number(cells, self._time_column)
        if value is None or value < 0 or value * self._time_scale >= 2**62:
            return None
        return round(value * self._time_scale)


def read_frame_log(path: Path) -> FrameLog:
    """A whole log from a file, CSV or CapFrameX JSON.

    Raises ``FrameLogError`` for a file that is missing, empty or holds no frames.
    """
    try:
        with path.open("rb") as file:
            first = file.read(1).lstrip()
            log = _read_json(path) if first == b"{" else _read_csv(path)
    except OSError as error:
        raise FrameLogError(f"{path}: {error.strerror}") from error
    except FrameLogError as error:
        raise FrameLogError(f"{path}: {error}") from None
    if not log.frame_us:
        raise FrameLogError(f"{path}: no frame in it")
    log.started_at = start_of(path, log.elapsed_ns[-1])
    return log


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


def _read_csv(path: Path) -> FrameLog:
    reader = RowReader()
    log = FrameLog("")
    with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
        for line in file:
            frame = reader.read(line)
            if frame is not None:
                log.add(*frame)
    if not reader.has_header:
        raise FrameLogError("no column with frame times; is this a MangoHud or CapFrameX log?")
    log.tool = reader.tool
    log.rejected = reader.rejected
    return log


def _read_json(path: Path) -> FrameLog:
    if path.stat().st_size > _MAX_JSON_BYTES:
        raise FrameLogError("larger than 512 MiB")
    try:
        body = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise FrameLogError("not readable as JSON") from None
    log = FrameLog("capframex")
    base_ns = 0
    for times, frames in _runs(body):
        for seconds, milliseconds in zip(times, frames, strict=False):
            if _is_frame(seconds, milliseconds):
                log.add(base_ns + round(seconds * 1e9), max(1, round(milliseconds * 1000)))
            else:
                log.rejected += 1
        base_ns = log.elapsed_ns[-1] if log.elapsed_ns else 0
    return log


def _runs(body: object) -> Iterator[tuple[Iterable[float], Iterable[float]]]:
    runs = body.get("Runs") if isinstance(body, Mapping) else None
    if not isinstance(runs, list):
        raise FrameLogError("no runs in it; is this a CapFrameX record?")
    for run in runs:
        data = run.get("CaptureData") if isinstance(run, Mapping) else None
        if isinstance(data, Mapping):
            times, frames = data.get("TimeInSeconds"), data.get("MsBetweenPresents")
            if isinstance(times, list) and isinstance(frames, list):
                yield times, frames


def _is_frame(seconds: object, milliseconds: object) -> bool:
    return (
        isinstance(seconds, int | float)
        and isinstance(milliseconds, int | float)
        and 0 <= seconds < 2**31
        and 0 < milliseconds < _LONGEST_FRAME_MS
    )


def _number(cells: list[str], column: int) -> float | None:
    if not 0 <= column < len(cells):
        return None
    try:
        value = float(cells[column])
    except ValueError:
        return None
    return value if math.isfinite(value) else None
