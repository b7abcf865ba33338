# SPDX-License-Identifier: GPL-3.0-or-later
"""What was changed from what, durable before the first write.

The file is JSON behind a line with its SHA-256. It is replaced as a whole: written beside the
old one, flushed, the old one linked as the previous generation, renamed, directory flushed. So a
reader finds the old or the new text, and one generation more if the disk damages it.
"""

import contextlib
import hashlib
import json
import typing
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import encode, read_value
from destutter_helper.api.tunables import BY_ID, CELLS
from destutter_helper.device import Device
from destutter_helper.storage import Storage

VERSION = 1
JOURNAL = "journal.json"
PREVIOUS = "journal.prev.json"
_QUARANTINE = ".damaged"
_TOMBSTONES_MAX = 64
_NOTICES_MAX = 16

IDLE = "idle"  # nothing in flight; entries are kept values and conflicts
APPLYING = "applying"  # a set is being written
TRIAL = "trial"  # a set is written and waits for Keep or the deadline
RESTORING = "restoring"  # entries that are ``moving`` go to their ``goal``
DAMAGED = "damaged"  # the journal was unreadable: what of ours is in the kernel is unknown
_PHASES = frozenset({IDLE, APPLYING, TRIAL, RESTORING, DAMAGED})

T = typing.TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wish:
    """A value that a user asked for: on trial (``until`` empty), or kept until then."""

    id: str
    value: str
    until: str = ""


@dataclass(slots=True)
class Entry:
    """A cell that we changed on a device, with its states (see ``kernel_writer``).

    ``origin``: before Destutter, in this boot. ``before``: before the present trial. ``ours``: the
    states that are our doing, the last one the newest. ``moving``: part of what is in flight, on
    its way to ``goal``. ``wishes``: what is on trial. ``kept``: what was confirmed. ``conflict``:
    why an undo left it alone.
    """

    cell: str
    device: Device | None
    origin: str
    before: str = ""
    goal: str = ""
    moving: bool = False
    ours: tuple[str, ...] = ()
    wishes: tuple[Wish, ...] = ()
    kept: tuple[Wish, ...] = ()
    conflict: str = ""

    @property
    def device_name(self) -> str:
        """The kernel's name of the device; empty when the setting has none."""
        return self.device.name if self.device else ""

    @property
    def ids(self) -> tuple[str, ...]:
        """The settings of the cell that a user asked for."""
        return tuple(dict.fromkeys(wish.id for wish in (*self.wishes, *self.kept)))


@dataclass(slots=True)
class TrialRecord:
    """Who tries, until when. ``begun`` and ``deadline`` are CLOCK_BOOTTIME in ns."""

    txid: str
    owner_uid: int
    owner_name: str
    begun_boottime_ns: int
    deadline_boottime_ns: int


@dataclass(slots=True)
class Tombstone:
    """A state of ours that was undone; if it comes back, somebody took it for the original."""

    cell: str
    device: Device | None
    ids: tuple[str, ...]
    state: str
    origin: str


@dataclass(slots=True)
class Document:
    """The journal's content. ``boot_id`` tells whether its values still mean anything."""

    boot_id: str
    version: int = VERSION
    min_reader: int = 1
    seq: int = 0
    phase: str = IDLE
    trial: TrialRecord | None = None
    entries: tuple[Entry, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    notices: tuple[str, ...] = field(default=())

    def find(self, cell: str, device: Device | None) -> Entry | None:
        """The entry of a cell on a device."""
        return next((e for e in self.entries if (e.cell, e.device) == (cell, device)), None)

    def drop(self, dropped: Sequence[Entry]) -> None:
        """Forgets entries."""
        self.entries = tuple(e for e in self.entries if not any(e is one for one in dropped))

    def bury(self, entry: Entry) -> None:
        """Forgets an entry that is at its origin again, but not which state we had."""
        self.drop([entry])
        if entry.ours and entry.ids:
            stone = Tombstone(entry.cell, entry.device, entry.ids, entry.ours[-1], entry.origin)
            self.tombstones = (*self.tombstones, stone)[-_TOMBSTONES_MAX:]

    def note(self, text: str) -> None:
        """Adds a line for people, once."""
        if text not in self.notices:
            self.notices = (*self.notices, text)[-_NOTICES_MAX:]


def seal(value: object) -> bytes:
    """A dataclass as checksum line and JSON."""
    body = encode(value).encode()
    return hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def unseal(kind: type[T], data: bytes) -> T:
    """The dataclass again. ValueError when damaged, NewerFormat when only a newer helper may."""
    checksum, _, body = data.partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != checksum:
        raise ValueError("the checksum is wrong")
    try:
        content: Any = json.loads(body)
        if not isinstance(content, dict) or type(content.get("min_reader")) is not int:
            raise ValueError("there is no version")
        if content["min_reader"] > VERSION:
            raise NewerFormat(str(content.get("version"))[:20])
        # A newer file that we may read can have more keys than we know.
        return typing.cast(T, read_value(kind, content, "journal", ignore_unknown=True))
    except (HelperError, RecursionError) as error:
        raise ValueError(str(error)) from None


class NewerFormat(Exception):
    """Written by a newer helper, and not readable for this one."""


class Journal:
    """Loads and saves the document in a storage."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def load(self, boot_id: str) -> tuple[Document, str]:
        """The document and what is wrong with it: "", "previous", "damaged" or "newer".

        "previous": the newest generation was damaged, this is the one before. "damaged": none
        is readable; they are set aside, and what of ours is in the kernel is unknown. "newer":
        not ours to read, left untouched, the document is empty.
        """
        problem = ""
        for name in (JOURNAL, PREVIOUS):
            try:
                data = self.storage.read(name)
                if data is not None:
                    return self._read(data), problem
            except NewerFormat:
                return Document(boot_id), "newer"
            except (ValueError, OSError):
                problem = "previous"
        if not problem:
            return Document(boot_id), ""
        with contextlib.suppress(OSError):
            for name in (JOURNAL, PREVIOUS):
                self.storage.rename(name, name + _QUARANTINE)
        return Document(boot_id, phase=DAMAGED), "damaged"

    def _read(self, data: bytes) -> Document:
        document = unseal(Document, data)
        if document.phase not in _PHASES:
            raise ValueError("the phase is not known")
        known = [(one.cell, one.ids) for one in document.entries]
        known += [(one.cell, one.ids) for one in document.tombstones]
        if any(BY_ID.get(id_) not in CELLS.get(cell, ()) for cell, ids in known for id_ in ids):
            raise NewerFormat("a setting that only a newer helper knows")
        return document

    def save(self, document: Document) -> None:
        """Makes the document durable; HelperError JournalUnavailable when that is not possible."""
        document.seq += 1
        document.version, document.min_reader = VERSION, 1
        try:
            self.storage.replace(JOURNAL, seal(document), previous=PREVIOUS)
        except OSError as error:
            raise HelperError(
                "JournalUnavailable", f"the journal cannot be written: {error.strerror}"
            ) from error
