# SPDX-License-Identifier: GPL-3.0-or-later
"""From the payload of a block back to messages or to columns of numbers."""

import json
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from destutter.core.sample import Message, Reading, Sample, SampleError, Value, decode
from destutter.session.block_writer import LENGTHS
from destutter.session.format import BAD_JSON, NOTHING, DamageError, Flag

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TableKey:
    """One kind of rows: readings of a source, or (source empty) a shape's sample times."""

    source: str
    width: int


@dataclass(frozen=True, slots=True)
class Shape:
    """The tables of a kind of sample: its times, and one per reading."""

    times: int
    readings: tuple[int, ...]


@dataclass(slots=True)
class Parts:
    """A payload taken apart, nothing decoded yet."""

    state: list[str]
    events: list[str]
    new_shapes: list[Any]
    order: NDArray[np.uint16]
    planes: NDArray[np.uint8]


@dataclass(slots=True)
class Block:
    """One block's messages; ``rows`` has a table's rows by its position in ``tables``.

    A row is the reading's values, ``NOTHING`` for None, then the nanoseconds between the
    sample's time and the reading's. A row of sample times is monotonic_ns, suspended_ns,
    collect_us, late_us.
    """

    order: list[int]
    events: list[str]
    shapes: list[Shape]
    tables: list[TableKey]
    rows: dict[int, Numbers] = field(default_factory=dict)

    def messages(self) -> Iterator[Message]:
        """Every message in order; lines that this version does not know are left out."""
        events = iter(self.events)
        rows = {index: iter(table.tolist()) for index, table in self.rows.items()}
        for number in self.order:
            if number:
                shape = self.shapes[number - 1]
                yield self._sample(next(rows[shape.times]), shape, rows)
            else:
                yield from known_messages([next(events)])

    def _sample(
        self, times: list[int], shape: Shape, rows: dict[int, Iterator[list[int]]]
    ) -> Sample:
        readings = tuple(
            _reading(self.tables[index].source, times[0], next(rows[index]))
            for index in shape.readings
        )
        return Sample(times[0], times[1], times[2], times[3], readings)


def known_messages(lines: Iterable[str]) -> Iterator[Message]:
    """The messages in the lines, without those that a newer version added to the format."""
    for line in lines:
        try:
            message = decode(line)
        except SampleError:
            continue
        yield message


def take_apart(payload: bytes) -> Parts:
    """The parts of a payload. Raises ``DamageError`` when they do not fit together."""
    if len(payload) < LENGTHS.size:
        raise DamageError("a block without parts")
    bounds = [LENGTHS.size]
    for length in LENGTHS.unpack_from(payload):
        bounds.append(bounds[-1] + length)
    columns = len(payload) - bounds[-1]
    if columns < 0 or columns % 8 or (bounds[4] - bounds[3]) % 2:
        raise DamageError("the parts of a block do not fit")
    try:
        new_shapes = json.loads(payload[bounds[2] : bounds[3]])
        return Parts(
            _lines(payload[bounds[0] : bounds[1]]),
            _lines(payload[bounds[1] : bounds[2]]),
            [[(str(source), int(values)) for source, values in shape] for shape in new_shapes],
            np.frombuffer(payload[bounds[3] : bounds[4]], "<u2"),
            np.frombuffer(payload, np.uint8, columns, bounds[4]).reshape(8, columns // 8),
        )
    except BAD_JSON as error:
        raise DamageError(f"the parts of a block make no sense: {error}") from None


def _lines(text: bytes) -> list[str]:
    return text.decode().split("\n") if text else []


class BlockReader:
    """Decodes blocks in order, from a key block on. One object per pass over a recording.

    ``sources`` limits which readings are decoded (None: all); sample times always are.
    """

    def __init__(self, sources: Container[str] | None = None) -> None:
        self._wanted = sources
        self._begin()

    def _begin(self) -> None:
        self._shapes: list[Shape] = []
        self._tables: list[TableKey] = []
        self._by_source: dict[TableKey, int] = {}
        self._times: set[int] = set()
        self._last: dict[int, Numbers] = {}

    def read(self, flags: Flag, parts: Parts) -> Block:
        """Decode the next block. Raises ``DamageError`` when its numbers do not add up."""
        if flags & Flag.KEY:
            self._begin()
        for shape in parts.new_shapes:
            self._add_shape(shape)
        counts = np.bincount(parts.order, minlength=len(self._shapes) + 1)
        if len(counts) > len(self._shapes) + 1 or counts[0] != len(parts.events):
            raise DamageError("a block's order does not fit its messages")
        block = Block(parts.order.tolist(), parts.events, self._shapes, self._tables)
        position = 0
        for index, rows in sorted(self._rows_per_table(counts.tolist()).items()):
            end = position + rows * self._tables[index].width
            if end > parts.planes.shape[1]:
                raise DamageError("a block has fewer numbers than rows")
            if self._is_wanted(index):
                block.rows[index] = self._unpack(index, parts.planes[:, position:end], rows)
            position = end
        if position != parts.planes.shape[1]:
            raise DamageError("a block has more numbers than rows")
        return block

    def _add_shape(self, readings: list[tuple[str, int]]) -> None:
        times = len(self._tables)
        self._times.add(times)
        self._tables.append(TableKey("", 4))
        for source, values in readings:
            key = TableKey(source, values + 1)
            if values < 0:
                raise DamageError("a reading with fewer than no values")
            if key not in self._by_source:
                self._by_source[key] = len(self._tables)
                self._tables.append(key)
        indexes = (self._by_source[TableKey(source, values + 1)] for source, values in readings)
        self._shapes.append(Shape(times, tuple(indexes)))

    def _rows_per_table(self, counts: list[int]) -> dict[int, int]:
        rows: dict[int, int] = {}
        for shape, count in zip(self._shapes, counts[1:], strict=True):
            if count:
                rows[shape.times] = count
                for index in shape.readings:
                    rows[index] = rows.get(index, 0) + count
        return rows

    def _is_wanted(self, index: int) -> bool:
        if self._wanted is None or index in self._times:
            return True
        return self._tables[index].source in self._wanted

    def _unpack(self, index: int, planes: NDArray[np.uint8], rows: int) -> Numbers:
        folded = np.ascontiguousarray(planes.T).view("<u8").reshape(-1, rows).T
        changes = (folded >> np.uint64(1)).astype(np.int64)
        np.bitwise_xor(changes, -(folded & np.uint64(1)).astype(np.int64), out=changes)
        before = self._last.get(index)
        if before is not None:
            changes[0] += before
        table = np.cumsum(changes, axis=0)
        self._last[index] = table[-1]
        return table


def _reading(source: str, sample_ns: int, row: list[int]) -> Reading:
    offset_ns = row.pop()
    values: tuple[Value, ...] = tuple(row)
    if NOTHING in values:
        values = tuple([None if value == NOTHING else value for value in row])
    return Reading(source, sample_ns + offset_ns, values)
