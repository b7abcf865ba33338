# SPDX-License-Identifier: GPL-3.0-or-later
"""Lowest and highest values per column of a long recording: the same metrics, vectorised.

``destutter.core.metrics.Deriver`` derives one sample at a time; hours of samples go through the
same table of formulas here, many at once. Both must agree to the last bit, which a test proves.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from destutter.core.metric_table import METRIC_BY_ID
from destutter.core.metrics import WRAP_32, Deriver, Metrics, MetricSpec, Op
from destutter.core.sample import Header, Layout, Sample
from destutter.session.block_reader import Numbers
from destutter.session.format import NOTHING, Flag
from destutter.session.reading_table import ReadingTable, Segment, read_table
from destutter.session.replay import ReplaySource

Values = NDArray[np.float64]
SeriesKey = tuple[str, str | None]

_LEAD_IN_BLOCKS = 10
"""Decoded before the wanted span, so that rates at its start have something to compare with."""


@dataclass(frozen=True, slots=True)
class Series:
    """Lowest and highest value per column; NaN in columns where nothing was measured."""

    low: Values
    high: Values


@dataclass(frozen=True, slots=True)
class Overview:
    """Metrics of a span in equal columns. Column i begins at ``start_ns + i * column_ns``.

    ``series`` has one entry per metric and instance that was there at any time; the instance is
    None for metrics of sources without instances.
    """

    start_ns: int
    column_ns: int
    columns: int
    series: Mapping[SeriesKey, Series]


def derive_overview(
    replay: ReplaySource,
    metric_ids: Iterable[str],
    columns: int,
    span: tuple[int, int] | None = None,
) -> Overview:
    """Derive the metrics over ``span`` (None: the whole recording) in one pass.

    Raises ``KeyError`` for an unknown metric id and ``ValueError`` for ``columns`` below 1.
    """
    specs = [METRIC_BY_ID[metric_id] for metric_id in metric_ids]
    if columns < 1:
        raise ValueError("an overview has at least one column")
    start_ns, end_ns = span or replay.span or (0, 0)
    raster = _Raster(start_ns, end_ns, columns)
    page_bytes = page_bytes_of(replay.header)
    entries = replay.file.index.blocks
    if any(entry.head.flags & Flag.WRITTEN_OUT for entry in entries):
        _derive_one_by_one(replay, specs, page_bytes, raster)
    else:
        first, end = replay.blocks_of(start_ns, end_ns, _LEAD_IN_BLOCKS)
        table = read_table(replay.file, _fields(specs), replay.layouts(), first, end)
        for spec in specs:
            scale = spec.scale * (page_bytes if spec.is_in_pages else 1)
            _derive_source(spec, scale, table, raster)
    return Overview(start_ns, raster.column_ns, columns, raster.series)


def page_bytes_of(header: Header) -> int:
    """The page size of the machine that was measured; 4096 when it does not say."""
    value = header.machine.get("page_bytes")
    return value if isinstance(value, int) else 4096


class _Raster:
    """Collects values into columns."""

    def __init__(self, start_ns: int, end_ns: int, columns: int) -> None:
        self.start_ns = start_ns
        self.end_ns = end_ns
        self.columns = columns
        self.column_ns = max(1, -(-(end_ns - start_ns + 1) // columns))
        self.series: dict[SeriesKey, Series] = {}

    def add(self, key: SeriesKey, times_ns: Numbers, values: Values) -> None:
        series = self._series(key)
        chosen = ~np.isnan(values) & (times_ns >= self.start_ns) & (times_ns <= self.end_ns)
        places = (times_ns[chosen] - self.start_ns) // self.column_ns
        np.fmin.at(series.low, places, values[chosen])
        np.fmax.at(series.high, places, values[chosen])

    def add_one(self, key: SeriesKey, time_ns: int, value: float | None) -> None:
        series = self._series(key)
        if value is not None and self.start_ns <= time_ns <= self.end_ns:
            place = (time_ns - self.start_ns) // self.column_ns
            series.low[place] = np.fmin(series.low[place], value)
            series.high[place] = np.fmax(series.high[place], value)

    def _series(self, key: SeriesKey) -> Series:
        if key not in self.series:
            empty = np.full(self.columns, np.nan)
            self.series[key] = Series(empty, empty.copy())
        return self.series[key]


def _fields(specs: Iterable[MetricSpec]) -> dict[str, set[str]]:
    fields: dict[str, set[str]] = {}
    for spec in specs:
        fields.setdefault(spec.source, set()).update(spec.numerator, spec.denominator)
    return fields


def _derive_one_by_one(
    replay: ReplaySource, specs: list[MetricSpec], page_bytes: int, raster: _Raster
) -> None:
    """For recordings with numbers too large for columns: rare, and so allowed to be slow."""
    deriver = Deriver(specs, replay.header.interval_ms, page_bytes)
    for message in replay.whole():
        if isinstance(message, Layout):
            deriver.accept_layout(message)
        elif isinstance(message, Sample):
            for key, value in values_of(deriver.derive(message)):
                raster.add_one(key, message.monotonic_ns, value)


def values_of(metrics: Metrics) -> Iterator[tuple[SeriesKey, float | None]]:
    """Every value of one sample's metrics with its series."""
    for metric_id, value in metrics.values.items():
        yield (metric_id, None), value
    for metric_id, instances in metrics.instanced.items():
        for instance, value in instances.items():
            yield (metric_id, instance), value


def _derive_source(spec: MetricSpec, scale: float, table: ReadingTable, raster: _Raster) -> None:
    carried: _Carried | None = None
    for segment in table.segments[spec.source]:
        values = _evaluate(spec, scale, segment, _before(segment, carried, table))
        carried = _carry(segment, carried, table)
        # A source that comes twice in one sample counts once, by its last reading.
        is_last = np.append(segment.samples[1:] != segment.samples[:-1], np.True_)
        is_last = is_last[: len(segment.samples)]
        times_ns = table.times_ns[segment.samples[is_last]]
        for index, instance in enumerate(_instances(segment.layout)):
            if len(times_ns):
                raster.add((spec.id, instance), times_ns, values[is_last, index])


def _instances(layout: Layout) -> tuple[str | None, ...]:
    return (None,) if layout.instances is None else layout.instances


@dataclass(frozen=True, slots=True)
class _Carried:
    """The last reading of a source before its layout changed, by instance and field."""

    history: int
    time_ns: int
    values: Mapping[tuple[str | None, str], int]


@dataclass(frozen=True, slots=True)
class _Before:
    """For each reading of a segment the one before it, if the two may be compared."""

    values: Numbers
    seconds: Values
    exists: NDArray[np.bool_]


def _before(segment: Segment, carried: _Carried | None, table: ReadingTable) -> _Before:
    times_ns = table.times_ns[segment.samples] + segment.offsets_ns
    history = table.history[segment.samples]
    values = np.full_like(segment.values, NOTHING)
    values[1:] = segment.values[:-1]
    seconds = np.zeros(len(times_ns))
    seconds[1:] = np.diff(times_ns) / 1e9
    exists = np.append(np.False_, history[1:] == history[:-1])[: len(times_ns)]
    if carried is not None and len(times_ns):
        exists[0] = carried.history == history[0]
        seconds[0] = (int(times_ns[0]) - carried.time_ns) / 1e9
        for i, instance in enumerate(_instances(segment.layout)):
            for j, name in enumerate(segment.fields):
                values[0, i, j] = carried.values.get((instance, name), NOTHING)
    return _Before(values, seconds, exists & (seconds > 0))


def _carry(segment: Segment, carried: _Carried | None, table: ReadingTable) -> _Carried | None:
    names = [(i, name) for i in _instances(segment.layout) for name in segment.fields]
    if len(segment.samples):
        sample = segment.samples[-1]
        time_ns = int(table.times_ns[sample] + segment.offsets_ns[-1])
        numbers = segment.values[-1].ravel().tolist()
        return _Carried(
            int(table.history[sample]), time_ns, dict(zip(names, numbers, strict=True))
        )
    if carried is None:
        return None
    known = {name: carried.values[name] for name in names if name in carried.values}
    return _Carried(carried.history, carried.time_ns, known)


def _evaluate(spec: MetricSpec, scale: float, segment: Segment, before: _Before) -> Values:
    """The metric for every reading and instance; NaN for None."""
    above = _places(spec.numerator, segment)
    below = _places(spec.denominator, segment)
    if spec.op is Op.LEVEL:
        return _sum(segment.values, above) * scale
    if spec.op is Op.FRACTION:
        return _ratio(_sum(segment.values, above), _sum(segment.values, below), scale)
    grown = _growth(segment.values, before.values, above)
    grown[~before.exists] = np.nan
    if spec.op is Op.RATE:
        with np.errstate(divide="ignore", invalid="ignore"):
            return grown * scale / before.seconds[:, np.newaxis]
    return _ratio(grown, _growth(segment.values, before.values, below), scale)


def _places(names: tuple[str, ...], segment: Segment) -> list[int]:
    return [segment.fields.index(name) for name in names if name in segment.fields]


def _ratio(above: Values, below: Values, scale: float) -> Values:
    with np.errstate(divide="ignore", invalid="ignore"):
        result: Values = np.where(below == 0, np.nan, above * scale / below)
    return result


def _sum(values: Numbers, places: list[int]) -> Values:
    """The sums of what exists; NaN where nothing does."""
    chosen = values[:, :, places]
    exists = chosen != NOTHING
    total: Values = np.where(exists, chosen, 0).sum(axis=2).astype(np.float64)
    total[~exists.any(axis=2)] = np.nan
    return total


def _growth(now: Numbers, before: Numbers, places: list[int]) -> Values:
    """How much the counters grew together: ``destutter.core.metrics._growth`` for arrays."""
    new, old = now[:, :, places], before[:, :, places]
    exists = (new != NOTHING) & (old != NOTHING)
    delta = new - old
    is_wrap = (old >= WRAP_32 // 2) & (old < WRAP_32) & (new < WRAP_32 // 2)
    is_reset = exists & (delta < 0) & ~is_wrap
    delta[(delta < 0) & is_wrap] += WRAP_32
    total: Values = np.where(exists, delta, 0).sum(axis=2).astype(np.float64)
    total[~exists.any(axis=2) | is_reset.any(axis=2)] = np.nan
    return total
