# SPDX-License-Identifier: GPL-3.0-or-later
"""All readings of some sources of a recording, as columns instead of messages."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from destutter.core.catalog import PROBES
from destutter.core.metrics import SUSPEND_NS
from destutter.core.sample import Layout
from destutter.session.block_reader import Block, Numbers, known_messages
from destutter.session.recording_file import DecodedBlock, RecordingFile


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
    file: RecordingFile, fields: Mapping[str, Iterable[str]], first: int, end: int
) -> ReadingTable:
    """Read the ``fields`` of each source from the key block ``first`` to before ``end``."""
    collector = _Collector(fields)
    for block in file.decode(first, end, set(fields)):
        collector.add(block)
    return collector.table()


@dataclass(slots=True)
class _Run:
    """Readings of one source under one layout, while they are collected."""

    layout: Layout
    columns: NDArray[np.intp]
    fields: tuple[str, ...]
    samples: list[Numbers] = field(default_factory=list)
    rows: list[Numbers] = field(default_factory=list)

    def add(self, samples: Numbers, rows: Numbers) -> None:
        if len(samples):
            self.samples.append(samples)
            self.rows.append(rows[:, self.columns])

    def segment(self) -> Segment:
        instances = 1 if self.layout.instances is None else len(self.layout.instances)
        shape = (-1, instances, len(self.fields))
        if not self.rows:
            nothing = np.zeros(0, np.int64)
            empty = np.zeros((0, *shape[1:]), np.int64)
            return Segment(self.layout, self.fields, nothing, nothing, empty)
        rows = np.concatenate(self.rows)
        values = rows[:, 1:].reshape(len(rows), *shape[1:])
        return Segment(self.layout, self.fields, np.concatenate(self.samples), rows[:, 0], values)


class _Collector:
    def __init__(self, fields: Mapping[str, Iterable[str]]) -> None:
        self._fields = {source: set(names) for source, names in fields.items()}
        self._runs: dict[str, list[_Run]] = {source: [] for source in fields}
        self._times: list[Numbers] = []
        self._suspended: list[Numbers] = []
        self._is_probe: list[NDArray[np.bool_]] = []
        self._count = 0

    def add(self, block: DecodedBlock) -> None:
        if block.state is not None:
            for layout in block.state.layouts.values():
                self._use(layout)
        if block.samples is None:
            for layout in _layouts(block.events):
                self._use(layout)
        else:
            self._add_block(block.samples)

    def table(self) -> ReadingTable:
        times, suspended = _joined(self._times), _joined(self._suspended)
        is_probe = np.concatenate([*self._is_probe, np.zeros(0, np.bool_)])
        return ReadingTable(
            times,
            _history(suspended, is_probe),
            {source: [run.segment() for run in runs] for source, runs in self._runs.items()},
        )

    def _use(self, layout: Layout) -> None:
        wanted = self._fields.get(layout.source)
        if wanted is None:
            return
        runs = self._runs[layout.source]
        if runs and runs[-1].layout == layout:
            return
        places = [i for i, name in enumerate(layout.fields) if name in wanted]
        width = len(layout.fields)
        instances = range(1 if layout.instances is None else len(layout.instances))
        columns = [-1, *(i * width + place for i in instances for place in places)]
        names = tuple(layout.fields[place] for place in places)
        runs.append(_Run(layout, np.array(columns, np.intp), names))

    def _add_block(self, block: Block) -> None:
        order = np.array(block.order, np.int64)
        shapes = order[order > 0] - 1
        self._add_times(block, shapes)
        begin = 0
        for end, layout in _layout_changes(block, order):
            self._add_readings(block, shapes, begin, end)
            self._use(layout)
            begin = end
        self._add_readings(block, shapes, begin, len(shapes))
        self._count += len(shapes)

    def _add_times(self, block: Block, shapes: Numbers) -> None:
        times = np.zeros((len(shapes), 4), np.int64)
        is_probe = np.zeros(len(shapes), np.bool_)
        for number in np.unique(shapes).tolist():
            shape = block.shapes[number]
            chosen = shapes == number
            times[chosen] = block.rows[shape.times]
            is_probe[chosen] = all(block.tables[i].source in PROBES for i in shape.readings)
        self._times.append(times[:, 0])
        self._suspended.append(times[:, 1])
        self._is_probe.append(is_probe)

    def _add_readings(self, block: Block, shapes: Numbers, begin: int, end: int) -> None:
        """Add the readings of the samples from ``begin`` to before ``end`` of this block."""
        for index, rows in block.rows.items():
            key = block.tables[index]
            runs = self._runs.get(key.source)
            if not runs or key.width != runs[-1].layout.width + 1 or _is_times(block, index):
                continue
            per_shape = np.array([shape.readings.count(index) for shape in block.shapes])
            samples = np.repeat(np.arange(len(shapes)), per_shape[shapes])
            chosen = (samples >= begin) & (samples < end)
            runs[-1].add(self._count + samples[chosen], rows[chosen])


def _is_times(block: Block, index: int) -> bool:
    return any(shape.times == index for shape in block.shapes)


def _layouts(events: Iterable[str]) -> Iterator[Layout]:
    return (message for message in known_messages(events) if isinstance(message, Layout))


def _layout_changes(block: Block, order: Numbers) -> Iterator[tuple[int, Layout]]:
    """Each layout of the block with the number of samples before it."""
    if not any(line.startswith('["l"') for line in block.events):
        return
    for line, place in zip(block.events, np.flatnonzero(order == 0), strict=True):
        for layout in _layouts([line]):
            yield int(np.count_nonzero(order[:place])), layout


def _joined(parts: list[Numbers]) -> Numbers:
    return np.concatenate([*parts, np.zeros(0, np.int64)])


def _history(suspended: Numbers, is_probe: NDArray[np.bool_]) -> Numbers:
    """Count the suspends that the sampler (not the probes) saw, up to each sample."""
    grown = np.zeros(len(suspended), np.int64)
    sampler = np.flatnonzero(~is_probe)
    grown[sampler[1:]] = np.diff(suspended[sampler]) > SUSPEND_NS
    return np.cumsum(grown)
