# SPDX-License-Identifier: GPL-3.0-or-later
"""Which entries an undo means."""

from collections.abc import Iterable

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Result, UndoRequest
from destutter_helper.api.tunables import BY_ID
from destutter_helper.journal import Document, Entry
from destutter_helper.kept import KeptChange
from destutter_helper.restore import results_of


def check_names(request: UndoRequest) -> None:
    """HelperError UnknownKey for a name that is not in the registry."""
    for name in (*(request.ids or ()), *request.force, *request.accept):
        if name.partition("@")[0] not in BY_ID:
            raise HelperError("UnknownKey", "is no setting of ours", id=ascii(name)[1:-1][:96])


def is_meant(change: KeptChange, request: UndoRequest) -> bool:
    """Whether an undo takes a kept value out of the profile."""
    names = (*(request.ids or ()), *request.force)
    cell, device = BY_ID[change.id].cell, change.change.device
    return request.ids is None or _is_named(cell, device, names)


def _is_named(cell: str, device: str, names: Iterable[str]) -> bool:
    """Whether one of the names, ``id`` or ``id@device``, means a part of this cell."""
    parts = [name.partition("@") for name in names]
    return any(BY_ID[id_].cell == cell and on in {"", device} for id_, _, on in parts)


def select(document: Document, request: UndoRequest) -> None:
    """Sends the named entries to their origin."""
    for entry in document.entries:
        if request.ids is None or is_entry_named(entry, (*request.ids, *request.force)):
            entry.moving, entry.goal, entry.conflict = True, entry.origin, ""


def accept(document: Document, names: tuple[str, ...]) -> list[Result]:
    """Forgets the named conflicts and leaves the values to whoever set them."""
    accepted = [one for one in document.entries if one.conflict and is_entry_named(one, names)]
    document.drop(accepted)
    return [
        result
        for entry in accepted
        for result in results_of(entry, "accepted", "", entry.conflict)
    ]


def is_entry_named(entry: Entry, names: Iterable[str]) -> bool:
    """Whether one of the names means a part of the entry."""
    return _is_named(entry.cell, entry.device_name, names)
