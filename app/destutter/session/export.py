# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording as a table for other programs."""

import csv
import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TextIO

from destutter.core.metric_table import METRIC_BY_ID, METRICS
from destutter.core.metrics import Deriver, Metrics, MetricSpec
from destutter.core.sample import Layout, Sample
from destutter.core.statement import Statement
from destutter.session.format import RecordingError, refused
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
    processes and threads. The file appears complete or not at all, and never replaces another.
    Raises ``RecordingError`` in words, and ``KeyError`` for an unknown metric id.
    """
    target = os.fspath(path)
    if metric_ids is None:
        specs = [spec for spec in METRICS if spec.source not in CROWDED_SOURCES]
    else:
        specs = [METRIC_BY_ID[metric_id] for metric_id in metric_ids]
    taken = RecordingError(Statement("session.export_exists", {"path": target}))
    if "\0" in target:
        raise RecordingError(Statement("session.no_file_name", {"path": ascii(target)}))
    if os.path.lexists(target):
        raise taken
    try:
        return _write_and_name(replay, specs, target)
    except FileExistsError:
        raise taken from None
    except OSError as error:
        raise RecordingError(refused(target, str(error.strerror))) from None


def _write_and_name(replay: ReplaySource, specs: list[MetricSpec], target: str) -> int:
    partial = f"{target}.{os.getpid()}.part"
    with open(partial, "x", encoding="utf-8", newline="") as file:
        try:
            rows = _write(replay, specs, file)
            file.flush()
            move_without_replacing(partial, target)
        except BaseException:
            os.unlink(partial)
            raise
    return rows


def _write(replay: ReplaySource, specs: list[MetricSpec], file: TextIO) -> int:
    columns = list(_columns(replay, specs))
    units = {spec.id: spec.unit for spec in specs}
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["time [s]", "date [UTC]", *(_label(key, units[key[0]]) for key in columns)])
    rows = 0
    for time_ns, values in _derived(replay, specs):
        cells = ["" if (value := values.get(key)) is None else f"{value:.10g}" for key in columns]
        writer.writerow([*_moment(replay, time_ns), *cells])
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
