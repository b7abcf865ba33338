# SPDX-License-Identifier: GPL-3.0-or-later
"""From messages to the payload of a block, in plain Python: it runs while the game does.

A payload is, in this order (all numbers little-endian)::

    lengths   of the four parts that follow, each u32
    state     in a key block the layouts, facts and troubles that held before it, one line each
    events    every message that is not a sample, as lines (``destutter.session.lines``)
    shapes    JSON: the sample shapes that appear here for the first time since the key block
    order     u16 per message: 0 for the next event, n for a sample of shape n
    columns   the numbers of all samples

A shape is the list of (source, number of values) of a sample's readings. Its samples form one
table, their own times and costs, and each (source, number of values) forms another, shared by
all shapes that have it: one row per reading, its time after the sample's and its values. Rows
are differences from the row before (also across blocks, up to the last key block), counters
change little; columns are kept together, then byte planes, as most differences are small; signs
are folded (0, -1, 1, -2 become 0, 1, 2, 3), so that the upper planes stay empty.
"""

import json
import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from operator import sub
from struct import Struct

from destutter.core.sample import (
    Facts,
    Frames,
    Header,
    Layout,
    Marker,
    Message,
    RawValue,
    Sample,
    Trouble,
)
from destutter.core.traced import TraceLook
from destutter.session.format import NOTHING, Flag, pack_block
from destutter.session.lines import to_lines
from destutter.session.stream_state import StreamState

LENGTHS = Struct("<4I")
KEY_INTERVAL = 10
"""Blocks from one key block to the next: what a damaged block can cost, in seconds."""

MAX_MESSAGES = 4096
MAX_EVENT_BYTES = 1 << 20
"""A block with more is full, whatever its time."""

_SHAPE_TIMES = 4
_FLAGS: dict[type, Flag] = {
    Layout: Flag.LAYOUTS,
    Facts: Flag.FACTS,
    Marker: Flag.MARKERS,
    Trouble: Flag.TROUBLES,
    Frames: Flag.FRAMES,
    Header: Flag.HEADERS,
    TraceLook: Flag.TRACES,
    Sample: Flag.WRITTEN_OUT,
}


@dataclass(slots=True)
class _Table:
    """Rows of one kind since the last key block; ``last`` is the row before the block."""

    width: int
    last: Sequence[int] = ()
    rows: list[list[int]] = field(default_factory=list)


@dataclass(slots=True)
class _Shape:
    number: int
    times: _Table
    readings: list[_Table]


class BlockWriter:
    """Collects messages and packs them into blocks. One object per recording."""

    def __init__(self, key_interval: int = KEY_INTERVAL) -> None:
        self._key_interval = key_interval
        self._blocks = 0
        self._state = StreamState()
        self._shapes: dict[tuple[tuple[str, int], ...], _Shape] = {}
        self._tables: list[_Table] = []
        self._sources: dict[tuple[str, int], _Table] = {}
        self._last_ns = 0
        self._begin()

    @property
    def messages(self) -> int:
        """How many messages wait for ``take``."""
        return len(self._order)

    @property
    def is_full(self) -> bool:
        """Whether the block should be taken before more is added."""
        return len(self._order) >= MAX_MESSAGES or self._event_bytes >= MAX_EVENT_BYTES

    def add(self, message: Message) -> None:
        if isinstance(message, Sample) and self._add_rows(message):
            self._has_samples = True
            self._times_ns.append(message.monotonic_ns)
            return
        self._flags |= _FLAGS[type(message)]
        for line in to_lines(message):
            self._order.append(0)
            self._events.append(line)
            self._event_bytes += len(line)
        self._state.accept_message(message)
        time_ns = time_of(message)
        if time_ns is not None:
            self._times_ns.append(time_ns)

    def take(self) -> bytes:
        """The block with everything added so far; the next one begins."""
        times = self._times_ns or [self._last_ns]
        flags = self._flags | Flag.SAMPLES if self._has_samples else self._flags
        block = pack_block(flags, self._payload(), min(times), max(times))
        self._last_ns = max(times)
        self._blocks += 1
        self._begin()
        return block

    def _begin(self) -> None:
        self._flags = Flag(0)
        self._has_samples = False
        self._order: list[int] = []
        self._events: list[str] = []
        self._event_bytes = 0
        self._new_shapes: list[tuple[tuple[str, int], ...]] = []
        self._times_ns: list[int] = []
        self._state_lines: list[str] = []
        if self._blocks % self._key_interval == 0:
            self._flags = Flag.KEY
            self._state_lines = [
                line for message in self._state.messages() for line in to_lines(message)
            ]
            self._shapes.clear()
            self._tables.clear()
            self._sources.clear()

    def _add_rows(self, sample: Sample) -> bool:
        """Put the sample's numbers into its tables; False when one of them does not fit."""
        key = tuple((reading.source, len(reading.values)) for reading in sample.readings)
        times = [sample.monotonic_ns, sample.suspended_ns, sample.collect_us, sample.late_us]
        rows = [
            _row(reading.monotonic_ns - sample.monotonic_ns, reading.values)
            for reading in sample.readings
        ]
        if not _fits(times) or not all(rows):
            return False
        shape = self._shapes.get(key) or self._new_shape(key)
        shape.times.rows.append(times)
        for table, row in zip(shape.readings, rows, strict=True):
            table.rows.append(row)
        self._order.append(shape.number)
        return True

    def _new_shape(self, key: tuple[tuple[str, int], ...]) -> _Shape:
        self._new_shapes.append(key)
        times = self._new_table(_SHAPE_TIMES)
        for source in key:
            if source not in self._sources:
                self._sources[source] = self._new_table(1 + source[1])
        shape = _Shape(len(self._shapes) + 1, times, [self._sources[source] for source in key])
        self._shapes[key] = shape
        return shape

    def _new_table(self, width: int) -> _Table:
        table = _Table(width, last=[0] * width)
        self._tables.append(table)
        return table

    def _payload(self) -> bytes:
        parts = [
            "\n".join(self._state_lines).encode(),
            "\n".join(self._events).encode(),
            json.dumps(self._new_shapes, separators=(",", ":")).encode(),
            _little_endian(array("H", self._order)),
        ]
        lengths = LENGTHS.pack(*map(len, parts))
        return b"".join((lengths, *parts, _planes(self._differences())))

    def _differences(self) -> list[int]:
        flat: list[int] = []
        for table in self._tables:
            if not table.rows:
                continue
            rows = pairwise((table.last, *table.rows))
            changes = [map(sub, row, before) for before, row in rows]
            flat.extend(chain.from_iterable(zip(*changes, strict=True)))
            table.last = table.rows[-1]
            table.rows = []
        return flat


def time_of(message: Message) -> int | None:
    """When a message belongs into the recording; None when it has no time of its own."""
    if isinstance(message, Layout):
        return None
    if isinstance(message, Frames):
        return message.monotonic_ns[-1] if message.monotonic_ns else None
    return message.monotonic_ns


def _row(offset_ns: int, values: Sequence[RawValue]) -> list[int]:
    """The numbers of a reading; empty when one of them does not fit into a column."""
    row = [NOTHING if value is None else value for value in values]
    row.append(offset_ns)
    highest = max(row)
    if min(row) <= -NOTHING or highest > NOTHING or offset_ns == NOTHING:
        return []
    if highest == NOTHING and row.count(NOTHING) != values.count(None):
        return []
    return row


def _fits(numbers: list[int]) -> bool:
    return min(numbers) > -NOTHING and max(numbers) < NOTHING


def _planes(numbers: Iterable[int]) -> bytes:
    folded = array("Q", [n + n if n >= 0 else -n - n - 1 for n in numbers])
    data = _little_endian(folded)
    return b"".join([data[plane::8] for plane in range(8)])


def _little_endian(numbers: "array[int]") -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
