# SPDX-License-Identifier: GPL-3.0-or-later
"""All readings of some sources of a recording, as columns instead of messages.

The blocks are only taken apart one by one; sums, times and the matching of readings to samples
are done once for the whole recording.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from destutter.core.catalog import PROBES
from destutter.core.metrics import SUSPEND_NS
from destutter.core.sample import Layout
from destutter.session.block_reader import Numbers, ShapeTable, unfold
from destutter.session.format import DamageError, Flag
from destutter.session.lines import known_messages
from destutter.session.recording_file import RecordingFile, Step

_TIMES = ("", 4)
_EMPTY = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive readings of one source under one layout; there may be none.

    ``samples``: for each reading, the position of its sample among all samples.
    ``offsets_ns``: its time after the sample's. ``values``: readings × instances × fields (one
    instance for a scalar source), with the fields in the order of ``fields`` only; ``NOTHING``
    stands for None.
    """

    layout: Layout
    fields: tuple[str, ...]
    samples: Numbers
    offsets_ns: Numbers
    values: Numbers


@dataclass(frozen=True, slots=True)
class ReadingTable:
    """The samples of a recording in order, and the readings of the wanted sources.

    ``history``: a number per sample that grows when the computer was suspended; two readings
    of a source may be compared when it is the same for both.
    """

    times_ns: Numbers
    history: Numbers
    segments: Mapping[str, list[Segment]]


def read_table(
    file: RecordingFile,
    fields: Mapping[str, Iterable[str]],
    layouts: Iterable[Layout],
    first: int,
    end: int,
) -> ReadingTable:
    """Read the ``fields`` of each source from the key block ``first`` to before ``end``.

    ``layouts`` are all that the recording has of these sources.
    """
    wanted = {source: frozenset(names) for source, names in fields.items()}
    collector = _Collector(wanted, layouts)
    for step in file.walk(first, end):
        try:
            collector.add(step)
        except DamageError:
            file.is_whole[step.position] = False
    return collector.table()


class _Column:
    """The differences of one kind of row, as many columns of it as are wanted."""

    def __init__(self, columns: NDArray[np.intp]) -> None:
        self.columns = columns
        self._changes: list[Numbers] = []
        self._runs: list[int] = []

    def add(self, run: int, changes: Numbers) -> None:
        """Add columns × rows. Rows of one ``run`` (since a key block) are summed together."""
        self._changes.append(changes[self.columns])
        self._runs.append(run)

    def rows(self) -> Numbers:
        """The values, rows × columns."""
        if not self._changes:
            return np.zeros((0, len(self.columns)), np.int64)
        sums = np.concatenate(self._changes, axis=1).T.cumsum(axis=0)
        runs = np.repeat(self._runs, [changes.shape[1] for changes in self._changes])
        starts = np.flatnonzero(np.append(np.True_, runs[1:] != runs[:-1]))
        before = np.vstack([np.zeros_like(sums[:1]), sums[starts[1:] - 1]])
        rows: Numbers = sums - np.repeat(before, np.diff(np.append(starts, len(runs))), axis=0)
        return rows


@dataclass(slots=True)
class _Use:
    """A layout, and the position of the first sample for which it holds."""

    layout: Layout
    begin: int


@dataclass(slots=True)
class _Shapes:
    """All shapes of a recording, each once, and the samples that have them."""

    numbers: dict[tuple[tuple[str, int], ...], int] = field(default_factory=dict)
    samples: list[NDArray[np.intp]] = field(default_factory=list)

    def number(self, key: tuple[tuple[str, int], ...]) -> int:
        return self.numbers.setdefault(key, len(self.numbers))


class _Collector:
    def __init__(self, wanted: Mapping[str, frozenset[str]], layouts: Iterable[Layout]) -> None:
        self._wanted = wanted
        self._uses: dict[str, list[_Use]] = {source: [] for source in wanted}
        self._columns = _columns_of(wanted, layouts)
        self._times: list[_Column] = []
        self._shapes = _Shapes()
        self._known = ShapeTable()
        self._local: list[int] = []
        self._run = 0
        self._count = 0

    def add(self, step: Step) -> None:
        """Take in the next block. Raises ``DamageError`` when it makes no sense."""
        if step.state is not None:
            for layout in step.state.layouts.values():
                self._use(layout, self._count)
        if not step.is_whole:
            for layout in _layouts(step.parts.events):
                self._use(layout, self._count)
            return
        self._add_numbers(step)
        order = step.parts.order
        if step.flags & Flag.LAYOUTS:
            for line, place in zip(step.parts.events, np.flatnonzero(order == 0), strict=True):
                for layout in _layouts([line]):
                    self._use(layout, self._count + int(np.count_nonzero(order[:place])))
        shapes = np.array(self._local, np.intp)[order[order > 0] - 1]
        self._shapes.samples.append(shapes)
        self._count += len(shapes)

    def table(self) -> ReadingTable:
        """Everything that was taken in."""
        shapes = np.concatenate([*self._shapes.samples, _EMPTY]).astype(np.intp)
        times = np.zeros((len(shapes), 4), np.int64)
        for number, column in enumerate(self._times):
            times[shapes == number] = column.rows()
        is_probe = [all(source in PROBES for source, _ in key) for key in self._shapes.numbers]
        history = _history(times[:, 1], np.array(is_probe, np.bool_)[shapes])
        segments = {source: self._segments(source, shapes) for source in self._wanted}
        return ReadingTable(times[:, 0], history, segments)

    def _add_numbers(self, step: Step) -> None:
        if step.flags & Flag.KEY:
            self._known = ShapeTable()
            self._local = []
            self._run += 1
        self._known.add(step.parts.new_shapes)
        places = self._known.places(step.parts)
        self._name_new_shapes()
        changes = unfold(step.parts.planes)
        for index, (start, rows) in places.items():
            key = self._known.tables[index]
            column = self._time_column(index) or self._columns.get((key.source, key.width))
            if column is not None:
                block = changes[start : start + rows * key.width].reshape(-1, rows)
                column.add(self._run, block)

    def _name_new_shapes(self) -> None:
        tables = self._known.tables
        for shape in self._known.shapes[len(self._local) :]:
            key = tuple((tables[i].source, tables[i].width) for i in shape.readings)
            self._local.append(self._shapes.number(key))
        while len(self._times) < len(self._shapes.numbers):
            self._times.append(_Column(np.arange(4)))

    def _time_column(self, index: int) -> _Column | None:
        shape = self._known.time_tables.get(index)
        return None if shape is None else self._times[self._local[shape]]

    def _use(self, layout: Layout, begin: int) -> None:
        uses = self._uses.get(layout.source)
        if uses is None or (uses and uses[-1].layout == layout):
            return
        column = self._columns.get((layout.source, layout.width + 1))
        places = _places_in(layout, self._wanted[layout.source])
        # Not so only in a file that contradicts itself.
        if column is not None and np.isin(places, column.columns).all():
            uses.append(_Use(layout, begin))

    def _segments(self, source: str, shapes: NDArray[np.intp]) -> list[Segment]:
        """The readings of a source, cut where its layout changed."""
        uses = self._uses[source]
        ends = [*(use.begin for use in uses[1:]), len(shapes)][: len(uses)]
        found: dict[int, tuple[Numbers, Numbers]] = {}
        segments = []
        for use, end in zip(uses, ends, strict=True):
            width = use.layout.width + 1
            if width not in found:
                found[width] = self._readings(source, width, shapes)
            samples, rows = found[width]
            begin, stop = np.searchsorted(samples, [use.begin, end])
            columns = self._columns[source, width].columns
            segments.append(
                _segment(
                    use.layout,
                    self._wanted[source],
                    samples[begin:stop],
                    rows[begin:stop],
                    columns,
                )
            )
        return segments

    def _readings(
        self, source: str, width: int, shapes: NDArray[np.intp]
    ) -> tuple[Numbers, Numbers]:
        """The samples that have such readings, as often as they have them, and their rows."""
        times = np.array([key.count((source, width)) for key in self._shapes.numbers], np.intp)
        return np.repeat(np.arange(len(shapes)), times[shapes]), self._columns[
            source, width
        ].rows()


def _columns_of(
    wanted: Mapping[str, frozenset[str]], layouts: Iterable[Layout]
) -> dict[tuple[str, int], _Column]:
    """For each kind of reading the columns that any layout needs of it; the time is the last."""
    places: dict[tuple[str, int], set[int]] = {}
    for layout in layouts:
        if layout.source in wanted:
            width = layout.width
            needed = places.setdefault((layout.source, width + 1), {width})
            needed.update(_places_in(layout, wanted[layout.source]))
    return {key: _Column(np.array(sorted(found), np.intp)) for key, found in places.items()}


def _places_in(layout: Layout, wanted: frozenset[str]) -> list[int]:
    """The columns of the wanted fields, instance by instance."""
    fields = [i for i, name in enumerate(layout.fields) if name in wanted]
    instances = 1 if layout.instances is None else len(layout.instances)
    width = len(layout.fields)
    return [instance * width + place for instance in range(instances) for place in fields]


def _segment(
    layout: Layout,
    wanted: frozenset[str],
    samples: Numbers,
    rows: Numbers,
    columns: NDArray[np.intp],
) -> Segment:
    names = tuple(name for name in layout.fields if name in wanted)
    instances = 1 if layout.instances is None else len(layout.instances)
    chosen = np.searchsorted(columns, _places_in(layout, wanted))
    values = rows[:, chosen].reshape(len(rows), instances, len(names))
    return Segment(layout, names, samples, rows[:, -1], values)


def _layouts(events: Iterable[str]) -> Iterator[Layout]:
    return (message for message in known_messages(events) if isinstance(message, Layout))


def _history(suspended: Numbers, is_probe: NDArray[np.bool_]) -> Numbers:
    """Count the suspends that the sampler (not the probes) saw, up to each sample."""
    grown = np.zeros(len(suspended), np.int64)
    sampler = np.flatnonzero(~is_probe)
    grown[sampler[1:]] = np.diff(suspended[sampler]) > SUSPEND_NS
    return np.cumsum(grown)
