# SPDX-License-Identifier: GPL-3.0-or-later
"""The recording file ``*.destutter``: what is where.

A file begins with a preamble and goes on with blocks of about one second each, all numbers
little-endian::

    preamble  magic (16) · format version u16 · oldest reader u16 · length u32 · CRC-32 u32
              then ``length`` bytes: JSON under zlib with the header message, the fields of every
              source and the formulas of the metrics, so that a file explains itself
    block     sync (4) · CRC-32 of the rest of this head u32 · flags u16 · 0 u16
              stored length u32 · CRC-32 of the stored bytes u32 · full length u32
              first and last time (nanoseconds) i64 i64
              then the stored bytes: one payload under zlib (``destutter.session.block_writer``)

Blocks are only ever appended, each by one write, so a file that was cut off anywhere is whole up
to its last complete block. A reader refuses a file whose "oldest reader" is newer than itself;
a higher format version alone means additions that it may ignore.
"""

import json
import os
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntFlag
from typing import Any

from destutter.core.catalog import SOURCES
from destutter.core.metric_table import METRICS
from destutter.core.sample import Header, SampleError, decode, encode
from destutter.core.statement import Statement, StatementError, told

SUFFIX = ".destutter"
MAGIC = b"\x89destutter\r\n\x1a\n\0\0"
"""As PNG's: a transfer that touches line ends or the eighth bit breaks it visibly."""

FORMAT_VERSION = 1
OLDEST_READER = 1
READER_VERSION = 1

SYNC = b"\xd5\x9abK"
MAX_STORED_BYTES = 1 << 24
MAX_FULL_BYTES = 1 << 26
"""No block is larger: more in a head is damage, or a trap for the reader's memory."""

NOTHING = 1 << 58
"""Stands for None in a column; ordinary values lie strictly between its negative and itself."""

_PREAMBLE = struct.Struct("<16sHHII")
_HEAD_START = struct.Struct("<4sI")
_HEAD_REST = struct.Struct("<HHIIIqq")
HEAD_BYTES = _HEAD_START.size + _HEAD_REST.size
_I64 = (1 << 63) - 1


class RecordingError(StatementError):
    """A recording cannot be made, read or kept."""


def refused(path: str, reason: Statement | str) -> Statement:
    """What is wrong with a file; a text is the system's own."""
    return Statement("core.file", {"path": path, "reason": reason})


def without_path(statement: Statement, path: str | os.PathLike[str]) -> Statement:
    """What is wrong with that file, where its path is shown already."""
    reason = statement.values.get("reason")
    if statement.id != "core.file" or statement.values.get("path") != os.fspath(path):
        return statement
    return reason if isinstance(reason, Statement) else told(str(reason))


class DamageError(Exception):
    """Bytes of a recording that are not what was written. Never leaves the session package."""


class Flag(IntFlag):
    """What a block holds, so that a reader finds the rare things without unpacking all."""

    KEY = 1  # the columns start anew here, and the state of the stream is repeated
    SAMPLES = 2
    LAYOUTS = 4
    FACTS = 8
    MARKERS = 16
    TROUBLES = 32
    FRAMES = 64
    HEADERS = 128
    WRITTEN_OUT = 256  # some samples are lines of text, because their numbers are too large
    TRACES = 512


@dataclass(frozen=True, slots=True)
class BlockHead:
    """The fixed beginning of a block. Times are nanoseconds of CLOCK_MONOTONIC."""

    flags: Flag
    stored_bytes: int
    stored_crc: int
    full_bytes: int
    start_ns: int
    end_ns: int


@dataclass(frozen=True, slots=True)
class Preamble:
    """What the beginning of a file says.

    ``sources`` are the fields each source had when the file was made, ``metrics`` the formulas
    of that time as plain mappings; both are for people and for programs other than this one.
    """

    header: Header
    format_version: int
    sources: Mapping[str, tuple[str, ...]]
    metrics: tuple[Mapping[str, Any], ...]
    program: str
    length: int


def pack_preamble(header: Header, program: str) -> bytes:
    """The first bytes of a recording. ``program`` names the version that writes it."""
    body = {
        "program": program,
        "header": json.loads(encode(header)),
        "sources": {name: list(spec.fields) for name, spec in SOURCES.items()},
        "metrics": [
            {
                "id": spec.id,
                "unit": spec.unit,
                "source": spec.source,
                "op": spec.op.name,
                "numerator": spec.numerator,
                "denominator": spec.denominator,
                "scale": spec.scale,
                "is_in_pages": spec.is_in_pages,
            }
            for spec in METRICS
        ],
    }
    stored = zlib.compress(json.dumps(body, separators=(",", ":")).encode(), 6)
    start = _PREAMBLE.pack(MAGIC, FORMAT_VERSION, OLDEST_READER, len(stored), zlib.crc32(stored))
    return start + stored


def preamble_bytes(start: bytes) -> int:
    """How long the preamble is that begins with ``start`` (at least 28 bytes of the file).

    Raises ``RecordingError`` for a file that is empty, not a recording, or of a newer program.
    """
    if not start:
        raise RecordingError(Statement("session.empty"))
    if start[: len(MAGIC)] != MAGIC[: len(start)]:
        raise RecordingError(Statement("session.no_recording"))
    if len(start) < _PREAMBLE.size:
        raise RecordingError(Statement("session.cut_off"))
    _, _, oldest_reader, length, _ = _PREAMBLE.unpack_from(start)
    if oldest_reader > READER_VERSION:
        raise RecordingError(
            Statement("session.too_new", {"needed": oldest_reader, "known": READER_VERSION})
        )
    if length > MAX_STORED_BYTES:
        raise RecordingError(Statement("session.damaged_header"))
    return _PREAMBLE.size + int(length)


def unpack_preamble(data: bytes) -> Preamble:
    """The preamble in ``data``, as long as ``preamble_bytes`` said.

    Raises ``RecordingError`` when it is cut off or damaged.
    """
    length = preamble_bytes(data)
    _, version, _, stored_bytes, crc = _PREAMBLE.unpack_from(data)
    stored = data[_PREAMBLE.size : length]
    if len(stored) < stored_bytes:
        raise RecordingError(Statement("session.cut_off"))
    if zlib.crc32(stored) != crc:
        raise RecordingError(Statement("session.damaged_header"))
    try:
        body = json.loads(inflate(stored, MAX_FULL_BYTES))
        header = decode(json.dumps(body["header"]))
        sources = {str(name): tuple(map(str, names)) for name, names in body["sources"].items()}
        metrics = tuple(dict(metric) for metric in body["metrics"])
        program = str(body["program"])
    except (DamageError, SampleError, *BAD_JSON) as error:
        raise RecordingError(
            Statement("session.senseless_header", {"reason": str(error)})
        ) from None
    if not isinstance(header, Header):
        raise RecordingError(Statement("session.no_header"))
    return Preamble(header, int(version), sources, metrics, program, length)


BAD_JSON = (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError)
"""What well-meant code raises on JSON of an unexpected shape."""


def pack_block(flags: Flag, payload: bytes, start_ns: int, end_ns: int) -> bytes:
    """One whole block. Times outside 64 bits are clamped: they only serve to find the block.

    Raises ``RecordingError`` for a payload that no reader would accept.
    """
    # Level 1, while a game runs: 14 µs a tick in all and a fifth of the size of CSV; zstd, for
    # which there would be a library to bring along, saves 5 µs and no room.
    stored = zlib.compress(payload, 1)
    if len(payload) > MAX_FULL_BYTES or len(stored) > MAX_STORED_BYTES:
        raise RecordingError(Statement("session.too_large"))
    start, end = (max(-_I64, min(_I64, t)) for t in (start_ns, end_ns))
    rest = _HEAD_REST.pack(flags, 0, len(stored), zlib.crc32(stored), len(payload), start, end)
    return b"".join((_HEAD_START.pack(SYNC, zlib.crc32(rest)), rest, stored))


def unpack_head(data: bytes) -> BlockHead | None:
    """The block head that begins with the first byte of ``data``; None when none does."""
    if len(data) < HEAD_BYTES or data[: len(SYNC)] != SYNC:
        return None
    _, crc = _HEAD_START.unpack_from(data)
    rest = data[_HEAD_START.size : HEAD_BYTES]
    if zlib.crc32(rest) != crc:
        return None
    flags, _, stored, stored_crc, full, start, end = _HEAD_REST.unpack(rest)
    if stored > MAX_STORED_BYTES or full > MAX_FULL_BYTES:
        return None
    return BlockHead(Flag(flags), stored, stored_crc, full, start, end)


def inflate(stored: bytes, limit: int) -> bytes:
    """What zlib packed. Raises ``DamageError`` when it is broken or longer than ``limit``."""
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(stored, limit + 1)
    except zlib.error as error:
        raise DamageError(str(error)) from None
    if len(data) > limit or not unpacker.eof:
        raise DamageError("the packed data is not as long as it says")
    return data
