# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the blocks of a recording are, and what of it is damaged."""

import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from destutter.core.statement import Statement
from destutter.core.system_error import system_reason
from destutter.session.format import (
    HEAD_BYTES,
    MAGIC,
    SYNC,
    BlockHead,
    Flag,
    RecordingError,
    unpack_head,
)

_SEARCH_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class BlockEntry:
    """A block whose bytes are as they were written. ``offset`` is that of its head."""

    offset: int
    head: BlockHead

    @property
    def end(self) -> int:
        """The offset of what follows the block."""
        return self.offset + HEAD_BYTES + self.head.stored_bytes


@dataclass(frozen=True, slots=True)
class DamagedBytes:
    """A piece of the file that is no block. ``blocks_before``: how many good ones precede it."""

    offset: int
    end: int
    blocks_before: int


@dataclass(frozen=True, slots=True)
class BlockIndex:
    """The good blocks of a file in order, the damaged pieces, and what was torn off at the end.

    ``torn_bytes`` follow the last good block and are not a block: the recording was cut off, or,
    where they are ``is_another``, two recordings were joined. The second is of another time, maybe
    of another game: read on, seven freezes of its game's own doing were blamed on a program that
    had held up the first one's.
    """

    blocks: tuple[BlockEntry, ...]
    damaged: tuple[DamagedBytes, ...]
    torn_bytes: int
    is_another: bool = False


def measured_span_ns(blocks: Iterable[BlockEntry], header_ns: int) -> tuple[int, int]:
    """The first and the last moment that was measured, of CLOCK_MONOTONIC.

    ``header_ns`` is when the recording began. What it has to know of the stream that it begins in
    may be much older: of 40 seconds the replay said 10:36.
    """
    timed = [entry.head for entry in blocks if entry.head.flags & Flag.SAMPLES]
    start_ns = min((head.start_ns for head in timed), default=header_ns)
    end_ns = max((head.end_ns for head in timed), default=start_ns)
    return (header_ns if start_ns < header_ns <= end_ns else start_ns), end_ns


def read_index(descriptor: int, start: int) -> BlockIndex:
    """Look at every block from offset ``start`` to the end of the file and check its bytes.

    Raises ``RecordingError`` when the file cannot be read.
    """
    blocks: list[BlockEntry] = []
    damaged: list[DamagedBytes] = []
    size = os.fstat(descriptor).st_size
    # Bytes that only look like blocks are checked too; a file made to consist of them must not
    # cost more than reading it a few times.
    search = _Search(descriptor, size, budget=4 * size + _SEARCH_BYTES)
    position = start
    while position < size:
        entry = search.block_at(position)
        if entry is None:
            entry = search.block_after(position)
            if search.begins_anew(position, size if entry is None else entry.offset):
                return BlockIndex(tuple(blocks), tuple(damaged), size - position, is_another=True)
            if entry is None:
                break
            damaged.append(DamagedBytes(position, entry.offset, len(blocks)))
        blocks.append(entry)
        position = entry.end
    return BlockIndex(tuple(blocks), tuple(damaged), max(0, size - position))


def read_heads(descriptor: int, start: int) -> tuple[list[BlockEntry], int]:
    """The blocks from offset ``start`` to the first that is not one, and the offset of that.

    Quick, because only the heads are read; what they stand for is not checked. Raises
    ``RecordingError`` when the file cannot be read.
    """
    size = os.fstat(descriptor).st_size
    blocks: list[BlockEntry] = []
    position = start
    while (head := unpack_head(read_at(descriptor, HEAD_BYTES, position))) is not None:
        entry = BlockEntry(position, head)
        if entry.end > size:
            break
        blocks.append(entry)
        position = entry.end
    return blocks, position


class _Search:
    def __init__(self, descriptor: int, size: int, budget: int) -> None:
        self._descriptor = descriptor
        self._size = size
        self._budget = budget

    def block_at(self, offset: int) -> BlockEntry | None:
        """The block that begins here, if there is a good one."""
        head = unpack_head(read_at(self._descriptor, HEAD_BYTES, offset))
        if head is None or offset + HEAD_BYTES + head.stored_bytes > self._size:
            return None
        stored = read_at(self._descriptor, head.stored_bytes, offset + HEAD_BYTES)
        if len(stored) == head.stored_bytes and zlib.crc32(stored) == head.stored_crc:
            return BlockEntry(offset, head)
        self._budget -= head.stored_bytes
        return None

    def block_after(self, offset: int) -> BlockEntry | None:
        """The next good block behind a damaged place."""
        for candidate in self._sync_marks(offset + 1):
            entry = self.block_at(candidate)
            self._budget -= HEAD_BYTES
            if entry is not None or self._budget < 0:
                return entry
        return None

    def begins_anew(self, offset: int, end: int) -> bool:
        """Whether another recording begins in this damaged place."""
        return any(each < end for each in self._found(MAGIC, offset, end))

    def _sync_marks(self, offset: int) -> Iterator[int]:
        return self._found(SYNC, offset, self._size)

    def _found(self, mark: bytes, offset: int, end: int) -> Iterator[int]:
        overlap = len(mark) - 1
        while offset < end:
            piece = read_at(self._descriptor, _SEARCH_BYTES + overlap, offset)
            found = piece.find(mark)
            while found >= 0:
                yield offset + found
                found = piece.find(mark, found + 1)
            offset += _SEARCH_BYTES


def read_at(descriptor: int, length: int, offset: int) -> bytes:
    """Bytes of the file; fewer at its end. Raises ``RecordingError`` when it cannot be read."""
    try:
        return os.pread(descriptor, length, offset)
    except OSError as error:
        raise RecordingError(
            Statement("session.unreadable", {"reason": system_reason(error)})
        ) from None
