# SPDX-License-Identifier: GPL-3.0-or-later
"""What was changed from what, and what is kept for every start.

The file is JSON behind a line with its SHA-256. It is replaced as a whole: written beside the
old one, flushed, the old one linked as the previous generation, renamed, directory flushed. So a
reader finds the old or the new text, and one generation more if the disk damages it.

Only what must outlive a power cut is flushed: intents, and what is kept for every start. An
outcome is not: the values that it tells of end with the power as well, and the intent before it,
which is on the disk then, is enough to know that.
"""

import contextlib
import errno
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from destutter_helper.api import devices, payload, tunables
from destutter_helper.api.names import HelperError
from destutter_helper.api.statement import Said
from destutter_helper.storage import Storage

VERSION = 1
JOURNAL = "journal.json"
PREVIOUS = "journal.prev.json"
COPY = "journal.copy.json"
"""In /run, of this boot only: what is known when the disk has lost or damaged the journal."""

QUARANTINE = ".damaged"
NOT_WRITTEN = "helper.journal.not_written"
_NOTHING_IS_KNOWN = Said("helper.journal.nothing_known")
_OLDER_IS_IN_USE = Said("helper.journal.older_in_use")
_COPY_IS_IN_USE = Said("helper.journal.copy_in_use")
_TOMBSTONES_MAX = 64  # as many as one set has entries at most (CHANGES_MAX)
_NOTICES_MAX = 16  # lines for people; the newest tell
# As systemd counts starts: one that nobody confirmed may have other reasons, two in a row are a
# computer that does not come up.
_STARTS_MAX = 2
_PASSING = {errno.EAGAIN, errno.EINTR, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
"""A file that cannot be read for one of these is none the worse for it."""

IDLE = "idle"  # nothing in flight; entries are kept values and conflicts
APPLYING = "applying"  # a set is being written
TRIAL = "trial"  # a set is written and waits for Keep or the deadline
RESTORING = "restoring"  # entries that are moving go to their ``goal``
DAMAGED = "damaged"  # the journal was unreadable: what of ours is in the kernel is unknown
NEWER = "newer"  # written by a newer helper, and not for us; never saved
_HAS_TRIAL = {IDLE: False, APPLYING: True, TRIAL: True, RESTORING: False, DAMAGED: False}
NS_PER_S = 1_000_000_000

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setting:
    """The value that a tunable of the registry shall have on a device, None where it has none."""

    id: str
    value: str
    device: devices.Device | None

    @property
    def tunable(self) -> tunables.Tunable:
        return tunables.BY_ID[self.id]

    @property
    def cell(self) -> str:
        """The name of the state that it is a part of."""
        return self.tunable.cell

    def result(self, outcome: str, note: Said, value: str | None = None) -> payload.Result:
        """A line for people about it, where there is no entry to tell of."""
        name = devices.name_of(self.device)
        return payload.Result(self.id, name, outcome, value, None, notes=(note,))


@dataclass(frozen=True, slots=True)
class Wish:
    """A value that a user asked for: on trial (``until`` empty), or kept until then."""

    id: str
    value: str
    until: str = ""


@dataclass(slots=True)
class Entry:
    """A cell that we changed on a device, with its states (see ``kernel_writer``).

    ``origin``: before Destutter, in this boot. ``goal``: of an entry in flight, where it goes if
    nobody keeps it. ``ours``: the states that are our doing, the last one the newest.
    ``conflict``: why an undo left it alone.
    """

    cell: str
    device: devices.Device | None
    origin: str
    goal: str | None = None
    ours: tuple[str, ...] = ()
    wishes: tuple[Wish, ...] = ()
    conflict: Said | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """The settings of the cell that a user asked for."""
        return tuple(dict.fromkeys(wish.id for wish in self.wishes))

    @property
    def kept(self) -> tuple[Wish, ...]:
        """What was confirmed."""
        return tuple(wish for wish in self.wishes if wish.until)

    @property
    def tried(self) -> tuple[Wish, ...]:
        """What is on trial."""
        return tuple(wish for wish in self.wishes if not wish.until)

    def settings(self, wishes: Iterable[Wish]) -> list[Setting]:
        """Wishes with the device that they are for."""
        return [Setting(wish.id, wish.value, self.device) for wish in wishes]


@dataclass(slots=True)
class Trial:
    """Who tries, until when. ``begun`` and ``deadline`` are CLOCK_BOOTTIME in ns.

    ``set_id``: the set that is kept for a game, of which this is a start (see ``game_sets``).
    """

    txid: str
    owner_uid: int
    owner_name: str
    begun_boottime_ns: int
    deadline_boottime_ns: int
    set_id: str = ""

    def seconds_left(self, now_boottime_ns: int) -> int:
        """Seconds to the deadline, the last one begun counted as a whole; 0 when it is over."""
        return max(-((now_boottime_ns - self.deadline_boottime_ns) // NS_PER_S), 0)


@dataclass(slots=True)
class Document:
    """The journal's content. ``boot_id`` tells whether its values still mean anything.

    ``tombstones`` are entries that were undone: if our state comes back, somebody took it for the
    original. ``profile`` is set at every start; ``starts`` counts the earlier ones in a row that
    nobody confirmed, ``is_start_counted`` that this one is another.
    """

    boot_id: str
    version: int = VERSION
    min_reader: int = 1
    seq: int = 0
    phase: str = IDLE
    trial: Trial | None = None
    entries: tuple[Entry, ...] = ()
    tombstones: tuple[Entry, ...] = ()
    profile: tuple[Setting, ...] = ()
    starts: int = 0
    is_start_counted: bool = False
    notices: tuple[Said, ...] = ()

    @property
    def is_suspended(self) -> bool:
        """Whether the computer did not come up with the profile, as far as anybody knows."""
        return self.starts >= _STARTS_MAX

    def find(self, cell: str, device: devices.Device | None) -> Entry | None:
        """The entry of a cell on a device."""
        found = (e for e in self.entries if e.cell == cell and devices.is_same(e.device, device))
        return next(found, None)

    def moving(self) -> list[Entry]:
        """The entries in flight."""
        return [entry for entry in self.entries if entry.goal is not None]

    def drop(self, dropped: list[Entry]) -> None:
        self.entries = tuple(e for e in self.entries if not any(e is one for one in dropped))

    def bury(self, entry: Entry) -> None:
        """Forgets an entry that is at its origin again, but not which state we had."""
        self.drop([entry])
        if entry.ours and entry.ids:
            self.tombstones = (*self.tombstones, entry)[-_TOMBSTONES_MAX:]

    def keep_always(self, profile: tuple[Setting, ...]) -> None:
        """Replaces what is set at every start; whether a start goes well is to be seen anew."""
        self.profile, self.starts, self.is_start_counted = profile, 0, False

    def note(self, said: Said) -> None:
        """Adds a line for people, once."""
        if said not in self.notices:
            self.notices = (*self.notices, said)[-_NOTICES_MAX:]


def seal(content: object) -> bytes:
    """A document, or what else of ours is a dataclass, as checksum line and JSON."""
    body = payload.encode(content).encode()
    return hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def unseal(data: bytes, kind: type[T]) -> T:
    """The content again. ValueError when damaged, NewerFormat when only a newer helper may."""
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
        read_again: T = payload.read_value(kind, content, "journal", ignore_unknown=True)
    except (HelperError, RecursionError) as error:
        raise ValueError(str(error)) from None
    return read_again


class NewerFormat(Exception):
    """Written by a newer helper, and not readable for this one."""


def read(data: bytes) -> Document:
    """A document that is fit for use; errors as ``unseal``."""
    document = unseal(data, Document)
    found = [(one.cell, one.device, one.ids) for one in document.entries + document.tombstones]
    cells = {id_: tunable.cell for id_, tunable in tunables.BY_ID.items()}
    found += [(cells.get(one.id, ""), one.device, (one.id,)) for one in document.profile]
    for cell, device, ids in found:
        kinds = {one.device_kind for one in tunables.CELLS.get(cell, ())}
        if kinds != {device.kind if device else ""} or {cells.get(id_) for id_ in ids} - {cell}:
            raise NewerFormat("a setting that only a newer helper knows")
    if _HAS_TRIAL.get(document.phase) is not (document.trial is not None):
        raise ValueError("the phase is not known")
    return document


def move(newest: Storage, storage: Storage, document: Document) -> bool:
    """Saves what was read in one directory in the other; whether the first one has none now."""
    try:
        save(storage, document)
        forget(newest)
    except HelperError:
        return False
    return True


def load(
    storage: Storage, boot_id: str, run: Storage | None = None, *, has_traces: bool = False
) -> Document:
    """The newest readable generation, as far as it means anything in this boot.

    Where the newest cannot be read, or there is none, the copy in ``run`` counts instead. Without
    any, ``has_traces`` says that something of ours is in the kernel all the same.

    Damage is noted in it and saved at once, so that it is told once and not forgotten; the files
    that could not be read get a second name before. HelperError JournalUnavailable for what passes
    by itself, such as too many open files: the next start reads. The phase is DAMAGED when it is
    not known
    what is in the kernel; NEWER when the file is not ours to read, and then it stays as it is.
    """
    document, is_found = Document(boot_id), False
    remark: Said | None = None
    for name in (JOURNAL, PREVIOUS):
        try:
            data = storage.read(name)
            if data is not None:
                document, is_found = read(data), True
                remark = _OLDER_IS_IN_USE if name == PREVIOUS else None
                break
        except NewerFormat:
            return Document(boot_id, phase=NEWER)
        except (ValueError, OSError) as error:
            _raise_if_passing(error)
            document.phase, remark = DAMAGED, _NOTHING_IS_KNOWN
            with contextlib.suppress(OSError):
                storage.link(name, name + QUARANTINE)
    copy = _copy_in(run, boot_id) if remark or not is_found else None
    if copy is not None and (remark or copy.entries or copy.profile):
        document, remark = copy, _COPY_IS_IN_USE
    elif remark and document.phase == IDLE and not document.entries:
        document.phase = DAMAGED  # it knew of nothing, and something may have come after it
    elif has_traces and not is_found:
        document.phase, remark = DAMAGED, _NOTHING_IS_KNOWN
    if document.boot_id != boot_id:  # only what is kept for every start means anything here
        starts = document.starts + document.is_start_counted
        document = Document(boot_id, seq=document.seq, profile=document.profile, starts=starts)
    if remark:
        document.note(remark)
        with contextlib.suppress(HelperError):
            save(storage, document)
    return document


def _raise_if_passing(error: Exception) -> None:
    if isinstance(error, OSError) and error.errno in _PASSING:
        said = Said("helper.journal.not_read", {"error": str(error.strerror)})
        raise HelperError("JournalUnavailable", said) from error


def _copy_in(run: Storage | None, boot_id: str) -> Document | None:
    """The copy of the journal of this boot, if it can be read."""
    with contextlib.suppress(ValueError, OSError, NewerFormat):
        document = read((run.read(COPY) if run is not None else None) or b"")
        return document if document.boot_id == boot_id else None
    return None


def kept_in(storage: Storage) -> tuple[Setting, ...]:
    """What a start that reads this file would set; nothing when it cannot be read."""
    try:
        return read(storage.read(JOURNAL) or b"").profile
    except (ValueError, OSError, NewerFormat):
        return ()


def forget(storage: Storage) -> None:
    """Removes the file, when there is nothing in it: then the boot unit has nothing to look at."""
    with contextlib.suppress(OSError):
        for name in (PREVIOUS, JOURNAL):  # a generation before alone would look like damage
            storage.remove(name)


def save(storage: Storage, document: Document, *, is_durable: bool = True) -> None:
    """Replaces the file. HelperError JournalUnavailable, or Unsupported for a newer helper's."""
    if document.phase == NEWER:
        raise HelperError("Unsupported", Said("helper.journal.newer_saved"))
    document.seq += 1
    document.version, document.min_reader = VERSION, 1
    try:
        storage.replace(JOURNAL, seal(document), previous=PREVIOUS, is_durable=is_durable)
    except OSError as error:
        said = Said(NOT_WRITTEN, {"error": str(error.strerror)})
        raise HelperError("JournalUnavailable", said) from error
