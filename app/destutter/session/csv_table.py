# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording as a table for other programs."""

import csv
import os
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import TextIO

from destutter.core.metric_table import METRIC_BY_ID, METRICS
from destutter.core.metrics import Deriver, Metrics, MetricSpec
from destutter.core.sample import Frames, Layout, Sample
from destutter.core.statement import Statement
from destutter.core.system_error import system_reason
from destutter.core.traced import TraceLook
from destutter.session.format import Flag, RecordingError, refused
from destutter.session.new_file import move_without_replacing
from destutter.session.replay import ReplaySource

_SeriesKey = tuple[str, str | None]
"""A metric and its instance; None for metrics of sources without instances."""

_FORMULA = frozenset("=+-@|%")
CROWDED_SOURCES = frozenset({"process", "thread", "realtime"})
"""Sources whose instances come and go by the hundred: no columns unless they are asked for."""


def export_csv(
    replay: ReplaySource,
    path: str | os.PathLike[str],
    metric_ids: Iterable[str] | None = None,
) -> int:
    """Write one row per sample and one column per metric and instance; returns the row count.

    The header names metric, instance and unit. Cells stay empty where a sample did not measure
    the metric. Without ``metric_ids`` every metric is exported, except those of single
    processes and threads, and of a recording with a trace the longest wait and the slowest
    request that ended since the row before. The file appears complete or not at all, and never
    replaces another.
    Raises ``RecordingError`` in words, and ``KeyError`` for an unknown metric id.
    """
    traced = _Traced(replay) if metric_ids is None else None
    if metric_ids is None:
        specs = [spec for spec in METRICS if spec.source not in CROWDED_SOURCES]
    else:
        specs = [METRIC_BY_ID[metric_id] for metric_id in metric_ids]
    return _write_new(path, lambda file: _write(replay, specs, traced, file))


def export_frames(replay: ReplaySource, path: str | os.PathLike[str]) -> int:
    """Write one row per frame time of the recording; returns the row count. Errors: as above."""
    return _write_new(path, lambda file: _write_frames(replay, file))


def _write_new(path: str | os.PathLike[str], write: Callable[[TextIO], int]) -> int:
    target = os.fspath(path)
    taken = RecordingError(Statement("session.export_exists", {"path": target}))
    if "\0" in target:
        raise RecordingError(Statement("session.no_file_name", {"path": ascii(target)}))
    if os.path.lexists(target):
        raise taken
    try:
        return _write_and_name(write, target)
    except FileExistsError:
        raise taken from None
    except OSError as error:
        raise RecordingError(refused(target, system_reason(error))) from None


class _Traced:
    """What the trace of a recording told, by kind: the longest that ended since the row before."""

    def __init__(self, replay: ReplaySource) -> None:
        found = (
            each
            for look in replay.file.events(Flag.TRACES)
            if isinstance(look, TraceLook)
            for each in _ended(look)
        )
        self._left = sorted(found, reverse=True)
        self.kinds = sorted({kind for _, kind, _ in self._left})

    def row(self, time_ns: int) -> Iterator[str]:
        """The cells of a row; each wait is in one."""
        longest: dict[str, int] = {}
        while self._left and self._left[-1][0] <= time_ns:
            _, kind, duration_ns = self._left.pop()
            longest[kind] = max(longest.get(kind, 0), duration_ns)
        return (f"{longest[kind] / 1e6:.10g}" if kind in longest else "" for kind in self.kinds)


def _ended(look: TraceLook) -> Iterator[tuple[int, str, int]]:
    for wait in look.waits:
        yield wait.begin_ns + wait.duration_ns, wait.kind, wait.duration_ns
    for request in look.requests:
        duration_ns = request.duration_ns
        yield request.begin_ns + duration_ns, f"request.{request.operation}", duration_ns


def _write_and_name(write: Callable[[TextIO], int], target: str) -> int:
    partial = f"{target}.{os.getpid()}.part"
    with open(partial, "x", encoding="utf-8", newline="") as file:
        try:
            rows = write(file)
            file.flush()
            move_without_replacing(partial, target)
        except BaseException:
            os.unlink(partial)
            raise
    return rows


def _write(
    replay: ReplaySource, specs: list[MetricSpec], traced: _Traced | None, file: TextIO
) -> int:
    columns = list(_columns(replay, specs))
    units = {spec.id: spec.unit for spec in specs}
    writer = csv.writer(file, lineterminator="\n")
    kinds = () if traced is None else traced.kinds
    labels = [_label(key, units[key[0]]) for key in columns]
    labels += [harmless(f"trace.{kind} [ms]") for kind in kinds]
    writer.writerow(["time [s]", "date [UTC]", *labels])
    rows = 0
    for time_ns, values in _derived(replay, specs):
        cells = ["" if (value := values.get(key)) is None else f"{value:.10g}" for key in columns]
        cells += [] if traced is None else traced.row(time_ns)
        writer.writerow([*_moment(replay, time_ns), *cells])
        rows += 1
    return rows


def _write_frames(replay: ReplaySource, file: TextIO) -> int:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["time [s]", "date [UTC]", "frame [ms]", "origin"])
    rows = 0
    for message in replay.messages():
        if not isinstance(message, Frames):
            continue
        for end_ns, frame_us in zip(message.monotonic_ns, message.frame_us, strict=True):
            length = f"{frame_us / 1e3:.10g}"
            writer.writerow([*_moment(replay, end_ns), length, harmless(message.origin)])
            rows += 1
    return rows


def _columns(replay: ReplaySource, specs: list[MetricSpec]) -> Iterator[_SeriesKey]:
    """Metric by metric, the instances in the order in which they first appeared."""
    instances: dict[str, dict[str | None, None]] = {}
    for layout in replay.layouts():
        found = (None,) if layout.instances is None else layout.instances
        instances.setdefault(layout.source, {}).update(dict.fromkeys(found))
    for spec in specs:
        for instance in instances.get(spec.source, ()):
            yield spec.id, instance


def _label(key: _SeriesKey, unit: str) -> str:
    metric_id, instance = key
    label = f"{metric_id} [{unit}]" if instance is None else f"{metric_id}{{{instance}}} [{unit}]"
    return harmless(label)


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula: names of programs are anybody's choice.

    A quote before it shows the text as it is; control characters would end the cell.
    """
    shown = "".join(each if each.isprintable() else " " for each in text)
    return f"'{shown}" if shown.lstrip()[:1] in _FORMULA else shown


def _derived(
    replay: ReplaySource, specs: list[MetricSpec]
) -> Iterator[tuple[int, dict[_SeriesKey, float | None]]]:
    header = replay.header
    deriver = Deriver(specs, header.interval_ms, header.page_bytes)
    for message in replay.messages():
        if isinstance(message, Layout):
            deriver.accept_layout(message)
        elif isinstance(message, Sample):
            yield message.monotonic_ns, dict(_values_of(deriver.derive(message)))


def _values_of(metrics: Metrics) -> Iterator[tuple[_SeriesKey, float | None]]:
    for metric_id, value in metrics.values.items():
        yield (metric_id, None), value
    for metric_id, instances in metrics.instanced.items():
        for instance, value in instances.items():
            yield (metric_id, instance), value


def _moment(replay: ReplaySource, time_ns: int) -> tuple[str, str]:
    seconds = (time_ns - replay.header.monotonic_ns) / 1e9
    try:
        date = datetime.fromtimestamp(replay.header.wall_time + seconds, UTC)
    except (ValueError, OverflowError, OSError):  # a clock that no calendar has
        return f"{seconds:.6f}", ""
    return f"{seconds:.6f}", date.isoformat(sep=" ", timespec="milliseconds")[:-6]
