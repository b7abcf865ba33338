# SPDX-License-Identifier: GPL-3.0-or-later
"""One recording in the user's folder of sessions: what the list shows of it, and its name.

The list is ``analysis/reading/session_index.py``, which opens only what has changed.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from destutter.core.sample import Facts
from destutter.core.statement import Statement
from destutter.core.system_error import system_reason
from destutter.session.block_index import (
    BlockEntry,
    measured_span_ns,
    read_heads,
    read_index,
)
from destutter.session.block_reader import take_apart
from destutter.session.format import (
    SUFFIX,
    DamageError,
    Flag,
    Preamble,
    RecordingError,
    without_path,
)
from destutter.session.lines import known_messages
from destutter.session.new_file import move_without_replacing
from destutter.session.recording_file import open_for_reading, read_payload, read_preamble

_GAME = "game.name"
_NAME_BYTES = 200  # most file systems take 255; endings and the numbers of copies come behind


@dataclass(frozen=True, slots=True)
class StoredSession:
    """One file of the folder.

    ``start_wall_time`` is seconds since 1970, and so is ``header_time``, by which what is kept
    beside the recordings knows it; ``game`` is empty when none was seen, ``comment`` when nobody
    wrote one, ``outcome`` (lines, the weightiest first) while nobody has read it, and so is
    ``played_s``, the seconds of play in it. ``problem`` says
    why the file cannot be opened; the other values are then None, or empty.
    """

    path: Path
    size_bytes: int
    start_wall_time: float | None
    duration_s: float | None
    game: str
    problem: Statement | None
    header_time: float | None = None
    comment: str = ""
    outcome: tuple[Statement, ...] = ()
    played_s: float | None = None

    @property
    def length_s(self) -> float:
        """How much of it counts; until somebody has read it, from its beginning to its end."""
        return (self.duration_s or 0.0) if self.played_s is None else self.played_s

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.path.name.removesuffix(SUFFIX)


def rename(path: Path, name: str) -> Path:
    """Give a recording another name, without its ending, and return where it is now.

    Never replaces another file. Raises ``RecordingError`` in words.
    """
    target = path.parent / (checked_name(name) + SUFFIX)
    if target == path:
        return target
    try:
        move_without_replacing(os.fspath(path), os.fspath(target))
    except FileExistsError:
        raise RecordingError(Statement("session.renamed_taken", {"name": name})) from None
    except OSError as error:
        raise RecordingError(
            Statement("session.not_renamed", {"reason": system_reason(error)})
        ) from None
    return target


def checked_name(name: str) -> str:
    """A session's name as typed, without blanks around it. Raises ``RecordingError``."""
    name = name.strip()
    if not name:
        raise RecordingError(Statement("session.needs_name"))
    if name.startswith(".") or "/" in name or not name.isprintable():
        raise RecordingError(Statement("session.bad_name"))
    if len(name.encode("utf-8", "surrogateescape")) > _NAME_BYTES:
        raise RecordingError(Statement("session.long_name"))
    return name


def describe(path: Path) -> StoredSession:
    """What the list of sessions shows of a file; one that cannot be opened says why."""
    size_bytes = 0
    try:
        descriptor = open_for_reading(os.fspath(path))
        try:
            size_bytes = os.fstat(descriptor).st_size
            return _described(path, descriptor, size_bytes)
        finally:
            os.close(descriptor)
    except RecordingError as error:
        why = without_path(error.statement, path)
        return StoredSession(path, size_bytes, None, None, "", why)


def settings_of(path: Path) -> Mapping[str, str]:
    """The settings of the computer at the beginning of a recording, by key; none where it cannot
    be opened.
    """
    try:
        descriptor = open_for_reading(os.fspath(path))
        try:
            return read_preamble(descriptor).header.tunables
        finally:
            os.close(descriptor)
    except RecordingError:
        return {}


def _described(path: Path, descriptor: int, size_bytes: int) -> StoredSession:
    preamble = read_preamble(descriptor)
    blocks, end = read_heads(descriptor, preamble.length)
    if end < size_bytes:
        blocks = list(read_index(descriptor, preamble.length).blocks)
    start_ns, end_ns = measured_span_ns(blocks, preamble.header.monotonic_ns)
    return StoredSession(
        path,
        size_bytes,
        _wall_time(preamble, start_ns),
        (end_ns - start_ns) / 1e9,
        _game(descriptor, blocks),
        None,
        preamble.header.wall_time,
    )


def _wall_time(preamble: Preamble, monotonic_ns: int) -> float:
    header = preamble.header
    return header.wall_time + (monotonic_ns - header.monotonic_ns) / 1e9


def _game(descriptor: int, blocks: list[BlockEntry]) -> str:
    """The last game that the facts of the recording name."""
    game = ""
    for entry in blocks:
        if entry.head.flags & Flag.FACTS:
            try:
                lines = take_apart(read_payload(descriptor, entry)).events
            except DamageError:
                continue
            for message in known_messages(lines):
                if isinstance(message, Facts):
                    game = message.facts.get(_GAME) or game
    return game
