# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiments that run one of this program's own small processes for each block."""

import contextlib
import json
import os
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence

from destutter.core.catalog import SOURCES
from destutter.core.last_words import last_words
from destutter.core.sample import Sample, SampleError, Trouble, decode
from destutter.core.statement import Statement, read_statement
from destutter.proving.experiment import BlockMeasure, ExperimentError

_PATIENCE_S = 60.0  # beyond the block: under the load that is tested even the start may take long
_BUCKETS_MS = 1000  # worst by second, as LMAX has it
_BURST_S = 120.0  # it fills the page cache for 40 s at most, and no trial lasts longer
Row = Mapping[str, int]


class Probing:
    """The wake-up or the write probe, for some seconds in each block."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        seconds: float,
        measures: tuple[BlockMeasure, ...],
        reduce: Callable[[Sequence[Row], float], Mapping[str, float]],
    ) -> None:
        self.name = name
        self.ended_early: Statement | None = None
        self.measures = measures
        self._command = [*command, "--seconds", str(seconds), "--sample-ms", str(_BUCKETS_MS)]
        self._seconds = seconds
        self._reduce = reduce

    def prepare(self) -> None:
        """Nothing: the probe brings what it needs."""

    def block(self) -> Mapping[str, float]:
        """Run the probe once. Raises ``ExperimentError`` with the probe's own words."""
        lines = _lines(self._command, self._seconds + _PATIENCE_S)
        rows = _rows(lines)
        if not rows:
            raise ExperimentError(Statement("proving.nothing_measured"))
        return self._reduce(rows, self._seconds)

    def close(self) -> None:
        """Nothing stays behind."""


class MemoryBursts:
    """One burst of new memory in each block: see ``destutter.sampling.probes.memory_burst``."""

    name = "memory"
    measures: tuple[BlockMeasure, ...] = (
        BlockMeasure("over_5ms_total_ms", Statement("proving.measure.stall_time"), "ms"),
        BlockMeasure("over_5ms", Statement("proving.measure.stalls_5ms"), "count"),
        BlockMeasure("over_1ms", Statement("proving.measure.stalls_1ms"), "count"),
        BlockMeasure("worst_ms", Statement("proving.measure.longest_stall"), "ms"),
        BlockMeasure("allocation_stalls", Statement("proving.measure.allocation_stalls"), "count"),
        BlockMeasure("direct_reclaim_pages", Statement("proving.measure.direct_reclaim"), "count"),
        BlockMeasure("mib", Statement("proving.measure.memory"), "MiB", is_cost=False),
    )

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self.ended_early: Statement | None = None

    def prepare(self) -> None:
        """Nothing: a burst brings what it needs."""

    def block(self) -> Mapping[str, float]:
        """Make one burst. Raises ``ExperimentError`` with the reason."""
        lines = _lines(self._command, _BURST_S)
        try:
            result = json.loads(lines[-1])
            self.ended_early = read_statement(result["stopped"]) or self.ended_early
            return {measure.id: float(result[measure.id]) for measure in self.measures}
        except (ValueError, LookupError, TypeError) as error:
            reason = {"error": str(error)}
            raise ExperimentError(Statement("proving.burst_not_understood", reason)) from None

    def close(self) -> None:
        """Nothing stays behind."""


def wake_up_probe(command: Sequence[str], seconds: float) -> Probing:
    """How late a program is woken, a thousand times a second."""
    measures: tuple[BlockMeasure, ...] = (
        BlockMeasure("worst_ms", Statement("proving.measure.worst_delay"), "ms"),
        BlockMeasure("most_ms", Statement("proving.measure.longest_delay"), "ms"),
        BlockMeasure("over_1ms", Statement("proving.measure.delays_1ms"), "per_s"),
        BlockMeasure("over_4ms", Statement("proving.measure.delays_4ms"), "per_s"),
    )
    return Probing("wakeup", [*command, "--interval-us", "1000"], seconds, measures, _wakes)


def write_probe(command: Sequence[str], folder: str, seconds: float) -> Probing:
    """How long small writes take, and how late they are, five thousand times a second."""
    measures: tuple[BlockMeasure, ...] = (
        BlockMeasure("worst_write_ms", Statement("proving.measure.worst_write"), "ms"),
        BlockMeasure("most_write_ms", Statement("proving.measure.longest_write"), "ms"),
        BlockMeasure("worst_corrected_ms", Statement("proving.measure.worst_corrected"), "ms"),
        BlockMeasure("worst_wake_ms", Statement("proving.measure.worst_wake"), "ms"),
        BlockMeasure("over_1ms", Statement("proving.measure.writes_1ms"), "per_s"),
        BlockMeasure("over_5ms", Statement("proving.measure.writes_5ms"), "per_s"),
    )
    return Probing("write", [*command, "--folder", folder], seconds, measures, _writes)


def _wakes(rows: Sequence[Row], seconds: float) -> Mapping[str, float]:
    return {
        "worst_ms": _median_ms(rows, "worst_us"),
        "most_ms": max(row["worst_us"] for row in rows) / 1000,
        "over_1ms": sum(row["over_1ms"] for row in rows) / seconds,
        "over_4ms": sum(row["over_4ms"] for row in rows) / seconds,
    }


def _writes(rows: Sequence[Row], seconds: float) -> Mapping[str, float]:
    return {
        "worst_write_ms": _median_ms(rows, "worst_write_us"),
        "most_write_ms": max(row["worst_write_us"] for row in rows) / 1000,
        "worst_corrected_ms": _median_ms(rows, "worst_corrected_us"),
        "worst_wake_ms": _median_ms(rows, "worst_wake_us"),
        "over_1ms": sum(row["over_1ms"] for row in rows) / seconds,
        "over_5ms": sum(row["over_5ms"] for row in rows) / seconds,
    }


def _median_ms(rows: Sequence[Row], field: str) -> float:
    return statistics.median(row[field] for row in rows) / 1000


def _rows(lines: Sequence[str]) -> list[Row]:
    """The samples of a probe's stream, by field."""
    rows: list[Row] = []
    try:
        for message in map(decode, lines):
            if isinstance(message, Trouble) and message.reason is not None:
                raise ExperimentError(message.reason)
            if isinstance(message, Sample):
                for reading in message.readings:
                    fields = SOURCES[reading.source].fields
                    pairs = zip(fields, reading.values, strict=True)
                    rows.append({name: value for name, value in pairs if value is not None})
    except SampleError as error:
        reason = {"error": str(error)}
        raise ExperimentError(Statement("proving.something_else", reason)) from None
    return rows


def _lines(command: Sequence[str], limit_s: float) -> list[str]:
    """What a process of ours prints; its input stays open, for its end would end the process."""
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            command, stdin=reading, capture_output=True, timeout=limit_s, check=False
        )
    except subprocess.TimeoutExpired:
        raise ExperimentError(Statement("proving.late")) from None
    finally:
        os.close(reading)
        os.close(writing)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    if done.returncode != 0:
        with contextlib.suppress(SampleError, LookupError):
            message = decode(lines[-1])
            if isinstance(message, Trouble) and message.reason is not None:
                raise ExperimentError(message.reason)
        ended = Statement("sampling.ended", {"status": done.returncode})
        raise ExperimentError(last_words(done.stderr) or ended)
    return lines
