# SPDX-License-Identifier: GPL-3.0-or-later
"""An opened recording: its header, its blocks, and what of it can still be decoded."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

from destutter.core.plain_file import is_plain
from destutter.core.sample import Message
from destutter.core.statement import Statement
from destutter.core.system_error import system_reason
from destutter.session.block_index import BlockEntry, BlockIndex, read_at, read_index
from destutter.session.block_reader import BlockParts, BlockReader, SampleBlock, take_apart
from destutter.session.format import (
    HEAD_BYTES,
    DamageError,
    Flag,
    Preamble,
    RecordingError,
    inflate,
    preamble_bytes,
    refused,
    unpack_preamble,
)
from destutter.session.lines import known_messages
from destutter.session.stream_state import StreamState

_PREAMBLE_START = 64  # more than the fixed part, which tells how long the rest is


@dataclass(frozen=True, slots=True)
class BlockStep:
    """A block in a pass over the file, taken apart.

    ``is_whole``: its numbers can be decoded, because none is missing since the key block.
    ``state`` is what held before the block where a pass begins or goes on after damage.
    """

    position: int
    flags: Flag
    parts: BlockParts
    is_whole: bool
    state: StreamState | None


@dataclass(frozen=True, slots=True)
class DecodedBlock:
    """A block in a pass over the file, decoded.

    ``samples`` is None when they cannot be decoded because something before them is damaged.
    ``state`` as in ``BlockStep``.
    """

    events: list[str]
    samples: SampleBlock | None
    state: StreamState | None

    def messages(self) -> Iterator[Message]:
        """Every message of the block that can be decoded, in order."""
        return known_messages(self.events) if self.samples is None else self.samples.messages()


class RecordingFile:
    """One recording opened for reading.

    Raises ``RecordingError``, in words that name the file, when it cannot be opened or is not a
    recording that this version reads.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._descriptor = open_for_reading(self.path)
        try:
            self.preamble = read_preamble(self._descriptor)
            self.index: BlockIndex = read_index(self._descriptor, self.preamble.length)
        except RecordingError as error:
            self.close()
            raise RecordingError(refused(self.path, error.statement)) from None
        self.after_damage = frozenset(piece.blocks_before for piece in self.index.damaged)
        self.is_whole = self._find_whole_blocks()

    def close(self) -> None:
        """Give the file back. May be called twice."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def key_before(self, moment_ns: int) -> int:
        """The position of the last block before a moment where a reader can begin."""
        found = 0
        for position, entry in enumerate(self.index.blocks):
            head = entry.head
            if head.flags & Flag.KEY and head.flags & Flag.SAMPLES and head.start_ns <= moment_ns:
                found = position
        return found

    def walk(self, first: int = 0) -> Iterator[BlockStep]:
        """Take the blocks apart, in order; ``first`` is the position of a key block, or 0."""
        was_whole = False
        for position in range(first, len(self.index.blocks)):
            flags = self.index.blocks[position].head.flags
            is_key = bool(flags & Flag.KEY)
            try:
                parts = self.parts(position)
            except DamageError:
                self.is_whole[position] = was_whole = False
                continue
            is_whole = self.is_whole[position] and (was_whole or is_key)
            self.is_whole[position] = is_whole
            is_anew = not was_whole or position in self.after_damage
            state = _state(parts) if is_key and is_anew else None
            yield BlockStep(position, flags, parts, is_whole, state)
            # Whoever decodes the block may find that it makes no sense.
            was_whole = self.is_whole[position]

    def decode(self, first: int = 0) -> Iterator[DecodedBlock]:
        """The blocks from this position on, decoded; see ``walk``."""
        reader = BlockReader()
        for step in self.walk(first):
            try:
                block = reader.read(step.flags, step.parts) if step.is_whole else None
            except DamageError:
                self.is_whole[step.position] = False
                continue
            yield DecodedBlock(step.parts.events, block, step.state)

    def events(self, flag: Flag) -> Iterator[Message]:
        """The messages in lines of those blocks that have one of the kinds in ``flag``."""
        for position, entry in enumerate(self.index.blocks):
            if entry.head.flags & flag:
                try:
                    lines = self.parts(position).events
                except DamageError:
                    self.is_whole[position] = False
                    continue
                yield from known_messages(lines)

    def parts(self, position: int) -> BlockParts:
        """A block taken apart. Raises ``DamageError``."""
        if self._descriptor < 0:
            raise RecordingError(Statement("session.closed", {"path": self.path}))
        return take_apart(read_payload(self._descriptor, self.index.blocks[position]))

    def _find_whole_blocks(self) -> list[bool]:
        """Whether each block's numbers can be decoded: none is missing since the key block."""
        whole: list[bool] = []
        expected = -1
        for entry in self.index.blocks:
            follows = bool(whole) and whole[-1] and entry.offset == expected
            whole.append(follows or bool(entry.head.flags & Flag.KEY))
            expected = entry.end
        return whole


def _state(parts: BlockParts) -> StreamState:
    state = StreamState()
    for message in known_messages(parts.state):
        state.accept_message(message)
    return state


def open_for_reading(path: str) -> int:
    """A descriptor of a recording. Raises ``RecordingError`` in words that name the file."""
    try:
        if is_plain(path):
            # Should it have become a named pipe by now, this does not hang.
            return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        is_folder = os.path.isdir(path)
    except FileNotFoundError:
        raise RecordingError(Statement("session.no_such_file", {"path": path})) from None
    except ValueError:
        raise RecordingError(Statement("session.no_file_name", {"path": ascii(path)})) from None
    except OSError as error:
        raise RecordingError(refused(path, system_reason(error))) from None
    what = (
        Statement("session.folder_no_recording") if is_folder else Statement("sampling.not_a_file")
    )
    raise RecordingError(refused(path, what))


def read_payload(descriptor: int, entry: BlockEntry) -> bytes:
    """The payload of a block. Raises ``DamageError``, or ``RecordingError`` for a bad disk."""
    start = entry.offset + HEAD_BYTES
    stored = read_at(descriptor, entry.head.stored_bytes, start)
    return inflate(stored, entry.head.full_bytes)


def read_preamble(descriptor: int) -> Preamble:
    """The preamble of an opened file. Raises ``RecordingError``."""
    length = preamble_bytes(read_at(descriptor, _PREAMBLE_START, 0))
    return unpack_preamble(read_at(descriptor, length, 0))
