# SPDX-License-Identifier: GPL-3.0-or-later
"""From the payload of a block back to messages or to columns of numbers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from destutter.core.sample import Message, RawValue, Reading, Sample
from destutter.session.block_writer import LENGTHS
from destutter.session.format import BAD_JSON, NOTHING, DamageError, Flag
from destutter.session.lines import known_messages

Numbers = NDArray[np.int64]

_TIMES = 4
"""Columns of a row of sample times."""


class TableKey(NamedTuple):
    """One kind of rows: readings of a source, or (source empty) a shape's sample times."""

    source: str
    width: int


class Shape(NamedTuple):
    """The tables of a kind of sample: its times, and one per reading."""

    times: int
    readings: tuple[int, ...]


@dataclass(slots=True)
class BlockParts:
    """A payload taken apart, nothing decoded yet."""

    state: list[str]
    events: list[str]
    new_shapes: list[Any]
    order: NDArray[np.uint16]
    planes: NDArray[np.uint8]


@dataclass(slots=True)
class SampleBlock:
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


def take_apart(payload: bytes) -> BlockParts:
    """The parts of a payload. Raises ``DamageError`` when they do not fit together."""
    if len(payload) < LENGTHS.size:
        raise DamageError("a block without parts")
    bounds = [LENGTHS.size]
    for length in LENGTHS.unpack_from(payload):
        bounds.append(bounds[-1] + length)
    columns = len(payload) - bounds[-1]
    if columns < 0 or columns % 8 or (bounds[4] - bounds[3]) % 2:
        raise DamageError("the parts of a block do not fit")
    shapes = payload[bounds[2] : bounds[3]]
    try:
        new_shapes = [] if shapes == b"[]" else json.loads(shapes)
        return BlockParts(
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


class ShapeTable:
    """The shapes and tables since the last key block, and where a block keeps their rows."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self.tables: list[TableKey] = []
        self._by_source: dict[TableKey, int] = {}

    def add(self, new_shapes: list[list[tuple[str, int]]]) -> None:
        """Take in the shapes that a block brings. Raises ``DamageError``."""
        for readings in new_shapes:
            times = self._new_table(TableKey("", _TIMES))
            indexes = tuple(self._table_of(source, values) for source, values in readings)
            self.shapes.append(Shape(times, indexes))

    def places(self, parts: BlockParts) -> dict[int, tuple[int, int]]:
        """For each table with rows in the block its first number and its rows, in order.

        Raises ``DamageError`` when order, events and numbers do not add up.
        """
        counts = np.bincount(parts.order, minlength=len(self.shapes) + 1)
        if len(counts) > len(self.shapes) + 1 or counts[0] != len(parts.events):
            raise DamageError("a block's order does not fit its messages")
        rows: dict[int, int] = {}
        for number in np.flatnonzero(counts[1:]).tolist():
            shape, count = self.shapes[number], int(counts[number + 1])
            rows[shape.times] = count
            for index in shape.readings:
                rows[index] = rows.get(index, 0) + count
        places, position = {}, 0
        for index in sorted(rows):
            places[index] = position, rows[index]
            position += rows[index] * self.tables[index].width
        if position != parts.planes.shape[1]:
            raise DamageError("a block has not as many numbers as its rows need")
        return places

    def _table_of(self, source: str, values: int) -> int:
        if values < 0:
            raise DamageError("a reading with fewer than no values")
        key = TableKey(source, values + 1)
        if key not in self._by_source:
            self._by_source[key] = self._new_table(key)
        return self._by_source[key]

    def _new_table(self, key: TableKey) -> int:
        self.tables.append(key)
        return len(self.tables) - 1


def _unfold(planes: NDArray[np.uint8]) -> Numbers:
    """The differences in the columns of a block, one after another."""
    folded = np.ascontiguousarray(planes.T).view("<u8").ravel()
    changes = (folded >> np.uint64(1)).view(np.int64)
    signs = -(folded & np.uint64(1)).view(np.int64)
    return np.bitwise_xor(changes, signs, out=changes)


class BlockReader:
    """Decodes blocks in order, from a key block on. One object per pass over a recording."""

    def __init__(self) -> None:
        self._known = ShapeTable()
        self._last: dict[int, Numbers] = {}

    def read(self, flags: Flag, parts: BlockParts) -> SampleBlock:
        """Decode the next block. Raises ``DamageError`` when its numbers do not add up."""
        if flags & Flag.KEY:
            self._known = ShapeTable()
            self._last = {}
        known = self._known
        known.add(parts.new_shapes)
        places = known.places(parts)
        changes = _unfold(parts.planes)
        block = SampleBlock(parts.order.tolist(), parts.events, known.shapes, known.tables)
        for index, (start, rows) in places.items():
            columns = changes[start : start + rows * known.tables[index].width]
            block.rows[index] = self._summed(index, columns.reshape(-1, rows).T)
        return block

    def _summed(self, index: int, changes: Numbers) -> Numbers:
        before = self._last.get(index)
        rows = changes.cumsum(axis=0)
        if before is not None:
            rows += before
        self._last[index] = rows[-1]
        return rows


def _reading(source: str, sample_ns: int, row: list[int]) -> Reading:
    offset_ns = row.pop()
    values: tuple[RawValue, ...] = tuple(row)
    if NOTHING in values:
        values = tuple([None if value == NOTHING else value for value in row])
    return Reading(source, sample_ns + offset_ns, values)
