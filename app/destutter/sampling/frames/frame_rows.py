# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of frame-time tables: MangoHud, and what has PresentMon's columns (CapFrameX, OCAT).

Layouts are read by the names in their header, never by position, because versions differ in
columns and order. A row without a usable frame time is counted, not guessed.
"""

import csv
import math
from collections.abc import Mapping

from destutter.core.statement import Statement, StatementError

HEADER_LINES = 64  # tools write a few before it; another file is not read to its end
LONGEST_FRAME_MS = 600_000.0  # ten minutes: a broken cell, or a game that was stopped
MOST_PROGRAMS = 256  # a column that holds no programs must not fill memory

# Names of the frame-time column in milliseconds, and of the time column with its nanoseconds
# per unit. MangoHud: "frametime", "elapsed" (ns since the log began, CLOCK_MONOTONIC).
# PresentMon and CapFrameX: "MsBetweenPresents", "TimeInSeconds"; PresentMon 2 calls them
# "FrameTime" and "CPUStartTime" (ms). A counter (QPC) without its rate is no clock.
_FRAME_COLUMNS = ("frametime", "msbetweenpresents", "ms between presents")
_TIME_COLUMNS = {
    "elapsed": 1.0,
    "timeinseconds": 1e9,
    "timeinms": 1e6,
    "cpustarttime": 1e6,
    "cpustarttimeinms": 1e6,
    "cpustarttimeinseconds": 1e9,
}
_PROGRAM_COLUMN = "application"  # of PresentMon, which may watch several programs at once
_SEPARATORS = ",;\t"
# What MangoHud and CapFrameX say of the computer, as the header of a recording names it.
_MACHINE = {
    "os": "distribution",
    "cpu": "cpu_model",
    "processor": "cpu_model",
    "gpu": "gpu",
    "kernel": "kernel",
    "driver": "driver",
    "gpudriverversion": "driver",
    "resolution": "resolution",
    "resolutioninfo": "resolution",
    "gamename": "game",
    "processname": "game",
}
_MOST_OFF = math.log(1.25)
_UNITS_MS = (1.0, 1e-3)
LATEST_NS = 2**62  # one more frame still fits into 64 bits
LONGEST_LINE = 1 << 16
_COMMENT = "//"  # of CapFrameX, above the columns that it has from PresentMon
_HARDWARE_LOG = "hardware monitoring log"  # MSI Afterburner, in its first line
_SUMMARY = "percentile fps"  # MangoHud, of a whole log


class FrameLogError(StatementError):
    """A file that is not a frame-time log, in words."""


class RowReader:
    """Reads a frame log line by line, so that a file can be followed while it is written.

    Feed it whole lines with ``read``; until the header has been seen it answers nothing.
    ``machine`` is what the lines before the header say of the computer, ``program`` whose frame
    the last row was; empty in a log of one program.
    """

    def __init__(self) -> None:
        self.tool = ""
        self.rejected = 0
        self.machine: dict[str, str] = {}
        self.program = ""
        self._separator = ","
        self._width = 0
        self._frame_column = -1
        self._rate_column = -1
        self._unit_ms: float | None = None
        self._program_column = -1
        self._time_column = -1
        self._time_scale = 1.0
        self._elapsed_ns = 0
        self._added_ns: dict[str, int] = {}
        self._base_ns = 0
        self._seen = 0
        self._names: list[str] = []
        self._has_comments = False

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
        cells = self._cells(line)
        is_localised = len(cells) > self._width and self._rate_column >= 0
        value = self._localised(cells) if is_localised else self._frame_ms(cells)
        if value is None or not 0 < value < LONGEST_FRAME_MS:
            self._reject(line)
            return None
        if 0 <= self._program_column < len(cells):
            self.program = cells[self._program_column].strip()
        frame_us = max(1, round(value * 1000))
        elapsed_ns = self._time_ns(cells, frame_us, has_clock=not is_localised)
        if elapsed_ns is None:
            self.rejected += 1
            return None
        self._elapsed_ns = elapsed_ns
        return elapsed_ns, frame_us

    def _frame_ms(self, cells: list[str]) -> float | None:
        """The frame time of a row. Old versions of MangoHud wrote microseconds.

        The rate beside it tells which, in the first row where both are of the same frame.
        """
        value = _number(cells, self._frame_column)
        if self._unit_ms is None and value is not None:
            rate = _number(cells, self._rate_column) or 0.0
            fitting = (unit for unit in _UNITS_MS if _off(rate, value * unit) < _MOST_OFF)
            self._unit_ms = next(fitting, None)
        return None if value is None else value * (self._unit_ms or 1.0)

    def _cells(self, line: str) -> list[str]:
        if '"' not in line:
            return line.split(self._separator)
        return _unquoted(line, self._separator)

    def _reject(self, line: str) -> None:
        """Count a row without a frame, unless it begins another log in the same file."""
        if self._take_header(line):
            self._base_ns = self._elapsed_ns
            return
        self.rejected += bool(line.strip())

    def _look_for_header(self, line: str) -> None:
        line = line.lstrip("\ufeff")
        if self._take_header(line):
            return
        _refuse_other_tables(line.lower())
        self._note_machine(line)
        self._seen += 1
        if self._seen >= HEADER_LINES:
            raise FrameLogError(Statement("sampling.log_without_times"))

    def _take_header(self, line: str) -> bool:
        """Use a line as the header, if it is one."""
        lowered = line.lower()
        if not any(name in lowered for name in _FRAME_COLUMNS):
            return False
        for separator in _SEPARATORS:
            names = [name.strip().lower() for name in _unquoted(line, separator)]
            found = next((name for name in _FRAME_COLUMNS if name in names), None)
            if found is None or len(names) < 2:
                continue
            self._separator, self._width = separator, len(names)
            self._frame_column = names.index(found)
            is_mangohud = found == "frametime" and "fps" in names
            self.tool = "mangohud" if is_mangohud else self._presentmon()
            self._rate_column = names.index("fps") if is_mangohud else -1
            self._unit_ms = None if is_mangohud else 1.0
            self._program_column = names.index(_PROGRAM_COLUMN) if _PROGRAM_COLUMN in names else -1
            self._find_time_column(names)
            return True
        return False

    def _presentmon(self) -> str:
        return "capframex" if self._has_comments else "presentmon"

    def _find_time_column(self, names: list[str]) -> None:
        self._time_column = -1
        for name, scale in _TIME_COLUMNS.items():
            if name in names:
                self._time_column = names.index(name)
                self._time_scale = scale
                return

    def _note_machine(self, line: str) -> None:
        """MangoHud: a line of names and one of values. CapFrameX: "//Name=value" lines."""
        if line.startswith(_COMMENT):
            self._has_comments = True
            name, _, value = line.removeprefix(_COMMENT).partition("=")
            self._know(name, value)
            return
        if self._names:
            for name, value in zip(self._names, _unquoted(line, ","), strict=False):
                self._know(name, value)
        names = [name.strip().lower() for name in line.split(",")]
        self._names = names if {"os", "kernel"} <= set(names) else []

    def _know(self, name: str, value: str) -> None:
        key = _MACHINE.get(name.strip().lower())
        text = value.strip().strip("'\"").strip()
        if key is not None and text and text.isprintable():
            self.machine.setdefault(key, text[:200])

    def _localised(self, cells: list[str]) -> float | None:
        """The frame time of a row in which commas are also decimal points.

        A game that sets its language for the whole process makes MangoHud write "59,9,16,69".
        Rate and time stand side by side and one is the inverse of the other, which tells where
        one ends. Rows where no reading fits are rejected.
        """
        if self._frame_column != self._rate_column + 1:
            return None
        rest = [cell.strip() for cell in cells[self._rate_column : self._rate_column + 4]]
        best: tuple[float, float] | None = None
        for rate_cells in (1, 2):
            for time_cells in (1, 2):
                parts = rest[: rate_cells + time_cells]
                if not all(part.isascii() and part.isdecimal() for part in parts[1:]):
                    continue
                rate = to_number(".".join(parts[:rate_cells]))
                length = to_number(".".join(parts[rate_cells:]))
                if rate and length:
                    best = min(best or (math.inf, 0.0), (_off(rate, length), length))
        return best[1] if best is not None and best[0] < _MOST_OFF else None

    def _time_ns(self, cells: list[str], frame_us: int, *, has_clock: bool) -> int | None:
        """The log's own clock; without one the frame times of a program add up."""
        if self._time_column < 0 or not has_clock:
            elapsed_ns = self._sum_ns(frame_us * 1000)
        else:
            value = _number(cells, self._time_column)
            if value is None or value < 0 or value * self._time_scale >= LATEST_NS:
                return None
            elapsed_ns = self._base_ns + round(value * self._time_scale)
        return elapsed_ns if elapsed_ns < LATEST_NS else None

    def _sum_ns(self, frame_ns: int) -> int:
        if not self.program:
            return self._elapsed_ns + frame_ns
        known = len(self._added_ns) < MOST_PROGRAMS or self.program in self._added_ns
        name = self.program if known else ""
        self._added_ns[name] = self._added_ns.get(name, 0) + frame_ns
        return self._added_ns[name]


def _refuse_other_tables(lowered: str) -> None:
    """What the same tools write beside their logs."""
    if _HARDWARE_LOG in lowered:
        raise FrameLogError(Statement("sampling.log_of_afterburner"))
    if _SUMMARY in lowered:
        raise FrameLogError(Statement("sampling.log_summary"))


def _off(rate: float, frame_ms: float) -> float:
    """How far a frame rate and a frame time in ms are from being of the same frame; 0: exactly."""
    product = rate * frame_ms / 1000
    return abs(math.log(product)) if product > 0 else math.inf


def to_number(text: str) -> float | None:
    """A number as programs and spreadsheets write it: "16.7", "16,7", "1.234,5", "1 234.5".

    None for anything else, also for infinities.
    """
    try:
        # Python takes "16_7" for a number, which no program writes.
        value = math.nan if "_" in text else float(text)
    except ValueError:
        value = _local_number(text)
    return value if math.isfinite(value) else None


def _local_number(text: str) -> float:
    """A number with grouping or a decimal comma; NaN for anything else."""
    kept = "".join(text.split()).strip("\"'").replace("\u2019", "").replace("'", "")
    if not kept or not kept.isascii() or "_" in kept:
        return math.nan
    comma, point = kept.rfind(","), kept.rfind(".")
    if comma >= 0 and point >= 0:
        group, decimal = (".", ",") if comma > point else (",", ".")
        kept = kept.replace(group, "").replace(decimal, ".")
    elif kept.count(",") == 1:
        kept = kept.replace(",", ".")
    else:
        kept = kept.replace(",", "").replace(".", "")
    try:
        return float(kept)
    except ValueError:
        return math.nan


def machine_of(values: Mapping[str, object]) -> dict[str, str]:
    """What CapFrameX's own names say of the computer, as a recording's header names it."""
    reader = RowReader()
    for name, value in values.items():
        if isinstance(value, str):
            reader._know(name, value)
    return reader.machine


def _number(cells: list[str], column: int) -> float | None:
    return to_number(cells[column]) if 0 <= column < len(cells) else None


def _unquoted(line: str, separator: str) -> list[str]:
    """The cells of a line in which quotes protect separators."""
    if '"' not in line:
        return line.split(separator)
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return line.split(separator)
