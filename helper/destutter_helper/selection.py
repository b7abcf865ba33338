# SPDX-License-Identifier: GPL-3.0-or-later
"""Which entries an undo means, and which have to go with them."""

from collections.abc import Iterable

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result, UndoRequest
from destutter_helper.api.tunables import BY_ID
from destutter_helper.change_set import SCHEDULER
from destutter_helper.journal import Document, Entry
from destutter_helper.restore import is_asked, result_of


def check_names(request: UndoRequest) -> None:
    """HelperError UnknownKey for a name that is not in the registry."""
    for name in (*(request.ids or ()), *request.force, *request.accept):
        if name.partition("@")[0] not in BY_ID:
            raise HelperError("UnknownKey", "is no setting of ours", id=ascii(name)[1:-1][:96])


def is_named(id_: str, device: str, names: Iterable[str]) -> bool:
    """Whether one of the names, ``id`` or ``id@device``, means this setting on this device."""
    for name in names:
        wanted, _, on = name.partition("@")
        if BY_ID[wanted].cell == BY_ID[id_].cell and on in {"", device}:
            return True
    return False


def select(document: Document, request: UndoRequest) -> None:
    """Sends the named entries to their origin, with all that stands and falls with them."""
    for entry in _with_dependents(document, _named(document, request)):
        entry.moving, entry.goal, entry.conflict = True, entry.origin, ""


def is_forced(document: Document, entry: Entry, names: tuple[str, ...]) -> bool:
    """Whether the entry, or another one of its queue, is among the names."""
    return any(
        is_named(other.id, other.device_name, names)
        for other in document.entries
        if other is entry or _is_same_queue(other, entry)
    )


def accept(document: Document, names: tuple[str, ...]) -> list[Result]:
    """Forgets the named conflicts and leaves the values to whoever set them."""
    accepted = [
        entry
        for entry in document.entries
        if entry.conflict and is_named(entry.id, entry.device_name, names)
    ]
    document.entries = tuple(
        entry for entry in document.entries if not any(entry is one for one in accepted)
    )
    return [result_of(entry, "accepted", None, entry.conflict) for entry in accepted]


def _named(document: Document, request: UndoRequest) -> list[Entry]:
    if request.ids is None:
        return list(document.entries)
    names = (*request.ids, *request.force)
    return [entry for entry in document.entries if is_named(entry.id, entry.device_name, names)]


def _with_dependents(document: Document, named: list[Entry]) -> list[Entry]:
    """A queue with a scheduler of ours goes as a whole; what was moved goes with its master."""
    selected = []
    for entry in document.entries:
        master = document.find(SCHEDULER.id, entry.device)
        for one in named:
            is_whole_queue = master is not None and _is_same_queue(one, entry)
            is_moved = entry.id in BY_ID[one.id].moves and entry.device == one.device
            if one is entry or is_whole_queue or (is_moved and not is_asked(entry)):
                selected.append(entry)
                break
    return selected


def _is_same_queue(one: Entry, other: Entry) -> bool:
    group = BY_ID[one.id].group
    return bool(group) and group == BY_ID[other.id].group and one.device == other.device
